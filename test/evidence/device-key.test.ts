/**
 * What a signer's device signs: the algorithms with the vectors of the specification, keys of each
 * kind, and everything that somebody could put in place of a right proof.
 */
import { describe, expect, test } from 'bun:test'
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { canonicalJson } from '../../src/core/document/audit-chain.ts'
import type { Json } from '../../src/core/document/event.ts'
import { type DeviceKeyProof, deviceKeyStatement, type StatementFacts } from '../../src/core/signing/device-key.ts'
import { deviceKeyProofIn, type SignedEntry, verifyDeviceKey } from '../../src/evidence/device-key.ts'
import { englishOfRemark } from '../../src/locales/remarks.ts'
import { readPublicKey } from '../../src/pki/public-key.ts'
import { verifySignature } from '../../src/pki/signature-value.ts'

const base64Url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

const ORIGIN = 'https://sign.example.com'
const PREVIOUS = 'd'.repeat(64)
const FACTS: StatementFacts = {
  instance: 'ins_1',
  origin: ORIGIN,
  documentId: 'doc_1',
  previousHash: PREVIOUS,
  at: '2026-11-28T12:00:00.000Z',
  userVerification: 'required',
}
const ENTRY: SignedEntry = {
  instance: 'ins_1',
  documentId: 'doc_1',
  at: '2026-11-28T12:01:00.000Z',
  earlier: new Set([PREVIOUS]),
  recipientId: 'rcp_1',
  data: { originalSha256: 'a'.repeat(64), consentVersion: '1', consentSha256: 'c'.repeat(64) },
  personal: { fieldValues: { fld_1: '100' }, signature: { kind: 'typed', text: 'Ada' } },
}

interface Device {
  privateKey: KeyObject
  /** SubjectPublicKeyInfo. */
  publicKey: Buffer
}

const deviceOf = ({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }): Device => ({
  privateKey,
  publicKey: publicKey.export({ format: 'der', type: 'spki' }),
})
const ES256 = () => deviceOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const ED25519 = () => deviceOf(generateKeyPairSync('ed25519'))
const RS256 = (modulusLength = 2048) => deviceOf(generateKeyPairSync('rsa', { modulusLength }))

interface Ceremony {
  entry?: Partial<SignedEntry>
  facts?: Partial<StatementFacts>
  /** Over the members of clientDataJSON. */
  client?: Record<string, unknown>
  clientText?: (text: string) => string
  host?: string
  flags?: number
  data?: (data: Buffer) => Buffer
}

/** As a browser and an authenticator do it. */
function proofBy({ privateKey, publicKey }: Device, ceremony: Ceremony = {}): DeviceKeyProof {
  const { client = {}, clientText = text => text, host = 'sign.example.com', flags = 0x05, data = bytes => bytes } = ceremony
  const facts = { ...FACTS, ...ceremony.facts }
  const statement = deviceKeyStatement({ ...ENTRY, ...ceremony.entry }, facts)
  const challenge = base64Url(sha256(canonicalJson(statement)))
  const authenticatorData = data(Buffer.concat([sha256(host), Buffer.of(flags, 0, 0, 0, 7)]))
  const members = { type: 'webauthn.get', challenge, origin: facts.origin, crossOrigin: false, ...client }
  const clientDataJson = clientText(JSON.stringify(members))
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const signature = sign(algorithm, Buffer.concat([authenticatorData, sha256(clientDataJson)]), privateKey)
  return {
    facts,
    credentialId: 'Y3JlZA',
    publicKey: base64Url(publicKey),
    authenticatorData: base64Url(authenticatorData),
    clientDataJson: base64Url(clientDataJson),
    signature: base64Url(signature),
  }
}

function codeOf(proof: DeviceKeyProof, entry: Partial<SignedEntry> = {}): string {
  const found = verifyDeviceKey({ ...ENTRY, ...entry }, proof)
  if (!('problem' in found)) return 'right'
  expect(englishOfRemark(found.problem)).toMatch(/\.$/)
  return found.problem.code
}

const device = ES256()

describe('the signature of a device', () => {
  test.each([
    ['ES256', ES256()],
    ['Ed25519', ED25519()],
    ['RS256', RS256()],
  ] as const)('is verified with %s, and a changed byte anywhere is found', (_, by) => {
    const proof = proofBy(by)
    expect(verifyDeviceKey(ENTRY, proof)).toMatchObject({ origin: ORIGIN, isUserVerified: true, isCrossOrigin: false })
    for (const name of ['publicKey', 'authenticatorData', 'clientDataJson', 'signature'] as const) {
      const bytes = Buffer.from(proof[name], 'base64url')
      for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 40))) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
        const code = codeOf({ ...proof, [name]: base64Url(changed) })
        expect([name, at, code === 'right']).toEqual([name, at, false])
      }
    }
  })

  test('need not verify the person where that is only preferred', () => {
    const facts = { userVerification: 'preferred' } as const
    expect(verifyDeviceKey(ENTRY, proofBy(device, { facts, flags: 0x01 }))).toMatchObject({ isUserVerified: false })
  })
})

/** W3C Web Authentication Level 3 §16; https://example.org. The challenges are of no statement. */
const VECTORS: [
  section: string,
  algorithm: 'es256' | 'ed25519',
  key: string[],
  data: string,
  client: string,
  signature: string,
][] = [
  [
    '16.2, not verified, backed up',
    'es256',
    [
      'afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61',
      '930a56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220',
    ],
    'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000',
    '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a5558543049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
    '3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1dd5d78c6e486013f937295ea13653e331e87',
  ],
  [
    '16.4, in a frame',
    'es256',
    [
      '22200a473f90b11078851550d03b4e44a2279f8c4eca27b3153dedfe03e4e97d',
      'cbd0be95e746ad6f5a8191be11756e4c0420e72f65b466d39bc56b8b123a9c6e',
    ],
    'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50500000000',
    '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a226832716c463771445f65356c5f505f62796b7945377135645650674547685f49584a6b655737736e4d5463222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a747275652c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a2039327063545644304162792d713464746d6a36656667227d',
    '3046022100eb12fcf23b12764c0f122e22371fab92e283879fd798f38ee1841c951b6e40e7022100c76237ff9db77b3c56f30837cda6a09acfa2e915544e609c0733b1184036d1cf',
  ],
  [
    '16.5, in a frame of https://example.com',
    'es256',
    [
      'a1c47c1d82da4ebe82cd72207102b380670701993bc35398ae2e5726427fe01d',
      '86c1080d82987028c7f54ecb1b01185de243b359294a0ed210cd47480f0adc88',
    ],
    'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50500000000',
    '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a22315570636a4b53324b6f34377379486a7372787a68572d466f51465132796b3572426c584f6573656f4759222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a747275652c22746f704f726967696e223a2268747470733a2f2f6578616d706c652e636f6d222c22657874726144617461223a22636c69656e74446174614a534f4e206d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375636820617320746869733a205569466f4a4d56525148444146574669347678557051227d',
    '3045022100b5a70c81780d5fcc9a4f2ae9caae99058f8accaf58b91fb59329646c28ac6ffc022012e101c165db3c8e9957f0c54dd6ca9b56bc3bd2f280bd2faa6c1d02c6e5c171',
  ],
  [
    '16.11, not verified',
    'ed25519',
    ['44e06ddd331c36a8dc667bab52bcae63486c916aa5e339e6acebaa84934bf832'],
    'bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b50100000000',
    '7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a2269566c583442786a4f6d6d44534b4c596f7870557439736e364d48454f7943413135726947514a6e763949222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267222c2263726f73734f726967696e223a66616c73657d',
    'f5c59c7e46c34f6f8cc197101ddf9934fa2595f68eb1913a637e8419eb9ba4cfdfc48f85393bc0d40b011f0d6fecb097d6607525713223a0dc0d453993dae00b',
  ],
]

/** SubjectPublicKeyInfo of a JWK. */
function spkiOf(x: Buffer, y: Buffer): Uint8Array {
  const coordinates = y.length > 0 ? { kty: 'EC', crv: 'P-256', y: base64Url(y) } : { kty: 'OKP', crv: 'Ed25519' }
  const key = createPublicKey({ key: { ...coordinates, x: base64Url(x) }, format: 'jwk' })
  return new Uint8Array(key.export({ format: 'der', type: 'spki' }))
}

describe('the vectors of the specification', () => {
  test.each(VECTORS)('%s', (_section, algorithm, [x = '', y = ''], data, client, signature) => {
    const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))
    const key = readPublicKey(spkiOf(Buffer.from(x, 'hex'), Buffer.from(y, 'hex')))
    const scheme =
      algorithm === 'es256' ? ({ kind: 'ecdsa', hash: 'sha256', encoding: 'der' } as const) : ({ kind: 'ed25519' } as const)
    const signed = [bytesOf(data), new Uint8Array(sha256(bytesOf(client)))]
    expect(verifySignature(scheme, key, signed, bytesOf(signature))).toBe(true)
    expect(verifySignature(scheme, key, signed, bytesOf(`${signature.slice(0, -2)}00`))).toBe(false)
    // All is right but the statement, which nobody made for a vector.
    const proof = {
      facts: { ...FACTS, origin: 'https://example.org', userVerification: 'preferred' as const },
      credentialId: 'Y3JlZA',
      publicKey: base64Url(spkiOf(Buffer.from(x, 'hex'), Buffer.from(y, 'hex'))),
      authenticatorData: base64Url(bytesOf(data)),
      clientDataJson: base64Url(bytesOf(client)),
      signature: base64Url(bytesOf(signature)),
    }
    expect(codeOf(proof)).toBe('device_key_of_other_statement')
  })
})

const swapped = ES256()
const values = (fieldValues: Json) => ({ personal: { ...ENTRY.personal, fieldValues } })

const ATTACKS: [what: string, proof: () => DeviceKeyProof, entry: Partial<SignedEntry>, code: string][] = [
  ['a proof of another document', () => proofBy(device, { facts: { documentId: 'doc_2' } }), {}, 'device_key_of_other_document'],
  ['a proof of another instance', () => proofBy(device, { facts: { instance: 'ins_2' } }), {}, 'device_key_of_other_document'],
  [
    'a proof of another document under the facts of this one',
    () => ({ ...proofBy(device, { facts: { documentId: 'doc_2' } }), facts: FACTS }),
    {},
    'device_key_of_other_statement',
  ],
  ['a proof for another log', () => proofBy(device), { earlier: new Set(['e'.repeat(64)]) }, 'device_key_of_other_log'],
  ['a proof of another day, replayed', () => proofBy(device), { at: '2026-11-29T12:00:00.000Z' }, 'device_key_of_other_time'],
  ['a proof made after the signature', () => proofBy(device), { at: '2026-11-28T11:59:59.000Z' }, 'device_key_of_other_time'],
  ['a time that is none', () => proofBy(device, { facts: { at: 'soon' } }), {}, 'device_key_of_other_time'],
  ['other values', () => proofBy(device), values({ fld_1: '900' }), 'device_key_of_other_statement'],
  ['another person', () => proofBy(device), { recipientId: 'rcp_2' }, 'device_key_of_other_statement'],
  [
    'another file',
    () => proofBy(device),
    { data: { ...ENTRY.data, originalSha256: 'b'.repeat(64) } },
    'device_key_of_other_statement',
  ],
  ['another consent', () => proofBy(device), { data: { ...ENTRY.data, consentVersion: '2' } }, 'device_key_of_other_statement'],
  ['another mark', () => proofBy(device), { personal: { ...ENTRY.personal, signature: null } }, 'device_key_of_other_statement'],
  [
    'a page of somebody else',
    () => proofBy(device, { client: { origin: 'https://sign.example.org' } }),
    {},
    'device_key_of_other_origin',
  ],
  [
    'the same host without encryption',
    () => proofBy(device, { client: { origin: 'http://sign.example.com' } }),
    {},
    'device_key_of_other_origin',
  ],
  ['another port', () => proofBy(device, { client: { origin: `${ORIGIN}:8443` } }), {}, 'device_key_of_other_origin'],
  ['no origin', () => proofBy(device, { client: { origin: undefined } }), {}, 'device_key_of_other_origin'],
  [
    'a creation in place of a signature',
    () => proofBy(device, { client: { type: 'webauthn.create' } }),
    {},
    'device_key_of_other_use',
  ],
  ['a payment', () => proofBy(device, { client: { type: 'payment.get' } }), {}, 'device_key_of_other_use'],
  ['a key of another service', () => proofBy(device, { host: 'example.com' }), {}, 'device_key_of_other_site'],
  ['nobody verified where it is required', () => proofBy(device, { flags: 0x01 }), {}, 'device_key_without_verification'],
  ['nobody asked', () => proofBy(device, { flags: 0x04 }), {}, 'device_key_without_presence'],
  ['a backup that cannot be', () => proofBy(device, { flags: 0x15 }), {}, 'device_key_unreadable'],
  [
    'another key with the signature of the first',
    () => ({ ...proofBy(device), publicKey: base64Url(swapped.publicKey) }),
    {},
    'device_key_signature_wrong',
  ],
  ['a key of 1024 bits', () => proofBy(RS256(1024)), {}, 'device_key_unsupported'],
  [
    'a key of another curve',
    () => proofBy(deviceOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }))),
    {},
    'device_key_unsupported',
  ],
  ['data that are cut off', () => proofBy(device, { data: data => data.subarray(0, 36) }), {}, 'device_key_unreadable'],
  [
    'data with more behind them',
    () => proofBy(device, { data: data => Buffer.concat([data, Buffer.of(0)]) }),
    {},
    'device_key_unreadable',
  ],
  ['flags for data that are not there', () => proofBy(device, { flags: 0x45 }), {}, 'device_key_unreadable'],
  ['a list in place of client data', () => proofBy(device, { clientText: text => `[${text}]` }), {}, 'device_key_unreadable'],
  ['client data that are no UTF-8', () => ({ ...proofBy(device), clientDataJson: 'wyg' }), {}, 'device_key_unreadable'],
  ['client data of a megabyte', () => proofBy(device, { client: { more: 'x'.repeat(1_000_000) } }), {}, 'device_key_unreadable'],
  [
    'half a character',
    () => ({ ...proofBy(device), facts: { ...FACTS, more: '\ud800' } as StatementFacts }),
    {},
    'device_key_unreadable',
  ],
  ['no Base64url', () => ({ ...proofBy(device), signature: '*' }), {}, 'device_key_unreadable'],
]

test.each(ATTACKS)('refused: %s', (_, proof, entry, code) => {
  expect(codeOf(proof(), entry)).toBe(code)
})

test('what is no proof at all is none, or is called damaged', () => {
  expect(deviceKeyProofIn({})).toBeUndefined()
  const { facts: _, ...rest } = proofBy(device)
  for (const damaged of [1, 'x', [], {}, rest, { ...rest, facts: { ...FACTS, at: 1 } }])
    expect(deviceKeyProofIn({ deviceKey: damaged as Json })).toMatchObject({ problem: { code: 'device_key_unreadable' } })
})
