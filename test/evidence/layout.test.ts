/**
 * Layout of the audit certificate: nothing overlaps or crosses the margins, and related content is
 * on one page.
 */
import { describe, expect, test } from 'bun:test'
import { LANGUAGES, type Language } from '../../src/core/language.ts'
import type { Evidence, EvidenceRecipient } from '../../src/evidence/model.ts'
import { composeEvidence } from '../../src/evidence/prepare.ts'
import { catalogueOf } from '../../src/locales/index.ts'
import { times } from '../support/long.ts'
import { findQpdfErrors, inkArea, missingPrograms, rasterOf, textOf } from './pdf-programs.ts'
import { A4, event, evidenceOf, flat, LETTER, pagesOf, recipient } from './sample.ts'

const missing = missingPrograms()
/** Margin on each side, pt. */
const MARGIN = 50

interface Word {
  left: number
  top: number
  right: number
  bottom: number
  text: string
}

/** Every word of every page with its box, pt from the upper left corner. */
async function wordsPerPage(pdf: Uint8Array): Promise<Word[][]> {
  const pages: Word[][] = []
  const found = /<page |xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">([^<]*)/g
  for (const [whole, left, top, right, bottom, text] of (await textOf(pdf, '-bbox')).matchAll(found)) {
    if (whole === '<page ') pages.push([])
    else
      pages.at(-1)?.push({ left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom), text: text ?? '' })
  }
  return pages
}

const ARABIC = /\p{Script=Arabic}|\p{M}|[،؛()]/u

/**
 * pdftotext gives the full line height, so neighbouring lines may touch. The Arabic font has twice
 * the height of its letters, and joined letters of a line are not words.
 */
function clash(a: Word, b: Word): boolean {
  const isArabic = ARABIC.test(a.text + b.text)
  if (isArabic && Math.abs(a.top + a.bottom - b.top - b.bottom) < 8) return false
  const shared = isArabic ? 10 : 4
  return a.left < b.right - 0.5 && a.right > b.left + 0.5 && a.top < b.bottom - shared && a.bottom > b.top + shared
}

/** Words that overlap the margins or other words. */
async function misplaced(pdf: Uint8Array, paper: { width: number; height: number }): Promise<string[]> {
  const pages = await wordsPerPage(pdf)
  return pages.flatMap((words, i) => {
    const outside = words.filter(
      word => word.left < MARGIN || word.right > paper.width - MARGIN || word.top < 30 || word.bottom > paper.height - 25,
    )
    const over = words.filter((word, at) => words.slice(0, at).some(other => clash(word, other)))
    return [...outside, ...over].map(word => `page ${i + 1}: ${word.text}`)
  })
}

/** How far the middles of two words are apart in height. */
const centre = (a: Word, b: Word): number => Math.abs(a.top + a.bottom - b.top - b.bottom) / 2

const LONG_NAME = 'Dr. Maria-Theresia von und zu Hohenlohe-Waldenburg-Schillingsfürst '.repeat(3).trim()
const LONG_AGENT = 'Mozilla/5.0 (Linux; Android 15; SM-S938B Build/AP3A) AppleWebKit/537.36 '.repeat(7).slice(0, 500)

const [PEOPLE, EVENTS] = [times(30, 100), times(200, 1000)]

/** Every tenth person has long values. */
function crowd(): Evidence {
  const long = {
    name: LONG_NAME,
    email: `${'a'.repeat(60)}@${'long-label-'.repeat(12)}.example.com`,
    values: [
      {
        label: 'A label that is much longer than its column can hold in one line',
        page: 1,
        kind: 'text',
        value: 'word '.repeat(900),
      },
      { label: 'Code', page: 1, kind: 'text', value: 'x'.repeat(3000) },
    ],
  } satisfies Partial<EvidenceRecipient>
  return evidenceOf({
    recipients: Array.from({ length: PEOPLE }, (_, i) => recipient(i, { userAgent: LONG_AGENT, ...(i % 10 === 9 ? long : {}) })),
    events: Array.from({ length: EVENTS }, (_, i) => {
      const who = { kind: 'recipient', name: i % 3 === 0 ? LONG_NAME : 'Ada Lovelace' } as const
      return event({ who, concernedRecipientName: `Event number ${i}`, ip: `2001:db8:85a3:1234:5678:8a2e:370:${i}` })
    }),
  })
}

describe.skipIf(missing.length > 0)('layout', () => {
  test(`${PEOPLE} recipients and ${EVENTS} events are all printed, and nothing overlaps`, async () => {
    const pdf = await composeEvidence(crowd(), A4)
    expect(await findQpdfErrors(pdf)).toBe('')
    const pages = await pagesOf(pdf)
    const text = flat(pages.join(' '))
    for (let i = 0; i < PEOPLE; i++) if (i % 10 !== 9) expect(text).toContain(`ada.${i}@example.com`)
    for (let i = 0; i < EVENTS; i++) expect(text).toContain(`Event number ${i} `)
    expect(text.split('word ').length).toBeGreaterThan(90 * PEOPLE)
    expect(pages.length).toBeLessThan(1.7 * PEOPLE)
    expect(pages.at(-1)).toContain(`Audit certificate, page ${pages.length} of ${pages.length}`)
    expect(await misplaced(pdf, A4)).toEqual([])
    const points = 72 / 40
    for (let page = 1; page <= pages.length; page += 31) {
      const ink = inkArea(await rasterOf(pdf, page, 40))!
      expect(ink.left * points).toBeGreaterThanOrEqual(MARGIN)
      expect(ink.right * points).toBeLessThanOrEqual(A4.width - MARGIN)
    }
  }, 60_000)

  test.each([...LANGUAGES])(
    'paragraphs of 2,000 characters, and values of the sender, keep their place in %s',
    async language => {
      const paragraph = (text: string) => `${text.repeat(2000 / text.length)}\n\n• one\n• two`
      const values = [
        { label: 'Remarks', page: 1, kind: 'text' as const, value: paragraph('The apartment was handed over with two keys. ') },
        { label: 'ملاحظات', page: 1, kind: 'text' as const, value: paragraph('تم تسليم الشقة مع مفتاحين ومخطط للطابق. ') },
        { label: 'Without a break', page: 1, kind: 'text' as const, value: 'x'.repeat(2000) },
        {
          label: 'Attachment',
          page: 12,
          kind: 'file' as const,
          fileName: `${'long-name-'.repeat(20)}.pdf`,
          mediaType: 'application/pdf',
          bytes: 19_999_999,
          sha256: 'ab'.repeat(32),
        },
      ]
      const document = { ...evidenceOf().document, senderValues: values }
      const pdf = await composeEvidence(evidenceOf({ language, document, recipients: [recipient(1, { values })] }), A4)
      expect(await findQpdfErrors(pdf)).toBe('')
      expect(await misplaced(pdf, A4)).toEqual([])
    },
    60_000,
  )

  test('a recipient is on one page if possible; otherwise the name is repeated on each further page', async () => {
    const pages = await pagesOf(await composeEvidence(crowd(), A4))
    const continued = pages.filter(text => text.includes('(continued)'))
    expect(continued.length).toBeGreaterThanOrEqual(PEOPLE / 10)
    for (const text of continued) expect(flat(text)).toMatch(/\d+\. Dr\. Maria-Theresia von und zu .*… \(continued\)/)
    for (let i = 0; i < PEOPLE; i++) {
      if (i % 10 === 9) continue
      const [list, page, record, ...more] = pages.filter(text => text.includes(`${i + 1}. Ada Lovelace ${i}\n`))
      expect(list).toContain(`ada.${i}@example.com`)
      expect(page).toContain(`ada.${i}@example.com`)
      expect(page).toContain('Personal link')
      expect(record).toContain('I sign this document.')
      expect([...more, ...pages.filter(text => text.includes(`Ada Lovelace ${i} (continued)`))]).toEqual([])
    }
  }, 60_000)

  test('no heading ends a page, and a continued table repeats its header', async () => {
    const { sections, fieldsOf, columns } = catalogueOf('en').evidence
    const headings = [...Object.values(sections), fieldsOf, columns.event]
    // Every position where the events can start on a page.
    for (let extra = 0; extra < 30; extra++) {
      const values = Array.from({ length: extra }, (_, i) => ({
        label: `Field ${i}`,
        page: 1,
        kind: 'text' as const,
        value: 'x',
      }))
      const events = Array.from({ length: 60 }, (_, i) => event({ concernedRecipientName: `Event ${i}` }))
      const pdf = await composeEvidence(evidenceOf({ recipients: [recipient(1, { values })], events }), A4)
      for (const text of await pagesOf(pdf, '-raw')) {
        const lines = text.trim().split('\n')
        expect(lines.at(-1)).toStartWith('Audit certificate, page')
        expect(headings).not.toContain(lines.at(-2) ?? '')
        expect(lines.at(-2)).not.toMatch(/^\d+\. Ada/)
        if (/Event \d/.test(text)) expect(text).toContain('Time Event By')
        expect(text.split('Time Event By').length).toBeLessThanOrEqual(2)
      }
    }
  }, 60_000)

  test.each(LANGUAGES)(
    'speaks %s on either paper, whole words within the margins',
    async language => {
      const { heading, sections, labels, pageOf } = catalogueOf(language).evidence
      const evidence = evidenceOf({
        language,
        isTest: true,
        environment: 'sandbox',
        timeZone: 'America/Argentina/Buenos_Aires',
        recipients: [
          recipient(1, { userAgent: LONG_AGENT, identifiedBy: ['email_link', 'access_code'] }),
          recipient(2, { role: 'approver' }),
        ],
        document: { ...evidenceOf().document, uploadedSha256: 'f9'.repeat(32) },
      })
      for (const paper of [A4, LETTER]) {
        const pdf = await composeEvidence(evidence, paper)
        expect(await findQpdfErrors(pdf)).toBe('')
        expect(await misplaced(pdf, paper)).toEqual([])
        const pages = await pagesOf(pdf)
        expect(pages.length).toBeLessThan(7)
        const text = flat(pages.join(' '))
        for (const hash of ['a1', 'c1', 'd0', 'e5', 'f9']) expect(text).toContain(hash.repeat(32))
        expect(text).not.toMatch(/undefined|email_link|approver|\b(recipient|document)\.[a-z]/)
        if (language === 'ar') continue
        const { details: _, ...present } = sections
        for (const word of [heading, ...Object.values(present), labels.intent, pageOf(1, pages.length)])
          expect(text).toContain(word)
      }
    },
    20_000,
  )

  test('a name in Arabic keeps its number before it, and its pages after it, on a page in English', async () => {
    const layla = recipient(2, { name: 'ليلى', signature: { ...recipient(2).signature!, text: 'ليلى' } })
    const pages = await wordsPerPage(await composeEvidence(evidenceOf({ recipients: [recipient(1), layla] }), A4))
    const namesOn = (words: Word[]) => words.filter(({ text }) => /\p{Script=Arabic}/u.test(text))
    const besideName = (text: string) =>
      pages.flatMap(words =>
        words
          .filter(word => word.text === text)
          .flatMap(word => namesOn(words).flatMap(name => (centre(name, word) < 4 ? [word.left > name.left] : []))),
      )
    expect(pages.flatMap(namesOn)).toHaveLength(3)
    expect(besideName('2.')).toEqual([false, false])
    expect(besideName('p.')).toEqual([true])
  })

  test('Arabic starts at the right', async () => {
    const place = async (language: Language) => {
      const pages = await wordsPerPage(await composeEvidence(evidenceOf({ language }), A4))
      const boxOf = (text: string) => pages.flat().find(word => word.text === text)
      return { mail: boxOf('ada.1@example.com')!, hash: boxOf('a1'.repeat(32))! }
    }
    const [english, arabic] = [await place('en'), await place('ar')]
    expect(english.mail.left).toBeCloseTo(56 + 126, 0)
    expect(A4.width - arabic.mail.right).toBeCloseTo(56 + 126, 0)
    expect(english.hash.left).toBeCloseTo(56 + 118, 0)
    expect(A4.width - arabic.hash.right).toBeCloseTo(56 + 118, 0)
  })

  test.each(LANGUAGES)('one signer takes two pages in %s, and the people up to six are on the first', async language => {
    const agent =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
    const text = catalogueOf(language).consent.signing('Example Ltd (legal@example.com)', undefined).join('\n')
    const consents = [{ version: '2026-11-2', sha256: 'c1'.repeat(32), text }]
    const intent = catalogueOf(language).consent.intent.signer
    const timeZone = 'UTC'
    const values = ['Town', 'Date'].map((label, i) => ({ label, page: i, kind: 'text' as const, value: 'London' }))
    const people = [1, 2, 3, 4, 5, 6].map(i => recipient(i, { userAgent: agent, intent, values }))
    const kinds = [
      'document.created',
      'document.sent',
      'recipient.invitation_mailed',
      'document.viewed',
      'recipient.consented',
      'recipient.signed',
    ] as const
    const events = kinds.map(kind => event({ kind, ip: '2001:db8:85a3:1234:5678:8a2e:370:7334' }))
    const known = { consentVersion: '2026-11-2', consentedAt: events[5]?.at, pagesShown: [1, 2, 3] }
    const recipients = people.slice(0, 1).map(person => ({ ...person, ...known }))
    const sender = {
      ...{ person: 'Nora Admin', program: 'CRM', timestampAuthorities: ['timestamp.example.com'] },
      verifyPageSha256: 'ab'.repeat(32),
    }
    const one = evidenceOf({ language, consents, events, timeZone, recipients, ...sender })
    for (const paper of [A4, LETTER]) {
      const pages = await pagesOf(await composeEvidence(one, paper))
      expect({ language, pages: pages.length, rest: pages.slice(2) }).toEqual({ language, pages: 2, rest: [] })
    }
    const six = people.map((person, i) => ({
      ...person,
      identifiedBy: i === 1 ? (['email_link', 'access_code'] as const) : person.identifiedBy,
    }))
    for (const paper of [A4, LETTER]) {
      const [first = ''] = await pagesOf(
        await composeEvidence(evidenceOf({ language, timeZone, recipients: six, ...sender }), paper),
      )
      for (let i = 1; i <= 6; i++) expect(first).toContain(`ada.${i}@example.com`)
      expect(first).not.toContain('Firefox/140.0')
    }
  })

  test('the legal notes are at the foot of page 1 where they fit, else at the end', async () => {
    const placeOf = async (count: number, paper: typeof A4) => {
      const recipients = Array.from({ length: count }, (_, i) => recipient(i + 1))
      const pdf = await composeEvidence(evidenceOf({ recipients }), paper)
      const pages = await pagesOf(pdf)
      const found = pages.flatMap((text, i) => (flat(text).includes('simple electronic signature') ? [i + 1] : []))
      return { pdf, found, count: pages.length }
    }
    const few = await placeOf(2, A4)
    expect(few.found).toEqual([1])
    const last = (await wordsPerPage(few.pdf))[0]!.find(({ text }) => text === 'Poppler)')!
    expect(last.bottom).toBeWithin(A4.height - MARGIN - 50, A4.height - MARGIN - 20)
    const many = await placeOf(25, LETTER)
    expect(many.found).toEqual([many.count])
  })

  test('people who do not fit on page 1 go on over the next pages, and the events follow them', async () => {
    const recipients = Array.from({ length: 12 }, (_, i) => recipient(i + 1))
    const pages = await pagesOf(await composeEvidence(evidenceOf({ recipients }), A4))
    expect(pages[0]).toContain('Completed and sealed · Signed: 12')
    expect(pages[0]).toContain('ada.7@example.com')
    const last = pages.find(text => text.includes('ada.12@example.com'))
    expect(last).toContain('Completed and sealed')
    const long = Array.from({ length: 6 }, (_, i) => recipient(i + 1, { name: `${LONG_NAME.slice(0, 120)} ${i + 1}` }))
    const ofLong = await pagesOf(await composeEvidence(evidenceOf({ recipients: long }), LETTER))
    expect(flat(ofLong.findLast(text => text.includes('ada.6@example.com')) ?? '')).toMatch(/ada\.6@example\.com.*Events/)
  })

  test('a name longer than a page continues on the next page', async () => {
    const evidence = evidenceOf({ recipients: [recipient(1, { name: 'Hohenlohe '.repeat(900).trim() }), recipient(2)] })
    const pdf = await composeEvidence(evidence, A4)
    expect(await misplaced(pdf, A4)).toEqual([])
    const text = flat(await textOf(pdf, '-raw'))
    expect(text.split('Hohenlohe ').length).toBeGreaterThan(900)
    expect(text).toContain('2. Ada Lovelace 2')
  })

  test('long titles, organisations and zones do not move header and footer', async () => {
    const evidence = evidenceOf({
      organisation: 'Gesellschaft zur Förderung der Typographie '.repeat(6).trim(),
      environment: 'a-very-long-environment-name-'.repeat(5),
      isTest: true,
      timeZone: 'America/Argentina/ComodRivadavia',
      verifyUrl: `https://${'sub.'.repeat(20)}example.com/verify`,
      document: { ...evidenceOf().document, id: `doc_${'X'.repeat(60)}`, title: 'Agreement about everything '.repeat(18).trim() },
    })
    const pdf = await composeEvidence(evidence, LETTER)
    expect(await misplaced(pdf, LETTER)).toEqual([])
    expect(await textOf(pdf)).toContain('…')
  })
})
