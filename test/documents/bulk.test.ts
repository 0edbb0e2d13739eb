/** Actions on several documents at once, in states of every kind, and the ZIP of their files. */
import { expect, test } from 'bun:test'
import { unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument } from 'pdf-lib'
import { documentsZip } from '../../src/documents/files/download.ts'
import { shownFile } from '../../src/documents/files/shown-file.ts'
import { labelDocuments, remindDocuments, voidDocuments } from '../../src/documents/lifecycle/bulk.ts'
import { retrySealing } from '../../src/documents/lifecycle/lifecycle.ts'
import { load } from '../../src/documents/record.ts'
import { zipResponse } from '../../src/http/zip-response.ts'
import { type Actor, SYSTEM } from '../../src/ports.ts'
import { ADA, newDocument, ONE, samplePdf } from '../support/sample.ts'
import { sentDocument, signAs, signedDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const NOBODY: Actor = { ...SYSTEM.actor, seesAll: false, userId: 'usr_other' }

/** A draft, one that waits, a completed one and a voided one. */
async function mixed() {
  const completed = await signedDocument(t, { ...ONE, title: 'Completed', fileName: 'lease.pdf' })
  const draft = (await t.api('POST', '/documents', await newDocument({ fileName: 'lease.pdf' }))).body.id as string
  const voided = await sentDocument(t, { fileName: '../../x.pdf' })
  await t.api('POST', `/documents/${voided}/void`, { reason: 'x' })
  const waiting = await sentDocument(t, { fileName: 'lease.pdf' })
  return { draft, waiting, completed, voided }
}

const status = async (id: string) => (await t.api('GET', `/documents/${id}`)).body.status

test('a reminder reaches the documents that wait; the result names those without anybody due, and the others', async () => {
  const { draft, waiting, completed, voided } = await mixed()
  t.clock.pass({ hours: 2 })
  const justSent = await sentDocument(t)
  const ids = [draft, waiting, completed, voided, justSent, 'doc_unknown']
  expect(await remindDocuments(t.app, ids, SYSTEM)).toEqual([
    { id: draft, outcome: 'refused' },
    { id: waiting, outcome: 'done' },
    { id: completed, outcome: 'refused' },
    { id: voided, outcome: 'refused' },
    { id: justSent, outcome: 'none' },
    { id: 'doc_unknown', outcome: 'refused' },
  ])
})

test('voiding changes drafts and documents that wait, once each, and leaves the others as they are', async () => {
  const { draft, waiting, completed, voided } = await mixed()
  const results = await voidDocuments(t.app, [draft, waiting, waiting, completed, voided], 'Wrong file', SYSTEM)
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'refused', 'refused'])
  expect([await status(draft), await status(waiting), await status(completed)]).toEqual(['voided', 'voided', 'completed'])
})

test('a label is added to documents in any state, until one has twenty', async () => {
  const { draft, completed } = await mixed()
  const labels = Array.from({ length: 20 }, (_, i) => `label ${i}`)
  const full = (await t.api('POST', '/documents', await newDocument({ labels }))).body.id
  const results = await labelDocuments(t.app, [draft, completed, full], 'Archive', SYSTEM)
  expect(results.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'refused'])
  expect((await t.api('GET', `/documents/${completed}`)).body.labels).toEqual(['Archive'])
  await expect(labelDocuments(t.app, [draft], 'x'.repeat(51), SYSTEM)).rejects.toThrow('labels[0]: too_long')
})

test('two labels given at the same time are both kept', async () => {
  const id = await sentDocument(t)
  await Promise.all(['Archive', 'Rent'].map(label => labelDocuments(t.app, [id], label, SYSTEM)))
  expect((await t.api('GET', `/documents/${id}`)).body.labels).toEqual(['Archive', 'Rent'])
})

test('nobody acts on documents of others', async () => {
  const { draft, waiting } = await mixed()
  const origin = { ...SYSTEM, actor: NOBODY }
  expect((await voidDocuments(t.app, [draft, waiting], 'x', origin)).map(({ outcome }) => outcome)).toEqual([
    'refused',
    'refused',
  ])
  expect([await status(draft), await status(waiting)]).toEqual(['draft', 'sent'])
  await expect(documentsZip(t.app, NOBODY, [draft, waiting])).rejects.toThrow('no_documents_chosen')
})

test('the ZIP holds the newest file of each document under a safe name, as unzip reads it', async () => {
  const { draft, waiting, completed, voided } = await mixed()
  const zip = await documentsZip(t.app, SYSTEM.actor, [draft, waiting, completed, voided, completed])
  const path = join(t.folder, 'all.zip')
  writeFileSync(path, await zipResponse(t.app, zip).bytes())
  expect(Bun.spawnSync(['unzip', '-t', path]).exitCode).toBe(0)
  const names = String(Bun.spawnSync(['unzip', '-Z1', path]).stdout)
    .trim()
    .split('\n')
  expect(names).toEqual(['lease (not sealed).pdf', 'lease (not sealed) (2).pdf', 'lease (signed).pdf', '_.._x (not sealed).pdf'])
  const sealed = Bun.spawnSync(['unzip', '-p', path, 'lease (signed).pdf']).stdout
  expect(Buffer.compare(sealed, (await t.api('GET', `/documents/${completed}/file`)).body)).toBe(0)
})

test('a file without a seal is named so in the ZIP, and its scripts do not run', async () => {
  const active = await PDFDocument.load(Buffer.from(await samplePdf(), 'base64'))
  active.addJavaScript('greeting', 'app.alert("Hello")')
  const file = await active.saveAsBase64()
  const { id } = (await t.api('POST', '/documents', await newDocument({ fileName: 'mill.pdf', file }))).body
  const path = join(t.folder, 'active.zip')
  writeFileSync(path, await zipResponse(t.app, await documentsZip(t.app, SYSTEM.actor, [id])).bytes())
  const inZip = Bun.spawnSync(['unzip', '-p', path, 'mill (not sealed).pdf']).stdout
  expect(Buffer.compare(inZip, (await t.api('GET', `/documents/${id}/file`)).body)).not.toBe(0)
  const shown = await shownFile(t.app, await load(t.app.db, SYSTEM.actor, id))
  expect(shown.update?.length).toBeGreaterThan(0)
  expect(inZip.subarray(-(shown.update?.length ?? 0))).toEqual(Buffer.from(shown.update ?? []))
})

test('a file that is damaged is named in the ZIP, and the others are in it', async () => {
  const { waiting } = await mixed()
  const other = (await t.api('POST', '/documents', await newDocument({ title: 'Lost' }))).body
  const { sha256 } = (await t.api('GET', `/documents/${waiting}`)).body
  unlinkSync(await t.app.storage.localPath(sha256.original))
  const { entries } = await documentsZip(t.app, SYSTEM.actor, [other.id])
  expect(entries.map(({ name }) => name)).toEqual(['NOT INCLUDED.txt'])
  expect(entries[0]?.content).toContain(`Lost (${other.id})`)
})

test('sealing is tried again at once when the sender asks, and only while it is due', async () => {
  const { waiting, completed } = await mixed()
  await expect(retrySealing(t.app, completed, SYSTEM)).rejects.toMatchObject({
    violation: { code: 'document_over', params: { status: 'completed' } },
  })
  await expect(retrySealing(t.app, waiting, SYSTEM)).rejects.toMatchObject({
    violation: { code: 'document_over', params: { status: 'sent' } },
  })
  const id = await sentDocument(t, ONE)
  const path = await t.app.storage.localPath((await t.api('GET', `/documents/${id}`)).body.sha256.original)
  const bytes = await Bun.file(path).bytes()
  await signAs(t, ADA.email, 'Ada Lovelace')
  unlinkSync(path)
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'sealing', sealingError: expect.any(String) })
  writeFileSync(path, bytes)
  await t.drain()
  expect(await status(id)).toBe('sealing')
  await retrySealing(t.app, id, SYSTEM)
  await t.drain()
  expect((await t.api('GET', `/documents/${id}`)).body).toMatchObject({ status: 'completed', sealingError: null })
})
