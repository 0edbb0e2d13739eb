/** `signet admin create`: creates an administrator. The password is read from standard input. */
import { createAdmin } from '../accounts/people.ts'
import { userByEmail } from '../accounts/queries.ts'
import { issueResetLink, noAccount, RESET_LINK_MINUTES } from '../accounts/reset.ts'
import { removeSecondFactor } from '../accounts/second-factor.ts'
import { SERVICE_NAME } from '../core/service-limits.ts'
import { type App, COMMAND_LINE } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { withApp } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

// `signet admin reset`: prints a link that sets a new password, or removes the second factor.

const SECOND_FACTOR = '--second-factor'

export const adminReset: Verb = {
  name: 'admin reset',
  usage: 'signet admin reset EMAIL [--second-factor] [--data DIR]',
  summary:
    'prints a one-time link with which this user sets a new password; --second-factor: removes authenticator app, recovery codes and passkeys instead',
  async run(args, io) {
    const parsed = parseFlags(args, { [SECOND_FACTOR]: 'switch', ...DATA_FLAG })
    const [email, another] = parsed.positionals
    if (email === undefined || another !== undefined) throw new UsageError('name one e-mail address')
    const reset = parsed.switches.has(SECOND_FACTOR) ? resetSecondFactor : resetPassword
    await withApp(configFrom(parsed, io.env), io, 'admin reset', app => reset(app, io, email))
    return 0
  },
}

async function resetPassword(app: App, io: Io, email: string): Promise<void> {
  const { user, token } = await issueResetLink(app, email, COMMAND_LINE)
  io.out(`${await serviceAddress(app)}/reset/${token}`)
  io.err(`${user.name} <${user.email}> can set a new password there, once, within ${RESET_LINK_MINUTES} minutes.`)
}

async function resetSecondFactor(app: App, io: Io, email: string): Promise<void> {
  const user = await userByEmail(app.db, email)
  if (!user) throw noAccount(email)
  const { hasApp, passkeys } = await removeSecondFactor(app, user, COMMAND_LINE)
  const removed = [hasApp && 'the authenticator app', passkeys > 0 && `${passkeys} ${passkeys === 1 ? 'passkey' : 'passkeys'}`]
  io.err(`Removed from ${user.name} <${user.email}>: ${removed.filter(Boolean).join(' and ')}.`)
  io.err('The password alone is enough now. Every session was ended.')
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' })

export const adminCreate: Verb = {
  name: 'admin create',
  usage: 'signet admin create --email ADDRESS --name NAME --password-stdin [--language LANGUAGE] [--data DIR]',
  summary:
    'creates an administrator; the password is read from standard input; `--language` (such as `de`) is that of the organisation, with the first one',
  async run(args, io) {
    const parsed = parseFlags(args, {
      '--email': 'value',
      '--name': 'value',
      '--password-stdin': 'switch',
      '--language': 'value',
      '--data': 'value',
    })
    noPositionals(parsed)
    const { '--email': email, '--name': name, '--language': language } = parsed.values
    if (email === undefined || name === undefined) throw new UsageError('--email and --name are needed')
    if (!parsed.switches.has('--password-stdin')) {
      throw new UsageError('--password-stdin is needed: other users of this machine could read a password in the arguments')
    }
    const password = (await io.stdin()).replace(/\r?\n$/, '')
    await withApp(configFrom(parsed, io.env), io, 'admin create', async app => {
      await createAdmin(app, { email, name, password, language })
      const address = await serviceAddress(app)
      io.out(`${name} <${email}> is an administrator now: sign in at ${address}/sign-in`)
      const organisation = await readOrganisation(app.db)
      if (organisation.name !== SERVICE_NAME) return
      const shown = `signers see “${SERVICE_NAME}”`
      io.err(`The organisation has no name yet, and ${shown}: name it at ${address}/settings/organisation`)
      io.err(`Its e-mails are in ${LANGUAGE_NAMES.of(organisation.language)}: another language is chosen there`)
    })
    return 0
  },
}
