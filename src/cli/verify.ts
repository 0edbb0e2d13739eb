/** `signet verify`: verifies a signed PDF offline, without a data folder. */
import { readFileSync, statSync } from 'node:fs'
import { openPdfTools } from '../sandbox/pdf-tools.ts'
import type { UnreadableReport, VerificationReport } from '../verify/report.ts'
import { type Io, parseFlags, UsageError, type Verb } from './verb.ts'

/** Wider than those of a server: the machine is the user's own, and a large file may take long. */
const LIMITS = { cpuMs: 60_000, wallMs: 600_000, rssBytes: 1024 * 1024 * 1024 }

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** The certificates of each file, PEM. @throws UsageError that names the flag and the file */
async function readTrust(flag: string, paths: readonly string[]): Promise<string[]> {
  const { readTrustFile } = await import('../pki/trust-file.ts')
  return paths.map(path => {
    if (!isFile(path)) throw new UsageError(`${flag}: there is no file ${path}`)
    const result = readTrustFile(readFileSync(path))
    if ('error' in result) throw new UsageError(`${flag}: ${path} cannot be used: ${result.error}`)
    return result.pem
  })
}

async function reportOf(
  io: Io,
  path: string,
  trust: string[],
  timestampTrust: string[],
): Promise<VerificationReport | UnreadableReport> {
  if (!isFile(path)) return { verdict: 'unreadable', reason: 'there is no such file' }
  const tools = openPdfTools({ command: io.command, size: 1, limits: LIMITS })
  try {
    return await tools.verify({ path, trust, timestampTrust, originalPath: undefined })
  } finally {
    await tools.close()
  }
}

export const verify: Verb = {
  name: 'verify',
  usage: 'signet verify FILE.pdf [--json] [--trust CERTIFICATES]… [--trust-time CERTIFICATES]…',
  summary:
    'verifies a signed PDF offline: exit 0 valid, 1 not valid, 2 unreadable, 4 signer unknown, 5 not signed, 6 not checked',
  failureCode: 2,
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', '--trust': 'list', '--trust-time': 'list' })
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageError('name one PDF file')
    const trust = await readTrust('--trust', parsed.lists['--trust'] ?? [])
    const timestampTrust = await readTrust('--trust-time', parsed.lists['--trust-time'] ?? [])
    const report = await reportOf(io, path, trust, timestampTrust)
    const { describeReport } = await import('../verify/describe.ts')
    const { EXIT_CODES } = await import('../verify/verdict.ts')
    io.out(parsed.switches.has('--json') ? JSON.stringify(report) : describeReport(report))
    return EXIT_CODES[report.verdict]
  },
}
