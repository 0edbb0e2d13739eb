/** A time-stamp authority on loopback whose certificates follow each other, by any clock. */
import { expectTag, readDer, sequence, smallInteger, TAG } from '../../src/pki/der.ts'
import { certificatePem, readCertificate } from '../../src/pki/x509.ts'
import { type TestTsa, testTsa } from '../verify/tokens.ts'

const DAY_MS = 86_400_000

export interface RotatingTsa {
  url: string
  /** PEM. */
  root: string
  /** How many tokens were given, and by how many certificates. */
  counts(): { tokens: number; certificates: number }
  close(): Promise<void>
}

interface Rotation {
  now(): Date
  /** Validity of each certificate. */
  days: number
  /** The next certificate is used so long before the end of the one before. */
  rotatesBeforeEndMs: number
}

/** The root is valid for 15 years from now on. */
export function openRotatingTsa({ now, days, rotatesBeforeEndMs }: Rotation): RotatingTsa {
  const { issuer, list } = testTsa(now(), 'Rotating', 15 * 365)
  let tokens = 0
  const made: TestTsa[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'GET')
        return new Response(list({ at: new Date(now().getTime() - 60_000) }) as Uint8Array<ArrayBuffer>)
      const asked = readDer(new Uint8Array(await request.arrayBuffer()))
      const digest = expectTag(asked.children[1]?.children[1], TAG.octetString, 'the digest').contents
      const nonce = expectTag(asked.children[2], TAG.integer, 'the nonce').contents
      const token = authority().token({ digest, at: now(), nonce })
      tokens++
      const granted = sequence(sequence(smallInteger(0)), token)
      return new Response(granted as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/timestamp-reply' } })
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  function authority(): TestTsa {
    const last = made.at(-1)
    const isCurrent = last && now().getTime() < readCertificate(last.certificate).notAfter.getTime() - rotatesBeforeEndMs
    if (last && isCurrent) return last
    const next = testTsa(now(), 'Rotating', days, { under: issuer, crlUrl: `${url}/root.crl` })
    made.push(next)
    return next
  }
  return {
    url: `${url}/tsa`,
    root: certificatePem(issuer.certificateDer),
    counts: () => ({ tokens, certificates: made.length }),
    close: () => server.stop(true),
  }
}

export const daysInMs = (days: number): number => days * DAY_MS
