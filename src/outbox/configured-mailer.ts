/**
 * Sends each mail by the mail server that is set at that time, else into the outbox folder. Of
 * several nodes none has a folder for all: without a server their mails wait.
 */
import { errorMessage } from '../lib/log.ts'
import type { Mailer, MailMessage, MailVerdict } from '../mailer/message.ts'
import { folderMailer } from '../mailer/outbox-folder.ts'
import type { App } from '../ports.ts'
import { pemOf, readServiceSetting, readServiceSettings } from '../settings/service-settings.ts'
import { outboxFolder } from './outbox.ts'

type Deps = Pick<App, 'config' | 'db' | 'secrets'>
type MailerDeps = Deps & Pick<App, 'connectMail' | 'fileSystem'>

const NO_SERVER: MailVerdict = {
  outcome: 'refused',
  permanent: false,
  reply: 'No mail server is set: name one under Settings → E-mail. The mail waits until then.',
}

export class ConfiguredMailer implements Mailer {
  readonly #app: MailerDeps
  /** Undefined on one of several nodes. */
  readonly #folder: Mailer | undefined
  /** One for each mail that is being sent: each has a connection of its own. */
  readonly #sending = new Set<Mailer>()
  #isClosed = false

  constructor(app: MailerDeps) {
    this.#app = app
    this.#folder = app.config.databaseUrl === undefined ? folderMailer(app.fileSystem, outboxFolder(app)) : undefined
  }

  async send(message: MailMessage): Promise<MailVerdict> {
    const { smtpUrl, smtpCaFile } = await readServiceSettings(this.#app)
    if (smtpUrl.value === undefined) return this.#folder?.send(message) ?? NO_SERVER
    const roots = await mailRoots(this.#app, smtpCaFile.value)
    if ('refusal' in roots) return roots.refusal
    const mailer = this.#app.connectMail({ ...smtpUrl.value, ...roots })
    if (this.#isClosed) mailer.close()
    this.#sending.add(mailer)
    try {
      return await mailer.send(message)
    } finally {
      this.#sending.delete(mailer)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const mailer of this.#sending) mailer.close()
  }
}

export async function isMailServerSet(app: Deps): Promise<boolean> {
  return (await readServiceSetting(app, 'smtpUrl')) !== undefined
}

/** Where mails are stored while no mail server is set; undefined if one is, or on several nodes. */
export async function folderInUse(app: Deps): Promise<string | undefined> {
  return (await isMailServerSet(app)) || app.config.databaseUrl !== undefined ? undefined : outboxFolder(app)
}

// The root certificates of the mail server; a file of the environment may be missing.

type Roots = Parameters<typeof pemOf>[1]

/** `refusal`: why no mail can be sent now. It waits, so that nothing is sent without the check. */
export async function mailRoots(app: Pick<App, 'fileSystem'>, roots: Roots): Promise<{ ca?: string } | { refusal: MailVerdict }> {
  try {
    const ca = await pemOf(app, roots)
    if (ca === undefined) return {}
    return ca.includes('-----BEGIN CERTIFICATE-----') ? { ca } : { refusal: unusable(roots, 'contains no certificate in PEM') }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error)
    return { refusal: unusable(roots, `cannot be read (${why})`) }
  }
}

function unusable(roots: Roots, what: string): MailVerdict {
  const file = roots && 'file' in roots ? `${roots.file}, named by SIGNET_SMTP_CA_FILE,` : 'The text of root certificates'
  return { outcome: 'refused', permanent: false, problem: 'roots', reply: `${file} ${what}.` }
}
