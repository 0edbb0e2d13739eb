/** What alerts, checks and backups have found is German where the web app is, also if stored. */
import { describe, expect, test } from 'bun:test'
import { appTextsOf, diagnosisText } from '../../src/locales/app.ts'
import { paramsOf, storedTranslator, type Variant } from '../../src/locales/coded-text.ts'
import { diagnoses as german } from '../../src/locales/de/diagnoses.ts'
import { type DiagnosisCode, type DiagnosisTexts, diagnosis } from '../../src/locales/diagnoses.ts'
import { diagnoses as english } from '../../src/locales/en/diagnoses.ts'

/** German does not say why a backup cannot be read. */
const UNSAID = ['backup_damaged', 'backup_not_decrypted']

/** In place of each parameter is its name. */
function sampleOf(texts: DiagnosisTexts, code: DiagnosisCode, variant: Variant) {
  const read = new Set<string>()
  const partOf = (name: string) => {
    read.add(name)
    return `‹${name}›`
  }
  return { text: texts[code](paramsOf(partOf, variant)), read: [...read].sort() }
}

const fromEnglish = storedTranslator([[english, german]], text => text)
const VARIANTS = [true, false].flatMap(flag => [true, false].map(isOne => ({ flag, isOne })))

describe.each(Object.keys(english) as DiagnosisCode[])('%s', code => {
  test.each(VARIANTS)('is said in both languages, with all that it comes with, and found by its English words: %o', variant => {
    const [inEnglish, inGerman] = [sampleOf(english, code, variant), sampleOf(german, code, variant)]
    expect(inGerman.text).not.toBe(inEnglish.text)
    expect(inGerman.text.replaceAll(/‹\w+›/g, '')).not.toMatch(/\b(the|must|cannot|already|restore|free|has|been|hour)\b/i)
    if (!UNSAID.includes(code)) expect(inGerman.read).toEqual(inEnglish.read)
    expect(fromEnglish(inEnglish.text)).toBe(inGerman.text)
  })
})

const { storedText } = appTextsOf('de')

test('the cause inside of it is German too, stored or not, and may have a colon', () => {
  const cause = 'the reader was ended from outside'
  expect(storedText(`No backup was made: ${cause}`)).toBe(
    'Es wurde keine Sicherung erstellt: Das Leseprogramm wurde von außen beendet Siehe Einstellungen, Sicherungen.',
  )
  expect(diagnosisText(appTextsOf('de'), diagnosis('check_failed', { reason: cause }))).toBe(
    'ließ sich nicht prüfen: Das Leseprogramm wurde von außen beendet',
  )
  expect(storedText('The checkpoint of the audit log could not be stored in /kept: ENOSPC: no space.')).toBe(
    'Der Prüfpunkt des Protokolls ließ sich nicht in /kept ablegen: ENOSPC: no space.',
  )
})

test('a webhook that was disabled says why, and its last attempt where there is one', () => {
  const begin = 'The webhook whk_1 to a.example was disabled:'
  const end =
    'No more events are sent to it. Once its receiver is ready, enable it again under Settings → Webhooks, or delete it.'
  expect(storedText(`${begin} the receiver answered 410 Gone. ${end}`)).toStartWith(
    'Der Webhook whk_1 zu a.example wurde deaktiviert: Der Empfänger hat mit 410 Gone geantwortet. An ihn werden',
  )
  expect(storedText(`${begin} no delivery was accepted for five days. The last attempt: answered 500. ${end}`)).toStartWith(
    'Der Webhook whk_1 zu a.example wurde deaktiviert: Fünf Tage lang wurde keine Zustellung angenommen. Der letzte Versuch: answered 500. An ihn',
  )
})

test('what several authorities answered is German, one after the other', () => {
  expect(storedText('a.example answered 500; b.example:318 gave no token (rejection)')).toBe(
    'a.example hat mit 500 geantwortet; b.example:318 hat keinen Zeitstempel ausgestellt (rejection)',
  )
  // Not what anything says of a status.
  expect(storedText('The OCSP responder answered 404')).toBe('The OCSP responder answered 404')
})
