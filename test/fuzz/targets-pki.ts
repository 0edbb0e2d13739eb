/** Targets: DER, certificates, CMS, time-stamps, revocation, PKCS#12. */
import type { SendResult } from '../../src/lib/fetch-limited.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { requestTimestamp } from '../../src/pades/timestamp.ts'
import { readTimestampToken, verifyTimestampToken } from '../../src/pades/timestamp-token.ts'
import { digestOf } from '../../src/pki/algorithm.ts'
import { berToDer, readBerPrefix } from '../../src/pki/ber.ts'
import { findRevocation, listCovers, readRevocationList, revocationListError } from '../../src/pki/crl.ts'
import { type DerNode, der, readDer } from '../../src/pki/der.ts'
import { findForbiddenName, readNameConstraints } from '../../src/pki/name-constraints.ts'
import { findOcspStatus, findResponder, hasNoCheckExtension, readOcspResponse } from '../../src/pki/ocsp.ts'
import { readPkcs12 } from '../../src/pki/pkcs12.ts'
import { fetchIssuer, fetchRevocationProof, proofFromList } from '../../src/pki/revocation.ts'
import { isSignatureBy } from '../../src/pki/signature-value.ts'
import { meetsPolicies, pathFrom, verifyOrigin } from '../../src/pki/trust.ts'
import {
  type Certificate,
  certificateSummary,
  certificatesOfPem,
  issuerUrls,
  ocspUrls,
  readCertificate,
  readSignerTrustFile,
  readTrustFile,
  revocationListUrls,
} from '../../src/pki/x509.ts'
import { readSignatureTimestamps, readSignedCms, verifyCms } from '../../src/verify/cms.ts'
import { deriveIntegrity } from '../../src/verify/signature-dictionary.ts'
import { besides, CORPUS_TIME, seedsIn } from './corpus.ts'
import { FIXED_RANDOM, PASSPHRASE, SIGNED_TEXT } from './fixed.ts'
import { type Target, ViolationError } from './target.ts'

const certificatesIn = (name: string): Certificate[] => certificatesOfPem(besides(name).toString()).map(readCertificate)
const certificateIn = (name: string): Certificate => certificatesIn(name)[0]!
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const encode = (node: DerNode): Uint8Array =>
  (node.tag & 0x20) === 0 ? der(node.tag, node.contents) : der(node.tag, ...node.children.map(encode))

/** What the seeds have at this place: nobody can sign anything else. */
function genuine(seeds: readonly string[], partOf: (bytes: Uint8Array) => Uint8Array): Set<string> {
  const found = new Set<string>()
  for (const { bytes } of seedsIn(...seeds)) {
    try {
      found.add(hex(partOf(bytes)))
    } catch {
      // A file that was found by the fuzzing, and that is no seed.
    }
  }
  return found
}

const answering = (body: Uint8Array) => async (): Promise<SendResult> => ({
  outcome: 'answered',
  status: 200,
  headers: { 'content-type': 'application/octet-stream' },
  body,
  truncated: false,
  latencyMs: 1,
})

const EVERY_DER = ['certificate', 'cms', 'token', 'crl', 'ocsp', 'pkcs12', 'timestamp-response']

const DER: Target = {
  name: 'der',
  format: 'der',
  seeds: EVERY_DER,
  refusals: ['DerError'],
  costUs: 40,
  open: () => ({
    read(bytes) {
      const node = readDer(bytes)
      if (!Buffer.from(bytes).equals(encode(node))) throw new ViolationError('strict DER is not what its elements encode to')
      if (!Buffer.from(bytes).equals(berToDer(bytes))) throw new ViolationError('strict DER is changed as if it were BER')
      return 'read'
    },
  }),
}

const BER: Target = {
  name: 'ber',
  format: 'der',
  seeds: EVERY_DER,
  refusals: ['DerError'],
  costUs: 60,
  open: () => ({
    read(bytes) {
      const { node, end } = readBerPrefix(bytes)
      if (end > bytes.length) throw new ViolationError('an element ends behind the input')
      if (!Buffer.from(node.encoded).equals(encode(node))) throw new ViolationError('the DER of BER is not DER')
      return 'read'
    },
  }),
}

function useCertificate(certificate: Certificate): void {
  certificateSummary(certificate.der)
  for (const urlsOf of [ocspUrls, issuerUrls, revocationListUrls]) urlsOf(certificate)
  const constraints = readNameConstraints(certificate)
  if (constraints) findForbiddenName(certificate, constraints)
  meetsPolicies([certificate, certificate], () => false)
}

const CERTIFICATE: Target = {
  name: 'certificate',
  format: 'der',
  seeds: ['certificate'],
  refusals: ['DerError', 'UnsupportedError'],
  costUs: 300,
  open() {
    const roots = [...certificatesIn('kit-roots.pem'), ...certificatesIn('kit-time-roots.pem'), certificateIn('own-root.pem')]
    const known = genuine(['certificate'], bytes => readCertificate(bytes).tbs)
    return {
      read(bytes) {
        const certificate = readCertificate(bytes)
        const signer = roots.find(root =>
          isSignatureBy(root.publicKey, certificate.signatureAlgorithm, certificate.tbs, certificate.signature),
        )
        if (signer && !known.has(hex(certificate.tbs)))
          throw new ViolationError('a changed certificate verifies under its issuer')
        const path = pathFrom(certificate, roots)
        const question = { companions: path, trust: roots, provenAt: undefined, claimedAt: CORPUS_TIME, now: CORPUS_TIME }
        const { findings } = verifyOrigin({ signer: certificate, ...question })
        useCertificate(certificate)
        return findings.length === 0 ? 'trusted' : 'read'
      },
    }
  },
}

const LIST: Target = {
  name: 'crl',
  format: 'der',
  seeds: ['crl'],
  refusals: ['DerError', 'UnsupportedError'],
  costUs: 120,
  open() {
    const own = certificateIn('own-root.pem')
    const foreign = certificateIn('openssl-root.pem')
    const leaf = certificateIn('openssl-tsa.pem')
    const known = genuine(['crl'], bytes => readRevocationList(bytes).tbs)
    return {
      read(bytes) {
        const list = readRevocationList(bytes)
        findRevocation(list, '4a01')
        listCovers(list, leaf)
        proofFromList(bytes, leaf, foreign, CORPUS_TIME)
        const isUsable = [own, foreign].some(issuer => revocationListError(list, issuer, CORPUS_TIME) === undefined)
        if (isUsable && !known.has(hex(list.tbs))) throw new ViolationError('a changed list verifies')
        return isUsable ? 'usable' : 'read'
      },
    }
  },
}

const OCSP: Target = {
  name: 'ocsp',
  format: 'der',
  seeds: ['ocsp'],
  refusals: ['DerError', 'UnsupportedError'],
  costUs: 300,
  open() {
    const [issuer, leaf] = [certificateIn('openssl-root.pem'), certificateIn('openssl-tsa.pem')]
    const known = genuine(['ocsp'], bytes => readOcspResponse(bytes).tbs)
    return {
      read(bytes) {
        const response = readOcspResponse(bytes)
        findOcspStatus(response, leaf, issuer)
        const responder = findResponder(response, issuer)
        if (responder === undefined) return 'read'
        hasNoCheckExtension(responder)
        if (!known.has(hex(response.tbs))) throw new ViolationError('a changed response verifies')
        return 'verified'
      },
    }
  },
}

/** The answers of responders and of servers with lists and certificates. */
const REVOCATION: Target = {
  name: 'revocation-answer',
  format: 'der',
  seeds: ['ocsp', 'crl', 'certificate', 'cms'],
  refusals: [],
  costUs: 400,
  open() {
    const [issuer, leaf] = [certificateIn('openssl-root.pem'), certificateIn('openssl-tsa.pem')]
    const genuineBytes = new Set(seedsIn('ocsp', 'crl').map(({ bytes }) => hex(bytes)))
    return {
      async read(bytes) {
        const net = { allow: [], send: answering(bytes) }
        const found = await fetchRevocationProof(leaf, issuer, CORPUS_TIME, net)
        await fetchIssuer(leaf, net)
        if ('missing' in found) return 'no proof'
        return genuineBytes.has(hex(found.proof.der)) ? 'proof' : 'proof in other bytes'
      },
    }
  },
}

const CMS: Target = {
  name: 'cms',
  format: 'der',
  seeds: ['cms'],
  refusals: ['DerError', 'UnsupportedError'],
  costUs: 400,
  open() {
    // A SET: its DER encoding is signed, in which the order of the file is lost (RFC 5652, 5.4).
    const attributesOf = (bytes: Uint8Array) =>
      Buffer.concat(
        (readSignedCms(bytes).signer.signedAttributes?.children ?? []).map(({ encoded }) => encoded).sort(Buffer.compare),
      )
    const known = genuine(['cms'], attributesOf)
    return {
      read(bytes) {
        const cms = readSignedCms(bytes)
        readSignatureTimestamps(cms)
        const request = { cms, signed: [SIGNED_TEXT], subFilter: 'ETSI.CAdES.detached', isStrictCertification: true, known: [] }
        const result = verifyCms(request)
        if (deriveIntegrity(result) !== 'intact') return 'not intact'
        if (!known.has(hex(attributesOf(bytes)))) throw new ViolationError('changed signed attributes verify')
        const other = verifyCms({ ...request, signed: [SIGNED_TEXT, Buffer.from('!')] })
        if (deriveIntegrity(other) === 'intact') throw new ViolationError('a signature verifies over other bytes')
        return 'intact'
      },
    }
  },
}

const TOKEN: Target = {
  name: 'timestamp-token',
  format: 'der',
  seeds: ['token'],
  refusals: ['DerError', 'UnsupportedError'],
  costUs: 400,
  open() {
    const trust = [...certificatesIn('kit-time-roots.pem'), certificateIn('openssl-root.pem')]
    const known = genuine(['token'], bytes => readTimestampToken(bytes).cms.content ?? new Uint8Array())
    return {
      read(bytes) {
        const token = readTimestampToken(bytes, bytes.length % 2 === 0 ? 'DER' : 'BER')
        const digest = (hash: Parameters<typeof digestOf>[0]) => digestOf(hash, SIGNED_TEXT)
        const { trusted } = verifyTimestampToken({ token, digestOf: digest, trust, companions: [] })
        if (trusted && !known.has(hex(token.cms.content ?? new Uint8Array())))
          throw new ViolationError('a changed time-stamp is trusted')
        return trusted ? 'trusted' : 'read'
      },
    }
  },
}

const RESPONSE: Target = {
  name: 'timestamp-response',
  format: 'der',
  seeds: ['timestamp-response', 'token'],
  refusals: ['TimestampError'],
  costUs: 400,
  open() {
    const authority = { url: 'https://tsa.example.com', ca: besides('openssl-root.pem').toString() }
    const { at, cms } = readTimestampToken(seedsIn('token').find(({ name }) => name.includes('openssl'))!.bytes)
    return {
      async read(bytes) {
        const options = { digest: digestOf('sha256', SIGNED_TEXT), authority, allow: [], now: () => at, random: FIXED_RANDOM }
        const answer = await requestTimestamp({ ...options, send: answering(bytes) })
        if (hex(readTimestampToken(answer.token).cms.content!) !== hex(cms.content!))
          throw new ViolationError('a changed time-stamp is taken')
        return 'taken'
      },
    }
  },
}

const PKCS12: Target = {
  name: 'pkcs12',
  format: 'der',
  seeds: ['pkcs12'],
  refusals: ['SealKeyError'],
  costUs: 1_500,
  // A file may name as many rounds as a budget allows, which is counted in rounds.
  maxCpuMs: 30_000,
  open: () => ({
    async read(bytes) {
      await readPkcs12(bytes, PASSPHRASE, new Date('2026-12-01T00:00:00Z'), THIS_MACHINE.timers)
      return 'key'
    },
  }),
}

const TRUST_FILE: Target = {
  name: 'trust-file',
  format: 'bytes',
  seeds: ['trust-file', 'certificate'],
  words: ['-----BEGIN CERTIFICATE-----\n', '\n-----END CERTIFICATE-----\n', '-----BEGIN ', 'TRUSTED ', '\n'],
  refusals: [],
  costUs: 200,
  open: () => ({
    read(bytes) {
      readSignerTrustFile(bytes)
      const found = readTrustFile(bytes)
      if ('error' in found) return 'no certificate'
      for (const certificate of certificatesOfPem(found.pem)) readCertificate(certificate)
      return 'certificates'
    },
  }),
}

export const PKI_TARGETS: readonly Target[] = [
  DER,
  BER,
  CERTIFICATE,
  LIST,
  OCSP,
  REVOCATION,
  CMS,
  TOKEN,
  RESPONSE,
  PKCS12,
  TRUST_FILE,
]
