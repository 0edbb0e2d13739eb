/** An authenticator in software (ES256, no attestation) that can also answer wrongly. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const base64Url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** What may be wrong in a response. */
export interface Deviation {
  origin?: string
  host?: string
  counter?: number
  isVerified?: boolean
  userHandle?: string
  /** Signs with this key instead. */
  key?: KeyObject
  /** Of the client data. */
  type?: string
  isPresent?: boolean
}

export class SoftAuthenticator {
  readonly id = base64Url(randomBytes(32))
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #counter = 0
  #userHandle = ''

  constructor(
    readonly origin: string,
    readonly host: string,
  ) {}

  /** SubjectPublicKeyInfo, as the browser gives it. */
  get publicKey(): string {
    return base64Url(this.#keys.publicKey.export({ type: 'spki', format: 'der' }))
  }

  /** The response to creation options, as a form sends it. */
  create({ challenge, user }: { challenge: string; user: { id: string } }, deviation: Deviation = {}): string {
    this.#userHandle = user.id
    const id = Buffer.from(this.id, 'base64url')
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.#coseKey()])
    const authData = Buffer.concat([this.#data(0x40, { counter: 0, ...deviation }), attested])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    const attestationObject = base64Url(isoCBOR.encode(attestation as never))
    return this.#json({
      attestationObject,
      clientDataJSON: this.#clientData('webauthn.create', challenge, deviation),
      transports: ['internal'],
    })
  }

  /** The response to request options, as a form sends it. */
  get({ challenge }: { challenge: string }, deviation: Deviation = {}): string {
    this.#counter++
    const authenticatorData = this.#data(0, { counter: this.#counter, ...deviation })
    const clientDataJSON = this.#clientData('webauthn.get', challenge, deviation)
    const signed = Buffer.concat([authenticatorData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    const signature = base64Url(sign('sha256', signed, deviation.key ?? this.#keys.privateKey))
    const userHandle = deviation.userHandle ?? this.#userHandle
    return this.#json({ authenticatorData: base64Url(authenticatorData), clientDataJSON, signature, userHandle })
  }

  #json(response: object): string {
    const { id } = this
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }

  #clientData(usual: string, challenge: string, { origin = this.origin, type = usual }: Deviation): string {
    return base64Url(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  /** Web Authentication §6.1: hash of the host, flags, counter. */
  #data(more: number, { host = this.host, isVerified = true, isPresent = true, counter = 0 }: Deviation): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8((isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | more)
    rest.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(host), rest])
  }

  #coseKey(): Uint8Array {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ])
    return isoCBOR.encode(key as never)
  }
}
