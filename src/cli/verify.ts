/** `signet verify`: verifies any signed PDF, offline, without a data folder. The exit codes are those of `seal/verdict.ts`. */
import { existsSync, readFileSync } from 'node:fs'
import { openPdfTools } from '../pdf/worker.ts'
import { parseFlags, UsageFault, type Verb } from './verb.ts'

/** The machine is the caller's own: one large file may take its time. */
const LIMITS = { cpuMs: 60_000, wallMs: 600_000, rssBytes: 1024 * 1024 * 1024 }

export const verify: Verb = {
  name: 'verify',
  usage: 'signet verify FILE.pdf [--json] [--trust CERTIFICATES]… [--trust-time CERTIFICATES]…',
  summary:
    'verifies a signed PDF offline: exit 0 valid, 1 not valid, 2 unreadable, 4 signer not known, 5 not signed, 6 not checked',
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', '--trust': 'list', '--trust-time': 'list' })
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageFault('name one PDF file')
    const { '--trust': signerFiles = [], '--trust-time': timeFiles = [] } = parsed.lists
    const missing = [path, ...signerFiles, ...timeFiles].find(file => !existsSync(file))
    if (missing !== undefined) throw new UsageFault(`${missing} does not exist`)
    const [trust = [], timeStampTrust = []] = [signerFiles, timeFiles].map(list => list.map(file => readFileSync(file, 'utf8')))
    const tools = openPdfTools({ command: io.command, size: 1, limits: LIMITS })
    try {
      const report = await tools.verify({ path, trust, timeStampTrust, originalPath: undefined })
      const { describe } = await import('../seal/describe.ts')
      const { EXIT_CODES } = await import('../seal/verdict.ts')
      io.out(parsed.switches.has('--json') ? JSON.stringify(report) : describe(report))
      return EXIT_CODES[report.verdict]
    } finally {
      await tools.close()
    }
  },
}
