/** The evidence pack: whoever holds it needs nobody. Its README's commands are run as they stand there. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
let folder: string
beforeEach(async () => {
  t = await openTestApp()
  folder = join(t.folder, 'pack')
  mkdirSync(folder)
})
afterEach(() => t.close())

const one = { title: 'Vertrag – Köln', recipients: [{ ...ADA, fields: [SIGNATURE] }] }

async function completed(): Promise<string> {
  const id = await sentDocument(t, one)
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  return id
}

async function unpacked(id: string): Promise<Record<string, Uint8Array>> {
  const { status, body } = await t.api('GET', `/documents/${id}/evidence`)
  expect(status).toBe(200)
  const files = unzipSync(body)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  return files
}

const sh = (command: string) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', command], { cwd: folder, timeout: 20_000 })
  return { code: exitCode, text: `${stdout}${stderr}` }
}

/** The indented blocks of the README, in order. */
function commandsOf(readme: string): string[] {
  return [...readme.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replace(/^ {4}/gm, ''))
}

test('holds the sealed file, the original, the audit trail and the certificates, each as the API gives it', async () => {
  const id = await completed()
  const files = await unpacked(id)
  expect(Object.keys(files).sort()).toEqual(['README.txt', 'SHA256SUMS', 'audit.json', 'original.pdf', 'seal.pem', 'sealed.pdf'])
  const { body } = await t.api('GET', `/documents/${id}`)
  const hash = (name: string) =>
    createHash('sha256')
      .update(files[name] ?? '')
      .digest('hex')
  expect([hash('sealed.pdf'), hash('original.pdf')]).toEqual([body.sha256.sealed, body.sha256.original])
  const audit = JSON.parse(Buffer.from(files['audit.json'] ?? '').toString())
  expect(audit.events).toEqual((await t.api('GET', `/documents/${id}/audit`)).body.events)
  expect(Buffer.from(files['README.txt'] ?? '').toString()).toContain('Vertrag – Köln')
})

test('is verified by the commands of its README, with tools that are not ours', async () => {
  const files = await unpacked(await completed())
  const commands = commandsOf(Buffer.from(files['README.txt'] ?? '').toString())
  expect(commands.length).toBeGreaterThanOrEqual(6)
  const told = commands.map(block => sh(block.replace(/^signet .*\n/gm, '')))
  expect(told.map(({ code }) => code)).toEqual(told.map(() => 0))
  const all = told.map(({ text }) => text).join('')
  expect(all).toContain('sealed.pdf: OK')
  expect(all).toContain('Signature is Valid')
  expect(all).toContain('CMS Verification successful')
  expect(all).toContain('same')
  expect(all).not.toContain('broken')
})

test('a changed event is found by the same commands', async () => {
  const files = await unpacked(await completed())
  const commands = commandsOf(Buffer.from(files['README.txt'] ?? '').toString())
  const audit = Buffer.from(files['audit.json'] ?? '').toString()
  writeFileSync(join(folder, 'audit.json'), audit.replace('recipient.signed\\"', 'recipient.asked\\"'))
  expect(commands.map(block => sh(block).text).join('')).toContain('broken')
})

test('does not exist before the document is completed, nor for others', async () => {
  const id = await sentDocument(t, one)
  expect((await t.api('GET', `/documents/${id}/evidence`)).status).toBe(404)
})

test('is not begun when a file is damaged: a pack must not lie', async () => {
  const id = await completed()
  const { body } = await t.api('GET', `/documents/${id}`)
  writeFileSync(t.app.storage.pathOf(body.sha256.sealed), 'altered')
  expect((await t.api('GET', `/documents/${id}/evidence`)).status).toBe(500)
})
