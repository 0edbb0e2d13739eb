/** One thing is not several, wherever the program counts for an administrator. */
import { expect, test } from 'bun:test'
import { counted, entriesText } from '../../src/lib/counted.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { keyTypeText } from '../../src/pki/key.ts'
import { sourcesIn } from '../support/sources.ts'

test('the type of a key is a phrase, in both languages', () => {
  const words = { bits: 'Bit', curve: 'Kurve' }
  expect([keyTypeText('rsa-3072'), keyTypeText('ec-p256'), keyTypeText('ed25519')]).toEqual([
    'RSA, 3072 bits',
    'ECDSA, curve P-256',
    'ed25519',
  ])
  expect([keyTypeText('rsa-4096', words), keyTypeText('ec-p384', words)]).toEqual(['RSA, 4096 Bit', 'ECDSA, Kurve P-384'])
})

test('one seal is not "1 seals"', () => {
  expect([counted(0, 'seal'), counted(1, 'seal'), counted(2, 'seal')]).toEqual(['0 seals', '1 seal', '2 seals'])
  expect([entriesText(1), entriesText(3)]).toEqual(['1 entry', '3 entries'])
})

test('no text of the command line, the checks or a backup writes a noun in the plural after a number', () => {
  const folders = ['src/cli', 'src/health', 'src/backups', 'src/move', 'src/documents']
  const noun =
    /\$\{(?!MAX_|joinInOrder)[^{}]*\} (?:audit |stored )?(documents|files|entries|seals|secrets|rows|tables|nodes|objects)\b/g
  const isDiagnoses = ({ path }: { path: string }) => path.endsWith('/en/diagnoses.ts')
  // Constants and SQL are no counts.
  const found = [...folders.flatMap(sourcesIn), ...sourcesIn('src/locales/en').filter(isDiagnoses)].flatMap(({ path, code }) =>
    [...code.matchAll(noun)].map(([text]) => `${path} ${text}`),
  )
  expect(found).toEqual([])
})

test('what a check counts is German in both numbers', () => {
  const head = 'a'.repeat(64)
  expect(storedText(`1 entry, head ${head}`)).toStartWith('1 Eintrag, unversehrt')
  expect(storedText(`2 entries, head ${head}`)).toStartWith('2 Einträge, unversehrt')
  expect(storedText('1 file, the hash of each matches its name')).toBe('1 Datei: Ihr Hashwert passt zu ihrem Namen')
  expect(storedText('2 files, the hash of each matches its name')).toBe('2 Dateien: Jeder Hashwert passt zum Namen der Datei')
  expect(storedText('1 node opens up to 5 of 97; 3 are open now')).toBe('1 Knoten öffnet bis zu 5 von 97; 3 sind jetzt offen')
})
