/** Texts of the audit certificate. */
import { describe, expect, test } from 'bun:test'
import type { Evidence } from '../../src/evidence/model.ts'
import { composeEvidence } from '../../src/evidence/prepare.ts'
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
      'Sent by Example Ltd',
      'legal@example.com',
      'Signet 0.1.0 · production · ins_1',
      'signet verify FILE.pdf --trust seal.pem',
    ]
    const person = [
      'Ada Lovelace 1',
      'ada.1@example.com',
      'Personal link, e-mailed to this address',
      'Signature “A. Lovelace 1”, p. 3',
      'Initials “AL”, p. 1–3, 5',
      'Firefox/140.0',
      'I sign this document.',
      'Town Łódź p. 2',
    ]
    const consent = ['c1'.repeat(32), 'I agree to sign electronically.', 'I may ask for paper.']
    for (const fact of [...facts, ...Object.values(sealCertificate), ...person, ...consent]) expect(text).toContain(fact)
    expect(text).toContain('2001:db8::7 (as seen by the server)')
    expect(text).toContain('simple electronic signature')
    expect(text).toContain('Invitation e-mailed: Ada Lovelace 1')
    expect(text).not.toMatch(/received|TEST|undefined|email_link|recipient\./)
  })

  test('the first page alone says what was signed, by whom, when, who sealed it, and how to verify it', async () => {
    const people = [1, 2, 3, 4, 5].map(i => recipient(i)).concat(recipient(6, { role: 'approver', signature: typed('Bob') }))
    const [first = '', second = '', ...more] = await pagesOf(await composeEvidence(evidenceOf({ recipients: people }), A4))
    const text = flat(first)
    expect(text).toContain('Agreement on Ελλάδα')
    expect(text).toContain('Completed and sealed · Signed: 5 · Approved: 1')
    expect(text).toContain('Sealed by Example Ltd 29 Mar 2026, 03:00:07 UTC+02:00')
    expect(text).toContain('Times Europe/Berlin, by the server’s clock')
    for (let i = 1; i <= 6; i++) expect(text).toContain(`ada.${i}@example.com`)
    expect(text.match(/Signed 29 Mar 2026, 03:00:00 UTC\+02:00|03:00:00 UTC\+02:00/g)?.length).toBe(6)
    expect(text).toContain('https://sign.example.com/verify')
    expect(text).toContain('signet verify FILE.pdf --trust seal.pem seal.pem: https://sign.example.com/seal.pem')
    expect(text).toContain(`SHA-256 of the original ${'a1'.repeat(32)}`)
    expect(text).toContain('Pages: 3 in the original')
    expect(text.match(/Personal link, e-mailed to this address/g)).toHaveLength(6)
    expect(text).not.toMatch(/Firefox|I sign this document/)
    expect(second).toContain('Events')
    expect([second, ...more].join('')).not.toContain('Personal link')
  })

  test('gives the offset once if it is always the same, else with each time', async () => {
    const same = evidenceOf({ recipients: [], events: [], sealedAt: '2026-03-29T01:00:07.000Z' })
    const text = flat(await textOf(await composeEvidence(same, A4)))
    expect(text).toContain('Europe/Berlin (UTC+02:00), by the server’s clock')
    expect(text.match(/UTC\+02:00/g)).toHaveLength(1)
    expect(flat(await textOf(await composeEvidence(evidenceOf(), A4)))).toContain('28 Mar 2026, 10:00:00 UTC+01:00')
  })

  test('has one line for each act, in time order, and ends with the seal', async () => {
    const text = await textOf(await composeEvidence(evidenceOf(), A4), '-layout')
    const lines = text.split('\n').filter(line => /^ *\d+ Mar 2026, \d\d:\d\d:\d\d UTC\S+ +\S/.test(line))
    expect(lines.map(line => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
      '28 Mar 2026, 10:00:00 UTC+01:00 | Invitation e-mailed: Ada Lovelace 1 | – | –',
      '29 Mar 2026, 03:00:00 UTC+02:00 | Signed | Ada Lovelace 1 | 192.0.2.7',
      '29 Mar 2026, 03:00:07 UTC+02:00 | Completed and sealed | Example Ltd | –',
    ])
  })

  test('has a natural text order: label then value, one recipient after another', async () => {
    const evidence = evidenceOf({ recipients: [recipient(1), recipient(2)] })
    const text = flat(await textOf(await composeEvidence(evidence, A4)))
    const order = [
      'Document agreement.pdf',
      'Document ID',
      'doc_01',
      '1. Ada Lovelace 1',
      'ada.1@',
      '2. Ada Lovelace 2',
      'ada.2@',
      'Events',
      'Consent text',
      'Technical record',
      'Seal',
      '1. Ada Lovelace 1',
      '2. Ada Lovelace 2',
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

  test('says that the recipients saw the original without its active content, only if it had some', async () => {
    const seen = async (hasActiveContent: boolean) => {
      const document = { ...evidenceOf().document, hasActiveContent }
      return flat(await textOf(await composeEvidence(evidenceOf({ document }), A4)))
    }
    expect(await seen(false)).toContain('The original is the file that every recipient saw. This file begins with it')
    const disabled = await seen(true)
    expect(disabled).toContain('saw the original with its active content (such as scripts and attached files) disabled')
    expect(disabled).not.toContain('is the file that every recipient saw')
  })

  test('states every means by which a recipient was identified, beside the name', async () => {
    const person = recipient(2, { identifiedBy: ['email_link', 'access_code'] })
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4)))
    expect(text).toContain('Personal link, e-mailed to this address Access code, given by the sender')
  })

  test('says of a typed signature that it was typed, and of a drawn one that it was drawn', async () => {
    const drawn = { ...typed('Ada'), kind: 'drawn', sha256: 'b7'.repeat(32) } as const
    const textWith = async (signature: ReturnType<typeof typed>) =>
      flat(await textOf(await composeEvidence(evidenceOf({ recipients: [recipient(1, { signature })] }), A4)))
    expect(await textWith(typed('Ada'))).toContain('Signature “Ada”, p. 3 Name as typed')
    expect(await textWith(drawn)).not.toContain('Name as typed')
  })

  test('prints the hash of a drawing, but none of a typed text', async () => {
    const drawn = { ...typed('Ada'), kind: 'drawn', sha256: 'b7'.repeat(32) } as const
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [recipient(1, { signature: drawn })] }), A4)))
    expect(text).toContain(`SHA-256 ${'b7'.repeat(32)} Computed from the drawn strokes`)
    expect(text).not.toContain(drawn.sha256 === typed('Ada').sha256 ? '' : typed('AL').sha256)
  })

  test('names the person who sent, by the rule of mails, and who acted for the organisation', async () => {
    const events = [event({ kind: 'document.sent', who: { kind: 'sender', name: 'Nora Admin' } })]
    const text = await textOf(await composeEvidence(evidenceOf({ person: 'Nora Admin', events }), A4), '-layout')
    expect(text).toMatch(/Sent by +Nora Admin \(Example Ltd\)/)
    expect(text).toMatch(/Sent for signature +Nora Admin/)
    expect(text).not.toContain('The sender')
  })

  test('names the program by which somebody sent, on page 1 and among the events', async () => {
    const events = [event({ kind: 'document.sent', who: { kind: 'sender', name: 'Nora Admin', program: 'CRM' } })]
    const of = { person: 'Nora Admin', program: 'CRM', events }
    const [first = ''] = await pagesOf(await composeEvidence(evidenceOf(of), A4))
    expect(flat(first)).toContain('Sent by Nora Admin (Example Ltd) by the program “CRM” (API token)')
    const text = await textOf(await composeEvidence(evidenceOf(of), A4), '-layout')
    expect(text).toMatch(/Sent for signature +Nora Admin \(CRM\)/)
  })

  test('page 1 says how the person came to act: in whose place, with which consent, by which mark, and what was shown', async () => {
    const person = recipient(1, {
      consentVersion: '2026-11-5',
      consentedAt: '2026-03-29T00:59:59.000Z',
      namedBy: [
        { name: 'Bob', email: 'bob@example.com', at: '2026-03-28T09:30:00.000Z', to: 'Cleo' },
        { name: 'Cleo', email: 'cleo@example.com', at: '2026-03-28T10:30:00.000Z', to: 'Ada Lovelace 1' },
      ],
      secondsToAct: 3,
      pagesShown: [1, 3],
    })
    const [first = ''] = await pagesOf(await composeEvidence(evidenceOf({ recipients: [person], timeZone: 'UTC' }), A4))
    const text = flat(first)
    for (const fact of [
      'In place of Bob, bob@example.com named Cleo on 28 Mar 2026, 09:30:00',
      'Cleo, cleo@example.com named Ada Lovelace 1 on 28 Mar 2026, 10:30:00',
      'Consent Version 2026-11-5',
      '29 Mar 2026, 00:59:59',
      'Signature Typed name, p. 3',
      'Initials Typed name, p. 1–3, 5',
      'Pages shown p. 1, 3 Never shown by the signing page: p. 2',
      'less than 3 s after the first opening',
      'IP address 2001:db8::7 (as seen by the server)',
    ])
      expect(text).toContain(fact)
    const none = recipient(1, { pagesShown: [] })
    const unseen = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [none] }), A4)))
    expect(unseen).toContain('Pages shown Never shown by the signing page: p. 1–3')
  })

  test('without a word of the page nothing is said of pages and speed, and old consents have their version alone', async () => {
    const old = recipient(1, { consentVersion: '2026-01' })
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [old] }), A4)))
    expect(text).toContain('Consent Version 2026-01 Signature')
    expect(text).not.toMatch(/Pages shown|Never shown|first opening|In place of|API token|Requested from/)
  })

  test('page 1 leads to verify.html, if the evidence pack has it', async () => {
    const firstOf = async (more: Partial<Evidence>) => (await pagesOf(await composeEvidence(evidenceOf(more), A4)))[0] ?? ''
    expect(await firstOf({ verifyPageSha256: undefined })).not.toContain('verify.html')
    expect(flat(await firstOf({ verifyPageSha256: 'ab'.repeat(32) }))).toContain('in a browser: verify.html of the evidence pack')
  })

  test('names the time-stamp authorities that are asked, and claims no time of theirs', async () => {
    const timestampAuthorities = ['tsa.example.com', 'other.example.org:3161']
    const text = flat(await textOf(await composeEvidence(evidenceOf({ timestampAuthorities }), A4)))
    expect(text).toContain('Time-stamp Requested from tsa.example.com, other.example.org:3161 for the finished file, so its time')
  })

  test('an approver approves: the act and how it was given are said, and no signature', async () => {
    const person = recipient(1, { role: 'approver', signature: undefined, initials: undefined })
    for (const recipients of [[person], Array.from({ length: 6 }, () => person)]) {
      const [first = ''] = await pagesOf(await composeEvidence(evidenceOf({ recipients }), A4))
      expect(first).toContain('With name and consent')
      expect(first.replaceAll('without a signature', '').replaceAll('electronic signature', '')).not.toMatch(
        /Signed|Signature:?\s/,
      )
    }
  })

  test('says of a mail in the outbox folder that it was not sent', async () => {
    const person = recipient(1, { identifiedBy: ['written_link', 'written_code'] })
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4)))
    expect(text).toContain('Personal link, in an e-mail written to the outbox folder (not sent by this service)')
    expect(text).not.toContain('e-mailed to this address')
  })

  test('mentions a signing order only among several', async () => {
    const one = flat(await textOf(await composeEvidence(evidenceOf(), A4)))
    expect(one).not.toContain('One after another')
    const two = evidenceOf({ recipients: [recipient(1), recipient(2)] })
    expect(flat(await textOf(await composeEvidence(two, A4)))).toContain('One after another')
  })

  test('distinguishes the actor and the recipient concerned, and quotes the reason', async () => {
    const events = [
      event({ kind: 'recipient.notified', who: { kind: 'sender' }, concernedRecipientName: 'Bob' }),
      event({
        kind: 'recipient.corrected',
        who: { kind: 'sender' },
        concernedRecipientName: 'Bob',
        newPerson: 'Bo <bo@x.example>',
      }),
      event({ kind: 'recipient.approved', who: { kind: 'recipient', name: 'Carol' } }),
      event({ kind: 'document.declined', who: { kind: 'recipient', name: 'Bob' }, reason: 'The price is wrong.' }),
      event({ kind: 'document.sealing_failed', who: undefined }),
    ]
    const text = await textOf(await composeEvidence(evidenceOf({ events }), A4), '-layout')
    expect(text).toMatch(/Invitation queued: Bob +The sender/)
    expect(text).toMatch(/Recipient corrected: Bob → +The sender[^\n]*\n +Bo <bo@x\.example>/)
    expect(text).toMatch(/Approved +Carol/)
    expect(text).toMatch(/Declined: “The price is wrong.” +Bob/)
    expect(text).toMatch(/Sealing failed, will be tried again +– /)
  })

  test.each([
    ['en', '→'],
    ['ar', '←'],
  ] as const)('tells who followed whom in %s, also if both names are read from right to left', async (language, arrow) => {
    const kind = 'recipient.corrected'
    const handed = event({ kind, who: { kind: 'sender' }, concernedRecipientName: 'עדה', newPerson: 'דן 7' })
    const lines = (await textOf(await composeEvidence(evidenceOf({ language, events: [handed] }), A4), '-layout')).split('\n')
    const [before, after] = ['עדה', 'דן'].map(name => lines.findIndex(line => line.includes(name)))
    expect([after, lines[before ?? 0]]).toEqual([(before ?? 0) + 1, expect.stringContaining(arrow)])
    expect(lines[after ?? 0]).not.toContain(arrow)
  })

  test('prints the name and hash of each file that was joined', async () => {
    const files = ['Lease.pdf', 'Annex & Plan.pdf'].map((fileName, i) => ({
      fileName,
      sha256: `${i + 1}c`.repeat(32),
      pageCount: 1,
    }))
    const document = { ...evidenceOf().document, files }
    const text = flat(await textOf(await composeEvidence(evidenceOf({ document }), A4)))
    expect(text).toContain('byte for byte. The original was joined from the uploads in the technical record, in the order there.')
    for (const { fileName, sha256 } of files) expect(text).toContain(`${sha256} ${fileName}`)
    expect(flat(await textOf(await composeEvidence(evidenceOf(), A4)))).not.toContain('joined from')
  })

  test('does not claim that an approver’s name is in the document, and prints check boxes as words', async () => {
    const values = [
      { label: 'Terms', page: 1, kind: 'check', value: true },
      { label: 'News', page: 1, kind: 'check', value: false },
      { label: 'Word', page: 1, kind: 'text', value: 'ticked' },
    ] as const
    const person = recipient(1, { role: 'approver', signature: { ...typed('A. Lovelace 1'), pages: [] }, values: [...values] })
    const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person], language: 'de' }), A4)))
    expect(text).toContain('Name, wie eingegeben')
    expect(text).not.toMatch(/Unterschrift „|A. Lovelace 1“, S\./)
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
        initials: typed(value),
        values: [{ label: value, page: 1, kind: 'text', value }],
      })
      const document = { ...evidenceOf().document, title: value, fileName: value }
      const evidence = evidenceOf({
        recipients: [person],
        document,
        organisation: value,
        environment: value,
        isTest: true,
        events: [
          event({ who: { kind: 'recipient', name: value }, concernedRecipientName: value, newPerson: value, reason: value }),
        ],
      })
      const pdf = await composeEvidence(evidence, A4)
      expect(await findQpdfErrors(pdf)).toBe('')
      expect(await textOf(pdf)).toContain('d0'.repeat(32))
    }
  })

  test('a field label of the sender cannot look like an entry of the record', async () => {
    const person = recipient(1, { values: [{ label: 'Signed', page: 1, kind: 'text', value: '1999-01-01 00:00:00.000 UTC' }] })
    const text = await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4))
    expect(text.indexOf('Fields of the document')).toBeGreaterThan(0)
    expect(text.indexOf('1999-01-01')).toBeGreaterThan(text.indexOf('Fields of the document'))
  })

  test('names the sender’s fields as the sender’s, apart from those of a person', async () => {
    const person = recipient(1, {
      values: [
        { label: 'Town', page: 1, kind: 'text', value: 'Paris' },
        { label: 'Rent', page: 1, kind: 'text', value: '1250.00', isFixed: true },
      ],
    })
    const document = {
      ...evidenceOf().document,
      senderValues: [{ label: 'Contract', page: 4, kind: 'text' as const, value: 'No 4711' }],
    }
    const text = flat(await textOf(await composeEvidence(evidenceOf({ document, recipients: [person] }), A4)))
    expect(text).toContain('as the sender completed them before sending Contract No 4711 p. 4')
    expect(text).toContain('Town Paris p. 1 Rent 1250.00')
    expect(text).toContain('set by the sender, not to be changed')
    expect(text.indexOf('No 4711')).toBeLessThan(text.indexOf('as this person completed'))
  })

  test('prints what a person completed also if neither address nor browser are known', async () => {
    const person = recipient(1, { ip: undefined, userAgent: undefined })
    expect(flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4)))).toContain('Town Łódź p. 2')
  })

  test('lists a file with its name, size, type and hash', async () => {
    const file = { fileName: 'Ausweis Müller.pdf', mediaType: 'application/pdf', bytes: 1234567, sha256: 'f7'.repeat(32) }
    const person = recipient(1, { values: [{ label: 'Identity card', page: 1, kind: 'file', ...file }] })
    for (const [language, size] of [
      ['en', '1,234,567 bytes'],
      ['de', '1.234.567 Bytes'],
    ] as const) {
      const text = flat(await textOf(await composeEvidence(evidenceOf({ recipients: [person], language }), A4)))
      expect(text).toContain(`${size}, application/pdf SHA-256 ${file.sha256}`)
    }
  })

  test('viewers without any action need no signature', async () => {
    const reader = recipient(1, {
      role: 'viewer',
      signature: undefined,
      initials: undefined,
      identifiedBy: [],
      actedAt: undefined,
      ip: undefined,
      userAgent: undefined,
      consentSha256: undefined,
      intent: undefined,
      values: [],
    })
    const text = await textOf(await composeEvidence(evidenceOf({ recipients: [reader], events: [], contact: undefined }), A4))
    expect(text).toContain('Receives a copy')
    expect(text.match(/Ada Lovelace/g)).toHaveLength(1)
    expect(text).not.toMatch(/undefined|Fields of the document|\nBrowser/)
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
