/** `signet service print`: prints the systemd unit. Needs no rights and changes nothing. */
import { readPlan, UNIT_FLAGS } from './service-plan.ts'
import { unitText } from './service-unit.ts'
import { noPositionals, parseFlags, type Verb } from './verb.ts'

/** The unit does not depend on the address, which only an installation needs. */
const ANY_ADDRESS = 'SIGNET_BASE_URL=https://sign.example.com'

export const servicePrint: Verb = {
  name: 'service print',
  usage: 'signet service print [--data DIR] [--user NAME] [--executable PATH] [--master-key FILE] [--writable DIR]…',
  summary: 'prints the systemd unit that signet service install writes',
  async run(args, io) {
    const parsed = parseFlags(args, UNIT_FLAGS)
    noPositionals(parsed)
    io.out(unitText(readPlan(parsed, { unit: undefined, environment: ANY_ADDRESS })).trimEnd())
    return 0
  },
}
