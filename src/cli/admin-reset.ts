/** `signet admin reset`: prints a one-time link that sets a new password. */
import { issueResetLink, RESET_LINK_MINUTES } from '../accounts/reset.ts'
import { COMMAND_LINE } from '../ports.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { withApp } from './data-folder.ts'
import { configFrom, DATA_FLAG, parseFlags, UsageError, type Verb } from './verb.ts'

export const adminReset: Verb = {
  name: 'admin reset',
  usage: 'signet admin reset EMAIL [--data DIR]',
  summary: 'prints a one-time link with which the user of this address sets a new password',
  async run(args, io) {
    const parsed = parseFlags(args, DATA_FLAG)
    const [email, another] = parsed.positionals
    if (email === undefined || another !== undefined) throw new UsageError('name one e-mail address')
    await withApp(configFrom(parsed, io.env), io, 'admin reset', async app => {
      const { user, token } = await issueResetLink(app, email, COMMAND_LINE)
      io.out(`${await serviceAddress(app)}/reset/${token}`)
      io.err(`${user.name} <${user.email}> can set a new password there, once, within ${RESET_LINK_MINUTES} minutes.`)
    })
    return 0
  },
}
