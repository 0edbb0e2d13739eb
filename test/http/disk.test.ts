/** A full disk, and a busy machine: refused first, nothing stored, later requests work. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { busyRefusal } from '../../src/core/refusal.ts'
import { type DiskSpace, diskLevelOf, lowBytesOf, nearLowBytesOf } from '../../src/lib/disk.ts'
import { SYSTEM } from '../../src/ports.ts'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { changeLogo } from '../../src/settings/logo.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { plainPng } from '../evidence/sample.ts'
import { fetchAs, finishForm, openVisitor, postFile, textOf } from '../support/browser-less.ts'
import { openSigner, SCAN, withFiles } from '../support/field-files.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, BOB, newDocument, SIGNATURE, samplePdf } from '../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../support/story.ts'
import { openTestApp, START, type TestApp } from '../support/test-app.ts'
import { GRACE, newAdministrator, signedIn } from '../support/visitors.ts'
import { mailWarnings } from '../support/warnings.ts'

let t: TestApp

afterEach(() => t.close())

describe('a full disk', () => {
  const MIB = 1024 * 1024
  const PNG = plainPng(40, 30, [200, 30, 30, 255])
  const GIB = 1024 * MIB
  let disk: DiskSpace

  beforeEach(async () => {
    disk = { freeBytes: 50 * GIB, totalBytes: 100 * GIB }
    t = await openTestApp({ disk })
  })

  const ready = async () => {
    const response = await t.fetch('/readyz')
    return { code: response.status, body: await response.json() }
  }

  const temporary = () =>
    readdirSync(join(t.app.config.dataFolder, 'files'), { recursive: true, encoding: 'utf8' }).filter(name =>
      name.endsWith('.tmp'),
    )

  test.each([
    [501 * MIB, 1 * GIB, 'ok'],
    [499 * MIB, 1 * GIB, 'low'],
    [400 * MIB, 400 * MIB, 'low'],
    [4.9 * GIB, 100 * GIB, 'low'],
    [5.1 * GIB, 100 * GIB, 'ok'],
    [9.9 * GIB, 2000 * GIB, 'low'],
    [10.1 * GIB, 2000 * GIB, 'ok'],
    [32 * MIB, 100 * GIB, 'low'],
    [31 * MIB, 100 * GIB, 'reserve'],
  ] as const)('%d bytes free of %d are %s', (freeBytes, totalBytes, level) => {
    expect(diskLevelOf({ freeBytes, totalBytes })).toBe(level)
  })

  describe('with 400 MiB free', () => {
    const fill = () => {
      disk.freeBytes = 400 * MIB
    }

    test('a new document is refused before its body is read, and created under the same key when there is space', async () => {
      fill()
      const body = await newDocument()
      const key = { 'idempotency-key': 'again' }
      const refused = await t.api('POST', '/documents', body, key)
      expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'storage_unavailable',
        '60',
      ])
      expect((await t.api('POST', '/verify', { file: await samplePdf() })).status).toBe(503)
      expect((await t.api('GET', '/documents')).body.data).toEqual([])
      disk.freeBytes = lowBytesOf(disk)
      expect((await t.api('POST', '/documents', body, key)).status).toBe(201)
    })

    test('images, the logo and files on the Verify page are refused', async () => {
      await createAdmin(t.app, GRACE)
      await sentDocument(t, { recipients: [ADA] })
      const admin = await signedIn(t)
      const { visitor, page } = await openLinkAs(t, ADA.email)
      const organisation = await admin.get('/settings/organisation')
      const verify = await admin.get('/verify')
      fill()
      const picture = { name: 'a.png', bytes: Buffer.from('x') }
      expect((await admin.upload(organisation, '/logo', picture)).status).toBe(503)
      expect((await admin.upload(verify, '/verify', picture)).status).toBe(503)
      const answer = await postFile(t, visitor, `${finishForm(page).base}/picture`, { for: 'signature' }, new Uint8Array(9))
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
    })

    test('a sent document is signed and sealed', async () => {
      const id = await sentDocument(t, { recipients: [ADA] })
      fill()
      expect((await signAs(t, ADA.email, 'Ada Lovelace')).status).toBe(200)
      await t.drain()
      expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
    })

    test('files of signers are refused, their form stays, and who needs no file can still sign', async () => {
      const ada = await openSigner(t, withFiles([{ ...SCAN, required: false }, SIGNATURE]))
      fill()
      expect((await ada.upload('Passport', PNG)).status).toBe(503)
      const refused = await ada.finish([['Passport', PNG, 'pass.png']], { signature: 'Ada L.' })
      expect([refused.status, (await refused.text()).includes('value="Ada L."')]).toEqual([503, true])
      expect((await ada.finish()).status).toBe(303)
    })

    test('administrators are notified once each time: mail, log, alert on pages, /readyz', async () => {
      await createAdmin(t.app, GRACE)
      const notices = () => t.mails.filter(mail => mail.subject.includes('The disk is nearly full'))
      await t.app.disk.updateAlert()
      expect((await ready()).body).toMatchObject({ status: 'ready', checks: { disk: 'ok' } })
      fill()
      for (let i = 0; i < 3; i++) await t.app.disk.updateAlert()
      expect(await ready()).toMatchObject({ code: 200, body: { status: 'degraded', checks: { disk: 'low' } } })
      await mailWarnings(t)
      expect(notices().map(mail => mail.to.address)).toEqual([GRACE.email])
      expect(notices()[0]?.text).toContain('419 MB free')
      expect(t.logged.filter(({ what }) => what === 'alert raised')).toHaveLength(1)
      const admin = await signedIn(t)
      expect(textOf(await admin.get('/documents'))).toMatch(
        /The disk of the data folder (of the node \S+ )?has only 419 MB free\. See how much is free/,
      )
      disk.freeBytes = 1.05 * lowBytesOf(disk)
      await t.app.disk.updateAlert()
      expect(await listAlerts(t.app.db, 9)).toHaveLength(1)
      disk.freeBytes = 50 * GIB
      await t.app.disk.updateAlert()
      expect(await listAlerts(t.app.db, 9)).toEqual([])
      fill()
      await t.app.disk.updateAlert()
      await mailWarnings(t)
      expect(notices()).toHaveLength(2)
    })

    test('a warning that is still open with space again says what is free now, and none begins there', async () => {
      disk.freeBytes = 1.05 * nearLowBytesOf(disk)
      await t.app.disk.updateAlert()
      expect(await listAlerts(t.app.db, 9)).toEqual([])
      fill()
      await t.app.disk.updateAlert()
      disk.freeBytes = 1.05 * nearLowBytesOf(disk)
      await t.app.disk.updateAlert()
      const [open] = await listAlerts(t.app.db, 9)
      expect(open?.message).toContain(`has only ${Math.round(disk.freeBytes / 1e6).toLocaleString('en')} MB free. Below `)
    })

    /** The disk is low from the second measurement on. Returns the number of measurements. */
    function fillMeanwhile(): () => number {
      let asked = 0
      const { disk: watch } = t.app
      const requireSpaceForUpload = () => {
        if (++asked === 2) fill()
        return watch.requireSpaceForUpload()
      }
      Object.defineProperty(t.app, 'disk', { value: { ...bound(watch), requireSpaceForUpload } })
      return () => asked
    }

    test('an upload that is running when the disk becomes low is refused and leaves no file', async () => {
      const body = JSON.stringify(await newDocument({ file: Buffer.alloc(20_000_000).toString('base64') }))
      const asked = fillMeanwhile()
      const { status } = await t.api('POST', '/documents', body)
      expect([status, asked(), temporary()]).toEqual([503, 2, []])
    })

    test('so is a file on the public Verify page', async () => {
      const visitor = openVisitor(t.fetch)
      const page = await visitor.get('/verify')
      const asked = fillMeanwhile()
      const answer = await visitor.upload(page, '/verify', { name: 'a.pdf', bytes: Buffer.alloc(20_000_000) })
      expect([answer.status, asked(), temporary()]).toEqual([503, 2, []])
    })

    const bound = (watch: TestApp['app']['disk']) => ({
      measure: () => watch.measure(),
      requireSpaceForChange: () => watch.requireSpaceForChange(),
      updateAlert: () => watch.updateAlert(),
    })
  })

  test('with only the reserve left changes wait, reads and deletions work, and everything continues by itself afterwards', async () => {
    const id = await sentDocument(t, { recipients: [ADA] })
    const draft = (await t.api('POST', '/documents', await newDocument())).body.id
    const { visitor, page } = await openLinkAs(t, ADA.email)
    disk.freeBytes = 20 * MIB
    for (const [path, body] of [
      ['/documents', await newDocument()],
      [`/documents/${id}/remind`, {}],
      ['/webhooks', { url: 'http://127.0.0.1:9', events: ['*'] }],
    ] as const) {
      const refused = await t.api('POST', path, body)
      expect([path, refused.status, refused.body.error.code]).toEqual([path, 503, 'storage_unavailable'])
    }
    const finish = () => visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
    expect((await finish()).status).toBe(503)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].status).toBe('viewed')
    expect((await ready()).code).toBe(503)
    expect((await t.api('DELETE', `/documents/${draft}`)).status).toBe(200)
    disk.freeBytes = 50 * GIB
    expect((await finish()).status).toBe(200)
    disk.freeBytes = 20 * MIB
    await t.drain()
    const waiting = (await t.api('GET', `/documents/${id}`)).body
    expect([waiting.status, waiting.sealingError]).toEqual(['sealing', expect.stringContaining('free space')])
    disk.freeBytes = 50 * GIB
    t.clock.pass({ hours: 2 })
    await t.drain()
    expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('completed')
  })

  test('a disk that refuses every change takes the instance from its balancer, and the page of administrators says it, until it is writable again', async () => {
    const admin = await newAdministrator(t)
    const { fileSystem } = t.app
    let isWritable = false
    const requireWritable = async () => {
      if (!isWritable) throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
    }
    Object.defineProperty(t.app, 'fileSystem', { value: { ...fileSystem, requireWritable } })
    expect(await ready()).toMatchObject({ code: 503, body: { status: 'not-ready', checks: { disk: 'read-only' } } })
    expect(textOf(await admin.get('/settings/health'))).toContain('The disk refuses every change, and nobody can sign')
    isWritable = true
    t.clock.pass({ seconds: 3 })
    expect(await ready()).toMatchObject({ code: 200, body: { status: 'ready', checks: { disk: 'ok' } } })
    expect(textOf(await admin.get('/settings/health'))).not.toContain('refuses every change')
  })
})

describe('a busy machine', () => {
  let isBusy = false

  beforeEach(async () => {
    isBusy = false
    const real = pdfTools()
    const orBusy =
      <Order, Answer>(work: (order: Order) => Promise<Answer>) =>
      (order: Order): Promise<Answer> =>
        isBusy ? Promise.reject(busyRefusal()) : work(order)
    const pdf: PdfTools = {
      ...real,
      inspect: orBusy(real.inspect),
      prepare: orBusy(real.prepare),
      verify: orBusy(real.verify),
      writeOverlay: orBusy(real.writeOverlay),
      readPageBoxes: orBusy(real.readPageBoxes),
      cleanSignature: orBusy(real.cleanSignature),
      checkLogo: orBusy(real.checkLogo),
      examineFile: orBusy(real.examineFile),
    }
    t = await openTestApp({ pdf })
  })

  const BUSY = { error: { code: 'overloaded', message: expect.stringContaining('busy'), requestId: expect.any(String) } }

  test('a creation gets 503, and its Idempotency-Key works afterwards', async () => {
    const body = JSON.stringify(await newDocument())
    const key = { 'idempotency-key': 'attempt-1' }
    isBusy = true
    for (let i = 0; i < 2; i++) {
      const refused = await t.api('POST', '/documents', body, key)
      expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([503, '10', BUSY])
    }
    isBusy = false
    const created = await t.api('POST', '/documents', body, key)
    expect([created.status, created.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect((await t.app.db.selectFrom('documents').select('id').execute()).length).toBe(1)
  })

  test('verifying a file gets 503 from the API and on the page', async () => {
    const file = await samplePdf(1)
    const visitor = openVisitor(t.fetch)
    const form = await visitor.get('/verify')
    isBusy = true
    const byApi = await t.api('POST', '/verify', { file })
    expect([byApi.status, byApi.headers.get('retry-after'), byApi.body]).toEqual([503, '10', BUSY])
    const byPage = await visitor.upload(form, '/verify', { name: 'contract.pdf', bytes: Buffer.from(file, 'base64') })
    expect([byPage.status, byPage.headers.get('retry-after')]).toEqual([503, '10'])
    expect(byPage.html).toContain('busy')
  })

  test('a signer gets the message in their language, for a signature image and for the signature on a page', async () => {
    await sentDocument(t, {
      recipients: [{ ...ADA, locale: 'de', fields: [{ type: 'signature', page: 1, x: 1, y: 1, width: 9, height: 9 }] }],
    })
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const { base, values } = finishForm(page)
    const { csrf = '' } = values
    await visitor.post(`${base}/form-values`, { csrf, signature: 'Ada' })
    isBusy = true
    const answers = [
      await postFile(t, visitor, `${base}/picture`, { csrf, for: 'signature' }, new Uint8Array(10)),
      await fetchAs(t, visitor, `${base}/marks?page=1`),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
      expect(await answer.text()).toContain('Der Dienst ist im Moment ausgelastet')
    }
  })

  test('a logo is refused as busy, not as an invalid image, and not stored', async () => {
    const png = plainPng(8, 8, [30, 30, 200, 255])
    isBusy = true
    await expect(changeLogo(t.app, SYSTEM, png)).rejects.toMatchObject({ reason: 'overloaded', retryAfterS: 10 })
    expect((await readOrganisation(t.app.db)).logoSha256).toBeUndefined()
    isBusy = false
    await changeLogo(t.app, SYSTEM, png)
    expect((await readOrganisation(t.app.db)).logoSha256).toBeDefined()
  })

  test('a signed document reports that the machine is busy, and is sealed within a minute after that', async () => {
    const id = await sentDocument(t)
    await signAs(t, ADA.email, 'Ada Lovelace')
    await signAs(t, BOB.email, 'Bob Søndergård')
    isBusy = true
    // Many attempts: the pause does not grow.
    for (let i = 0; i < 8; i++) {
      await t.drain()
      t.clock.pass({ seconds: 60 })
    }
    await t.drain()
    const waiting = (await t.api('GET', `/documents/${id}`)).body
    expect([waiting.status, waiting.sealingError]).toEqual(['sealing', expect.stringContaining('machine is too busy')])
    isBusy = false
    t.clock.pass({ seconds: 60 })
    await t.drain()
    const sealed = (await t.api('GET', `/documents/${id}`)).body
    expect([sealed.status, sealed.sealingError]).toEqual(['completed', null])
    expect(t.clock.now.getTime() - START.getTime()).toBeLessThan(600_000)
  })
})
