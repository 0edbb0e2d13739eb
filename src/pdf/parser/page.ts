/**
 * The pages of a PDF in reading order, with what they inherit, and the box each is shown in. ISO
 * 32000-2 §7.7.3. Reads the page tree only; nothing that is drawn.
 */
import type { PageBox, Rotation } from '../../core/geometry.ts'
import type { LocatedValue, PdfFile } from './file.ts'
import { resolveEntry, resolveWithin } from './file.ts'
import { PdfSyntaxError, type PdfValue } from './syntax.ts'

/**
 * A page object. The inheritable attributes (§7.7.3.4) are those of the page, or of the nearest
 * node above that has them.
 */
export interface Page {
  number: number
  generation: number
  dictionary: LocatedValue
  resources: LocatedValue
  box: PageBox
}

type Inheritable = 'Resources' | 'MediaBox' | 'CropBox' | 'Rotate'
const INHERITABLE: readonly Inheritable[] = ['Resources', 'MediaBox', 'CropBox', 'Rotate']
type Inherited = Readonly<Partial<Record<Inheritable, LocatedValue>>>

interface Rectangle {
  left: number
  bottom: number
  right: number
  top: number
}

const MAX_DEPTH = 50
/** What every reader takes when a page has no media box that can be read. */
const LETTER: Rectangle = { left: 0, bottom: 0, right: 612, top: 792 }

const isArea = ({ left, bottom, right, top }: Rectangle): boolean =>
  Number.isFinite(right - left) && Number.isFinite(top - bottom) && right > left && top > bottom

/** §7.9.5: any two opposite corners. */
function rectangleOf(file: PdfFile, located: LocatedValue | undefined): Rectangle | undefined {
  if (located?.value.kind !== 'array') return undefined
  const numbers = located.value.items.map(item => {
    const { value } = resolveWithin(file, located, item)
    return value.kind === 'number' ? value.value : Number.NaN
  })
  const [x1 = Number.NaN, y1 = Number.NaN, x2 = Number.NaN, y2 = Number.NaN] = numbers
  const rectangle = { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) }
  return isArea(rectangle) ? rectangle : undefined
}

/** §14.11.2.2: the crop box is cut to the media box; one that lies outside it is ignored. */
function shownBox(media: Rectangle, crop: Rectangle | undefined): Rectangle {
  if (crop === undefined) return media
  const cut = {
    left: Math.max(media.left, crop.left),
    bottom: Math.max(media.bottom, crop.bottom),
    right: Math.min(media.right, crop.right),
    top: Math.min(media.top, crop.top),
  }
  return isArea(cut) ? cut : media
}

/** §7.7.3.3, table 31: a multiple of 90, which may be negative. Anything else is shown upright. */
function rotationOf(located: LocatedValue | undefined): Rotation {
  const value = located?.value.kind === 'number' ? located.value.value : 0
  const turned = ((value % 360) + 360) % 360
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0
}

function boxOf(file: PdfFile, dictionary: LocatedValue, inherited: Inherited): PageBox {
  const media = rectangleOf(file, inherited.MediaBox) ?? LETTER
  const shown = shownBox(media, rectangleOf(file, inherited.CropBox))
  const unit = resolveEntry(file, dictionary, 'UserUnit').value
  return {
    left: shown.left,
    bottom: shown.bottom,
    width: shown.right - shown.left,
    height: shown.top - shown.bottom,
    rotation: rotationOf(inherited.Rotate),
    userUnit: unit.kind === 'number' && unit.value > 0 ? unit.value : 1,
  }
}

function inherit(file: PdfFile, node: LocatedValue, above: Inherited): Inherited {
  const own: Partial<Record<Inheritable, LocatedValue>> = { ...above }
  for (const key of INHERITABLE) {
    const found = resolveEntry(file, node, key)
    if (found.value.kind !== 'null') own[key] = found
  }
  return own
}

/**
 * There are more pages than asked for. `count` is what the root of the page tree says, or how many
 * were met.
 */
export class TooManyPagesError extends Error {
  override name = 'TooManyPagesError'
  constructor(readonly count: number) {
    super(`the document has ${count} pages`)
  }
}

/**
 * All pages, in order.
 * @throws PdfSyntaxError when the tree loops, is too deep, holds a page that is no object of its
 * own, or cannot be read
 * @throws TooManyPagesError beyond `maxPages`
 */
export function readPages(file: PdfFile, catalog: LocatedValue, maxPages = 100_000): Page[] {
  const pages: Page[] = []
  const seen = new Set<number>()
  const root = resolveEntry(file, catalog, 'Pages')
  const total = resolveEntry(file, root, 'Count').value

  function walk(kid: PdfValue, above: Inherited, depth: number): void {
    if (depth > MAX_DEPTH) throw new PdfSyntaxError(`the page tree is more than ${MAX_DEPTH} deep`)
    if (kid.kind === 'null') return
    if (kid.kind !== 'reference') throw new PdfSyntaxError('a page is no object of its own')
    if (seen.has(kid.number)) throw new PdfSyntaxError('a page is in the page tree twice')
    seen.add(kid.number)
    const node = file.resolve(kid)
    if (node.value.kind !== 'dictionary') throw new PdfSyntaxError('a page is no dictionary')
    const inherited = inherit(file, node, above)
    const kids = resolveEntry(file, node, 'Kids')
    if (kids.value.kind === 'array') {
      for (const next of kids.value.items) walk(next, inherited, depth + 1)
      return
    }
    // Some readers would take it for a page, others for an empty branch.
    if (kids.value.kind !== 'null') throw new PdfSyntaxError('a branch of the page tree has no list of pages')
    const resources = inherited.Resources ?? file.resolve(undefined)
    const { number, generation } = kid
    pages.push({ number, generation, dictionary: node, resources, box: boxOf(file, node, inherited) })
    if (pages.length <= maxPages) return
    throw new TooManyPagesError(total.kind === 'number' ? Math.max(total.value, pages.length) : pages.length)
  }

  const top = catalog.value.kind === 'dictionary' ? catalog.value.entries.get('Pages') : undefined
  if (top?.kind !== 'reference' || resolveEntry(file, root, 'Kids').value.kind !== 'array') {
    throw new PdfSyntaxError('the catalog leads to no page tree')
  }
  walk(top, {}, 0)
  return pages
}
