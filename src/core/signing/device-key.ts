/**
 * A key of the signer's own device, which signs in addition (WebAuthn): when it is asked for, and
 * the statement that it signs. Pure.
 */
import { MINUTE_MS } from '../../lib/duration.ts'
import type { DomainEvent, Json } from '../document/event.ts'

/** `offered`: the signer may. `required`: nobody signs without one whose user was verified. */
export const DEVICE_KEY_RULES = ['off', 'offered', 'required'] as const
export type DeviceKeyRule = (typeof DEVICE_KEY_RULES)[number]

/** As a form sends it; undefined for anything else. */
export const deviceKeyRuleIn = (text: string | undefined): DeviceKeyRule | undefined =>
  DEVICE_KEY_RULES.find(rule => rule === text)

/** Undefined: as the document, and then the organisation, says. */
interface Ruled {
  deviceKey: DeviceKeyRule | undefined
}

export function deviceKeyRuleOf(recipient: Ruled, document: Ruled, organisation: DeviceKeyRule): DeviceKeyRule {
  return recipient.deviceKey ?? document.deviceKey ?? organisation
}

/** Whether the document itself requires one of anybody. */
export const requiresDeviceKey = ({ deviceKey, recipients }: Ruled & { recipients: readonly Ruled[] }): boolean =>
  [deviceKey, ...recipients.map(each => each.deviceKey)].includes('required')

/** A statement signed longer ago is made anew, so that its time is that of the signature. */
export const MAX_STATEMENT_AGE_MS = 15 * MINUTE_MS

/** What is known when the statement is made. */
export interface StatementFacts {
  /** Of the instance. */
  instance: string
  /** Of the pages, such as `https://sign.example.com`: the assertion names the same. */
  origin: string
  documentId: string
  /** Hash of the newest entry of the document in the audit log, hex. */
  previousHash: string
  /** RFC 3339, UTC. */
  at: string
  userVerification: UserVerification
}

export type UserVerification = 'required' | 'preferred'

const KIND = 'signet.device-key'

/** What the device signs: SHA-256 of its canonical JSON (RFC 8785) is the challenge. */
export type DeviceKeyStatement = { [member: string]: Json }

/**
 * The statement of an event `recipient.signed`: the document as shown, the values, files and marks
 * of the signer, and the consent. Whoever has the event makes the same one.
 */
export function deviceKeyStatement(
  { recipientId, data = {}, personal = {} }: Pick<DomainEvent, 'recipientId' | 'data' | 'personal'>,
  facts: StatementFacts,
): DeviceKeyStatement {
  return {
    kind: KIND,
    version: 1,
    ...facts,
    recipientId: recipientId ?? null,
    originalSha256: data.originalSha256 ?? null,
    consentVersion: data.consentVersion ?? null,
    consentSha256: data.consentSha256 ?? null,
    values: personal.fieldValues ?? {},
    files: personal.fieldFiles ?? {},
    signature: personal.signature ?? null,
    initials: personal.initials ?? null,
    confirmedAs: personal.confirmedAs ?? null,
  }
}

/** The browser's response (WebAuthn §5.2.2) and the SubjectPublicKeyInfo, in Base64url. */
export type DeviceKeyAssertion = Record<(typeof ASSERTION_MEMBERS)[number], string>

export const ASSERTION_MEMBERS = ['credentialId', 'publicKey', 'authenticatorData', 'clientDataJson', 'signature'] as const

/** As the audit entry of the signature has it, in its personal data. */
export interface DeviceKeyProof extends DeviceKeyAssertion {
  facts: StatementFacts
}
