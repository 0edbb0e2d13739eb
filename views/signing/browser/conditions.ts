/** Shows and hides entries while others change, by the rule that the server applies. */
import { type ConditionalField, hiddenFields } from '../../../src/core/field/visibility.ts'
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { type FieldData, formatCount, type SigningData } from './data.ts'
import { element } from './element.ts'
import type { Entry } from './entries.ts'

/** Announces nothing between two letters of a word. */
const ANNOUNCED_AFTER_MS = 500

/** The ids of hidden fields. `readValue`: of a field to fill in. */
export function hiddenIds(
  { fields, fixed }: Pick<SigningData, 'fields' | 'fixed'>,
  readValue: (id: string) => string | undefined,
): Set<string> {
  const known = new Map(fixed.map(({ id, value }) => [id, value]))
  const all: ConditionalField[] = [...fixed, ...fields]
  return hiddenFields(all, ({ id }) => (known.has(id) ? known.get(id) : readValue(id)))
}

interface ConditionOptions {
  data: SigningData
  entries: readonly Entry[]
  /** Entries have appeared or disappeared. */
  onChange(changed: Entry[]): void
}

export interface Conditions {
  update(): void
}

/** Applies the conditions at once. A value stays in its entry while that is hidden. */
export function openConditions({ data, entries, onChange }: ConditionOptions): Conditions {
  if (![...data.fields, ...data.fixed].some(({ showIf }) => showIf)) return { update: () => undefined }
  const values = new Map(entries.flatMap(({ name, value }) => (value ? [[name, value]] : [])))
  const hidden = () => hiddenIds(data, id => values.get(`fields.${id}`)?.())
  const announce = openAnnouncements(data)
  const apply = (ids: ReadonlySet<string>): Entry[] => {
    for (const { id } of data.fixed) {
      const given = document.querySelector<HTMLElement>(`[data-given="${id}"]`)
      if (given) given.hidden = ids.has(id)
    }
    const shown = data.fields.filter(({ id }) => !ids.has(id))
    return entries.filter(entry => isChanged(entry, data.fields, shown))
  }
  let current = hidden()
  announce.begin(current)
  onChange(apply(current))
  return {
    update() {
      const next = hidden()
      if (next.size === current.size && [...next].every(id => current.has(id))) return
      current = next
      const changed = apply(current)
      announce.soon(current)
      onChange(changed)
    },
  }
}

/** Returns whether the entry has changed, or the boxes of its mark. */
function isChanged(entry: Entry, all: readonly FieldData[], shown: readonly FieldData[]): boolean {
  const boxes = (fields: readonly FieldData[]) => fields.filter(field => isOfEntry(field, entry)).flatMap(field => field.boxes)
  if (boxes(all).length === 0) return false
  const before = entry.boxes.length
  const own = boxes(shown)
  const wasHidden = entry.isHidden
  entry.boxes.splice(0, before, ...own)
  // The signature is asked of everybody: without a field it is in the audit certificate.
  entry.isHidden = own.length === 0 && entry.name !== 'signature'
  entry.element.hidden = entry.isHidden
  return wasHidden !== entry.isHidden || before !== own.length
}

/** Whether the entry is the one of this field; all fields of a mark have one. */
export function isOfEntry({ id, type }: FieldData, { name }: Entry): boolean {
  return name === type || name === `fields.${id}`
}

/** Announces to screen readers what has appeared and disappeared since the last announcement. */
function openAnnouncements({ fields, texts, lang }: SigningData) {
  const status = element('p', { class: 'unseen', role: 'status', id: 'conditions' })
  // A sheet on a phone shows one entry only, and hides the rest also from screen readers.
  document.body.append(status)
  let announced = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const list = new Intl.ListFormat(lang, { type: 'conjunction' })
  const sentence = (forms: ScriptTexts['appeared'], changed: FieldData[]) =>
    changed.length === 0
      ? []
      : [formatCount(forms, changed.length, lang).replace('{fields}', () => list.format(changed.map(({ label }) => label)))]
  return {
    begin(hidden: Set<string>) {
      announced = hidden
    },
    soon(hidden: Set<string>) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const appeared = fields.filter(({ id }) => announced.has(id) && !hidden.has(id))
        const disappeared = fields.filter(({ id }) => !announced.has(id) && hidden.has(id))
        announced = hidden
        status.textContent = [...sentence(texts.appeared, appeared), ...sentence(texts.disappeared, disappeared)].join(' ')
      }, ANNOUNCED_AFTER_MS)
    },
  }
}
