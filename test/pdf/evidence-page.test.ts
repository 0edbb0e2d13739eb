import { describe, expect, test } from 'bun:test'
import { composeEvidence } from '../../src/pdf/evidence-page.ts'
import { openClock } from '../../src/pdf/evidence-time.ts'
import type { Evidence, EvidenceRecipient } from '../../src/pdf/order.ts'
import { faultsOf, inkArea, missingPrograms, rasterOf, textOf } from './paper.ts'

const missing = missingPrograms()
if (missing.length > 0) console.warn(`skipped for lack of ${missing.join(', ')}`)

const A4 = { width: 595.28, height: 841.89 }
const LETTER = { width: 612, height: 792 }
/** Points the pages keep free on each side. */
const MARGIN = 50

function recipient(i: number, more: Partial<EvidenceRecipient> = {}): EvidenceRecipient {
  return {
    name: `Ada Lovelace ${i}`,
    email: `ada.${i}@example.com`,
    role: 'Signer',
    status: 'Signed',
    identifiedBy: 'By a personal link sent to this address',
    signature: `A. Lovelace ${i}`,
    times: [
      { label: 'Sent', at: '2026-03-29T00:59:59.999Z' },
      { label: 'Signed', at: '2026-03-29T01:00:00.123Z' },
    ],
    ip: '2001:db8::7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
    consent: { version: '2026-01', sha256: 'c1'.repeat(32) },
    intent: 'I sign this document.',
    values: [{ label: 'Town', value: 'Łódź' }],
    ...more,
  }
}

function evidenceOf(more: Partial<Evidence> = {}): Evidence {
  return {
    organisation: 'Example Ltd',
    contact: 'legal@example.com',
    environment: 'production',
    test: false,
    instanceId: 'ins_1',
    software: 'Signet 0.1.0',
    timeZone: 'Europe/Berlin',
    document: {
      id: 'doc_01JADQ7Y3K8MZ4V9T6W2XH5BCE',
      title: 'Agreement on Ελλάδα',
      fileName: 'agreement.pdf',
      pageCount: 3,
      originalSha256: 'a1'.repeat(32),
      uploadedSha256: undefined,
    },
    recipients: [recipient(1)],
    events: [
      { at: '2026-03-28T09:00:00.000Z', what: 'Accepted by the mail server', who: 'Ada Lovelace 1', ip: undefined },
      { at: '2026-03-29T01:00:00.123Z', what: 'Signed', who: 'Ada Lovelace 1', ip: '192.0.2.7' },
    ],
    audit: { sequence: 42, hash: 'd0'.repeat(32) },
    sealCertificate: {
      subject: 'CN=Example Seal',
      issuer: 'CN=Example Root',
      serial: '4f3a',
      sha256: 'e5'.repeat(32),
      algorithm: 'ECDSA P-256',
    },
    verifyUrl: 'https://sign.example.com/verify',
    ...more,
  }
}

async function pagesOf(pdf: Uint8Array, ...options: string[]): Promise<string[]> {
  return (await textOf(pdf, ...options)).split('\f').slice(0, -1)
}

/** All text as one line of words, so that wrapping does not matter. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ')
}

describe.skipIf(missing.length > 0)('certificate pages', () => {
  test('say everything the record holds', async () => {
    const text = flat(await textOf(await composeEvidence(evidenceOf(), A4)))
    const { document, sealCertificate, audit, verifyUrl } = evidenceOf()
    const facts = [
      document.id,
      document.title,
      document.fileName,
      document.originalSha256,
      audit.hash,
      verifyUrl,
      'Example Ltd',
      'ins_1',
    ]
    const person = [
      'Ada Lovelace 1',
      'ada.1@example.com',
      'Signer',
      'By a personal link',
      'A. Lovelace 1',
      'Firefox/140.0',
      'I sign this document.',
      'Łódź',
    ]
    for (const fact of [...facts, ...Object.values(sealCertificate), ...person, 'c1'.repeat(32)]) expect(text).toContain(fact)
    expect(text).toContain('2001:db8::7 (as seen by the server)')
    expect(text).toContain('signet verify FILE.pdf --trust root.pem')
    expect(text).toContain('pdfsig FILE.pdf')
    expect(text).toContain('openssl cms -verify -binary -inform DER')
    expect(text).toContain('simple electronic signature')
    expect(text).not.toMatch(/received|TEST/)
  })

  test('give each time in UTC and in the named zone with its offset then', async () => {
    const text = flat(await textOf(await composeEvidence(evidenceOf(), A4)))
    expect(text).toContain('2026-03-29 00:59:59.999 UTC 2026-03-29 01:59:59.999 UTC+01:00 (Europe/Berlin)')
    expect(text).toContain('2026-03-29 01:00:00.123 UTC 2026-03-29 03:00:00.123 UTC+02:00 (Europe/Berlin)')
  })

  test('read in the order they are written: label then value, one person after another', async () => {
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
      'How to check',
    ]
    let at = 0
    for (const words of order) {
      const found = text.indexOf(words, at)
      expect({ words, found: found >= at }).toEqual({ words, found: true })
      at = found
    }
  })

  test('name the upload only where it is not what the signers saw', async () => {
    const rewritten = evidenceOf({ document: { ...evidenceOf().document, uploadedSha256: 'f9'.repeat(32) } })
    expect(await textOf(await composeEvidence(rewritten, A4))).toContain('f9'.repeat(32))
    const same = evidenceOf({ document: { ...evidenceOf().document, uploadedSha256: 'a1'.repeat(32) } })
    expect(await textOf(await composeEvidence(same, A4))).not.toContain('SHA-256 of the upload')
  })

  test('carry number, count and document on every page, on either paper', async () => {
    for (const paper of [A4, LETTER]) {
      const pages = await pagesOf(await composeEvidence(evidenceOf({ recipients: [1, 2, 3, 4].map(i => recipient(i)) }), paper))
      expect(pages.length).toBeGreaterThan(2)
      pages.forEach((text, i) => {
        expect(text).toContain(`Page ${i + 1} of ${pages.length}`)
        expect(text).toContain('Document ID doc_01JADQ7Y3K8MZ4V9T6W2XH5BCE')
      })
    }
  })

  test('say TEST on every page, large and pale beneath whole text', async () => {
    const [live, trial] = [
      await composeEvidence(evidenceOf(), A4),
      await composeEvidence(evidenceOf({ test: true, environment: 'sandbox' }), A4),
    ]
    const pages = await pagesOf(trial)
    for (const text of pages) expect(text).toContain('TEST: made in the environment “sandbox”')
    const [plain, marked] = [await rasterOf(live, 1, 50), await rasterOf(trial, 1, 50)]
    const pale = marked.grey.filter(value => value > 225 && value < 245).length
    expect(pale / marked.grey.length).toBeGreaterThan(0.06)
    expect(marked.grey.filter(value => value < 120).length).toBeGreaterThan(plain.grey.filter(value => value < 120).length * 0.95)
  })

  test('a hundred people with long names, values and browsers: everybody is there, nothing leaves the margins', async () => {
    const long = {
      name: 'Dr. Maria-Theresia von und zu Hohenlohe-Waldenburg-Schillingsfürst '.repeat(3).trim(),
      email: `${'a'.repeat(60)}@${'long-label-'.repeat(12)}.example.com`,
      userAgent: 'Mozilla/5.0 '.repeat(40),
      values: [
        { label: 'A label that is much longer than its column can hold in one line', value: 'word '.repeat(900) },
        { label: 'Code', value: 'x'.repeat(3000) },
      ],
    }
    const recipients = Array.from({ length: 100 }, (_, i) => recipient(i, i % 10 === 9 ? long : {}))
    const events = Array.from({ length: 500 }, (_, i) => ({
      at: '2026-03-28T09:00:00.000Z',
      what: `Event number ${i}`,
      who: long.name,
      ip: `2001:db8:85a3:1234:5678:8a2e:370:${i}`,
    }))
    const pdf = await composeEvidence(evidenceOf({ recipients, events }), A4)
    expect(await faultsOf(pdf)).toBe('')
    const pages = await pagesOf(pdf)
    const text = flat(pages.join(' '))
    for (let i = 0; i < 100; i++) if (i % 10 !== 9) expect(text).toContain(`ada.${i}@example.com`)
    for (let i = 0; i < 500; i++) expect(text).toContain(`Event number ${i}`)
    expect(text.split('word ').length).toBeGreaterThan(9000)
    const points = 72 / 40
    for (let page = 1; page <= pages.length; page += 7) {
      const ink = inkArea(await rasterOf(pdf, page, 40))!
      expect(ink.left * points).toBeGreaterThanOrEqual(MARGIN)
      expect(ink.right * points).toBeLessThanOrEqual(A4.width - MARGIN)
      expect(ink.top * points).toBeGreaterThanOrEqual(40)
      expect(ink.bottom * points).toBeLessThanOrEqual(A4.height - 40)
    }
  }, 60_000)

  test('no two lines stand on one another', async () => {
    const long = recipient(1, {
      name: 'Hohenlohe '.repeat(30),
      userAgent: 'Gecko '.repeat(100),
      values: [{ label: 'Label '.repeat(20), value: 'a\nb\nc' }],
    })
    const boxes = await textOf(await composeEvidence(evidenceOf({ recipients: [long, recipient(2)] }), A4), '-bbox')
    const words = [...boxes.matchAll(/xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)"|<page/g)]
    let page: number[][] = []
    for (const [whole, ...numbers] of words) {
      if (whole === '<page') page = []
      else page.push(numbers.map(Number))
      const [left, top, right, bottom] = page.at(-1) ?? []
      if (whole === '<page') continue
      // pdftotext gives the whole height of the type, which neighbouring lines may share by a hair.
      const clash = page
        .slice(0, -1)
        .find(([l, t, r, b]) => l! < right! - 0.5 && r! > left! + 0.5 && t! < bottom! - 4 && b! > top! + 4)
      expect(clash).toBeUndefined()
    }
    expect(words.length).toBeGreaterThan(300)
  })

  test('hostile values give a sound file that still holds the rest', async () => {
    const hostile = [') Tj ET Q \\ << /JS (x) >> endstream', 'a\r\nb\rc', '👩‍👩‍👧 😀', '\u202egnp.exe שלום', 'x\ud83d\0', '', ' ']
    for (const value of hostile) {
      const person = recipient(1, {
        name: value,
        userAgent: value,
        signature: value,
        intent: value,
        values: [{ label: value, value }],
      })
      const pdf = await composeEvidence(
        evidenceOf({ recipients: [person], document: { ...evidenceOf().document, title: value } }),
        A4,
      )
      expect(await faultsOf(pdf)).toBe('')
      expect(await textOf(pdf)).toContain('d0'.repeat(32))
    }
  })

  test('what a sender calls a field cannot pass for an entry of the record', async () => {
    const person = recipient(1, { values: [{ label: 'Signed', value: '1999-01-01 00:00:00.000 UTC' }] })
    const text = await textOf(await composeEvidence(evidenceOf({ recipients: [person] }), A4))
    expect(text.indexOf('Fields of the document')).toBeGreaterThan(0)
    expect(text.indexOf('1999-01-01')).toBeGreaterThan(text.indexOf('Fields of the document'))
  })

  test('people who only read, and have done nothing yet, need no marks', async () => {
    const reader = recipient(1, {
      role: 'Copy',
      signature: undefined,
      times: [],
      ip: undefined,
      userAgent: undefined,
      consent: undefined,
      intent: undefined,
      values: [],
    })
    const text = await textOf(await composeEvidence(evidenceOf({ recipients: [reader], events: [] }), A4))
    expect(text).toContain('Copy')
    expect(text).not.toContain('undefined')
  })
})

describe('the clock', () => {
  test('knows zones with odd offsets, and both sides of a change', () => {
    expect(openClock('Asia/Kathmandu').local('2026-01-01T00:00:00.000Z')).toBe('2026-01-01 05:45:00.000 UTC+05:45')
    expect(openClock('Australia/Lord_Howe').local('2026-01-01T00:00:00.000Z')).toBe('2026-01-01 11:00:00.000 UTC+11:00')
    expect(openClock('Australia/Lord_Howe').local('2026-07-01T00:00:00.000Z')).toBe('2026-07-01 10:30:00.000 UTC+10:30')
    expect(openClock('Pacific/Apia').local('2026-01-01T11:30:00.000Z')).toBe('2026-01-02 00:30:00.000 UTC+13:00')
    expect(openClock('UTC').local('2026-01-01T00:00:00.000Z')).toBe('2026-01-01 00:00:00.000 UTC+00:00')
    const berlin = openClock('Europe/Berlin')
    expect(berlin.local('2026-10-25T00:30:00.000Z')).toBe('2026-10-25 02:30:00.000 UTC+02:00')
    expect(berlin.local('2026-10-25T01:30:00.000Z')).toBe('2026-10-25 02:30:00.000 UTC+01:00')
  })

  test('refuses a zone that does not exist', () => {
    expect(() => openClock('Mars/Olympus')).toThrow(RangeError)
  })
})
