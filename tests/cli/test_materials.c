// `carom materials`: what is found, in which columns, and what is said when nothing is.
#include "cli_fixture.h"

static void expect_in(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("missing: %s\n--- in\n%s", part, text);
}

static void expect_narrow(const char *text, size_t width)
{
    for (const char *s = text; *s;) {
        size_t n = strcspn(s, "\n");
        if (n > width) fail_msg("%zu columns: %.*s", n, (int)n, s);
        s += n + (s[n] == '\n');
    }
}

static void help_is_exact(void **state)
{
    (void)state;
    expect("materials --help", 0,
           "usage: carom materials [OPTION]... [WORD]...\n"
           "\n"
           "Lists the built-in materials, each with where its numbers come from. With words, shows the materials that "
           "have all of\n"
           "them in their name, description or source, and every pair in which such a material occurs. "
           "Two words that are both names\n"
           "show these materials and their pair: 'carom materials rubber steel', 'carom materials steel steel'. "
           "Restitution depends on\n"
           "speed and shape, friction on how clean surfaces are: notes say how both were measured. "
           "A model defines its own under\n"
           "materials and pairs.\n"
           "\n"
           "      --pairs            list all pairs\n"
           "  -h, --help             show this\n",
           "");
}

static void all_materials_are_listed_in_100_columns(void **state)
{
    (void)state;
    Said said = carom_says("materials");
    assert_int_equal(said.status, 0);
    expect_narrow(said.out, 100);
    expect_in(said.out, "materials, at room temperature\n"
                        "  name               kg/m^3  E [GPa]     nu  source\n"
                        "  abs                  1050      2.2   0.39  [Ashby11], nu assumed\n");
    expect_in(said.out, "\n  steel                7850      210    0.3  [EN1993], density EN 1991-1-1\n");
    expect_in(said.out, "\n  rubber               1100     0.01   0.49  [Lindley74]\n");
    int nline = 0;
    for (const char *s = said.out; *s; s++) nline += *s == '\n';
    assert_int_equal(nline, 46 + 3);  // a title, a head, and what to do next
    forget(&said);
}

static void all_pairs_are_listed_in_100_columns(void **state)
{
    (void)state;
    Said said = carom_says("materials --pairs");
    assert_int_equal(said.status, 0);
    expect_narrow(said.out, 100);
    expect_in(said.out, "  rubber - steel                         0.75    0.6     -      -  [Gent12], mu [EN12195]\n");
    forget(&said);
    said = carom_says("materials --pairs ice");
    expect_in(said.out, "pairs, dry\n"
                        "  pair           e  mu_k  mu_s  mu_r  source\n"
                        "  ice - ice    0.9  0.03   0.1     -  [Higa98], mu [Serway14]\n"
                        "  ice - steel    -  0.03     -     -  [Kietzig10]\n");
    forget(&said);
}

static void two_words_are_a_pair(void **state)
{
    (void)state;
    expect("materials Rubber CONCRETE", 0,
           "materials, at room temperature\n"
           "  name      kg/m^3  E [GPa]    nu  what                            source\n"
           "  concrete    2400       33   0.2  plain, C30/37                   [EN1992], density EN 1991-1-1\n"
           "  rubber      1100     0.01  0.49  filled natural rubber, 75 IRHD  [Lindley74]\n"
           "pairs, dry\n"
           "  pair                  e  mu_k  mu_s   mu_r  source\n"
           "  concrete - rubber  0.75   0.8     1  0.015  [Gent12] [Serway14] [Gillespie92]\n"
           "  e restitution; mu_k sliding, mu_s static friction; mu_r rolling resistance; -: not known\n"
           "notes\n"
           "  concrete - rubber  resilience e^2 55 %: butyl 30 %, gum 80 %; rolling of car tyres\n"
           "sources\n"
           "  [EN1992]       EN 1992-1-1, Eurocode 2: design of concrete structures, table 3.1 and 6.2.5\n"
           "  [Gent12]       A. N. Gent (ed.), Engineering with Rubber, 3rd ed., Hanser 2012\n"
           "  [Gillespie92]  T. D. Gillespie, Fundamentals of Vehicle Dynamics, SAE 1992\n"
           "  [Lindley74]    P. B. Lindley, Engineering Design with Natural Rubber, MRPRA 1974\n"
           "  [Serway14]     R. A. Serway and J. W. Jewett, Physics for Scientists and Engineers, 9th ed., "
           "2014, table 5.1\n", "");
}

static void two_names_are_no_search(void **state)
{
    (void)state;
    Said said = carom_says("materials steel steel");
    assert_int_equal(said.status, 0);
    expect_in(said.out, "\n  steel ");
    expect_in(said.out, "\n  steel - steel ");
    assert_null(strstr(said.out, "stainless"));
    assert_null(strstr(said.out, "steel - wood"));
    forget(&said);
    said = carom_says("materials rubber STEEL");
    expect_in(said.out, "\n  rubber - steel ");
    assert_null(strstr(said.out, "natural-rubber"));
    forget(&said);
    said = carom_says("materials --pairs steel rubber");
    expect_in(said.out, "\n  rubber - steel ");
    assert_null(strstr(said.out, "silicone-rubber"));
    forget(&said);
}

static void a_pair_of_which_nothing_is_known_says_how_to_give_it(void **state)
{
    (void)state;
    expect("materials Oak wood", 0,
           "materials, at room temperature\n"
           "  name*\n"
           "  oak *\n"
           "  wood *\n"
           "pairs, dry: nothing is known of oak - wood; give it in the model, pairs: [{between: [oak, wood], "
           "restitution: ..., friction: ...}]\n"
           "sources\n"
           "  [WoodHandbook10]*\n",
           "");
    expect("materials --pairs balsa tungsten", 2, "", "carom: error: nothing is known of balsa - tungsten; "
           "give it in the model, pairs: [{between: [balsa, tungsten], restitution: ..., friction: ...}]\n");
}

static void words_are_found_in_titles_and_sources(void **state)
{
    (void)state;
    expect("materials teflon glass", 0, "*\n*\n  glass*\n  ptfe*\npairs, dry\n*\n  glass - ptfe*\n*\nsources\n*\n*\n*\n"
           "*\n", "");
    expect("materials tungsten pure", 0,
           "materials, at room temperature\n"
           "  name      kg/m^3  E [GPa]    nu  what  source\n"
           "  tungsten   19300      411  0.28  pure  [KayeLaby95]\n"
           "pairs, dry: none is known\n"
           "sources\n"
           "  [KayeLaby95]  *\n",
           "");
    Said said = carom_says("materials steel");
    expect_in(said.out, "\n  stainless-steel ");
    expect_in(said.out, "\n  copper - stainless-steel ");
    expect_in(said.out, "\n  steel - wood ");
    assert_null(strstr(said.out, "oak - oak"));
    forget(&said);
    said = carom_says("materials gorham");  // an author, whose key is all that records have
    assert_int_equal(said.status, 2);
    forget(&said);
    said = carom_says("materials kharaz01");
    expect_in(said.out, "\n  alumina - glass  0.98  0.092     -     -  [Kharaz01]\n");
    forget(&said);
}

static void nothing_found_has_a_suggestion(void **state)
{
    (void)state;
    expect("materials stel", 2, "", "carom: error: no built-in material has 'stel'; did you mean 'steel'?\n");
    expect("materials steel rubbr", 2, "", "carom: error: no built-in material has 'rubbr'; did you mean 'rubber'?\n");
    expect("materials unobtainium-ore", 2, "", "carom: error: no built-in material has 'unobtainium-ore'; "
           "'carom materials' lists them\n");
    expect("materials soda-lime tungsten", 2, "", "carom: error: no built-in material or pair of materials has all "
           "these words; try them one by one\n");
    expect("materials --pairs balsa", 2, "", "carom: error: no built-in material or pair of materials has all these "
           "words; try them one by one\n");
}

static void check_marks_where_coefficients_come_from(void **state)
{
    (void)state;
    write_text("m.yaml", "carom: 1\n"
                         "pairs:\n"
                         "  - {between: [steel, wood], restitution: 0.4}\n"
                         "  - {between: [wood, wood], damping: given, damping_coefficient: 0.2 s/m, friction: 0.3}\n"
                         "bodies:\n"
                         "  plate: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                         "  a: {material: wood, shape: {sphere: {radius: 1 cm}}, position: [0, 0, 1]}\n"
                         "  b: {material: cork, shape: {sphere: {radius: 1 cm}}, position: [0, 0, 2]}\n"
                         "  c: {material: steel, shape: {sphere: {radius: 1 cm}}, position: [0, 0, 3]}\n"
                         "contact: {restitution: 0.5, friction: 0.25}\n");
    Said said = carom_says("check m.yaml");
    assert_int_equal(said.status, 0);
    expect_in(said.out, "  steel - steel  restitution 0.7 (palette)  friction 0.57, static 0.74 (palette)  rolling 0 "
              "(default)  1 contact pair\n"
              "  steel - wood   restitution 0.4            friction 0.4 (palette)                rolling 0 (default)  "
              "2 contact pairs\n"
              "  steel - cork   restitution 0.5 (default)  friction 0.25 (default)               rolling 0 (default)  "
              "2 contact pairs\n"
              "  wood - cork    restitution 0.5 (default)  friction 0.25 (default)               rolling 0 (default)  "
              "1 contact pair\n");
    forget(&said);
    write_text("g.yaml", "carom: 1\n"
               "pairs: [{between: [cork, cork], damping: given, damping_coefficient: 0.2 s/m, friction: 0.3}]\n"
               "bodies:\n"
               "  a: {material: cork, shape: {sphere: {radius: 1 cm}}, position: [0, 0, 1]}\n"
               "  b: {material: cork, shape: {sphere: {radius: 1 cm}}, position: [0, 0, 2]}\n");
    said = carom_says("check g.yaml");
    expect_in(said.out, "  cork - cork  damping given  friction 0.3  rolling 0 (default)  1 contact pair\n");
    forget(&said);
}

static void a_missing_pair_is_shown_where_the_material_is(void **state)
{
    (void)state;
    write_text("m.yaml", "carom: 1\n"
                         "bodies:\n"
                         "  plate: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                         "  ball:\n"
                         "    material: cork\n"
                         "    shape: {sphere: {radius: 1 cm}}\n");
    expect("check m.yaml", 2, "", "m.yaml:5:15: error: bodies 'plate' (steel) and 'ball' (cork) may touch, "
           "but nothing says how they rebound and rub: add to pairs: {between: [steel, cork], restitution: ..., "
           "friction: ...}, or set contact: {restitution: ..., friction: ...} for all pairs that do not say\n"
           "    5 |     material: cork\n"
           "      |               ^\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLI_TEST(help_is_exact),
        CLI_TEST(all_materials_are_listed_in_100_columns),
        CLI_TEST(all_pairs_are_listed_in_100_columns),
        CLI_TEST(two_words_are_a_pair),
        CLI_TEST(two_names_are_no_search),
        CLI_TEST(a_pair_of_which_nothing_is_known_says_how_to_give_it),
        CLI_TEST(words_are_found_in_titles_and_sources),
        CLI_TEST(nothing_found_has_a_suggestion),
        CLI_TEST(check_marks_where_coefficients_come_from),
        CLI_TEST(a_missing_pair_is_shown_where_the_material_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
