/** `signet admin create`: creates an administrator. The password is read from standard input. */
import { createAdmin } from '../accounts/people.ts'
import { DEFAULT_ORGANISATION_NAME } from '../config/stored-rows.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { serviceAddress } from '../settings/service-address.ts'
import { withApp } from './data-folder.ts'
import { configFrom, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

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
      if (organisation.name !== DEFAULT_ORGANISATION_NAME) return
      const shown = `signers see “${DEFAULT_ORGANISATION_NAME}”`
      io.err(`The organisation has no name yet, and ${shown}: name it at ${address}/settings/organisation`)
      io.err(`Its e-mails are in ${LANGUAGE_NAMES.of(organisation.language)}: another language is chosen there`)
    })
    return 0
  },
}
