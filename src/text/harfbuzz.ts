/** HarfBuzz in embedded WebAssembly: the package's own loader would read it from disk. */
import shaperPath from 'harfbuzzjs/dist/harfbuzz.wasm' with { type: 'file' }
import subsetterPath from 'harfbuzzjs/dist/harfbuzz-subset.wasm' with { type: 'file' }
import { readEmbeddedFile } from '../lib/embedded-file.ts'
import { tagValue } from './sfnt.ts'

/** A positioned glyph in font units; `cluster` is the UTF-16 index of its text. */
export interface ShapedGlyph {
  id: number
  cluster: number
  advance: number
  dx: number
  dy: number
}

/** An address in the shaper's memory. */
export type FontHandle = number & { readonly brand: 'hb_font_t' }

export interface Shaper {
  open(font: Uint8Array): FontHandle
  /** Shapes `text[start, end)` in its context, in visual order. `script`: ISO 15924. */
  shape(font: FontHandle, text: string, start: number, end: number, rtl: boolean, script: string | undefined): ShapedGlyph[]
  advanceOf(font: FontHandle, glyph: number): number
  glyphOf(font: FontHandle, code: number): number | undefined
}

/** An address in the subsetter's memory. */
export type FaceHandle = number & { readonly brand: 'hb_face_t' }

export interface Subsetter {
  open(font: Uint8Array): FaceHandle
  /** Keeps only these glyphs, under their numbers, and the tables of ISO 32000-2 §9.9.1. */
  subset(face: FaceHandle, glyphs: Iterable<number>): Uint8Array
}

type Call = (...args: number[]) => number

interface Wasm {
  call(name: string, ...args: number[]): number
  memory: WebAssembly.Memory
  /** Copies bytes into new memory. The caller frees it, or HarfBuzz owns it from then on. */
  copyIn(bytes: Uint8Array): number
}

async function instantiate(
  path: string,
  start: string,
  imports: (memory: () => WebAssembly.Memory) => WebAssembly.Imports,
): Promise<Wasm> {
  let memory: WebAssembly.Memory | undefined
  const memoryNow = () => {
    if (!memory) throw new Error('HarfBuzz used its memory before it was created')
    return memory
  }
  const module = await WebAssembly.compile(readEmbeddedFile(path))
  const instance = await WebAssembly.instantiate(module, imports(memoryNow))
  memory = instance.exports.memory as WebAssembly.Memory
  const call = (name: string, ...args: number[]) => (instance.exports[name] as Call)(...args)
  const copyIn = (bytes: Uint8Array) => {
    const address = call('malloc', bytes.length || 1)
    if (address === 0) throw new Error('HarfBuzz is out of memory')
    new Uint8Array(memoryNow().buffer).set(bytes, address)
    return address
  }
  call(start)
  return { call, memory, copyIn }
}

function shaperImports(memory: () => WebAssembly.Memory): WebAssembly.Imports {
  const fail = () => {
    throw new Error('HarfBuzz aborted')
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
/** hb_buffer_cluster_level_t: letters with their marks, or each mark as a cluster of its own. */
const MONOTONE_GRAPHEMES = 0
const MONOTONE_CHARACTERS = 1
const HB_MEMORY_MODE_READONLY = 1
/** sizeof hb_glyph_info_t and hb_glyph_position_t. */
const RECORD_BYTES = 20

let shaper: Promise<Shaper> | undefined

/** One a process; the first call compiles the module. */
export function openShaper(): Promise<Shaper> {
  shaper ??= instantiate(shaperPath, '__wasm_call_ctors', shaperImports).then(createShaper)
  return shaper
}

function createShaper(wasm: Wasm): Shaper {
  const { call, copyIn, memory } = wasm
  const buffer = call('hb_buffer_create')
  const length = copyIn(new Uint8Array(4))
  const readGlyphs = (): ShapedGlyph[] => {
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
      const blob = call('hb_blob_create', copyIn(font), font.length, HB_MEMORY_MODE_READONLY, 0, 0)
      const face = call('hb_face_create', blob, 0)
      return call('hb_font_create', face) as FontHandle
    },
    shape(font, text, start, end, rtl, script) {
      const units = Buffer.from(text, 'utf16le')
      const address = copyIn(units)
      call('hb_buffer_reset', buffer)
      call('hb_buffer_add_utf16', buffer, address, text.length, start, end - start)
      call('hb_buffer_set_direction', buffer, rtl ? RTL : LTR)
      call('hb_buffer_set_cluster_level', buffer, rtl ? MONOTONE_CHARACTERS : MONOTONE_GRAPHEMES)
      if (script) call('hb_buffer_set_script', buffer, tagValue(script))
      call('hb_buffer_guess_segment_properties', buffer)
      call('hb_shape', font, buffer, 0, 0)
      call('free', address)
      return readGlyphs()
    },
  }
}

/** hb_subset_flags_t: no hinting, keep glyph numbers and .notdef, no layout closure. */
const SUBSET_FLAGS = 0x1 | 0x2 | 0x40 | 0x200
/** hb_subset_sets_t. */
const DROP_TABLE_TAG = 3
/** Tables that are not needed to draw glyphs by number. */
const NOT_FOR_PDF = ['GSUB', 'GPOS', 'GDEF', 'name', 'post', 'cmap', 'OS/2', 'STAT', 'meta', 'DSIG', 'gasp', 'kern']

let subsetter: Promise<Subsetter> | undefined

/** One a process; the first call compiles the module. */
export function openSubsetter(): Promise<Subsetter> {
  subsetter ??= instantiate(subsetterPath, '_initialize', () => ({})).then(createSubsetter)
  return subsetter
}

function createSubsetter(wasm: Wasm): Subsetter {
  const { call, copyIn, memory } = wasm
  return {
    open(font) {
      const blob = call('hb_blob_create', copyIn(font), font.length, HB_MEMORY_MODE_READONLY, 0, 0)
      return call('hb_face_create', blob, 0) as FaceHandle
    },
    subset(font, glyphs) {
      const input = call('hb_subset_input_create_or_fail')
      call('hb_subset_input_set_flags', input, SUBSET_FLAGS)
      const kept = call('hb_subset_input_glyph_set', input)
      for (const glyph of glyphs) call('hb_set_add', kept, glyph)
      const dropped = call('hb_subset_input_set', input, DROP_TABLE_TAG)
      for (const tag of NOT_FOR_PDF) call('hb_set_add', dropped, tagValue(tag))
      const face = call('hb_subset_or_fail', font, input)
      call('hb_subset_input_destroy', input)
      if (face === 0) throw new Error('HarfBuzz could not subset the font')
      const blob = call('hb_face_reference_blob', face)
      const at = call('hb_blob_get_data', blob, 0)
      const subset = new Uint8Array(memory.buffer, at, call('hb_blob_get_length', blob)).slice()
      call('hb_blob_destroy', blob)
      call('hb_face_destroy', face)
      return subset
    },
  }
}
