/**
 * HarfBuzz by its C interface: shaping (hb-shape) and cutting a font down to the glyphs used (hb-subset), both WebAssembly embedded as files.
 * The package's own JavaScript looks for its module beside itself on disk, where an executable in one file has nothing; hence this binding.
 * Knows glyphs and bytes, not lines or PDF.
 */
import shaperPath from 'harfbuzzjs/dist/harfbuzz.wasm' with { type: 'file' }
import subsetterPath from 'harfbuzzjs/dist/harfbuzz-subset.wasm' with { type: 'file' }
import { tagValue } from './sfnt.ts'

/** One placed glyph in font units; `cluster` is the UTF-16 index of the text it stands for. */
export interface ShapedGlyph {
  id: number
  cluster: number
  advance: number
  dx: number
  dy: number
}

/** A face inside the shaper: an address in its memory. */
export type FontHandle = number & { readonly brand: 'hb_font_t' }

export interface Shaper {
  open(font: Uint8Array): FontHandle
  /** Shapes `text[start, end)`; the rest of the text is context only. Glyphs come in visual order, left to right. `script`: ISO 15924. */
  shape(font: FontHandle, text: string, start: number, end: number, rtl: boolean, script: string | undefined): ShapedGlyph[]
  advanceOf(font: FontHandle, glyph: number): number
  /** The glyph of a code point, if there is one. */
  glyphOf(font: FontHandle, code: number): number | undefined
}

/** A face inside the subsetter: an address in its memory. */
export type FaceHandle = number & { readonly brand: 'hb_face_t' }

export interface Subsetter {
  open(font: Uint8Array): FaceHandle
  /** A TrueType font with only these glyphs, under their old numbers, and only the tables a PDF needs (ISO 32000-2 §9.9.1). */
  subset(face: FaceHandle, glyphs: Iterable<number>): Uint8Array
}

type Call = (...args: number[]) => number

interface Wasm {
  call(name: string, ...args: number[]): number
  memory: WebAssembly.Memory
  /** Copies bytes into fresh memory; the caller frees it or leaves it to HarfBuzz. */
  give(bytes: Uint8Array): number
}

async function instantiate(
  path: string,
  start: string,
  imports: (memory: () => WebAssembly.Memory) => WebAssembly.Imports,
): Promise<Wasm> {
  let memory: WebAssembly.Memory | undefined
  const memoryNow = () => {
    if (!memory) throw new Error('HarfBuzz asked for memory before it had any')
    return memory
  }
  const module = await WebAssembly.compile(await Bun.file(path).arrayBuffer())
  const instance = await WebAssembly.instantiate(module, imports(memoryNow))
  memory = instance.exports.memory as WebAssembly.Memory
  const call = (name: string, ...args: number[]) => (instance.exports[name] as Call)(...args)
  const give = (bytes: Uint8Array) => {
    const address = call('malloc', bytes.length || 1)
    if (address === 0) throw new Error('HarfBuzz is out of memory')
    new Uint8Array(memoryNow().buffer).set(bytes, address)
    return address
  }
  call(start)
  return { call, memory, give }
}

/** What the shaper's module asks of its surroundings: to grow, and to end. */
function shaperImports(memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const fail = () => {
    throw new Error('HarfBuzz ended itself')
  }
  const PAGE_BYTES = 65536
  return {
    wasi_snapshot_preview1: { proc_exit: fail },
    env: {
      _abort_js: fail,
      _emscripten_runtime_keepalive_clear: () => {},
      _setitimer_js: () => 0,
      emscripten_resize_heap(bytes: number) {
        const missing = Math.ceil(((bytes >>> 0) - memory().buffer.byteLength) / PAGE_BYTES)
        memory().grow(Math.max(missing, 16))
        return 1
      },
    },
  }
}

const LTR = 4
const RTL = 5
/** hb_buffer_cluster_level_t: letters together with their marks, or each by itself where it has a glyph of its own. */
const MONOTONE_GRAPHEMES = 0
const MONOTONE_CHARACTERS = 1
const HB_MEMORY_MODE_READONLY = 1
/** sizeof hb_glyph_info_t and hb_glyph_position_t. */
const RECORD_BYTES = 20

let shaper: Promise<Shaper> | undefined

/** The shaper of this process; its module is compiled at the first call. */
export function openShaper(): Promise<Shaper> {
  shaper ??= instantiate(shaperPath, '__wasm_call_ctors', shaperImports).then(shaperOver)
  return shaper
}

function shaperOver(wasm: Wasm): Shaper {
  const { call, give, memory } = wasm
  const buffer = call('hb_buffer_create')
  const length = give(new Uint8Array(4))
  const glyphs = (): ShapedGlyph[] => {
    const infos = call('hb_buffer_get_glyph_infos', buffer, length)
    const positions = call('hb_buffer_get_glyph_positions', buffer, 0)
    const view = new DataView(memory.buffer)
    return Array.from({ length: view.getUint32(length, true) }, (_, i) => {
      const [info, position] = [infos + i * RECORD_BYTES, positions + i * RECORD_BYTES]
      return {
        id: view.getUint32(info, true),
        cluster: view.getUint32(info + 8, true),
        advance: view.getInt32(position, true),
        dx: view.getInt32(position + 8, true),
        dy: view.getInt32(position + 12, true),
      }
    })
  }
  return {
    advanceOf: (font, glyph) => call('hb_font_get_glyph_h_advance', font, glyph),
    glyphOf(font, code) {
      const found = call('hb_font_get_nominal_glyph', font, code, length) !== 0
      return found ? new DataView(memory.buffer).getUint32(length, true) : undefined
    },
    open(font) {
      const blob = call('hb_blob_create', give(font), font.length, HB_MEMORY_MODE_READONLY, 0, 0)
      const face = call('hb_face_create', blob, 0)
      return call('hb_font_create', face) as FontHandle
    },
    shape(font, text, start, end, rtl, script) {
      const units = Buffer.from(text, 'utf16le')
      const address = give(units)
      call('hb_buffer_reset', buffer)
      call('hb_buffer_add_utf16', buffer, address, text.length, start, end - start)
      call('hb_buffer_set_direction', buffer, rtl ? RTL : LTR)
      call('hb_buffer_set_cluster_level', buffer, rtl ? MONOTONE_CHARACTERS : MONOTONE_GRAPHEMES)
      if (script) call('hb_buffer_set_script', buffer, tagValue(script))
      call('hb_buffer_guess_segment_properties', buffer)
      call('hb_shape', font, buffer, 0, 0)
      call('free', address)
      return glyphs()
    },
  }
}

/** hb_subset_flags_t: no hinting, old glyph numbers, the box for missing characters, no glyphs added for layout rules. */
const SUBSET_FLAGS = 0x1 | 0x2 | 0x40 | 0x200
/** hb_subset_sets_t. */
const DROP_TABLE_TAG = 3
/** Needed to shape or to name, not to draw glyphs by number. */
const NOT_FOR_PDF = ['GSUB', 'GPOS', 'GDEF', 'name', 'post', 'cmap', 'OS/2', 'STAT', 'meta', 'DSIG', 'gasp', 'kern']

let subsetter: Promise<Subsetter> | undefined

/** The subsetter of this process; its module is compiled at the first call. */
export function openSubsetter(): Promise<Subsetter> {
  subsetter ??= instantiate(subsetterPath, '_initialize', () => ({})).then(subsetterOver)
  return subsetter
}

function subsetterOver(wasm: Wasm): Subsetter {
  const { call, give, memory } = wasm
  return {
    open(font) {
      const blob = call('hb_blob_create', give(font), font.length, HB_MEMORY_MODE_READONLY, 0, 0)
      return call('hb_face_create', blob, 0) as FaceHandle
    },
    subset(whole, glyphs) {
      const input = call('hb_subset_input_create_or_fail')
      call('hb_subset_input_set_flags', input, SUBSET_FLAGS)
      const wanted = call('hb_subset_input_glyph_set', input)
      for (const glyph of glyphs) call('hb_set_add', wanted, glyph)
      const dropped = call('hb_subset_input_set', input, DROP_TABLE_TAG)
      for (const tag of NOT_FOR_PDF) call('hb_set_add', dropped, tagValue(tag))
      const face = call('hb_subset_or_fail', whole, input)
      call('hb_subset_input_destroy', input)
      if (face === 0) throw new Error('HarfBuzz could not cut the font down to its used glyphs')
      const blob = call('hb_face_reference_blob', face)
      const at = call('hb_blob_get_data', blob, 0)
      const cut = new Uint8Array(memory.buffer, at, call('hb_blob_get_length', blob)).slice()
      call('hb_blob_destroy', blob)
      call('hb_face_destroy', face)
      return cut
    },
  }
}
