/** Another PDF for a template: fields stay, and none is lost unseen. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../src/core/refusal.ts'
import { SYSTEM } from '../../src/ports.ts'
import { type ReplaceOptions, replaceTemplateFile } from '../../src/templates/edit.ts'
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'
import { box, createdTemplate, use } from './scene.ts'

const t = useTestApp()

async function replace(id: string, pages: number, options: Partial<ReplaceOptions> = {}) {
  const file = await t.app.storage.openTemporary()
  await file.write(Buffer.from(await samplePdf(pages), 'base64'))
  const upload = file.finish()
  try {
    return await replaceTemplateFile(t.app, id, [{ upload, fileName: 'new.pdf' }], { origin: SYSTEM, ...options })
  } finally {
    await file.discard()
  }
}

const get = async (id: string) => await t.api('GET', `/templates/${id}`)
const hashes = async () => (await t.app.db.selectFrom('files').select('sha256').execute()).length

test('fields keep their places, documents made before keep their file', async () => {
  const id = await createdTemplate(t)
  const made = (await t.api('POST', `/templates/${id}/documents`, use())).body.id
  const before = (await get(id)).body
  const { document, version } = await replace(id, 3)
  const after = await get(id)
  expect(after.headers.get('etag')).toBe(`"v${version}"`)
  expect([after.body.fileName, after.body.pageCount, document.pageCount]).toEqual(['new.pdf', 3, 3])
  expect(after.body.sha256).not.toBe(before.sha256)
  expect([after.body.roles, after.body.senderFields]).toEqual([before.roles, before.senderFields])
  expect((await t.api('GET', `/documents/${made}`)).body.sha256.original).toBe(before.sha256)
  expect(await hashes()).toBe(2)
  await t.api('DELETE', `/documents/${made}`)
  expect(await hashes()).toBe(1)
})

test('the former file is deleted if nothing else uses it; the same file again changes no file', async () => {
  const id = await createdTemplate(t)
  await replace(id, 3)
  expect(await hashes()).toBe(1)
  await replace(id, 3)
  expect([await hashes(), (await t.api('GET', `/templates/${id}/file`)).status]).toEqual([1, 200])
})

test('fields on pages that it lacks are listed, and dropped only on purpose', async () => {
  const far = { type: 'text', name: 'Far', ...box(10), page: 2 }
  const boxes = [1, 2].map(page => ({ value: `p${page}`, ...box(30), page, width: 4 }))
  const radio = { type: 'radio', name: 'Choice', options: boxes }
  const id = await createdTemplate(t, { roles: [{ name: 'Tenant', fields: [SIGNATURE, far, radio] }], senderFields: [far] })
  const before = (await get(id)).body
  const lost = [before.senderFields[0].id, ...before.roles[0].fields.slice(1).map((f: { id: string }) => f.id)]
  const refused = await replace(id, 1).catch(error => error)
  expect(refused).toBeInstanceOf(Refusal)
  expect(refused.details.map(({ path }: { path: string }) => path)).toEqual(lost.map(each => `fields/${each}`))
  expect([(await get(id)).body, await hashes()]).toEqual([before, 1])
  await replace(id, 1, { dropsFields: true })
  const after = (await get(id)).body
  expect([after.senderFields, after.roles[0].fields.length, after.pageCount]).toEqual([[], 1, 1])
})

test('a version that was not seen is kept, and so is its file', async () => {
  const id = await createdTemplate(t)
  const before = (await get(id)).body
  await expect(replace(id, 3, { ifMatch: 1 })).rejects.toThrow('draft_changed')
  expect([(await get(id)).body, await hashes()]).toEqual([before, 1])
  const etag = (await get(id)).headers.get('etag') ?? ''
  await replace(id, 3)
  const stale = await t.api('PATCH', `/templates/${id}`, { title: 'x' }, { 'if-match': etag })
  expect(stale.body.error.details.map(({ path }: { path: string }) => path)).toEqual(['file'])
})

test('what is no PDF is refused, and the template stays', async () => {
  const id = await createdTemplate(t)
  const path = join(t.folder, 'no.pdf')
  writeFileSync(path, 'no PDF')
  const upload = { path, synced: Promise.resolve() }
  const replaced = replaceTemplateFile(t.app, id, [{ upload: upload as never, fileName: 'no.pdf' }], { origin: SYSTEM })
  await expect(replaced).rejects.toThrow('pdf_expected')
  expect((await t.api('GET', `/templates/${id}/file`)).status).toBe(200)
})
