/**
 * A key of the signer's own device (Web Authentication Level 3 §5.1): shows the offer where the
 * device has one, and signs on the page that asks for it.
 */
import type { SignerTexts } from '../../../src/locales/catalogue.ts'
import { DEVICE_KEY_DATA_ID } from './data.ts'

/** What the page has for the script. */
export interface DeviceKeyData {
  /** Base64url. */
  challenge: string
  /** RP ID. */
  host: string
  service: string
  person: string
  userVerification: 'required' | 'preferred'
  /** What the service needs to make the statement again. */
  statement: { previousHash: string; at: string }
  /** Functions are not in it. */
  texts: Pick<SignerTexts['deviceKey'], 'sign' | 'made' | 'waiting' | 'refused' | 'framed' | 'unsupported'>
}

interface Key {
  credentialId: string
  publicKey: string
}

const TIMEOUT_MS = 120_000
/** COSE: Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

const encode = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), letter => letter.charCodeAt(0))

async function create({ host, service, person, userVerification }: DeviceKeyData): Promise<Key | undefined> {
  const made = await navigator.credentials.create({
    publicKey: {
      challenge: crypto.getRandomValues(new Uint8Array(32)),
      rp: { id: host, name: service },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: person, displayName: person },
      pubKeyCredParams: ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
      // Not for signing in: it need not be found without its id.
      authenticatorSelection: { residentKey: 'discouraged', userVerification },
      timeout: TIMEOUT_MS,
    },
  })
  const publicKey = made instanceof PublicKeyCredential && (made.response as AuthenticatorAttestationResponse).getPublicKey()
  return publicKey ? { credentialId: encode((made as PublicKeyCredential).rawId), publicKey: encode(publicKey) } : undefined
}

async function sign({ challenge, host, userVerification, statement }: DeviceKeyData, key: Key): Promise<string> {
  const found = await navigator.credentials.get({
    publicKey: {
      challenge: decode(challenge),
      rpId: host,
      allowCredentials: [{ type: 'public-key', id: decode(key.credentialId) }],
      userVerification,
      timeout: TIMEOUT_MS,
    },
  })
  const { authenticatorData, clientDataJSON, signature } = (found as PublicKeyCredential)
    .response as AuthenticatorAssertionResponse
  const [data, client, value] = [authenticatorData, clientDataJSON, signature].map(encode)
  return JSON.stringify({ ...statement, ...key, authenticatorData: data, clientDataJson: client, signature: value })
}

/** A site around this page can forbid keys. Browsers then refuse as if the person had. */
function isForbidden(): boolean {
  const policy = (document as { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy
  return window.top !== window && policy?.allowsFeature('publickey-credentials-get') === false
}

function openSigning(form: HTMLFormElement, data: DeviceKeyData): void {
  const { texts } = data
  const state = form.querySelector('[data-device-key-state]')
  const buttons = [...form.querySelectorAll<HTMLButtonElement>('[data-credential]')]
  const say = (text: string) => {
    if (state) state.textContent = text
  }
  if (!('PublicKeyCredential' in window) || isForbidden()) {
    say('PublicKeyCredential' in window ? texts.framed : texts.unsupported)
    return
  }

  async function run(button: HTMLButtonElement): Promise<void> {
    const { credential = '', publicKey = '' } = button.dataset
    const key = credential === '' ? await create(data) : { credentialId: credential, publicKey }
    if (key === undefined) throw new Error('the device made a key of another kind')
    if (credential === '') {
      // Some browsers want a press for each of the two.
      button.dataset.credential = key.credentialId
      button.dataset.publicKey = key.publicKey
      button.textContent = texts.sign
      say(texts.made)
    }
    const field = form.elements.namedItem('deviceKeyProof')
    if (field instanceof HTMLInputElement) field.value = await sign(data, key)
    form.submit()
  }

  for (const button of buttons) {
    button.hidden = false
    button.addEventListener('click', async () => {
      for (const each of buttons) each.disabled = true
      say(texts.waiting)
      const wasNew = button.dataset.credential === ''
      await run(button).catch((error: unknown) => {
        console.warn(error)
        say(wasNew && button.dataset.credential !== '' ? texts.made : texts.refused)
      })
      for (const each of buttons) each.disabled = false
    })
  }
}

/** Only where the device itself has keys: nobody else is asked to think about it. */
async function showOffer(offer: HTMLElement): Promise<void> {
  if (!('PublicKeyCredential' in window) || isForbidden()) return
  offer.hidden = !(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())
}

const form = document.querySelector<HTMLFormElement>('form[data-device-key]')
const json = document.querySelector(`#${DEVICE_KEY_DATA_ID}`)?.textContent
if (form && json) openSigning(form, JSON.parse(json) as DeviceKeyData)
const offer = document.querySelector<HTMLElement>('[data-device-key-offer]')
if (offer) void showOffer(offer)
