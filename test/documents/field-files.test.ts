/** Files of signers in the record: read, proved, watched, moved, kept, and erased with all else. */
import { describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { makeBackup } from '../../src/backups/write.ts'
import { sweepFiles, sweepFormValues } from '../../src/documents/lifecycle/upkeep.ts'
import { changeRetention, eraseRetained } from '../../src/documents/retention/retention.ts'
import { addFieldFile } from '../../src/documents/signing/field-files.ts'
import { resolveLink } from '../../src/documents/signing/link.ts'
import { endUnfinishedClaims } from '../../src/files/claims.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { findQpdfErrors } from '../evidence/pdf-programs.ts'
import { plainPng } from '../evidence/sample.ts'
import { withContact } from '../support/announced.ts'
import { IDENTITY, recipient } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { type FileSigner, openSigner, PHOTO, SCAN, storedFiles, withFiles } from '../support/field-files.ts'
import { useFreshFolder } from '../support/folders.ts'
import { JPEG } from '../support/jpegs.ts'
import { boxOfPixels, hasPdftoppm, pictureOf } from '../support/page-picture.ts'
import { openS3Server } from '../support/s3-server.ts'
import { BOB, SIGNATURE, samplePdf } from '../support/sample.ts'
import { linkTo, openLinkAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'
import { newVisitor, signedIn } from '../support/visitors.ts'
import { withMethods } from '../support/with-methods.ts'

const t = useTestApp()
const folder = useFreshFolder()

const RED = plainPng(40, 30, [200, 30, 30, 255])
const rows = () => t.app.db.selectFrom('field_files').select('sha256').orderBy('sha256').execute()
const claims = () => t.app.db.selectFrom('file_claims').selectAll().execute()
const pdf = async () => Buffer.from(await samplePdf(2), 'base64')

/** Signed and sealed, with a passport and a photo. */
async function completed(app: TestApp = t): Promise<FileSigner> {
  const ada = await openSigner(app)
  await ada.upload('Passport', await pdf(), 'pass.pdf')
  await ada.upload('Photo', RED, 'me.png')
  expect((await ada.finish()).status).toBe(303)
  await app.drain()
  return ada
}

const fileOf = (ada: FileSigner, label: string) => t.api('GET', `/documents/${ada.documentId}/fields/${ada.idOf(label)}/file`)

describe('is read', () => {
  test('by the API, as a download that no browser runs, with its range and its tag', async () => {
    const ada = await completed()
    const { status, body, headers } = await fileOf(ada, 'Passport')
    expect([status, sha256Hex(body)]).toEqual([200, sha256Hex(await pdf())])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="pass.pdf"; filename*=UTF-8''pass.pdf`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      etag: `"${sha256Hex(await pdf())}"`,
    })
    expect((await fileOf(ada, 'Photo')).headers.get('content-type')).toBe('image/png')
    const part = await t.api('GET', `/documents/${ada.documentId}/fields/${ada.idOf('Passport')}/file`, undefined, {
      range: 'bytes=0-4',
    })
    expect([part.status, Buffer.from(part.body).toString()]).toEqual([206, '%PDF-'])
  })

  test('only after the signature, only by who may read the document, only of a field for files', async () => {
    const ada = await openSigner(t)
    await ada.upload('Passport', RED)
    expect((await fileOf(ada, 'Passport')).status).toBe(404)
    expect((await ada.finish()).status).toBe(303)
    expect((await fileOf(ada, 'Passport')).status).toBe(200)
    expect((await t.api('GET', `/documents/${ada.documentId}/fields/${ada.idOf('nothing')}/file`)).status).toBe(404)
    expect((await t.api('GET', `/documents/doc_0/fields/${ada.idOf('Passport')}/file`)).status).toBe(404)
    const stranger = await newVisitor(t, 'member')
    expect((await stranger.get(`/documents/${ada.documentId}/fields/${ada.idOf('Passport')}/file`)).status).toBe(404)
  })

  test('in the web app, by its name, with size and hash', async () => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' })
    const ada = await completed()
    const grace = await signedIn(t)
    const { html } = await grace.get(`/documents/${ada.documentId}`)
    const address = `/documents/${ada.documentId}/fields/${ada.idOf('Passport')}/file`
    expect(html).toContain(`href="${address}"`)
    for (const text of ['pass.pdf', 'me.png', sha256Hex(await pdf())]) expect(html).toContain(text)
    expect((await grace.get(address)).status).toBe(200)
  })

  test('by other signers as a picture in the document, and of an attachment only the name', async () => {
    const recipients = [
      { ...withFiles().recipients[0], order: 1 },
      { ...BOB, order: 2, fields: [{ ...SIGNATURE, x: 60 }] },
    ]
    const ada = await openSigner(t, { recipients, signingOrder: 'sequential' })
    await ada.upload('Passport', await pdf(), 'pass.pdf')
    await ada.upload('Photo', RED, 'me.png')
    await ada.finish()
    await t.drain()
    const { visitor, page } = await openLinkAs(t, BOB.email)
    const base = /action="(\/sign\/[^"]+)\/finish"/.exec(page.html)?.[1] ?? ''
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const marks = await t.fetch(`${base}/marks?page=1`, { headers: { cookie } })
    writeFileSync(folder('marks.pdf'), Buffer.from(await marks.arrayBuffer()))
    if (hasPdftoppm) expect(boxOfPixels(pictureOf(folder('marks.pdf'), 1), isRed)).toBeDefined()
    expect((await t.fetch(`${base}/files/${ada.idOf('Passport')}`, { headers: { cookie } })).status).toBe(404)
  })
})

const isRed = (red: number, green: number, blue: number) => red > 150 && green < 80 && blue < 80

test.skipIf(!hasPdftoppm)('the sealed file shows the picture in the middle of its field, in its own shape', async () => {
  const ada = await completed()
  const sealed = await t.api('GET', `/documents/${ada.documentId}/file`)
  expect(await findQpdfErrors(sealed.body)).toBe('')
  writeFileSync(folder('sealed.pdf'), sealed.body)
  const picture = pictureOf(folder('sealed.pdf'), 1)
  const box = boxOfPixels(picture, isRed)!
  expect((box.width * picture.width) / (box.height * picture.height)).toBeCloseTo(40 / 30, 1)
  expect(box.x + box.width / 2).toBeCloseTo(PHOTO.x + PHOTO.width / 2, 0)
  expect(box.y + box.height / 2).toBeCloseTo(PHOTO.y + PHOTO.height / 2, 0)
})

test('the evidence pack has each file under its own name, and their hashes', async () => {
  const fields = [SCAN, { ...SCAN, label: 'Second', y: 26 }, PHOTO, SIGNATURE]
  const ada = await openSigner(t, withFiles(fields))
  await ada.upload('Passport', await pdf(), 'Paß.pdf')
  await ada.upload('Second', JPEG, 'PASS.pdf')
  await ada.upload('Photo', RED, 'Paß.png')
  await ada.finish()
  await t.drain()
  const { body } = await t.api('GET', `/documents/${ada.documentId}/evidence`)
  const files = unzipSync(body)
  const text = (name: string) => Buffer.from(files[name] ?? '').toString()
  const names = Object.keys(files).filter(name => name.startsWith('attachments/'))
  expect(names.sort()).toEqual(['attachments/PASS.pdf.jpg', 'attachments/Paß.pdf', 'attachments/Paß.png'])
  const sums = names.map(name => `${sha256Hex(files[name] ?? '')}  ${name}`)
  for (const line of sums) expect(text('SHA256SUMS')).toContain(`${line}\n`)
  expect(text('README.txt')).toMatch(/^attachments\/ +files that signers added/m)
  for (const line of sums) expect(text('audit.json')).toContain(line.slice(0, 64))
})

describe('is watched and kept', () => {
  test('a damaged one is reported with its document, and never handed out', async () => {
    await createAdmin(t.app, { email: 'root@example.com', name: 'Root', password: 'four quite ordinary words' })
    const ada = await completed()
    const sha256 = sha256Hex(await pdf())
    writeFileSync(await t.app.storage.localPath(sha256), 'something else')
    await t.app.damage.checkFiles()
    await t.app.damage.settled()
    const [alert] = await listAlerts(t.app.db, 10)
    expect(alert).toMatchObject({ kind: 'file_damaged', subject: sha256, message: expect.stringContaining(ada.documentId) })
    expect((await fileOf(ada, 'Passport')).status).toBe(500)
    expect((await t.api('GET', `/documents/${ada.documentId}/evidence`)).status).toBe(500)
  })

  test('the sweep of unused files leaves it, before and after the signature', async () => {
    const ada = await openSigner(t)
    await ada.upload('Passport', RED)
    t.clock.pass({ days: 3 })
    expect(await sweepFiles(t.app)).toBe(0)
    await sweepFormValues(t.app)
    expect((await ada.read('Passport')).status).toBe(200)
    expect((await ada.finish()).status).toBe(303)
    await t.drain()
    t.clock.pass({ days: 3 })
    await sweepFormValues(t.app)
    expect(await sweepFiles(t.app)).toBe(0)
    expect((await fileOf(ada, 'Passport')).status).toBe(200)
  })

  onSqlite(test)('a backup has it, and a restored installation too', async () => {
    await completed()
    const path = folder('one.age')
    await makeBackup(t.app, { path, to: { recipients: [await recipient()] } })
    const restored = folder('restored')
    const config = { dataFolder: restored, environment: 'test', masterKeyFile: undefined }
    await restoreBackup({
      path,
      by: { identities: [IDENTITY] },
      config,
      fileSystem: THIS_MACHINE.fileSystem,
      now: () => t.clock.now,
      random: THIS_MACHINE.random,
      say() {},
    })
    for (const bytes of [await pdf(), readFileSync(await t.app.storage.localPath(sha256Hex(await pdf())))]) {
      expect(readFileSync(join(restored, 'files', `${sha256Hex(bytes)}.pdf`)).equals(bytes)).toBe(true)
    }
  })

  test('in a bucket, with no object left behind', async () => {
    const server = openS3Server()
    const inBucket = await openTestApp({ filesUrl: server.url })
    server.now = () => inBucket.app.now()
    try {
      const ada = await openSigner(inBucket)
      await ada.upload('Passport', RED, 'a.png')
      await ada.upload('Passport', await pdf(), 'b.pdf')
      const keys = () => [...server.objects.keys()].filter(key => key.endsWith('.pdf'))
      expect(keys()).toContain(`signet/${sha256Hex(await pdf())}.pdf`)
      expect(keys()).not.toContain(`signet/${sha256Hex(RED)}.pdf`)
      expect((await ada.finish()).status).toBe(303)
      await inBucket.drain()
      expect((await inBucket.api('DELETE', `/documents/${ada.documentId}`)).status).toBe(200)
      expect(keys()).toEqual([])
    } finally {
      await inBucket.close()
      await server.stop()
    }
  })
})

describe('is gone', () => {
  test('with the document that is deleted, unless another one has the same bytes', async () => {
    const ada = await completed()
    const other = await openSigner(t)
    await other.upload('Passport', RED, 'same.png')
    const shared = (await rows()).map(row => row.sha256)
    expect((await t.api('DELETE', `/documents/${ada.documentId}`)).status).toBe(200)
    const left = (await rows()).map(row => row.sha256)
    expect(left).toEqual([sha256Hex(RED)])
    expect(shared).toContain(sha256Hex(await pdf()))
    expect(storedFiles(t)).not.toContain(sha256Hex(await pdf()))
    expect((await other.read('Passport')).status).toBe(200)
    expect(await claims()).toEqual([])
  })

  test('with the retention of its document', async () => {
    await completed()
    await withContact(t)
    await changeRetention(t.app, SYSTEM, { completed: 1 })
    for (let night = 0; night < 200 && (await rows()).length > 0; night++) {
      t.clock.pass({ days: 1 })
      await eraseRetained(t.app)
      await t.drain()
    }
    expect([await rows(), storedFiles(t), await claims()]).toEqual([[], [], []])
  })

  test('of a recipient whose address is corrected to another person’s', async () => {
    const ada = await openSigner(t)
    const before = storedFiles(t)
    await ada.upload('Passport', RED)
    const { body } = await t.api('GET', `/documents/${ada.documentId}`)
    const path = `/documents/${ada.documentId}/recipients/${body.recipients[0].id}`
    expect((await t.api('PATCH', path, { email: 'other@example.com', name: 'Other' })).status).toBe(200)
    expect([await rows(), storedFiles(t), await claims()]).toEqual([[], before, []])
  })
})

describe('a process that dies before', () => {
  const context = () => resolveLink(t.app, linkTo(t, 'ada@example.com').replace('/s/', ''))

  /** Runs the upload on an app that ends where it would clean up; nothing happens after that. */
  async function dieAt(point: Partial<App>): Promise<void> {
    const ada = await openSigner(t)
    const { promise: died, resolve: die } = Promise.withResolvers<void>()
    const writeEventually = () => {
      die()
      return new Promise<void>(() => {})
    }
    const upload = await t.app.storage.writeTemporary(RED)
    addFieldFile({ ...t.app, ...point, writeEventually }, await context(), ada.idOf('Passport'), {
      fileName: 'a.png',
      upload,
    }).catch(die)
    await died
    // As after its death: no node has this boot.
    await t.app.db.selectFrom('file_claims').selectAll().execute()
    await t.app.write(tx => tx.updateTable('file_claims').set({ boot: 'dead' }).execute())
  }

  const killed = () => Promise.reject(new Error('killed'))

  test('the row leaves no bytes, row or claim after the next round', async () => {
    await dieAt({ write: killed })
    expect([storedFiles(t).includes(sha256Hex(RED)), (await claims()).length]).toEqual([true, 1])
    await endUnfinishedClaims(t.app)
    expect([storedFiles(t).includes(sha256Hex(RED)), await rows(), await claims()]).toEqual([false, [], []])
  })

  test('the bytes leaves no claim after the next round', async () => {
    await dieAt({ storage: withMethods(t.app.storage, { keep: killed }) })
    expect((await claims()).length).toBe(1)
    await endUnfinishedClaims(t.app)
    expect([storedFiles(t).includes(sha256Hex(RED)), await rows(), await claims()]).toEqual([false, [], []])
  })
})
