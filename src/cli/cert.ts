/** The verbs of `signet cert`: `show`, `import`, `revoke` and `renew`. */
import { readFile, stat } from 'node:fs/promises'
import { testSealKey } from '../documents/sealing/test-page.ts'
import { isSha256Hex } from '../lib/sha256.ts'
import { REVOCATION_REASONS, type RevocationReason } from '../pki/issue.ts'
import { keyTypeText, type SealKey } from '../pki/key.ts'
import { COMMAND_LINE } from '../ports.ts'
import {
  allSealCertificates,
  describeSealCertificates,
  importSealCertificate,
  renewSealCertificate,
  type SealCertificate,
} from '../settings/seal-certificate.ts'
import { revokeSealCertificate } from '../settings/seal-root.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, firstLine, noPositionals, parseFlags, UsageError, type Verb } from './verb.ts'

// `signet cert import`: imports a seal key from PKCS#12 if a test page sealed with it is valid.

/** The file cannot be read. The message is a sentence. */
class CertificateFileError extends Error {}

const MAX_BYTES = 1_000_000

async function fileAt(path: string): Promise<Uint8Array> {
  try {
    if ((await stat(path)).size > MAX_BYTES)
      throw new CertificateFileError(`${path} is larger than 1 MB: it is not a PKCS#12 file with one key.`)
    return await readFile(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new CertificateFileError(`${path} cannot be read (${error.code}): name a PKCS#12 file that exists and is readable.`)
  }
}

export const certImport: Verb = {
  name: 'cert import',
  usage: 'signet cert import FILE.p12 --passphrase-stdin [--data DIR]',
  summary: 'imports the seal key of a PKCS#12 file, after a test; the pass-phrase is read from standard input',
  async run(args, io) {
    const parsed = parseFlags(args, { '--passphrase-stdin': 'switch', ...DATA_FLAG })
    const [path, ...more] = parsed.positionals
    if (path === undefined || more.length > 0) throw new UsageError('name one PKCS#12 file')
    if (!parsed.switches.has('--passphrase-stdin')) {
      throw new UsageError('--passphrase-stdin is needed: the pass-phrase is read from standard input, one line, empty for none')
    }
    const file = await fileAt(path)
    const passphrase = firstLine(await io.stdin())
    return withDataFolder(parsed, io, 'cert import', async app => {
      const test = (key: SealKey) => testSealKey(app, key)
      io.out(certificateLines(await importSealCertificate(app, COMMAND_LINE, file, passphrase, test)))
    })
  },
}

// `signet cert revoke`: puts a former seal certificate on the revocation list of its root.

const NAMES = Object.keys(REVOCATION_REASONS)

const isReason = (text: string): text is RevocationReason => NAMES.includes(text)

export const certRevoke: Verb = {
  name: 'cert revoke',
  usage: 'signet cert revoke SHA256 [--reason REASON] [--data DIR]',
  summary: `revokes a former seal certificate that this instance issued; reasons: ${NAMES.join(', ')}`,
  async run(args, io) {
    const parsed = parseFlags(args, { '--reason': 'value', ...DATA_FLAG })
    const [sha256 = '', ...more] = parsed.positionals.map(text => text.replaceAll(':', '').toLowerCase())
    if (!isSha256Hex(sha256) || more.length > 0) {
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

// `signet cert renew`: issues a seal certificate with a new key. The next seal is made with it.

export const certRenew: Verb = {
  name: 'cert renew',
  usage: 'signet cert renew [--replace-imported] [--data DIR]',
  summary: 'issues a new seal certificate; --replace-imported: also replaces an imported one',
  async run(args, io) {
    const parsed = parseFlags(args, { '--replace-imported': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    const how = parsed.switches.has('--replace-imported') ? 'replace imported' : undefined
    return withDataFolder(parsed, io, 'cert renew', async app => {
      io.out(certificateLines(await renewSealCertificate(app, COMMAND_LINE, how)))
    })
  },
}

// A seal certificate as the verbs of `signet cert` print it, as text and as JSON.

/** Scripts read these member names, so they do not follow changes of the type. */
const certificateJson = ({ isActive, chain, ...rest }: SealCertificate) => ({ ...rest, active: isActive, chainPem: chain })

const day = (at: Date): string => at.toISOString().slice(0, 10)

function stateOf({ isActive, revokedAt }: SealCertificate): string {
  if (isActive) return 'active'
  return revokedAt ? `revoked on ${day(revokedAt)}` : 'former, kept for the documents it sealed'
}

export function certificateLines(certificate: SealCertificate): string {
  const { subject, issuer, serial, notBefore, notAfter, algorithm, sha256, source } = certificate
  const lines: [string, string][] = [
    ['Subject', subject],
    ['Issuer', issuer],
    ['Serial', serial],
    ['Valid', `${day(notBefore)} to ${day(notAfter)}`],
    ['Algorithm', keyTypeText(algorithm)],
    ['SHA-256', sha256],
    ['Source', source],
    ['State', stateOf(certificate)],
  ]
  return lines.map(([label, value]) => `${label.padEnd(11)}${value}`).join('\n')
}

// `signet cert show`: prints the active seal certificate and the former ones.

export const certShow: Verb = {
  name: 'cert show',
  usage: 'signet cert show [--pem | --chain | --json] [--data DIR]',
  summary:
    'prints the active and all former seal certificates; --pem: as a file for --trust; --chain: the authorities above them',
  async run(args, io) {
    const parsed = parseFlags(args, { '--pem': 'switch', '--chain': 'switch', '--json': 'switch', ...DATA_FLAG })
    noPositionals(parsed)
    return withDataFolder(parsed, io, 'cert show', async app => {
      const { switches } = parsed
      const part = switches.has('--pem') ? 'certificates' : switches.has('--chain') ? 'issuers' : undefined
      const certificates = await describeSealCertificates(app.db)
      if (switches.has('--json')) io.out(JSON.stringify(certificates.map(certificateJson)))
      else if (part !== undefined) io.out((await allSealCertificates(app.db))[part].trimEnd())
      else io.out(certificates.map(certificateLines).join('\n\n'))
    })
  },
}
