/** Open alerts are German where the web app is German. */
import { expect, test } from 'bun:test'
import { DiskSpaceWatch } from '../../src/alerts/disk-watch.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { recordFailure } from '../../src/webhooks/publish.ts'
import { joinNode } from '../support/nodes.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp({ disk: { freeBytes: 3e8, totalBytes: 2e12 } })

test('every alert has a German text with its names and numbers', async () => {
  await t.app.disk.updateAlert()
  const { app } = await joinNode(t, 'sign-2.example.com:3000')
  await new DiskSpaceWatch(app, async () => ({ freeBytes: 3e8, totalBytes: 2e12 })).updateAlert()
  t.app.damage.noteError(Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' }))
  const hashes = { missing: 'a', changed: 'b', unreadable: 'c' } as const
  for (const [damage, letter] of Object.entries(hashes)) {
    const sha256 = letter.repeat(64)
    const file = { sha256, bytes: 1, created_at: t.clock.now.toISOString() }
    await t.app.write(tx => tx.insertInto('files').values(file).execute())
    t.app.damage.noteFile(sha256, damage as keyof typeof hashes)
  }
  await t.app.damage.settled()
  const hook = async () => (await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/x', events: ['*'] })).body.id
  const fail = async (status: number | undefined, days: number, isLast: boolean) => {
    const id = await hook()
    const at = new Date(t.clock.now.getTime() + days * 86_400_000)
    await t.app.write(tx => recordFailure(tx, t.app, id, { at, status, error: 'answered 500', isLast }))
  }
  await fail(410, 0, false)
  await fail(500, 6, true)
  await fail(500, 4.5, false)
  const alerts = await t.app.db.selectFrom('alerts').select(['kind', 'message']).execute()
  expect(new Set(alerts.map(({ kind }) => kind)).size).toBe(5)
  for (const { message } of alerts) {
    const german = storedText(message)
    expect(german).not.toBe(message)
    expect(german).not.toMatch(/\$\d|\b(?:the|restore|stop|free|was|has)\b/i)
    for (const name of message.match(/sign-2\.\S+|whk_\w+|[0-9a-f]{64}|\d[\d,]* MB|127\.0\.0\.1:9|answered 500/g) ?? [])
      expect(german).toContain(name)
  }
})
