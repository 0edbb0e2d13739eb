/**
 * Verifies the signature of a signer's own device key in the entry of an audit log. Web
 * Authentication Level 3 §7.2. Pure; it knows no instance and no clock.
 */
import { canonicalJson } from '../core/document/audit-chain.ts'
import type { DomainEvent, Json } from '../core/document/event.ts'
import { isJsonObject } from '../core/document/logged-facts.ts'
import {
  ASSERTION_MEMBERS,
  type DeviceKeyProof,
  type DeviceKeyStatement,
  deviceKeyStatement,
  MAX_STATEMENT_AGE_MS,
  type StatementFacts,
} from '../core/signing/device-key.ts'
import { equalBytes, fromBase64Url, fromUtf8, toBase64Url, toHex } from '../lib/bytes.ts'
import { hashOf } from '../lib/primitives.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import type { SignatureScheme } from '../pki/algorithm.ts'
import { DerError } from '../pki/der.ts'
import { keyError, type PublicKey, readPublicKey } from '../pki/public-key.ts'
import { verifySignature } from '../pki/signature-value.ts'

export interface VerifiedDeviceKey {
  /** SHA-256 of the SubjectPublicKeyInfo, hex. */
  sha256: string
  origin: string
  /** The device knew who used it, by a finger, a face or a PIN. */
  isUserVerified: boolean
  /** The pages were in a frame of another site. */
  isCrossOrigin: boolean
}

export type DeviceKeyResult = VerifiedDeviceKey | { problem: Remark }

/** An entry `recipient.signed`, and what the log has before it. */
export interface SignedEntry extends Pick<DomainEvent, 'recipientId' | 'data' | 'personal'> {
  instance: string
  documentId: string
  /** RFC 3339. */
  at: string
  /** Hashes of the earlier entries of the document, hex. */
  earlier: ReadonlySet<string>
}

/** In the personal data of an entry: undefined if there is none, a problem if it is damaged. */
export function deviceKeyProofIn(personal: Readonly<Record<string, Json>>): DeviceKeyProof | { problem: Remark } | undefined {
  const { deviceKey } = personal
  if (deviceKey === undefined || deviceKey === null) return undefined
  return isProof(deviceKey) ? (deviceKey as unknown as DeviceKeyProof) : UNREADABLE
}

const UNREADABLE = { problem: remark('device_key_unreadable') }
const FACTS = ['instance', 'origin', 'documentId', 'previousHash', 'at', 'userVerification'] as const

function isProof(value: Json): boolean {
  if (!isJsonObject(value) || !isJsonObject(value.facts)) return false
  const { facts } = value
  return ASSERTION_MEMBERS.every(name => typeof value[name] === 'string') && FACTS.every(name => typeof facts[name] === 'string')
}

/** All that makes the proof one of this entry. */
export function verifyDeviceKey(entry: SignedEntry, proof: DeviceKeyProof): DeviceKeyResult {
  const problem = statementProblem(entry, proof.facts)
  return problem === undefined ? verifyAssertion(proof, deviceKeyStatement(entry, proof.facts)) : { problem }
}

function statementProblem({ instance, documentId, at, earlier }: SignedEntry, facts: StatementFacts): Remark | undefined {
  if (facts.instance !== instance || facts.documentId !== documentId) return remark('device_key_of_other_document')
  if (!earlier.has(facts.previousHash)) return remark('device_key_of_other_log')
  const ageMs = Date.parse(at) - Date.parse(facts.at)
  return ageMs >= 0 && ageMs <= MAX_STATEMENT_AGE_MS ? undefined : remark('device_key_of_other_time')
}

// The assertion. §7.2, steps 10 to 24; the numbers of the sections are those of Level 3.

/** Flags of the authenticator data, §6.1. */
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
/** Attested data or extensions follow. */
const HAS_MORE = 0xc0
/** RP ID hash, flags and counter. */
const MIN_AUTHENTICATOR_DATA = 37
const MAX_CLIENT_DATA = 10_000

interface ClientData {
  type: unknown
  challenge: unknown
  origin: unknown
  crossOrigin?: unknown
}

function verifyAssertion(proof: DeviceKeyProof, statement: DeviceKeyStatement): DeviceKeyResult {
  const publicKey = fromBase64Url(proof.publicKey)
  const authenticatorData = fromBase64Url(proof.authenticatorData)
  const clientDataJson = fromBase64Url(proof.clientDataJson)
  const signature = fromBase64Url(proof.signature)
  if (!publicKey || !authenticatorData || !clientDataJson || !signature) return UNREADABLE
  const clientData = readClientData(clientDataJson)
  if (clientData === undefined || !isAuthenticatorData(authenticatorData)) return UNREADABLE
  const { origin, userVerification } = proof.facts
  const challenge = challengeIn(statement)
  if (challenge === undefined) return UNREADABLE
  const flags = authenticatorData[32] ?? 0
  const isUserVerified = (flags & USER_VERIFIED) !== 0
  const problem =
    clientDataProblem(clientData, challenge, origin) ??
    rpProblem(authenticatorData, origin) ??
    ((flags & USER_PRESENT) === 0 ? remark('device_key_without_presence') : undefined) ??
    (userVerification === 'required' && !isUserVerified ? remark('device_key_without_verification') : undefined) ??
    signatureProblem(publicKey, [authenticatorData, sha256(clientDataJson)], signature)
  if (problem !== undefined) return { problem }
  return { sha256: toHex(sha256(publicKey)), origin, isUserVerified, isCrossOrigin: clientData.crossOrigin === true }
}

/** Base64url. Throws for what has no canonical form. */
export const challengeOf = (statement: DeviceKeyStatement): string => toBase64Url(sha256(fromUtf8(canonicalJson(statement))))

/** Undefined for what has no canonical form, such as half a character. */
function challengeIn(statement: DeviceKeyStatement): string | undefined {
  try {
    return challengeOf(statement)
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}

/** §6.1: as long as its flags say, and no copy of a key that cannot be copied. */
function isAuthenticatorData(bytes: Uint8Array): boolean {
  const flags = bytes[32] ?? 0
  const isWhole = (flags & HAS_MORE) === 0 ? bytes.length === MIN_AUTHENTICATOR_DATA : bytes.length > MIN_AUTHENTICATOR_DATA
  return isWhole && ((flags & BACKED_UP) === 0 || (flags & BACKUP_ELIGIBLE) !== 0)
}

/** §5.8.1. */
function readClientData(bytes: Uint8Array): ClientData | undefined {
  if (bytes.length > MAX_CLIENT_DATA) return undefined
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown
    return isJsonObject(value) ? (value as unknown as ClientData) : undefined
  } catch {
    // Either is not UTF-8 or not JSON: two classes of errors of the platform.
    return undefined
  }
}

function clientDataProblem(found: ClientData, challenge: string, origin: string): Remark | undefined {
  if (found.type !== 'webauthn.get') return remark('device_key_of_other_use')
  if (found.origin !== origin) return remark('device_key_of_other_origin', { found: String(found.origin), origin })
  return found.challenge === challenge ? undefined : remark('device_key_of_other_statement')
}

/** The RP ID is the host of the pages. */
function rpProblem(authenticatorData: Uint8Array, origin: string): Remark | undefined {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  const isSame = equalBytes(authenticatorData.subarray(0, 32), sha256(fromUtf8(host)))
  return isSame ? undefined : remark('device_key_of_other_site', { host })
}

function signatureProblem(publicKey: Uint8Array, signed: Uint8Array[], signature: Uint8Array): Remark | undefined {
  const key = readKey(publicKey)
  const scheme = key && schemeOf(key)
  if (!key || !scheme || keyError(key) !== undefined) return remark('device_key_unsupported')
  return verifySignature(scheme, key, signed, signature) ? undefined : remark('device_key_signature_wrong')
}

function readKey(bytes: Uint8Array): PublicKey | undefined {
  try {
    return readPublicKey(bytes)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** ES256, RS256 and EdDSA with Ed25519: what the pages ask for. §6.5.5 */
function schemeOf(key: PublicKey): SignatureScheme | undefined {
  if (key.kind === 'ec') return key.curve === 'P-256' ? { kind: 'ecdsa', hash: 'sha256', encoding: 'der' } : undefined
  if (key.kind === 'rsa') return { kind: 'rsa', hash: 'sha256' }
  return key.kind === 'ed25519' ? { kind: 'ed25519' } : undefined
}

const sha256 = (bytes: Uint8Array): Uint8Array => hashOf('sha256', bytes)
