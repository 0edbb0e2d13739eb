/** Refusals and errors that the pages show are German where the web app is German. */
import { describe, expect, test } from 'bun:test'
import { errorAt } from '../../src/core/refusal.ts'
import { localized, translate } from '../../src/core/signing/message.ts'
import { violation } from '../../src/core/violation.ts'
import { appTextsOf, errorText } from '../../src/locales/app.ts'
import { paramsOf } from '../../src/locales/coded-text.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { messages } from '../../src/locales/de/messages.ts'
import { reasons } from '../../src/locales/de/reasons.ts'
import { violations } from '../../src/locales/de/violations.ts'
import { reasons as english } from '../../src/locales/en/reasons.ts'
import { sourcesIn } from '../support/sources.ts'

/** For clients of the API, monitors or whoever starts a node, or parts of messages. */
const NOT_IN_PAGES = [
  /^src\/core\/\w+\/(message|fields-from|audit-chain)\.ts/,
  /^src\/batches\/csv\.ts/,
  /^src\/documents\/\w+\/(damage|event-log|evidence-pack|follow-queries|test-page)\.ts/,
  /^src\/http\/(api\/|body\/(json-scanner|receive-api-form)|version-headers)/,
  /^src\/http\/(instance-)?metrics\.ts/,
  /^src\/settings\/master-key-(match|rotation)\.ts/,
  /^src\/http\/pages\/reference\/reference\.tsx/,
  /^src\/http\/errors\.ts (Range|Host|must name one host)/,
  /^src\/http\/body\/receive(-form)?\.ts \$\{what\}/,
  / (has (1|\$\{pageCount\}) pages?|is missing|has changed|is not|must be|is already used)$/,
  /API token/,
  /is not base64/,
]
const FOLDERS = ['src/core', 'src/batches', 'src/documents', 'src/templates', 'src/accounts', 'src/settings', 'src/http']
const CLAUSE = /^(must|is|has|holds|contains|cannot|does|would|a recipient) \S/
const SENTENCE = /^[A-Z$][^<>]* [^<>]*\.$/
/** Before a literal of another use: the log, an internal error, an e-mail. */
const OTHER_USE =
  /(\.log\([^)]*|\b(Range|Type|Pdf\w*|Storage|FileDamaged)?Error\(|paragraphs: \[[^\]]*|subject: |described\([^)]*|hint = ?)\s*$/

/** Each `${…}` of a template is replaced by the same sample. */
const SAMPLES = [
  '3',
  'sent',
  'signed',
  'voided',
  'Ada',
  'has 3 pages',
  'is missing',
  '1 second',
  '20 minutes',
  'https://a.example',
]

interface Literal {
  path: string
  text: string
}

function literalsOf(path: string, code: string): Literal[] {
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\$]|\\.|\$\{[^`{}]*\})+)`/g)]
    .filter(({ index }) => !OTHER_USE.test(code.slice(Math.max(0, index - 300), index)))
    .map(([, plain, template]) => ({ path, text: plain ?? template ?? '' }))
    .filter(({ text }) => CLAUSE.test(text) || SENTENCE.test(text))
}

function germanOf(text: string): string | undefined {
  const tries = SAMPLES.map(sample => text.replace(/\$\{[^{}]*\}/g, sample))
  const found = tries.find(english => storedText(english) !== english)
  return found && storedText(found)
}

describe('refusals and errors in German', () => {
  const literals = FOLDERS.flatMap(folder => sourcesIn(folder).flatMap(({ path, code }) => literalsOf(path, code)))
  const shown = literals.filter(({ path, text }) => !NOT_IN_PAGES.some(pattern => pattern.test(`${path} ${text}`)))

  test('exist for every message in the sources behind the pages', () => {
    // Most are codes, for which the type checker demands German words.
    expect(literals.length).toBeGreaterThan(20)
    expect(shown.filter(({ text }) => germanOf(text) === undefined)).toEqual([])
  })

  test('leave no English behind', () => {
    const english = /\$\d|\b(the|must|cannot|please|already|document is|has|again)\b/i
    expect(shown.map(({ text }) => germanOf(text) ?? '').filter(text => english.test(text))).toEqual([])
  })
})

test('every reason why a backup by schedule failed is a code, and German also inside the alert', () => {
  const files = /^src\/backups\/(write|runs)\.ts$/
  const literals = sourcesIn('src/backups').flatMap(({ path, code }) => (files.test(path) ? literalsOf(path, code) : []))
  // With PostgreSQL none are made.
  expect(literals.map(({ text }) => text).filter(text => !text.startsWith('This instance is in PostgreSQL'))).toEqual([])
  expect(
    storedText('No backup was made: The folder /b cannot be written (EACCES): choose another, or give this user the right.'),
  ).toBe(
    'Es wurde keine Sicherung erstellt: In den Ordner /b lässt sich nicht schreiben (EACCES): Wählen Sie einen anderen, oder geben Sie diesem Benutzer das Recht. Siehe Einstellungen, Sicherungen.',
  )
})

test('why another server could not be used is German, with the word of the system', () => {
  const known = [
    ['the file store does not answer (ConnectionRefused)', 'der Dateispeicher antwortet nicht (ConnectionRefused)'],
    ['tsa.example:318 refused the connection (ECONNREFUSED)', 'tsa.example:318 hat die Verbindung abgelehnt (ECONNREFUSED)'],
    ['tsa.example gave no answer within 10 s', 'tsa.example hat innerhalb von 10 s nicht geantwortet'],
    ['localhost is this host', 'localhost ist dieser Host'],
    [
      'a.example resolves to 10.0.0.1: 10.0.0.1 is a private address (10.0.0.0/8)',
      'a.example wird zu 10.0.0.1 aufgelöst: 10.0.0.1 ist eine private Adresse (10.0.0.0/8)',
    ],
    [
      'The mail server mail.example:25 refused the connection (ECONNREFUSED); check host and port.',
      'Der Mailserver mail.example:25 hat die Verbindung abgelehnt (ECONNREFUSED); prüfen Sie Adresse und Port.',
    ],
    [
      'The mail server mail.example:25 refused the recipient: 550 5.1.1 <eve@example.com> unknown',
      'Der Mailserver mail.example:25 hat den Empfänger abgelehnt: 550 5.1.1 <eve@example.com> unknown.',
    ],
  ]
  for (const [stored = '', german = ''] of known) expect(storedText(stored)).toBe(german)
  // S3 names what is wrong, and the store says what to do.
  expect(storedText(`the file store answers NoSuchBucket: ${english.bucket_missing()}`)).toBe(
    'der Dateispeicher antwortet NoSuchBucket: Den Bucket gibt es nicht: Legen Sie ihn an, oder berichtigen Sie seinen Namen',
  )
})

describe.each(Object.keys(english) as (keyof typeof english)[])('the reason %s', code => {
  const sampleOf = (texts: object) => (texts as Record<string, (params: never) => string>)[code]
  const samples = [english, reasons].map(texts =>
    String(sampleOf(texts)?.(paramsOf(name => `‹${name}›`, { flag: true, isOne: false }))),
  )

  test('is German where it is stored', () => {
    const [stored = '', german = ''] = samples
    expect(german).not.toMatch(/\b(the|must|cannot|has|refused|check)\b/i)
    expect(storedText(stored)).toBe(german)
  })
})

test('the row of the confinement is German, measure by measure', () => {
  const { no_new_privileges, no_network, no_programs, no_core_dumps, bounded_files, ended_with_service } = english
  const all = [no_new_privileges, no_network, no_programs, no_core_dumps, bounded_files, ended_with_service]
  const measures = all.map(text => text())
  const row = storedText(`processes that read PDFs: ${measures.join(', ')}`)
  expect(row).toBe(
    'Für Prozesse, die PDFs lesen, gilt: keine neuen Rechte, kein Netz, keine anderen Programme, keine Speicherabbilder, wenige und begrenzte Dateien, Ende mit dem Dienst',
  )
  expect(storedText('not in force for processes that read PDFs: no core dumps (the kernel accepted it without effect)')).toBe(
    'Für Prozesse, die PDFs lesen, gilt nicht: keine Speicherabbilder (der Kernel hat es ohne Wirkung angenommen)',
  )
})

test('reasons of a verification keep their names and times', () => {
  expect(storedText('The signer is not known: no path leads from CN=Ada & Co. KG to a trusted certificate.')).toBe(
    'Die Herkunft der Unterschrift ist nicht bekannt: Kein Pfad führt von CN=Ada & Co. KG zu einem vertrauenswürdigen Zertifikat.',
  )
  expect(
    storedText(
      'The document time-stamp of 2026-01-02T03:04:05.000Z does not count. The token is not accepted: RSA of 1024 bits is too short.',
    ),
  ).toBe(
    'Der Dokument-Zeitstempel von 2026-01-02T03:04:05.000Z zählt nicht. Der Zeitstempel wird nicht anerkannt: RSA mit 1024 Bit ist zu kurz.',
  )
  expect(
    storedText('Changed after signing in revision 2: the signature "A $1" was added, which an earlier signature does not allow.'),
  ).toBe(
    'Nach dem Unterschreiben geändert, in Fassung 2: Die Unterschrift „A $1“ wurde hinzugefügt, was eine frühere Unterschrift nicht erlaubt.',
  )
})

test('a long message made to look like many others takes no time', () => {
  const start = performance.now()
  for (const part of [': ', '. A', 'The PDF cannot be sealed: ', ' was revoked on ', 'Changed after signing: '])
    for (const length of [1990, 100_000]) storedText(`The certificate ${part.repeat(length / part.length)}.`)
  expect(performance.now() - start).toBeLessThan(2000)
})

test('a cause inside a message, and the message after a name, are German too', () => {
  expect(storedText('The PDF cannot be sealed: it needs too much memory.')).toBe(
    'Das PDF lässt sich nicht siegeln: Es braucht zu viel Arbeitsspeicher.',
  )
  expect(storedText('a: b.pdf: This PDF has no pages; choose a PDF with at least one page.')).toStartWith('a: b.pdf: ')
  expect(storedText('recipients[0].name: must not be empty (and 2 more, see details)')).toBe(
    'recipients[0].name: darf nicht leer sein (und 2 weitere)',
  )
  expect(violations.document_over({ status: 'voided', action: 'remind' })).toBe(
    'Das Dokument wurde zurückgezogen: Daran kann nicht mehr erinnert werden.',
  )
})

test('the cause inside a code is German too', () => {
  const found = errorAt('s3', violation('not_reachable', { reason: 'the file store does not answer (ConnectionRefused)' }))
  expect(errorText(appTextsOf('de'), found)).toBe('muss erreichbar sein: der Dateispeicher antwortet nicht (ConnectionRefused)')
})

test('what is wrong with the value of a field is German, as rows of batches store it', () => {
  const place = { label: 'Place', type: 'text' } as const
  const found = [
    localized('required', place),
    localized('tooLong', place, 1),
    localized('tooLong', place, 80),
    localized('notAChoice', place, ['a', 'b']),
    localized('numberUnclear', place, '1250', '1.25'),
    localized('tooSmall', place, 1),
    localized('tooLarge', place, 9),
  ]
  for (const { message, messageRef } of found) expect(storedText(message)).toBe(translate(messages, messageRef))
  expect(new Set(found.map(({ messageRef }) => translate(messages, messageRef))).size).toBe(found.length)
})

test('errors of a key file name their certificate and day in German', () => {
  expect(storedText('The certificate CN=Muster GmbH has expired on 2026-01-02.')).toBe(
    'Das Zertifikat CN=Muster GmbH ist am 2026-01-02 abgelaufen.',
  )
})
