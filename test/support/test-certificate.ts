/** Makes a self-signed server certificate with openssl. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestCertificate {
  key: string
  cert: string
}

/** `names`: subject alternative names for openssl: `DNS:example.test`, `IP:127.0.0.1`. */
export function testCertificate(...names: string[]): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'signet-cert-'))
  try {
    const [keyPath, certPath] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = Bun.spawnSync(
      [
        'openssl',
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=test',
      ].concat(['-addext', `subjectAltName=${names.join(',')}`, '-keyout', keyPath, '-out', certPath]),
    )
    if (made.exitCode !== 0) throw new Error(made.stderr.toString())
    return { key: readFileSync(keyPath, 'utf8'), cert: readFileSync(certPath, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
