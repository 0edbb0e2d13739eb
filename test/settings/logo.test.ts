/** The organisation's logo: checked in a child, stored while it is used, removed when replaced. */
import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../src/core/refusal.ts'
import { evidenceOf } from '../../src/documents/evidence/evidence.ts'
import { sweepFiles } from '../../src/documents/lifecycle/upkeep.ts'
import { find } from '../../src/documents/queries.ts'
import { withDrawings } from '../../src/documents/signing/marks.ts'
import { dropFileIfUnused, fileInsertion } from '../../src/files/queries.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { englishOf } from '../../src/locales/violations.ts'
import { SYSTEM } from '../../src/ports.ts'
import { changeLogo, removeLogo } from '../../src/settings/logo.ts'
import { changeOrganisation, readOrganisation } from '../../src/settings/organisation.ts'
import { plainPng } from '../evidence/sample.ts'
import { JPEG } from '../support/jpegs.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const RED = plainPng(64, 16, [200, 30, 30, 255])
const BLUE = plainPng(80, 16, [30, 30, 200, 255])

const stored = () =>
  readdirSync(join(t.app.config.dataFolder, 'files'))
    .filter(name => name.endsWith('.pdf'))
    .sort()
const rows = async () => (await t.app.db.selectFrom('files').select('sha256').execute()).map(r => r.sha256)
const named = async () => (await readOrganisation(t.app.db)).logoSha256
const audited = async () =>
  (await t.app.db.selectFrom('events').select('entry').execute()).map(({ entry }) => JSON.parse(entry).data as unknown)
const change = (bytes: Uint8Array) => changeLogo(t.app, SYSTEM, bytes)

test.each([
  ['a PNG', RED],
  ['a JPEG', JPEG],
])('%s is stored unchanged, named in the settings, and audited', async (_, bytes) => {
  await change(bytes)
  const sha256 = sha256Hex(bytes)
  expect([await named(), stored(), await rows()]).toEqual([sha256, [`${sha256}.pdf`], [sha256]])
  expect(Buffer.from(await t.app.storage.read(sha256)).equals(Buffer.from(bytes))).toBe(true)
  expect(await audited()).toEqual([{ changed: ['logo'], logoSha256: sha256 }])
})

test('is on the audit certificate of documents sealed later, in the organisation’s language by default', async () => {
  await change(RED)
  await changeOrganisation(t.app, SYSTEM, { name: 'Contoso', contact: '', timeZone: 'UTC', language: 'pl' })
  const evidence = async (overrides: Record<string, unknown>) => {
    const { body } = await t.api('POST', '/documents', await newDocument(overrides))
    const document = await find(t.app.db, body.id)
    return document && withDrawings(t.app, document.recipients, drawings => evidenceOf(t.app, document, drawings))
  }
  const logo = { path: await t.app.storage.localPath(sha256Hex(RED)) }
  expect(await evidence({})).toMatchObject({ logo, language: 'pl' })
  expect(await evidence({ locale: 'de-AT' })).toMatchObject({ logo, language: 'de' })
  await removeLogo(t.app, SYSTEM)
  expect((await evidence({}))?.logo).toBeUndefined()
})

test('is kept by the sweep of unused files, and removed when it is replaced or deleted', async () => {
  await change(RED)
  expect(await sweepFiles(t.app, 0)).toBe(0)
  expect(stored()).toEqual([`${sha256Hex(RED)}.pdf`])
  await change(BLUE)
  expect([stored(), await rows()]).toEqual([[`${sha256Hex(BLUE)}.pdf`], [sha256Hex(BLUE)]])
  await change(BLUE)
  expect(await audited()).toHaveLength(2)
  await removeLogo(t.app, SYSTEM)
  await removeLogo(t.app, SYSTEM)
  expect([stored(), await rows(), await named()]).toEqual([[], [], undefined])
  expect(await audited()).toHaveLength(3)
})

test('that is also a document’s file stays when the document is deleted', async () => {
  await change(RED)
  const sha256 = sha256Hex(RED)
  await t.app.write(tx => fileInsertion(tx, 'f'.repeat(64), 1, t.app.now()).execute())
  await t.app.write(tx => dropFileIfUnused(tx, sha256))
  await t.app.write(tx => dropFileIfUnused(tx, 'f'.repeat(64)))
  expect(await rows()).toEqual([sha256])
})

test('changed several times at once is one of them, and its file exists', async () => {
  await Promise.all([change(RED), change(BLUE), change(JPEG), change(RED)])
  const logo = (await named()) ?? ''
  expect(stored()).toEqual([`${logo}.pdf`])
  expect(await rows()).toEqual([logo])
})

describe('an invalid picture is refused with what to do, and the logo before stays:', () => {
  const tall = Buffer.from(RED)
  tall.writeUInt32BE(4001, 20)
  const wide = Buffer.from(JPEG)
  wide.writeUInt16BE(4001, JPEG.indexOf(Buffer.of(0xff, 0xc0)) + 7)
  const cases: [string, Uint8Array, string][] = [
    ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG or a JPEG'],
    ['a GIF', Buffer.from('GIF89a'), 'must be a PNG or a JPEG'],
    ['nothing', new Uint8Array(), 'must be a PNG or a JPEG'],
    ['a PNG of 4001 rows', tall, 'at most 4000 pixels on each side'],
    ['a JPEG of 4001 columns', wide, 'at most 4000 pixels on each side'],
    ['half a PNG', RED.subarray(0, RED.length - 20), 'is damaged'],
    ['the signature of a PNG alone', RED.subarray(0, 8), 'is damaged'],
    ['a JPEG without its end', JPEG.subarray(0, JPEG.length - 2), 'is damaged'],
    ['more than 2 MB', Buffer.concat([RED, Buffer.alloc(2 * 1024 * 1024)]), 'at most 2 MB'],
  ]
  test.each(cases)('%s', async (_, bytes, says) => {
    await change(BLUE)
    const before = stored()
    const refusal = await change(bytes).catch(error => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal.details.map(englishOf)).toEqual([expect.stringContaining(says)])
    expect(refusal.details[0].path).toBe('file')
    expect([stored(), await named(), (await audited()).length]).toEqual([before, sha256Hex(BLUE), 1])
  })
})
