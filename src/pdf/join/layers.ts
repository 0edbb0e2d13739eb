/** Joins the layers of several PDFs, each as visible as before. ISO 32000-2 §8.11.4. */
import { type LocatedValue, resolveEntry } from '../parser/file.ts'
import type { PdfValue } from '../parser/syntax.ts'
import type { Part } from './part.ts'

/** Lists of the default configuration (table 99) whose items of all parts are put together. */
const LISTS = ['Order', 'RBGroups', 'Locked', 'AS'] as const

function namesOf({ value }: LocatedValue): Set<number> {
  const items: readonly PdfValue[] = value.kind === 'array' ? value.items : []
  return new Set(items.flatMap(item => (item.kind === 'reference' ? [item.number] : [])))
}

export class JoinedLayers {
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
