/** `signet serve`: runs the service until a signal ends it. */
import { describeUnknown } from '../config/unknown-variables.ts'
import { configFrom, noPositionals, parseFlags, SERVE_FLAGS, type Verb } from './verb.ts'

export const serve: Verb = {
  name: 'serve',
  usage: 'signet serve [--data DIR] [--host ADDRESS] [--port N] [--base-url URL]',
  summary: 'runs the service: API, web pages, mail, scheduled jobs, sealing',
  async run(args, io) {
    const parsed = parseFlags(args, SERVE_FLAGS)
    noPositionals(parsed)
    const config = configFrom(parsed, io.env)
    for (const unknown of config.unknownVariables) io.err(`signet serve: ${describeUnknown(unknown)}`)
    await io.serve(config)
    return 0
  },
}
