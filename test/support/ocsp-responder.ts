/** Answers OCSP requests with `openssl ocsp`, by any signer and with any validity. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface OcspAnswer {
  /** The folder of root.pem, index.txt and the signer's files. */
  folder: string
  /** DER. */
  request: Uint8Array
  /** Signs with `signer`.pem and `signer`.key. Default: `ocsp`. */
  signer?: string
  /** Until nextUpdate; without it, the response has none. */
  days?: number | undefined
  /** The database of certificates; those that are not in it are unknown. */
  index?: string
}

let asked = 0

/** OCSPResponse, DER. */
export function ocspAnswer({ folder, request, signer = 'ocsp', days, index = 'index.txt' }: OcspAnswer): Uint8Array<ArrayBuffer> {
  const [query, reply] = [`oq${++asked}`, `or${asked}`]
  writeFileSync(join(folder, query), request)
  const who = ['-CA', 'root.pem', '-rsigner', `${signer}.pem`, '-rkey', `${signer}.key`]
  const until = days === undefined ? [] : ['-ndays', String(days)]
  const args = ['ocsp', '-index', index, ...who, ...until, '-reqin', query, '-respout', reply]
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: folder, timeout: 30_000 })
  if (exitCode !== 0) throw new Error(`openssl ocsp: ${stderr}`)
  return new Uint8Array(readFileSync(join(folder, reply)))
}
