/** Names and conditions of fields: what is refused, and what a person is asked. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Document } from '../../src/core/document/document.ts'
import { type ConditionError, conditionErrors, ownersOf } from '../../src/core/field/conditions.ts'
import type { Field } from '../../src/core/field/field.ts'
import { hiddenFields } from '../../src/core/field/visibility.ts'
import { hiddenWith } from '../../src/core/signing/signing.ts'
import { actOf, after, draftOf, field, finished, NOW, recipient, refusalOf, sent, viewed } from './sample.ts'

const codes = (document: Document): ConditionError['code'][] =>
  conditionErrors(ownersOf(document), document.signingOrder).map(({ code }) => code)

const box = (overrides: Partial<Field>) => field({ type: 'checkbox', required: false, ...overrides })
const text = (overrides: Partial<Field>) => field({ type: 'text', ...overrides })

describe('a condition', () => {
  const married = box({ id: 'fld_married', name: 'Married' })
  const spouse = text({ id: 'fld_spouse', showIf: { field: 'married', is: 'true' } })
  const of = (fields: Field[], overrides: Partial<Document> = {}) =>
    draftOf({ recipients: [recipient('ada', 'signer', { fields })], ...overrides })

  test('may name a field of the same person, whatever the case of its letters', () => {
    expect(codes(of([married, spouse]))).toEqual([])
  })

  test('is refused without such a field, of a kind that has no single answer, or for an impossible value', () => {
    expect(codes(of([spouse]))).toEqual(['unknown'])
    expect(codes(of([{ ...married, type: 'signature' }, spouse]))).toEqual(['wrong_kind'])
    expect(codes(of([married, { ...spouse, showIf: { field: 'Married', is: 'yes' } }]))).toEqual(['not_a_choice'])
  })

  test('is refused if it depends on itself', () => {
    const a = text({ id: 'fld_a', name: 'a', showIf: { field: 'b', is: '1' } })
    const b = text({ id: 'fld_b', name: 'b', showIf: { field: 'a', is: '1' } })
    expect(codes(of([a, b]))).toEqual(['circular', 'circular'])
    expect(codes(of([{ ...a, showIf: { field: 'a', is: '1' } }]))).toEqual(['circular'])
  })

  test('may name a field of another person only if its value is known by then', () => {
    const people = (order: 'parallel' | 'sequential', first: Partial<Field> = {}) =>
      draftOf({
        signingOrder: order,
        recipients: [
          recipient('ada', 'signer', { order: 1, fields: [{ ...married, ...first }] }),
          recipient('ben', 'signer', { order: 2, fields: [spouse] }),
        ],
      })
    expect(codes(people('parallel'))).toEqual(['not_known_yet'])
    expect(codes(people('sequential'))).toEqual([])
    expect(codes(people('parallel', { readOnly: true, value: 'true' }))).toEqual([])
    expect(codes(of([spouse], { senderFields: [married] }))).toEqual([])
  })

  test('may name a fixed value only if it is known by then whether that field is shown', () => {
    const fixed = text({ id: 'fld_fixed', name: 'fixed', readOnly: true, value: 'x', showIf: { field: 'married', is: 'true' } })
    const dependent = text({ id: 'fld_dependent', showIf: { field: 'fixed', is: 'x' } })
    const people = (order: 'parallel' | 'sequential') =>
      draftOf({
        signingOrder: order,
        recipients: [
          recipient('ada', 'signer', { order: 1, fields: [married, fixed] }),
          recipient('ben', 'signer', { order: 2, fields: [dependent] }),
        ],
      })
    expect(codes(people('parallel'))).toEqual(['not_known_yet'])
    expect(codes(people('sequential'))).toEqual([])
  })

  test('has names that are unique in the document', () => {
    expect(codes(of([married], { senderFields: [box({ id: 'fld_other', name: 'MARRIED' })] }))).toEqual(['name_in_use'])
  })
})

describe('a hidden field', () => {
  const choice = field({ type: 'radio', name: 'Pay', options: ['card', 'bill'], boxes: [place(10), place(20)] })
  const iban = text({ id: 'fld_iban', showIf: { field: 'Pay', is: 'bill' } })
  const initials = field({ type: 'initials', showIf: { field: 'Pay', is: 'bill' } })
  const open = after(
    draftOf({ recipients: [recipient('ada', 'signer', { fields: [choice, iban, initials] })] }),
    sent(),
    viewed('ada'),
  )

  function place(y: number) {
    return { page: 1, x: 10, y, width: 3, height: 2 }
  }

  const valuesAfter = (values: Record<string, string>, marks = actOf().marks) =>
    after(open, finished('ada', NOW, actOf({ values, marks }))).recipients[0]?.fields.map(({ value }) => value)

  test('is not required, and a value sent for it is not stored', () => {
    const marks = { ...actOf().marks, initials: undefined }
    expect(valuesAfter({ fld_radio: 'card', fld_iban: 'DE12' }, marks)).toEqual(['card', undefined, undefined])
  })

  test('is required once it is shown', () => {
    expect(valuesAfter({ fld_radio: 'bill', fld_iban: 'DE12' })).toEqual(['bill', 'DE12', 'AL'])
    const { details } = refusalOf(() => finished('ada', NOW, actOf({ values: { fld_radio: 'bill' } }))(open))
    expect(details.map(({ path }) => path)).toEqual(['fields.fld_iban'])
  })
})

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']
const graphs = fc.array(
  fc.record({
    showIf: fc.option(fc.record({ field: fc.constantFrom(...NAMES), is: fc.constantFrom('true', 'false') }), { nil: undefined }),
    value: fc.boolean(),
    required: fc.boolean(),
  }),
  { minLength: 1, maxLength: NAMES.length },
)

test('for every graph of conditions: what is asked is what is validated, and only that is stored', () => {
  fc.assert(
    fc.property(graphs, graph => {
      const fields = graph.map(({ showIf, required }, i) => box({ id: `fld_${NAMES[i]}`, name: NAMES[i], showIf, required }))
      const draft = draftOf({ recipients: [recipient('ada', 'signer', { fields })] })
      if (codes(draft).length > 0) return
      const values: Record<string, string> = Object.fromEntries(graph.map(({ value }, i) => [`fld_${NAMES[i]}`, String(value)]))
      const open = after(draft, sent(), viewed('ada'))
      const [ada] = open.recipients
      if (ada === undefined) throw new Error('no recipient')
      const hidden = hiddenWith(open, ada, values)
      const unticked = fields.filter(f => !hidden.has(f.id) && f.required && values[f.id] === 'false').map(f => `fields.${f.id}`)
      const finish = () => after(open, finished('ada', NOW, actOf({ values })))
      if (unticked.length > 0) {
        expect(refusalOf(finish).details.map(({ path }) => path)).toEqual(unticked)
        return
      }
      const signed = finish().recipients[0]?.fields ?? []
      expect(signed.filter(({ value }) => value === undefined).map(({ id }) => id)).toEqual([...hidden])
      // Later, from the stored values alone, the same fields are hidden.
      expect(hiddenFields(signed, ({ value }) => value)).toEqual(hidden)
    }),
    { numRuns: 2000 },
  )
})

test('a circle of conditions ends, and hides its fields', () => {
  const fields = ['a', 'b'].map((name, i) => box({ id: `fld_${name}`, name, showIf: { field: i === 0 ? 'b' : 'a', is: 'true' } }))
  expect(hiddenFields(fields, () => 'true').size).toBe(2)
})
