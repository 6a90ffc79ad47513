// ground.js -- a half-space, drawn as its surface with a metric grid.
//
// The surface has no end, the picture of it has: a disc that follows the camera's target and fades out towards its
// rim, with grid lines computed from the coordinates of the surface so that they stay in place. From below it is
// nearly clear, so that a wall does not hide what happens in front of it.

import { Color, Mesh, MeshLambertMaterial, PlaneGeometry, Vector3 } from 'three';

const PLANE = new PlaneGeometry(2, 2);

export function makeGround() {
  const uniforms = {
    uCentre: { value: new Vector3() },
    uScale: { value: 1 },
    uStep: { value: 0.1 },
    uFine: { value: 1 },
    uLine: { value: new Color() },
  };
  const mesh = new Mesh(PLANE, gridMaterial(uniforms));
  mesh.receiveShadow = true;
  mesh.renderOrder = -1;
  mesh.frustumCulled = false;
  return { mesh, uniforms };
}

function gridMaterial(uniforms) {
  // In one pass: in two, the one for the far side turns gl_FrontFacing round.
  const material = new MeshLambertMaterial({ transparent: true, side: 2, depthWrite: false, forceSinglePass: true });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>
        uniform vec3 uCentre; uniform float uScale; varying vec2 vGrid; varying vec2 vDisc;`)
      .replace('#include <begin_vertex>', `#include <begin_vertex>
        vDisc = position.xy; vGrid = position.xy*uScale + uCentre.xy;`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>
        uniform float uStep; uniform float uFine; uniform vec3 uLine; varying vec2 vGrid; varying vec2 vDisc;
        float gridLine(float spacing) {
          vec2 x = vGrid/spacing;
          vec2 w = fwidth(x);
          vec2 d = abs(fract(x - 0.5) - 0.5)/max(w, vec2(1e-9));
          float line = 1.0 - min(min(d.x, d.y), 1.0);
          return line*(1.0 - smoothstep(0.15, 0.5, max(w.x, w.y)));   // lines closer than a few pixels only shimmer
        }`)
      .replace('#include <color_fragment>', `#include <color_fragment>
        float lines = max(0.3*uFine*gridLine(uStep), 0.55*gridLine(10.0*uStep));
        diffuseColor.rgb = mix(diffuseColor.rgb, uLine, lines);
        diffuseColor.a *= 1.0 - smoothstep(0.25, 1.0, length(vDisc));
        if (!gl_FrontFacing) diffuseColor.a *= 0.15;`);
  };
  return material;
}

const local = new Vector3();

// Called before each picture: put the disc under the camera's target, choose the grid for the distance.
export function updateGround(ground, target, distance, radius) {
  const { mesh, uniforms } = ground;
  local.copy(target);
  mesh.parent.worldToLocal(local);
  const scale = 5*distance + 2*radius;
  mesh.position.set(local.x, local.y, 0);
  mesh.scale.set(scale, scale, 1);
  uniforms.uCentre.value.copy(mesh.position);
  uniforms.uScale.value = scale;
  const grid = gridFor(distance);
  uniforms.uStep.value = grid.step;
  uniforms.uFine.value = grid.fine;
}

// Fine lines a power of ten apart; they fade as the camera leaves, until the coarse ones take their place.
export function gridFor(distance) {
  const level = Math.log10(0.6*distance);
  const floor = Math.floor(level);
  return { step: 10**(floor - 1), fine: 1 - (level - floor) };
}
