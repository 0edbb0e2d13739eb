/**
 * The settings in force: the environment's, else those stored, else the defaults. The table of all
 * is `config/service-rows.ts`.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import {
  type ChangeableSettingName,
  SERVICE_ROWS,
  SERVICE_SETTING_NAMES,
  type ServiceSettingName,
  type ServiceValue,
  type StoredSettingName,
  serviceRow,
  type TrustedRoots,
} from '../config/service-rows.ts'
import type { Json } from '../core/document/event.ts'
import { errorAt, Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import type { Db, Tx } from '../db/open.ts'
import { readText } from '../lib/files.ts'
import { CodedError } from '../locales/violations.ts'
import type { App, Origin } from '../ports.ts'
import * as queries from './queries.ts'
import { secretName } from './sealed.ts'

type Deps = Pick<App, 'config' | 'db' | 'secrets'>

export interface InForce<T> {
  value: T
  /** As it was written; with `secret` settings never to be shown. */
  text: string
  source: 'environment' | 'stored' | 'default'
}

export type ServiceSettings = { [Name in ServiceSettingName]: InForce<ServiceValue<Name>> }

const rowName = (name: ServiceSettingName) => serviceRow(name).key ?? `service.${name}`

/** Read at each use, so that every node follows a change. Pass `tx` inside a transaction. */
export async function readServiceSettings(app: Deps, db: Db | Tx = app.db): Promise<ServiceSettings> {
  const stored = await storedTexts(app, db)
  const settings = SERVICE_SETTING_NAMES.map(name => [name, inForce(app, stored, name)])
  return Object.fromEntries(settings)
}

/** One of them. No secret but its own is decrypted: requests of pages ask for one. */
export async function readServiceSetting<Name extends ServiceSettingName>(app: Deps, name: Name): Promise<ServiceValue<Name>> {
  const stored = app.config.fixed[name] === undefined ? await storedTexts(app, app.db, rowName(name)) : new Map()
  return inForce(app, stored, name).value as ServiceValue<Name>
}

/** Reads settings that have no variable and are no secrets. */
export type StoredSettings = <Name extends StoredSettingName>(name: Name) => ServiceValue<Name>

const settingsIn =
  (stored: ReadonlyMap<string, string>): StoredSettings =>
  name =>
    storedOrDefault(stored, name).value as ServiceValue<typeof name>

export const readStoredSettings = async (db: Db | Tx): Promise<StoredSettings> => settingsIn(await queries.allSettings(db))

export const DEFAULT_SETTINGS = settingsIn(new Map())

/** One of them. */
export async function readStoredSetting<Name extends StoredSettingName>(db: Db | Tx, name: Name): Promise<ServiceValue<Name>> {
  const text = await queries.readSetting(db, rowName(name))
  return storedOrDefault(new Map(text === undefined ? [] : [[rowName(name), text]]), name).value as ServiceValue<Name>
}

/** Without an entry in the audit log, which the caller makes. An empty text deletes it. */
export const saveStoredSetting = (tx: Tx, name: StoredSettingName, text: string): Promise<void> =>
  text === '' ? queries.dropSetting(tx, rowName(name)) : queries.saveSetting(tx, rowName(name), text)

/** PEM. @throws an error of the file system for a file of the environment */
export async function pemOf(
  { fileSystem }: Pick<App, 'fileSystem'>,
  roots: TrustedRoots | undefined,
): Promise<string | undefined> {
  return roots && ('pem' in roots ? roots.pem : await readText(fileSystem, roots.file))
}

/** By name; of all settings, or of one. */
async function storedTexts({ secrets }: Deps, db: Db | Tx, only?: string): Promise<Map<string, string>> {
  const rows = await queries.settingsWithSecrets(db, only)
  return new Map(
    rows.map(({ name, value, sealed }) => [
      name,
      sealed ? secrets.decrypt(secretName('stored', name), sealed).toString() : value,
    ]),
  )
}

function inForce({ config }: Deps, stored: Map<string, string>, name: ServiceSettingName): InForce<unknown> {
  const fixed = config.fixed[name]
  if (fixed === undefined) return storedOrDefault(stored, name)
  return { value: serviceRow(name).parse(fixed), text: fixed, source: 'environment' }
}

function storedOrDefault(stored: ReadonlyMap<string, string>, name: ServiceSettingName): InForce<unknown> {
  const { fallback = '', parse } = serviceRow(name)
  const own = stored.get(rowName(name))
  const read = own === undefined ? undefined : tryParse(name, own)
  if (own === undefined || read === undefined) return { value: parse(fallback), text: fallback, source: 'default' }
  return { value: read.value, text: own, source: 'stored' }
}

/** Undefined for a text that somebody edited, or that a later release wrote. */
function tryParse(name: ServiceSettingName, text: string): { value: unknown } | undefined {
  try {
    return { value: serviceRow(name).parse(text) }
  } catch {
    // Whatever a parser throws for such a text, it must not stop the service.
    return undefined
  }
}

/** Those whose stored text cannot be read: their defaults are in force. */
export async function unreadableSettings(app: Deps): Promise<{ name: string; page: string }[]> {
  const stored = await storedTexts(app, app.db)
  return SERVICE_SETTING_NAMES.filter(name => {
    const own = stored.get(rowName(name))
    return own !== undefined && tryParse(name, own) === undefined
  }).map(name => ({ name: serviceRow(name).key ?? name, page: serviceRow(name).page }))
}

/** An empty text deletes what is stored: the default is in force again. */
export type SettingChanges = Partial<Record<ChangeableSettingName, string>>

interface Change {
  name: ChangeableSettingName
  text: string
}

/**
 * Stores the settings that differ, with one entry in the audit log for each event. Returns their
 * names.
 * @throws Refusal with errors by setting; `invalid_state` if the environment fixes one
 */
export async function changeServiceSettings(
  tx: Tx,
  app: Deps & Pick<App, 'newId' | 'now' | 'random'>,
  origin: Origin,
  changes: SettingChanges,
): Promise<ChangeableSettingName[]> {
  const before = await storedTexts(app, tx)
  const wanted = (SERVICE_SETTING_NAMES as ChangeableSettingName[]).flatMap((name): Change[] => {
    const text = changes[name]
    const { event, fallback = '' } = serviceRow(name)
    const standard = event ? fallback : ''
    const isSame = (text || standard) === (before.get(rowName(name)) ?? standard)
    return text === undefined || isSame ? [] : [{ name, text }]
  })
  if (wanted.length === 0) return []
  refuseIfInvalid(wanted.flatMap(({ name, text }) => errorOf(app, name, text)))
  for (const { name, text } of wanted) await store(tx, app, name, text)
  if (wanted.some(({ name }) => name === 'sealLevel' || name === 'tsaUrl'))
    refuseIfInvalid(contradictions(await readServiceSettings(app, tx)))
  for (const [type, ofType] of Map.groupBy(wanted, ({ name }) => serviceRow(name).event ?? 'settings.changed'))
    await appendInstanceEvent(tx, app, { type, ...auditFacts(ofType) }, origin)
  return wanted.map(({ name }) => name)
}

function errorOf({ config }: Deps, name: ServiceSettingName, text: string): ValidationError[] {
  const { variable, parse, fallback = '' } = serviceRow(name)
  if (config.fixed[name] !== undefined) {
    throw new Refusal('invalid_state', violation('setting_of_environment', { variable: variable ?? name }))
  }
  try {
    parse(text === '' ? fallback : text)
    return []
  } catch (error) {
    if (error instanceof CodedError) return [errorAt(name, error.violation)]
    throw error
  }
}

/** What settings that are valid alone must not be together. */
function contradictions({ sealLevel, tsaUrl }: ServiceSettings): ValidationError[] {
  const level = sealLevel.value
  if (level === undefined || level === 'B-B' || tsaUrl.value.length > 0) return []
  return [{ path: 'sealLevel', ...violation('level_without_authority', { level }) }]
}

async function store(tx: Tx, { secrets }: Deps, name: ServiceSettingName, text: string): Promise<void> {
  const key = rowName(name)
  const isSecret = SERVICE_ROWS[name].kind === 'secret'
  if (text === '') {
    await queries.dropSetting(tx, key)
    await queries.dropSecret(tx, key)
    return
  }
  await queries.saveSetting(tx, key, isSecret ? '' : text)
  if (isSecret) await queries.saveSecret(tx, key, secrets.encrypt(secretName('stored', key), Buffer.from(text)))
}

/** Of an entry in the audit log. */
const memberName = (name: ServiceSettingName): string => serviceRow(name).key?.split('.').at(-1) ?? name

function auditFacts(changes: readonly Change[]) {
  const data: Record<string, Json> = { changed: changes.map(({ name }) => memberName(name)) }
  const personal: Record<string, Json> = {}
  for (const { name, text } of changes) {
    const { kind, event } = serviceRow(name)
    const value = text === '' && event ? null : text
    if (kind === 'plain') data[memberName(name)] = value
    if (kind === 'personal') personal[memberName(name)] = value
  }
  return { data, ...(Object.keys(personal).length > 0 ? { personal } : {}) }
}
