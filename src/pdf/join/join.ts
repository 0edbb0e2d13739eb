/**
 * Joins several PDFs into a new one, in order. Runs in a child process. Equal parts give equal
 * bytes. Only what a part shows or refers to is copied: its earlier revisions are not.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { type Violation, violation } from '../../core/violation.ts'
import { remark } from '../../locales/remarks.ts'
import type { PdfWarning } from '../inspect/report.ts'
import { type LocatedValue, openPdf, resolveEntry, resolveItems } from '../parser/file.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { PdfSyntaxError, type PdfValue, textOf } from '../parser/syntax.ts'
import type { ObjectSink } from '../writer/import-objects.ts'
import { NewFile } from '../writer/new-file.ts'
import { formatName, formatReference, formatTextString } from '../writer/object-changes.ts'
import { Part } from './part.ts'
import { isTagged, JoinedStructure } from './structure.ts'
import { fingerprint, naturalNumber, readTree } from './trees.ts'

// Joins the forms of several PDFs. ISO 32000-2 §12.7.3, §12.7.4. A field keeps its name unless an
// earlier file has a field of that name: then its file's fields get a common parent.

/** Entries of a form that its fields inherit where they have none of their own (table 224). */
const INHERITED_KEYS = ['DA', 'Q']

class JoinedForm {
  readonly #sink: ObjectSink
  readonly #fields: string[] = []
  readonly #names = new Set<string>()
  /** By their name in the joined form. */
  readonly #fonts = new Map<string, { text: string; fingerprint: string }>()
  #needsAppearances = false
  #isEmpty = true

  constructor(sink: ObjectSink) {
    this.#sink = sink
  }

  /** Call before the pages of the part are written. @throws PdfSyntaxError */
  add(part: Part): void {
    const { file } = part
    const form = resolveEntry(file, part.catalog, 'AcroForm')
    if (form.value.kind !== 'dictionary') return
    this.#isEmpty = false
    this.#addFonts(part, form)
    const needs = resolveEntry(file, form, 'NeedAppearances').value
    this.#needsAppearances ||= needs.kind === 'boolean' && needs.value
    const roots = resolveItems(file, resolveEntry(file, form, 'Fields'))
    const names = roots.map(({ located }) => textOf(resolveEntry(file, located, 'T').value))
    const isClash = names.some(name => this.#names.has(name))
    const parent = isClash ? this.#sink.allocate() : undefined
    const kids = roots.map(root => this.#addRoot(part, form, root, parent))
    if (parent === undefined) {
      this.#fields.push(...kids)
      for (const name of names) this.#names.add(name)
    } else {
      const name = this.#freeName()
      this.#names.add(name)
      this.#fields.push(formatReference(parent))
      this.#sink.put(parent, `<< /T ${formatTextString(name)} /Kids [${kids.join(' ')}] >>`)
    }
  }

  /** Undefined if no part has a form. */
  format(): string | undefined {
    if (this.#isEmpty) return undefined
    const fonts = [...this.#fonts].map(([name, { text }]) => `${formatName(name)} ${text}`).join(' ')
    const needs = this.#needsAppearances ? ' /NeedAppearances true' : ''
    return `<< /Fields [${this.#fields.join(' ')}] /DR << /Font << ${fonts} >> >>${needs} >>`
  }

  #freeName(): string {
    let name = 'File 2'
    for (let i = 3; this.#names.has(name); i++) name = `File ${i}`
    return name
  }

  #addRoot(
    part: Part,
    form: LocatedValue,
    { raw, located }: ReturnType<typeof resolveItems>[number],
    parent: number | undefined,
  ): string {
    if (located.value.kind !== 'dictionary') throw new PdfSyntaxError(remark('form_field_not_a_dictionary'))
    const changes = new Map<string, string>()
    if (parent !== undefined) changes.set('Parent', formatReference(parent))
    for (const key of INHERITED_KEYS) {
      const value = resolveEntry(part.file, form, key)
      if (value.value.kind === 'null' || located.value.entries.has(key)) continue
      // Formatted within a dictionary, so that renamed fonts are replaced here too.
      const entries = new Map([[key, value.value]])
      const text = part.importer.format({ ...value, value: { kind: 'dictionary', entries, duplicateKeys: [], start: 0, end: 0 } })
      changes.set(key, text.slice(`<<${formatName(key)} `.length, -'>>'.length))
    }
    if (raw.kind === 'reference') {
      part.importer.change(raw, changes)
      return part.importer.format({ ...located, value: raw })
    }
    const number = this.#sink.allocate()
    this.#sink.put(number, part.importer.formatWith(located, changes))
    return formatReference(number)
  }

  /** Fonts of the same name may differ: then the later one gets another name. */
  #addFonts(part: Part, form: LocatedValue): void {
    const fonts = resolveEntry(part.file, resolveEntry(part.file, form, 'DR'), 'Font')
    if (fonts.value.kind !== 'dictionary') return
    const renamed = new Map<string, string>()
    for (const [name, value] of fonts.value.entries) {
      const print = fingerprint(part.file, { ...fonts, value })
      let free = name
      for (let i = 2; (this.#fonts.get(free)?.fingerprint ?? print) !== print; i++) free = `${name}.${i}`
      if (free !== name) renamed.set(name, free)
      if (!this.#fonts.has(free)) this.#fonts.set(free, { text: part.importer.format({ ...fonts, value }), fingerprint: print })
    }
    part.fontNames = renamed
  }
}

// The bookmarks and page labels of a joined PDF. ISO 32000-2 §12.3.3, §12.4.2.

const referenceIn = ({ value }: LocatedValue, key: string) => {
  const raw = value.kind === 'dictionary' ? value.entries.get(key) : undefined
  return raw?.kind === 'reference' ? raw : undefined
}

/** One bookmark for each file, with the file's own bookmarks below it. */
class JoinedOutline {
  readonly #sink: ObjectSink
  readonly #root: number
  readonly #items: { number: number; entries: string }[] = []

  constructor(sink: ObjectSink) {
    this.#sink = sink
    this.#root = sink.allocate()
  }

  /** Call before the objects of the part are written. */
  add(part: Part, title: string): void {
    const number = this.#sink.allocate()
    const outline = resolveEntry(part.file, part.catalog, 'Outlines')
    const old = referenceIn(part.catalog, 'Outlines')
    if (old) part.replace(old.number, formatReference(number))
    const [first, last] = [referenceIn(outline, 'First'), referenceIn(outline, 'Last')]
    const target = `/Dest [${formatReference(part.pageNumbers[0] ?? 0)} /XYZ null null null]`
    const entries = [`/Title ${formatTextString(title)}`, target]
    if (first && last) {
      const count = resolveEntry(part.file, outline, 'Count').value
      const visible = naturalNumber(count) ?? 0
      const [from, to] = [first, last].map(value => part.importer.format({ ...outline, value }))
      // Negative: the bookmark is closed.
      entries.push(`/First ${from} /Last ${to} /Count ${-Math.max(1, visible)}`)
    }
    this.#items.push({ number, entries: entries.join(' ') })
  }

  /** Writes it and returns the text of the catalog's entry. */
  put(): string {
    const root = formatReference(this.#root)
    const at = (i: number) => formatReference(this.#items[i]?.number ?? 0)
    this.#items.forEach(({ number, entries }, i) => {
      const before = i > 0 ? ` /Prev ${at(i - 1)}` : ''
      const after = i < this.#items.length - 1 ? ` /Next ${at(i + 1)}` : ''
      this.#sink.put(number, `<< ${entries} /Parent ${root}${before}${after} >>`)
    })
    const count = this.#items.length
    this.#sink.put(this.#root, `<< /Type /Outlines /First ${at(0)} /Last ${at(count - 1)} /Count ${count} >>`)
    return root
  }
}

/** Labels stay as they are; pages of a file without labels are counted in the joined file. */
class JoinedLabels {
  readonly #ranges: string[] = []
  #pages = 0
  #hasLabels = false

  add(part: Part): void {
    const plain = `${this.#pages} << /S /D /St ${this.#pages + 1} >>`
    const own = this.#rangesOf(part)
    this.#hasLabels ||= own.length > 0
    // §12.4.2: the first page of the document must have a range.
    if (!own.some(({ index }) => index === 0)) this.#ranges.push(plain)
    for (const { index, text } of own) this.#ranges.push(`${this.#pages + index} ${text}`)
    this.#pages += part.pageNumbers.length
  }

  /** Undefined if no part has labels. */
  format(): string | undefined {
    return this.#hasLabels ? `<< /Nums [${this.#ranges.join(' ')}] >>` : undefined
  }

  #rangesOf(part: Part): { index: number; text: string }[] {
    const tree = resolveEntry(part.file, part.catalog, 'PageLabels')
    const ranges = [...readTree(part.file, tree, 'Nums')].flatMap(({ key, value }) => {
      const index = naturalNumber(key)
      const isPage = index !== undefined && index < part.pageNumbers.length
      return isPage ? [{ index, text: part.importer.format(value) }] : []
    })
    return ranges.sort((a, b) => a.index - b.index)
  }
}

// The joined file.

/** Object streams need PDF 1.5. The parts of an older version are valid in a newer one. */
const VERSION = '1.7'

/** What joining leaves out, as a noun phrase for the warning. */
function leftOut({ file, catalog, structure }: Part): string[] {
  const has = (key: string) => resolveEntry(file, catalog, key).value.kind !== 'null'
  return [
    ...(has('StructTreeRoot') && structure === undefined ? ['its tags for screen readers'] : []),
    ...(has('OutputIntents') ? ['its colour profile for print'] : []),
    ...(has('Threads') ? ['its article threads'] : []),
  ]
}

function warningsOf(part: Part): PdfWarning[] {
  const names = leftOut(part)
  if (names.length === 0) return []
  return [{ code: 'left_out_by_joining', message: `Joining the files leaves out ${names.join(' and ')}.` }]
}

function hasTags(bytes: Uint8Array): boolean {
  const file = openPdf(bytes)
  return isTagged(file, file.resolve(file.crossReference.trailer.entries.get('Root')))
}

class Joiner {
  readonly #out: NewFile
  readonly #root: number
  readonly #form: JoinedForm
  readonly #layers = new JoinedLayers()
  readonly #outline: JoinedOutline
  readonly #labels = new JoinedLabels()
  readonly #branches: number[] = []
  readonly #hash = createHash('sha256')
  readonly #structure: JoinedStructure | undefined
  #pages = 0

  /** `isTagged`: all parts are. */
  constructor(descriptor: number, isTagged: boolean) {
    this.#out = new NewFile(descriptor, VERSION)
    this.#root = this.#out.allocate()
    this.#form = new JoinedForm(this.#out)
    this.#outline = new JoinedOutline(this.#out)
    this.#structure = isTagged ? new JoinedStructure(this.#out) : undefined
  }

  /** @throws PdfSyntaxError, TooManyPagesError */
  add(bytes: Uint8Array, title: string, maxPages: number): PdfWarning[] {
    const part = new Part(bytes, this.#out, maxPages - this.#pages)
    this.#hash.update(createHash('sha256').update(bytes).digest())
    this.#structure?.add(part)
    this.#form.add(part)
    this.#layers.add(part)
    this.#outline.add(part, title)
    this.#labels.add(part)
    part.putPages(this.#root)
    part.importer.drain()
    this.#branches.push(part.branch)
    this.#pages += part.pageNumbers.length
    return warningsOf(part)
  }

  finish(): number {
    const kids = this.#branches.map(number => formatReference(number)).join(' ')
    this.#out.put(this.#root, `<< /Type /Pages /Count ${this.#pages} /Kids [${kids}] >>`)
    const entries = [
      ...(this.#structure?.put() ?? []),
      ['Pages', formatReference(this.#root)],
      ['Outlines', this.#outline.put()],
      ['AcroForm', this.#form.format()],
      ['OCProperties', this.#layers.format()],
      ['PageLabels', this.#labels.format()],
    ].flatMap(([key, text]) => (text === undefined ? [] : [`/${key} ${text}`]))
    const catalog = this.#out.allocate()
    this.#out.put(catalog, `<< /Type /Catalog ${entries.join(' ')} >>`)
    return this.#out.finish(catalog, this.#hash.digest().subarray(0, 16))
  }
}

/** @throws file system errors */
export function join({ parts, outPath, maxPages }: JoinRequest): JoinResult {
  const descriptor = openSync(outPath, 'wx', 0o600)
  let current: number | undefined
  try {
    const joiner = new Joiner(
      descriptor,
      parts.every(({ path }) => hasTags(readFileSync(path))),
    )
    const warnings = parts.map(({ path, title }, i) => {
      current = i
      return joiner.add(readFileSync(path), title, maxPages)
    })
    current = undefined
    return { verdict: 'joined', bytes: joiner.finish(), warnings }
  } catch (error) {
    if (error instanceof TooManyPagesError) {
      return { verdict: 'refused', part: undefined, violation: violation('files_with_too_many_pages', { max: maxPages }) }
    }
    if (!(error instanceof PdfSyntaxError)) throw error
    return { verdict: 'refused', part: current, violation: violation('pdf_not_joined', { cause: error.message }) }
  } finally {
    closeSync(descriptor)
  }
}

// The request and the result of joining PDFs.

export interface JoinRequest {
  /** In order. Canonical files: each was accepted by the inspection. */
  parts: readonly { path: string; title: string }[]
  /** Must not exist. */
  outPath: string
  maxPages: number
}

/** `part`: the index of the file that the refusal is about. */
export type JoinResult =
  | { verdict: 'joined'; bytes: number /** One list for each part. */; warnings: PdfWarning[][] }
  | { verdict: 'refused'; part: number | undefined; violation: Violation }

// Joins the layers of several PDFs, each as visible as before. ISO 32000-2 §8.11.4.

/** Lists of the default configuration (table 99) whose items of all parts are put together. */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'] as const

function namesOf({ value }: LocatedValue): Set<number> {
  const items: readonly PdfValue[] = value.kind === 'array' ? value.items : []
  return new Set(items.flatMap(item => (item.kind === 'reference' ? [item.number] : [])))
}

class JoinedLayers {
  readonly #groups: string[] = []
  readonly #off: string[] = []
  readonly #lists = new Map<string, string[]>(LISTS.map(key => [key, []]))

  add(part: Part): void {
    const { file, importer } = part
    const properties = resolveEntry(file, part.catalog, 'OCProperties')
    const groups = resolveEntry(file, properties, 'OCGs')
    if (groups.value.kind !== 'array') return
    const standard = resolveEntry(file, properties, 'D')
    const off = namesOf(resolveEntry(file, standard, 'OFF'))
    const on = namesOf(resolveEntry(file, standard, 'ON'))
    const base = resolveEntry(file, standard, 'BaseState').value
    const isOffByDefault = base.kind === 'name' && base.value === 'OFF'
    for (const value of groups.value.items) {
      if (value.kind !== 'reference') continue
      const text = importer.format({ ...groups, value })
      this.#groups.push(text)
      if (off.has(value.number) || (isOffByDefault && !on.has(value.number))) this.#off.push(text)
    }
    for (const [key, texts] of this.#lists) {
      const list = resolveEntry(file, standard, key)
      if (list.value.kind === 'array') for (const value of list.value.items) texts.push(importer.format({ ...list, value }))
    }
  }

  /** Undefined if no part has layers. */
  format(): string | undefined {
    if (this.#groups.length === 0) return undefined
    const lists = [...this.#lists].map(([key, texts]) => `/${key} [${texts.join(' ')}]`)
    const standard = `<< /BaseState /ON /OFF [${this.#off.join(' ')}] ${lists.join(' ')} >>`
    return `<< /OCGs [${this.#groups.join(' ')}] /D ${standard} >>`
  }
}
