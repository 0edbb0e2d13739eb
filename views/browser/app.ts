/** The script of the web app. Each section looks for its `data-*` attributes. */
import { browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { suggestAddress, suggestDomain } from '../../src/core/draft/mailbox.ts'
import { MINUTE_MS } from '../../src/lib/duration.ts'
import { copyText } from './copy-text.ts'
import { upgradeFileDrops } from './file-drops.ts'
import { upgradeLive } from './live.ts'
import { matching } from './matching.ts'
import { upgradeMenus } from './menus.ts'
import { afterPress } from './pressing.ts'
import { fillIn } from './texts.ts'
import { upgradeToasts } from './toasts.ts'

// Asks about mistyped domains below the inputs of addresses, also in rows that are added later.

const ADDRESS_QUESTION = '[data-address-question]'

const inputOf = (question: Element) => question.previousElementSibling as HTMLInputElement | null

/** An address is asked about when it was left, and no longer when it is changed. */
function askAboutAddresses(isTyping: boolean): void {
  for (const question of document.querySelectorAll<HTMLElement>(ADDRESS_QUESTION)) {
    const input = inputOf(question)
    const button = question.querySelector('button')
    const words = question.querySelector('span')
    if (!input || !button || !words) continue
    const domain = suggestDomain(input.value.trim())
    if (isTyping && domain !== undefined && button.hidden) continue
    const { ask = '', use = '' } = question.dataset
    const sentence = domain === undefined ? '' : fillIn(ask, { domain })
    if (words.textContent === sentence) continue
    words.textContent = sentence
    button.textContent = domain === undefined ? '' : fillIn(use, { domain })
    button.hidden = domain === undefined
  }
}

const askAboutLeft = () => askAboutAddresses(false)

function takeSuggestion(button: Element): void {
  const question = button.closest(ADDRESS_QUESTION)
  const input = question && inputOf(question)
  const meant = input && suggestAddress(input.value.trim())
  if (!input || meant === undefined || meant === null) return
  input.value = meant
  input.dispatchEvent(new Event('input', { bubbles: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
  input.focus()
}

function upgradeAddressQuestions(): void {
  document.addEventListener('input', () => askAboutAddresses(true))
  for (const left of ['change', 'focusout']) document.addEventListener(left, () => afterPress(askAboutLeft))
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest(`${ADDRESS_QUESTION} button`)
    if (button) takeSuggestion(button)
  })
}

// Single-key shortcuts: none while a person types, and they can be switched off (WCAG 2.1.4).

const KEYS_SETTING = 'signet-keys'

const areKeysOn = () => localStorage.getItem(KEYS_SETTING) !== 'off'

/** A tick takes no letters; it may have the focus of a dialog that was closed a moment ago. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type="checkbox"], [type="radio"])'))

/** The first link of each row. */
function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll('main tbody tr')].flatMap(row => {
    const link = row.querySelector<HTMLElement>('a[href]')
    return link ? [link] : []
  })
}

function moveRow(step: 1 | -1): void {
  const links = rowLinks()
  const row = document.activeElement?.closest('tr')
  const at = links.findIndex(link => link.closest('tr') === row)
  const next = at < 0 ? links[0] : links[at + step]
  next?.focus()
}

const KEY_ACTS: Record<string, () => void> = {
  '?': () => document.querySelector<HTMLElement>('[data-opens="keys"]')?.click(),
  n: () => document.querySelector<HTMLElement>('[data-key-new]')?.click(),
  '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
}

function pressKey(event: KeyboardEvent): void {
  const act = Object.hasOwn(KEY_ACTS, event.key) ? KEY_ACTS[event.key] : undefined
  const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing
  if (!act || isTaken || isTyping(event.target) || !areKeysOn() || document.querySelector('dialog[open], :popover-open')) return
  event.preventDefault()
  act()
}

function upgradeKeys(within: Document): void {
  const toggle = within.querySelector<HTMLInputElement>('[data-keys-switch]')
  // Without the list of keys there is no frame: nobody is signed in.
  if (!toggle) return
  toggle.checked = areKeysOn()
  toggle.addEventListener('change', () => localStorage.setItem(KEYS_SETTING, toggle.checked ? 'on' : 'off'))
  within.addEventListener('keydown', pressKey)
}

// Shows each `details[data-dialog]` as a modal dialog, which keeps what was typed.

function closeButton(words: string, dialog: HTMLDialogElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button quiet compact dialog-close'
  button.textContent = words
  button.addEventListener('click', () => dialog.close())
  return button
}

class PageDialog {
  readonly #dialog = document.createElement('dialog')

  constructor(details: HTMLDetailsElement) {
    const body = details.querySelector('.dialog-body')
    const heading = body?.querySelector('h2')
    if (heading?.id) this.#dialog.setAttribute('aria-labelledby', heading.id)
    if (body) this.#dialog.append(body)
    this.#dialog.append(closeButton(details.dataset.close ?? '', this.#dialog))
    details.after(this.#dialog)
    const wasOpen = details.open
    details.open = false
    details.querySelector('summary')?.addEventListener('click', event => {
      event.preventDefault()
      this.open()
    })
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog) this.#dialog.close()
    })
    if (wasOpen) this.open()
  }

  open(): void {
    if (!this.#dialog.open) this.#dialog.showModal()
  }
}

function upgradeDialogs(within: ParentNode): void {
  const dialogs = new Map(
    matching<HTMLDetailsElement>(within, 'details[data-dialog]').map(details => [details.id, new PageDialog(details)]),
  )
  within.addEventListener('click', event => {
    const opener = (event.target as Element).closest<HTMLElement>('[data-opens]')
    const dialog = dialogs.get(opener?.dataset.opens ?? '')
    if (!opener || !dialog) return
    event.preventDefault()
    const menu = opener.closest<HTMLElement>('[popover]')
    menu?.hidePopover()
    dialog.open()
  })
}

// Adds a button below each text with `data-copy` that copies it.

const COPIED_SHOWN_MS = 2000

function upgradeCopying(within: ParentNode): void {
  for (const block of within.querySelectorAll<HTMLElement>('[data-copy]')) addCopyButton(block)
}

function addCopyButton(block: HTMLElement): void {
  const { copy = '', copied = '', notCopied = '' } = block.dataset
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button plain compact'
  button.textContent = copy
  const showFor = (text: string) => {
    button.textContent = text
    setTimeout(() => {
      button.textContent = copy
    }, COPIED_SHOWN_MS)
  }
  button.addEventListener('click', () => {
    copyText(block).then(
      () => showFor(copied),
      () => showFor(notCopied),
    )
  })
  block.after(button)
}

// Ticked rows: how many, and all at once. The rows are replaced when the page updates itself.

function upgradeTicks(within: ParentNode): void {
  for (const bar of within.querySelectorAll<HTMLFormElement>('form[data-ticks]')) upgradeTickBar(bar)
}

const boxesOf = (form: HTMLFormElement) =>
  [...form.elements].filter((e): e is HTMLInputElement => e instanceof HTMLInputElement && e.name.startsWith('pick.'))

function upgradeTickBar(form: HTMLFormElement): void {
  const all = form.querySelector<HTMLInputElement>('[data-tick-all]')
  const shown = form.querySelector<HTMLElement>('[data-ticked]')
  if (!all || !shown) return
  const label = all.closest('label')
  if (label) label.hidden = false
  const count = () => {
    const boxes = boxesOf(form)
    const ticked = boxes.filter(box => box.checked).length
    all.checked = ticked > 0 && ticked === boxes.length
    all.indeterminate = ticked > 0 && ticked < boxes.length
    shown.textContent = (shown.dataset.ticked ?? '').replace('{n}', String(ticked))
  }
  all.addEventListener('change', () => {
    for (const box of boxesOf(form)) box.checked = all.checked
    count()
  })
  document.addEventListener('change', event => {
    if (event.target instanceof HTMLInputElement && event.target.form === form) count()
  })
  count()
}

// Asks the browser for a passkey, and sends its response with the form around the button. On the
// sign-in page the browser also offers the passkeys in the field for the account.

type PasskeyFailure = 'cancelled' | 'known' | 'failed' | 'offline' | 'unsupported'
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

function upgradePasskeys(within: ParentNode): void {
  for (const place of within.querySelectorAll<HTMLElement>('[data-passkey-options]')) upgradePasskey(place)
}

interface PasskeyParts {
  place: HTMLElement
  form: HTMLFormElement
  button: HTMLButtonElement
  field: HTMLInputElement
}

function upgradePasskey(place: HTMLElement): void {
  const form = place.closest('form')
  const button = place.querySelector('button')
  const field = place.querySelector<HTMLInputElement>('input[name=passkey]')
  if (!form || !button || !field) return
  place.hidden = false
  if (typeof PublicKeyCredential !== 'function') {
    button.disabled = true
    showFailure(place, 'unsupported')
    return
  }
  const parts = { place, form, button, field }
  if (button.type === 'submit') {
    form.addEventListener('submit', event => {
      event.preventDefault()
      void askForPasskey(parts, async () => {
        field.value = JSON.stringify(await startRegistration({ optionsJSON: await optionsFrom<CreationOptions>(parts) }))
        // Without the event that asks for the passkey.
        form.submit()
      })
    })
    return
  }
  button.addEventListener('click', () =>
    askForPasskey(parts, async () => {
      field.value = JSON.stringify(await startAuthentication({ optionsJSON: await optionsFrom(parts) }))
      sendPasskey(parts)
    }),
  )
  if (place.dataset.passkeyAutofill !== undefined) offerInField(parts)
}

/** By the name of the error. */
const PASSKEY_FAILURES: Record<string, PasskeyFailure> = {
  TypeError: 'offline',
  InvalidStateError: 'known',
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
}

async function askForPasskey({ place, button }: PasskeyParts, work: () => Promise<void>): Promise<void> {
  button.disabled = true
  showFailure(place, undefined)
  try {
    await work()
  } catch (error) {
    showFailure(place, PASSKEY_FAILURES[(error as Error).name] ?? 'failed')
  }
  button.disabled = false
}

/** In place of the password. Only the person chooses one of several buttons. */
function sendPasskey({ place, form, button }: PasskeyParts): void {
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
const RENEW_AFTER_MS = 4 * MINUTE_MS

/**
 * Conditional mediation: it waits until the person chooses a passkey among the accounts offered. A
 * failure is shown by the button alone: nobody has asked for this yet.
 */
function offerInField(parts: PasskeyParts): void {
  let askedAt = 0
  const ask = async () => {
    if (Date.now() - askedAt < RENEW_AFTER_MS || !(await browserSupportsWebAuthnAutofill())) return
    askedAt = Date.now()
    try {
      const optionsJSON = await optionsFrom<RequestOptions>(parts, { autofill: 'on' })
      parts.field.value = JSON.stringify(await startAuthentication({ optionsJSON, useBrowserAutofill: true }))
      sendPasskey(parts)
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
async function optionsFrom<T>({ place, form }: PasskeyParts, more = {}): Promise<T> {
  const csrf = form.querySelector<HTMLInputElement>('input[name=csrf]')?.value ?? ''
  const request = { method: 'POST', body: new URLSearchParams({ csrf, ...more }) }
  const response = await fetch(place.dataset.passkeyOptions ?? '', request)
  if (!response.ok) throw new TypeError()
  return response.json() as Promise<T>
}

function showFailure(place: HTMLElement, failure: PasskeyFailure | undefined): void {
  const line = place.querySelector<HTMLElement>('[data-passkey-failure]')
  if (!line) return
  const sentences = JSON.parse(place.dataset.passkeyFailures ?? '{}') as Record<PasskeyFailure, string>
  line.textContent = failure ? sentences[failure] : ''
  line.hidden = failure === undefined
}

// What the page has is upgraded now; what is added later by `upgradeLive`.

upgradeAddressQuestions()
upgradeMenus(document)
upgradeDialogs(document)
upgradeKeys(document)
upgradeFileDrops(document)
upgradeToasts(document)
upgradeCopying(document)
upgradeDropdowns(document)
upgradeTicks(document)
upgradePasskeys(document)
upgradeLive(document, added => {
  upgradeMenus(added)
  upgradeDialogs(added)
})

// Closes an open `details[data-dropdown]` by Escape and by a press outside.

function upgradeDropdowns(within: ParentNode): void {
  const open = () => [...within.querySelectorAll<HTMLDetailsElement>('details[data-dropdown][open]')]
  within.addEventListener('pointerdown', event => {
    for (const details of open()) if (!details.contains(event.target as Node)) details.open = false
  })
  within.addEventListener('keydown', event => {
    if ((event as KeyboardEvent).key !== 'Escape') return
    for (const details of open()) {
      details.open = false
      details.querySelector('summary')?.focus()
    }
  })
}
