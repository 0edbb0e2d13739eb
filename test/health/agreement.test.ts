/** Balancer, container, doctor, Health page, strip and metrics say the same of the same trouble. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { raiseAlert } from '../../src/alerts/alerts.ts'
import { checksOf } from '../../src/health/checks.ts'
import { runChecks } from '../../src/health/finding.ts'
import { updateAlerts } from '../../src/health/watch.ts'
import { instanceText } from '../../src/http/metrics.ts'
import { diagnosis } from '../../src/locales/diagnoses.ts'
import { pauseSending } from '../../src/settings/sending-pause.ts'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { openTestApp, ROOMY, type TestApp } from '../support/test-app.ts'

const ADMIN = { email: 'grace@example.com', name: 'Grace Hopper', password: 'four sound words here' }

let t: TestApp
const disk = { ...ROOMY }
beforeEach(async () => {
  Object.assign(disk, ROOMY)
  t = await openTestApp({ disk })
  await createAdmin(t.app, ADMIN)
})
afterEach(() => t.close())

interface Trouble {
  kind: string
  /** Of `signet doctor`. */
  check: string
  /** Of the Health page. */
  row: RegExp
  cause(): Promise<unknown>
}

const TROUBLES: Record<string, Trouble> = {
  'a disk that is nearly full': {
    kind: 'disk_low',
    check: 'disk',
    row: /Disk Only 300 MB are free.*?Act now/,
    cause: async () => {
      disk.freeBytes = 3e8
      await t.app.disk.updateAlert()
    },
  },
  'a damaged file': {
    kind: 'file_damaged',
    check: 'alert',
    row: /Files 1 stored file is damaged.*?Act now/,
    cause: async () => {
      const sha256 = 'a'.repeat(64)
      await t.app.write(tx =>
        tx.insertInto('files').values({ sha256, bytes: 1, created_at: t.clock.now.toISOString() }).execute(),
      )
      const found = diagnosis('folder_file_missing', { file: `${sha256}.pdf`, hasDocuments: false, documents: [] })
      await raiseAlert(t.app, { kind: 'file_damaged', subject: sha256, found })
    },
  },
  'sending that is paused': {
    kind: 'sending_paused',
    check: 'sending',
    row: /Nothing is sent.*?Act now/,
    cause: async () => {
      await t.app.write(tx => pauseSending(tx, { since: t.clock.now, backupMadeAt: t.clock.now }))
      await updateAlerts(t.app)
    },
  },
}

async function seen({ kind, check, row }: Trouble) {
  const ready = (await (await t.fetch('/readyz')).json()) as { status: string }
  const findings = await runChecks(checksOf(t.app))
  const visitor = openVisitor(t.fetch)
  const strip = await visitor.submit(await visitor.get('/sign-in'), { email: ADMIN.email, password: ADMIN.password })
  const count = new RegExp(`signet_alerts_open{kind="${kind}"} (\\d)`).exec(await instanceText(t.app))?.[1]
  return {
    balancer: ready.status,
    doctor: findings.some(({ name, verdict }) => name === check && verdict !== 'ok'),
    health: row.test(textOf(await visitor.get('/settings/health'))),
    strip: strip.html.includes('class="strip"'),
    metrics: count,
  }
}

for (const [name, trouble] of Object.entries(TROUBLES)) {
  test(`${name} is seen everywhere, and not before`, async () => {
    expect(await seen(trouble)).toEqual({ balancer: 'ready', doctor: false, health: false, strip: false, metrics: '0' })
    await trouble.cause()
    expect(await seen(trouble)).toEqual({ balancer: 'degraded', doctor: true, health: true, strip: true, metrics: '1' })
  })
}
