/**
 * `signet evidence verify`: verifies an evidence pack offline, without the service that made it.
 */
import { PACK_EXIT_CODES } from '../evidence/pack/report.ts'
import { openPdfTools } from '../sandbox/pdf-tools.ts'
import { parseFlags, UsageError, type Verb } from './verb.ts'
import { givenTrust, isFile, LIMITS } from './verify.ts'

export const evidenceVerify: Verb = {
  name: 'evidence verify',
  usage: 'signet evidence verify PACK.zip [--json] [--trust CERTIFICATES]… [--trust-time CERTIFICATES]…',
  summary:
    'verifies an evidence pack offline: audit trail, files, audit certificate, seal and time-stamps, without --trust by the certificate in it: exit 0 valid, 1 not valid, 2 unreadable, 4 signer unknown, 6 not all could be checked',
  failureCode: 2,
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', '--trust': 'list', '--trust-time': 'list' })
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageError('name one evidence pack, a ZIP')
    if (!isFile(path)) throw new UsageError(`there is no file ${path}`)
    const { trust, timestampTrust } = await givenTrust(parsed, io, 'evidence verify')
    const tools = openPdfTools({ command: io.command, size: 1, limits: LIMITS })
    try {
      const report = await tools.verifyPack({ path, trust, timestampTrust })
      const { describePack } = await import('../evidence/pack/describe-pack.ts')
      io.out(parsed.switches.has('--json') ? JSON.stringify(report) : describePack(report).trimEnd())
      return PACK_EXIT_CODES[report.verdict]
    } finally {
      await tools.close()
    }
  },
}
