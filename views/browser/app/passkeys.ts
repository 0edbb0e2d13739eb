/** Asks the browser for a passkey, and sends its response with the form around the button. */
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser'

type Failure = 'cancelled' | 'known' | 'failed' | 'offline' | 'unsupported'
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

export function upgradePasskeys(within: ParentNode): void {
  for (const place of within.querySelectorAll<HTMLElement>('[data-passkey-options]')) upgrade(place)
}

function upgrade(place: HTMLElement): void {
  const form = place.closest('form')
  const button = place.querySelector('button')
  const field = place.querySelector<HTMLInputElement>('input[name=passkey]')
  if (!form || !button || !field) return
  place.hidden = false
  if (typeof PublicKeyCredential !== 'function') {
    button.disabled = true
    show(place, 'unsupported')
    return
  }
  const isNew = button.type === 'submit'
  const run = async () => {
    button.disabled = true
    show(place, undefined)
    try {
      field.value = JSON.stringify(await ask(place, form, isNew))
      send(form, isNew)
      button.disabled = false
    } catch (error) {
      button.disabled = false
      show(place, failureOf(error))
    }
  }
  if (!isNew) {
    button.addEventListener('click', run)
    return
  }
  form.addEventListener('submit', event => {
    event.preventDefault()
    void run()
  })
}

/** In place of the password that the form also takes. */
function send(form: HTMLFormElement, isNew: boolean): void {
  if (isNew) {
    // Without the event that asks for the passkey.
    form.submit()
    return
  }
  const password = form.querySelector<HTMLInputElement>('input[name=password]')
  if (password) password.required = false
  form.requestSubmit(form.querySelector<HTMLButtonElement>('button[type=submit]'))
}

class OfflineError extends Error {}

/** Returns the browser's response: a new passkey, or the proof that the person has one. */
async function ask({ dataset }: HTMLElement, form: HTMLFormElement, isNew: boolean): Promise<unknown> {
  const csrf = form.querySelector<HTMLInputElement>('input[name=csrf]')?.value ?? ''
  const request = { method: 'POST', body: new URLSearchParams({ csrf }) }
  const response = await fetch(dataset.passkeyOptions ?? '', request).catch(() => undefined)
  if (!response?.ok) throw new OfflineError()
  const optionsJSON: unknown = await response.json()
  return isNew
    ? startRegistration({ optionsJSON: optionsJSON as CreationOptions })
    : startAuthentication({ optionsJSON: optionsJSON as RequestOptions })
}

function failureOf(error: unknown): Failure {
  if (error instanceof OfflineError) return 'offline'
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'known'
  return error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name) ? 'cancelled' : 'failed'
}

function show(place: HTMLElement, failure: Failure | undefined): void {
  const line = place.querySelector<HTMLElement>('[data-passkey-failure]')
  if (!line) return
  const sentences = JSON.parse(place.dataset.passkeyFailures ?? '{}') as Record<Failure, string>
  line.textContent = failure ? sentences[failure] : ''
  line.hidden = failure === undefined
}
