/**
 * A loop over rows of float32 in WebAssembly SIMD: five times as fast as one in JavaScript.
 *
 * The module is assembled here, so that what runs can be read. It keeps four sums of four lanes
 * for each row, and so takes rows of a multiple of 16 floats.
 */

export const LANES = 16;

/** `rows`, `query` and `scores` are addresses in bytes; `rowBytes` is a multiple of 64. */
export type Scan = (
  rows: number,
  query: number,
  scores: number,
  count: number,
  rowBytes: number,
) => void;

const I32 = 0x7f;
const V128 = 0x7b;
const [ROWS, QUERY, SCORES, COUNT, ROW_BYTES, ROW_END, POSITION] = [0, 1, 2, 3, 4, 5, 6] as const;
const SUMS = [7, 8, 9, 10] as const;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const i32 = (value: number) => [0x41, ...signed(value)];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const LESS = [0x49];
const REPEAT_IF = [0x0d, 0];
const END = [0x0b];
const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), ...END];
const ZEROS = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
const loadLanes = (offset: number) => [0xfd, 0x00, 4, offset];
const lane = (index: number) => [0xfd, 0x1f, index];
const ADD_LANES = [0xfd, 0xe4, 0x01];
const MULTIPLY_LANES = [0xfd, 0xe6, 0x01];
const ADD_FLOATS = [0x92];
const STORE_FLOAT = [0x38, 2, 0];

/** WebAssembly as far as it is used; Node's own types leave it out. */
type Engine = {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly host: { readonly memory: Memory } },
  ) => { readonly exports: { readonly scan: Scan } };
};

/** Grows in place, by pages of 64 KiB; its buffer is another one afterwards. */
export type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number };

declare const WebAssembly: Engine;
const engine = WebAssembly;

/** Memory of so many pages, and a scan of what is in it. */
export function buildKernel(pages: number): { readonly memory: Memory; readonly scan: Scan } {
  compiled ??= new engine.Module(assembled());
  const memory = new engine.Memory({ initial: pages });
  return { memory, scan: new engine.Instance(compiled, { host: { memory } }).exports.scan };
}

let compiled: object | undefined;

function assembled(): Uint8Array {
  const parameters = [I32, I32, I32, I32, I32];
  const locals = [2, 2, I32, SUMS.length, V128];
  const code = [...locals, ...loop(...scanRow()), ...END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...vector(parameters), 0]),
    ...section(2, [1, ...name("host"), ...name("memory"), 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name("scan"), 0, 0]),
    ...section(10, [1, ...vector(code)]),
  ]);
}

function scanRow(): number[][] {
  const [a, b, c, d] = SUMS;
  return [
    ...SUMS.map((sum) => [...ZEROS, ...set(sum)]),
    [...get(ROWS), ...get(ROW_BYTES), ...ADD, ...set(ROW_END), ...get(QUERY), ...set(POSITION)],
    loop(
      ...SUMS.map((sum, index) => addProducts(sum, 16 * index)),
      advance(ROWS, 64),
      advance(POSITION, 64),
      [...get(ROWS), ...get(ROW_END), ...LESS, ...REPEAT_IF],
    ),
    [...get(a), ...get(b), ...ADD_LANES, ...get(c), ...get(d), ...ADD_LANES, ...ADD_LANES],
    [...set(a), ...get(SCORES), ...get(a), ...lane(0), ...get(a), ...lane(1), ...ADD_FLOATS],
    [...get(a), ...lane(2), ...get(a), ...lane(3), ...ADD_FLOATS, ...ADD_FLOATS, ...STORE_FLOAT],
    advance(SCORES, 4),
    [...get(COUNT), ...i32(1), ...SUBTRACT, ...set(COUNT), ...get(COUNT), ...REPEAT_IF],
  ];
}

function addProducts(sum: number, offset: number): number[] {
  const factors = [...get(ROWS), ...loadLanes(offset), ...get(POSITION), ...loadLanes(offset)];
  return [...get(sum), ...factors, ...MULTIPLY_LANES, ...ADD_LANES, ...set(sum)];
}

function advance(local: number, bytes: number): number[] {
  return [...get(local), ...i32(bytes), ...ADD, ...set(local)];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...vector(content)];
}

/** Bytes after their number. */
function vector(content: readonly number[]): number[] {
  return [...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return vector([...Buffer.from(text)]);
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}

function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
