/** Settings → Backups and the resumption of sending, by forms alone. */
import { test as anyTest, describe, expect } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newestRuns } from '../../../src/backups/run-queries.ts'
import { updateAlerts } from '../../../src/health/watch.ts'
import { keyText, loadMasterKey } from '../../../src/master-key.ts'
import { isKeyCopyMissing } from '../../../src/settings/master-key-match.ts'
import { pauseSending, sendingPause } from '../../../src/settings/sending-pause.ts'
import { textOf } from '../../support/browser-less.ts'
import { onSqlite } from '../../support/engine.ts'
import { useFreshFolder } from '../../support/folders.ts'
import { openS3Server } from '../../support/s3-server.ts'
import { newDocument } from '../../support/sample.ts'
import { useAdministrator, useTestApp } from '../../support/use-app.ts'
import { GRACE } from '../../support/visitors.ts'

const test = onSqlite(anyTest)

const t = useTestApp()
const visitor = useAdministrator(t)
const folderFor = useFreshFolder()

const PATH = '/settings/backups'
const RESUME = '/settings/backups/resume'

async function downloads(): Promise<string[]> {
  const rows = await t.sql<{ entry: string }>("SELECT entry FROM events WHERE type = 'backup.downloaded'")
  return rows.map(({ entry }) => JSON.parse(entry).data.file)
}

describe('the master key', () => {
  test('in the data folder is said to be in each backup, and no copy is asked for', async () => {
    await visitor.submit(await visitor.get(PATH), { frequency: 'off', folder: folderFor(), encryption: 'passphrase' }, PATH)
    const page = textOf(await visitor.get(PATH))
    expect(page).toContain('Master key Contained in each backup')
    expect(page).not.toContain('Do you have a copy')
  })

  test('outside of it is asked for until somebody enters a copy; neither another key nor half of one counts', async () => {
    t.app.config.masterKeyFile = join(t.app.config.dataFolder, 'keys/master.key')
    const key = loadMasterKey(t.app.config.dataFolder, undefined, false)
    const enter = async (copy: string) => textOf(await visitor.submit(await visitor.get(PATH), { copy }, `${PATH}/key-copy`))
    expect(textOf(await visitor.get(PATH))).toContain('Do you have a copy of the master key?')
    expect(await enter(keyText(key).slice(0, 30))).toContain('must be the 44 characters of the key')
    expect(await enter(keyText(Buffer.alloc(32, 7)))).toContain('is another key')
    expect(await isKeyCopyMissing(t.app)).toBe(true)
    t.clock.pass({ minutes: 20 })
    expect(await enter(keyText(key))).toContain('must be entered again')
    const page = await visitor.get(PATH)
    const done = await visitor.submit(page, { copy: ` ${keyText(key)}\n`, password: GRACE.password }, `${PATH}/key-copy`)
    expect(textOf(done)).toContain('The copy is right.')
    expect(textOf(done)).not.toContain('Do you have a copy')
    const entries = await t.sql<{ entry: string }>("SELECT entry FROM events WHERE type = 'master_key.copy_tested'")
    expect(entries).toHaveLength(1)
    const stored = JSON.stringify([entries, await t.sql('SELECT * FROM instance')])
    expect(stored).not.toContain(Buffer.from(key).toString('base64').slice(0, 20))
  })
})

test('after a restore every page says that nothing is sent, and sending is resumed after a question with the password', async () => {
  const since = t.app.now()
  await t.app.write(tx => pauseSending(tx, { since, backupMadeAt: new Date(since.getTime() - 86_400_000) }))
  await updateAlerts(t.app)
  const { body } = await t.api('POST', '/documents', await newDocument())
  await t.api('POST', `/documents/${body.id}/send`)
  await t.drain()
  expect(textOf(await visitor.get('/documents'))).toContain('Nothing is sent: this instance was restored from a backup.')
  t.clock.pass({ minutes: 20 })
  const page = await visitor.get(RESUME)
  expect(textOf(page)).toContain('from a backup made on 19 Nov 2026, 17:25 UTC')
  expect(textOf(page)).toContain('2 e-mails')
  const refused = await visitor.submit(page, {}, RESUME)
  expect([refused.status, await sendingPause(t.app.db)]).toEqual([422, { since, backupMadeAt: expect.any(Date) }])
  await visitor.submit(refused, { password: GRACE.password }, RESUME)
  expect(await sendingPause(t.app.db)).toBeUndefined()
  await t.drain()
  expect(t.mails.length).toBe(2)
  expect(textOf(await visitor.get('/documents'))).not.toContain('Nothing is sent')
  expect(textOf(await visitor.get(RESUME))).toContain('Sending is not paused')
})

describe('the page', () => {
  test('takes a plan with the password again, shows the pass-phrase once, backs up and hands the file out', async () => {
    t.clock.pass({ minutes: 20 })
    const page = await visitor.get(PATH)
    expect(textOf(page)).toContain('There are no backups yet')
    const values = {
      frequency: 'daily',
      time: '02:30',
      keep: '7',
      place: 'folder',
      folder: folderFor(),
      encryption: 'passphrase',
    }
    const refused = await visitor.submit(page, values, PATH)
    expect([refused.status, textOf(refused)]).toEqual([422, expect.stringContaining('Your password must be entered again')])
    const saved = await visitor.submit(refused, { ...values, password: GRACE.password }, PATH)
    expect(textOf(saved)).toMatch(/([a-z0-9]{5}-){5}[a-z0-9]{5}/)
    expect(textOf(saved)).toContain('on the disk of the data folder')
    expect(textOf(await visitor.get(PATH))).not.toMatch(/([a-z0-9]{5}-){5}[a-z0-9]{5}/)
    expect(textOf(await visitor.submit(await visitor.get(PATH), {}, `${PATH}/run`))).toContain('A backup is being made')
    while ((await newestRuns(t.app.db, 1))[0]?.verdict === undefined) await new Promise(resolve => setImmediate(resolve))
    const done = await visitor.get(PATH)
    expect(textOf(done)).toContain('Checked')
    const link = /href="(\/settings\/backups\/bak_\w+\/file)"/.exec(done.html)?.[1] ?? ''
    t.clock.pass({ minutes: 20 })
    const question = await visitor.get(link)
    expect(textOf(question)).toContain('The download is recorded in the audit log.')
    const asked = await visitor.submit(question, {}, link)
    expect([asked.status, textOf(asked)]).toEqual([422, expect.stringContaining('must be entered again')])
    expect(await downloads()).toEqual([])
    const file = await visitor.submit(asked, { password: GRACE.password }, link)
    expect(file.html).toStartWith('age-encryption.org/v1')
    const [name = ''] = readdirSync(folderFor())
    expect(await downloads()).toEqual([name])
    rmSync(folderFor(name))
    expect((await visitor.get(PATH)).html).not.toContain('/file"')
    expect((await visitor.get(link)).status).toBe(404)
  })

  test('hands out a backup from its S3 bucket in parts, and says what the bucket answers', async () => {
    const server = openS3Server('backups/')
    try {
      const values = { frequency: 'off', time: '02:30', keep: '7', place: 's3', s3: server.url, encryption: 'passphrase' }
      await visitor.submit(await visitor.get(PATH), values, PATH)
      await visitor.submit(await visitor.get(PATH), {}, `${PATH}/run`)
      while ((await newestRuns(t.app.db, 1))[0]?.verdict === undefined) await new Promise(resolve => setImmediate(resolve))
      const link = /href="(\/settings\/backups\/bak_\w+\/file)"/.exec((await visitor.get(PATH)).html)?.[1] ?? ''
      const question = await visitor.get(link)
      expect(question.html).not.toContain('SECRET')
      const [stored] = [...server.objects.values()]
      const file = await visitor.submit(question, {}, link)
      expect(file.html).toBe(Buffer.from(stored?.bytes ?? []).toString())
      expect(await downloads()).toHaveLength(1)
      server.always = 'refuse'
      const refused = await visitor.submit(question, {}, link)
      expect([refused.status, textOf(refused)]).toEqual([503, expect.stringContaining('the access key lacks the right')])
      server.always = undefined
      server.objects.clear()
      expect((await visitor.submit(question, {}, link)).status).toBe(404)
      expect(await downloads()).toHaveLength(1)
    } finally {
      await server.stop()
    }
  }, 30_000)

  test('says in production that there are no backups, until that is put off', async () => {
    t.app.instance = { ...t.app.instance, isProduction: true }
    await updateAlerts(t.app)
    expect(textOf(await visitor.get('/documents'))).toContain('There are no backups: if this machine is lost')
    await visitor.submit(await visitor.get(PATH), {}, `${PATH}/later`)
    expect(textOf(await visitor.get('/documents'))).not.toContain('There are no backups')
    t.clock.pass({ days: 31 })
    await updateAlerts(t.app)
    await visitor.submit(await visitor.get('/sign-in'), { email: GRACE.email, password: GRACE.password })
    expect(textOf(await visitor.get('/documents'))).toContain('There are no backups')
  })
})
