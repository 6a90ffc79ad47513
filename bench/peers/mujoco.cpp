// MuJoCo: mass matrix by composite bodies and its sparse factors. Contacts and constraints are switched off.
#include <mujoco/mujoco.h>
#include <unistd.h>

#include "harness.hpp"

// Its reader of XML refuses elements that are nested about 100 deep, and each bar of a chain is one deeper: a chain is continued in
// another file after so many, which the file before includes.
enum { DEEPEST = 80 };

struct Files {
    char folder[32] = "/tmp/mujoco-XXXXXX";
    std::vector<std::string> paths;

    Files()
    {
        if (!mkdtemp(folder)) std::perror(folder), std::exit(1);
    }
    ~Files()
    {
        for (const std::string &path : paths) unlink(path.c_str());
        rmdir(folder);
    }
    std::string add(const std::string &text)
    {
        std::string name = "part" + std::to_string(paths.size()) + ".xml";
        paths.push_back(std::string(folder) + "/" + name);
        FILE *file = std::fopen(paths.back().c_str(), "w");
        if (!file || std::fputs(text.c_str(), file) < 0 || std::fclose(file) != 0) std::perror(paths.back().c_str()), std::exit(1);
        return name;
    }
};

static std::string triple(const double *x)
{
    char text[100];
    std::snprintf(text, sizeof text, "%.17g %.17g %.17g", x[0], x[1], x[2]);
    return text;
}

static std::string body_text(const BenchScene &s, int i, int depth, Files &files)
{
    const BenchLink &l = s.links[i];
    static const char *const axes[] = { "1 0 0", "0 1 0", "0 0 1" };
    std::string xml = "<body pos='" + triple(l.p) + "'>";
    if (l.axis == BENCH_FREE) xml += "<freejoint/>";
    else xml += std::string("<joint type='hinge' axis='") + axes[l.axis] + "'/>";
    xml += "<inertial pos='" + triple(l.com) + "' mass='" + std::to_string(l.mass) + "' diaginertia='" + triple(l.inertia) + "'/>\n";
    for (int k = i + 1; k < s.nlink; k++) {
        if (s.links[k].parent != i) continue;
        bool is_deep = (depth + 1) % DEEPEST == 0;
        std::string child = body_text(s, k, depth + 1, files);
        xml += is_deep ? "<include file='" + files.add("<mujoco>" + child + "</mujoco>") + "'/>" : child;
    }
    return xml + "</body>";
}

struct Mujoco {
    BenchScene scene;
    mjModel *model;
    mjData *data;
    int first_q, first_v;
    std::vector<int> order;   // joints are numbered depth first

    explicit Mujoco(const BenchScene &s) : scene(s)
    {
        std::string xml = "<mujoco><compiler angle='radian' boundmass='0' boundinertia='0'/><option gravity='0 0 -9.81' timestep='0.001'>"
                          "<flag contact='disable' constraint='disable' limit='disable' equality='disable' passive='disable' actuation='disable'/>"
                          "</option><worldbody>";
        Files files;
        char why[1000] = "";
        for (int i = 0; i < s.nlink; i++)
            if (s.links[i].parent < 0) xml += body_text(s, i, 0, files);
        files.add(xml + "</worldbody></mujoco>");
        model = mj_loadXML(files.paths.back().c_str(), nullptr, why, sizeof why);
        if (!model) std::fprintf(stderr, "mujoco: %s %d: %s\n", s.name, s.size, why), std::exit(1);
        data = mj_makeData(model);
        bool is_free = s.nlink > s.nhinge;
        first_q = is_free ? 7 : 0, first_v = is_free ? 6 : 0;
        visit(-1);
    }
    Mujoco(const Mujoco &) = delete;
    ~Mujoco()
    {
        mj_deleteData(data);
        mj_deleteModel(model);
    }

    void visit(int parent)
    {
        for (int i = 0; i < scene.nlink; i++) {
            if (scene.links[i].parent != parent) continue;
            if (scene.links[i].axis != BENCH_FREE) order.push_back(i - (scene.nlink - scene.nhinge));
            visit(i);
        }
    }

    void evaluate(const double *q, const double *v, double *dv)
    {
        if (first_q) {
            std::copy(model->qpos0, model->qpos0 + 7, data->qpos);
            std::fill(data->qvel, data->qvel + 6, 0.0);
        }
        for (int i = 0; i < scene.nhinge; i++) {
            data->qpos[first_q + i] = q[order[size_t(i)]];
            data->qvel[first_v + i] = v[order[size_t(i)]];
        }
        mj_forward(model, data);
        for (int i = 0; i < scene.nhinge; i++) dv[order[size_t(i)]] = data->qacc[first_v + i];
    }

    void pendulum(int integrator, double dt, double *q)
    {
        model->opt.integrator = integrator;
        model->opt.timestep = dt;
        mj_resetData(model, data);
        for (long k = std::lround(10/dt); k > 0; k--) mj_step(model, data);
        q[0] = data->qpos[0], q[1] = data->qpos[1];
    }
};

int main()
{
    bench::time_all_forward<Mujoco>("mujoco");
    BenchScene scene = bench_scene_pendulum();
    Mujoco engine(scene);
    for (double dt : { 1e-2, 1e-3, 1e-4 }) bench::time_pendulum("mujoco", "own-rk4", dt, [&](double h, double *q) { engine.pendulum(mjINT_RK4, h, q); });
    for (double dt : { 1e-2, 1e-3, 1e-4 }) bench::time_pendulum("mujoco", "own-euler", dt, [&](double h, double *q) { engine.pendulum(mjINT_EULER, h, q); });
    bench::time_our_integrators("mujoco", engine);
    std::free(scene.links);
}
