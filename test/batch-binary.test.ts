/** A batch on the executable, which is killed in the middle: nobody is left out or mailed twice. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { rowFor, rowsFor, tenancyTemplate, tenant } from './support/batches.ts'
import { NO_BROWSER, openBrowser, openWindow, press, words } from './support/browser.ts'
import { demandBinary, outbox, run, type Serving, serve, until } from './support/executable.ts'
import { folderForEachTest } from './support/folder-for-each-test.ts'
import { times } from './support/long.ts'
import { client, makeKey, setUp } from './support/people.ts'
import type { Api } from './support/test-app.ts'

const COUNT = times(80, 200)
const FAULTY = [17, 40, 71]
const KILLS = times(1, 3)
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

const mailsOf = () => outbox(join(folder.path, 'data'))

/** Kills the service while it sends so many rows. Answers the one that has sent the last. */
async function sentDespite(kills: number, serving: Serving, count: number): Promise<Serving> {
  const port = Number(new URL(serving.url).port)
  let running = serving
  for (let kill = 1; kill <= kills; kill++) {
    await until('a part of the rows', async () => (sentRows() >= (count * kill) / (kills + 1) ? true : undefined))
    await running.end('SIGKILL')
    expect(sentRows()).toBeLessThan(count)
    running = await serve(folder.path, { env: ENV, port })
  }
  await until('the last row', async () => (sentRows() === count ? true : undefined))
  return running
}

/** Each good row is one document and one mail, in the database and in the outbox folder. */
async function demandOneMailEach(serving: Serving): Promise<void> {
  const expected = rowsFor(COUNT)
    .flatMap((_, i) => (FAULTY.includes(i + 1) ? [] : [tenant(i + 1)]))
    .sort()
  const mails = await until('all mails', async () => {
    const found = await mailsOf()
    return found.length >= expected.length ? found : undefined
  })
  await serving.end('SIGTERM')
  expect(mails.map(({ to }) => to).sort()).toEqual(expected)
  const database = new Database(join(folder.path, 'data/signet.db'), { readonly: true })
  const documents = database.query("SELECT count(*) AS count FROM documents WHERE status = 'sent'").get()
  const mailed = database.query('SELECT count(*) AS count, count(DISTINCT recipient_email) AS people FROM mails').get()
  database.close()
  expect(documents).toEqual({ count: expected.length })
  expect(mailed).toEqual({ count: expected.length, people: expected.length })
}

const GOOD = COUNT - FAULTY.length
const DONE = { state: 'done', counts: { waiting: 0, sent: GOOD, failed: 0, stopped: 0 } }

test(`${COUNT} rows, three of them faulty: none is sent before they are left out, then each is mailed once, whatever is killed`, async () => {
  const first = await serve(folder.path, { env: ENV })
  const key = run(folder.path, ['key', 'create', '--name', 'test'], { env: ENV }).out.trim()
  const t = await openApi(first, key)
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
  expect(await mailsOf()).toEqual([])

  const good = rows.filter((_, i) => !FAULTY.includes(i + 1))
  const { status, body: batch } = await t.api('POST', `/templates/${templateId}/batches`, { rows: good })
  expect(status).toBe(201)
  const serving = await sentDespite(KILLS, first, GOOD)
  // The last row and the end of the batch are one transaction.
  expect(await client(serving.url, key)('GET', `/batches/${batch.id}`)).toMatchObject(DONE)
  await demandOneMailEach(serving)
}, 240_000)

test.skipIf(NO_BROWSER)(
  `a list of ${COUNT} rows in the browser: the faulty ones are named and left out, and the page goes on after a kill`,
  async () => {
    const first = await serve(folder.path, { env: ENV })
    const browser = await openBrowser()
    try {
      const { page } = await openWindow(browser, first.url)
      const setupLink = await until('the set-up link', async () => /http\S+\/setup\/[\w-]{43}/.exec(first.greeting)?.[0])
      await setUp(page, setupLink)
      const templateId = await tenancyTemplate(await openApi(first, await makeKey(page, 'test')))
      const lines = rowsFor(COUNT).map((_, i) => {
        const email = FAULTY.includes(i + 1) ? 'nobody' : tenant(i + 1)
        return `Tenant ${i + 1};${email};${900 + i} EUR`
      })
      const buffer = Buffer.from(['Name;E-mail;Rent', ...lines].join('\r\n'))
      await page.goto(`/templates/${templateId}/bulk`)
      await page.locator('input[type="file"]').setInputFiles({ name: 'tenants.csv', mimeType: 'text/csv', buffer })
      await press(page, 'Read the list')
      expect(await words(page)).toContain(FAULTY.map(i => i + 1).join(', '))
      await press(page, `Send the ${GOOD} good ones`)
      await page.getByText('Tick that they are left out').first().waitFor()
      expect(await mailsOf()).toEqual([])
      await page.getByLabel('Leave out the 3 rows with errors').check()
      await press(page, `Send the ${GOOD} good ones`)
      await page.getByText(`${GOOD} documents are being sent.`).waitFor()
      const serving = await sentDespite(1, first, GOOD)
      // The page has received the changes of the second process by itself.
      await page.getByText(`${GOOD} of ${GOOD} sent`).waitFor()
      await demandOneMailEach(serving)
    } finally {
      await browser.close()
    }
  },
  240_000,
)
