/**
 * Joins the structure trees of several tagged PDFs. ISO 32000-2 §14.7. Only if all are tagged: a
 * screen reader that follows a tree skips the pages that are not in it.
 */
import { type LocatedValue, type PdfFile, resolveEntry } from '../parser/file.ts'
import { type PdfValue, textOf } from '../parser/syntax.ts'
import type { ObjectSink } from '../writer/import-objects.ts'
import { formatName, formatReference, formatTextString } from '../writer/object-changes.ts'
import type { Part } from './part.ts'
import { fingerprint, formatBytes, naturalNumber, prefixed, readTree } from './trees.ts'

const ROOT_KEY = 'StructTreeRoot'

export function isTagged(file: PdfFile, catalog: LocatedValue): boolean {
  return resolveEntry(file, catalog, ROOT_KEY).value.kind === 'dictionary'
}

/** A map of roles or of classes, of all files. */
class JoinedMap {
  /** The text of each name and the fingerprint of its value. */
  readonly #entries = new Map<string, { text: string; print: string }>()

  /**
   * Returns the new names of a file's names. Where one means something else in an earlier file, all
   * that are known get new ones: a role may be mapped to another role.
   */
  add(part: Part, map: LocatedValue, suffix: string): Map<string, string> {
    const { value } = map
    const entries = (value.kind === 'dictionary' ? [...value.entries] : []).map(([name, item]) => {
      const located = { ...map, value: item }
      return { name, located, print: fingerprint(part.file, located) }
    })
    const known = entries.filter(({ name }) => this.#entries.has(name))
    const isClash = known.some(({ name, print }) => this.#entries.get(name)?.print !== print)
    const renamed = new Map(isClash ? known.map(({ name }) => [name, `${name}${suffix}`]) : [])
    for (const { name, located, print } of entries) {
      const target = renamed.get(name) ?? name
      const role = located.value.kind === 'name' ? renamed.get(located.value.value) : undefined
      const text = role === undefined ? part.importer.format(located) : formatName(role)
      if (!this.#entries.has(target)) this.#entries.set(target, { text, print })
    }
    return renamed
  }

  /** Empty if there is no name. */
  format(): string {
    return [...this.#entries].map(([name, { text }]) => `${formatName(name)} ${text}`).join(' ')
  }
}

export class JoinedStructure {
  readonly #sink: ObjectSink
  readonly #number: number
  /** The one element of the tree, with the elements of all files (§14.8.4.3). */
  readonly #document: number
  readonly #kids: string[] = []
  readonly #parents: string[] = []
  readonly #ids: { key: Buffer; text: string }[] = []
  readonly #namespaces: string[] = []
  readonly #roles = new JoinedMap()
  readonly #classes = new JoinedMap()
  readonly #languages = new Set<string>()
  #nextParent = 0
  #isMarked = true
  #files = 0

  constructor(sink: ObjectSink) {
    this.#sink = sink
    this.#number = sink.allocate()
    this.#document = sink.allocate()
  }

  /** Call before the pages of the part are written. */
  add(part: Part): void {
    const { file, catalog } = part
    const root = resolveEntry(file, catalog, ROOT_KEY)
    if (root.value.kind !== 'dictionary') return
    const old = catalog.value.kind === 'dictionary' ? catalog.value.entries.get(ROOT_KEY) : undefined
    if (old?.kind === 'reference') part.replace(old.number, formatReference(this.#document))
    this.#files++
    part.structure = {
      offset: this.#nextParent,
      idPrefix: this.#files > 1 ? `${this.#files}-` : '',
      roles: this.#roles.add(part, resolveEntry(file, root, 'RoleMap'), `.${this.#files}`),
      classes: this.#classes.add(part, resolveEntry(file, root, 'ClassMap'), `.${this.#files}`),
    }
    this.#addParents(part, root)
    this.#addIds(part, root)
    this.#addKids(part, root)
    for (const text of itemTexts(part, resolveEntry(file, root, 'Namespaces'))) this.#namespaces.push(text)
    const marked = resolveEntry(file, resolveEntry(file, catalog, 'MarkInfo'), 'Marked').value
    this.#isMarked &&= marked.kind === 'boolean' && marked.value
  }

  /** Writes it and returns the catalog's entries; none if no part was added. */
  put(): [key: string, text: string][] {
    if (this.#files === 0) return []
    const maps = Object.entries({ RoleMap: this.#roles.format(), ClassMap: this.#classes.format() })
    const ids = this.#ids.toSorted((a, b) => a.key.compare(b.key)).map(({ text }) => text)
    const entries = [
      `/K ${formatReference(this.#document)}`,
      `/ParentTree << /Nums [${this.#parents.join(' ')}] >> /ParentTreeNextKey ${this.#nextParent}`,
      ...(ids.length === 0 ? [] : [`/IDTree << /Names [${ids.join(' ')}] >>`]),
      ...(this.#namespaces.length === 0 ? [] : [`/Namespaces [${this.#namespaces.join(' ')}]`]),
      ...maps.flatMap(([key, text]) => (text === '' ? [] : [`/${key} << ${text} >>`])),
    ]
    const parent = formatReference(this.#number)
    this.#sink.put(this.#document, `<< /Type /StructElem /S /Document /P ${parent} /K [${this.#kids.join(' ')}] >>`)
    this.#sink.put(this.#number, `<< /Type /StructTreeRoot ${entries.join(' ')} >>`)
    const [language] = this.#languages
    return [
      [ROOT_KEY, formatReference(this.#number)],
      ...(this.#isMarked ? ([['MarkInfo', '<< /Marked true >>']] as [string, string][]) : []),
      ...(language === undefined ? [] : ([['Lang', formatTextString(language)]] as [string, string][])),
    ]
  }

  /** §14.7.5.4: from the keys of pages, annotations and forms to their elements. */
  #addParents(part: Part, root: LocatedValue): void {
    const first = this.#nextParent
    this.#nextParent += naturalNumber(resolveEntry(part.file, root, 'ParentTreeNextKey').value) ?? 0
    const entries = readTree(part.file, resolveEntry(part.file, root, 'ParentTree'), 'Nums')
    const keyed = entries.flatMap(({ key, value }) =>
      key.kind === 'number' && key.value >= 0 ? [{ key: key.value, value }] : [],
    )
    for (const { key, value } of keyed.toSorted((a, b) => a.key - b.key)) {
      this.#parents.push(`${first + key} ${part.importer.format(value)}`)
      this.#nextParent = Math.max(this.#nextParent, first + key + 1)
    }
  }

  #addIds(part: Part, root: LocatedValue): void {
    for (const { key, value } of readTree(part.file, resolveEntry(part.file, root, 'IDTree'), 'Names')) {
      if (key.kind !== 'string') continue
      const id = prefixed(key.value, part.structure?.idPrefix ?? '')
      this.#ids.push({ key: id, text: `${formatBytes(id)} ${part.importer.format(value)}` })
    }
  }

  /** An element of a file in another language than the document's says its own. */
  #addKids(part: Part, root: LocatedValue): void {
    const { file, importer, catalog } = part
    const language = textOf(resolveEntry(file, catalog, 'Lang').value)
    if (language !== '') this.#languages.add(language)
    const kids = resolveEntry(file, root, 'K')
    const raw = root.value.kind === 'dictionary' ? root.value.entries.get('K') : undefined
    const items: readonly PdfValue[] = kids.value.kind === 'array' ? kids.value.items : raw ? [raw] : []
    const container = kids.value.kind === 'array' ? kids : root
    for (const value of items) {
      const element = file.resolve(value)
      const hasLanguage = element.value.kind !== 'dictionary' || element.value.entries.has('Lang')
      if (language !== '' && !hasLanguage && value.kind === 'reference')
        importer.change(value, new Map([['Lang', formatTextString(language)]]))
      this.#kids.push(importer.format({ ...container, value }))
    }
  }
}

function itemTexts(part: Part, array: LocatedValue): string[] {
  return array.value.kind === 'array' ? array.value.items.map(value => part.importer.format({ ...array, value })) : []
}
