/** A batch on the executable, which is killed in the middle: nobody is left out or mailed twice. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { rowFor, rowsFor, tenancyTemplate, tenant } from './support/batches.ts'
import { demandBinary, outbox, run, type Serving, serve, until } from './support/executable.ts'
import { folderForEachTest } from './support/folder-for-each-test.ts'
import { client } from './support/people.ts'
import type { Api } from './support/test-app.ts'

const COUNT = 200
const FAULTY = [17, 90, 151]
const KILLS = 3
const ENV = { SIGNET_BULK_MAILS_PER_MINUTE: '6000', SIGNET_ENVIRONMENT: 'test', SIGNET_SEAL_KEY: 'ec-p256' }

demandBinary()
const folder = folderForEachTest()

async function openApi({ fetch }: Serving, key: string): Promise<{ api: Api }> {
  return {
    api: async (method, path, body) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`/api/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      return { status: response.status, body: await response.json(), headers: response.headers }
    },
  }
}

/** Of the database of a service that runs or was killed. */
function sentRows(): number {
  const database = new Database(join(folder.path, 'data/signet.db'), { readonly: true })
  try {
    return (database.query("SELECT count(*) AS count FROM batch_rows WHERE state = 'sent'").get() as { count: number }).count
  } finally {
    database.close()
  }
}

test('200 rows, three of them faulty: none is sent before they are left out, then each is mailed once, whatever is killed', async () => {
  let serving = await serve(folder.path, { env: ENV })
  const key = run(folder.path, ['key', 'create', '--name', 'test'], { env: ENV }).out.trim()
  const t = await openApi(serving, key)
  const templateId = await tenancyTemplate(t)
  const faulty = FAULTY.map(i =>
    rowFor(i, { recipients: [{ role: 'Tenant', name: 'X', email: 'nobody', values: { Rent: '1' } }] }),
  )
  const rows = rowsFor(COUNT)
  FAULTY.forEach((i, k) => {
    rows[i - 1] = faulty[k] as (typeof rows)[number]
  })
  const refused = await t.api('POST', `/templates/${templateId}/batches`, { rows })
  expect(refused.status).toBe(422)
  expect(refused.body.error.details.map((d: { path: string }) => d.path)).toEqual(
    FAULTY.map(i => `rows[${i - 1}].recipients[0].email`),
  )
  expect(await outbox(join(folder.path, 'data'))).toEqual([])

  const good = rows.filter((_, i) => !FAULTY.includes(i + 1))
  const { status, body: batch } = await t.api('POST', `/templates/${templateId}/batches`, { rows: good })
  expect(status).toBe(201)
  for (let kill = 1; kill <= KILLS; kill++) {
    await until('a part of the rows', async () => (sentRows() >= (good.length * kill) / (KILLS + 1) ? true : undefined))
    await serving.end('SIGKILL')
    expect(sentRows()).toBeLessThan(good.length)
    serving = await serve(folder.path, { env: ENV })
  }
  await until('the last row', async () => (sentRows() === good.length ? true : undefined))
  // The last row and the end of the batch are one transaction.
  const done = await client(serving.url, key)('GET', `/batches/${batch.id}`)
  expect(done).toMatchObject({ state: 'done', counts: { waiting: 0, sent: good.length, failed: 0, stopped: 0 } })
  const expected = rows.flatMap((_, i) => (FAULTY.includes(i + 1) ? [] : [tenant(i + 1)])).sort()
  const mails = await until('all mails', async () => {
    const found = await outbox(join(folder.path, 'data'))
    return found.length >= expected.length ? found : undefined
  })
  await serving.end('SIGTERM')
  expect(mails.map(({ to }) => to).sort()).toEqual(expected)
  const database = new Database(join(folder.path, 'data/signet.db'), { readonly: true })
  const documents = database.query("SELECT count(*) AS count FROM documents WHERE status = 'sent'").get()
  const mailed = database.query('SELECT count(*) AS count, count(DISTINCT recipient_email) AS people FROM mails').get()
  database.close()
  expect(documents).toEqual({ count: good.length })
  expect(mailed).toEqual({ count: good.length, people: good.length })
}, 240_000)
