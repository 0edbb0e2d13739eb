/** `signet admin reset`: prints a link that sets a new password, or removes the second factor. */
import { userByEmail } from '../accounts/queries.ts'
import { issueResetLink, noAccount, RESET_LINK_MINUTES } from '../accounts/reset.ts'
import { removeSecondFactor } from '../accounts/second-factor.ts'
import { type App, COMMAND_LINE } from '../ports.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { withApp } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, parseFlags, UsageError, type Verb } from './verb.ts'

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
