/** Web Authentication Level 3: what a browser is asked, and whether its response is right. */
import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  GenerateAuthenticationOptionsOpts,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { MINUTE_MS } from './duration.ts'
import type { Random } from './machine.ts'
import { randomToken } from './token.ts'

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON

/** To whom a passkey belongs: the host (RP ID) and the origin of the pages. */
export interface PasskeySite {
  host: string
  origin: string
}

/**
 * Undefined where browsers make no passkeys: an IP address is no RP ID, and a page on http is no
 * secure context, except that of localhost.
 */
export function passkeySiteOf(baseUrl: string): PasskeySite | undefined {
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[|\]$/g, ''))) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? { host: hostname, origin } : undefined
}

/** Loaded with the first passkey: it takes 45 ms and 12 MB, and packages of it need the other. */
async function loadLibrary() {
  await import('reflect-metadata')
  return import('@simplewebauthn/server')
}

/** COSE: Ed25519, ES256, RS256, which every authenticator in use has one of. */
const ALGORITHMS = [-8, -7, -257]
const TIMEOUT_MS = 5 * MINUTE_MS

export interface KnownCredential {
  /** In Base64url. */
  id: string
  transports: string[]
}

/** The list of names is open: browsers ignore those that they do not know. */
type Transports = NonNullable<GenerateAuthenticationOptionsOpts['allowCredentials']>[number]['transports']
const described = ({ id, transports }: KnownCredential) => ({ id, transports: transports as NonNullable<Transports> })

interface NewPasskeyOf {
  id: string
  email: string
  name: string
}

/** `known`: an authenticator that holds one of them makes no second. */
export async function creationOptions(
  { host }: PasskeySite,
  service: string,
  { id, email, name }: NewPasskeyOf,
  known: readonly KnownCredential[],
  random: Random,
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await loadLibrary()
  return generateRegistrationOptions({
    challenge: new Uint8Array(random(32)),
    rpID: host,
    rpName: service,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(described),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * Without `allowed`, the browser offers all passkeys of the site. Made here: every visit of the
 * sign-in page asks for them, and shall not load the library.
 */
export function requestOptions({ host }: PasskeySite, random: Random, allowed: readonly KnownCredential[] = []): RequestOptions {
  return {
    challenge: randomToken(random),
    rpId: host,
    userVerification: 'required',
    timeout: TIMEOUT_MS,
    ...(allowed.length > 0 ? { allowCredentials: allowed.map(each => ({ ...described(each), type: 'public-key' })) } : {}),
  }
}

/** Returns whether it made this challenge for this browser. Called once. */
type TakeChallenge = (challenge: string) => Promise<boolean>

export interface NewCredential extends KnownCredential {
  publicKey: Uint8Array
  counter: number
  isBackedUp: boolean
}

/** The credential in the browser's response; `undefined` if anything in it is not right. */
export async function verifyCreation(
  { host, origin }: PasskeySite,
  response: string,
  takeChallenge: TakeChallenge,
): Promise<NewCredential | undefined> {
  const { verifyRegistrationResponse } = await loadLibrary()
  const result = await orUndefined(async () =>
    verifyRegistrationResponse({
      response: JSON.parse(response) as RegistrationResponseJSON,
      expectedChallenge: onlyOwnErrors(takeChallenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!result?.verified) return undefined
  const { credential, credentialBackedUp } = result.registrationInfo
  const { id, publicKey, counter, transports = [] } = credential
  return {
    id,
    publicKey,
    counter,
    // As the browser sent them: the library does not look at them.
    transports: Array.isArray(transports) ? transports.filter(each => typeof each === 'string') : [],
    isBackedUp: credentialBackedUp,
  }
}

/** The id of the credential and the user that a response names; nothing of it is verified. */
export function namedIn(response: string): { id: string; userId: string | undefined } | undefined {
  try {
    const { id, response: inner } = JSON.parse(response) as Partial<AuthenticationResponseJSON>
    const handle = inner?.userHandle
    if (typeof id !== 'string') return undefined
    return { id, userId: typeof handle === 'string' ? Buffer.from(handle, 'base64url').toString() : undefined }
  } catch {
    return undefined
  }
}

export interface Assertion {
  /** Of signatures, as the authenticator counts them: the caller compares it with the last one. */
  counter: number
  isBackedUp: boolean
}

/** Undefined if anything in the response is not right. */
export async function verifyAssertion(
  { host, origin }: PasskeySite,
  response: string,
  { id, publicKey }: { id: string; publicKey: Uint8Array },
  takeChallenge: TakeChallenge,
): Promise<Assertion | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const result = await orUndefined(async () =>
    verifyAuthenticationResponse({
      response: JSON.parse(response) as AuthenticationResponseJSON,
      expectedChallenge: onlyOwnErrors(takeChallenge),
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      // Smaller than all: the library refuses a counter that went back before it verifies the
      // signature, so that a forged response could report one.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: -1 },
    }),
  )
  if (!result?.verified) return undefined
  const { newCounter, credentialBackedUp } = result.authenticationInfo
  return { counter: newCounter, isBackedUp: credentialBackedUp }
}

class ChallengeError extends Error {}

/** An error of the database is not an error of the response. */
function onlyOwnErrors(takeChallenge: TakeChallenge): TakeChallenge {
  return async challenge => {
    try {
      return await takeChallenge(challenge)
    } catch (cause) {
      throw new ChallengeError('the challenge could not be read', { cause })
    }
  }
}

/** The library throws for each kind of wrong response, and cannot read every one. */
async function orUndefined<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof ChallengeError) throw error.cause
    return undefined
  }
}
