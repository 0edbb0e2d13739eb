/** `signet verify`: judges any signed PDF, offline, without a data folder. Exit code 0 sound, 1 not sound, 2 unreadable. */
import { existsSync, readFileSync } from 'node:fs'
import { openPdfTools } from '../pdf/worker.ts'
import { parseFlags, UsageFault, type Verb } from './verb.ts'

export const verify: Verb = {
  name: 'verify',
  usage: 'signet verify FILE.pdf [--json] [--trust CERTIFICATE.pem]…',
  summary: 'judges a signed PDF offline: exit 0 sound, 1 not sound, 2 unreadable',
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', '--trust': 'list' })
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageFault('name one PDF file')
    const missing = [path, ...(parsed.lists['--trust'] ?? [])].find(file => !existsSync(file))
    if (missing !== undefined) throw new UsageFault(`${missing} does not exist`)
    const trust = (parsed.lists['--trust'] ?? []).map(file => readFileSync(file, 'utf8'))
    const tools = openPdfTools({ command: io.command, size: 1, wallMs: 60_000, rssBytes: 1024 * 1024 * 1024 })
    try {
      const report = await tools.verify({ path, trust, timeStampTrust: trust, originalPath: undefined })
      if ('unreadable' in report) {
        if (parsed.switches.has('--json')) io.out(JSON.stringify({ sound: false, ...report }))
        else io.err(`${path} cannot be judged: ${report.unreadable}`)
        return 2
      }
      const { describe } = await import('../seal/describe.ts')
      io.out(parsed.switches.has('--json') ? JSON.stringify(report) : describe(report))
      return report.sound ? 0 : 1
    } finally {
      await tools.close()
    }
  },
}
