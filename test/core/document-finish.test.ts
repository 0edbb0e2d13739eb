/** Signing: who may, what is refused, what is written. */
import { describe, expect, test } from 'bun:test'
import { daysAfter, recipientOf as find, recipientOf } from '../../src/core/document/document.ts'
import { DEFAULT_MAX_LENGTH } from '../../src/core/field/field.ts'
import { finish } from '../../src/core/signing/signing.ts'
import { englishOf } from '../../src/locales/violations.ts'
import {
  actOf,
  after,
  draftOf,
  field,
  finished,
  frozen,
  NOW,
  ORIGINAL,
  pathsOf,
  recipient,
  refusalOf,
  sent,
  typed,
  viewed,
} from './sample.ts'

const marks = (signature = 'Ada Lovelace', initials = 'AL') => ({ signature: typed(signature), initials: typed(initials) })

const FIELDS = [
  field({ type: 'signature' }),
  field({ type: 'initials' }),
  field({ type: 'date' }),
  field({ type: 'name', label: 'Full name' }),
  field({ type: 'number', required: false }),
  field({ type: 'checkbox', required: false }),
  field({ type: 'dropdown', options: ['Monthly', 'Yearly'] }),
  field({ type: 'text', readOnly: true, value: 'Flat 3' }),
]
const VALUES = { fld_name: 'Ada King', fld_dropdown: 'Yearly' }

function opened(fields = FIELDS) {
  return after(
    draftOf({ recipients: [recipient('ada', 'signer', { fields }), recipient('ben', 'approver')] }),
    sent(),
    viewed('ada'),
  )
}

describe('what a signature writes', () => {
  const step = finish(opened(), 'ada', actOf({ values: VALUES }), NOW)
  const ada = recipientOf(step.document, 'ada')

  test('no entry of its own for the consent while a node of the release before may print it', () => {
    const alone = finish(opened(), 'ada', { ...actOf({ values: VALUES }), isConsentUnlisted: true }, NOW)
    expect(alone.events).toEqual(step.events.slice(1))
    expect(alone.document).toEqual(step.document)
  })

  test('the mark, the time and the consent', () => {
    expect(ada).toMatchObject({
      status: 'signed',
      signedAt: NOW,
      signature: typed('Ada Lovelace'),
      consentVersion: '1',
      consentSha256: 'd'.repeat(64),
    })
    expect(ada.nextReminderAt).toBeUndefined()
    expect(recipientOf(step.document, 'ben').status).toBe('sent')
  })

  test('every field: entered marks, the date, and read-only values of the sender', () => {
    expect(Object.fromEntries(ada.fields.map(f => [f.type, f.value]))).toEqual({
      signature: 'Ada Lovelace',
      initials: 'AL',
      date: '2026-11-20',
      name: 'Ada King',
      number: undefined,
      checkbox: 'false',
      dropdown: 'Yearly',
      text: 'Flat 3',
    })
  })

  test('no value of a read-only field that the sender left empty: its recipient cannot enter one', () => {
    const condition = field({ type: 'checkbox', name: 'pets', required: false })
    const fixed = field({ type: 'text', readOnly: true, showIf: { field: 'pets', is: 'true' } })
    const values = { fld_checkbox: 'true', fld_text: 'mine' }
    const { document } = finish(opened([field({ type: 'signature' }), condition, fixed]), 'ada', actOf({ values }), NOW)
    expect(recipientOf(document, 'ada').fields.map(f => f.value)).toEqual(['Ada Lovelace', 'true', undefined])
  })

  test('the consent and the signature, each as an event, with personal data kept separate', () => {
    expect(step.events).toEqual([
      {
        type: 'recipient.consented',
        recipientId: 'ada',
        data: { consentVersion: '1', consentSha256: 'd'.repeat(64), language: 'en' },
      },
      {
        type: 'recipient.signed',
        recipientId: 'ada',
        data: {
          consentVersion: '1',
          consentSha256: 'd'.repeat(64),
          originalSha256: ORIGINAL,
          intent: 'By pressing Finish I sign.',
          language: 'en',
        },
        personal: {
          consentText: 'I agree.',
          signature: typed('Ada Lovelace'),
          initials: typed('AL'),
          fieldValues: {
            fld_signature: 'Ada Lovelace',
            fld_initials: 'AL',
            fld_date: '2026-11-20',
            fld_name: 'Ada King',
            fld_number: null,
            fld_checkbox: 'false',
            fld_dropdown: 'Yearly',
            fld_text: 'Flat 3',
          },
        },
      },
    ])
  })

  test('values sent for date and read-only fields are ignored', () => {
    const values = { ...VALUES, fld_date: '1999-01-01', fld_text: 'Flat 4', fld_signature: 'Mallory', fld_other: 'x' }
    const fields = recipientOf(finish(opened(), 'ada', actOf({ values }), NOW).document, 'ada').fields
    expect(fields.find(f => f.type === 'date')?.value).toBe('2026-11-20')
    expect(fields.find(f => f.type === 'text')?.value).toBe('Flat 3')
    expect(fields.find(f => f.type === 'signature')?.value).toBe('Ada Lovelace')
    expect(fields).toHaveLength(FIELDS.length)
  })
})

describe('a second finish', () => {
  test('changes nothing, whatever it contains', () => {
    const first = after(opened(), finished('ada', NOW, actOf({ values: VALUES })))
    const again = finish(
      first,
      'ada',
      actOf({ marks: marks('Mallory'), shownSha256: 'e'.repeat(64), values: {} }),
      daysAfter(NOW, 1),
    )
    expect(again.document).toBe(first)
    expect(again.events).toEqual([])
  })
})

describe('what is refused', () => {
  test('a document other than the one shown', () => {
    const refusal = refusalOf(() => finish(opened(), 'ada', actOf({ shownSha256: 'e'.repeat(64), values: VALUES }), NOW))
    expect(refusal.reason).toBe('invalid_state')
    expect(refusal.message).toContain('reload')
  })

  test('a signature without consent', () => {
    const consent = { version: '1', sha256: 'd'.repeat(64), text: 'I agree.', given: false }
    expect(pathsOf(() => finish(opened(), 'ada', actOf({ consent, values: VALUES }), NOW))).toEqual(['consent'])
  })

  test('a signature before opening the document', () => {
    const document = after(draftOf(), sent())
    expect(refusalOf(() => finish(document, 'ada', actOf(), NOW)).reason).toBe('invalid_state')
  })

  test('initials are required only if a field needs them', () => {
    expect(pathsOf(() => finish(opened(), 'ada', actOf({ marks: marks(undefined, ''), values: VALUES }), NOW))).toContain(
      'initials',
    )
    const without = opened([field({ type: 'signature' })])
    expect(find(finish(without, 'ada', actOf({ marks: marks(undefined, '') }), NOW).document, 'ada').status).toBe('signed')
  })

  test('a mark longer than its limit: 100 characters for a signature, 10 for initials', () => {
    const longest = actOf({ marks: marks('\u{1d4d0}'.repeat(100), '\u{1d4d0}'.repeat(10)), values: VALUES })
    expect(find(finish(opened(), 'ada', longest, NOW).document, 'ada').status).toBe('signed')
    const tooLong = actOf({ marks: marks('A'.repeat(101), 'A'.repeat(11)), values: VALUES })
    expect(refusalOf(() => finish(opened(), 'ada', tooLong, NOW)).details).toMatchObject([
      { path: 'signature', message: 'Please use at most 100 characters.' },
      { path: 'initials', message: 'Please use at most 10 characters.' },
    ])
  })

  test('a drawing or a picture is accepted however long the name is', () => {
    const drawn = (text: string) => ({ kind: 'drawn' as const, text, sha256: 'd'.repeat(64) })
    const long = { signature: drawn('A'.repeat(200)), initials: drawn('(Ada)-(Lovelace)') }
    const { document } = finish(opened(), 'ada', actOf({ marks: long, values: VALUES }), NOW)
    expect(find(document, 'ada')).toMatchObject({ status: 'signed', ...long })
  })

  test('initials that are not required are not validated', () => {
    const without = opened([field({ type: 'signature' })])
    expect(find(finish(without, 'ada', actOf({ marks: marks(undefined, 'A'.repeat(11)) }), NOW).document, 'ada').status).toBe(
      'signed',
    )
  })

  test('a value without a limit of its own is bounded too', () => {
    const fields = [field({ type: 'text' }), field({ type: 'name' })]
    const values = { fld_text: 'a'.repeat(DEFAULT_MAX_LENGTH + 1), fld_name: 'a'.repeat(DEFAULT_MAX_LENGTH) }
    expect(refusalOf(() => finish(opened(fields), 'ada', actOf({ values }), NOW)).details).toMatchObject([
      { path: 'fields.fld_text', message: `Text: please use at most ${DEFAULT_MAX_LENGTH} characters` },
    ])
  })

  test('all errors are reported at once, each with its path', () => {
    const fields = [
      field({ type: 'name' }),
      field({ type: 'number' }),
      field({ type: 'dropdown', options: ['Monthly', 'Yearly'] }),
      field({ type: 'checkbox' }),
      field({ type: 'text', maxLength: 3 }),
      field({ type: 'email', value: undefined, required: false }),
    ]
    const consent = { version: '1', sha256: 'd'.repeat(64), text: 'I agree.', given: false }
    const values = { fld_number: 'twelve', fld_dropdown: 'Weekly', fld_text: 'abcd' }
    const refusal = refusalOf(() => finish(opened(fields), 'ada', actOf({ consent, marks: marks(''), values }), NOW))
    expect(refusal.reason).toBe('validation_failed')
    expect(refusal.details.map(f => f.path)).toEqual([
      'consent',
      'signature',
      'fields.fld_name',
      'fields.fld_number',
      'fields.fld_dropdown',
      'fields.fld_checkbox',
      'fields.fld_text',
    ])
    expect(refusal.details.every(error => englishOf(error).length > 10)).toBe(true)
  })

  test('a refused signature leaves the document as it was', () => {
    const before = opened()
    const copy = structuredClone(before)
    refusalOf(() => finish(before, 'ada', actOf(), NOW))
    expect(before).toEqual(copy)
  })

  test('nobody can sign from the expiry time on, even before `expire` has run', () => {
    const document = opened()
    const moment = document.expiresAt ?? NOW
    expect(refusalOf(() => finish(document, 'ada', actOf({ values: VALUES }), moment)).reason).toBe('invalid_state')
  })
})

describe('the last signature', () => {
  test('takes the document to sealing, once', () => {
    const all = after(opened(), finished('ada', NOW, actOf({ values: VALUES })), viewed('ben'))
    const step = finish(all, 'ben', actOf(), NOW)
    expect(step.document.status).toBe('sealing')
    expect(step.events.map(e => e.type)).toEqual(['recipient.consented', 'recipient.signed', 'document.sealing'])
    expect(finish(frozen(step.document), 'ben', actOf(), NOW).events).toEqual([])
    expect(finish(frozen(step.document), 'ada', actOf(), NOW).events).toEqual([])
  })
})

test('the entry of a signature has the pages that were displayed, if the page said which', () => {
  const dataOf = (pagesShown?: string) => {
    const { events } = finish(opened(), 'ada', { ...actOf({ values: VALUES }), pagesShown }, NOW)
    return events.find(({ type }) => type === 'recipient.signed')?.data
  }
  expect(dataOf('1-2')).toMatchObject({ pagesShown: '1-2' })
  expect(dataOf()).not.toHaveProperty('pagesShown')
})
