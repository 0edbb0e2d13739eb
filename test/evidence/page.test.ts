/** Texts of the audit certificate. */
import { describe, expect, test } from 'bun:test'
import { composeEvidence } from '../../src/evidence/page.ts'
import { findQpdfErrors, missingPrograms, rasterOf, textOf } from './pdf-programs.ts'
import { A4, event, evidenceOf, flat, LETTER, pagesOf, recipient, typed } from './sample.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

describe.skipIf(missing.length > 0)('audit certificate', () => {
  test('contains every value of the record', async () => {
    const text = flat(await textOf(await composeEvidence(evidenceOf(), A4)))
    const { document, sealCertificate, audit, verifyUrl, sealCertificatesUrl } = evidenceOf()
    const facts = [
      document.id,
      document.title,
      document.fileName,
      document.originalSha256,
      '1,234,567 bytes',
      audit?.hash ?? 'no audit',
      'Entry 42 was the latest',
      verifyUrl,
      sealCertificatesUrl,
      'Example Ltd',
      'legal@example.com',
      'production',
      'ins_1',
      'Signet 0.1.0',
    ]
    const person = [
      '1. Ada Lovelace 1',
      'ada.1@example.com',
      'Role Signer',
      'Status Finished',
      'By a personal link e-mailed to this address',
      'A. Lovelace 1',
      'Firefox/140.0',
      'I sign this document.',
      'Łódź',
    ]
    for (const fact of [...facts, ...Object.values(sealCertificate), ...person, 'c1'.repeat(32)]) expect(text).toContain(fact)
    expect(text).toContain('2001:db8::7 (as seen by the server)')
    expect(text).toContain('The first 1234567 bytes of this file are the document as it was sent.')
    expect(text).toContain(`The first command must print ${document.originalSha256}`)
    expect(text).toContain('simple electronic signature')
    expect(text).toContain('E-mail accepted by the mail server')
    expect(text).not.toMatch(/received|TEST|undefined|email_link|recipient\./)
  })

  test('gives each time in UTC and in the named zone with the offset at that time', async () => {
    const text = flat(await textOf(await composeEvidence(evidenceOf(), A4)))
    expect(text).toContain('Invited 2026-03-29 00:59:59.999 UTC 29 Mar 2026, 01:59:59.999 UTC+01:00 (Europe/Berlin)')
    expect(text).toContain('Signed 2026-03-29 01:00:00.123 UTC 29 Mar 2026, 03:00:00.123 UTC+02:00 (Europe/Berlin)')
  })

  test('has a natural text order: label then value, one recipient after another', async () => {
    const evidence = evidenceOf({ recipients: [recipient(1), recipient(2)] })
    const text = flat(await textOf(await composeEvidence(evidence, A4)))
    const order = [
      'Document ID',
      'doc_01',
      'File name',
      'agreement.pdf',
      '1. Ada Lovelace 1',
      'E-mail',
      'ada.1@',
      '2. Ada Lovelace 2',
      'ada.2@',
      'Events',
      'Seal',
      'How to verify',
    ]
    let at = 0
    for (const words of order) {
      const found = text.indexOf(words, at)
      expect({ words, found: found >= at }).toEqual({ words, found: true })
      at = found
    }
  })

  test('mentions the upload only if the signers saw another file', async () => {
    const rewritten = evidenceOf({ document: { ...evidenceOf().document, uploadedSha256: 'f9'.repeat(32) } })
    expect(await textOf(await composeEvidence(rewritten, A4))).toContain('f9'.repeat(32))
    const same = evidenceOf({ document: { ...evidenceOf().document, uploadedSha256: 'a1'.repeat(32) } })
    expect(await textOf(await composeEvidence(same, A4))).not.toContain('SHA-256 of the upload')
  })

  test('states how the document was sent, how a recipient authenticated, and the mail server’s reply', async () => {
    const person = recipient(2, {
      identifiedBy: 'email_link_and_access_code',
      authentication: [
        { result: 'access_code.refused', at: '2026-01-01T00:00:01Z' },
        { result: 'access_code.accepted', at: '2026-01-01T00:00:02Z' },
        { result: 'email_link.accepted', at: '2026-01-01T00:00:03Z' },
      ],
      mails: [
        { outcome: 'recipient.email_failed', reply: '550 5.1.1 no such user', at: '2026-01-01T00:00:04Z' },
        { outcome: 'recipient.email_accepted', reply: undefined, at: '2026-01-01T00:00:05Z' },
      ],
    })
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4)))
    for (const words of [
      'One after another',
      'Sent 2026-03-28 08:59:59.000 UTC',
      'Expires 2026-04-27 08:59:59.000 UTC',
      'Position in the signing order 2',
      'Wrong access code 2026-01-01 00:00:01.000 UTC',
      'Correct access code 2026-01-01 00:00:02.000 UTC',
      'Opened by the link 2026-01-01 00:00:03.000 UTC',
      'E-mail could not be delivered 2026-01-01 00:00:04.000 UTC',
      '“550 5.1.1 no such user”',
      person.signature!.sha256,
      'Computed from the typed text in UTF-8.',
    ])
      expect(text).toContain(words)
    expect(text.match(/Reply or cause/g)).toHaveLength(1)
  })

  test('mentions no position without a signing order', async () => {
    const document = { ...evidenceOf().document, signingOrder: 'parallel', sentAt: undefined, expiresAt: undefined } as const
    const text = flat(await textOf(await composeEvidence(evidenceOf({ document }), A4)))
    expect(text).toContain('All at the same time')
    expect(text).not.toMatch(/Place in the order|Open until/)
  })

  test('distinguishes the actor and the recipient concerned, and quotes the reason', async () => {
    const events = [
      event({ kind: 'recipient.notified', who: { kind: 'sender' }, concernedRecipientName: 'Bob' }),
      event({ kind: 'recipient.approved', who: { kind: 'recipient', name: 'Carol' } }),
      event({ kind: 'document.declined', who: { kind: 'recipient', name: 'Bob' }, detail: 'The price is wrong.' }),
      event({ kind: 'document.expired', who: { kind: 'service' } }),
    ]
    const text = await textOf(await composeEvidence(evidenceOf({ events }), A4), '-layout')
    expect(text).toMatch(/Invitation queued +The sender/)
    expect(text).toMatch(/Approved +Carol/)
    expect(text).toMatch(/Declined +Bob/)
    expect(text).toContain('“The price is wrong.”')
    expect(text).toMatch(/Expired before completion +The service/)
  })

  test('prints the name and hash of each file that was joined', async () => {
    const files = ['Lease.pdf', 'Annex & Plan.pdf'].map((fileName, i) => ({
      fileName,
      sha256: `${i + 1}c`.repeat(32),
      pageCount: 1,
    }))
    const document = { ...evidenceOf().document, files }
    const text = flat(await textOf(await composeEvidence(evidenceOf({ document }), A4)))
    for (const { fileName, sha256 } of files) expect(text).toContain(`${sha256} ${fileName}`)
  })

  test('does not claim that an approver’s name is in the document, and prints check boxes as words', async () => {
    const values = [
      { label: 'Terms', kind: 'check', value: true },
      { label: 'News', kind: 'check', value: false },
      { label: 'Word', kind: 'text', value: 'ticked' },
    ] as const
    const person = recipient(1, { role: 'approver', values: [...values] })
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person], language: 'de' }), A4)))
    expect(text).toContain('Name, wie eingegeben')
    expect(text).not.toContain('wie sie im Dokument steht')
    expect(text).toContain('Word ticked')
    expect(text).not.toMatch(/true|false|(Terms|News) (not )?ticked/)
  })

  test('prints TEST on every page, large and pale, beneath the text', async () => {
    const [live, trial] = [
      await composeEvidence(evidenceOf(), A4),
      await composeEvidence(evidenceOf({ isTest: true, environment: 'sandbox' }), A4),
    ]
    const pages = await pagesOf(trial)
    for (const text of pages) expect(text).toContain('TEST: made in the environment “sandbox”')
    const [plain, marked] = [await rasterOf(live, 1, 50), await rasterOf(trial, 1, 50)]
    const pale = marked.grey.filter(value => value > 225 && value < 245).length
    expect(pale / marked.grey.length).toBeGreaterThan(0.06)
    expect(marked.grey.filter(value => value < 120).length).toBeGreaterThan(plain.grey.filter(value => value < 120).length * 0.95)
  })

  test('hostile values give a valid file with all other values', async () => {
    const hostile = [') Tj ET Q \\ << /JS (x) >> endstream', 'a\r\nb\rc', '👩‍👩‍👧 😀', '\u202egnp.exe שלום', 'x\ud83d\0', '', ' ']
    for (const value of hostile) {
      const person = recipient(1, {
        name: value,
        userAgent: value,
        signature: typed(value),
        intent: value,
        mails: [{ outcome: 'recipient.email_accepted', reply: value, at: '2026-01-01T00:00:00Z' }],
        values: [{ label: value, kind: 'text', value }],
      })
      const document = { ...evidenceOf().document, title: value, fileName: value }
      const evidence = evidenceOf({
        recipients: [person],
        document,
        organisation: value,
        environment: value,
        isTest: true,
        events: [event({ who: { kind: 'recipient', name: value }, concernedRecipientName: value, detail: value })],
      })
      const pdf = await composeEvidence(evidence, A4)
      expect(await findQpdfErrors(pdf)).toBe('')
      expect(await textOf(pdf)).toContain('d0'.repeat(32))
    }
  })

  test('a field label of the sender cannot look like an entry of the record', async () => {
    const person = recipient(1, { values: [{ label: 'Signed', kind: 'text', value: '1999-01-01 00:00:00.000 UTC' }] })
    const text = await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4))
    expect(text.indexOf('Fields of the document')).toBeGreaterThan(0)
    expect(text.indexOf('1999-01-01')).toBeGreaterThan(text.indexOf('Fields of the document'))
  })

  test('viewers without any action need no signature', async () => {
    const reader = recipient(1, {
      role: 'viewer',
      status: 'created',
      signature: undefined,
      authentication: [],
      mails: [],
      times: [],
      ip: undefined,
      userAgent: undefined,
      consent: undefined,
      intent: undefined,
      values: [],
    })
    const text = await textOf(await composeEvidence(evidenceOf({ recipients: [reader], events: [], contact: undefined }), A4))
    expect(text).toContain('Receives a copy')
    expect(text).not.toMatch(/undefined|Signature as stamped|Fields of the document|\nIP address|\nBrowser|\nContact/)
  })

  test('has page number, page count and document on every page, on both paper sizes', async () => {
    for (const paper of [A4, LETTER]) {
      const pages = await pagesOf(await composeEvidence(evidenceOf({ recipients: [1, 2, 3, 4].map(i => recipient(i)) }), paper))
      expect(pages.length).toBeGreaterThan(2)
      pages.forEach((text, i) => {
        expect(text).toContain(`Audit certificate, page ${i + 1} of ${pages.length}`)
        expect(text).toContain('doc_01JADQ7Y3K8MZ4V9T6W2XH5BCE')
        expect(text).toContain('Agreement on Ελλάδα')
      })
    }
  })
})
