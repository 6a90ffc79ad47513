#!/usr/bin/env python3
"""Measured tosses of a cube beside simulated ones: carom, MuJoCo and Bullet (bench/README.md, "Tosses of a cube"). Run by tosses.sh.

    tosses.py                    tables, with the parameters in tosses_fit.json
    tosses.py --fit              finds these parameters first, and writes them
    tosses.py --sensitivity      also: other stiffnesses, step sizes and tolerances; recordings as they are
    tosses.py --engines a,b      only some of: carom, mujoco, bullet

Needs nothing but Python for carom; `mujoco` and `pybullet` for the peers, which are left out where they cannot be imported.
"""
import argparse
import contextlib
import json
import math
import os
import random
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(HERE, "data", "cube-tosses", "tosses.csv")
FIT = os.path.join(HERE, "tosses_fit.json")
BUILD = os.path.join(HERE, "..", "build")

HALF_WIDTH = 0.0524  # [m]
WIDTH = 2*HALF_WIDTH
MASS = 0.37          # [kg]
INERTIA = 0.00081    # [kg m^2] about each axis
GRAVITY = 9.81       # [m/s^2]
DT = 1/148           # between samples [s]

# What the recordings say about themselves (bench/README.md): lengths are short, by 1 - 51.27/52.4 where the cube lies on the table and by 1 - 9.607/9.81
# where it falls; velocities are differences to the sample before, so half a sample old.
SCALE = 1.0215
TIMES = (0.1, 0.2, 0.3, 0.4, 0.5)  # of the tables [s]; all tosses last longer
DISTURBANCE = (0.01, 0.1)          # of the starts, one sigma [m/s], [rad/s]


# --- tosses ---

class Toss:
    """Samples (p, q), and the state (p, q, v, w) at the first: v in the world, w in the cube's frame."""

    def __init__(self, number, rows, is_corrected):
        scale, late = (SCALE, DT/2) if is_corrected else (1, 0)
        self.number = number
        self.samples = [([scale*x for x in row[0:3]], unit(row[3:7])) for row in rows]
        v = [scale*x for x in rows[0][7:10]]
        v[2] -= GRAVITY*late
        self.start = (*self.samples[0], v, list(rows[0][10:13]))

    def duration(self):
        return (len(self.samples) - 1)*DT


def unit(q):
    norm = math.sqrt(sum(x*x for x in q))
    return [x/norm for x in q]


def load(is_corrected=True):
    rows = {}
    with open(DATA, encoding="ascii") as file:
        next(file)
        for line in file:
            x = line.split(",")
            rows.setdefault(int(x[0]), []).append([float(a) for a in x[2:]])
    return [Toss(number, rows[number], is_corrected) for number in sorted(rows)]


def world_rate(q, w):
    """An angular velocity of the cube's frame, in the world: w + 2 qw (u x w) + 2 u x (u x w), q = (qw, u)."""
    s, u = q[0], q[1:]
    c = cross(u, w)
    d = cross(u, c)
    return [w[i] + 2*(s*c[i] + d[i]) for i in range(3)]


def cross(a, b):
    return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]


# --- errors: one measure for all ---

def relative(a, b):
    """conj(a) b"""
    return (a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3],
            a[0]*b[1] - a[1]*b[0] - a[2]*b[3] + a[3]*b[2],
            a[0]*b[2] - a[2]*b[0] - a[3]*b[1] + a[1]*b[3],
            a[0]*b[3] - a[3]*b[0] - a[1]*b[2] + a[2]*b[1])


def half_angle_sine(r):
    return min(1.0, math.sqrt(r[1]*r[1] + r[2]*r[2] + r[3]*r[3]))


def symmetric_angle(r):
    """The least angle over the 24 rotations that take a cube into itself: their quaternions have one, two equal or four equal parts."""
    a, b, c, d = sorted((abs(x) for x in r), reverse=True)
    return 2*math.acos(min(1.0, max(a, (a + b)*math.sqrt(0.5), (a + b + c + d)/2)))


def face_down(q):
    w, x, y, z = q
    up = (2*(x*z - w*y), 2*(y*z + w*x), 1 - 2*(x*x + y*y))  # the world's z in the cube's frame
    axis = max(range(3), key=lambda i: abs(up[i]))
    return axis, up[axis] > 0


class Errors:
    """Of one toss: position [m] and angle [rad] at each sample; at the last also the angle modulo the cube's symmetry, and whether it lies on the right face.
    corners: root mean square of the distances of the eight corners from where they were measured, sqrt(dp^2 + 8 h^2 sin^2(angle/2)), mean over the samples.
    Where a simulation stopped its last pose counts."""

    def __init__(self, measured, simulated):
        self.position, self.angle, corners = [], [], 0.0
        for i, (p, q) in enumerate(measured):
            sp, sq = simulated[min(i, len(simulated) - 1)]
            r = relative(q, sq)
            dp = math.dist(p, sp)
            s = half_angle_sine(r)
            self.position.append(dp)
            self.angle.append(2*math.asin(s))
            corners += math.sqrt(dp*dp + 8*HALF_WIDTH**2*s*s)
        self.corners = corners/len(measured)
        self.symmetric = symmetric_angle(r)
        self.is_right_face = face_down(q) == face_down(sq)


class Outcome:
    def __init__(self, tosses, tracks, seconds):
        self.errors = [Errors(t.samples, track) for t, track in zip(tosses, tracks)]
        self.cpu = seconds/sum(t.duration() for t in tosses)  # [s/s]
        self.stopped = sum(len(track) < len(t.samples) for t, track in zip(tosses, tracks))


def mean(values):
    values = list(values)
    return sum(values)/len(values)


def median(values):
    values = sorted(values)
    n = len(values)
    return values[n//2] if n % 2 else (values[n//2 - 1] + values[n//2])/2


def standard_error(values):
    values = list(values)
    m = mean(values)
    return math.sqrt(sum((x - m)**2 for x in values)/(len(values) - 1)/len(values))


# --- engines: simulate(parameters, tosses) gives the poses at the samples of each toss, and CPU seconds ---

class Carom:
    name = "carom"
    names = ("e", "mu")
    grid = ((0.05, 0.15, 0.3, 0.5), (0.08, 0.14, 0.2, 0.3))
    lower, upper = (0.01, 0.01), (0.95, 1.0)

    def __init__(self, k_red=100, tolerance=1e-4):
        self.k_red, self.tolerance = k_red, tolerance
        self.program = os.path.join(BUILD, "release", "bench", "bench_tosses")
        self.version = "compliant, k_red %g, tolerance %g" % (k_red, tolerance)
        if not os.path.exists(self.program):
            raise ImportError("build it first: " + self.program)

    def simulate(self, parameters, tosses):
        starts = ""
        for t in tosses:
            numbers = [x for part in t.start for x in part]
            starts += "%d %d %.17g %s\n" % (t.number, len(t.samples), DT, " ".join("%.12g" % x for x in numbers))
        command = [self.program] + ["%.9g" % x for x in (*parameters, self.k_red, self.tolerance)]
        tracks, seconds = [], 0.0
        for line in subprocess.run(command, check=True, stdout=subprocess.PIPE, input=starts, text=True).stdout.splitlines():
            x = line.split()
            if x[0] == "toss":
                tracks.append([])
                seconds += float(x[3])
            else:
                x = [float(a) for a in x]
                tracks[-1].append((x[:3], x[3:]))
        return [track or [t.start[:2]] for track, t in zip(tracks, tosses)], seconds  # empty: it could not start


class Mujoco:
    """Its contacts have no restitution: a damping ratio below 1 makes them bounce. Their time constant is a stiffness, so a third parameter."""
    name = "mujoco"
    names = ("damping ratio", "mu", "time constant")
    grid = ((0.2, 0.4, 0.7, 1.0), (0.08, 0.14, 0.2, 0.3), (0.01,))
    lower, upper = (0.02, 0.01, 0.0021), (3.0, 1.0, 0.1)

    def __init__(self, substeps=8):
        import mujoco
        self.api, self.substeps = mujoco, substeps
        self.version = "%s, step %.2f ms" % (mujoco.__version__, 1e3*DT/substeps)
        self.model = mujoco.MjModel.from_xml_string("""
            <mujoco>
              <option timestep="%.17g" gravity="0 0 %g" cone="elliptic"/>
              <worldbody>
                <geom type="plane" size="10 10 1" condim="3"/>
                <body>
                  <freejoint/>
                  <inertial pos="0 0 0" mass="%g" diaginertia="%g %g %g"/>
                  <geom type="box" size="%g %g %g" condim="3"/>
                </body>
              </worldbody>
            </mujoco>""" % (DT/substeps, -GRAVITY, MASS, INERTIA, INERTIA, INERTIA, HALF_WIDTH, HALF_WIDTH, HALF_WIDTH))
        self.data = mujoco.MjData(self.model)

    def simulate(self, parameters, tosses):
        damping, mu, constant = parameters
        self.model.geom_solref[:] = constant, damping
        self.model.geom_friction[:, 0] = mu
        begin = time.process_time()
        return [self.track(t) for t in tosses], time.process_time() - begin

    def track(self, toss):
        model, data = self.model, self.data
        self.api.mj_resetData(model, data)
        p, q, v, w = toss.start
        data.qpos[:] = p + q
        data.qvel[:] = v + w
        track = [(p, q)]
        for _ in toss.samples[1:]:
            self.api.mj_step(model, data, self.substeps)
            pose = data.qpos.tolist()
            track.append((pose[:3], pose[3:]))
        return track


@contextlib.contextmanager
def no_stderr():
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


class Bullet:
    """A btMultiBody, as its Python interface makes them unless told otherwise. With useMaximalCoordinates (btRigidBody) errors are 4/3 as large."""
    name = "bullet"
    names = ("e", "mu")
    grid = Carom.grid
    lower, upper = Carom.lower, Carom.upper

    def __init__(self, substeps=8):
        import importlib.metadata
        with no_stderr():  # it tells when it was built
            import pybullet
        self.api, self.substeps = pybullet, substeps
        self.version = "pybullet %s, step %.2f ms" % (importlib.metadata.version("pybullet"), 1e3*DT/substeps)
        if not pybullet.isConnected():
            pybullet.connect(pybullet.DIRECT)

    # Everything anew for each toss: contacts and impulses of the last one would be remembered.
    def set_up(self, toss, e, mu):
        api = self.api
        api.resetSimulation()
        api.setGravity(0, 0, -GRAVITY)
        api.setPhysicsEngineParameter(fixedTimeStep=DT, numSubSteps=self.substeps, deterministicOverlappingPairs=1)
        table = api.createMultiBody(0, api.createCollisionShape(api.GEOM_BOX, halfExtents=[10, 10, 1]), basePosition=[0, 0, -1])
        p, q, v, w = toss.start
        shape = api.createCollisionShape(api.GEOM_BOX, halfExtents=[HALF_WIDTH]*3)
        cube = api.createMultiBody(MASS, shape, basePosition=p, baseOrientation=q[1:] + q[:1])
        api.changeDynamics(table, -1, restitution=1, lateralFriction=1)
        api.changeDynamics(cube, -1, mass=MASS, restitution=e, lateralFriction=mu, rollingFriction=0, spinningFriction=0, linearDamping=0, angularDamping=0,
                           localInertiaDiagonal=[INERTIA]*3)
        api.resetBaseVelocity(cube, v, world_rate(q, w))
        return cube

    def simulate(self, parameters, tosses):
        tracks, seconds = [], 0.0
        for toss in tosses:
            cube = self.set_up(toss, *parameters)
            begin = time.process_time()
            track = [toss.start[:2]]
            for _ in toss.samples[1:]:
                self.api.stepSimulation()
                p, q = self.api.getBasePositionAndOrientation(cube)
                track.append((p, q[3:] + q[:3]))
            seconds += time.process_time() - begin
            tracks.append(track)
        return tracks, seconds


ENGINES = {engine.name: engine for engine in (Carom, Mujoco, Bullet)}


# --- fit: the same procedure for all ---

class Search:
    """Least mean of the corners' error over some tosses: a grid, then Nelder and Mead's simplex from its best point, in logarithms of the parameters."""

    def __init__(self, engine, tosses, budget):
        self.engine, self.tosses, self.left = engine, tosses, budget
        self.best = (math.inf, None)

    def cost(self, logarithms):
        x = [min(max(math.exp(a), low), high) for a, low, high in zip(logarithms, self.engine.lower, self.engine.upper)]
        self.left -= 1
        value = mean(e.corners for e in Outcome(self.tosses, *self.engine.simulate(x, self.tosses)).errors)
        if value < self.best[0]:
            self.best = (value, x)
            print("  %-7s %s  %.3f mm" % (self.engine.name, " ".join("%.4g" % a for a in x), 1e3*value), file=sys.stderr, flush=True)
        return value

    def run(self):
        points = [[]]
        for values in self.engine.grid:
            points = [p + [math.log(a)] for p in points for a in values]
        _, start = min((self.cost(p), p) for p in points)
        self.simplex([start] + [[a + (0.25 if i == j else 0) for j, a in enumerate(start)] for i in range(len(start))])
        return self.best

    def simplex(self, points):
        points = sorted((self.cost(p), p) for p in points)
        n = len(points) - 1
        while self.left > 0:
            centre = [mean(p[1][j] for p in points[:-1]) for j in range(n)]

            def along(step):
                p = [c + step*(c - a) for c, a in zip(centre, points[-1][1])]
                return self.cost(p), p
            trial = along(1.0)
            if trial[0] < points[0][0]:
                trial = min(trial, along(2.0))
            elif trial[0] >= points[-2][0]:
                trial = min(trial, along(0.5) if trial[0] < points[-1][0] else along(-0.5))
            if trial[0] < points[-1][0]:
                points[-1] = trial
            else:
                shrunk = [[(a + b)/2 for a, b in zip(points[0][1], p[1])] for p in points[1:]]
                points[1:] = [(self.cost(p), p) for p in shrunk]
            points.sort()


# --- tables ---

def print_parameters(rows):
    print("\nparameters")
    for engine, parameters in rows:
        print("  %-8s %s   (%s)" % (engine.name, ", ".join("%s %.4g" % x for x in zip(engine.names, parameters)), engine.version))


def print_over_time(rows, title, get, factor):
    print("\n%s, median / mean over the tosses" % title)
    print("  %-21s" % "" + "".join("%15s" % ("%.1f s" % t) for t in TIMES) + "%15s" % "at rest")
    for name, outcome in rows:
        cells = []
        for t in (*TIMES, None):
            values = [factor*get(e)[-1 if t is None else round(t/DT)] for e in outcome.errors]
            cells.append("%15s" % ("%.1f / %.1f" % (median(values), mean(values))))
        print("  %-21s" % name + "".join(cells))


def print_summary(rows):
    print("\nover a toss: mean over its samples, then over the tosses, +- standard error; at rest: median; CPU ms per simulated second")
    print("  %-21s %14s %14s %10s %14s %9s %10s %8s %8s %8s" % ("", "position mm", "angle deg", "widths", "corners mm", "rest mm", "rest deg", "mod 24", "face", "CPU ms"))
    for name, o in rows:
        position, angle, corners = [mean(e.position) for e in o.errors], [mean(e.angle) for e in o.errors], [e.corners for e in o.errors]
        print("  %-21s %14s %14s %10.3f %14s %9.1f %10.1f %8.2f %7.0f%% %8.1f%s" % (
            name, "%.2f +- %.2f" % (1e3*mean(position), 1e3*standard_error(position)),
            "%.2f +- %.2f" % (math.degrees(mean(angle)), math.degrees(standard_error(angle))), mean(position)/WIDTH,
            "%.2f +- %.2f" % (1e3*mean(corners), 1e3*standard_error(corners)),
            1e3*median(e.position[-1] for e in o.errors), math.degrees(median(e.angle[-1] for e in o.errors)),
            math.degrees(median(e.symmetric for e in o.errors)), 100*mean(e.is_right_face for e in o.errors), 1e3*o.cpu,
            "  %d stopped early" % o.stopped if o.stopped else ""))


def print_halves(rows):
    print("\ncorners, mean +- standard error [mm]: tosses of the fit, the others")
    for name, o in rows:
        halves = [[1e3*e.corners for e in o.errors[first::2]] for first in (0, 1)]
        print("  %-21s" % name + "".join("%16s" % ("%.2f +- %.2f" % (mean(half), standard_error(half))) for half in halves))


def print_pairs(rows):
    """Tosses differ far more than engines: differences toss by toss."""
    if len(rows) < 2:
        return
    print("\nmore error than %s, toss by toss: corners, mean +- standard error [mm], and in how many tosses: all, without those of the fit" % rows[0][0])
    for name, o in rows[1:]:
        more = [1e3*(b.corners - a.corners) for a, b in zip(rows[0][1].errors, o.errors)]
        cells = ["%.2f +- %.2f, %.0f%%" % (mean(x), standard_error(x), 100*mean(a > 0 for a in x)) for x in (more, more[1::2])]
        print("  %-21s" % name + "".join("%22s" % cell for cell in cells))


def disturbed(tosses):
    """How far the noise of the starts alone leads: the same starts with more of it."""
    generator = random.Random(1)
    copies = []
    for t in tosses:
        copy = Toss.__new__(Toss)
        copy.number, copy.samples = t.number, t.samples
        p, q, v, w = t.start
        copy.start = (p, q, [x + generator.gauss(0, DISTURBANCE[0]) for x in v], [x + generator.gauss(0, DISTURBANCE[1]) for x in w])
        copies.append(copy)
    return copies


def noise_row(engine, parameters, tosses, tracks):
    """Errors of the disturbed starts, with the simulation for the measurement."""
    moved, seconds = engine.simulate(parameters, disturbed(tosses))
    simulated = disturbed(tosses)
    for toss, track in zip(simulated, tracks):
        toss.samples = track
    return "(noise of starts)", Outcome(simulated, moved, seconds)


def sensitivity(fits, tosses):
    variants = [("carom", "k_red %g" % x, lambda x=x: Carom(k_red=x)) for x in (1, 10, 1000)]
    variants += [("carom", "tolerance %g" % x, lambda x=x: Carom(tolerance=x)) for x in (1e-3, 1e-7)]
    variants += [(name, "%d steps" % x, lambda name=name, x=x: ENGINES[name](substeps=x)) for name in ("mujoco", "bullet") for x in (4, 32)]
    rows = [(name + " " + title, Outcome(tosses, *make().simulate(fits[name], tosses))) for name, title, make in variants if name in fits]
    recorded = load(is_corrected=False)
    return rows + [(name + " as recorded", Outcome(recorded, *ENGINES[name]().simulate(fits[name], recorded))) for name in fits]


def read_fits():
    if not os.path.exists(FIT):
        return {}
    with open(FIT, encoding="ascii") as file:
        return json.load(file)


def write_fits(fits):
    with open(FIT, "w", encoding="ascii") as file:
        file.write("{\n" + ",\n".join(' "%s": %s' % (name, fits[name]) for name in fits) + "\n}\n")


def open_engines(names):
    engines = []
    for name in names:
        try:
            engines.append(ENGINES[name]())
        except ImportError as error:
            print("%s: left out (%s)" % (name, error))
    return engines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--budget", type=int, default=40, help="evaluations of a fit (default 40)")
    parser.add_argument("--sensitivity", action="store_true")
    parser.add_argument("--engines", default=",".join(ENGINES))
    options = parser.parse_args()
    fits, tosses = read_fits(), load()
    fitted = tosses[0::2]
    engines = open_engines(options.engines.split(","))
    if options.fit:
        for engine in engines:
            fits[engine.name] = [float("%.4g" % x) for x in Search(engine, fitted, options.budget).run()[1]]
            write_fits(fits)
    print("%d tosses, %.0f s; parameters found with the %d tosses of even rank" % (len(tosses), sum(t.duration() for t in tosses), len(fitted)))
    print_parameters([(engine, fits[engine.name]) for engine in engines])
    rows, noise = [], []
    for engine in engines:
        tracks, seconds = engine.simulate(fits[engine.name], tosses)
        rows.append((engine.name, Outcome(tosses, tracks, seconds)))
        if engine.name == "carom":
            noise.append(noise_row(engine, fits["carom"], tosses, tracks))
    print_over_time(rows + noise, "position error [mm]", lambda e: e.position, 1e3)
    print_over_time(rows + noise, "angle error [degrees]", lambda e: e.angle, math.degrees(1))
    print_summary(rows + noise)
    print_halves(rows)
    print_pairs(rows)
    if options.sensitivity:
        print("\nsensitivity, with the same parameters")
        print_summary(sensitivity({e.name: fits[e.name] for e in engines}, tosses))


if __name__ == "__main__":
    main()
