/** Answers what the verify page asks, from bytes alone. Runs in the worker of the page. */
import type { Answer, Order, Trusted } from '../../views/verify/browser/order.ts'
import { verifyPack } from '../evidence/pack/verify-pack.ts'
import { verifyReceipt } from '../evidence/verify-receipt.ts'
import { fromBase64, toHex } from '../lib/bytes.ts'
import { hashOf } from '../lib/primitives.ts'
import { OID } from '../pki/oid.ts'
import {
  type Certificate,
  certificatePem,
  certificatesOfPem,
  commonName,
  readCertificate,
  readSignerTrustFile,
  readTrustFile,
} from '../pki/x509.ts'
import { verifyBytes } from '../verify/verify.ts'

/** Never throws: what it cannot do is an answer too. */
export function answerOrder(order: Order): Answer {
  try {
    if (order.kind === 'certificates') return readCertificates(order.bytes)
    const { bytes } = order
    const { trust, timestampTrust, revocationLists, now } = trustIn(order)
    if (order.kind === 'pdf') return { kind: 'pdf', report: verifyBytes(bytes, trust, timestampTrust, { now, revocationLists }) }
    const sha256 = toHex(hashOf('sha256', bytes))
    if (order.kind === 'pack') return { kind: 'pack', report: verifyPack(bytes, { trust, timestampTrust, now }), sha256 }
    const { pack, sealed } = order
    return { kind: 'receipt', report: verifyReceipt(bytes, { trust, timestampTrust, now, pack, sealed }), sha256 }
  } catch (error) {
    // An array that cannot be had is a RangeError in every browser.
    if (error instanceof RangeError) return { kind: 'problem', problem: 'memory', detail: error.message }
    return { kind: 'problem', problem: 'stopped', detail: String(error) }
  }
}

function trustIn({ trust, timestampTrust, revocationLists, now }: Trusted & { now: string }) {
  const read = (list: readonly string[]): Certificate[] => list.flatMap(certificatesOfPem).map(readCertificate)
  return {
    trust: read(trust),
    timestampTrust: read(timestampTrust),
    revocationLists: revocationLists.flatMap(list => fromBase64(list) ?? []),
    now: new Date(now),
  }
}

function readCertificates(bytes: Uint8Array): Answer {
  const [signers, all] = [readSignerTrustFile(bytes), readTrustFile(bytes)]
  if ('error' in signers) return { kind: 'problem', problem: 'wrongCertificate', detail: signers.error }
  if ('error' in all) return { kind: 'problem', problem: 'wrongCertificate', detail: all.error }
  const found = certificatesOfPem(all.pem).map(readCertificate)
  const isForTimestamps = found.some(({ extendedKeyUsage }) => extendedKeyUsage?.includes(OID.timeStamping) === true)
  const names = found.filter(one => isTrusted(one, signers.pem)).map(({ subject }) => commonName(subject))
  return { kind: 'certificates', signers: signers.pem, all: all.pem, names: [...new Set(names)], isForTimestamps }
}

const isTrusted = ({ der }: Certificate, pem: string): boolean => pem.includes(certificatePem(der))
