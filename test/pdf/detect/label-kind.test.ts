/** What labels beside blanks mean, and which mean nothing to a signer. */
import { describe, expect, test } from 'bun:test'
import type { Language } from '../../../src/core/language.ts'
import { LanguageCounter } from '../../../src/pdf/detect/find-fields.ts'
import { LabelReader, normalizeLabel } from '../../../src/pdf/detect/label-kind.ts'

const kindsOf = (language: Language, label: string) => new LabelReader([language]).read(label)?.kinds

const MEANINGS: [Language, label: string, kinds: string[] | undefined][] = [
  ['en', 'Signature', ['signature']],
  ['en', 'Authorised Signatory:', ['signature']],
  ['en', 'By:', ['signature']],
  ['en', 'Landlord', ['signature']],
  ['en', 'Name', ['name']],
  ['en', 'Name of bank', undefined],
  ['en', 'Print name of tenant', ['name']],
  ['en', 'Date', ['date']],
  ['en', 'Date of birth', ['text']],
  ['en', 'Invoice date', ['text']],
  ['en', 'Place, date', ['place', 'date']],
  ['en', 'Name / Signature', ['name', 'signature']],
  ['en', 'Initials', ['initials']],
  ['en', 'E-mail', ['email']],
  ['en', 'data', undefined],
  ['en', 'The signature of each party is kept by the service for ten years', undefined],
  ['en', '<signature>', undefined],
  ['en', 'Signature 4711', undefined],
  ['de', 'Ort, Datum, Unterschrift', ['place', 'date', 'signature']],
  ['de', 'Ort und Datum', ['place', 'date']],
  ['de', 'Firma', undefined],
  ['de', 'Geburtsdatum', undefined],
  ['de', 'Unterschrift des Vermieters', ['signature']],
  ['de', 'Berlin, den', ['date']],
  ['de', 'Handzeichen', ['initials']],
  ['fr', 'Fait à', ['place']],
  ['fr', 'Fait à Paris, le', ['date']],
  ['fr', 'Signé', ['signature']],
  ['fr', 'Nom et prénom', ['name']],
  ['es', 'Firma del arrendador', ['signature']],
  ['es', 'Fdo.:', ['signature']],
  ['it', 'Luogo e data', ['place', 'date']],
  ['it', 'Il Locatore', ['signature']],
  ['pt', 'Assinatura do contratante', ['signature']],
  ['pt', 'Data', ['date']],
  ['nl', 'Handtekening', ['signature']],
  ['pl', '(czytelny podpis)', ['signature']],
  ['pl', 'Imię i nazwisko', ['name']],
  ['pl', 'firma', undefined],
  ['ar', 'توقيع المستأجر', ['signature']],
  ['ar', 'والتاريخ:', ['date']],
  ['ar', 'الاسم', ['name']],
]

describe('labels', () => {
  for (const [language, label, kinds] of MEANINGS) {
    test(`${language}: "${label}" asks for ${kinds?.join(', ') ?? 'nothing'}`, () => {
      expect(kindsOf(language, label)).toEqual(kinds as never)
    })
  }

  test('English labels are read in every language, those of others are not', () => {
    expect(kindsOf('pl', 'Signature')).toEqual(['signature'])
    expect(kindsOf('pl', 'Unterschrift')).toBeUndefined()
  })

  test('the words for the signer remain as its name', () => {
    const nameOf = (language: Language, label: string) => new LabelReader([language]).read(label)?.partyName
    expect(nameOf('en', 'Signature of the Tenant')).toBe('Tenant')
    expect(nameOf('de', 'Unterschrift Vermieterin')).toBe('Vermieterin')
    expect(nameOf('en', 'Signature')).toBeUndefined()
  })
})

test('letters that extraction swaps or draws as ligatures are the same word', () => {
  expect(normalizeLabel('الميالد')).toBe(normalizeLabel('الميلاد'))
  expect(normalizeLabel('ﺗﻮﻗﻴﻊ')).toBe(normalizeLabel('توقيع'))
  expect(normalizeLabel('SIGNATURE')).toBe('signature')
})

test('a short page has the language of the pages before it', () => {
  const languages = new LanguageCounter()
  languages.ofPage(['Der Mieter zahlt die Miete, und der Vermieter ist mit der Zahlung im Voraus auf das Konto nicht zu spät.'])
  expect(languages.ofPage(['Unterschrift'])).toEqual({ languages: ['de'], isGuessed: false })
})

describe('a form with no frequent words has the language of its labels', () => {
  const of = (...texts: string[]) => new LanguageCounter().ofPage(texts)
  test('which a word of one language alone tells', () => {
    expect(of('Unterschrift', 'Datum', 'Name')).toEqual({ languages: ['de'], isGuessed: false })
    expect(of('Handtekening', 'Datum')).toEqual({ languages: ['nl'], isGuessed: false })
    expect(of('Prénom', 'Signature du salarié')).toEqual({ languages: ['fr'], isGuessed: false })
  })
  test('and which is guessed if each word means something in several', () => {
    expect(of('Firma')).toEqual({ languages: ['es', 'it'], isGuessed: true })
  })
  test('and no language if the texts have none', () => {
    expect(of('12.50', '4711')).toEqual({ languages: [], isGuessed: false })
  })
})
