/** `signet backup extract`: one document out of a backup, and nothing else. */
import { test as anyTest, beforeEach, expect } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { BackupError } from '../../src/backups/error.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { backupExtract } from '../../src/cli/backup.ts'
import { type Io, UsageError } from '../../src/cli/verb.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { IDENTITY, partsOf, recipient, writeParts } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { useFreshFolder } from '../support/folders.ts'
import { ADA, BOB } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const test = onSqlite(anyTest)
const PASSPHRASE = 'correct horse battery staple'

const t = useTestApp()
const at = useFreshFolder()
beforeEach(() => {
  mkdirSync(at('out'))
  writeFileSync(at('identity.txt'), `${IDENTITY}\n`)
})

async function extract(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const io = { out: line => void lines.push(line), stdin: async () => `${PASSPHRASE}\n`, env: {} } as Partial<Io> as Io
  expect(await backupExtract.run(args, io)).toBe(0)
  return lines
}

const extractById = (id: string, file = 'one.age') =>
  extract(at(file), '--document', id, '--to', at('out'), '--identity', at('identity.txt'))

const refusalOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => new Error('it was extracted'),
    (error: Error) => error,
  )

const backUp = async () => makeBackup(t.app, { path: at('one.age'), to: { recipients: [await recipient()] } })
const stored = (id: string, kind: 'original' | 'sealed') =>
  t.sql<{ sha256: string }>(`SELECT sha256_${kind} AS sha256 FROM documents WHERE id = '${id}'`).then(([row]) => row?.sha256)

test('the sealed PDF, or the original of what is not sealed, comes out under the name of its download', async () => {
  const sealed = await sentDocument(t, { title: 'Lease', fileName: 'Miete.pdf', locale: 'de' })
  await signAs(t, ADA.email, 'Ada Lovelace')
  await signAs(t, BOB.email, 'Bob Søndergård')
  await t.drain()
  const open = await sentDocument(t, { fileName: '../Offer.pdf' })
  await makeBackup(t.app, { path: at('one.age'), to: { passphrase: PASSPHRASE } })
  const to = ['--to', at('out'), '--passphrase-stdin']
  expect(await extract(at('one.age'), '--document', sealed, ...to)).toEqual([at('out/Miete (unterschrieben).pdf')])
  const [path = ''] = await extract(at('one.age'), '--document', open, ...to)
  expect(readdirSync(at('out')).map(name => at(`out/${name}`))).toContain(path)
  expect(sha256Hex(readFileSync(at('out/Miete (unterschrieben).pdf')))).toBe((await stored(sealed, 'sealed')) ?? '')
  expect(sha256Hex(readFileSync(path))).toBe((await stored(open, 'original')) ?? '')
})

test('of a document that the backup does not have, or a file that is there, nothing is written', async () => {
  const id = await sentDocument(t)
  await backUp()
  const missing = await refusalOf(extractById('doc_none'))
  expect(missing).toBeInstanceOf(BackupError)
  expect(missing.message).toContain('The backup of 2026-11-20T17:25:00.000Z has no document doc_none')
  expect(readdirSync(at('out'))).toEqual([])
  const [path = ''] = await extractById(id)
  writeFileSync(path, 'mine')
  expect((await refusalOf(extractById(id))).message).toBe(`${path} exists: move it away, or name another folder with --to.`)
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(readdirSync(at('out'))).toHaveLength(1)
})

test('what is misused, another key and a missing folder are refused with a sentence', async () => {
  const id = await sentDocument(t)
  await makeBackup(t.app, { path: at('one.age'), to: { passphrase: 'another four plain words' } })
  for (const args of [[], [at('one.age')], [at('one.age'), '--document', id, '--to', at('out')]])
    expect(await refusalOf(extract(...args))).toBeInstanceOf(UsageError)
  const by = ['--document', id, '--passphrase-stdin']
  expect((await refusalOf(extract(at('one.age'), ...by, '--to', at('out')))).message).toContain('The pass-phrase is wrong')
  expect((await refusalOf(extract(at('one.age'), ...by, '--to', at('none')))).message).toContain('is no folder: make it')
  expect(readdirSync(at('out'))).toEqual([])
})

test('a file that is whole stays, though the backup is damaged after it; one that was damaged before is named', async () => {
  const id = await sentDocument(t)
  await backUp()
  const parts = await partsOf(at('one.age'))
  parts.delete('damaged.json')
  await writeParts(at('cut.age'), parts)
  expect((await refusalOf(extractById(id, 'cut.age'))).message).toContain('The backup is damaged (it ends too early)')
  const [name = ''] = readdirSync(at('out'))
  const sha256 = (await stored(id, 'original')) ?? ''
  expect(sha256Hex(readFileSync(at(`out/${name}`)))).toBe(sha256)
  rmSync(at(`out/${name}`))
  const damaged = await partsOf(at('one.age'))
  damaged.set(`files/${sha256}.pdf`, Buffer.alloc(damaged.get(`files/${sha256}.pdf`)?.length ?? 0))
  damaged.set('damaged.json', Buffer.from(JSON.stringify([sha256])))
  await writeParts(at('damaged.age'), damaged)
  expect((await refusalOf(extractById(id, 'damaged.age'))).message).toBe(
    `The PDF of ${id} was missing or damaged when the backup was made: use another backup.`,
  )
  expect(readdirSync(at('out'))).toEqual([])
})
