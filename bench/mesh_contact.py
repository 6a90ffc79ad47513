#!/usr/bin/env python3
"""Contact of two balls that are meshes, by Drake's hydroelastic contact and MuJoCo: the peers of bench_mesh_contact.c. Run by mesh_contact.sh.

    mesh_contact.py FOLDER     meshes and poses as bench_mesh_contact left them

Rows as there: way, depth over radius, triangles, error (root mean square, worst), sideways, us, seconds to make. Of MuJoCo, whose force is not a function of the overlap,
the error is that of the depth of the deepest contact, and sideways the angle of its normal in radians.
"""
import builtins
import math
import os
import sys
import time

R = 0.1
DEPTHS = (0.02, 0.1)
SIDES = (8, 16, 32, 64)
ROUNDS = 5


def poses_of(folder):
    with open(os.path.join(folder, "poses.txt"), encoding="ascii") as file:
        return [[float(x) for x in line.split()] for line in file]


def least_time(call):
    best = math.inf
    for _ in range(ROUNDS):
        before = time.process_time()
        result = call()
        best = builtins.min(best, time.process_time() - before)
    return result, best


def row(way, depth, n, off, aside, times, made):
    rms = [math.sqrt(sum(x*x for x in values)/len(values)) for values in (off, aside)]
    print(f"{way} {depth:g} {12*n*n} {rms[0]:.6f} {builtins.max(abs(x) for x in off):.6f} {rms[1]:.6f} "
          f"{1e6*sorted(times)[len(times)//2]:.3f} {made:.3f}", flush=True)


# --- Drake: balls of tetrahedra, all of which meet in the middle; pressure 0 at the surface, E there ---

def drake_exact(depth):
    """Two such fields of exact balls balance in the plane between them: integral of 1 - r/R over the disc."""
    n, a = 20000, R - 0.5*depth*R
    end = math.sqrt(R*R - a*a)
    return sum((1 - math.hypot(a, end*(i + 0.5)/n)/R)*2*math.pi*end*(i + 0.5)/n for i in range(n))*end/n


def drake_scene(folder, n):
    from pydrake import all as drake
    properties = drake.ProximityProperties()
    drake.AddCompliantHydroelasticProperties(0.01, 1.0, properties)
    drake.AddContactMaterial(0.0, None, drake.CoulombFriction(0.0, 0.0), properties)
    builder = drake.DiagramBuilder()
    plant, scene = drake.AddMultibodyPlantSceneGraph(builder, 0.001)
    mesh = drake.Mesh(os.path.join(folder, f"ball-{n}.obj"))
    bodies = []
    for name in ("a", "b"):
        body = plant.AddRigidBody(name, drake.SpatialInertia.SolidSphereWithMass(1.0, R))
        plant.RegisterCollisionGeometry(body, drake.RigidTransform(), mesh, name, properties)
        bodies.append(body)
    plant.Finalize()
    diagram = builder.Build()
    return drake, plant, scene, bodies, diagram, diagram.CreateDefaultContext()


def drake_force(surface):
    field, force = surface.poly_e_MN(), 0.0
    for i in range(surface.num_faces()):
        force = force + surface.area(i)*field.EvaluateCartesian(i, surface.centroid(i))*surface.face_normal(i)
    return force


def drake_rows(folder):
    import numpy
    for n in SIDES:
        before = time.process_time()
        drake, plant, scene, bodies, _diagram, context = drake_scene(folder, n)
        made = time.process_time() - before
        at = plant.GetMyMutableContextFromRoot(context), scene.GetMyContextFromRoot(context)
        way = drake.HydroelasticContactRepresentation.kPolygon
        for depth in DEPTHS:
            exact, off, aside, times = drake_exact(depth), [], [], []
            for pose in poses_of(folder):
                u = numpy.array(pose[8:11])
                plant.SetFreeBodyPose(at[0], bodies[0], drake.RigidTransform(drake.Quaternion(pose[0:4]), [0, 0, 0]))
                plant.SetFreeBodyPose(at[0], bodies[1],
                                      drake.RigidTransform(drake.Quaternion(pose[4:8]), u*R*(2 - depth)))
                query = scene.get_query_output_port().Eval(at[1])
                surfaces, spent = least_time(lambda query=query: query.ComputeContactSurfaces(way))
                force = drake_force(surfaces[0])
                along = force @ u
                off.append(abs(along)/exact - 1)
                aside.append(numpy.linalg.norm(force - along*u)/exact)
                times.append(spent)
            row("drake", depth, n, off, aside, times, made)


# --- MuJoCo: meshes are their convex hulls, sdf a field of distances ---

def mujoco_rows(folder):
    import mujoco
    for n in SIDES:
        for kind in ("mesh", "sdf"):
            before = time.process_time()
            model = mujoco.MjModel.from_xml_string(
                f'<mujoco><asset><mesh name="m" file="{os.path.abspath(folder)}/ball-{n}.obj"/></asset><worldbody>'
                f'<body mocap="true"><geom type="{kind}" mesh="m"/></body>'
                f'<body><freejoint/><geom type="{kind}" mesh="m"/></body></worldbody></mujoco>')
            made = time.process_time() - before
            data = mujoco.MjData(model)
            for depth in DEPTHS:
                off, aside, times = [], [], []
                for pose in poses_of(folder):
                    u = pose[8:11]
                    data.mocap_quat[0] = pose[0:4]
                    data.qpos[0:3] = [x*R*(2 - depth) for x in u]
                    data.qpos[3:7] = pose[4:8]
                    mujoco.mj_kinematics(model, data)
                    mujoco.mj_comPos(model, data)
                    _, spent = least_time(lambda model=model, data=data: mujoco.mj_collision(model, data))
                    deepest = builtins.min(range(data.ncon), key=lambda i, data=data: data.contact.dist[i])
                    normal = data.contact.frame[deepest][:3]
                    off.append(-data.contact.dist[deepest]/(depth*R) - 1)
                    aside.append(math.acos(builtins.min(1.0, abs(sum(x*y for x, y in zip(normal, u))))))
                    times.append(spent)
                row(f"mujoco-{kind}", depth, n, off, aside, times, made)


def main():
    for name, rows in (("drake", drake_rows), ("mujoco", mujoco_rows)):
        try:
            rows(sys.argv[1])
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)


main()
