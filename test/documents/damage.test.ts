/** Damage of files and database raises an alert, an audit event and a mail; doctor reports it. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, readFileSync, rmdirSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createAdmin } from '../../src/accounts/people.ts'
import { endAlert } from '../../src/alerts/alerts.ts'
import { listAlerts } from '../../src/alerts/queries.ts'
import { type AppOptions, openApp } from '../../src/app.ts'
import { doctor } from '../../src/cli/doctor.ts'
import { checkDatabase } from '../../src/db/check.ts'
import type { Db, Tx } from '../../src/db/open.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import type { App } from '../../src/ports.ts'
import { onSqlite } from '../support/engine.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { newDocument, samplePdf } from '../support/sample.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { mailWarnings } from '../support/warnings.ts'

let place: TestApp
let stored: { id: string; sha256: string; path: string }[]

beforeEach(async () => {
  place = await openTestApp()
  await createAdmin(place.app, { email: 'root@example.com', name: 'Root', password: 'four quite ordinary words' })
  stored = []
  for (const pages of [1, 2]) {
    const { body } = await place.api('POST', '/documents', await newDocument({ file: await samplePdf(pages) }))
    const { body: document } = await place.api('GET', `/documents/${body.id}`)
    const sha256: string = document.sha256.original
    stored.push({ id: body.id, sha256, path: await place.app.storage.localPath(sha256) })
  }
})
afterEach(() => place.close())

function file(index: number) {
  const found = stored[index]
  if (!found) throw new Error('no such file')
  return found
}

/** Overwrites bytes in place, as on a failing disk. */
function damage(path: string, offset: number, text = 'x'): void {
  const handle = openSync(path, 'r+')
  writeSync(handle, text, offset)
  closeSync(handle)
}

const alerts = async () => {
  await place.app.damage.settled()
  return (await listAlerts(place.app.db, 10)).map(({ kind, subject }) => ({ kind, subject }))
}
const ready = async () => {
  const response = await place.fetch('/readyz')
  return { code: response.status, body: await response.json() }
}

async function examine(): Promise<{ code: number; findings: { name: string; verdict: string; message: string }[] }> {
  let out = ''
  const code = await doctor.run(['--json'], {
    out: text => {
      out = text
    },
    err: () => {},
    env: { SIGNET_DATA: place.app.config.dataFolder },
    stdin: async () => '',
    command: [],
    open: (config, lockHolder, exclusive) =>
      openApp(config, { command: [], exclusive, lockHolder, log: () => {}, pdf: { ...pdfTools(), close: async () => {} } }),
    serve: async () => {},
  })
  return { code, ...JSON.parse(out) }
}

describe('a stored file that has changed', () => {
  test('is never delivered; the download raises an alert, an audit event and one mail that names file and document', async () => {
    const { id, sha256, path } = file(0)
    damage(path, 100)
    for (const _ of [1, 2]) expect((await place.api('GET', `/documents/${id}/file`)).status).toBe(500)
    expect(await alerts()).toEqual([{ kind: 'file_damaged', subject: sha256 }])
    expect(await ready()).toMatchObject({
      code: 200,
      body: { status: 'degraded', checks: { files: 'damaged', damagedFiles: 1 } },
    })
    await mailWarnings(place)
    expect(place.mails.map(({ to }) => to.address)).toEqual(['root@example.com'])
    expect(place.mails[0]?.text).toContain(`${sha256}.pdf of ${id} has changed on disk`)
    const events = await place.app.db.selectFrom('events').select('entry').where('type', '=', 'alert.raised').execute()
    expect(events).toHaveLength(1)
    expect(events[0]?.entry).toContain(sha256)
  })

  test('is found by the weekly check without a request, and not before a week has passed', async () => {
    await place.app.damage.checkWhenDue()
    damage(file(1).path, 100)
    place.clock.pass({ days: 6 })
    await place.app.damage.checkWhenDue()
    expect(await alerts()).toEqual([])
    place.clock.pass({ days: 1 })
    await place.app.damage.checkWhenDue()
    expect(await alerts()).toEqual([{ kind: 'file_damaged', subject: file(1).sha256 }])
  })

  test('ends the alert at the next check after it was restored', async () => {
    const { id, path } = file(0)
    const bytes = readFileSync(path)
    damage(path, 100)
    await place.api('GET', `/documents/${id}/file`)
    expect(await alerts()).toHaveLength(1)
    writeFileSync(path, bytes)
    await place.app.damage.checkWhenDue()
    expect(await alerts()).toEqual([])
    expect((await ready()).body.status).toBe('ready')
  })
})

test('a stored file that is missing raises an alert at the first request for it', async () => {
  const { id, sha256, path } = file(0)
  unlinkSync(path)
  expect((await place.api('GET', `/documents/${id}/file`)).status).toBe(500)
  expect(await alerts()).toEqual([{ kind: 'file_damaged', subject: sha256 }])
})

/** Rows that the statements of this work return, inside its transactions too. */
async function rowsReadBy(work: (app: App) => Promise<unknown>): Promise<number> {
  let rows = 0
  const count = (db: Db | Tx) => {
    const executor = db.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const executeQuery: typeof execute = async query => {
      const result = await execute<never>(query)
      rows += result.rows.length
      return result
    }
    Object.assign(executor, { executeQuery })
    return () => Object.assign(executor, { executeQuery: execute })
  }
  const { app } = place
  const stop = count(app.db)
  const write: App['write'] = (change, options) =>
    app.write(tx => {
      count(tx)
      return change(tx)
    }, options)
  await work({ ...app, write })
  stop()
  return rows
}

test('thousands of damaged files are counted and end without reading all of them for each', async () => {
  await place.app.write(async tx => {
    for (let from = 0; from < 20_000; from += 5000) {
      const rows = Array.from({ length: 5000 }, (_, i) => ({
        kind: 'file_damaged',
        subject: String(from + i),
        since: '',
        message: '',
      }))
      await tx.insertInto('alerts').values(rows).execute()
    }
  })
  expect((await ready()).body.checks.damagedFiles).toBe(20_000)
  // Reading all for each is 20,000 rows a time.
  expect(await rowsReadBy(app => endAlert(app, 'file_damaged', '7'))).toBeLessThan(20)
  for (let i = 100; i < 150; i++) await endAlert(place.app, 'file_damaged', String(i))
  expect((await ready()).body.checks.damagedFiles).toBe(19_949)
})

test('a missing file also raises an alert when it is read as a whole', async () => {
  const { sha256, path } = file(0)
  unlinkSync(path)
  await expect(place.app.storage.read(sha256)).rejects.toThrow()
  expect(await alerts()).toEqual([{ kind: 'file_damaged', subject: sha256 }])
})

describe('a stored file that cannot be read', () => {
  onSqlite(test)('raises an alert; the weekly check and doctor continue with the others and the database', async () => {
    await place.app.damage.checkWhenDue()
    const [first, second] = stored.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1))
    if (!first || !second) throw new Error('two files are needed')
    const bytes = readFileSync(first.path)
    // A folder in its place: reading fails for every user.
    unlinkSync(first.path)
    mkdirSync(first.path)
    damage(second.path, 100)
    place.clock.pass({ days: 7 })
    await place.app.damage.checkWhenDue()
    expect((await alerts()).map(({ subject }) => subject).sort()).toEqual([first.sha256, second.sha256])
    await mailWarnings(place)
    expect(place.mails.map(({ text }) => text).join()).toContain(
      `${first.sha256}.pdf of ${first.id} cannot be read from the disk`,
    )
    const errors = (await examine()).findings.filter(({ verdict }) => verdict === 'error').map(({ message }) => message)
    expect(errors).toHaveLength(2)
    expect(errors.join()).toMatch(new RegExp(`${first.sha256}.pdf cannot be read .*EISDIR`))
    rmdirSync(first.path)
    writeFileSync(first.path, bytes)
    await place.app.damage.checkWhenDue()
    expect((await alerts()).map(({ subject }) => subject)).toEqual([second.sha256])
  })
})

/** Restarts with this check of the database. Returns the open alerts and the known problem. */
async function afterStart(checkDatabase: NonNullable<AppOptions['checkDatabase']>) {
  await place.app.damage.close()
  const means: AppOptions = { command: [], exclusive: false, lockHolder: 'a test', log: () => {}, checkDatabase }
  const { app, close } = await openApp(place.app.config, means)
  try {
    app.damage.checkAfterStart()
    await app.damage.settled()
    return { kinds: (await listAlerts(app.db, 10)).map(({ kind }) => kind), problem: app.damage.databaseProblem() }
  } finally {
    await close()
  }
}

onSqlite(describe)('a damaged database', () => {
  const MALFORMED = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' })

  test('found by a request raises an alert, and /readyz is not ready', async () => {
    place.app.damage.noteError(new Error('something else'))
    expect(await alerts()).toEqual([])
    place.app.damage.noteError(MALFORMED)
    expect(await alerts()).toEqual([{ kind: 'database_damaged', subject: '' }])
    expect(await ready()).toMatchObject({ code: 503, body: { status: 'not-ready', checks: { database: 'damaged' } } })
  })

  test('that is intact at the next start ends the alert', async () => {
    place.app.damage.noteError(MALFORMED)
    expect(await alerts()).toHaveLength(1)
    expect(await afterStart(async () => [])).toEqual({ kinds: [], problem: undefined })
  })

  test('that the full check found gets the full check at the next start', async () => {
    place.app.damage.noteError(MALFORMED)
    expect(await alerts()).toHaveLength(1)
    const problem = 'row 7 missing from index events_type'
    const found = await afterStart(async mode => (mode === 'full' ? [problem] : []))
    expect(found).toEqual({ kinds: ['database_damaged'], problem })
  })

  test('is found in a copy with one page overwritten, and only there', async () => {
    const path = join(place.folder, 'copy.db')
    const raw = openRaw(join(place.folder, 'data', 'signet.db'))
    raw.exec(`VACUUM INTO '${path}'`)
    const { rootpage } = raw.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events'").get() as { rootpage: number }
    const size = Number(raw.pragma('page_size', { simple: true }))
    raw.close()
    expect([checkDatabase(path, 'quick'), checkDatabase(path, 'full')]).toEqual([[], []])
    damage(path, (rootpage - 1) * size, 'x'.repeat(size))
    expect(checkDatabase(path, 'quick').length).toBeGreaterThan(0)
  })
})

onSqlite(describe)('doctor', () => {
  test('names every damaged file and runs all other checks', async () => {
    damage(file(0).path, 100)
    unlinkSync(file(1).path)
    const { code, findings } = await examine()
    expect(code).toBe(1)
    const errors = findings.filter(({ verdict }) => verdict === 'error')
    expect(errors.map(({ message }) => message).sort()).toEqual(
      [
        `${file(0).sha256}.pdf has changed: restore it from a backup`,
        `${file(1).sha256}.pdf is missing: restore it from a backup`,
      ].sort(),
    )
    for (const name of ['database', 'audit log', 'seal certificate', 'seal', 'master key', 'mail', 'address', 'disk'])
      expect(findings.map(finding => finding.name)).toContain(name)
  })

  test('ends the alert of a file that was restored', async () => {
    const { id, path } = file(0)
    const bytes = readFileSync(path)
    damage(path, 100)
    await place.api('GET', `/documents/${id}/file`)
    expect(await alerts()).toHaveLength(1)
    writeFileSync(path, bytes)
    expect((await examine()).findings.filter(({ name }) => name === 'alert')).toEqual([])
    expect(await alerts()).toEqual([])
  })

  test('reports a database that cannot be opened, and checks files and disk too', async () => {
    const { dataFolder } = place.app.config
    damage(file(0).path, 100)
    await place.app.damage.close()
    // The App goes on with the files that it has open.
    for (const end of ['', '-wal', '-shm']) unlinkSync(join(dataFolder, `signet.db${end}`))
    writeFileSync(join(dataFolder, 'signet.db'), 'no database at all '.repeat(1000))
    const { code, findings } = await examine()
    expect(code).toBe(1)
    const errors = findings.filter(({ verdict }) => verdict === 'error').map(({ name }) => name)
    expect(errors).toEqual(['database', 'files'])
    expect(findings.map(({ name }) => name)).toContain('disk')
  })
})
