/** The rows of the Health page: each check with its state, a sentence and where it is mended. */
import type { HealthRow } from '../../../../views/health/health.tsx'
import { alertPath, isAlertKind } from '../../../core/alert.ts'
import { BACKUPS_PATH, HEALTH_PATH, MAIL_PATH, SEAL_PATH, TIMESTAMPS_PATH, WEBHOOKS_PATH } from '../../../core/page-paths.ts'
import { MAX_CLOCK_DIFFERENCE_MS } from '../../../db/postgresql/server-check.ts'
import { type HealthFacts, type JobFacts, MAX_COUNTED } from '../../../health/facts.ts'
import { CERTIFICATE_WARN_DAYS, type Finding } from '../../../health/finding.ts'
import { MAX_AUTHORITY_DIFFERENCE_MS } from '../../../health/watch.ts'
import { lowBytesOf, nearLowBytesOf } from '../../../lib/disk.ts'
import { DAY_MS } from '../../../lib/duration.ts'
import { commit, committedOn } from '../../../lib/embedded-file.ts'
import type { JobKind } from '../../../outbox/queries.ts'
import type { Visit } from '../../frame/page.tsx'

type Time = (at: Date) => string

export const alertRows = ({ texts }: Visit, { alerts }: HealthFacts): HealthRow[] =>
  alerts.map(({ kind, subject, message }) => ({
    tone: 'bad',
    name: isAlertKind(kind) ? texts.alerts.kinds[kind] : kind,
    text: texts.storedText(message),
    ...(isAlertKind(kind) ? linkOf(alertPath(kind, subject)) : {}),
  }))

/** This page is no place to go to from itself. */
const linkOf = (href: string) => (href === HEALTH_PATH ? {} : { href })

const ended = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
/** The command line prints clauses. */
const sentence = (clause: string) => ended(`${clause.charAt(0).toUpperCase()}${clause.slice(1)}`)

export function findingRow({ texts }: Visit, { verdict, name, message }: Finding): HealthRow {
  const tone = ({ ok: 'good', warning: 'warn', error: 'bad' } as const)[verdict]
  return { tone, name: texts.health.deepNames[name] ?? name, text: sentence(texts.storedText(message)) }
}

const KEY_TONES = { elsewhere: 'good', 'in folder': 'info', former: 'warn' } as const

export function serviceRows(visit: Visit, facts: HealthFacts, time: Time): HealthRow[] {
  const { app, texts, language } = visit
  const t = texts.health
  const { names } = t
  const { database, files, nodes, clockDifferenceMs: difference } = facts
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
    diskRow(visit, facts),
    backupRow(visit, facts, time),
    certificateRow(visit, facts, time),
    timestampRow(visit, facts, time),
    mailServerRow(visit, facts),
    nodes.length > 0 ? clockRow(visit, difference) : authorityClockRow(visit, facts, time),
    nodes.length > 0 ? nodesRow(visit, facts) : undefined,
    baseUrl.startsWith('https://')
      ? { tone: 'good', name: names.address, text: t.https(baseUrl) }
      : { tone: 'warn', name: names.address, text: t.noHttps(baseUrl) },
    { tone: KEY_TONES[facts.masterKey], name: names.masterKey, text: t.masterKey[facts.masterKey] },
    { tone: 'good', name: names.version, text: t.version(app.instance.version, database.schema, commit, committedOn) },
    upgradeRow(visit, facts),
    facts.fixed.length > 0 ? { tone: 'info', name: names.fixed, text: t.fixed(facts.fixed.join(', ')) } : undefined,
  ]
  return rows.filter(row => row !== undefined)
}

function upgradeRow({ texts: { upgrade: t } }: Visit, { isUpgradeFinished }: HealthFacts): HealthRow {
  if (isUpgradeFinished) return { name: t.row, tone: 'good', text: t.rowFinished }
  return { name: t.row, tone: 'warn', text: t.rowOpen, href: `${HEALTH_PATH}/upgrade` }
}

function diskRow({ texts, language }: Visit, { disk: { level, space, isWritable } }: HealthFacts): HealthRow {
  const { names, ...t } = texts.health
  const [free, total] = [sizeText(space.freeBytes, language), sizeText(space.totalBytes, language)]
  if (!isWritable) return { name: names.disk, tone: 'bad', text: t.diskReadOnly }
  if (level !== 'ok') return { name: names.disk, tone: 'bad', text: t.diskLow(free) }
  if (space.freeBytes >= nearLowBytesOf(space)) return { name: names.disk, tone: 'good', text: t.disk(free, total) }
  return { name: names.disk, tone: 'warn', text: t.diskNear(free, total, sizeText(lowBytesOf(space), language)) }
}

function backupRow({ texts }: Visit, { backup: { isMissed, last } }: HealthFacts, time: Time): HealthRow {
  const { names, ...t } = texts.health
  const row = { name: names.backup, href: BACKUPS_PATH }
  if (isMissed) return { ...row, tone: 'warn', text: t.noBackup }
  return { ...row, tone: last ? 'good' : 'info', text: last ? t.backup(time(last)) : t.backupElsewhere }
}

function certificateRow({ app, texts }: Visit, { certificate: { notAfter, source } }: HealthFacts, time: Time): HealthRow {
  const { names, ...t } = texts.health
  const left = Math.floor((notAfter.getTime() - app.now().getTime()) / DAY_MS)
  const row = { name: names.certificate, href: SEAL_PATH }
  if (left < 0) return { ...row, tone: 'bad', text: t.certificateExpired }
  const text = source === 'own' ? t.certificateOwn(left, time(notAfter)) : t.certificateImported(left, time(notAfter))
  return { ...row, tone: left < CERTIFICATE_WARN_DAYS ? 'warn' : 'good', text }
}

function timestampRow({ texts }: Visit, { authorities, timestamp }: HealthFacts, time: Time): HealthRow {
  const { names, ...t } = texts.health
  const row = { name: names.timestamps, href: TIMESTAMPS_PATH }
  if (authorities === 0) return { ...row, tone: 'info', text: t.noAuthorities }
  const set = t.authorities(authorities)
  if (!timestamp) return { ...row, tone: 'info', text: `${set} ${t.neverAsked}` }
  const { failure, at } = timestamp
  if (failure !== undefined)
    return { ...row, tone: 'warn', text: `${set} ${t.timestampFailed(time(at), texts.storedText(failure))}` }
  return { ...row, tone: 'good', text: `${set} ${t.timestamped(time(at))}` }
}

function mailServerRow({ texts, language }: Visit, { isMailSent, mailsFailedToday: failed }: HealthFacts): HealthRow {
  const { names, ...t } = texts.health
  const row = { name: names.mailServer, href: MAIL_PATH }
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

/** One process alone has no other clock beside its own. */
function authorityClockRow({ texts, language }: Visit, { timestamp }: HealthFacts, time: Time): HealthRow | undefined {
  if (timestamp?.clockDifferenceMs === undefined) return undefined
  const { names, ...t } = texts.health
  const difference = Math.abs(timestamp.clockDifferenceMs)
  const seconds = (difference / 1000).toLocaleString(language, { maximumFractionDigits: 1 })
  const tone = difference > MAX_AUTHORITY_DIFFERENCE_MS ? 'bad' : 'good'
  return { name: names.clock, tone, text: t.authorityClock(seconds, time(timestamp.at)) }
}

function nodesRow({ texts, language }: Visit, { nodes }: HealthFacts): HealthRow {
  const { names, ...t } = texts.health
  const list = new Intl.ListFormat(language).format(nodes.map(({ name, version }) => `${name} (${version})`))
  const differ = new Set(nodes.map(({ version }) => version)).size > 1
  return { name: names.nodes, tone: differ ? 'warn' : 'good', text: differ ? t.nodesDiffer(list) : t.nodes(list) }
}

export const workRows = (visit: Visit, { jobs }: HealthFacts): HealthRow[] => jobs.map(job => jobRow(visit, job))

/** Where what fails is mended. */
const WORK_PAGES: Record<JobKind, string> = {
  mail: MAIL_PATH,
  webhook: WEBHOOKS_PATH,
  seal: SEAL_PATH,
  augment: TIMESTAMPS_PATH,
}

function jobRow(visit: Visit, { kind, waiting, failing }: JobFacts): HealthRow {
  const { texts, language } = visit
  const { names, ...t } = texts.health
  const row = { name: names[kind], href: WORK_PAGES[kind] }
  if (failing) {
    const text = t.failing(countText(failing.count, t.atLeast, language), ended(failing.lastError))
    return { ...row, tone: 'warn', text: `${text} ${t.whatToDo[kind]}`, retry: kind }
  }
  if (waiting === 0) return { name: names[kind], tone: 'good', text: t.nothingWaits }
  return { name: names[kind], tone: 'info', text: t.waiting(countText(waiting, t.atLeast, language)) }
}

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
