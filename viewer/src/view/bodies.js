// bodies.js -- meshes of the bodies. One row per shape kind in MAKERS; surfaces with edges come from shapes.js.

import {
  CanvasTexture, DoubleSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshStandardMaterial, SphereGeometry, SRGBColorSpace,
} from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { orientationAt, positionAt } from '../tracks.js';
import { makeGround } from './ground.js';
import { shapeGeometry } from './shapes.js';

// Poles on the body's z axis. A thousand fine spheres are ten million triangles; then they are small on the screen.
const FINE_SPHERE = new SphereGeometry(1, 64, 40).rotateX(Math.PI/2);
const COARSE_SPHERE = new SphereGeometry(1, 24, 16).rotateX(Math.PI/2);
const MOST_FINE = 60;

const EDGES = 16; // drawn after patches (pressure.js), so that one sees on which side of a body these are

const MAKERS = {
  'sphere': (shape, look) => solid(look.sphere, roundMaterial(look), [shape.size[0], shape.size[0], shape.size[0]]),
  'ellipsoid': (shape, look) => solid(look.sphere, roundMaterial(look), shape.size),
  'box': surfaced, 'cylinder': surfaced, 'cone': surfaced, 'capsule': surfaced, 'torus': surfaced, 'polytope': surfaced, 'mesh': surfaced,
  'half-space': (_shape, look) => {
    const ground = makeGround();
    look.grounds.push(ground);
    return ground.mesh;
  },
};

// Returns { group, bodies: [{ group, track }], grounds, standIns, dispose }; standIns: frames of shapes that touch in place of meshes.
export function makeBodies(tracks, colours) {
  const group = new Group();
  const grounds = [];
  const materials = [];
  const geometries = [];
  const standIns = [];
  const stripes = stripeTexture();
  const sphere = tracks.length <= MOST_FINE ? FINE_SPHERE : COARSE_SPHERE;
  const bodies = tracks.map((track, i) => {
    const look = { colour: colours[i], grounds, materials, geometries, stripes, sphere };
    const body = new Group();
    for (const shape of track.body.shapes) {
      const frame = placed(shape, look);
      body.add(frame);
      if (shape.stands_for !== undefined) standIns.push(frame);
    }
    if (track.body.shapes.length === 0 && track.body.points.length > 0) body.add(sticks(track.body, look));
    group.add(body);
    return { group: body, track };
  });
  const dispose = () => {
    stripes.dispose();
    for (const m of materials) m.dispose();
    for (const g of geometries) g.dispose();
    for (const g of grounds) g.mesh.material.dispose();
  };
  return { group, bodies, grounds, materials, standIns, dispose };
}

export function poseBodies(bodies, at) {
  for (const { group, track } of bodies.bodies) {
    const [w, x, y, z] = orientationAt(track, at);
    group.position.fromArray(positionAt(track, at));
    group.quaternion.set(x, y, z, w);
  }
}

// The shape's frame in the body frame; the maker's own scaling is inside it.
function placed(shape, look) {
  const frame = new Group();
  const make = shape.stands_for === undefined ? MAKERS[shape.kind] : standIn;
  const mesh = make?.(shape, look);
  if (mesh) frame.add(mesh);
  const r = shape.rotation;
  if (r) frame.quaternion.setFromRotationMatrix(new Matrix4().set(...r[0], 0, ...r[1], 0, ...r[2], 0, 0, 0, 0, 1));
  if (shape.position) frame.position.fromArray(shape.position);
  return frame;
}

// A body without shapes: bars from its centre of mass to where joints and springs hold it.
function sticks({ com, points }, look) {
  const centre = com?.length === 3 ? com : [0, 0, 0];
  const geometry = new LineSegmentsGeometry().setPositions(points.flatMap((p) => [...centre, ...p]));
  const material = new LineMaterial({ color: look.colour, linewidth: 5 });
  look.materials.push(material);
  look.geometries.push(geometry);
  const lines = new LineSegments2(geometry, material);
  lines.frustumCulled = false;
  return lines;
}

function solid(geometry, material, size = [1, 1, 1]) {
  const mesh = new Mesh(geometry, material);
  mesh.scale.fromArray(size);
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

// Null for a shape whose numbers make no surface.
function surfaced(shape, look) {
  const geometry = shapeGeometry(shape);
  if (!geometry) return null;
  look.geometries.push(geometry.solid);
  const mesh = solid(geometry.solid, geometry.isTurned ? roundMaterial(look) : bodyMaterial(look, geometry.isOpen ? { side: DoubleSide } : {}));
  if (!geometry.edges) return mesh;
  look.geometries.push(geometry.edges);
  const edges = new LineSegments(geometry.edges, new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.35 }));
  edges.renderOrder = EDGES;
  mesh.add(edges);
  return mesh;
}

// A breath of what touches around what is seen; hidden unless asked for.
function standIn(shape, look) {
  const geometry = shapeGeometry(shape);
  if (!geometry) return null;
  const material = new MeshStandardMaterial({ color: look.colour, transparent: true, opacity: 0.22, depthWrite: false });
  const mesh = new Mesh(geometry.solid, material);
  look.geometries.push(geometry.solid);
  if (!geometry.edges) return mesh;
  look.geometries.push(geometry.edges);
  mesh.add(new LineSegments(geometry.edges, new LineBasicMaterial({ color: look.colour })));
  return mesh;
}

function bodyMaterial(look, options = {}) {
  const material = new MeshStandardMaterial({ color: look.colour, roughness: 0.55, metalness: 0.05, ...options });
  look.materials.push(material);
  return material;
}

function roundMaterial(look) {
  return bodyMaterial(look, { map: look.stripes });
}

// Without a pattern a rolling ball or cylinder looks like a sliding one. Sectors of two shades, opposite above and below the
// equator, show a rotation about any axis; it is grey and multiplied by the body's colour.
function stripeTexture() {
  const canvas = document.createElement('canvas');
  canvas.width = 512;
  canvas.height = 256;
  const draw = canvas.getContext('2d');
  for (let sector = 0; sector < 8; sector++) {
    for (let half = 0; half < 2; half++) {
      draw.fillStyle = (sector + half) % 2 ? '#c2c2c2' : '#ffffff';
      draw.fillRect(sector*64, half*128, 64, 128);
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}
