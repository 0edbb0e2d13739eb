/** Creating a document: each refusal with its path, all defaults, and that drafts can be signed. */
import { describe, expect, test } from 'bun:test'
import { type CreateDeps, createDraft, DEFAULT_EXPIRY_DAYS, DEFAULT_REMINDERS } from '../../src/core/document/create-document.ts'
import { daysAfter } from '../../src/core/document/document.ts'
import {
  type NewDocument,
  type NewRecipient,
  type ValidationDeps,
  validateNewDocument,
} from '../../src/core/document/new-document.ts'
import type { NewField } from '../../src/core/field/new-field.ts'
import { englishOf } from '../../src/locales/violations.ts'
import { NOW, ORIGINAL, pathsOf, refusalOf } from './sample.ts'

type Deps = CreateDeps & ValidationDeps

function depsOf(overrides: Partial<Deps> = {}): Deps {
  let n = 0
  return {
    newId: prefix => `${prefix}_${++n}`,
    hashAccessCode: (recipientId, code) => `hash of ${code} for ${recipientId}`,
    // As a font without these letters.
    unprintable: text => [...new Set(text.match(/[\u4e00-\u9fff]/g))],
    limits: { recipients: 3, fields: 4 },
    now: NOW,
    ...overrides,
  }
}

const FILE = { pageCount: 2, sha256Original: ORIGINAL, sha256Uploaded: undefined }
const FIELD: NewField = { type: 'text', page: 1, x: 10, y: 10, width: 20, height: 5 }
const ADA: NewRecipient = { email: 'ada@example.com', name: 'Ada' }

const request = (overrides: Partial<NewDocument> = {}): NewDocument => ({
  fileName: 'lease.pdf',
  recipients: [ADA],
  ...overrides,
})
const withField = (field: Partial<NewField>, recipient: Partial<NewRecipient> = {}) =>
  request({ recipients: [{ ...ADA, ...recipient, fields: [{ ...FIELD, ...field }] }] })
const validate = (input: NewDocument) => validateNewDocument(input, depsOf())
const created = (input: NewDocument, deps = depsOf()) => createDraft(input, 'usr_1', FILE, deps).document

describe('every refusal with its path', () => {
  const FIELD_PATH = 'recipients[0].fields[0]'
  const CASES: [why: string, input: NewDocument, paths: string[]][] = [
    ['a file name of two lines', request({ fileName: 'a\nb.pdf' }), ['fileName']],
    ['an empty file name', request({ fileName: ' ' }), ['fileName']],
    ['a file name that cannot be printed', request({ fileName: '合同.pdf' }), ['fileName']],
    ['a title of two lines', request({ title: 'a\r\nb' }), ['title']],
    ['an invisible title', request({ title: '\u202e' }), ['title']],
    ['a title that cannot be printed', request({ title: '合同' }), ['title']],
    ['an expiry in the past', request({ expiresAt: NOW.toISOString() }), ['expiresAt']],
    ['an expiry that is no time', request({ expiresAt: 'tomorrow' }), ['expiresAt']],
    ['an expiry beyond a year', request({ expiresAt: daysAfter(NOW, 365.001).toISOString() }), ['expiresAt']],
    ['two expiries', request({ expiresAt: daysAfter(NOW, 2).toISOString(), expiresInDays: 2 }), ['expiresAt']],
    ['a script as redirect', request({ redirectUrl: 'javascript:alert(1)' }), ['redirectUrl']],
    ['a redirect without a host', request({ redirectUrl: 'example.com/thanks' }), ['redirectUrl']],
    ['a redirect with a password', request({ redirectUrl: 'https://u:p@example.com/' }), ['redirectUrl']],
    [
      'too many recipients',
      request({ recipients: [1, 2, 3, 4].map(i => ({ ...ADA, email: `a${i}@example.com` })) }),
      ['recipients'],
    ],
    ['too many fields in all', request({ recipients: [{ ...ADA, fields: Array(5).fill(FIELD) as NewField[] }] }), ['recipients']],
    ['a name of two lines', request({ recipients: [{ ...ADA, name: 'Ada\nLovelace' }] }), ['recipients[0].name']],
    ['an empty name', request({ recipients: [{ ...ADA, name: '' }] }), ['recipients[0].name']],
    ['a name that cannot be printed', request({ recipients: [{ ...ADA, name: '阿达' }] }), ['recipients[0].name']],
    ['an address that is none', request({ recipients: [ADA, { ...ADA, email: 'ben' }] }), ['recipients[1].email']],
    ['one signer twice', request({ recipients: [ADA, { ...ADA, email: 'ADA@example.com' }] }), ['recipients[1].email']],
    ['a signer who is an approver too', request({ recipients: [ADA, { ...ADA, role: 'approver' }] }), ['recipients[1].email']],
    ['a box left of the page', withField({ x: -1 }), [`${FIELD_PATH}.x`]],
    ['a box above the page', withField({ y: -1 }), [`${FIELD_PATH}.y`]],
    ['a box without width', withField({ width: 0 }), [`${FIELD_PATH}.width`]],
    ['a box without height', withField({ height: 0 }), [`${FIELD_PATH}.height`]],
    ['a box beyond the right edge', withField({ x: 90, width: 11 }), [`${FIELD_PATH}.width`]],
    ['a box below the page', withField({ y: 96 }), [`${FIELD_PATH}.height`]],
    ['a field for a viewer', withField({}, { role: 'viewer' }), [FIELD_PATH]],
    ['a signature of an approver', withField({ type: 'signature' }, { role: 'approver' }), [`${FIELD_PATH}.type`]],
    ['initials of an approver', withField({ type: 'initials' }, { role: 'approver' }), [`${FIELD_PATH}.type`]],
    ['a dropdown without choices', withField({ type: 'dropdown' }), [`${FIELD_PATH}.options`]],
    ['a dropdown with no choice in its list', withField({ type: 'dropdown', options: [] }), [`${FIELD_PATH}.options`]],
    ['choices of a text', withField({ options: ['a'] }), [`${FIELD_PATH}.options`]],
    ['a read-only field without a value', withField({ readOnly: true }), [`${FIELD_PATH}.value`]],
    ['a prefilled signature', withField({ type: 'signature', value: 'Ada' }), [`${FIELD_PATH}.value`]],
    ['a prefilled date', withField({ type: 'date', value: '2026-01-01' }), [`${FIELD_PATH}.value`]],
    ['a prefilled value that cannot be printed', withField({ value: '阿达' }), [`${FIELD_PATH}.value`]],
    ['a prefilled value that is too long', withField({ value: 'abcd', maxLength: 3 }), [`${FIELD_PATH}.value`]],
    ['a prefilled number that is none', withField({ type: 'number', value: 'twelve' }), [`${FIELD_PATH}.value`]],
    [
      'a prefilled checkbox that is neither ticked nor not',
      withField({ type: 'checkbox', value: 'yes' }),
      [`${FIELD_PATH}.value`],
    ],
    ['a label of two lines', withField({ label: 'a\nb' }), [`${FIELD_PATH}.label`]],
    ['a label that cannot be printed', withField({ label: '名' }), [`${FIELD_PATH}.label`]],
    ['a placeholder of two lines', withField({ placeholder: 'a\nb' }), [`${FIELD_PATH}.placeholder`]],
    ['a placeholder that cannot be printed', withField({ placeholder: '名' }), [`${FIELD_PATH}.placeholder`]],
    ['half a character in a file name', request({ fileName: '\ud83d.pdf' }), ['fileName']],
    ['half a character in a title', request({ title: 'A\ud83d' }), ['title']],
    ['half a character in a message', request({ message: 'A\ud83d' }), ['message']],
    ['half a character in a name', request({ recipients: [{ ...ADA, name: 'A\ud83d' }] }), ['recipients[0].name']],
    [
      'half a character in an access code',
      request({ recipients: [{ ...ADA, accessCode: '12345\ud83d' }] }),
      ['recipients[0].accessCode'],
    ],
    ['half a character in a label', withField({ label: 'A\ud83d' }), [`${FIELD_PATH}.label`]],
    ['half a character in a placeholder', withField({ placeholder: 'A\ud83d' }), [`${FIELD_PATH}.placeholder`]],
    ['half a character in a value', withField({ value: 'A\ud83d' }), [`${FIELD_PATH}.value`]],
    ['half a character in a choice', withField({ type: 'dropdown', options: ['A\ud83d'] }), [`${FIELD_PATH}.options[0]`]],
    ['half a character in metadata', request({ metadata: { a: '\udc00' } }), ['metadata.a']],
    ['half a character in a name of metadata', request({ metadata: { 'a\udc00': 'b' } }), ['metadata.a\ufffd']],
    ['an empty name of metadata', request({ metadata: { '': 'b' } }), ['metadata']],
    ['a name of metadata that is too long', request({ metadata: { ['k'.repeat(101)]: 'b' } }), ['metadata']],
    ['a file name of more than 255 bytes', request({ fileName: `${'é'.repeat(126)}.pdf` }), ['fileName']],
    ['a prefilled choice not offered', withField({ type: 'dropdown', options: ['a'], value: 'b' }), [`${FIELD_PATH}.value`]],
  ]

  test.each(CASES)('%s', (_, input, paths) => {
    const refusal = refusalOf(() => validate(input))
    expect(refusal.reason).toBe('validation_failed')
    expect(refusal.details.map(f => f.path)).toEqual(paths)
    expect(refusal.details.every(error => englishOf(error).length > 5)).toBe(true)
    expect(refusal.message).toContain(paths[0] ?? '')
  })

  test('all of them at once, each once, in the order of the request', () => {
    const input = request({
      fileName: '',
      title: '',
      expiresAt: 'tomorrow',
      redirectUrl: 'nowhere',
      recipients: [
        { name: '', email: 'ada', fields: [{ ...FIELD, x: -1, options: ['a'], readOnly: true }] },
        { name: 'Vera', email: 'vera@example.com', role: 'viewer', fields: [FIELD] },
      ],
    })
    expect(pathsOf(() => validate(input))).toEqual([
      'fileName',
      'title',
      'expiresAt',
      'redirectUrl',
      'recipients[0].name',
      'recipients[0].email',
      'recipients[0].fields[0].x',
      'recipients[0].fields[0].options',
      'recipients[0].fields[0].value',
      'recipients[1].fields[0]',
    ])
  })

  test('a page beyond the file, with the number of its pages', () => {
    const input = request({
      recipients: [{ ...ADA, fields: [FIELD, { ...FIELD, page: 3 }, { ...FIELD, page: 2 }, { ...FIELD, page: 9 }] }],
    })
    const refusal = refusalOf(() => createDraft(input, undefined, FILE, depsOf()))
    expect(refusal.details.map(f => f.path)).toEqual(['recipients[0].fields[1].page', 'recipients[0].fields[3].page'])
    expect(refusal.details.map(englishOf)[0]).toContain('2 pages')
  })
})

describe('what is not refused', () => {
  test('the limits themselves', () => {
    validate(request({ recipients: [1, 2, 3].map(i => ({ ...ADA, email: `a${i}@example.com` })) }))
    validate(request({ recipients: [{ ...ADA, fields: Array(4).fill(FIELD) as NewField[] }] }))
    validate(request({ expiresAt: daysAfter(NOW, 365).toISOString() }))
    validate(request({ fileName: `${'é'.repeat(125)}a.pdf` }))
  })

  test('a file name that begins with a dot', () => {
    validate(request({ fileName: '.lease.pdf' }))
  })

  test('one person as signer and viewer', () => {
    validate(request({ recipients: [ADA, { ...ADA, role: 'viewer' }] }))
    validate(request({ recipients: [{ ...ADA, role: 'viewer' }, ADA, { ...ADA, role: 'viewer' }] }))
  })

  test('an approver with a box to tick', () => {
    validate(withField({ type: 'checkbox' }, { role: 'approver' }))
  })

  test('a draft without signers', () => {
    validate(request({ recipients: [{ ...ADA, role: 'viewer' }] }))
  })

  test('an empty prefilled value of a field that the person fills in', () => {
    validate(withField({ value: '' }))
  })
})

describe('what is accepted can be signed', () => {
  const path = 'recipients[0].fields[0]'

  test('a required read-only field must have a value: nobody could fill it in', () => {
    expect(pathsOf(() => validate(withField({ readOnly: true, value: '' })))).toEqual([`${path}.value`])
    validate(withField({ readOnly: true, value: '', required: false }))
  })

  test('a required read-only checkbox must be ticked', () => {
    const box = { type: 'checkbox', required: true, readOnly: true } as const
    expect(pathsOf(() => validate(withField({ ...box, value: 'false' })))).toEqual([`${path}.value`])
    expect(pathsOf(() => validate(withField({ ...box, value: '' })))).toEqual([`${path}.value`])
    validate(withField({ ...box, value: 'true' }))
  })

  test('a maximum length is refused for values that are not typed', () => {
    for (const type of ['date', 'signature', 'initials', 'checkbox'] as const) {
      expect(pathsOf(() => validate(withField({ type, maxLength: 5 })))).toEqual([`${path}.maxLength`])
    }
    expect(pathsOf(() => validate(withField({ type: 'dropdown', options: ['Monthly'], maxLength: 5 })))).toEqual([
      `${path}.maxLength`,
    ])
    validate(withField({ type: 'text', maxLength: 5 }))
  })

  test('the size and the alignment of text are refused for fields without text', () => {
    for (const type of ['signature', 'initials', 'checkbox'] as const) {
      expect(pathsOf(() => validate(withField({ type, fontSize: 10 })))).toEqual([`${path}.fontSize`])
      expect(pathsOf(() => validate(withField({ type, align: 'right' })))).toEqual([`${path}.align`])
    }
    for (const type of ['text', 'name', 'email', 'number', 'date'] as const)
      validate(withField({ type, fontSize: 10, align: 'right' }))
    validate(withField({ type: 'dropdown', options: ['Monthly'], fontSize: 6, align: 'center' }))
  })

  test('a date format is for dates only', () => {
    expect(pathsOf(() => validate(withField({ type: 'text', dateFormat: 'DD.MM.YYYY' })))).toEqual([`${path}.dateFormat`])
    validate(withField({ type: 'date', dateFormat: 'DD.MM.YYYY' }))
  })

  test('every choice of a dropdown is visible, one line and printable', () => {
    for (const option of [' ', '\u202e', 'a\nb', '每月']) {
      const paths = pathsOf(() => validate(withField({ type: 'dropdown', options: ['Monthly', option] })))
      expect(paths).toHaveLength(1)
      expect(paths[0]).toStartWith(`${path}.options`)
    }
  })

  test('an access code is trimmed before its length is checked and before it is hashed', () => {
    const input = request({ recipients: [{ ...ADA, accessCode: ' 123456 ' }] })
    let hashed: string | undefined
    const deps = depsOf({ hashAccessCode: (_, code) => (hashed = code) })
    try {
      validateNewDocument(input, deps)
      created(input, deps)
    } catch (error) {
      expect(
        refusalOf(() => {
          throw error
        }).details[0]?.path,
      ).toBe('recipients[0].accessCode')
      return
    }
    expect(hashed).toBe('123456')
  })
})

describe('the draft', () => {
  test('has its defaults', () => {
    const document = created(request())
    expect(document).toMatchObject({
      id: 'doc_1',
      ownerId: 'usr_1',
      title: 'lease',
      fileName: 'lease.pdf',
      status: 'draft',
      pageCount: 2,
      signingOrder: 'parallel',
      metadata: {},
      reminders: DEFAULT_REMINDERS,
      expiresInDays: DEFAULT_EXPIRY_DAYS,
      createdAt: NOW,
      sha256Original: ORIGINAL,
    })
    expect(DEFAULT_REMINDERS).toEqual({ firstAfterDays: 3, everyDays: 3, max: 5 })
    expect(DEFAULT_EXPIRY_DAYS).toBe(30)
    for (const absent of ['message', 'sentAt', 'completedAt', 'expiresAt', 'sealingError', 'sha256Sealed'] as const) {
      expect(document[absent]).toBeUndefined()
    }
    expect(document.recipients[0]).toMatchObject({
      role: 'signer',
      status: 'created',
      order: 1,
      emailStatus: 'none',
      accessCodeAttempts: 0,
      linkVersion: 1,
      remindersSent: 0,
      fields: [],
    })
    expect(document.recipients[0]?.accessCodeHash).toBeUndefined()
  })

  test('takes the requested values', () => {
    const expiresAt = daysAfter(NOW, 7)
    const document = created(
      request({
        title: ' The\tlease ',
        message: 'Hello\r\nAda\u202e ',
        signingOrder: 'sequential',
        expiresAt: expiresAt.toISOString(),
        reminders: null,
        metadata: { deal: '42' },
        locale: 'de',
        redirectUrl: 'https://example.com/thanks',
        recipients: [
          { ...ADA, name: ' Ada\u200f Lovelace ', order: 7, locale: 'fr', accessCode: '123456' },
          { email: 'ben@example.com', name: 'Ben' },
        ],
      }),
    )
    expect(document).toMatchObject({
      title: 'The lease',
      message: 'Hello\nAda',
      signingOrder: 'sequential',
      expiresAt,
      metadata: { deal: '42' },
      locale: 'de',
      redirectUrl: 'https://example.com/thanks',
    })
    expect(document.reminders).toBeUndefined()
    expect(document.recipients.map(r => [r.name, r.order, r.locale])).toEqual([
      ['Ada Lovelace', 7, 'fr'],
      ['Ben', 2, undefined],
    ])
    expect(document.recipients[0]?.accessCodeHash).toBe('hash of 123456 for rcp_2')
  })

  test('checkboxes are optional by default, other fields required', () => {
    const fields = created(
      request({
        recipients: [
          {
            ...ADA,
            fields: [
              FIELD,
              { ...FIELD, type: 'checkbox' },
              { ...FIELD, required: false },
              { ...FIELD, type: 'checkbox', required: true },
            ],
          },
        ],
      }),
    ).recipients[0]?.fields
    expect(fields?.map(f => f.required)).toEqual([true, false, false, true])
    expect(new Set(fields?.map(f => f.id)).size).toBe(4)
  })

  test('a file named only `.pdf` still gives a title', () => {
    expect(created(request({ fileName: '.pdf' })).title).toBe('.pdf')
    expect(created(request({ fileName: 'Lease.PDF' })).title).toBe('Lease')
  })

  test('creates an event with personal data kept separate', () => {
    const { document, events } = createDraft(request(), undefined, { ...FILE, sha256Uploaded: 'e'.repeat(64) }, depsOf())
    expect(events).toEqual([
      {
        type: 'document.created',
        data: { pageCount: 2, originalSha256: ORIGINAL, uploadedSha256: 'e'.repeat(64), recipientIds: ['rcp_2'] },
        personal: {
          title: 'lease',
          fileName: 'lease.pdf',
          recipients: [{ id: 'rcp_2', name: 'Ada', email: 'ada@example.com', role: 'signer' }],
        },
      },
    ])
    expect(document.ownerId).toBeUndefined()
    expect(JSON.stringify(events[0]?.data)).not.toContain('ada')
  })
})
