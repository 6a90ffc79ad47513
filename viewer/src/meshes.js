// meshes.js -- meshes of the head: packed text becomes points and triangles. Format: docs/results-format.md.
//
// Never throws: a mesh that is damaged, or of a later version, is null and not drawn.

// { low, high, isClosed, positions, triangles }; positions and triangles are null where the file has only the box.
export function unpackMesh(packed) {
  try {
    const { low, high } = packed;
    if (![low, high].every((p) => p?.length === 3 && p.every(Number.isFinite))) return null;
    const box = { low, high, isClosed: packed.closed === true };
    if (packed.vertices === undefined) return { ...box, positions: null, triangles: null };
    const positions = floatsOf(bytesOf(packed.vertices));
    const triangles = indicesOf(bytesOf(packed.triangles), packed.triangle_count);
    return isGood(positions, triangles) ? { ...box, positions, triangles } : null;
  } catch {
    return null;
  }
}

export function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Little-endian in the file, whatever the machine is.
function floatsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const floats = new Float32Array(bytes.length/4);
  for (let i = 0; i < floats.length; i++) floats[i] = view.getFloat32(4*i, true);
  return floats;
}

// Two bytes each where that is enough for all vertices, else four.
function indicesOf(bytes, triangleCount) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isShort = bytes.length === 6*triangleCount;
  const indices = new Uint32Array(bytes.length/(isShort ? 2 : 4));
  for (let i = 0; i < indices.length; i++) indices[i] = isShort ? view.getUint16(2*i, true) : view.getUint32(4*i, true);
  return indices;
}

function isGood(positions, triangles) {
  const n = positions.length/3;
  return Number.isInteger(n) && triangles.length > 0 && triangles.length%3 === 0 && positions.every(Number.isFinite) && triangles.every((v) => v < n);
}
