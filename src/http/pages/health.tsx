/** Settings → Health: what is well, what needs somebody, and where it is mended. */
import { HealthPage, type HealthRow } from '../../../views/pages/health.tsx'
import { alertPath, isAlertKind } from '../../core/alert.ts'
import { Refusal } from '../../core/refusal.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../../db/postgresql/server-check.ts'
import { type HealthFacts, healthFacts, type JobFacts, MAX_COUNTED } from '../../health/facts.ts'
import type { Finding } from '../../health/finding.ts'
import { retryNow } from '../../health/queries.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { JOB_KINDS } from '../../outbox/queries.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { sessionOf, settingsUser } from './settings-access.ts'

export const HEALTH_PATH = '/settings/health'
const DAY_MS = 86_400_000
const WARN_DAYS = 30

async function page(visit: Visit): Promise<PageResponse> {
  const { app, url, texts, language } = visit
  const t = texts.health
  const facts = await healthFacts(app)
  const { timeZone } = await readOrganisation(app.db)
  const time = (at: Date) => pageTime(at, timeZone, language)
  const mendable = (row: HealthRow): HealthRow => (mayMend(visit) ? row : { tone: row.tone, name: row.name, text: row.text })
  const rows = {
    alerts: alertRows(visit, facts).map(mendable),
    service: serviceRows(visit, facts, time).map(mendable),
    work: workRows(visit, facts).map(mendable),
  }
  const deep = facts.check.findings.map(finding => findingRow(visit, finding))
  const tones = [...rows.alerts, ...rows.service, ...rows.work, ...deep].map(({ tone }) => tone)
  const { isRunning, finishedAt } = facts.check
  return {
    html: (
      <HealthPage
        context={visit.context(t.title)}
        user={settingsUser(visit)}
        notice={t.notices[url.searchParams.get('notice') ?? '']}
        verdict={tones.includes('bad') ? 'bad' : tones.includes('warn') ? 'warn' : 'good'}
        rows={rows}
        deep={deep}
        deepState={isRunning ? t.deepRunning : finishedAt ? t.deepAt(time(finishedAt)) : t.deepNever}
        isDeepRunning={isRunning}
      />
    ),
  }
}

const alertRows = ({ texts }: Visit, { alerts }: HealthFacts): HealthRow[] =>
  alerts.map(({ kind, subject, message }) => ({
    tone: 'bad',
    name: isAlertKind(kind) ? texts.alerts.kinds[kind] : kind,
    text: texts.errors(message),
    ...(isAlertKind(kind) ? linkOf(alertPath(kind, subject)) : {}),
  }))

/** This page is no place to go to from itself. */
const linkOf = (href: string) => (href === HEALTH_PATH ? {} : { href })

/** The command line prints clauses. */
const sentence = (clause: string) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${/[.!?]$/.test(clause) ? '' : '.'}`

function findingRow({ texts }: Visit, { verdict, name, message }: Finding): HealthRow {
  const tone = ({ ok: 'good', warning: 'warn', error: 'bad' } as const)[verdict]
  return { tone, name: texts.health.deepNames[name] ?? name, text: sentence(texts.errors(message)) }
}

const KEY_TONES = { elsewhere: 'good', 'in folder': 'info', former: 'warn' } as const

function serviceRows(visit: Visit, facts: HealthFacts, time: (at: Date) => string): HealthRow[] {
  const { app, texts, language } = visit
  const t = texts.health
  const { names } = t
  const { database, files, disk, nodes, clockDifferenceMs: difference } = facts
  const { baseUrl } = app.config
  const size = (bytes: number) => sizeText(bytes, language)
  const engine = database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  const rows: (HealthRow | undefined)[] = [
    database.problem === undefined
      ? { tone: 'good', name: names.database, text: t.database(engine, size(database.bytes)) }
      : { tone: 'bad', name: names.database, text: t.databaseDamaged(database.problem) },
    files.damaged > 0
      ? { tone: 'bad', name: names.files, text: t.filesDamaged(files.damaged) }
      : { tone: 'good', name: names.files, text: files.checkedAt ? t.filesWell(time(files.checkedAt)) : t.filesUnchecked },
    disk.level === 'ok'
      ? { tone: 'good', name: names.disk, text: t.disk(size(disk.space.freeBytes), size(disk.space.totalBytes)) }
      : { tone: 'bad', name: names.disk, text: t.diskLow(size(disk.space.freeBytes)) },
    backupRow(visit, facts, time),
    certificateRow(visit, facts),
    facts.authorities > 0
      ? { tone: 'good', name: names.timestamps, text: t.authorities(facts.authorities), href: '/settings/seal' }
      : { tone: 'info', name: names.timestamps, text: t.noAuthorities, href: '/settings/seal' },
    mailServerRow(visit, facts),
    nodes.length > 0 ? clockRow(visit, difference) : undefined,
    nodes.length > 0 ? nodesRow(visit, facts) : undefined,
    baseUrl.startsWith('https://')
      ? { tone: 'good', name: names.address, text: t.https(baseUrl) }
      : { tone: 'warn', name: names.address, text: t.noHttps(baseUrl) },
    { tone: KEY_TONES[facts.masterKey], name: names.masterKey, text: t.masterKey[facts.masterKey] },
    { tone: 'good', name: names.version, text: t.version(app.instance.version, database.schema) },
    facts.fixed.length > 0 ? { tone: 'info', name: names.fixed, text: t.fixed(facts.fixed.join(', ')) } : undefined,
  ]
  return rows.filter(row => row !== undefined)
}

function backupRow({ texts }: Visit, { backup: { isMissed, last } }: HealthFacts, time: (at: Date) => string): HealthRow {
  const { names, ...t } = texts.health
  const row = { name: names.backup, href: '/settings/backups' }
  if (isMissed) return { ...row, tone: 'warn', text: t.noBackup }
  return { ...row, tone: last ? 'good' : 'info', text: last ? t.backup(time(last)) : t.backupElsewhere }
}

function certificateRow({ app, texts }: Visit, { certificate: { notAfter, source } }: HealthFacts): HealthRow {
  const { names, ...t } = texts.health
  const left = Math.floor((notAfter.getTime() - app.now().getTime()) / DAY_MS)
  const row = { name: names.certificate, href: '/settings/seal' }
  if (left < 0) return { ...row, tone: 'bad', text: t.certificateExpired }
  const text = source === 'own' ? t.certificateOwn(left) : t.certificateImported(left)
  return { ...row, tone: left < WARN_DAYS ? 'warn' : 'good', text }
}

function mailServerRow({ texts, language }: Visit, { isMailSent, mailsFailedToday: failed }: HealthFacts): HealthRow {
  const { names, ...t } = texts.health
  const row = { name: names.mailServer, href: '/settings/email' }
  if (!isMailSent) return { ...row, tone: 'warn', text: t.noMailServer }
  if (failed === 0) return { ...row, tone: 'good', text: t.mailServerWell }
  return { ...row, tone: 'warn', text: t.mailServer(countText(failed, t.atLeast, language)) }
}

function clockRow({ texts, language }: Visit, differenceMs: number): HealthRow {
  const { names, ...t } = texts.health
  const ms = Math.round(differenceMs).toLocaleString(language)
  const isWrong = Math.abs(differenceMs) > MAX_CLOCK_DIFFERENCE_MS
  return { name: names.clock, tone: isWrong ? 'bad' : 'good', text: isWrong ? t.clockWrong(ms) : t.clock(ms) }
}

function nodesRow({ texts, language }: Visit, { nodes }: HealthFacts): HealthRow {
  const { names, ...t } = texts.health
  const list = new Intl.ListFormat(language).format(nodes.map(({ name, version }) => `${name} (${version})`))
  const differ = new Set(nodes.map(({ version }) => version)).size > 1
  return { name: names.nodes, tone: differ ? 'warn' : 'good', text: differ ? t.nodesDiffer(list) : t.nodes(list) }
}

const workRows = (visit: Visit, { jobs }: HealthFacts): HealthRow[] => jobs.map(job => jobRow(visit, job))

function jobRow(visit: Visit, { kind, waiting, failing }: JobFacts): HealthRow {
  const { texts, language } = visit
  const { names, ...t } = texts.health
  const row = { name: names[kind] }
  if (failing) {
    const text = t.failing(countText(failing.count, t.atLeast, language), failing.lastError)
    return { ...row, tone: 'warn', text, retry: kind }
  }
  if (waiting === 0) return { ...row, tone: 'good', text: t.nothingWaits }
  return { ...row, tone: 'info', text: t.waiting(countText(waiting, t.atLeast, language)) }
}

/** The pages that mend are those of administrators. */
const mayMend = (visit: Visit) => settingsUser(visit).opens.includes('admin')

function countText(count: number, atLeast: (count: string) => string, language: string): string {
  const text = count.toLocaleString(language)
  return count >= MAX_COUNTED ? atLeast(text) : text
}

/** In units of a thousand, with three digits at most. */
function sizeText(bytes: number, language: string): string {
  const units = ['kB', 'MB', 'GB', 'TB']
  let [size, unit] = [bytes / 1000, 0]
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000
  return `${size.toLocaleString(language, { maximumSignificantDigits: 3 })} ${units[unit]}`
}

async function postRetry(visit: Visit): Promise<PageResponse> {
  const kind = JOB_KINDS.find(each => each === visit.form.kind)
  if (!kind) throw new Refusal('validation_failed', 'There is no work of this kind.')
  await visit.app.write(tx => retryNow(tx, kind, visit.app.now()))
  return { redirect: `${HEALTH_PATH}?notice=retried` }
}

async function postCheck(visit: Visit): Promise<PageResponse> {
  const origin = { actor: sessionOf(visit).actor, ...visit.client }
  const isNew = await visit.app.checks.start('installation', origin)
  return { redirect: `${HEALTH_PATH}?notice=${isNew ? 'started' : 'running'}` }
}

export const healthPages: PageRoute[] = [
  { method: 'GET', path: HEALTH_PATH, access: 'auditor', run: page },
  { method: 'POST', path: `${HEALTH_PATH}/check`, access: 'auditor', run: postCheck },
  { method: 'POST', path: `${HEALTH_PATH}/retry`, access: 'admin', run: postRetry },
]
