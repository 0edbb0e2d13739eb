/** `signet admin create`: the first or another administrator, without a browser. The password comes on standard input. */
import { createAdmin } from '../accounts/people.ts'
import { DEFAULT_ORGANISATION_NAME, organisation } from '../settings/organisation.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { configFrom, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

export const adminCreate: Verb = {
  name: 'admin create',
  usage: 'signet admin create --email ADDRESS --name NAME --password-stdin [--data DIR]',
  summary: 'makes an administrator; the password is read from standard input',
  async run(args, io) {
    const parsed = parseFlags(args, { '--email': 'value', '--name': 'value', '--password-stdin': 'switch', '--data': 'value' })
    noPositionals(parsed)
    const { '--email': email, '--name': name } = parsed.values
    if (email === undefined || name === undefined) throw new UsageError('--email and --name are needed')
    if (!parsed.switches.has('--password-stdin')) {
      throw new UsageError('--password-stdin is needed: a password among the arguments could be read by others')
    }
    const password = (await io.stdin()).replace(/\r?\n$/, '')
    const config = configFrom(parsed, io.env)
    const { app, close } = await io.open(config, 'signet admin create', false)
    try {
      await createAdmin(app, { email, name, password })
      const address = await serviceAddress(app)
      io.out(`${name} <${email}> is an administrator now: sign in at ${address}/sign-in`)
      if ((await organisation(app.db)).name === DEFAULT_ORGANISATION_NAME) {
        io.err(
          `The organisation has no name yet, and signers see “${DEFAULT_ORGANISATION_NAME}”: name it at ${address}/settings/organisation`,
        )
      }
    } finally {
      await close()
    }
    return 0
  },
}
