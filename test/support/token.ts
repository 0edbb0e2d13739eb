/** RFC 3161 tokens made and verified by `openssl ts`, with an authority in a folder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../verify/tools.ts'

const CONFIG = `[tsa]
default_tsa = one
[one]
serial = serial
signer_digest = sha256
digests = sha256
default_policy = 1.3.6.1.4.1.99999.1
accuracy = secs:1
[req]
distinguished_name = name
prompt = no
[name]
CN = Time of tests
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign
[signer]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
`

function openssl(folder: string, ...args: string[]): void {
  const { code, text } = run(['env', '-C', folder, 'openssl', ...args])
  if (code !== 0) throw new Error(text)
}

export interface TokenMaker {
  /** A token over a SHA-256, hex. DER. */
  token(sha256: string): Uint8Array
  /** The output of `openssl ts -verify` for a token over these bytes. */
  verify(token: Uint8Array, bytes: Uint8Array): string
  /** DER of the signer and its root. */
  certificates: Uint8Array[]
}

export function tokenMaker(parent: string): TokenMaker {
  const folder = join(parent, 'time')
  mkdirSync(folder)
  writeFileSync(join(folder, 'ts.cnf'), CONFIG)
  writeFileSync(join(folder, 'serial'), '01\n')
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-config', 'ts.cnf']
  openssl(folder, 'req', '-x509', ...key, '-extensions', 'root', '-keyout', 'root.key', '-out', 'root.pem', '-days', '9')
  const issued = ['-CA', 'root.pem', '-CAkey', 'root.key', '-subj', '/CN=Signer']
  openssl(
    folder,
    'req',
    '-x509',
    ...key,
    ...issued,
    '-extensions',
    'signer',
    '-keyout',
    'tsa.key',
    '-out',
    'tsa.pem',
    '-days',
    '9',
  )
  for (const name of ['root', 'tsa']) openssl(folder, 'x509', '-in', `${name}.pem`, '-outform', 'DER', '-out', `${name}.der`)
  const read = (name: string) => new Uint8Array(readFileSync(join(folder, name)))
  return {
    token(sha256) {
      openssl(folder, 'ts', '-query', '-digest', sha256, '-sha256', '-cert', '-out', 'q.tsq')
      const signer = ['-config', 'ts.cnf', '-section', 'one', '-signer', 'tsa.pem', '-inkey', 'tsa.key', '-chain', 'root.pem']
      openssl(folder, 'ts', '-reply', '-queryfile', 'q.tsq', ...signer, '-token_out', '-out', 'token.der')
      return read('token.der')
    },
    verify(token, bytes) {
      writeFileSync(join(folder, 'token-input.der'), token)
      writeFileSync(join(folder, 'token-input.bin'), bytes)
      const args = ['-data', 'token-input.bin', '-in', 'token-input.der', '-token_in', '-CAfile', 'root.pem']
      return run(['env', '-C', folder, 'openssl', 'ts', '-verify', ...args]).text
    },
    certificates: [read('tsa.der'), read('root.der')],
  }
}
