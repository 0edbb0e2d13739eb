/** `signet help`, `signet version` and `signet licences`. */
import licencesPath from '../../.built/licences.txt' with { type: 'file' }
import { version as number } from '../../package.json'
import { SETTINGS } from '../config.ts'
import { KNOWN_LEVEL } from '../db/feature-level.ts'
import { latestVersion } from '../db/migrate.ts'
import { commit, committedOn, readEmbeddedFile } from '../lib/embedded-file.ts'
import { UsageError, type Verb } from './verb.ts'

export const version: Verb = {
  name: 'version',
  usage: 'signet version',
  summary: 'prints the version, and its commit, schema and feature level',
  async run(_args, io) {
    const of = committedOn === undefined ? '' : ` of ${committedOn}`
    io.out([number, `commit ${commit}${of}`, `schema ${latestVersion()}`, `feature level ${KNOWN_LEVEL}`].join('\n'))
    return 0
  },
}

export const licences: Verb = {
  name: 'licences',
  usage: 'signet licences',
  summary: 'prints the licences of the libraries and fonts in this program',
  async run(_args, io) {
    io.out(new TextDecoder().decode(readEmbeddedFile(licencesPath)).trimEnd())
    return 0
  },
}

/** `verbs` returns all verbs, this one included. */
export function helpVerb(verbs: () => Promise<Verb[]>): Verb {
  return {
    name: 'help',
    usage: 'signet help [VERB]',
    summary: 'explains the verbs and the configuration',
    async run(args, io) {
      if (args.length === 0) {
        io.out(overview(await verbs()))
        return 0
      }
      const wanted = args.join(' ')
      const found = (await verbs()).filter(({ name }) => name === wanted || name.startsWith(`${wanted} `))
      if (found.length === 0) throw new UsageError(`there is no verb "${wanted}"; signet help lists them`)
      io.out(found.map(explained).join('\n'))
      return 0
    },
  }
}

/** A usage may be longer than the summary: each has lines of its own. */
const described = ({ usage, summary }: Verb): string => `${usage}\n    ${summary}`

const explained = (verb: Verb): string =>
  [described(verb), ...Object.entries(verb.flags ?? {}).map(([flag, meaning]) => `      ${flag}: ${meaning}`)].join('\n')

export function overview(verbs: Verb[]): string {
  const settings = Object.values(SETTINGS).map(row => {
    const { variable, fallback, what, flag: named, orFile } = row
    const flag = named ? ` (${named})` : orFile ? ` (or ${variable}_FILE, a file that holds it)` : ''
    return `  ${variable}${flag}: ${what}${fallback ? ` [${fallback}]` : ''}`
  })
  return [
    `Signet ${number}: electronic signatures from one executable`,
    '',
    ...verbs.map(verb => `  ${described(verb)}`),
    '',
    'Environment:',
    ...settings,
  ].join('\n')
}
