/** Settings that pages change: which value is in force, how it is stored and recorded. */
import { describe, expect, test } from 'bun:test'
import { verifyChain } from '../../src/audit/log.ts'
import { SERVICE_ROWS } from '../../src/config/service-rows.ts'
import type { BackupPlan } from '../../src/config/stored-rows.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { englishOfRefusal } from '../../src/locales/violations.ts'
import { SYSTEM } from '../../src/ports.ts'
import { readOrganisation } from '../../src/settings/organisation.ts'
import { saveSetting } from '../../src/settings/queries.ts'
import {
  changeServiceSettings,
  readServiceSettings,
  readStoredSettings,
  type SettingChanges,
} from '../../src/settings/service-settings.ts'
import { readTimestampSettings } from '../../src/settings/timestamp-settings.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const change = (changes: SettingChanges) => t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, changes))
const refusalOf = (changes: SettingChanges) =>
  change(changes).then(
    () => undefined,
    error =>
      error instanceof Refusal ? [error.reason, englishOfRefusal(error), ...error.details.map(({ path }) => path)] : error,
  )
const entries = async () => {
  const all = t.app.db.selectFrom('events').leftJoin('event_details', 'event_details.sequence', 'events.sequence')
  const rows = await all.select(['entry', 'personal']).execute()
  return rows.filter(({ entry }) => JSON.parse(entry).type === 'settings.changed')
}

const SERVER = 'smtp://ada:open%20sesame@mail.example.com:587'

describe('a setting', () => {
  test('has its default until one is stored, and again when that is deleted', async () => {
    expect((await readServiceSettings(t.app)).mailFrom).toEqual({
      value: { name: '', address: 'signet@localhost' },
      text: 'signet@localhost',
      source: 'default',
    })
    expect<unknown>(await change({ mailFrom: 'Acme <sign@acme.example>' })).toEqual(['mailFrom'])
    expect((await readServiceSettings(t.app)).mailFrom).toMatchObject({
      value: { name: 'Acme', address: 'sign@acme.example' },
      source: 'stored',
    })
    await change({ mailFrom: '' })
    expect((await readServiceSettings(t.app)).mailFrom.source).toBe('default')
  })

  test('is read under the name that earlier releases stored it by', async () => {
    const quietHours = { from: '20:00', to: '07:00', weekends: true }
    const retention = { periods: { completed: 12 }, before: {}, from: '', announcedAt: null }
    const plan = { frequency: 'daily', time: '02:30', keep: 7, place: 's3', folder: '', recipients: [], changedAt: '2026-01-01' }
    const texts = {
      'organisation.name': 'Acme',
      'organisation.contact': 'legal@acme.example',
      'organisation.timeZone': 'Europe/Berlin',
      'organisation.language': 'de',
      'organisation.logo': 'ab12',
      'organisation.colour': '#0b6e4f',
      'organisation.defaults': '{"expiresInDays":14,"reminders":null}',
      'organisation.deviceKey': 'required',
      'organisation.quietHours': JSON.stringify(quietHours),
      'signIn.secondFactor': 'required',
      retention: JSON.stringify(retention),
      'backups.plan': JSON.stringify(plan),
    }
    for (const [name, text] of Object.entries(texts)) await t.app.write(tx => saveSetting(tx, name, text))
    expect(await readOrganisation(t.app.db)).toEqual({
      name: 'Acme',
      contact: 'legal@acme.example',
      timeZone: 'Europe/Berlin',
      language: 'de',
      logoSha256: 'ab12',
      colour: '#0b6e4f',
      deviceKey: 'required',
      quietHours,
      defaults: { expiresInDays: 14, reminders: undefined },
    })
    const read = await readStoredSettings(t.app.db)
    expect(read('secondFactor')).toBe('required')
    expect(read('retention')).toEqual(retention)
    expect(read('backupPlan')).toEqual(plan as BackupPlan)
  })

  test('of the environment wins over a stored one, and cannot be changed here', async () => {
    await change({ smtpUrl: SERVER })
    t.app.config.fixed.smtpUrl = 'smtps://other.example.com'
    expect((await readServiceSettings(t.app)).smtpUrl).toMatchObject({
      value: { host: 'other.example.com', port: 465, security: 'tls' },
      source: 'environment',
    })
    expect(await refusalOf({ smtpUrl: 'smtp://third.example.com' })).toEqual([
      'invalid_state',
      'This setting is set by SIGNET_SMTP_URL: change it there, or unset the variable first.',
    ])
  })

  test('that is invalid is refused, and nothing else of the change is stored', async () => {
    expect(await refusalOf({ mailFrom: 'Acme', tsaFallback: 'wait' })).toMatchObject([
      'validation_failed',
      expect.anything(),
      'mailFrom',
    ])
    expect((await readServiceSettings(t.app)).tsaFallback.source).toBe('default')
    expect(await entries()).toEqual([])
  })

  test('that is the same leaves no trace in the audit log', async () => {
    await change({ tsaFallback: 'wait' })
    expect(await change({ tsaFallback: 'wait' })).toHaveLength(0)
    expect(await entries()).toHaveLength(1)
  })
})

describe('a secret', () => {
  test('is stored encrypted, and read again with the master key alone', async () => {
    await change({ smtpUrl: SERVER })
    const tables = [
      await t.app.db.selectFrom('settings').selectAll().execute(),
      (await t.app.db.selectFrom('secrets').selectAll().execute()).map(({ name, sealed }) => [
        name,
        Buffer.from(sealed).toString('latin1'),
      ]),
    ]
    expect(JSON.stringify(tables)).not.toContain('sesame')
    expect((await readServiceSettings(t.app)).smtpUrl.value).toMatchObject({ user: 'ada', password: 'open sesame' })
    await change({ smtpUrl: '' })
    expect(
      (await t.app.db.selectFrom('secrets').selectAll().execute()).filter(({ name }) => name.startsWith('service.')),
    ).toEqual([])
  })

  test('is in no entry of the audit log, which says that it was changed; a plain value is', async () => {
    await change({ smtpUrl: SERVER, webhookAllow: '10.0.0.0/8', mailFrom: 'sign@acme.example' })
    const [entry] = await entries()
    expect(JSON.parse(entry?.entry ?? '').data).toEqual({
      changed: ['smtpUrl', 'mailFrom', 'webhookAllow'],
      webhookAllow: '10.0.0.0/8',
    })
    expect(JSON.stringify(entry)).not.toMatch(/sesame|mail\.example\.com/)
    expect(entry?.personal).toContain('sign@acme.example')
    expect(await verifyChain(t.app.db)).toMatchObject({ count: expect.any(Number) })
  })
})

describe('time-stamps', () => {
  test('reach the highest level once there is an authority, and B-B without', async () => {
    expect(await readTimestampSettings(t.app)).toEqual({
      authorities: [],
      roots: undefined,
      subFilter: 'ETSI.CAdES.detached',
      level: 'B-B',
      levels: { 'ETSI.CAdES.detached': 'B-B', 'adbe.pkcs7.detached': 'B-B' },
      fallback: 'later',
    })
    await change({ tsaUrl: 'https://tsa.example.com/' })
    expect(await readTimestampSettings(t.app)).toMatchObject({ level: 'B-LTA' })
  })

  test('a level that needs an authority is refused without one, also when the authority is removed', async () => {
    const refused = ['validation_failed', expect.stringContaining('B-LT needs a time-stamp authority'), 'sealLevel']
    expect(await refusalOf({ sealLevel: 'B-LT' })).toEqual(refused)
    await change({ sealLevel: 'B-LT', tsaUrl: 'https://tsa.example.com/' })
    expect(await refusalOf({ tsaUrl: '' })).toEqual(refused)
    expect(await readTimestampSettings(t.app)).toMatchObject({
      level: 'B-LT',
      authorities: [{ url: 'https://tsa.example.com/' }],
    })
  })
})

describe('the sites that may show signing pages', () => {
  const parse = (text: string) => SERVICE_ROWS.embedOrigins.parse(text)

  test('are https, or http on this machine, in the form that browsers send', () => {
    expect(parse('https://Portal.Example.com:443/\nhttp://localhost:8080, http://127.0.0.1:9')).toEqual([
      'https://portal.example.com',
      'http://localhost:8080',
      'http://127.0.0.1:9',
    ])
    expect(parse('')).toEqual([])
  })

  test.each([
    'http://portal.example.com',
    'https://portal.example.com/path',
    'https://*.example.com',
    'https://a.example.com;script-src',
    'https://user:word@example.com',
    '*',
    'null',
    'data:text/html,x',
    'https://a.example.com?x',
  ])('are not %s', text => {
    expect(() => parse(text)).toThrow('must be addresses such as')
  })
})
