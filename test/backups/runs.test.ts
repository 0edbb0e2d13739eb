/** Backups by schedule: when they are due, what is kept, and who is mailed about a failure. */
import { test as anyTest, describe, expect } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { changeBackupPlan, lastSlot, nextSlot, type PlanInput } from '../../src/backups/plan.ts'
import { restoreBackup } from '../../src/backups/restore.ts'
import { newestRuns, newestVerified } from '../../src/backups/run-queries.ts'
import { runDueBackup, startBackup } from '../../src/backups/runs.ts'
import { backupName } from '../../src/backups/write.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { SYSTEM } from '../../src/ports.ts'
import { pauseSending } from '../../src/settings/sending-pause.ts'
import { recipient } from '../support/backup-file.ts'
import { onSqlite } from '../support/engine.ts'
import { useFreshFolder } from '../support/folders.ts'
import { openS3Server } from '../support/s3-server.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'
import { mailWarnings } from '../support/warnings.ts'

const test = onSqlite(anyTest)

const t = useTestApp()
const folder = useFreshFolder()

async function plan(changes: Partial<PlanInput> = {}): Promise<string | undefined> {
  const input = { frequency: 'daily', time: '02:30', keep: '2', place: 'folder', folder: folder(), s3: '', newPassphrase: false }
  return changeBackupPlan(t.app, SYSTEM, { ...input, encryption: 'recipients', recipients: await recipient(), ...changes })
}

const files = () => readdirSync(folder()).sort()
const verdicts = async () => (await newestRuns(t.app.db, 10)).map(run => run.verdict)

describe('a plan', () => {
  const at = (text: string) => new Date(text)

  test('is due by the clocks of the zone, also when they change', () => {
    const daily = { frequency: 'daily', time: '02:30' } as const
    expect(lastSlot(daily, at('2026-11-20T12:00:00Z'), 'Europe/Berlin')).toEqual(at('2026-11-20T01:30:00Z'))
    expect(nextSlot(daily, at('2026-11-20T12:00:00Z'), 'Europe/Berlin')).toEqual(at('2026-11-21T01:30:00Z'))
    expect(lastSlot(daily, at('2026-07-01T00:31:00Z'), 'Europe/Berlin')).toEqual(at('2026-07-01T00:30:00Z'))
    expect(nextSlot(daily, at('2026-11-20T12:00:00Z'), 'Pacific/Apia')).toEqual(at('2026-11-20T13:30:00Z'))
    const monday = { frequency: '1', time: '23:00' } as const
    expect(lastSlot(monday, at('2026-11-20T12:00:00Z'), 'UTC')).toEqual(at('2026-11-16T23:00:00Z'))
    expect(nextSlot(monday, at('2026-11-20T12:00:00Z'), 'UTC')).toEqual(at('2026-11-23T23:00:00Z'))
    expect(nextSlot({ frequency: 'off', time: '02:30' }, at('2026-11-20T12:00:00Z'), 'UTC')).toBeUndefined()
  })

  test('makes one backup at each time, and keeps as many as it says', async () => {
    await plan()
    await runDueBackup(t.app)
    expect(files()).toEqual([])
    for (let day = 0; day < 4; day++) {
      t.clock.pass({ days: 1 })
      await runDueBackup(t.app)
      await runDueBackup(t.app)
    }
    expect(await verdicts()).toEqual(['verified', 'verified', 'verified', 'verified'])
    expect(files()).toHaveLength(2)
    const runs = await newestRuns(t.app.db, 10)
    expect(runs.map(run => run.removedAt !== undefined)).toEqual([false, false, true, true])
    expect(files()).toEqual([runs[1]?.fileName ?? '', runs[0]?.fileName ?? ''])
  })

  test('keeps an older one that cannot be removed, removes those after it, and counts the new one as made', async () => {
    await plan({ keep: '1' })
    for (let day = 0; day < 3; day++) {
      t.clock.pass({ days: 1 })
      await runDueBackup(t.app)
      if (day > 0) continue
      const [oldest = ''] = files()
      rmSync(folder(oldest))
      mkdirSync(folder(oldest))
    }
    expect(await verdicts()).toEqual(['verified', 'verified', 'verified'])
    const runs = await newestRuns(t.app.db, 10)
    expect(files()).toEqual([runs[2]?.fileName ?? '', runs[0]?.fileName ?? ''])
    expect(runs.map(run => run.removedAt !== undefined)).toEqual([false, true, false])
    expect(t.logged.filter(({ what }) => what === 'older backup not removed')).toHaveLength(2)
  })

  test('removes no older one when the new one lacks a file: the older may have it', async () => {
    await plan({ keep: '1' })
    await sentDocument(t)
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    const [{ sha256 = '' } = {}] = (await t.sql('SELECT sha256 FROM files')) as { sha256: string }[]
    await t.app.storage.remove(sha256)
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    expect(await verdicts()).toEqual(['incomplete', 'verified'])
    expect(files()).toHaveLength(2)
  })

  test('makes a pass-phrase, with which the backup is restored', async () => {
    const passphrase = await plan({ encryption: 'passphrase', recipients: '' })
    expect(passphrase).toMatch(/^([a-km-np-z2-9]{5}-){5}[a-km-np-z2-9]{5}$/)
    expect(await plan({ encryption: 'passphrase', recipients: '' })).toBeUndefined()
    expect(JSON.stringify(await t.sql('SELECT * FROM settings'))).not.toContain(passphrase ?? '')
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    const [name = ''] = files()
    const config = { dataFolder: folder('restored'), environment: 'test', masterKeyFile: undefined }
    const by = { passphrase: passphrase ?? '' }
    await restoreBackup({ ...THIS_MACHINE, path: folder(name), by, config, now: () => t.clock.now, say() {} })
    expect(readdirSync(folder('restored'))).toContain('signet.db')
  })

  test('whose backup is restored finds that backup verified, and no failed one', async () => {
    const passphrase = await plan({ encryption: 'passphrase', recipients: '' })
    await runDueBackup(t.app)
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    const [name = ''] = files()
    const config = { dataFolder: folder('restored'), environment: 'test', masterKeyFile: undefined }
    const restoring = {
      path: folder(name),
      by: { passphrase: passphrase ?? '' },
      config,
      fileSystem: THIS_MACHINE.fileSystem,
      now: () => t.clock.now,
      random: THIS_MACHINE.random,
      say() {},
    }
    await restoreBackup(restoring)
    const raw = openRaw(folder('restored', 'signet.db'))
    const runs = raw.prepare('SELECT file_name, verdict, documents FROM backup_runs').all()
    raw.close()
    expect(runs).toEqual([{ file_name: name, verdict: 'verified', documents: 0 }])
  })

  test('with an unusable folder or recipient is refused with a sentence', async () => {
    const refusal = (changes: Partial<PlanInput>) =>
      plan(changes).then(
        () => [],
        error => error.details[0],
      )
    expect(await refusal({ folder: 'backup' })).toMatchObject({
      path: 'folder',
      code: 'not_an_absolute_path',
    })
    expect(await refusal({ folder: join(t.app.config.dataFolder, 'files') })).toMatchObject({ path: 'folder' })
    expect(await refusal({ folder: folder('none') })).toMatchObject({ code: 'folder_missing' })
    expect(await refusal({ recipients: 'age1nonsense' })).toMatchObject({ path: 'recipients' })
    expect(await refusal({ place: 's3', s3: 'https://example.com' })).toMatchObject({ path: 's3' })
    expect(await refusal({ keep: '0' })).toMatchObject({ path: 'keep' })
    expect(await refusal({ time: '25:00' })).toMatchObject({ path: 'time' })
  })
})

describe('a backup that fails', () => {
  test('is reported once by mail and on every page, and removes nothing', async () => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' })
    await plan({ keep: '1' })
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    const [kept = ''] = files()
    rmSync(folder(), { recursive: true })
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    await mailWarnings(t)
    expect(await verdicts()).toEqual(['failed', 'failed', 'verified'])
    expect(t.mails.filter(mail => mail.subject.includes('A backup failed'))).toHaveLength(1)
    expect((await newestVerified(t.app.db))?.fileName).toBe(kept)
    mkdirSync(folder())
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    expect(await t.sql('SELECT kind FROM alerts')).toEqual([])
  })

  test('because the service ended is recorded, and the next one is made', async () => {
    await plan()
    await t.sql(
      "INSERT INTO backup_runs (id, cause, boot, started_at, file_name, place) VALUES ('bak_1', 'request', 'gone', '2026-11-20T17:00:00.000Z', 'x.age', '/')",
    )
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    expect(await verdicts()).toEqual(['verified', 'failed'])
  })
})

test('while sending is paused nothing is made by schedule: the original may keep its backups there', async () => {
  await plan()
  await t.app.write(tx => pauseSending(tx, { since: t.clock.now, backupMadeAt: t.clock.now }))
  t.clock.pass({ days: 1 })
  await runDueBackup(t.app)
  expect(files()).toEqual([])
})

test('what a killed run left is removed by the next one, and nothing else', async () => {
  await plan()
  const name = backupName(t.app.instance, new Date('2026-11-19T01:30:00Z'))
  const others = ['signet-test-abcdef-20261119T013000Z.age.part', 'letter.part', `${name}.partial`]
  for (const other of [`${name}.part`, ...others]) writeFileSync(folder(other), 'half')
  t.clock.pass({ days: 1 })
  await runDueBackup(t.app)
  expect(await verdicts()).toEqual(['verified'])
  expect(files()).toEqual([...others, backupName(t.app.instance, t.clock.now)].sort())
})

test('two backups are not made at once', async () => {
  await plan()
  await startBackup(t.app)
  await expect(startBackup(t.app)).rejects.toThrow('backup_running')
  while ((await verdicts())[0] === undefined) await new Promise(resolve => setImmediate(resolve))
  expect(await verdicts()).toEqual(['verified'])
})

test('a backup goes to an S3 bucket, where as many are kept as the plan says', async () => {
  const server = openS3Server('backups/')
  try {
    await plan({ place: 's3', s3: server.url, keep: '1' })
    for (let day = 0; day < 2; day++) {
      t.clock.pass({ days: 1 })
      await runDueBackup(t.app)
    }
    expect(await verdicts()).toEqual(['verified', 'verified'])
    expect(readdirSync(join(t.app.config.dataFolder, 'backups'))).toEqual([])
    const keys = [...server.objects.keys()]
    expect(keys).toEqual([expect.stringMatching(/^backups\/signet-test-.{6}-20261122T172500Z\.age$/)])
    expect(JSON.stringify(await newestRuns(t.app.db, 10))).not.toContain('SECRET')
    server.always = 'lie'
    t.clock.pass({ days: 1 })
    await runDueBackup(t.app)
    expect((await verdicts())[0]).toBe('failed')
    expect(server.objects.has(keys[0] ?? '')).toBe(true)
  } finally {
    await server.stop()
  }
})
