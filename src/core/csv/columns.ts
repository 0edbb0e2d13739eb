/** The columns that a template can be filled from, and which of them a file has. Pure. */
import type { Document } from '../document/document.ts'
import { type Field, isForSender, isPrefillable, needsValue } from '../field/field.ts'
import { SENDER } from '../field/visibility.ts'
import type { AppLanguage } from '../language.ts'
import { EMAIL_WORDS, NAME_WORDS, plainWord, TITLE_WORDS } from './words.ts'

/** What of a template its columns are made of. */
export type TemplateForm = Pick<Document, 'senderFields'> & {
  recipients: readonly { id: string; name: string; fields: readonly Field[] }[]
}

export interface Column {
  /** `rol_….name`, `rol_….email`, `rol_….fld_…`, `sender.fld_…` or `title`. */
  key: string
  /** Undefined: the sender, or the document. */
  role: { id: string; name: string } | undefined
  part: 'name' | 'email' | 'title' | Field
  /** The ids of the fields that it fills: those that are called alike. */
  fields: readonly string[]
  /** An empty cell of it is an error. */
  isRequired: boolean
}

/** Of the document. A list need not have it: the template has a title. */
export const TITLE: Column = { key: 'title', role: undefined, part: 'title', fields: [], isRequired: false }

/** In place of a column's key: the file's column is left out on purpose. */
export const IGNORED = 'ignored'

/** For each column of the file the key of the template's column, or `IGNORED`. */
export type Mapping = readonly (string | undefined)[]

/** A field without a name and a label cannot be filled from a file. */
export function nameOf({ name, label }: Pick<Field, 'name' | 'label'>): string | undefined {
  return name ?? label
}

/** The list to fill in has these: the people, then the fields of each, then those of the sender. */
export function columnsOf({ recipients, senderFields }: TemplateForm): Column[] {
  const people = recipients.flatMap(({ id, name }) =>
    (['name', 'email'] as const).map(part => {
      return { key: `${id}.${part}`, role: { id, name }, part, fields: [], isRequired: true }
    }),
  )
  const own = recipients.flatMap(({ id, name, fields }) =>
    fieldColumns(
      { id, name },
      fields.filter(({ type }) => isPrefillable(type)),
    ),
  )
  const senders = senderFields.filter(({ type }) => isForSender(type)).map(field => ({ ...field, readOnly: true }))
  return [...people, ...own, ...fieldColumns(undefined, senders)]
}

/** What a column of a file can be for: also what the list to fill in does not ask for. */
export const allColumnsOf = (template: TemplateForm): Column[] => [...columnsOf(template), TITLE]

/** Fields of one owner that are called alike get the same value, as a sum that occurs twice. */
function fieldColumns(role: Column['role'], fields: readonly Field[]): Column[] {
  const named = fields.filter(field => nameOf(field) !== undefined)
  const groups = Map.groupBy(named, field => JSON.stringify([nameOf(field), field.type]))
  return [...groups.values()].map(alike => ({
    key: `${role?.id ?? SENDER}.${alike[0]!.id}`,
    role,
    part: alike[0]!,
    fields: alike.map(({ id }) => id),
    isRequired: alike.some(field => needsValue(field) && field.value === undefined),
  }))
}

const WORDS: Record<AppLanguage, { name: string; email: string; title: string }> = {
  en: { name: 'name', email: 'e-mail', title: 'document title' },
  de: { name: 'Name', email: 'E-Mail', title: 'Titel des Dokuments' },
}

/** As it is called in the template file and shown on the page. `isAlone`: of the only role. */
export function columnTitle({ role, part }: Column, language: AppLanguage, isAlone: boolean): string {
  const word = typeof part === 'string' ? WORDS[language][part] : (nameOf(part) ?? '')
  return role === undefined || isAlone ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : `${role.name} ${word}`
}

/** A header without text is called as the spreadsheet calls its column. */
export function headerTitle(header: readonly string[], index: number): string {
  return header[index] || letterOf(index)
}

function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last
}

/** The column that a download of rows with errors has beside those of the file. */
export const ERROR_TITLES: Record<AppLanguage, string> = { en: 'Error', de: 'Fehler' }
const OWN_TITLES: ReadonlySet<string> = new Set(Object.values(ERROR_TITLES).map(plainWord))

/**
 * Compares without case, accents, blanks and punctuation, in any language of recipients. `chosen`:
 * by position; a key that was chosen is not given to another column.
 */
export function matchColumns(
  header: readonly string[],
  template: TemplateForm,
  chosen: Readonly<Record<string, string>> = {},
): Mapping {
  const columns = allColumnsOf(template)
  const keys = new Set([...columns.map(({ key }) => key), IGNORED])
  const choices = header.map((_, i) => (keys.has(chosen[i] ?? '') ? chosen[i] : undefined))
  const isTaken = new Set(choices)
  const { qualified, bare } = aliases(columns, template.recipients.length === 1)
  return header.map((title, i) => {
    if (choices[i] !== undefined) return choices[i]
    const word = plainWord(title)
    const exact = qualified.get(word)?.find(key => !isTaken.has(key))
    const candidates = bare.get(word) ?? []
    const key = exact ?? (candidates.length === 1 ? candidates.find(one => !isTaken.has(one)) : undefined)
    if (key !== undefined) isTaken.add(key)
    return key ?? (OWN_TITLES.has(word) ? IGNORED : undefined)
  })
}

/** `bare`: without the role, which is clear only where one column is called so. */
function aliases(columns: readonly Column[], isAlone: boolean) {
  const qualified = new Map<string, string[]>()
  const bare = new Map<string, string[]>()
  const add = (map: Map<string, string[]>, word: string, key: string) => map.set(word, [...(map.get(word) ?? []), key])
  for (const column of columns)
    for (const word of wordsOf(column.part)) {
      for (const name of qualifiedNames(column, word, isAlone)) add(qualified, name, column.key)
      add(bare, word, column.key)
    }
  return { qualified, bare }
}

function qualifiedNames({ role, part }: Column, word: string, isAlone: boolean): Iterable<string> {
  // A field that is called "Title" goes before the title of the document.
  if (part === 'title') return []
  if (role === undefined) return [word]
  const owner = plainWord(role.name)
  return new Set([owner + word, word + owner, ...(isAlone ? [word] : [])])
}

function wordsOf(part: Column['part']): Iterable<string> {
  if (part === 'name') return NAME_WORDS
  if (part === 'email') return EMAIL_WORDS
  if (part === 'title') return TITLE_WORDS
  return new Set([part.name, part.label].flatMap(text => (text === undefined ? [] : plainWord(text))))
}
