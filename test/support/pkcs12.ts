/** A PKCS#12 file by openssl: an EC key with its certificate and its authority. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

function openssl(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args])
  if (exitCode !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`)
}

/** Valid for a year from now on. */
export function pkcs12File(passphrase: string, name = 'Imported'): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'signet-p12-'))
  const at = (file: string) => join(folder, file)
  const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-nodes', '-days', '365']
  const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'keyUsage=critical,digitalSignature']
  const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key')]
  try {
    openssl('req', ...made, '-subj', '/CN=Authority', '-keyout', at('ca.key'), '-out', at('ca.pem'))
    openssl('req', ...made, ...issuer, ...leaf, '-subj', `/CN=${name}`, '-keyout', at('k.key'), '-out', at('k.pem'))
    const from = ['-inkey', at('k.key'), '-in', at('k.pem'), '-certfile', at('ca.pem')]
    openssl('pkcs12', '-export', '-legacy', ...from, '-passout', `pass:${passphrase}`, '-out', at('k.p12'))
    return new Uint8Array(readFileSync(at('k.p12')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
