/** Reads the page tree with inherited attributes and displayed boxes. ISO 32000-2 §7.7.3. */
import type { PageBox, Rotation } from '../../core/field/geometry.ts'
import { type Remark, RemarkError, remark } from '../../locales/remarks.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from './file.ts'
import { PdfSyntaxError, type PdfValue } from './syntax.ts'

/** A page with its inheritable attributes (§7.7.3.4), its own or the nearest ancestor's. */
export interface Page {
  number: number
  generation: number
  dictionary: LocatedValue
  resources: LocatedValue
  inherited: Inherited
  box: PageBox
}

type Inheritable = 'Resources' | 'MediaBox' | 'CropBox' | 'Rotate'
const INHERITABLE: readonly Inheritable[] = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
export type Inherited = Readonly<Partial<Record<Inheritable, LocatedValue>>>

interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

const MAX_DEPTH = 50
/** What every reader uses for a page without a readable media box. */
const LETTER: Rectangle = { left: 0, bottom: 0, right: 612, top: 792 }

const isArea = ({ left, bottom, right, top }: Rectangle): boolean =>
  Number.isFinite(right - left) && Number.isFinite(top - bottom) && right > left && top > bottom

/** §7.9.5: any two opposite corners. */
function readRectangle(file: PdfFile, located: LocatedValue | undefined): Rectangle | undefined {
  if (located?.value.kind !== 'array') return undefined
  const numbers = located.value.items.map(item => {
    const { value } = resolveWithin(file, located, item)
    return value.kind === 'number' ? value.value : Number.NaN
  })
  const [x1 = Number.NaN, y1 = Number.NaN, x2 = Number.NaN, y2 = Number.NaN] = numbers
  const rectangle = { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
  return isArea(rectangle) ? rectangle : undefined
}

/** §14.11.2.2: the crop box is clipped to the media box. A crop box outside it is ignored. */
function clipBox(media: Rectangle, crop: Rectangle | undefined): Rectangle {
  if (crop === undefined) return media
  const cut = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  }
  return isArea(cut) ? cut : media
}

/** §7.7.3.3, table 31: a multiple of 90, possibly negative. Readers ignore other values. */
function readRotation(located: LocatedValue | undefined): Rotation {
  const value = located?.value.kind === 'number' ? located.value.value : 0
  const rotation = ((value % 360) + 360) % 360
  return rotation === 90 || rotation === 180 || rotation === 270 ? rotation : 0
}

function readBox(file: PdfFile, dictionary: LocatedValue, inherited: Inherited): PageBox {
  const media = readRectangle(file, inherited.MediaBox) ?? LETTER
  const shown = clipBox(media, readRectangle(file, inherited.CropBox))
  const unit = resolveEntry(file, dictionary, 'UserUnit').value
  return {
    left: shown.left,
    bottom: shown.bottom,
    width: shown.right - shown.left,
    height: shown.top - shown.bottom,
    rotation: readRotation(inherited.Rotate),
    userUnit: unit.kind === 'number' && unit.value > 0 ? unit.value : 1,
  }
}

function inherit(file: PdfFile, node: LocatedValue, inherited: Inherited): Inherited {
  const own: Partial<Record<Inheritable, LocatedValue>> = { ...inherited }
  for (const key of INHERITABLE) {
    const found = resolveEntry(file, node, key)
    if (found.value.kind !== 'null') own[key] = found
  }
  return own
}

/** `count`: the root's /Count, or the number of pages read if that is more. */
export class TooManyPagesError extends RemarkError {
  override name = 'TooManyPagesError'
  constructor(readonly count: number) {
    super(remark('too_many_pages', { count }))
  }
}

class PageTreeReader {
  readonly pages: Page[] = []
  readonly #seen = new Set<number>()

  constructor(
    private readonly file: PdfFile,
    private readonly root: LocatedValue,
    private readonly maxPages: number,
  ) {}

  read(kid: PdfValue, inherited: Inherited, depth: number): void {
    if (depth > MAX_DEPTH) throw new PdfSyntaxError(remark('page_tree_too_deep', { max: MAX_DEPTH }))
    if (kid.kind === 'null') return
    if (kid.kind !== 'reference') throw new PdfSyntaxError(remark('page_direct'))
    if (this.#seen.has(kid.number)) throw new PdfSyntaxError(remark('page_twice'))
    this.#seen.add(kid.number)
    const node = this.file.resolve(kid)
    if (node.value.kind !== 'dictionary') throw new PdfSyntaxError(remark('page_not_a_dictionary'))
    const own = inherit(this.file, node, inherited)
    const kids = resolveEntry(this.file, node, 'Kids')
    if (kids.value.kind === 'array') {
      for (const next of kids.value.items) this.read(next, own, depth + 1)
      return
    }
    // Some readers would read this node as a page, others as an empty branch.
    if (kids.value.kind !== 'null') throw new PdfSyntaxError(remark('page_node_invalid'))
    this.#addPage(kid.number, kid.generation, node, own)
  }

  #addPage(number: number, generation: number, dictionary: LocatedValue, inherited: Inherited): void {
    const { pages } = this
    const resources = inherited.Resources ?? this.file.resolve(undefined)
    pages.push({ number, generation, dictionary, resources, inherited, box: readBox(this.file, dictionary, inherited) })
    if (pages.length <= this.maxPages) return
    const count = resolveEntry(this.file, this.root, 'Count').value
    throw new TooManyPagesError(count.kind === 'number' ? Math.max(count.value, pages.length) : pages.length)
  }
}

/** @throws PdfSyntaxError for a loop or an invalid tree; TooManyPagesError beyond `maxPages` */
export function readPages(file: PdfFile, catalog: LocatedValue, maxPages = 100_000): Page[] {
  const root = resolveEntry(file, catalog, 'Pages')
  const top = catalog.value.kind === 'dictionary' ? catalog.value.entries.get('Pages') : undefined
  if (top?.kind !== 'reference' || resolveEntry(file, root, 'Kids').value.kind !== 'array') {
    throw new PdfSyntaxError(remark('page_tree_missing'))
  }
  const reader = new PageTreeReader(file, root, maxPages)
  reader.read(top, {}, 0)
  return reader.pages
}

/**
 * Sentences. Table 31 requires /Type. Readers accept pages without it, but disagree on other
 * values.
 */
export function findWrongTypes(file: PdfFile, pages: readonly Page[]): Remark[] {
  return pages.flatMap(({ dictionary }, index) => {
    const type = resolveEntry(file, dictionary, 'Type').value
    return type.kind === 'name' && type.value !== 'Page'
      ? [remark('page_of_other_type', { page: index + 1, type: type.value })]
      : []
  })
}
