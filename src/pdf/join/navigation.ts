/** The bookmarks and page labels of a joined PDF. ISO 32000-2 §12.3.3, §12.4.2. */
import { type LocatedValue, resolveEntry } from '../parser/file.ts'
import type { ObjectSink } from '../writer/import-objects.ts'
import { formatReference, formatTextString } from '../writer/serialize.ts'
import type { Part } from './part.ts'
import { naturalNumber, readTree } from './trees.ts'

const referenceIn = ({ value }: LocatedValue, key: string) => {
  const raw = value.kind === 'dictionary' ? value.entries.get(key) : undefined
  return raw?.kind === 'reference' ? raw : undefined
}

/** One bookmark for each file, with the file's own bookmarks below it. */
export class JoinedOutline {
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
export class JoinedLabels {
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
