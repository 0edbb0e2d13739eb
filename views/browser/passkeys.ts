/**
 * Asks the browser for a passkey, and sends its response with the form around the button. On the
 * sign-in page the browser also offers the passkeys in the field for the account.
 */
import { browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } from '@simplewebauthn/browser'

type Failure = 'cancelled' | 'known' | 'failed' | 'offline' | 'unsupported'
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

export function upgradePasskeys(within: ParentNode): void {
  for (const place of within.querySelectorAll<HTMLElement>('[data-passkey-options]')) upgrade(place)
}

interface Parts {
  place: HTMLElement
  form: HTMLFormElement
  button: HTMLButtonElement
  field: HTMLInputElement
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
  const parts = { place, form, button, field }
  if (button.type === 'submit') {
    form.addEventListener('submit', event => {
      event.preventDefault()
      void run(parts, async () => {
        field.value = JSON.stringify(await startRegistration({ optionsJSON: await optionsFrom<CreationOptions>(parts) }))
        // Without the event that asks for the passkey.
        form.submit()
      })
    })
    return
  }
  button.addEventListener('click', () =>
    run(parts, async () => {
      field.value = JSON.stringify(await startAuthentication({ optionsJSON: await optionsFrom(parts) }))
      send(parts)
    }),
  )
  if (place.dataset.passkeyAutofill !== undefined) offerInField(parts)
}

/** By the name of the error. */
const FAILURES: Record<string, Failure> = {
  TypeError: 'offline',
  InvalidStateError: 'known',
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
}

async function run({ place, button }: Parts, work: () => Promise<void>): Promise<void> {
  button.disabled = true
  show(place, undefined)
  try {
    await work()
  } catch (error) {
    show(place, FAILURES[(error as Error).name] ?? 'failed')
  }
  button.disabled = false
}

/** In place of the password. Only the person chooses one of several buttons. */
function send({ place, form, button }: Parts): void {
  const password = form.querySelector<HTMLInputElement>('input[name=password]')
  if (password) password.required = false
  const [submit, another] = form.querySelectorAll<HTMLButtonElement>('button[type=submit]')
  if (!another) {
    form.requestSubmit(submit)
    return
  }
  button.hidden = true
  const accepted = place.querySelector<HTMLElement>('[data-passkey-accepted]')
  if (accepted) accepted.hidden = false
}

/** The service takes a challenge for five minutes. */
const RENEW_AFTER_MS = 4 * 60_000

/**
 * Conditional mediation: it waits until the person chooses a passkey among the accounts offered. A
 * failure is shown by the button alone: nobody has asked for this yet.
 */
function offerInField(parts: Parts): void {
  let askedAt = 0
  const ask = async () => {
    if (Date.now() - askedAt < RENEW_AFTER_MS || !(await browserSupportsWebAuthnAutofill())) return
    askedAt = Date.now()
    try {
      const optionsJSON = await optionsFrom<RequestOptions>(parts, { autofill: 'on' })
      parts.field.value = JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill: true }))
      send(parts)
    } catch {
      // The button ended it, or the browser did: the next visit of the field asks again.
      askedAt = 0
    }
  }
  // After a failure only the person asks again.
  if (!document.getElementById('summary')) void ask()
  document.querySelector('input[autocomplete~=webauthn]')?.addEventListener('focus', ask)
}

/** What the browser is to be asked. @throws TypeError as `fetch` does offline */
async function optionsFrom<T>({ place, form }: Parts, more = {}): Promise<T> {
  const csrf = form.querySelector<HTMLInputElement>('input[name=csrf]')?.value ?? ''
  const request = { method: 'POST', body: new URLSearchParams({ csrf, ...more }) }
  const response = await fetch(place.dataset.passkeyOptions ?? '', request)
  if (!response.ok) throw new TypeError()
  return response.json() as Promise<T>
}

function show(place: HTMLElement, failure: Failure | undefined): void {
  const line = place.querySelector<HTMLElement>('[data-passkey-failure]')
  if (!line) return
  const sentences = JSON.parse(place.dataset.passkeyFailures ?? '{}') as Record<Failure, string>
  line.textContent = failure ? sentences[failure] : ''
  line.hidden = failure === undefined
}
