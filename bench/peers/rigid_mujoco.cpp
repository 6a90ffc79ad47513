// MuJoCo: the ellipsoid of rigid.h, with elliptic cones of friction.
#include <mujoco/mujoco.h>

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "../rigid.h"

static std::string triple(double x, double y, double z)
{
    char text[100];
    std::snprintf(text, sizeof text, "'%.17g %.17g %.17g'", x, y, z);
    return text;
}

static mjModel *load()
{
    std::string contact = "friction=" + triple(egg_friction, 0, 0) + " condim='3'";
    std::string xml = "<mujoco><compiler boundmass='0' boundinertia='0'/><option cone='elliptic' gravity=" + triple(0, 0, -rigid_gravity) + "/><worldbody>"
        "<geom type='plane' size='0 0 1' " + contact + "/><body pos=" + triple(0, 0, egg_axes[2]) + "><freejoint/>"
        "<inertial pos='0 0 0' mass='" + std::to_string(egg_mass) + "' diaginertia=" + triple(egg_inertia(0), egg_inertia(1), egg_inertia(2)) + "/>"
        "<geom type='ellipsoid' size=" + triple(egg_axes[0], egg_axes[1], egg_axes[2]) + " " + contact + "/></body></worldbody></mujoco>";
    char path[] = "/tmp/rigid-XXXXXX", why[1000] = "";
    int file = mkstemp(path);
    if (file < 0 || write(file, xml.data(), xml.size()) != ssize_t(xml.size())) std::perror(path), std::exit(1);
    close(file);
    mjModel *model = mj_loadXML(path, nullptr, why, sizeof why);
    unlink(path);
    if (!model) std::fprintf(stderr, "mujoco: %s\n", why), std::exit(1);
    return model;
}

struct Egg {
    mjModel *model;
    mjData *data;
};

static double rise(void *user, double dt, void *notes)
{
    Egg *e = static_cast<Egg *>(user);
    e->model->opt.timestep = dt;
    mj_resetData(e->model, e->data);
    for (int i = 0; i < 3; i++) {
        e->data->qvel[i] = egg_velocity[i];
        e->data->qvel[3 + i] = egg_spin[i];
    }
    double begin = rigid_seconds();
    for (long k = 1, n = std::lround(egg_end/dt); k <= n; k++) {
        mj_step(e->model, e->data);
        egg_note(notes, egg_end*double(k)/double(n), e->data->qpos[2], e->data->qvel[2]);
    }
    return rigid_seconds() - begin;
}

int main()
{
    Egg egg = { load(), nullptr };
    egg.data = mj_makeData(egg.model);
    egg_row("mujoco", "euler,dt", 2e-3, rise, &egg);
    egg_row("mujoco", "euler,dt", 2e-4, rise, &egg);
    egg.model->opt.integrator = mjINT_RK4;
    egg_row("mujoco", "rk4,dt", 2e-3, rise, &egg);
    mj_deleteData(egg.data);
    mj_deleteModel(egg.model);
}
