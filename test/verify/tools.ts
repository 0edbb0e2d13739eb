/** Runs other verifiers of seals: openssl, pdfsig. Tests skip themselves without them. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const has = (command: string): boolean => Bun.which(command) !== null
export const hasOpenssl = has('openssl')
export const hasPdfsig = has('pdfsig') && has('certutil')
export const hasQpdf = has('qpdf')

/** Standard output and error together, and the exit code. */
export function run(command: string[], input?: Uint8Array): { code: number; text: string; bytes: Uint8Array } {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    stdin: input ?? new Uint8Array(),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return { code: exitCode, text: `${stdout.toString()}${stderr.toString()}`, bytes: new Uint8Array(stdout) }
}

/** `openssl cms -verify` over the two ranges of a sealed file. */
export function opensslVerifies(folder: string, cms: Uint8Array, signed: Uint8Array, rootPem: string): string {
  writeFileSync(join(folder, 'cms.der'), cms)
  writeFileSync(join(folder, 'signed.bin'), signed)
  writeFileSync(join(folder, 'root.pem'), rootPem)
  const files = ['-in', join(folder, 'cms.der'), '-content', join(folder, 'signed.bin'), '-CAfile', join(folder, 'root.pem')]
  return run(['openssl', 'cms', '-verify', '-binary', '-inform', 'DER', ...files, '-purpose', 'any', '-out', '/dev/null']).text
}

/** pdfsig with its own certificate store, in which the root is trusted for e-mail. */
export function pdfsig(folder: string, path: string, rootPem: string): string {
  const store = mkdtempSync(join(folder, 'nss-'))
  writeFileSync(join(folder, 'root.pem'), rootPem)
  run(['certutil', '-N', '-d', `sql:${store}`, '--empty-password'])
  run(['certutil', '-A', '-d', `sql:${store}`, '-n', 'root', '-t', 'C,C,C', '-i', join(folder, 'root.pem')])
  return run(['pdfsig', '-nssdir', `sql:${store}`, path]).text
}
