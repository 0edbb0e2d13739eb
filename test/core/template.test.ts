/** A document made from a template has its fields and the given values, nothing else. */
import { expect, test } from 'bun:test'
import { createDraft } from '../../src/core/document/create-document.ts'
import type { Document } from '../../src/core/document/document.ts'
import { FIELD_TYPES, type Field, type FieldType, isForSender, isMark, isPrefillable } from '../../src/core/field/field.ts'
import type { NewField } from '../../src/core/field/new-field.ts'
import { createTemplate, type NewTemplate } from '../../src/core/template/create-template.ts'
import { newDocumentFrom, pathInUse } from '../../src/core/template/template.ts'
import type { TemplateUse } from '../../src/core/template/template-draft.ts'
import { fillPlaceholders, unknownPlaceholders } from '../../src/core/template/template-texts.ts'
import { frozen, NOW, ORIGINAL } from './sample.ts'

/** A generator of the same numbers for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const FILE = { pageCount: 3, sha256Original: ORIGINAL, sha256Uploaded: undefined }

function counted() {
  let count = 0
  return (prefix: string) => `${prefix}_${String(++count).padStart(26, '0')}`
}

const VALUES: Partial<Record<FieldType, string>> = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  text: 'some text',
  paragraph: 'two\nlines',
  number: '12.5',
  checkbox: 'true',
  dropdown: 'b',
  radio: 'a',
  date: '2027-01-31',
}

function fieldOf(random: (below: number) => number, type: FieldType, name: string): NewField {
  const box = { page: 1 + random(3), x: random(70), y: random(90), width: 5 + random(20), height: 2 + random(5) }
  const isRadio = type === 'radio'
  const options = isRadio
    ? ['a', 'b'].map(value => ({ value, ...box, page: 1 + random(3) }))
    : type === 'dropdown'
      ? ['a', 'b']
      : undefined
  return {
    type,
    name,
    ...(isRadio ? {} : box),
    ...(options ? { options } : {}),
    ...(random(2) ? { label: `Label ${name}` } : {}),
    ...(random(2) ? { required: false } : {}),
    ...(type === 'number' && random(2) ? { min: 1, max: 100 } : {}),
  }
}

function templateOf(seed: number): Document {
  const random = randomOf(seed)
  const some = (owner: string, types: readonly FieldType[]) =>
    Array.from({ length: random(6) }, (_, i) => fieldOf(random, types[random(types.length)] ?? 'text', `${owner} ${i}`))
  const input: NewTemplate = {
    fileName: 'a.pdf',
    title: 'Of {{Role 0}}',
    signingOrder: random(2) ? 'sequential' : 'parallel',
    expiresInDays: 1 + random(300),
    reminders: random(2) ? null : { firstAfterDays: 1 + random(5), everyDays: 2, max: 3 },
    allowDelegation: random(2) === 1,
    ...(random(2) ? { redirectUrl: 'https://example.com/', locale: 'fr', metadata: { a: 'b' }, labels: ['l'] } : {}),
    senderFields: some('sender', FIELD_TYPES.filter(isForSender)),
    roles: Array.from({ length: 1 + random(3) }, (_, i) => ({
      name: `Role ${i}`,
      order: 1 + random(3),
      ...(random(2) ? { locale: 'de' } : {}),
      fields: some(`role ${i}`, FIELD_TYPES),
    })),
  }
  return frozen(createTemplate(input, 'usr_1', FILE, { newId: counted(), now: NOW }).document)
}

/** Values for all that take one, with how the document must show them. */
function useOf(template: Document, seed: number): { use: TemplateUse; expected: Map<string, Partial<Field>> } {
  const random = randomOf(seed)
  const expected = new Map<string, Partial<Field>>()
  const values = (fields: Field[], isSender: boolean) =>
    Object.fromEntries(
      fields.flatMap(({ id, type, name = '' }) => {
        const value = VALUES[type]
        const isGiven = isSender || (isPrefillable(type) && random(2) === 1)
        if (value === undefined || !isGiven) return []
        const readOnly = isSender || random(2) === 1
        expected.set(id, { value, readOnly })
        return [[random(2) ? name : name.toUpperCase(), isSender ? value : { value, readOnly }] as const]
      }),
    )
  const recipients = template.recipients.map(({ id, name, fields }, i) => ({
    role: random(2) ? id : name.toLowerCase(),
    email: `p${i}@example.com`,
    name: `Person ${i}`,
    values: values(fields, false),
  }))
  if (random(2)) recipients.reverse()
  return { use: { recipients, values: values(template.senderFields, true) }, expected }
}

test('for 300 random templates and uses', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const template = templateOf(seed)
    const { use, expected } = useOf(template, seed)
    const deps = { newId: counted(), hashAccessCode: () => '', now: NOW }
    const { document } = createDraft(newDocumentFrom(template, frozen(use)), 'usr_2', template, deps)
    const withGiven = ({ id, ...field }: Field) => ({ ...field, ...expected.get(id) })
    const withoutId = ({ id: _, ...field }: Field) => field
    expect(document.senderFields.map(withoutId)).toEqual(template.senderFields.map(withGiven))
    expect(document.recipients.map(r => r.fields.map(withoutId))).toEqual(template.recipients.map(r => r.fields.map(withGiven)))
    expect(document.recipients.map(({ role, order, locale }) => ({ role, order, locale }))).toEqual(
      template.recipients.map(({ role, order, locale }) => ({ role, order, locale })),
    )
    expect(document.recipients.map(({ email }) => email)).toEqual(template.recipients.map((_, i) => `p${i}@example.com`))
    const { id, ownerId, status, title, senderFields, recipients, isShared, ...own } = document
    const { id: _, ownerId: __, status: ___, title: ____, senderFields: a, recipients: b, isShared: c, ...theirs } = template
    expect([own, status, ownerId, title, isShared]).toEqual([theirs, 'draft', 'usr_2', 'Of Person 0', false])
    const ids = [...senderFields, ...recipients.flatMap(r => r.fields)].map(field => field.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(recipients.every(r => r.id.startsWith('rcp_')) && id.startsWith('doc_')).toBe(true)
  }
})

test('a path of the request is that of the person and the name of the field', () => {
  const template = templateOf(7)
  const { use } = useOf(template, 7)
  template.recipients.forEach((role, i) => {
    const at = use.recipients.findIndex(({ role: name }) => name === role.id || name === role.name.toLowerCase())
    expect(pathInUse(template, use, `recipients[${i}].email`)).toBe(`recipients[${at}].email`)
    role.fields.forEach(({ name }, j) => {
      const path = `recipients[${at}].values.${name}`
      expect(pathInUse(template, use, `recipients[${i}].fields[${j}].value`)).toBe(path)
    })
  })
  expect(pathInUse(template, use, 'title')).toBe('title')
})

test('placeholders ignore case and blanks; a value is not searched for placeholders again', () => {
  const texts = new Map([
    ['tenant', '{{rent}}'],
    ['rent', '5'],
  ])
  expect(fillPlaceholders('{{ Tenant }} {{RENT}} {{other}} {{}} {{a{b}}', texts)).toBe('{{rent}} 5 {{other}} {{}} {{a{b}}')
})

test('placeholders that nothing answers are found, marks are never given a value', () => {
  const template = { ...templateOf(3), title: '{{role 0}} {{Role 0.email}} {{Roll 0}}', message: '{{sender 0}}{{nobody}}' }
  const hasSender = template.senderFields.length > 0
  expect(unknownPlaceholders(template)).toEqual(['Roll 0', ...(hasSender ? [] : ['sender 0']), 'nobody'])
  expect(FIELD_TYPES.filter(type => isMark(type) && isPrefillable(type))).toEqual([])
})

test('the value of a field that is hidden appears neither in the title nor in the message', () => {
  const box = { page: 1, x: 1, y: 1, width: 10, height: 3 }
  const fields: NewField[] = [
    { type: 'checkbox', name: 'Bonus', readOnly: true, ...box },
    { type: 'text', name: 'Amount', readOnly: true, showIf: { field: 'Bonus', is: 'true' }, ...box },
  ]
  const texts = { title: 'Contract {{Amount}}', message: 'Bonus: {{amount}}.' }
  const input = { fileName: 'a.pdf', roles: [{ name: 'Tenant', fields }], ...texts }
  const { document: template } = createTemplate(input, undefined, FILE, { newId: counted(), now: NOW })
  const made = (Bonus: boolean) => {
    const person = { role: 'tenant', email: 'a@example.com', name: 'Anna', values: { Bonus, Amount: '5,000 EUR' } }
    return newDocumentFrom(template, { recipients: [person] })
  }
  expect(made(true)).toMatchObject({ title: 'Contract 5,000 EUR', message: 'Bonus: 5,000 EUR.' })
  expect(made(false)).toMatchObject({ title: 'Contract', message: 'Bonus: .' })
})

test('a value for each of 1,000 fields reads each field a few times, not once for each other field', () => {
  const fields = Array.from({ length: 1000 }, (_, i): NewField => {
    return { type: 'text', name: `Entry ${i}`, label: `Label ${i}`, page: 1, x: 1, y: 1, width: 10, height: 3 }
  })
  const input = { fileName: 'a.pdf', roles: [{ name: 'Tenant', fields }] }
  const { document: template } = createTemplate(input, undefined, FILE, { newId: counted(), now: NOW })
  let reads = 0
  for (const field of template.recipients[0]?.fields ?? []) {
    const { name } = field
    const get = () => {
      reads++
      return name
    }
    Object.defineProperty(field, 'name', { enumerable: true, get })
  }
  const values = Object.fromEntries(fields.map(({ name = '' }, i) => [name, `value ${i}`]))
  newDocumentFrom(template, { recipients: [{ role: 'tenant', email: 'a@example.com', name: 'Anna', values }] })
  expect(reads).toBeGreaterThan(0)
  expect(reads / fields.length).toBeLessThan(20)
})
