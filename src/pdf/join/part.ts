/**
 * One PDF on its way into a joined one: its pages with what they inherit, and what refers to them.
 * ISO 32000-2 §7.7.3, §12.3.2. It decides nothing about forms, layers and bookmarks.
 */
import { type OpenedForUpdate, openForUpdate } from '../inspect/open-for-update.ts'
import { type LocatedValue, type PdfFile, resolveEntry, resolveWithin } from '../parser/file.ts'
import type { Page } from '../parser/page.ts'
import type { PdfDictionary, PdfValue } from '../parser/syntax.ts'
import { ObjectImporter, type ObjectSink } from '../writer/import-objects.ts'
import { formatName, formatReference } from '../writer/object-changes.ts'
import { formatStructureEntry, naturalNumber, readTree, type StructureNames } from './trees.ts'

// The named destinations of a PDF (ISO 32000-2 §12.3.2.4), which joining makes explicit.

/** Strings in the name tree, names in the dictionary of PDF 1.1. */
function nameOf(value: PdfValue): string | undefined {
  if (value.kind === 'string') return Buffer.from(value.value).toString('latin1')
  return value.kind === 'name' ? value.value : undefined
}

class NamedDestinations {
  readonly #file: PdfFile
  readonly #found = new Map<string, LocatedValue>()

  /** @throws PdfSyntaxError for a tree that is too large */
  constructor(file: PdfFile, catalog: LocatedValue) {
    this.#file = file
    const old = resolveEntry(file, catalog, 'Dests')
    if (old.value.kind === 'dictionary') for (const [name, value] of old.value.entries) this.#found.set(name, { ...old, value })
    const tree = resolveEntry(file, resolveEntry(file, catalog, 'Names'), 'Dests')
    for (const { key, value } of readTree(file, tree, 'Names')) {
      const name = nameOf(key)
      if (name !== undefined && !this.#found.has(name)) this.#found.set(name, value)
    }
  }

  /** The array of a destination, named or explicit. Undefined if there is none. */
  explicit(destination: LocatedValue): LocatedValue | undefined {
    const named = resolveWithin(this.#file, destination, destination.value)
    const name = nameOf(named.value)
    if (name === undefined) return named.value.kind === 'array' ? named : undefined
    const raw = this.#found.get(name)
    if (raw === undefined) return undefined
    const found = resolveWithin(this.#file, raw, raw.value)
    const array = found.value.kind === 'dictionary' ? resolveEntry(this.#file, found, 'D') : found
    return array.value.kind === 'array' ? array : undefined
  }
}

// The part.

type Reference = Extract<PdfValue, { kind: 'reference' }>

/** Of a page: its place in its own tree, article threads and document parts (§12.4.3, §14.12). */
const DROPPED_PAGE_KEYS = ['Parent', 'B', 'DPart']
const LETTER = '[0 0 612 792]'

export class Part {
  readonly pdf: OpenedForUpdate
  readonly importer: ObjectImporter
  /** The number of each page in the joined file. */
  readonly pageNumbers: readonly number[]
  /** The branch of the page tree that has the pages of this part. */
  readonly branch: number
  /** Undefined where the structure is left out. */
  structure: StructureNames | undefined
  /** Font resources of the form that have another name in the joined file. */
  fontNames: ReadonlyMap<string, string> = new Map()
  readonly #sink: ObjectSink
  readonly #destinations: NamedDestinations
  /** Texts in place of references, by object number. */
  readonly #replaced = new Map<number, string>()
  /** Inherited resources that several pages share. */
  readonly #shared = new Map<PdfValue, string>()

  /** @throws PdfSyntaxError, TooManyPagesError */
  constructor(bytes: Uint8Array, sink: ObjectSink, maxPages: number) {
    this.pdf = openForUpdate(bytes, maxPages)
    this.#sink = sink
    this.#destinations = new NamedDestinations(this.file, this.catalog)
    this.branch = sink.allocate()
    this.pageNumbers = this.pdf.pages.map(() => sink.allocate())
    this.pdf.pages.forEach(({ number }, i) => {
      this.replace(number, formatReference(this.pageNumbers[i] ?? 0))
    })
    this.importer = new ObjectImporter(this.file, sink, {
      reference: reference => this.#replacement(reference),
      entry: (key, value, owner) => this.#entry(key, value, owner),
    })
  }

  get file(): PdfFile {
    return this.pdf.file
  }

  get catalog(): LocatedValue {
    return this.pdf.catalog.dictionary
  }

  /** References to an object of the part get this text. */
  replace(number: number, text: string): void {
    this.#replaced.set(number, text)
  }

  /** Writes the pages under a new branch of the page tree. */
  putPages(root: number): void {
    this.pdf.pages.forEach((page, i) => {
      this.#sink.put(this.pageNumbers[i] ?? 0, this.#formatPage(page))
    })
    const kids = this.pageNumbers.map(number => formatReference(number)).join(' ')
    const count = `/Count ${this.pageNumbers.length}`
    this.#sink.put(this.branch, `<< /Type /Pages /Parent ${formatReference(root)} ${count} /Kids [${kids}] >>`)
  }

  /** The text of a destination with explicit pages of the joined file. Undefined if it has none. */
  formatDestination(destination: LocatedValue): string | undefined {
    const array = this.#destinations.explicit(destination)
    if (array?.value.kind !== 'array') return undefined
    const [page, ...view] = array.value.items
    // §12.3.2.2: a page number is for other documents. Some writers use it within one.
    const index = page?.kind === 'number' ? page.value : undefined
    const target = index === undefined ? page && this.#destinationItem(array, page) : this.#pageAt(index)
    if (target === undefined || target === 'null') return undefined
    return `[${[target, ...view.map(value => this.#destinationItem(array, value))].join(' ')}]`
  }

  /** §12.3.2.2: no array or dictionary, which could contain its own destination again. */
  #destinationItem(array: LocatedValue, value: PdfValue): string {
    return value.kind === 'array' || value.kind === 'dictionary' ? 'null' : this.importer.format({ ...array, value })
  }

  #pageAt(index: number): string | undefined {
    const number = this.pageNumbers[index]
    return number === undefined ? undefined : formatReference(number)
  }

  #formatPage(page: Page): string {
    const changes = new Map<string, string | undefined>(DROPPED_PAGE_KEYS.map(key => [key, undefined]))
    changes.set('Type', '/Page').set('Parent', formatReference(this.branch))
    const { MediaBox, CropBox, Rotate } = page.inherited
    changes.set('MediaBox', MediaBox ? this.importer.format(MediaBox) : LETTER)
    if (CropBox) changes.set('CropBox', this.importer.format(CropBox))
    if (Rotate) changes.set('Rotate', this.importer.format(Rotate))
    const own = resolveEntry(this.file, page.dictionary, 'Resources').value
    if (own.kind === 'null') changes.set('Resources', this.#sharedResources(page))
    return this.importer.formatWith(page.dictionary, changes)
  }

  #sharedResources({ resources }: Page): string {
    if (resources.value.kind !== 'dictionary') return '<< >>'
    const known = this.#shared.get(resources.value)
    if (known !== undefined) return known
    const number = this.#sink.allocate()
    this.#sink.put(number, this.importer.format(resources))
    this.#shared.set(resources.value, formatReference(number))
    return formatReference(number)
  }

  #replacement(reference: Reference): string | undefined {
    const known = this.#replaced.get(reference.number)
    if (known !== undefined) return known
    const target = this.file.resolve(reference)
    const type = resolveEntry(this.file, target, 'Type').value
    if (type.kind !== 'name') return undefined
    // A node of the page tree would bring all pages a second time; a page outside it is not shown.
    const text = type.value === 'Pages' ? formatReference(this.branch) : type.value === 'Page' ? 'null' : undefined
    if (text !== undefined) this.#replaced.set(reference.number, text)
    return text
  }

  #entry(key: string, value: LocatedValue, owner: PdfDictionary): string | null | undefined {
    switch (key) {
      case 'Dest':
        return this.#destinationEntry(value)
      case 'D':
        return isGoTo(this.file, owner) ? this.#destinationEntry(value) : undefined
      case 'SD':
        // A structure destination may lead to another tree (§12.3.2.3). /D says the same.
        return isGoTo(this.file, owner) ? null : undefined
      case 'StructParent':
      case 'StructParents':
        return this.#structureKey(value)
      case 'DA':
        return this.#defaultAppearance(value)
      default:
        return this.structure && formatStructureEntry(this.file, key, value, owner, this.structure)
    }
  }

  #destinationEntry(value: LocatedValue): string | null | undefined {
    const resolved = this.file.resolve(value.value).value
    const isDestination = resolved.kind === 'array' || resolved.kind === 'string' || resolved.kind === 'name'
    return isDestination ? (this.formatDestination(value) ?? null) : undefined
  }

  #structureKey({ value }: LocatedValue): string | null | undefined {
    if (this.structure === undefined) return null
    const key = naturalNumber(this.file.resolve(value).value)
    return key === undefined ? null : String(key + this.structure.offset)
  }

  /** §12.7.4.3: names a font of the form's default resources. */
  #defaultAppearance({ value }: LocatedValue): string | undefined {
    const text = this.file.resolve(value).value
    if (this.fontNames.size === 0 || text.kind !== 'string') return undefined
    return formatRenamed(text.value, this.fontNames)
  }
}

function isGoTo(file: PdfFile, owner: PdfDictionary): boolean {
  const action = file.resolve(owner.entries.get('S')).value
  return action.kind === 'name' && action.value === 'GoTo'
}

/** In hexadecimal: it needs no escapes. */
function formatRenamed(bytes: Uint8Array, names: ReadonlyMap<string, string>): string {
  const text = Buffer.from(bytes).toString('latin1')
  const renamed = text.replace(/\/([^\s()<>[\]{}/%]+)/g, (whole, name: string) => {
    const other = names.get(name)
    return other === undefined ? whole : formatName(other)
  })
  return `<${Buffer.from(renamed, 'latin1').toString('hex')}>`
}
