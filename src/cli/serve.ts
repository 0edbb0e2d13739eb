/** `signet serve`: everything in one process, until it is told to end. */
import { configFrom, noPositionals, parseFlags, SERVE_FLAGS, type Verb } from './verb.ts'

export const serve: Verb = {
  name: 'serve',
  usage: 'signet serve [--data DIR] [--host ADDRESS] [--port N] [--base-url URL]',
  summary: 'runs everything: API, pages, mail, clock, seal',
  async run(args, io) {
    const parsed = parseFlags(args, SERVE_FLAGS)
    noPositionals(parsed)
    await io.serve(configFrom(parsed, io.env))
    return 0
  },
}
