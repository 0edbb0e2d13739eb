/** The mail server and the sender: changed, and tested by one mail. */
import { errorsIn, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { MAX_SENDER_NAME } from '../core/service-limits.ts'
import { cleanLine, emailError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import { isMetadataAddress, MAX_HOST_NAME, MAX_PORT } from '../lib/net-guard.ts'
import { isSameSecret, keyedToken } from '../lib/token.ts'
import type { Mailbox, MailMessage, MailVerdict } from '../mailer/message.ts'
import { parseSmtpUrl, type Security, type SmtpServer, smtpUrlOf } from '../mailer/smtp.ts'
import { readTrustFile } from '../pki/x509.ts'
import type { App, Origin } from '../ports.ts'
import { allSettings, saveSetting } from '../settings/queries.ts'
import {
  changeServiceSettings,
  readServiceSettings,
  type ServiceSettings,
  type SettingChanges,
} from '../settings/service-settings.ts'
import { mailRoots } from './configured-mailer.ts'
import { MAIL_LANE, MAIL_SLOW_LANE } from './outbox.ts'
import { retryMailsNow } from './queries.ts'

export interface MailSettingsInput {
  /** Empty: no mail server. */
  host: string
  port: string
  security: string
  user: string
  /** Empty: the stored one, while server and user name are the same. */
  password: string
  /** PEM; empty: the built-in root certificates. */
  ca: string
  senderName: string
  senderAddress: string
  /** Of batches. Empty: the default. */
  bulkMailsPerMinute: string
}

const SECURITIES: readonly Security[] = ['starttls', 'tls', 'none']

/** What the environment fixes is left out. @throws Refusal with errors by field */
export async function saveMailSettings(app: App, origin: Origin, input: MailSettingsInput): Promise<void> {
  const { smtpUrl, smtpCaFile, mailFrom, bulkMailsPerMinute } = await readServiceSettings(app)
  const changes: SettingChanges = {}
  const errors: ValidationError[] = []
  const add = (name: keyof SettingChanges, { text, errors: found }: Parsed) => {
    changes[name] = text
    errors.push(...found)
  }
  if (smtpUrl.source !== 'environment') add('smtpUrl', serverText(input, smtpUrl.value))
  if (smtpCaFile.source !== 'environment') add('smtpCaFile', rootsText(input.ca))
  if (mailFrom.source !== 'environment' && !isSenderKept(mailFrom, input)) add('mailFrom', senderText(input))
  if (bulkMailsPerMinute.source !== 'environment') changes.bulkMailsPerMinute = input.bulkMailsPerMinute.trim()
  refuseIfInvalid(errors)
  await app.write(async tx => {
    const changed = await changeServiceSettings(tx, app, origin, changes)
    if (changed.length > 0) await retryMailsNow(tx, { from: MAIL_SLOW_LANE, to: MAIL_LANE }, app.now())
  })
}

interface Parsed {
  text: string
  errors: ValidationError[]
}

function serverText({ host, port, security, user, password }: MailSettingsInput, before: SmtpServer | undefined): Parsed {
  if (host.trim() === '') return { text: '', errors: [] }
  const server: SmtpServer = { host: host.trim().replace(/^\[(.*)\]$/, '$1'), port: Number(port), security: security as Security }
  const login = user.trim()
  // Another service may listen on another port, and without encryption all on the way read it.
  const isSame =
    before?.host === server.host &&
    before.user === login &&
    before.port === server.port &&
    (server.security !== 'none' || before.security === 'none')
  const kept = password === '' && isSame ? before?.password : password
  const errors = errorsIn([
    ['host', hostError(server.host)],
    ['port', /^\d{1,5}$/.test(port) && server.port >= 1 && server.port <= MAX_PORT ? undefined : violation('not_a_port')],
    ['security', SECURITIES.includes(server.security) ? undefined : violation('not_a_mail_security')],
    ['user', login === '' && password !== '' ? violation('not_with_password') : undefined],
    ['smtpPassword', login !== '' && !kept ? violation('secret_of_other_server') : undefined],
  ])
  if (errors.length > 0) return { text: '', errors }
  return { text: smtpUrlOf(login === '' ? server : { ...server, user: login, password: kept ?? '' }), errors: [] }
}

function hostError(host: string): Violation | undefined {
  try {
    const read = parseSmtpUrl(smtpUrlOf({ host, port: 25, security: 'none' })).host
    if (isMetadataAddress(read)) return violation('metadata_address')
    return read.length > MAX_HOST_NAME ? violation('shorten') : undefined
  } catch {
    return violation('not_a_host_name')
  }
}

function rootsText(ca: string): Parsed {
  if (ca.trim() === '') return { text: '', errors: [] }
  const read = readTrustFile(Buffer.from(ca))
  return 'pem' in read ? { text: read.pem, errors: [] } : { text: '', errors: [{ path: 'ca', ...violation('not_roots') }] }
}

/** The default is for the outbox folder: no mail server accepts it, so that it is not proposed. */
function shownSender({ value, source }: ServiceSettings['mailFrom']): Mailbox {
  return source === 'default' ? { name: '', address: '' } : value
}

/** One that was stored and is as it was is not checked anew. */
function isSenderKept({ value, source }: ServiceSettings['mailFrom'], { senderName, senderAddress }: MailSettingsInput): boolean {
  return source === 'stored' && value.name === cleanLine(senderName) && value.address === senderAddress.trim()
}

/** Without a server nobody needs a sender. */
function senderText({ host, senderName, senderAddress }: MailSettingsInput): Parsed {
  const [name, address] = [cleanLine(senderName), senderAddress.trim()]
  if (`${host.trim()}${name}${address}` === '') return { text: '', errors: [] }
  const errors = errorsIn([
    ['senderName', /[<>"]/.test(name) || name.length > MAX_SENDER_NAME ? violation('not_a_sender_name') : undefined],
    ['senderAddress', emailError(address)],
  ])
  return { text: name === '' ? address : `${name} <${address}>`, errors }
}

/** A person waits for the answer. */
const TEST_TIMEOUTS = { connectMs: 10_000, greetingMs: 10_000, socketMs: 20_000, totalMs: 40_000 }
const TESTED = 'email.tested'

/** Sends one mail with the settings in force, and keeps that they work. */
export async function sendTestMail(app: App, message: MailMessage): Promise<MailVerdict> {
  const { smtpUrl, smtpCaFile } = await readServiceSettings(app)
  if (smtpUrl.value === undefined) refuseIfInvalid([{ path: 'host', ...violation('mail_server_missing') }])
  const roots = await mailRoots(app, smtpCaFile.value)
  if ('refusal' in roots) return roots.refusal
  const server = smtpUrl.value ?? { host: '', port: 0, security: 'none' }
  const verdict = await app.connectMail({ ...server, ...roots, timeouts: TEST_TIMEOUTS }).send(message)
  if (verdict.outcome === 'accepted') {
    const tested = JSON.stringify({ at: app.now().toISOString(), to: message.to.address, settings: await fingerprint(app) })
    await app.write(tx => saveSetting(tx, TESTED, tested), { wake: false })
  }
  return verdict
}

/** Changes with each change of the settings. Reveals nothing of them. */
async function fingerprint(app: App): Promise<string> {
  const { smtpUrl, smtpCaFile, mailFrom } = await readServiceSettings(app)
  return keyedToken(app.linkKey, TESTED, smtpUrl.text, smtpCaFile.text, mailFrom.text)
}

/** The last successful test of the settings in force. */
export async function lastMailTest(app: App): Promise<{ at: Date; to: string } | undefined> {
  const text = (await allSettings(app.db)).get(TESTED)
  if (text === undefined) return undefined
  const { at, to, settings } = JSON.parse(text) as { at: string; to: string; settings: string }
  return isSameSecret(settings, await fingerprint(app)) ? { at: new Date(at), to } : undefined
}

export interface MailSettings {
  server: (Omit<SmtpServer, 'password'> & { hasPassword: boolean }) | undefined
  /** PEM, or the file that the environment names. */
  roots: { file: string } | { pem: string } | undefined
  /** Empty: the default. */
  sender: Mailbox
  bulkMailsPerMinute: number
  /** What the environment fixes. */
  fixed: { server: boolean; roots: boolean; sender: boolean; bulk: boolean }
}

/** For the page: without the password. */
export async function readMailSettings(app: App): Promise<MailSettings> {
  const { smtpUrl, smtpCaFile, mailFrom, bulkMailsPerMinute } = await readServiceSettings(app)
  const { password, ...server } = smtpUrl.value ?? { host: '', port: 0, security: 'none' as const, password: undefined }
  return {
    server: smtpUrl.value && { ...server, hasPassword: password !== undefined && password !== '' },
    roots: smtpCaFile.value,
    sender: shownSender(mailFrom),
    bulkMailsPerMinute: bulkMailsPerMinute.value,
    fixed: {
      server: smtpUrl.source === 'environment',
      roots: smtpCaFile.source === 'environment',
      sender: mailFrom.source === 'environment',
      bulk: bulkMailsPerMinute.source === 'environment',
    },
  }
}
