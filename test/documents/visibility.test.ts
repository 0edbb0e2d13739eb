/** For random conditions: what a person is asked is what is validated, stored and drawn. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Document, type Recipient, recipientOf, send, view } from '../../src/core/document/document.ts'
import { conditionErrors, ownersOf } from '../../src/core/field/conditions.ts'
import { type Field, type FieldType, hasBoxes, isFilledByService, isForSender, isMark } from '../../src/core/field/field.ts'
import { hiddenFields, placedFields, SENDER } from '../../src/core/field/visibility.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { finish, hiddenWith } from '../../src/core/signing/signing.ts'
import { fieldAppearances } from '../../src/documents/signing/marks.ts'
import { actOf, draftOf, field, NOW, recipient } from '../core/sample.ts'

const ANSWERS: Partial<Record<FieldType, readonly [string, string]>> = {
  checkbox: ['true', 'false'],
  radio: ['A', 'B'],
  dropdown: ['A', 'B'],
  text: ['x', 'y'],
  number: ['1', '2.50'],
}
const TYPES: FieldType[] = [
  'checkbox',
  'radio',
  'dropdown',
  'text',
  'number',
  'paragraph',
  'signature',
  'initials',
  'date',
  'name',
]
const OWNERS = [SENDER, 'rcp_ada', 'rcp_ben', 'rcp_cleo']
const MAX_FIELDS = 12
/** Sent for every hidden field: it must be nowhere afterwards. */
const SECRET = 'NEVER-ASKED'

const plans = fc.record({
  signingOrder: fc.constantFrom('parallel' as const, 'sequential' as const),
  orders: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
  fields: fc.array(
    fc.record({
      owner: fc.nat(OWNERS.length - 1),
      type: fc.constantFrom(...TYPES),
      condition: fc.option(fc.record({ on: fc.nat(MAX_FIELDS - 1), answer: fc.nat(1) }), { nil: undefined, freq: 5 }),
      answer: fc.nat(1),
      required: fc.boolean(),
      readOnly: fc.boolean(),
    }),
    { minLength: 1, maxLength: MAX_FIELDS },
  ),
})
type Plan = ReturnType<typeof plans.generate>['value']
type PlannedField = Plan['fields'][number]

const typeOf = ({ owner, type }: PlannedField): FieldType => (owner === 0 && !isForSender(type) ? 'text' : type)
/** Every field has a column of its own: a drawing is that of the field with its x. */
const columnOf = (index: number) => index * 4

function fieldOf(planned: PlannedField, index: number, all: readonly PlannedField[]): Field {
  const type = typeOf(planned)
  const { condition, owner } = planned
  const on = condition && all[condition.on % all.length]
  const isFixed = owner === 0 || (planned.readOnly && !isMark(type) && !isFilledByService(type))
  const box = { page: 1, x: columnOf(index), width: 3, height: 2 }
  return field({
    type,
    ...box,
    id: `fld_${index}`,
    name: `n${index}`,
    label: `n${index}`,
    required: planned.required,
    readOnly: isFixed,
    value: isFixed ? answerOf(type, planned.answer) : undefined,
    options: type === 'radio' || type === 'dropdown' ? ['A', 'B'] : [],
    boxes: hasBoxes(type) ? [10, 20].map(y => ({ ...box, y })) : [],
    showIf: on && { field: `N${condition.on % all.length}`, is: (ANSWERS[typeOf(on)] ?? ['', ''])[condition.answer] ?? '' },
  })
}

function answerOf(type: FieldType, answer: number): string {
  if (type === 'date') return '2026-12-01'
  return ANSWERS[type]?.[answer] ?? `value ${answer}`
}

function documentOf({ fields, orders, signingOrder }: Plan): Document {
  const made = fields.map((planned, i) => fieldOf(planned, i, fields))
  const of = (owner: number) => made.filter((_, i) => fields[i]?.owner === owner)
  const person = (owner: number) => recipient(OWNERS[owner] ?? '', 'signer', { order: orders[owner - 1] ?? 1, fields: of(owner) })
  return withoutInvalid(draftOf({ signingOrder, senderFields: of(0), recipients: [person(1), person(2), person(3)] }))
}

/** Drops the conditions that the service would refuse. */
function withoutInvalid(document: Document): Document {
  const [error] = conditionErrors(ownersOf(document), document.signingOrder)
  if (error === undefined) return document
  const owners = [document.senderFields, ...document.recipients.map(({ fields }) => fields)].map((fields, owner) =>
    fields.map((each, i) => (owner === error.owner && i === error.field ? { ...each, showIf: undefined } : each)),
  )
  const [senderFields = [], ...rest] = owners
  const recipients = document.recipients.map((r, i) => ({ ...r, fields: rest[i] ?? [] }))
  return withoutInvalid({ ...document, senderFields, recipients })
}

interface Signed {
  document: Document
  events: unknown[]
  /** The ids of the fields that people were asked. */
  asked: Set<string>
}

/** The person enters values for all fields, also for those that the page does not show. */
function sign({ document, events, asked }: Signed, id: string, entered: Record<string, string>): Signed {
  const viewed = view(document, id, NOW).document
  const person = recipientOf(viewed, id)
  const hidden = hiddenWith(viewed, person, entered)
  const own = person.fields.filter(({ id: fieldId }) => !hidden.has(fieldId))
  const values = { ...entered, ...Object.fromEntries(person.fields.filter(f => hidden.has(f.id)).map(f => [f.id, SECRET])) }
  expect(hiddenWith(viewed, person, values)).toEqual(hidden)

  const asks = own.filter(f => f.required && !f.readOnly && !isMark(f.type) && !isFilledByService(f.type))
  const unticked = own.filter(f => f.type === 'checkbox' && f.required && !f.readOnly && values[f.id] !== 'true')
  const empty = Object.fromEntries(Object.keys(values).map(key => [key, '']))
  if (asks.length > 0) {
    // Without any entry: other fields may be shown then, but what is missed was asked.
    const refused = missing(viewed, person, empty)
    const shown = hiddenWith(viewed, person, empty)
    for (const path of refused) expect(shown.has(path.replace('fields.', ''))).toBe(false)
  }
  expect(missing(viewed, person, values).sort()).toEqual(unticked.map(f => `fields.${f.id}`).sort())
  if (unticked.length > 0) throw new UntickedError()
  const done = finish(viewed, id, actOf({ values }), NOW)
  return {
    document: done.document,
    events: [...events, ...done.events],
    asked: new Set([...asked, ...own.map(f => f.id)]),
  }
}

/** A required box was not ticked, so this person cannot sign. */
class UntickedError extends Error {}

function missing(document: Document, { id }: Recipient, values: Record<string, string>): string[] {
  try {
    finish(document, id, actOf({ values }), NOW)
    return []
  } catch (error) {
    if (error instanceof Refusal) return error.details.map(({ path }) => path)
    throw error
  }
}

/** The ids of the fields that the sealed file shows. */
function drawnFields(document: Document): Set<string> {
  const drawing = () => ({ kind: 'signature', text: 'A' }) as const
  const drawings = { mark: drawing, image: drawing }
  const drawn = fieldAppearances(document, document.recipients, drawings, 'en-GB')
  expect(new Set(drawn.map(({ box }) => box.x)).size).toBe(drawn.length)
  return new Set(drawn.map(({ box }) => `fld_${box.x / 4}`))
}

const isDrawn = ({ type, value }: Field) => (type === 'checkbox' ? value === 'true' : value !== undefined)

test('what is asked is what is validated, what is stored and what is drawn', () => {
  let signedByAll = 0
  fc.assert(
    fc.property(plans, plan => {
      const draft = documentOf(plan)
      const entered = Object.fromEntries(plan.fields.map((f, i) => [`fld_${i}`, answerOf(typeOf(f), f.answer)]))
      const sent = send(draft, NOW)
      const people = [...draft.recipients].sort((a, b) => a.order - b.order)
      let signed: Signed = { document: sent.document, events: sent.events, asked: new Set() }
      try {
        for (const { id } of people) signed = sign(signed, id, entered)
      } catch (error) {
        if (error instanceof UntickedError) return
        throw error
      }
      signedByAll++
      const { document, events, asked } = signed
      expect(document.status).toBe('sealing')
      const placed = placedFields(document)
      const hidden = hiddenFields(
        placed.map(each => each.field),
        ({ value }) => value,
      )
      const shown = placed.filter(({ field: { id }, recipientId }) => (recipientId === SENDER ? !hidden.has(id) : asked.has(id)))
      // Of the values at the end, the same fields are shown as each person was asked.
      expect(new Set(shown.map(each => each.field.id))).toEqual(
        new Set(placed.map(each => each.field.id).filter(id => !hidden.has(id))),
      )
      expect(drawnFields(document)).toEqual(new Set(shown.filter(each => isDrawn(each.field)).map(each => each.field.id)))
      expect(JSON.stringify([document, events])).not.toContain(SECRET)
    }),
    { numRuns: 3000 },
  )
  expect(signedByAll).toBeGreaterThan(1000)
})
