/** One document with every kind of field: sealed, verified by other programs, and read. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { LANGUAGES } from '../../src/core/language.ts'
import { evidenceOf } from '../../src/documents/evidence/evidence.ts'
import { find } from '../../src/documents/queries.ts'
import { withDrawings } from '../../src/documents/signing/marks.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { missingPrograms } from '../evidence/pdf-programs.ts'
import { ENTRIES, LONG_TEXT, NEVER_ASKED } from '../support/every-kind.ts'
import { everyKindCompleted, FILES, type Labelled, signWith } from '../support/every-kind-story.ts'
import { PROGRAM } from '../support/program.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const missing = [...missingPrograms(), ...['pdfsig', 'openssl'].filter(name => Bun.which(name) === null)]

const t = useTestApp()

function run(command: string[]): { code: number; text: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command)
  return { code: exitCode, text: `${stdout}${stderr}` }
}

const withoutBlanks = (text: string) => text.replace(/[\s\u200e\u200f\u202a-\u202e]+/g, '')

describe.skipIf(missing.length > 0)('a document with every kind of field', () => {
  test('is sealed, and valid for pdfsig, qpdf and signet', async () => {
    const { path } = await everyKindCompleted(t)
    expect(run(['pdfsig', path]).text).toContain('Signature is Valid')
    expect(run(['pdfsig', path]).text).toContain('Total document signed')
    expect(run(['qpdf', '--check', path]).code).toBe(0)
    const chain = join(t.folder, 'seal.pem')
    await Bun.write(chain, await (await t.fetch('/seal-certificate.pem')).text())
    const verified = run([...PROGRAM, 'verify', path, '--trust', chain])
    expect(verified.text).toStartWith('VALID')
  }, 60_000)

  test('prints each value whole where it was entered, and nothing of a field that was not shown', async () => {
    const { path } = await everyKindCompleted(t)
    const printed = run(['pdftotext', '-l', '2', path, '-']).text
    const words = withoutBlanks(printed)
    const entered = Object.values(ENTRIES.ada).filter(value => value !== NEVER_ASKED)
    const isArabic = (value: string) => /\p{Script=Arabic}/u.test(value)
    const fixed = ['No 4711', 'Grace Hopper', '1250.00', '1 December 2026', 'Three months', 'From 22:00 to 6:00', '§ 7 applies']
    const typed = entered.filter(value => !isArabic(value))
    for (const value of [...typed, ...fixed, 'List of 12 May', '20.11.2026', 'Gehalt Mai.pdf'])
      expect(words).toContain(withoutBlanks(value))
    // Readers reorder right-to-left lines with digits: compare their characters.
    const letters = (text: string) => [...withoutBlanks(text)].sort().join('')
    for (const line of entered.filter(isArabic).flatMap(value => value.split('\n'))) {
      expect(printed.split('\n').some(other => letters(other) === letters(line))).toBe(true)
    }
    expect(printed).not.toContain('…')
    expect(run(['pdftotext', path, '-']).text).not.toContain(NEVER_ASKED)
    expect(words).toContain(withoutBlanks(LONG_TEXT))
  }, 60_000)

  test('has a record that names values as whose they are, and no value that was never asked', async () => {
    const { id } = await everyKindCompleted(t)
    const document = (await find(t.app.db, id))!
    const evidence = await withDrawings(t.app, document.recipients, drawings => evidenceOf(t.app, document, drawings))
    expect(evidence.document.senderValues).toContainEqual({ label: 'Heating', page: 1, kind: 'text', value: 'Gas' })
    expect(evidence.document.senderValues).toContainEqual({ label: 'Furnished', page: 1, kind: 'check', value: true })
    const [ada, bob] = evidence.recipients
    expect(ada?.values).toContainEqual({ label: 'Remarks', page: 2, kind: 'text', value: LONG_TEXT })
    expect(ada?.values).toContainEqual({ label: 'Fixed clause', page: 1, kind: 'text', value: '§ 7 applies', isFixed: true })
    for (const [label, { name: fileName, bytes }] of Object.entries(FILES)) {
      const facts = { fileName, bytes: bytes.length, sha256: sha256Hex(bytes) }
      expect(ada?.values).toContainEqual(expect.objectContaining({ label, kind: 'file', ...facts }))
    }
    expect(ada?.values).toContainEqual({ label: 'Married', page: 1, kind: 'check', value: false })
    expect(bob?.values.map(({ label }) => label)).toEqual(['Debit mandate'])
    expect(bob?.initials?.pages).toEqual([1])
    expect(JSON.stringify(evidence)).not.toContain(NEVER_ASKED)

    const { body: pack } = await t.api('GET', `/documents/${id}/evidence`)
    const audit = JSON.parse(strFromU8(unzipSync(pack)['audit.json']!))
    const ofPeople = JSON.stringify([audit.document.recipients, audit.events])
    expect(ofPeople).not.toContain(NEVER_ASKED)
    const { showIf, value } = audit.document.recipients[0].fields.find((f: Labelled) => f.label === 'Spouse')
    expect([showIf, value]).toEqual([{ field: 'married', is: 'true' }, null])
    expect(audit.document.senderFields.find((f: Labelled) => f.label === 'Rent').value).toBe('1250.00')
  }, 60_000)
})

describe.skipIf(missing.length > 0)('the sender’s date', () => {
  test.each([...LANGUAGES])('is printed as the language of the document writes it: %s', async locale => {
    const place = { page: 1, x: 10, y: 20, width: 40, height: 3 }
    const senderFields = [
      { ...place, type: 'date', value: '2027-02-05' },
      { ...place, y: 30, type: 'date', value: '2027-02-05', dateFormat: 'DD/MM/YYYY' },
    ]
    const id = await sentDocument(t, { locale, senderFields, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
    await signWith(t, id, ADA, {})
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}/file`)
    await Bun.write(join(t.folder, 'sealed.pdf'), body)
    const printed = run(['pdftotext', '-l', '1', join(t.folder, 'sealed.pdf'), '-']).text
    const written = new Intl.DateTimeFormat(`${locale === 'en' ? 'en-GB' : locale}-u-nu-latn`, {
      dateStyle: 'long',
      timeZone: 'UTC',
    }).format(new Date('2027-02-05'))
    expect([...withoutBlanks(printed)]).toEqual(expect.arrayContaining([...withoutBlanks(written)]))
    if (locale !== 'ar') expect(withoutBlanks(printed)).toContain(withoutBlanks(written))
    expect(printed).toContain('05/02/2027')
    // The audit certificate prints it in the same way.
    expect(run(['pdftotext', join(t.folder, 'sealed.pdf'), '-']).text).not.toContain('2027-02-05')
  })
})
