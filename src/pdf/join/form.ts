/**
 * Joins the forms of several PDFs. ISO 32000-2 §12.7.3, §12.7.4. A field keeps its name unless an
 * earlier file has a field of that name: then its file's fields get a common parent.
 */
import { type LocatedValue, resolveEntry, resolveItems } from '../parser/file.ts'
import { PdfSyntaxError, textOf } from '../parser/syntax.ts'
import type { ObjectSink } from '../writer/import-objects.ts'
import { formatName, formatReference, formatTextString } from '../writer/serialize.ts'
import { fingerprint } from './fingerprint.ts'
import type { Part } from './part.ts'

/** Entries of a form that its fields inherit where they have none of their own (table 224). */
const INHERITED_KEYS = ['DA', 'Q']

export class JoinedForm {
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
    if (located.value.kind !== 'dictionary') throw new PdfSyntaxError('a form field is not a dictionary')
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
