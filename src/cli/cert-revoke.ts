/** `signet cert revoke`: puts a former seal certificate on the revocation list of its root. */
import { REVOCATION_REASONS, type RevocationReason } from '../pki/issue-crl.ts'
import { COMMAND_LINE } from '../ports.ts'
import { revokeSealCertificate } from '../settings/seal-root.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, parseFlags, UsageError, type Verb } from './verb.ts'

const NAMES = Object.keys(REVOCATION_REASONS)

const isReason = (text: string): text is RevocationReason => NAMES.includes(text)

export const certRevoke: Verb = {
  name: 'cert revoke',
  usage: 'signet cert revoke SHA256 [--reason REASON] [--data DIR]',
  summary: `revokes a former seal certificate that this instance issued; reasons: ${NAMES.join(', ')}`,
  async run(args, io) {
    const parsed = parseFlags(args, { '--reason': 'value', ...DATA_FLAG })
    const [sha256 = '', ...more] = parsed.positionals.map(text => text.replaceAll(':', '').toLowerCase())
    if (!/^[0-9a-f]{64}$/.test(sha256) || more.length > 0) {
      throw new UsageError('name one SHA-256 fingerprint, as signet cert show prints it')
    }
    const reason = parsed.values['--reason'] ?? 'unspecified'
    if (!isReason(reason)) throw new UsageError(`unknown reason ${reason}; known are ${NAMES.join(', ')}`)
    return withDataFolder(parsed, io, 'cert revoke', async app => {
      await revokeSealCertificate(app, COMMAND_LINE, sha256, reason)
      io.out(`${sha256} is revoked (${reason}).`)
    })
  },
}
