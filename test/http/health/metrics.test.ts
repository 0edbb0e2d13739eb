/** `GET /metrics`: what it contains, and who may read it. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { raiseAlert } from '../../../src/alerts/alerts.ts'
import { auditHead } from '../../../src/audit/log.ts'
import { readConfig } from '../../../src/config.ts'
import { mayReadMetrics } from '../../../src/http/metrics.ts'
import { buildServer } from '../../../src/http/server.ts'
import { expositionErrors } from '../../support/exposition.ts'
import { newDocument } from '../../support/sample.ts'
import { sentDocument } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { GRACE, newAdministrator, signedIn } from '../../support/visitors.ts'
import { LOW_DISK } from '../../support/warnings.ts'

describe('what is counted', () => {
  let t: TestApp
  let server: ReturnType<typeof Bun.serve>
  beforeEach(async () => {
    t = await openTestApp()
    const elysia = buildServer(t.app)
    server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: request => elysia.fetch(request) })
    elysia.server = server
  })
  afterEach(async () => {
    await server.stop(true)
    await t.close()
  })
  const scrape = async () => {
    const response = await fetch(new URL('/metrics', server.url))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    return response.text()
  }
  const sampleOf = (text: string, sample: string) => Number(new RegExp(`^${RegExp.escape(sample)} (.*)$`, 'm').exec(text)?.[1])

  test('requests, transactions and jobs, in valid form, and no line in the log', async () => {
    await sentDocument(t)
    await t.fetch('/nothing')
    const text = await scrape()
    expect(expositionErrors(text)).toEqual([])
    expect(sampleOf(text, 'signet_http_requests_total{class="api",status="201"}')).toBe(1)
    expect(sampleOf(text, 'signet_http_request_duration_seconds_count{class="api"}')).toBe(2)
    expect(sampleOf(text, 'signet_transactions_total{outcome="committed"}')).toBeGreaterThan(2)
    expect(sampleOf(text, 'signet_writer_wait_seconds_count')).toBeGreaterThan(2)
    expect(sampleOf(text, 'signet_jobs_total{kind="mail"}')).toBeGreaterThan(0)
    expect(sampleOf(text, 'signet_jobs_running{kind="mail"}')).toBe(0)
    expect(sampleOf(text, 'signet_jobs_waiting{kind="mail"}')).toBe(0)
    expect(sampleOf(text, 'signet_child_tasks_running')).toBe(0)
    expect(text).toContain(`signet_build_info{version="${t.app.instance.version}",engine="${t.app.db.engine}"} 1\n`)
    expect(t.logged.filter(({ facts }) => facts.path === '/metrics')).toEqual([])
  })

  test('a transaction that was rolled back, and a job that waits', async () => {
    const { body } = await t.api('POST', '/documents', await newDocument())
    await t.api('POST', `/documents/${body.id}/send`)
    await t.app
      .write(async () => {
        throw new Error('refused')
      })
      .catch(() => undefined)
    const text = await scrape()
    expect(sampleOf(text, 'signet_transactions_total{outcome="rolled_back"}')).toBe(1)
    expect(sampleOf(text, 'signet_jobs_waiting{kind="mail"}')).toBe(2)
  })

  test('what an administrator is woken for: failing work, refused sign-ins, warnings, certificate and disk', async () => {
    const refused = { outcome: 'refused', permanent: false, reply: '451 later' } as const
    t.mailVerdicts.push(refused, { ...refused, permanent: true })
    await sentDocument(t)
    await raiseAlert(t.app, LOW_DISK)
    await newAdministrator(t)
    await signedIn(t, { ...GRACE, password: 'not these words at all' })
    t.clock.pass({ minutes: 5 })
    const text = await scrape()
    expect(sampleOf(text, 'signet_mails_total{outcome="postponed"}')).toBe(1)
    expect(sampleOf(text, 'signet_mails_total{outcome="failed"}')).toBe(1)
    expect(sampleOf(text, 'signet_jobs_failing{kind="mail"}')).toBe(1)
    expect(sampleOf(text, 'signet_jobs_oldest_waiting_seconds{kind="mail"}')).toBeGreaterThan(200)
    expect(sampleOf(text, 'signet_jobs_oldest_waiting_seconds{kind="seal"}')).toBe(0)
    expect(sampleOf(text, 'signet_sign_ins_refused_total')).toBe(1)
    expect(sampleOf(text, 'signet_alerts_open{kind="disk_low"}')).toBe(1)
    expect(sampleOf(text, 'signet_alerts_open{kind="mail_failing"}')).toBe(0)
    expect(sampleOf(text, 'signet_disk_free_bytes')).toBe(1e12)
    expect(sampleOf(text, 'signet_seal_certificate_expiry_timestamp_seconds')).toBeGreaterThan(t.clock.now.getTime() / 1000)
    expect(sampleOf(text, 'signet_audit_log_entries')).toBe((await auditHead(t.app.db)).sequence)
    expect(text).not.toContain('signet_backup_last_success')
    expect(text).not.toContain('grace')
  })

  test('a database that hangs hides the jobs, nothing else', async () => {
    const db = new Proxy(t.app.db, {
      get: (target, name) => (name === 'selectFrom' ? () => ({ select: never }) : Reflect.get(target, name)),
    })
    const never = () => {
      throw new Error('no connection')
    }
    const elysia = buildServer({ ...t.app, db })
    elysia.server = { requestIP: () => ({ address: '127.0.0.1' }) } as unknown as typeof elysia.server
    const text = await (await elysia.fetch(new Request('http://127.0.0.1/metrics'))).text()
    expect(text).not.toContain('signet_jobs_waiting')
    expect(text).toContain('signet_transactions_total')
  })
})

describe('who may read it', () => {
  const may = (
    from: string | undefined,
    env: Record<string, string> = {},
    headers: Record<string, string> = {},
    host = '127.0.0.1',
  ) => mayReadMetrics(new Request(`http://${host}:3000/metrics`, { headers }), from, readConfig({}, env))
  const allow = { SIGNET_METRICS_ALLOW: '10.0.0.0/8' }

  test('loopback, and the networks that are named', () => {
    expect([may('127.0.0.1'), may('::1'), may('::ffff:127.0.0.1')]).toEqual([true, true, true])
    expect([may('10.1.2.3'), may('192.0.2.1'), may(undefined)]).toEqual([false, false, false])
    expect([may('10.1.2.3', allow), may('192.0.2.1', allow)]).toEqual([true, false])
  })

  test('nobody behind a proxy that is not trusted', () => {
    const forwarded = { 'x-forwarded-for': '127.0.0.1' }
    expect(may('127.0.0.1', {}, forwarded)).toBe(false)
    expect(may('10.1.2.3', allow, forwarded)).toBe(false)
    // It says nothing of its client, but passes on the public host.
    expect(may('127.0.0.1', {}, {}, 'sign.example.com')).toBe(false)
  })

  test('behind a trusted proxy the client counts, not the proxy', () => {
    const env = { ...allow, SIGNET_TRUST_PROXY: '127.0.0.1/32' }
    const host = 'sign.example.com'
    expect(may('127.0.0.1', env, { 'x-forwarded-for': '192.0.2.1' }, host)).toBe(false)
    expect(may('127.0.0.1', env, { 'x-forwarded-for': '10.1.2.3' }, host)).toBe(true)
  })
})

test('others get the answer of an address at which there is nothing', async () => {
  const t = await openTestApp()
  const [metrics, nothing] = await Promise.all(['/metrics', '/nothing'].map(path => t.fetch(path)))
  const withoutNonces = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '')
  expect(metrics?.status).toBe(404)
  expect(withoutNonces((await metrics?.text()) ?? '')).toBe(withoutNonces((await nothing?.text()) ?? '-'))
  await t.close()
})
