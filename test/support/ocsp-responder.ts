/** Answers OCSP requests by `openssl ocsp` from the folder of a test authority: as whoever a test wants, about as long as it wants. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface OcspAnswer {
  /** Where root.pem, index.txt and the signer's files are. */
  folder: string
  /** DER. */
  request: Uint8Array
  /** `name`.pem and `name`.key; `ocsp` where it is not set. */
  signer?: string
  /** Until nextUpdate; none is told where it is `undefined`. */
  days?: number | undefined
  /** The database of certificates; an empty one knows none. */
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
