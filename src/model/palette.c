// The palette: materials and pairs of materials that need not be defined, with where their numbers come from.
//
// Rounded handbook values at room temperature; a model that depends on the last digit defines its own. Wood is
// orthotropic, and E is that along the grain. "nu assumed": no source; it enters the stiffness of a contact as
// 1/(1 - nu^2), which 0.05 more or less changes by 6 % at most.
//
// Friction is that of dry surfaces in air, and is what a table of it can be: from 0.2 to 0.7 for the same two
// metals, by how clean they are [Blau92]. Restitution is no property of materials: it falls with speed where they
// yield, as v^(-1/4) in the end [Johnson85], and depends on shapes. Its notes say how it was measured. What has
// no source is not given.
#include <string.h>

#include "model/model.h"

// ---- materials, by name

static const caromMaterialInfo materials[] = {
    { { "abs", 1050, 2.2e9, 0.39 }, "acrylonitrile butadiene styrene", "[Ashby11], nu assumed" },
    { { "acetal", 1410, 3.0e9, 0.39 }, "polyoxymethylene, POM", "[Ashby11], nu assumed" },
    { { "acrylic", 1190, 3.2e9, 0.38 }, "polymethyl methacrylate, PMMA", "[Callister07], nu assumed" },
    { { "alumina", 3980, 416e9, 0.23 }, "sintered aluminium oxide, a ceramic", "[Munro97a]" },
    { { "aluminium", 2700, 70e9, 0.33 }, "alloy 6061, aluminum", "[MILHDBK5J], EN 1999-1-1" },
    { { "balsa", 180, 3.4e9, 0.23 }, "wood along the grain, 12 % moisture", "[WoodHandbook10]" },
    { { "bone", 1900, 17e9, 0.37 }, "cortical, along the axis", "[ReillyBurstein75], nu [Ashman84]" },
    { { "brass", 8500, 100e9, 0.35 }, "70 % copper, 30 % zinc", "[KayeLaby95]" },
    { { "bronze", 8860, 110e9, 0.35 }, "phosphor bronze", "[ASM90], nu [Shigley11]" },
    { { "cast-iron", 7200, 110e9, 0.26 }, "grey iron EN-GJL-250", "[EN1561]" },
    { { "cellulose-acetate", 1320, 3.2e9, 0.28 }, "spheres for granular flow", "[Foerster94]" },
    { { "concrete", 2400, 33e9, 0.20 }, "plain, C30/37", "[EN1992], density EN 1991-1-1" },
    { { "copper", 8960, 130e9, 0.34 }, "pure", "[KayeLaby95]" },
    { { "cork", 170, 20e6, 0.05 }, "along the radius of the tree", "[Gibson81]" },
    { { "fused-silica", 2200, 73e9, 0.17 }, "quartz glass", "[KayeLaby95]" },
    { { "glass", 2500, 70e9, 0.22 }, "soda-lime", "[EN572], nu [KayeLaby95]" },
    { { "granite", 2650, 70e9, 0.18 }, "Pikes Peak", "[Goodman89]" },
    { { "ice", 917, 9.3e9, 0.33 }, "polycrystalline, near -10 C", "[SchulsonDuval09]" },
    { { "lead", 11340, 16e9, 0.44 }, "pure", "[KayeLaby95]" },
    { { "leather", 930, 0.3e9, 0.40 }, "tanned hide", "[Ashby11], nu assumed" },
    { { "magnesium", 1770, 45e9, 0.35 }, "alloy AZ31", "[MILHDBK5J]" },
    { { "natural-rubber", 950, 1.5e6, 0.499 }, "unfilled gum, 40 IRHD", "[Lindley74]" },
    { { "nickel", 8900, 200e9, 0.31 }, "pure", "[KayeLaby95]" },
    { { "nylon", 1140, 2.7e9, 0.39 }, "polyamide PA 66; half as stiff when moist", "[Callister07]" },
    { { "oak", 760, 12.3e9, 0.37 }, "white oak along the grain, 12 % moisture", "[WoodHandbook10]" },
    { { "phenolic", 1740, 4.8e9, 0.35 }, "phenol formaldehyde resin of billiard balls", "[Callister07], ball of 170 g, nu assumed" },
    { { "pine", 570, 12.3e9, 0.33 }, "loblolly pine along the grain, 12 % moisture", "[WoodHandbook10]" },
    { { "plywood", 600, 8e9, 0.30 }, "in the plane of the board", "[WoodHandbook10], nu assumed" },
    { { "polycarbonate", 1200, 2.4e9, 0.36 }, "PC", "[Callister07]" },
    { { "polyethylene", 960, 1.1e9, 0.42 }, "high density, HDPE", "[Callister07], nu assumed" },
    { { "polypropylene", 905, 1.3e9, 0.42 }, "PP", "[Callister07], nu assumed" },
    { { "polystyrene", 1050, 2.8e9, 0.33 }, "PS", "[Callister07]" },
    { { "ptfe", 2170, 0.5e9, 0.46 }, "polytetrafluoroethylene, Teflon", "[Callister07]" },
    { { "pvc", 1400, 3.0e9, 0.38 }, "polyvinyl chloride, rigid", "[Callister07]" },
    { { "rubber", 1100, 10e6, 0.49 }, "filled natural rubber, 75 IRHD", "[Lindley74]" },
    { { "silicon-carbide", 3160, 415e9, 0.16 }, "sintered alpha-SiC, a ceramic", "[Munro97b]" },
    { { "silicon-nitride", 3200, 310e9, 0.26 }, "hot pressed, of bearing balls, a ceramic", "[Harris06]" },
    { { "silicone-rubber", 1030, 2.0e6, 0.49 }, "Sylgard 184, PDMS", "[Johnston14]" },
    { { "spruce", 450, 10.8e9, 0.37 }, "Sitka spruce along the grain, 12 % moisture", "[WoodHandbook10]" },
    { { "stainless-steel", 7900, 200e9, 0.30 }, "austenitic, 1.4301, AISI 304", "[EN10088], nu EN 1993-1-4" },
    { { "steel", 7850, 210e9, 0.30 }, "structural steel", "[EN1993], density EN 1991-1-1" },
    { { "titanium", 4430, 110e9, 0.31 }, "Ti-6Al-4V", "[MILHDBK5J]" },
    { { "tungsten", 19300, 411e9, 0.28 }, "pure", "[KayeLaby95]" },
    { { "tungsten-carbide", 15000, 640e9, 0.22 }, "hard metal, 6 % cobalt", "[ASM90], nu [KayeLaby95]" },
    { { "wood", 600, 10e9, 0.35 }, "along the grain, between spruce and oak", "[WoodHandbook10]" },
    { { "zinc", 7140, 108e9, 0.25 }, "pure", "[KayeLaby95]" },
};

const caromMaterialInfo *carom_model_material_info(int i)
{
    return i >= 0 && i < (int)(sizeof materials/sizeof *materials) ? &materials[i] : NULL;
}

const caromMaterialDef *carom_model_material_palette(int i)
{
    const caromMaterialInfo *info = carom_model_material_info(i);
    return info ? &info->def : NULL;
}

// ---- pairs, by names

// restitution, friction, static friction, rolling resistance
#define PAIR(a, b, e, mu_k, mu_s, mu_r)                                                                           \
    { .material = { a, b }, .restitution = (e), .friction = (mu_k), .static_friction = (mu_s), .rolling = (mu_r), \
      .torsion = NAN, .stiffness = NAN,                                                                           \
      .exponent = NAN, .damping = CAROM_DAMPING_KINDS, .damping_coefficient = NAN, .damping_depth = NAN,          \
      .impact_law = CAROM_IMPACT_KINDS }

#define RESILIENCE "resilience e^2 55 %: butyl 30 %, gum 80 %; "
#define DESIGN "safe value for loads on lorries"

static const caromPairRecord pairs[] = {
    { PAIR("abs", "steel", NAN, 0.35, NAN, NAN), "thrust washer", "[Blau92]" },
    { PAIR("acetal", "steel", NAN, 0.21, NAN, NAN), "thrust washer", "[Blau92]" },
    { PAIR("acrylic", "acrylic", 0.93, 0.096, NAN, NAN), "spheres of 4 mm, about 1 m/s; clean plates rub with 0.8", "[Lorenz97], [BowdenTabor50]" },
    { PAIR("acrylic", "steel", NAN, 0.54, 0.68, NAN), "", "[Blau92]" },
    { PAIR("alumina", "glass", 0.98, 0.092, NAN, NAN), "sphere of 5 mm on a plate, 3.9 m/s", "[Kharaz01]" },
    { PAIR("aluminium", "aluminium", NAN, 0.34, 0.42, NAN), "6061-T6 as handled; degreased 1.4 and seizing [Marks96]", "[Blau92]" },
    { PAIR("aluminium", "copper", NAN, 0.23, 0.28, NAN), "6061-T6 as handled", "[Blau92]" },
    { PAIR("aluminium", "glass", 0.83, 0.125, NAN, NAN), "glass sphere of 3 mm on a plate, 1.3 m/s", "[Foerster94]" },
    { PAIR("aluminium", "ptfe", NAN, 0.18, 0.19, NAN), "", "[Blau92]" },
    { PAIR("aluminium", "rubber", 0.75, 0.6, NAN, NAN), RESILIENCE DESIGN, "[Gent12], mu [EN12195]" },
    { PAIR("aluminium", "steel", NAN, 0.47, 0.61, NAN), "clean; as handled 0.25 [Blau92]", "[Marks96]" },
    { PAIR("aluminium", "wood", NAN, 0.4, NAN, NAN), "sawn wood on a grooved plate, " DESIGN, "[EN12195]" },
    { PAIR("brass", "cast-iron", NAN, 0.30, NAN, NAN), "", "[Marks96]" },
    { PAIR("brass", "steel", NAN, 0.44, 0.51, NAN), "clean", "[Marks96]" },
    { PAIR("bronze", "cast-iron", NAN, 0.22, NAN, NAN), "", "[Marks96]" },
    { PAIR("bronze", "steel", NAN, 0.34, NAN, NAN), "", "[Marks96]" },
    { PAIR("cast-iron", "cast-iron", NAN, 0.15, NAN, NAN), "1.1 at rest when clean, by another observer", "[Marks96]" },
    { PAIR("cast-iron", "copper", NAN, 0.29, NAN, NAN), "1.05 at rest when clean, by another observer", "[Marks96]" },
    { PAIR("cast-iron", "lead", NAN, 0.43, NAN, NAN), "", "[Marks96]" },
    { PAIR("cast-iron", "leather", NAN, 0.56, NAN, NAN), "", "[Marks96]" },
    { PAIR("cast-iron", "magnesium", NAN, 0.25, NAN, NAN), "", "[Marks96]" },
    { PAIR("cast-iron", "oak", NAN, 0.49, NAN, NAN), "along the grain", "[Marks96]" },
    { PAIR("cast-iron", "steel", NAN, 0.23, NAN, NAN), "", "[Marks96]" },
    { PAIR("cast-iron", "zinc", NAN, 0.21, NAN, NAN), "0.85 at rest when clean, by another observer", "[Marks96]" },
    { PAIR("cellulose-acetate", "cellulose-acetate", 0.87, 0.25, NAN, NAN), "spheres of 6 mm, about 1 m/s", "[Foerster94]" },
    { PAIR("concrete", "concrete", NAN, 0.6, NAN, NAN), "smooth joint, design value", "[EN1992]" },
    { PAIR("concrete", "rubber", 0.75, 0.8, 1.0, 0.015), RESILIENCE "rolling of car tyres", "[Gent12] [Serway14] [Gillespie92]" },
    { PAIR("concrete", "steel", NAN, 0.47, 0.57, NAN), "", "[Baltay90], static [Rabbat85]" },
    { PAIR("concrete", "wood", NAN, 0.55, NAN, NAN), "smooth concrete on sawn wood, " DESIGN, "[EN12195]" },
    { PAIR("copper", "glass", NAN, 0.53, 0.68, NAN), "clean", "[Marks96]" },
    { PAIR("copper", "stainless-steel", NAN, 0.21, 0.23, NAN), "as handled", "[Blau92]" },
    { PAIR("copper", "steel", NAN, 0.36, 0.53, NAN), "clean; as handled 0.25 [Blau92]", "[Marks96]" },
    { PAIR("glass", "glass", 0.97, 0.40, 0.94, NAN), "e: spheres of 3 mm, 1.3 m/s, which rubbed with 0.092; friction of clean plates", "[Foerster94], mu [Marks96]" },
    { PAIR("glass", "nickel", NAN, 0.56, 0.78, NAN), "clean", "[Marks96]" },
    { PAIR("glass", "ptfe", NAN, 0.10, 0.10, NAN), "", "[Blau92]" },
    { PAIR("glass", "rubber", 0.75, 1.0, NAN, NAN), RESILIENCE "friction 1 to 4 when clean", "[Gent12], mu [BowdenTabor50]" },
    { PAIR("glass", "steel", NAN, 0.12, 0.13, NAN), "as handled; clean 0.5 to 0.7 at rest [BowdenTabor50]", "[Blau92]" },
    { PAIR("granite", "granite", NAN, 0.85, NAN, NAN), "rough rock, largest friction", "[Byerlee78]" },
    { PAIR("ice", "ice", 0.9, 0.03, 0.1, NAN), "e: sphere of 28 mm on a block, below some 0.5 m/s; at 0 C", "[Higa98], mu [Serway14]" },
    { PAIR("ice", "steel", NAN, 0.03, NAN, NAN), "some m/s near -10 C; 0.005 under skates, above 0.1 when slow and cold", "[Kietzig10]" },
    { PAIR("lead", "steel", NAN, 0.95, 0.95, NAN), "", "[Marks96]" },
    { PAIR("leather", "oak", NAN, 0.52, 0.61, NAN), "along the grain", "[Marks96]" },
    { PAIR("magnesium", "steel", NAN, 0.42, NAN, NAN), "", "[Marks96]" },
    { PAIR("nickel", "nickel", NAN, 0.53, 1.10, NAN), "clean", "[Marks96]" },
    { PAIR("nickel", "steel", NAN, 0.64, NAN, NAN), "", "[Marks96]" },
    { PAIR("nylon", "nylon", NAN, 0.2, NAN, NAN), "0.15 to 0.25", "[BowdenTabor50]" },
    { PAIR("nylon", "steel", NAN, 0.28, NAN, NAN), "thrust washer", "[Blau92]" },
    { PAIR("oak", "oak", 0.5, 0.48, 0.62, NAN), "along the grain; across it 0.32 and 0.54", "[Marks96], e [Gross13]" },
    { PAIR("phenolic", "phenolic", 0.95, 0.05, NAN, NAN), "billiard balls, e 0.92 to 0.98; 0.89 for snooker balls", "[Alciatore04], mu [Mathavan14]" },
    { PAIR("plywood", "plywood", NAN, 0.3, NAN, NAN), "planed wood on plywood, " DESIGN, "[EN12195]" },
    { PAIR("plywood", "rubber", 0.75, 0.6, NAN, NAN), RESILIENCE DESIGN, "[Gent12], mu [EN12195]" },
    { PAIR("plywood", "steel", NAN, 0.45, NAN, NAN), "steel crate, " DESIGN, "[EN12195]" },
    { PAIR("plywood", "wood", NAN, 0.45, NAN, NAN), "sawn wood, 0.3 planed; " DESIGN, "[EN12195]" },
    { PAIR("polycarbonate", "steel", NAN, 0.38, NAN, NAN), "thrust washer", "[Blau92]" },
    { PAIR("polyethylene", "polyethylene", NAN, 0.2, NAN, NAN), "", "[BowdenTabor50]" },
    { PAIR("polyethylene", "steel", NAN, 0.23, 0.36, NAN), "", "[Blau92]" },
    { PAIR("polystyrene", "steel", NAN, 0.37, 0.43, NAN), "", "[Blau92]" },
    { PAIR("ptfe", "ptfe", NAN, 0.04, 0.04, NAN), "slow; grows with speed", "[Serway14]" },
    { PAIR("ptfe", "steel", NAN, 0.04, 0.04, NAN), "slow, on a film of PTFE; 0.1 to 0.2 otherwise [Blau92]", "[Marks96]" },
    { PAIR("pvc", "steel", NAN, 0.38, 0.53, NAN), "", "[Blau92]" },
    { PAIR("rubber", "steel", 0.75, 0.6, NAN, NAN), RESILIENCE DESIGN, "[Gent12], mu [EN12195]" },
    { PAIR("rubber", "wood", 0.75, 0.6, NAN, NAN), RESILIENCE DESIGN, "[Gent12], mu [EN12195]" },
    { PAIR("stainless-steel", "wood", NAN, 0.3, NAN, NAN), "sawn wood, 0.2 planed; " DESIGN, "[EN12195]" },
    { PAIR("steel", "steel", 0.7, 0.57, 0.74, NAN), "e 0.6 to 0.8, of hard balls 0.9; clean, as handled 0.23 [Blau92]", "[Gross13], mu [Marks96]" },
    { PAIR("steel", "titanium", NAN, 0.32, 0.36, NAN), "", "[Blau92]" },
    { PAIR("steel", "tungsten-carbide", NAN, 0.5, NAN, NAN), "clean, at rest", "[Marks96]" },
    { PAIR("steel", "wood", NAN, 0.4, NAN, NAN), "dry, smooth: 0.3 to 0.5", "[WoodHandbook10]" },
    { PAIR("titanium", "titanium", NAN, 0.30, 0.36, NAN), "Ti-6Al-4V as handled", "[Blau92]" },
    { PAIR("tungsten-carbide", "tungsten-carbide", NAN, 0.2, NAN, NAN), "clean, at rest", "[Marks96]" },
    { PAIR("wood", "wood", 0.5, 0.4, NAN, NAN), "dry, smooth: 0.3 to 0.5", "[WoodHandbook10], e [Gross13]" },
};

const caromPairRecord *carom_model_pair_record(int i)
{
    return i >= 0 && i < (int)(sizeof pairs/sizeof *pairs) ? &pairs[i] : NULL;
}

const caromPairDef *carom_model_pair_palette(int i)
{
    const caromPairRecord *record = carom_model_pair_record(i);
    return record ? &record->def : NULL;
}

// The table is in the order of its names, and a model may have two million pairs of materials to ask for.
const caromPairDef *carom_model_pair_palette_find(const char *material_a, const char *material_b)
{
    bool is_sorted = strcmp(material_a, material_b) <= 0;
    const char *first = is_sorted ? material_a : material_b, *second = is_sorted ? material_b : material_a;
    int low = 0, high = (int)(sizeof pairs/sizeof *pairs);
    while (low < high) {
        int middle = (low + high)/2, order = strcmp(pairs[middle].def.material[0], first);
        if (order == 0) order = strcmp(pairs[middle].def.material[1], second);
        if (order == 0) return &pairs[middle].def;
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}

// ---- where it comes from

static const caromSourceInfo sources[] = {
    { "Alciatore04", "D. G. Alciatore, Illustrated Principles of Pool and Billiards, 2004; billiards.colostate.edu" },
    { "Ashby11", "M. F. Ashby, Materials Selection in Mechanical Design, 4th ed., Butterworth-Heinemann 2011, appendix A" },
    { "Ashman84", "R. B. Ashman et al., J. Biomechanics 17 (1984) 349-361" },
    { "ASM90", "ASM Handbook, vol. 2: Nonferrous Alloys and Special-Purpose Materials, 1990" },
    { "Baltay90", "P. Baltay and A. Gjelsvik, J. Materials in Civil Engineering 2 (1990) 46-49" },
    { "Blau92", "P. J. Blau, friction coefficients, ASM Handbook, vol. 18, 1992, 70-75" },
    { "BowdenTabor50", "F. P. Bowden and D. Tabor, The Friction and Lubrication of Solids, Oxford 1950" },
    { "Byerlee78", "J. Byerlee, Friction of rocks, Pure and Applied Geophysics 116 (1978) 615-626" },
    { "Callister07", "W. D. Callister, Materials Science and Engineering, 7th ed., Wiley 2007, appendix B" },
    { "EN10088", "EN 10088-1, Stainless steels: list of stainless steels" },
    { "EN12195", "EN 12195-1:2010, Load restraining on road vehicles, annex B" },
    { "EN1561", "EN 1561, Founding: grey cast irons, annex" },
    { "EN1992", "EN 1992-1-1, Eurocode 2: design of concrete structures, table 3.1 and 6.2.5" },
    { "EN1993", "EN 1993-1-1, Eurocode 3: design of steel structures, 3.2.6" },
    { "EN572", "EN 572-1, Glass in building: basic soda-lime silicate glass products" },
    { "Foerster94", "S. F. Foerster, M. Y. Louge, H. Chang and K. Allia, Physics of Fluids 6 (1994) 1108-1115" },
    { "Gent12", "A. N. Gent (ed.), Engineering with Rubber, 3rd ed., Hanser 2012" },
    { "Gibson81", "L. J. Gibson, K. E. Easterling and M. F. Ashby, Proc. R. Soc. London A 377 (1981) 99-117" },
    { "Gillespie92", "T. D. Gillespie, Fundamentals of Vehicle Dynamics, SAE 1992" },
    { "Goodman89", "R. E. Goodman, Introduction to Rock Mechanics, 2nd ed., Wiley 1989, tables 2.2 and 6.1" },
    { "Gross13", "D. Gross et al., Engineering Mechanics 3: Dynamics, Springer, section 2.5" },
    { "Harris06", "T. A. Harris and M. N. Kotzalas, Rolling Bearing Analysis, 5th ed., CRC 2006" },
    { "Higa98", "M. Higa, M. Arakawa and N. Maeno, Icarus 133 (1998) 310-320" },
    { "Johnston14", "I. D. Johnston et al., J. Micromechanics and Microengineering 24 (2014) 035017" },
    { "KayeLaby95", "G. W. C. Kaye and T. H. Laby, Tables of Physical and Chemical Constants, 16th ed., Longman 1995" },
    { "Kharaz01", "A. H. Kharaz, D. A. Gorham and A. D. Salman, Powder Technology 120 (2001) 281-291" },
    { "Kietzig10", "A.-M. Kietzig et al., Physics of ice friction, J. Applied Physics 107 (2010) 081101" },
    { "Lindley74", "P. B. Lindley, Engineering Design with Natural Rubber, MRPRA 1974" },
    { "Lorenz97", "A. Lorenz, C. Tuozzolo and M. Y. Louge, Experimental Mechanics 37 (1997) 292-298" },
    { "Marks96", "Marks' Standard Handbook for Mechanical Engineers, 10th ed., 1996, table 3.2.1" },
    { "Mathavan14", "S. Mathavan, M. R. Jackson and R. M. Parkin, Sports Engineering 17 (2014) 99-112" },
    { "MILHDBK5J", "MIL-HDBK-5J, Metallic Materials and Elements for Aerospace Vehicle Structures, 2003" },
    { "Munro97a", "R. G. Munro, Sintered alpha-alumina, J. American Ceramic Society 80 (1997) 1919-1928" },
    { "Munro97b", "R. G. Munro, Sintered alpha-SiC, J. Physical and Chemical Reference Data 26 (1997) 1195-1203" },
    { "Rabbat85", "B. G. Rabbat and H. G. Russell, J. Structural Engineering 111 (1985) 505-515" },
    { "ReillyBurstein75", "D. T. Reilly and A. H. Burstein, J. Biomechanics 8 (1975) 393-405" },
    { "SchulsonDuval09", "E. M. Schulson and P. Duval, Creep and Fracture of Ice, Cambridge 2009" },
    { "Serway14", "R. A. Serway and J. W. Jewett, Physics for Scientists and Engineers, 9th ed., 2014, table 5.1" },
    { "Shigley11", "R. G. Budynas and J. K. Nisbett, Shigley's Mechanical Engineering Design, 9th ed., 2011, table A-5" },
    { "WoodHandbook10", "Wood Handbook, FPL-GTR-190, Forest Products Laboratory 2010, chapters 5 and 12" },
};

const caromSourceInfo *carom_model_source_info(int i)
{
    return i >= 0 && i < (int)(sizeof sources/sizeof *sources) ? &sources[i] : NULL;
}
