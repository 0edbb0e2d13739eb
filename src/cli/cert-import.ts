/** `signet cert import`: imports a seal key from PKCS#12 if a test page sealed with it is valid. */
import { readFile, stat } from 'node:fs/promises'
import { testSealKey } from '../documents/sealing/test-page.ts'
import type { SealKey } from '../pki/key.ts'
import { COMMAND_LINE } from '../ports.ts'
import { importSealCertificate } from '../settings/seal-certificate.ts'
import { certificateLines } from './cert-text.ts'
import { withDataFolder } from './data-folder.ts'
import { DATA_FLAG, firstLine, parseFlags, UsageError, type Verb } from './verb.ts'

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
