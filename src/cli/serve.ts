/** `signet serve`: runs the service until a signal ends it. */
import { configFrom, noPositionals, parseFlags, SERVE_FLAGS, type Verb } from './verb.ts'

export const serve: Verb = {
  name: 'serve',
  usage: 'signet serve [--data DIR] [--host ADDRESS] [--port N] [--base-url URL]',
  summary: 'runs the service: API, web pages, mail, scheduled jobs, sealing',
  async run(args, io) {
    const parsed = parseFlags(args, SERVE_FLAGS)
    noPositionals(parsed)
    await io.serve(configFrom(parsed, io.env))
    return 0
  },
}
