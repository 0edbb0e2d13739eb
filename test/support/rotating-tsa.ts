/** A time-stamp authority whose certificates follow each other, by any clock. */
import { expectTag, readDer, sequence, smallInteger, TAG } from '../../src/pki/der.ts'
import { certificatePem, readCertificate } from '../../src/pki/x509.ts'
import { type TestTsa, type TsaKeys, testTsa } from '../verify/tokens.ts'

const DAY_MS = 86_400_000

interface Rotation {
  now(): Date
  /** Validity of each certificate. */
  days: number
  /** The next certificate is used so long before the end of the one before. */
  rotatesBeforeEndMs: number
}

/** What the authority answers, on whatever network. */
export interface RotatingAuthority {
  /** PEM. */
  root: string
  /** A TimeStampResp (RFC 3161 §2.4.2) for a TimeStampReq. */
  answer(request: Uint8Array): Uint8Array
  list(): Uint8Array
  /** How many tokens were given, and by how many certificates. */
  counts(): { tokens: number; certificates: number }
}

/** The root is valid for 15 years from now on. `crlUrl`: where its list is. */
export function rotatingAuthority(
  { now, days, rotatesBeforeEndMs }: Rotation,
  crlUrl: () => string,
  keys?: TsaKeys,
): RotatingAuthority {
  const { issuer, list } = testTsa(now(), 'Rotating', 15 * 365, { keys })
  let tokens = 0
  const made: TestTsa[] = []
  function authority(): TestTsa {
    const last = made.at(-1)
    const isCurrent = last && now().getTime() < readCertificate(last.certificate).notAfter.getTime() - rotatesBeforeEndMs
    if (last && isCurrent) return last
    const next = testTsa(now(), 'Rotating', days, { under: issuer, crlUrl: crlUrl(), keys })
    made.push(next)
    return next
  }
  return {
    root: certificatePem(issuer.certificateDer),
    answer(request) {
      const asked = readDer(request)
      const digest = expectTag(asked.children[1]?.children[1], TAG.octetString, 'the digest').contents
      const nonce = expectTag(asked.children[2], TAG.integer, 'the nonce').contents
      const token = authority().token({ digest, at: now(), nonce })
      tokens++
      return sequence(sequence(smallInteger(0)), token)
    },
    list: () => list({ at: new Date(now().getTime() - 60_000) }),
    counts: () => ({ tokens, certificates: made.length }),
  }
}

export interface RotatingTsa extends Pick<RotatingAuthority, 'root' | 'counts'> {
  url: string
  close(): Promise<void>
}

/** On loopback. */
export function openRotatingTsa(rotation: Rotation): RotatingTsa {
  const authority = rotatingAuthority(rotation, () => `${url}/root.crl`)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      if (request.method === 'GET') return new Response(authority.list() as Uint8Array<ArrayBuffer>)
      const granted = authority.answer(new Uint8Array(await request.arrayBuffer()))
      return new Response(granted as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/timestamp-reply' } })
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  return { url: `${url}/tsa`, root: authority.root, counts: authority.counts, close: () => server.stop(true) }
}

export const daysInMs = (days: number): number => days * DAY_MS
