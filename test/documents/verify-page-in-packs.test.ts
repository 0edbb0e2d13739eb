/** verify.html in evidence packs: the version that the audit certificate names, years later too. */
import { expect, test } from 'bun:test'
import { unzipSync, zipSync } from 'fflate'
import { sql } from 'kysely'
import { evidencePack } from '../../src/documents/evidence/evidence-pack.ts'
import { verifyPack } from '../../src/evidence/pack/verify-pack.ts'
import { verifyPage } from '../../src/files/verify-page.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { type Actor, SYSTEM } from '../../src/ports.ts'
import { FileDamagedError } from '../../src/storage/file-store.ts'
import { onSqlite } from '../support/engine.ts'
import { type PackFiles, withSums } from '../support/packs.ts'
import { signedDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
const EVERYBODYS: Actor = SYSTEM.actor

async function packOf(id: string): Promise<PackFiles> {
  const { status, body } = await t.api('GET', `/documents/${id}/evidence`)
  expect(status).toBe(200)
  return unzipSync(body)
}

async function completed(): Promise<string> {
  t.clock.now = new Date()
  return signedDocument(t)
}

function foundIn(files: PackFiles): { verdict: string; page: string[] } {
  const report = verifyPack(zipSync(files))
  if (report.verdict === 'unreadable') return { verdict: report.reason.code, page: [] }
  const page = report.checks.filter(({ remark }) => remark.code.startsWith('page_'))
  return { verdict: report.verdict, page: page.map(({ outcome, remark }) => `${outcome} ${remark.code}`) }
}

/** The page that the pack gets from a program whose own page is another one. */
async function pageOfLaterRelease(id: string): Promise<{ page: string; readme: string }> {
  const bytes = Buffer.from('<!doctype html><title>later</title>')
  const { entries } = await evidencePack(t.app, EVERYBODYS, id, { bytes, sha256: sha256Hex(bytes) })
  const textOf = (name: string) => String(entries.find(entry => entry.name === name)?.content)
  return { page: textOf('verify.html'), readme: textOf('README.txt') }
}

test('a pack has the page that its audit certificate names, and no other', async () => {
  const files = await packOf(await completed())
  const own = verifyPage()
  expect(sha256Hex(files['verify.html'] ?? '')).toBe(own.sha256)
  expect(Buffer.from(files.SHA256SUMS ?? '').toString()).toContain(`${own.sha256}  verify.html\n`)
  expect(foundIn(files)).toEqual({ verdict: 'valid', page: ['passed page_as_printed'] })
  const forged = withSums({ ...files, 'verify.html': Buffer.from('<p>VALID') })
  expect(foundIn(forged)).toEqual({ verdict: 'not-valid', page: ['failed page_differs'] })
  const { 'verify.html': _, ...without } = files
  expect(foundIn(withSums(without))).toEqual({ verdict: 'valid', page: ['note page_missing'] })
})

test('the README leads with the page', async () => {
  const readme = Buffer.from((await packOf(await completed()))['README.txt'] ?? '').toString()
  const [page, command, others] = ['Open verify.html in a browser', 'signet evidence verify PACK.zip', 'sha256sum -c'].map(text =>
    readme.indexOf(text),
  )
  expect(page).toBeGreaterThan(0)
  expect(command).toBeGreaterThan(page ?? 0)
  expect(others).toBeGreaterThan(command ?? 0)
  expect(readme).toContain('in the row of verify.html')
})

test('a later release gives the page of the time of the seal, which is kept once', async () => {
  const [one, another] = [await completed(), await completed()]
  const kept = await t.app.db.selectFrom('verify_pages').selectAll().execute()
  expect(kept.map(({ sha256, content }) => [sha256, sha256Hex(content)])).toEqual([[verifyPage().sha256, verifyPage().sha256]])
  for (const id of [one, another]) {
    const { page, readme } = await pageOfLaterRelease(id)
    expect(sha256Hex(page)).toBe(verifyPage().sha256)
    expect(readme).toContain('in the row of verify.html')
  }
})

onSqlite(test)('a document whose certificate names no page gets that of the program, and its README says so', async () => {
  const id = await completed()
  await t.app.write(async tx => {
    await sql`DROP TRIGGER events_never_change`.execute(tx)
    const completion = tx.selectFrom('events').selectAll().where('type', '=', 'document.completed')
    const { sequence, entry } = await completion.executeTakeFirstOrThrow()
    const before = entry.replace(/,"verifyPageSha256":"[0-9a-f]{64}"/, '')
    await tx.updateTable('events').set({ entry: before }).where('sequence', '=', sequence).execute()
  })
  const { page, readme } = await pageOfLaterRelease(id)
  expect(page).toContain('<title>later</title>')
  expect(readme).toContain('is older than such')
  expect(readme).toContain(sha256Hex(page))
})

test('a page that is lost is not replaced by another one', async () => {
  const id = await completed()
  await t.app.write(tx => tx.deleteFrom('verify_pages').execute())
  await expect(pageOfLaterRelease(id)).rejects.toBeInstanceOf(FileDamagedError)
})
