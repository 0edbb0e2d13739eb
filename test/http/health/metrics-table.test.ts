/**
 * METRICS.md names every metric, and the example rules use no other. `SIGNET_WRITE_TABLES=1` writes
 * the table. No label holds what belongs to a person or grows with use.
 */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALERT_KINDS } from '../../../src/core/alert.ts'
import { metricsResponse } from '../../../src/http/metrics.ts'
import { JOB_KINDS } from '../../../src/outbox/queries.ts'
import type { App } from '../../../src/ports.ts'
import { noteTimestampAnswer } from '../../../src/settings/timestamp-settings.ts'
import { expositionErrors } from '../../support/exposition.ts'
import { useTestApp } from '../../support/use-app.ts'

const FOLDER = join(import.meta.dir, '../../../src/http')
const TABLE = join(FOLDER, 'METRICS.md')
const RULES = join(FOLDER, 'prometheus-alerts.yml')

const t = useTestApp()

/** Every label that occurs, with the values it can have. */
const LABELS: Record<string, readonly string[]> = {
  kind: [...JOB_KINDS, ...ALERT_KINDS],
  outcome: ['committed', 'rolled_back', 'accepted', 'postponed', 'failed', 'delivered'],
  class: [],
  status: [],
  version: [],
  engine: [],
  le: [],
}

/** With what only several nodes, files in S3 and work that was done add. */
async function everything(): Promise<string> {
  const at = t.clock.now.toISOString()
  const run = { id: 'bak_1', cause: 'request', boot: 'a', started_at: at, ended_at: at, verdict: 'verified' } as const
  const rest = { file_name: 'a', place: '/b', bytes: 1, documents: 1, problem: null, removed_at: null }
  await t.app.write(tx =>
    tx
      .insertInto('backup_runs')
      .values({ ...run, ...rest })
      .execute(),
  )
  await noteTimestampAnswer(t.app, { stampedAt: t.clock.now })
  const { metrics } = t.app
  metrics.requests.of('page', 200).add()
  metrics.requestSeconds.of('page').observe(0.1)
  for (const kind of JOB_KINDS) for (const family of [metrics.jobs, metrics.jobsRunning]) family.of(kind).add()
  const node = { isAlone: false, health: () => ({ silenceMs: 1000, clockDifferenceMs: 0 }) }
  const storage = { copies: () => ({ bytes: 1, maxBytes: 2, hits: 1, misses: 1 }) }
  const app = { ...t.app, node, storage, disk: t.app.disk } as unknown as App
  return (await metricsResponse(app, { activeRequests: 1 }, new Request('http://localhost/metrics'))).text()
}

interface Metric {
  name: string
  type: string
  labels: string[]
  help: string
}

function metricsIn(text: string): Metric[] {
  return [...text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)\n(.*)$/gm)].map(
    ([, name = '', help = '', type = '', sample = '']) => {
      const labels = [...sample.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter(label => label !== 'le')
      return { name, type, labels, help }
    },
  )
}

const tableOf = (metrics: Metric[]) =>
  [
    '# Metrics',
    '',
    '`GET /metrics` answers in the text format 0.0.4 of Prometheus, to loopback and to `SIGNET_METRICS_ALLOW`. This table is',
    'made by `test/http/health/metrics-table.test.ts`. Ask each node, not the balancer: what is “of this process” differs between',
    'them. A gauge without a value, such as a backup that was never made, is left out. Labels hold no personal data.',
    '[prometheus-alerts.yml](prometheus-alerts.yml) has example rules.',
    '',
    '| Name | Type | Labels | Meaning |',
    '|---|---|---|---|',
    ...metrics
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(
        ({ name, type, labels, help }) =>
          `| \`${name}\` | ${type} | ${labels.map(label => `\`${label}\``).join(', ')} | ${help} |`,
      ),
    '',
  ].join('\n')

test('every metric is in METRICS.md, in valid form', async () => {
  const text = await everything()
  expect(expositionErrors(text)).toEqual([])
  const table = tableOf(metricsIn(text))
  if (process.env.SIGNET_WRITE_TABLES) writeFileSync(TABLE, table)
  expect(readFileSync(TABLE, 'utf8')).toBe(table)
})

test('labels are few, and their values come from closed lists', async () => {
  const text = await everything()
  for (const [, label = '', value = ''] of text.matchAll(/(\w+)="([^"]*)"/g)) {
    expect(Object.keys(LABELS)).toContain(label)
    const allowed = LABELS[label] ?? []
    if (allowed.length > 0) expect(allowed).toContain(value)
  }
})

test('the example rules use names that exist, each with a summary and a severity', async () => {
  const metrics = metricsIn(await everything())
  const names = new Set(
    metrics.flatMap(({ name, type }) => (type === 'histogram' ? [`${name}_sum`, `${name}_count`, `${name}_bucket`] : [name])),
  )
  const file = Bun.YAML.parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Record<string, unknown>[] }[] }
  const rules = file.groups.flatMap(group => group.rules)
  expect(rules.length).toBeGreaterThan(10)
  for (const { alert, expr, labels, annotations, ...others } of rules) {
    expect(alert).toMatch(/^Signet[A-Z]\w+$/)
    for (const [name] of String(expr).matchAll(/\bsignet_\w+/g))
      expect([alert, name, names.has(name)]).toEqual([alert, name, true])
    for (const [, kind = ''] of String(expr).matchAll(/kind="(\w+)"/g)) expect(LABELS.kind).toContain(kind)
    expect(labels).toEqual({ severity: expect.stringMatching(/^(warning|critical)$/) })
    expect(annotations).toEqual({ summary: expect.stringMatching(/\.$/) })
    expect(Object.keys(others).filter(key => key !== 'for')).toEqual([])
  }
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
})
