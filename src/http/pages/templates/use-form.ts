/** The form in which a template is used: as shown, as typed, and the use that it means. */
import type { RoleRow, ValueRow } from '../../../../views/templates/template-use.tsx'
import type { Document, Recipient } from '../../../core/document/document.ts'
import { blankRow, type RecipientRow, splitRows } from '../../../core/draft/recipient-rows.ts'
import { type Field, readEntry, validateFieldValue } from '../../../core/field/field.ts'
import { enteredNumber, readEntered } from '../../../core/field/number.ts'
import { nameKey } from '../../../core/field/visibility.ts'
import { LANGUAGES } from '../../../core/language.ts'
import { deviceKeyRuleIn } from '../../../core/signing/device-key.ts'
import type { GivenValue, GivenValues, RoleUse, TemplateUse } from '../../../core/template/template-draft.ts'
import { takesValue, valueName } from '../../../core/template/template-values.ts'
import { cleanLine } from '../../../core/text.ts'
import type { ShownError } from '../../../locales/app.ts'

interface Entered {
  value: string
  isLocked: boolean
}

export interface UseEntries {
  /** One for each role, with its id. */
  people: RecipientRow[]
  /** By the ids of the fields. */
  values: ReadonlyMap<string, Entered>
}

type Form = Record<string, string>

const fieldsOf = ({ senderFields, recipients }: Document) => [
  ...senderFields,
  ...recipients.flatMap(r => r.fields.filter(takesValue)),
]

const blankPeople = ({ recipients }: Document): RecipientRow[] =>
  recipients.map(({ id, role, order }) => ({ ...blankRow(id, order), role }))

/** Before anything was entered. `sender`: whose name and address fill fields of their kind. */
export function blankEntries(template: Document, language: string, sender?: { name: string; email: string }): UseEntries {
  const own = new Map(
    template.senderFields.map(({ id, type }) => [id, type === 'name' || type === 'email' ? sender?.[type] : undefined]),
  )
  return {
    people: blankPeople(template),
    values: new Map(
      fieldsOf(template).map(field => {
        const { id, value = own.get(id) ?? '', readOnly } = field
        return [id, { value: asEntered(field, value, language), isLocked: readOnly }]
      }),
    ),
  }
}

/** As the draft has them that was made before. */
export function entriesOf(template: Document, use: TemplateUse, language: string): UseEntries {
  const { people, values } = blankEntries(template, language)
  const fields = new Map(fieldsOf(template).map(field => [field.id, field]))
  const given = new Map(
    [use.values ?? {}, ...use.recipients.map(person => person.values ?? {})].flatMap(each =>
      Object.entries(each).map(([id, value]) => [id, enteredOf(value, fields.get(id), language)] as const),
    ),
  )
  return {
    people: people.map((row, i) => {
      const { name = '', email = '', locale = '', deliverBy = row.deliverBy, deviceKey = '' } = use.recipients[i] ?? {}
      return { ...row, name, email, locale, deliverBy, deviceKey }
    }),
    values: new Map([...values, ...given]),
  }
}

function enteredOf(given: GivenValue, field: Field | undefined, language: string): Entered {
  const { value, readOnly = true } = typeof given === 'object' ? given : { value: given }
  return { value: field ? asEntered(field, String(value), language) : String(value), isLocked: readOnly }
}

const asEntered = ({ type }: Pick<Field, 'type'>, value: string, language: string): string =>
  type === 'number' ? enteredNumber(value, language) : value

/** Errors of entries that can be read as two different numbers. */
export function unclearNumbers(template: Document, { values }: UseEntries, language: string): ShownError[] {
  return fieldsOf(template).flatMap(field => {
    const entered = values.get(field.id)?.value ?? ''
    if (field.type !== 'number' || !('unclear' in readEntered(entered.trim(), language))) return []
    const result = validateFieldValue(field, entered, { language })
    return 'error' in result ? [{ path: `values.${field.id}`, ...result.error }] : []
  })
}

/** A person may be typed or chosen as a mailbox such as `Ada <ada@example.com>`. */
export function typedEntries(template: Document, form: Form): UseEntries {
  const people = blankPeople(template).map((blank, i) => {
    const text = (member: string) => form[`recipients[${i}].${member}`] ?? ''
    const typed = {
      ...blank,
      name: text('name'),
      email: text('email'),
      locale: LANGUAGES.find(language => language === text('locale')) ?? '',
      accessCode: text('accessCode'),
      removesCode: text('removesCode') === 'on',
      deliverBy: text('deliverBy'),
      deviceKey: text('deviceKey'),
    }
    return splitRows([typed], () => '')[0] ?? typed
  })
  const values = fieldsOf(template).map((field): [string, Entered] => {
    const text = (form[`values.${field.id}`] ?? '').replace(/\r\n?/g, '\n')
    const value = field.type === 'checkbox' ? String(text === 'true') : text
    return [field.id, { value, isLocked: field.readOnly || form[`locked.${field.id}`] === 'on' }]
  })
  return { people, values: new Map(values) }
}

/** What differs from the template. */
export function useOf(template: Document, { people, values: entered }: UseEntries, language: string): TemplateUse {
  const fields = new Map(fieldsOf(template).map(field => [field.id, field]))
  const read = (id: string, value: string) => readEntry(fields.get(id) ?? { type: 'text' }, value, language)
  const values = new Map([...entered].map(([id, each]) => [id, { ...each, value: read(id, each.value) }]))
  return {
    values: givenValues(template.senderFields, values, ({ value }) => value),
    recipients: template.recipients.map((role, i) => personIn(role, people[i], values)),
  }
}

function personIn({ id, fields }: Recipient, row: RecipientRow | undefined, values: UseEntries['values']): RoleUse {
  const { name = '', email = '', locale = '', accessCode = '', deliverBy } = row ?? {}
  const deviceKey = deviceKeyRuleIn(row?.deviceKey)
  return {
    role: id,
    name: cleanLine(name),
    email: email.trim(),
    ...(locale === '' ? {} : { locale }),
    ...(accessCode.trim() === '' ? {} : { accessCode }),
    ...(deliverBy === 'link' ? { deliverBy } : {}),
    ...(deviceKey === undefined ? {} : { deviceKey }),
    values: givenValues(fields.filter(takesValue), values, ({ value, isLocked }) => ({ value, readOnly: isLocked })),
  }
}

function givenValues(
  fields: readonly Field[],
  values: UseEntries['values'],
  give: (entered: Entered) => GivenValue,
): GivenValues {
  const given: GivenValues = {}
  for (const { id, type, value = type === 'checkbox' ? 'false' : '', readOnly } of fields) {
    const entered = values.get(id)
    if (entered && (entered.value !== value || entered.isLocked !== readOnly)) given[id] = give(entered)
  }
  return given
}

/** The rows that the page shows. */
export function rowsOf(template: Document, { people, values }: UseEntries) {
  const all = [template.senderFields, ...template.recipients.map(({ fields }) => fields)].flat()
  const named = (name: string) => all.find(field => field.name !== undefined && nameKey(field.name) === nameKey(name))
  const rowOf = (field: Field): ValueRow => {
    const { value = '', isLocked = field.readOnly } = values.get(field.id) ?? {}
    return { field, value, isLocked, controlling: field.showIf && named(field.showIf.field) }
  }
  const roles = template.recipients.map((role, i): Omit<RoleRow, 'hasCode' | 'languageDefault'> => {
    const row = people[i] ?? blankRow(role.id, role.order)
    return { ...row, role: role.role, roleName: role.name, values: role.fields.filter(takesValue).map(rowOf) }
  })
  return { roles, senderValues: template.senderFields.map(rowOf) }
}

/** Errors name a value by the id, name or label of its field; the page by its id. */
export function pagePath(template: Document, path: string): string {
  const [, , role, name = ''] = /^(recipients\[(\d+)\]\.)?values\.(.*)$/s.exec(path) ?? []
  if (name === '') return path
  const fields = role === undefined ? template.senderFields : (template.recipients[Number(role)]?.fields ?? [])
  const field = fields.find(({ id }) => id === name) ?? fields.find(each => valueName(each) === name)
  return field ? `values.${field.id}` : path
}

/** Keeps the first error of each place. */
export function firstErrors(errors: readonly ShownError[]): ShownError[] {
  return errors.filter(({ path }, i) => errors.findIndex(other => other.path === path) === i)
}
