/** What keeps a draft from being sent, and what its sender should look at before. */
import { describe, expect, test } from 'bun:test'
import { daysAfter, fieldsSha256, send } from '../../src/core/document/document.ts'
import { checkDraft, overlapOf } from '../../src/core/draft/draft-check.ts'
import { suggestAddress } from '../../src/core/draft/mailbox.ts'
import { draftOf, field, NOW, pathsOf, recipient, refusalOf } from './sample.ts'

const SIGNATURE = field({ type: 'signature', id: 'fld_s' })
const ada = (overrides = {}) => recipient('rcp_ada', 'signer', { fields: [SIGNATURE], ...overrides })
const found = (overrides: Parameters<typeof draftOf>[0]) => {
  const { blocking, warnings } = checkDraft(draftOf({ recipients: [ada()], ...overrides }), NOW)
  return [...blocking, ...warnings].map(({ code, path }) => [code, path])
}

test('a draft with a signer, a signature field and addresses has no findings, and is sent', () => {
  expect(found({})).toEqual([])
  expect(send(draftOf({ recipients: [ada()] }), NOW).document.status).toBe('sent')
})

describe('a draft is not sent', () => {
  test('without anybody who has to act', () => {
    expect(found({ recipients: [] })).toEqual([['no_signer', 'recipients']])
    expect(found({ recipients: [recipient('vera', 'viewer')] })).toEqual([['no_signer', 'recipients']])
    expect(refusalOf(() => send(draftOf({ recipients: [] }), NOW)).reason).toBe('nothing_to_sign')
  })

  test('while a name or an address is missing or wrong, and the refusal names every place', () => {
    const recipients = [
      ada({ name: '' }),
      recipient('rcp_b', 'approver', { email: '' }),
      recipient('rcp_c', 'viewer', { email: 'x' }),
    ]
    expect(found({ recipients })).toEqual([
      ['name_missing', 'recipients/rcp_ada/name'],
      ['email_missing', 'recipients/rcp_b/email'],
      ['email_invalid', 'recipients/rcp_c/email'],
    ])
    expect(pathsOf(() => send(draftOf({ recipients }), NOW))).toEqual([
      'recipients/rcp_ada/name',
      'recipients/rcp_b/email',
      'recipients/rcp_c/email',
    ])
  })

  test('while two signers have one address and one name; with two names it is said, and sent', () => {
    const second = (name: string) => [ada(), recipient('rcp_b', 'approver', { name, email: 'RCP_ADA@example.com' })]
    const { name } = ada()
    expect(checkDraft(draftOf({ recipients: second(` ${name.toUpperCase()}`) }), NOW).blocking).toMatchObject([
      { code: 'email_in_use', otherId: 'rcp_ada' },
    ])
    const { blocking, warnings } = checkDraft(draftOf({ recipients: second('Somebody Else') }), NOW)
    expect([blocking, warnings.map(({ code }) => code)]).toEqual([[], expect.arrayContaining(['same_email'])])
  })

  test('while a dropdown has no choices or a read-only field has no value', () => {
    const fields = [
      SIGNATURE,
      field({ type: 'dropdown', y: 30 }),
      field({ type: 'text', y: 40, readOnly: true }),
      field({ type: 'date', y: 50, readOnly: true }),
    ]
    expect(found({ recipients: [ada({ fields })] })).toEqual([
      ['options_missing', 'fields/fld_dropdown/options'],
      ['value_missing', 'fields/fld_text/value'],
    ])
  })

  test('after the time at which it would expire', () => {
    expect(found({ expiresAt: NOW })).toEqual([['expiry_passed', 'expiresAt']])
    expect(found({ expiresAt: daysAfter(NOW, 1) })).toEqual([])
    expect(refusalOf(() => send(draftOf({ recipients: [ada()], expiresAt: NOW }), NOW)).reason).toBe('validation_failed')
  })
})

describe('the sender is warned', () => {
  test('of a signer without a signature field, but not of an approver', () => {
    const recipients = [ada({ fields: [] }), recipient('rcp_b', 'approver')]
    expect(found({ recipients })).toEqual([['no_signature_field', 'recipients/rcp_ada']])
  })

  test('of fields that share 40 % of the smaller one, on the same page only', () => {
    const below = (y: number, overrides = {}) => field({ type: 'text', y, ...overrides })
    expect(found({ recipients: [ada({ fields: [SIGNATURE, below(13)] })] })).toEqual([['fields_overlap', 'fields/fld_text']])
    expect(found({ recipients: [ada({ fields: [SIGNATURE, below(13.1)] })] })).toEqual([])
    expect(found({ recipients: [ada({ fields: [SIGNATURE, below(10, { page: 2 })] })] })).toEqual([])
    expect(overlapOf({ x: 0, y: 0, width: 100, height: 100 }, { x: 1, y: 1, width: 1, height: 1 })).toBe(1)
  })

  test('of the same address twice where one of the two only reads', () => {
    const recipients = [ada(), recipient('rcp_v', 'viewer', { email: 'rcp_ada@example.com' })]
    expect(found({ recipients })).toEqual([['same_email', 'recipients/rcp_v/email']])
  })

  test('of tags that were left in a text', () => {
    const fields = [field({ type: 'signature', label: '{{signature:1}}' })]
    expect(found({ title: 'Lease for {{name}}', recipients: [ada({ fields })] })).toEqual([
      ['leftover_tag', 'title'],
      ['leftover_tag', 'fields/fld_signature/label'],
    ])
  })

  test('of an address with a slip in a common domain', () => {
    for (const domain of ['gmial.com', 'gmal.com', 'gmaill.com', 'gmail.con', 'gmail.co', 'outlok.com', 'hotmial.com', 'wbe.de'])
      expect([domain, suggestAddress(`ada@${domain}`) !== undefined]).toEqual([domain, true])
    expect(suggestAddress('ada@gmial.com')).toBe('ada@gmail.com')
    expect(suggestAddress('ada@firma.con')).toBe('ada@firma.com')
    for (const domain of [
      'gmail.com',
      'ymail.com',
      'mail.com',
      'email.com',
      'example.com',
      'gmx.at',
      'yahoo.co.uk',
      'outlook.de',
    ])
      expect([domain, suggestAddress(`ada@${domain}`)]).toEqual([domain, undefined])
    expect(suggestAddress('')).toBeUndefined()
  })
})

test('the check of 1,000 fields on one page is quick and its findings are bounded', () => {
  const fields = Array.from({ length: 1000 }, (_, i) => field({ type: 'text', id: `fld_${i}` }))
  const { warnings } = checkDraft(draftOf({ recipients: [ada({ fields })] }), NOW)
  expect(warnings.length).toBeLessThanOrEqual(101)
})

test('the entry of sending commits to every field, its recipient and its place', () => {
  const sentWith = (recipients: ReturnType<typeof ada>[]) => send(draftOf({ recipients }), NOW).events[0]
  const event = sentWith([ada()])
  expect(event?.data).toMatchObject({
    recipientIds: ['rcp_ada'],
    fieldCount: 1,
    fieldsSha256: fieldsSha256({ recipients: [ada()], senderFields: [] }),
  })
  expect(event?.personal).toMatchObject({ title: 'Lease', recipients: [{ id: 'rcp_ada', email: 'rcp_ada@example.com' }] })
  const moved = sentWith([ada({ fields: [{ ...SIGNATURE, x: 10.5 }] })])
  expect(moved?.data?.fieldsSha256).not.toBe(event?.data?.fieldsSha256)
  const ofEve = fieldsSha256({ recipients: [{ ...ada(), id: 'rcp_eve' }], senderFields: [] })
  expect(ofEve).not.toBe(String(event?.data?.fieldsSha256))
  expect(JSON.stringify(event?.data)).not.toContain('example.com')
  const rent = field({ type: 'text', readOnly: true, value: '1,250' })
  const sentFor = (value: string) =>
    send(draftOf({ recipients: [ada()], senderFields: [{ ...rent, value }] }), NOW).events[0]?.data
  expect(sentFor('1,250')).toMatchObject({ fieldCount: 2 })
  expect(sentFor('1,250')?.fieldsSha256).not.toBe(sentFor('1,350')?.fieldsSha256)
})
