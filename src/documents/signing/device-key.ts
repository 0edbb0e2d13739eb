/** The signature of a signer's own device key: what it is asked for, and how finishing takes it. */
import { auditEventsOf } from '../../audit/log.ts'
import type { Document, Recipient, Transition } from '../../core/document/document.ts'
import type { DomainEvent, Json } from '../../core/document/event.ts'
import { isJsonObject, type JsonObject } from '../../core/document/logged-facts.ts'
import { errorAt, Refusal, refuseIfInvalid, validationRefusal } from '../../core/refusal.ts'
import {
  ASSERTION_MEMBERS,
  type DeviceKeyAssertion,
  type DeviceKeyProof,
  type DeviceKeyRule,
  deviceKeyRuleOf,
  deviceKeyStatement,
  type StatementFacts,
} from '../../core/signing/device-key.ts'
import { localized } from '../../core/signing/message.ts'
import { mustAct } from '../../core/signing/routing.ts'
import { violation } from '../../core/violation.ts'
import type { Db, Tx } from '../../db/open.ts'
import { type PasskeySite, passkeySiteOf } from '../../lib/web-authn.ts'
import type { App } from '../../ports.ts'
import { type Organisation, readOrganisation } from '../../settings/organisation.ts'
import { deviceKeysOfAddress, type UsedDeviceKey } from './key-queries.ts'

/** What the form sends with the assertion: the rest of the statement is made anew. */
export interface GivenDeviceKey extends DeviceKeyAssertion, Pick<StatementFacts, 'previousHash' | 'at'> {}

/** More than one with RSA-4096 and all that browsers add to their data. */
const MAX_PROOF_LENGTH = 20_000

/** As the script of the page sends it. Undefined for nothing; throws for what cannot be read. */
export function deviceKeyIn(text: string | undefined): GivenDeviceKey | undefined {
  if (text === undefined || text === '') return undefined
  const found = text.length > MAX_PROOF_LENGTH ? undefined : parsed(text)
  if (found === undefined) throw wrongProof()
  const members = [...ASSERTION_MEMBERS, 'previousHash', 'at'] as const
  return Object.fromEntries(members.map(name => [name, String(found[name])])) as unknown as GivenDeviceKey
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const wrongProof = (): Refusal => validationRefusal([{ path: 'deviceKey', ...localized('deviceKeyWrong') }])

/** What the page asks the browser for. */
export interface DeviceKeyRequest {
  facts: StatementFacts
  /** SHA-256 of the statement, Base64url. */
  challenge: string
  /** RP ID. */
  host: string
  /** Keys of this person that signed before, newest first. */
  known: Pick<UsedDeviceKey, 'credentialId' | 'publicKey' | 'usedAt'>[]
}

/** Enough for the devices of a person. */
const MAX_KNOWN = 10

/** An offer that no browser could take is none. */
export function deviceKeyRule(
  app: App,
  { document, recipient }: { document: Document; recipient: Recipient },
  organisation: Pick<Organisation, 'deviceKey'>,
): DeviceKeyRule {
  const rule = deviceKeyRuleOf(recipient, document, organisation.deviceKey)
  return rule === 'offered' && siteOf(app) === undefined ? 'off' : rule
}

const siteOf = (app: App): PasskeySite | undefined => passkeySiteOf(app.config.baseUrl)

function requireSite(app: App): PasskeySite {
  const site = siteOf(app)
  if (site === undefined) throw new Refusal('invalid_state', localized('deviceKeyImpossible'))
  return site
}

/** Those who have to sign with a key that no browser makes for this address. */
export async function withImpossibleKey(app: App, db: Db | Tx, document: Document): Promise<Recipient[]> {
  if (siteOf(app) !== undefined) return []
  const { deviceKey } = await readOrganisation(db)
  return document.recipients.filter(each => mustAct(each) && deviceKeyRuleOf(each, document, deviceKey) === 'required')
}

/** Before sending. @throws Refusal `validation_failed` with a path for each of them */
export async function requireDeviceKeys(app: App, tx: Tx, document: Document): Promise<void> {
  const found = await withImpossibleKey(app, tx, document)
  refuseIfInvalid(found.map(({ id }) => errorAt(`recipients/${id}/deviceKey`, violation('device_key_impossible'))))
}

const signedEventOf = ({ events }: Transition): DomainEvent | undefined => events.find(({ type }) => type === 'recipient.signed')

/** `signing`: what finishing would record. Undefined if the recipient has signed already. */
export async function requestDeviceKey(
  app: App,
  signing: Transition,
  recipient: Recipient,
  rule: DeviceKeyRule,
): Promise<DeviceKeyRequest | undefined> {
  const event = signedEventOf(signing)
  if (event === undefined) return undefined
  const { host, origin } = requireSite(app)
  const documentId = signing.document.id
  const facts: StatementFacts = {
    instance: app.instance.id,
    origin,
    documentId,
    previousHash: (await auditEventsOf(app.db, documentId)).at(-1)?.hash ?? '',
    at: app.now().toISOString(),
    userVerification: userVerificationOf(rule),
  }
  const { challengeOf } = await import('../../evidence/device-key.ts')
  const challenge = challengeOf(deviceKeyStatement(event, facts))
  const used = await deviceKeysOfAddress(app.db, recipient.email, MAX_KNOWN)
  const known = [...new Map(used.toReversed().map(key => [key.sha256, key])).values()].toReversed()
  return {
    facts,
    challenge,
    host,
    known: known.map(({ credentialId, publicKey, usedAt }) => ({ credentialId, publicKey, usedAt })),
  }
}

/** Who requires a key wants to know that it was used by a person. */
const userVerificationOf = (rule: DeviceKeyRule) => (rule === 'required' ? 'required' : 'preferred')

/** `keys`: rows to insert with the transition. */
interface SignedTransition {
  transition: Transition
  keys: UsedDeviceKey[]
}

type Verify = typeof import('../../evidence/device-key.ts')['verifyDeviceKey']

/** What the signer's device gave, and what verifies it. */
interface DeviceKeyToVerify {
  key: GivenDeviceKey
  verify: Verify
}

/** Loaded where there is a key, before the transaction, in which nothing else is waited for. */
export async function withVerifier(key: GivenDeviceKey | undefined): Promise<DeviceKeyToVerify | undefined> {
  return key && { key, verify: (await import('../../evidence/device-key.ts')).verifyDeviceKey }
}

/**
 * The transition with the proof in its entry. Throws `validation_failed` for a proof that is wrong,
 * `invalid_state` where one is required and none was given.
 */
export async function withDeviceKey(
  app: App,
  tx: Tx,
  transition: Transition,
  { rule, given }: { rule: DeviceKeyRule; given: DeviceKeyToVerify | undefined },
  now: Date,
): Promise<SignedTransition> {
  const event = signedEventOf(transition)
  if (event === undefined) return { transition, keys: [] }
  if (given === undefined || rule === 'off') {
    if (rule === 'required') throw new Refusal('invalid_state', localized('deviceKeyMissing'))
    return { transition, keys: [] }
  }
  const { origin } = requireSite(app)
  const documentId = transition.document.id
  const { previousHash, at, ...assertion } = given.key
  const instance = app.instance.id
  const facts = { instance, origin, documentId, previousHash, at, userVerification: userVerificationOf(rule) } as const
  const proof: DeviceKeyProof = { ...assertion, facts }
  const earlier = new Set((await auditEventsOf(tx, documentId)).map(({ hash }) => hash))
  const { recipientId = '', data, personal } = event
  const result = given.verify(
    { recipientId, data: data ?? {}, personal: personal ?? {}, instance, documentId, at: now.toISOString(), earlier },
    proof,
  )
  if ('problem' in result) throw wrongProof()
  const signed: DomainEvent = {
    ...event,
    data: { ...data, deviceKey: { origin, userVerified: result.isUserVerified, crossOrigin: result.isCrossOrigin } },
    personal: { ...personal, deviceKey: proof as unknown as Json },
  }
  const { credentialId, publicKey } = assertion
  return {
    transition: { ...transition, events: transition.events.map(each => (each === event ? signed : each)) },
    keys: [{ recipientId, credentialId, publicKey, sha256: result.sha256, usedAt: now }],
  }
}
