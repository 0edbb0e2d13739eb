/**
 * Reads PDFs with other programs: ink with Poppler and MuPDF, text with pdftotext, structure with
 * qpdf.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Grey values 0 (black) to 255, row by row from the top. */
export interface Raster {
  width: number
  height: number
  grey: Uint8Array
}

function run(command: string[]): { code: number; out: string; bytes: Uint8Array } {
  const done = Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
  return { code: done.exitCode, out: `${done.stdout}${done.stderr}`, bytes: new Uint8Array(done.stdout) }
}

/** Required programs that are not installed. */
export function missingPrograms(): string[] {
  return ['pdftoppm', 'pdftotext', 'qpdf', 'mutool'].filter(program => Bun.which(program) === null)
}

function inFolder<T>(pdf: Uint8Array, ask: (path: string, folder: string) => T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'paper-'))
  const path = join(folder, 'page.pdf')
  return Bun.write(path, pdf)
    .then(() => ask(path, folder))
    .finally(() => rmSync(folder, { recursive: true }))
}

/** The errors that qpdf finds. Empty if there are none. */
export function findQpdfErrors(pdf: Uint8Array): Promise<string> {
  return inFolder(pdf, path => {
    const { code, out } = run(['qpdf', '--check', path])
    return code === 0 && !out.includes('WARNING') ? '' : out
  })
}

/** Text in the order of a reader's selection. */
export function textOf(pdf: Uint8Array, ...options: string[]): Promise<string> {
  return inFolder(pdf, path => run(['pdftotext', ...options, path, '-']).out)
}

/** Renders a page with Poppler (with its rotation) or MuPDF. `page` starts at 1. */
export function rasterOf(pdf: Uint8Array, page: number, dpi: number, by: 'poppler' | 'mupdf' = 'poppler'): Promise<Raster> {
  return inFolder(pdf, (path, folder) => {
    if (by === 'mupdf') {
      const target = join(folder, 'page.pgm')
      run(['mutool', 'draw', '-q', '-c', 'gray', '-F', 'pgm', '-r', `${dpi}`, '-o', target, path, `${page}`])
      return graymap(run(['cat', target]).bytes)
    }
    return graymap(run(['pdftoppm', '-gray', '-r', `${dpi}`, '-f', `${page}`, '-l', `${page}`, path]).bytes)
  })
}

/** Reads a binary PGM. */
function graymap(bytes: Uint8Array): Raster {
  const head = /^P5\s+(?:#.*\n)?(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))
  if (!head) throw new Error('the page could not be rendered')
  return { width: Number(head[1]), height: Number(head[2]), grey: bytes.subarray(head[0].length) }
}

export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** The smallest area with all ink inside `within`, in pixels. Undefined if there is none. */
export function inkArea({ width, height, grey }: Raster, within?: Area): Area | undefined {
  const [left, top] = [Math.max(0, Math.floor(within?.left ?? 0)), Math.max(0, Math.floor(within?.top ?? 0))]
  const [right, bottom] = [
    Math.min(width, Math.ceil(within?.right ?? width)),
    Math.min(height, Math.ceil(within?.bottom ?? height)),
  ]
  let found: Area | undefined
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      if (grey[y * width + x]! >= 250) continue
      found ??= { left: x, top: y, right: x + 1, bottom: y + 1 }
      found = { left: Math.min(found.left, x), top: found.top, right: Math.max(found.right, x + 1), bottom: y + 1 }
    }
  }
  return found
}

/** Number of dark pixels. */
export function inkCount({ grey }: Raster): number {
  return grey.reduce((sum, value) => sum + (value < 250 ? 1 : 0), 0)
}

/**
 * The share of ink (0 to 1) in one picture that is more than one pixel away from ink in the other;
 * the larger of both directions.
 */
export function inkDifference(a: Raster, b: Raster): number {
  return Math.max(strayInk(a, b), strayInk(b, a))
}

function strayInk(a: Raster, b: Raster): number {
  let [ink, stray] = [0, 0]
  for (let y = 0; y < a.height; y++) {
    for (let x = 0; x < a.width; x++) {
      if (a.grey[y * a.width + x]! > 128) continue
      ink++
      if (!hasInkNear(b, x, y)) stray++
    }
  }
  return ink === 0 ? 1 : stray / ink
}

function hasInkNear({ width, height, grey }: Raster, x: number, y: number): boolean {
  for (let near = Math.max(0, y - 1); near <= Math.min(height - 1, y + 1); near++) {
    for (let at = Math.max(0, x - 1); at <= Math.min(width - 1, x + 1); at++) if (grey[near * width + at]! < 200) return true
  }
  return false
}
