/**
 * Layout of the audit certificate: nothing overlaps or crosses the margins, and related content is
 * on one page.
 */
import { describe, expect, test } from 'bun:test'
import { LANGUAGES, type Language } from '../../src/core/language.ts'
import type { Evidence, EvidenceRecipient } from '../../src/evidence/model.ts'
import { composeEvidence } from '../../src/evidence/page.ts'
import { catalogueOf } from '../../src/locales/index.ts'
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

const LONG_NAME = 'Dr. Maria-Theresia von und zu Hohenlohe-Waldenburg-Schillingsfürst '.repeat(3).trim()
const LONG_AGENT = 'Mozilla/5.0 (Linux; Android 15; SM-S938B Build/AP3A) AppleWebKit/537.36 '.repeat(7).slice(0, 500)

/** A hundred recipients, every tenth with long values, and a thousand events. */
function crowd(): Evidence {
  const long = {
    name: LONG_NAME,
    email: `${'a'.repeat(60)}@${'long-label-'.repeat(12)}.example.com`,
    values: [
      { label: 'A label that is much longer than its column can hold in one line', kind: 'text', value: 'word '.repeat(900) },
      { label: 'Code', kind: 'text', value: 'x'.repeat(3000) },
    ],
  } satisfies Partial<EvidenceRecipient>
  return evidenceOf({
    recipients: Array.from({ length: 100 }, (_, i) => recipient(i, { userAgent: LONG_AGENT, ...(i % 10 === 9 ? long : {}) })),
    events: Array.from({ length: 1000 }, (_, i) => {
      const who = { kind: 'recipient', name: i % 3 === 0 ? LONG_NAME : 'Ada Lovelace' } as const
      return event({ who, concernedRecipientName: `Event number ${i}`, ip: `2001:db8:85a3:1234:5678:8a2e:370:${i}` })
    }),
  })
}

describe.skipIf(missing.length > 0)('layout', () => {
  test('a hundred recipients and a thousand events are all printed, and nothing overlaps', async () => {
    const pdf = await composeEvidence(crowd(), A4)
    expect(await findQpdfErrors(pdf)).toBe('')
    const pages = await pagesOf(pdf)
    const text = flat(pages.join(' '))
    for (let i = 0; i < 100; i++) if (i % 10 !== 9) expect(text).toContain(`ada.${i}@example.com`)
    for (let i = 0; i < 1000; i++) expect(text).toContain(`Event number ${i} `)
    expect(text.split('word ').length).toBeGreaterThan(9000)
    expect(pages.length).toBeGreaterThan(90)
    expect(pages.length).toBeLessThan(220)
    expect(pages.at(-1)).toContain(`Audit certificate, page ${pages.length} of ${pages.length}`)
    expect(await misplaced(pdf, A4)).toEqual([])
    const points = 72 / 40
    for (let page = 1; page <= pages.length; page += 31) {
      const ink = inkArea(await rasterOf(pdf, page, 40))!
      expect(ink.left * points).toBeGreaterThanOrEqual(MARGIN)
      expect(ink.right * points).toBeLessThanOrEqual(A4.width - MARGIN)
    }
  }, 60_000)

  test('a recipient is on one page if possible; otherwise the name is repeated on each further page', async () => {
    const pages = await pagesOf(await composeEvidence(crowd(), A4))
    const continued = pages.filter(text => text.includes('(continued)'))
    expect(continued.length).toBeGreaterThan(9)
    for (const text of continued) expect(flat(text)).toMatch(/\d+\. Dr\. Maria-Theresia von und zu .*… \(continued\)/)
    for (let i = 0; i < 100; i++) {
      if (i % 10 === 9) continue
      const page = pages.find(text => text.includes(`ada.${i}@example.com`))
      expect(page).toContain(`${i + 1}. Ada Lovelace ${i}\n`)
      expect(page).toContain('I sign this document.')
      expect(page).not.toContain(`Ada Lovelace ${i} (continued)`)
    }
  }, 60_000)

  test('no heading ends a page, and a continued table repeats its header', async () => {
    const { sections, fieldsOf, columns } = catalogueOf('en').evidence
    const headings = [...Object.values(sections), fieldsOf, columns.event]
    // Every position where the events can start on a page.
    for (let extra = 0; extra < 30; extra++) {
      const values = Array.from({ length: extra }, (_, i) => ({ label: `Field ${i}`, kind: 'text' as const, value: 'x' }))
      const events = Array.from({ length: 60 }, (_, i) => event({ concernedRecipientName: `Event ${i}` }))
      const pdf = await composeEvidence(evidenceOf({ recipients: [recipient(1, { values })], events }), A4)
      for (const text of await pagesOf(pdf, '-raw')) {
        const lines = text.trim().split('\n')
        expect(lines.at(-1)).toStartWith('Audit certificate, page')
        expect(headings).not.toContain(lines.at(-2) ?? '')
        expect(lines.at(-2)).not.toMatch(/^\d+\. Ada/)
        if (/Event \d/.test(text)) expect(text).toContain('IP as seen by the server')
        expect(text.split('IP as seen by the server').length).toBeLessThanOrEqual(2)
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
          recipient(1, { userAgent: LONG_AGENT, identifiedBy: 'email_link_and_access_code' }),
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
        for (const word of [heading, ...Object.values(sections), labels.intent, pageOf(1, pages.length)])
          expect(text).toContain(word)
      }
    },
    20_000,
  )

  test('Arabic starts at the right; commands still start at the left', async () => {
    const place = async (language: Language) => {
      const pages = await wordsPerPage(await composeEvidence(evidenceOf({ language }), A4))
      const boxOf = (text: string) => pages.flat().find(word => word.text === text)
      return { mail: boxOf('ada.1@example.com')!, command: boxOf('pdfsig')! }
    }
    const [english, arabic] = [await place('en'), await place('ar')]
    expect(english.mail.left).toBeCloseTo(56 + 118, 0)
    expect(A4.width - arabic.mail.right).toBeCloseTo(56 + 118, 0)
    expect(arabic.command.left).toBeLessThan(80)
    expect(english.command.left).toBeLessThan(80)
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
