/**
 * Updates parts of a page in place when the server reports a change. Does nothing without
 * EventSource.
 */
import { type Changes, morph } from './morph.ts'

const DELAY_MS = 150
/** Between two updates: many changes in a row are one update. */
const MIN_PAUSE_MS = 1000
/** After a refused connection: the session has ended, or too many pages are open. */
const MIN_RETRY_MS = 30_000
const MAX_RETRY_MS = 600_000
/** A screen reader announces a text only when it changes after the element was emptied. */
const ANNOUNCE_MS = 100

/**
 * `data-live` names the stream, `data-live-after` is the feed's position from before the page was
 * read, `data-live-note` is announced. Each `data-live-part` has an id and is always on the page,
 * empty if need be; its rows should have ids too. `added` sets up each new element.
 */
export function upgradeLive(within: ParentNode, added: (element: Element) => void = () => {}): void {
  const element = within.querySelector<HTMLElement>('[data-live]')
  if (typeof EventSource === 'undefined' || element?.dataset.live === undefined) return
  new LivePage(element, element.dataset.live, added).start()
}

class LivePage {
  readonly #element: HTMLElement
  readonly #address: string
  readonly #added: (element: Element) => void
  readonly #status = document.createElement('p')
  /** The newest state that the page is known to show. */
  #position: string | undefined
  #source: EventSource | undefined
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #retryMs = MIN_RETRY_MS
  #updateTimer: ReturnType<typeof setTimeout> | undefined
  #updatedAt = -MIN_PAUSE_MS
  #isUpdating = false
  #isStale = false
  #isReplaced = false
  #isOver = false

  constructor(element: HTMLElement, address: string, added: (element: Element) => void) {
    this.#element = element
    this.#address = address
    this.#added = added
    this.#position = element.dataset.liveAfter
  }

  start(): void {
    this.#status.setAttribute('role', 'status')
    this.#status.className = 'unseen'
    this.#element.append(this.#status)
    document.addEventListener('visibilitychange', () => this.#followVisibility())
    window.addEventListener('pagehide', () => this.#disconnect())
    window.addEventListener('pageshow', () => this.#followVisibility())
    window.addEventListener('focus', () => {
      this.#isReplaced = false
      this.#followVisibility()
    })
    this.#followVisibility()
  }

  #followVisibility(): void {
    if (document.visibilityState === 'hidden' || this.#isOver) this.#disconnect()
    else if (!this.#source && !this.#isReplaced) this.#connect()
  }

  #disconnect(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    this.#source?.close()
    this.#source = undefined
  }

  #connect(): void {
    this.#disconnect()
    const url = new URL(this.#address, location.href)
    if (this.#position !== undefined) url.searchParams.set('after', this.#position)
    const source = new EventSource(url)
    this.#source = source
    source.addEventListener('open', () => {
      this.#retryMs = MIN_RETRY_MS
      if (this.#isStale) this.#scheduleUpdate()
    })
    source.addEventListener('changed', event => {
      this.#position = event.lastEventId
      this.#isStale = true
      this.#scheduleUpdate()
    })
    source.addEventListener('replaced', () => {
      this.#isReplaced = true
      this.#disconnect()
    })
    source.addEventListener('error', () => {
      // After a lost connection the browser reconnects; after a refusal it does not.
      if (source.readyState === EventSource.CLOSED && this.#source === source) this.#retryLater()
    })
  }

  #retryLater(): void {
    this.#disconnect()
    this.#retryTimer = setTimeout(() => this.#followVisibility(), this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS)
  }

  #scheduleUpdate(): void {
    if (this.#updateTimer !== undefined || this.#isUpdating) return
    const waitMs = Math.max(DELAY_MS, this.#updatedAt + MIN_PAUSE_MS - performance.now())
    this.#updateTimer = setTimeout(() => void this.#update(), waitMs)
  }

  async #update(): Promise<void> {
    this.#updateTimer = undefined
    // Caught up when the page is seen again.
    if (document.visibilityState === 'hidden') return
    this.#isUpdating = true
    this.#isStale = false
    const fresh = await fetchPage()
    this.#isUpdating = false
    this.#updatedAt = performance.now()
    // Another change has come meanwhile.
    if (this.#isStale) this.#scheduleUpdate()
    if (fresh) this.#show(fresh)
    // Tried again after the next change or reconnection.
    else this.#isStale = true
  }

  #show(fresh: Document): void {
    const { isChanged, added } = updateParts(fresh)
    for (const element of added) this.#added(element)
    if (isChanged) this.#announce()
    // A page that changes no more has no stream.
    this.#isOver = !fresh.querySelector('[data-live]')
    this.#followVisibility()
  }

  #announce(): void {
    this.#status.textContent = ''
    setTimeout(() => {
      this.#status.textContent = this.#element.dataset.liveNote ?? ''
    }, ANNOUNCE_MS)
  }
}

/** This page as it is now; `undefined` when it is not shown any more. */
async function fetchPage(): Promise<Document | undefined> {
  try {
    // The header keeps this request from counting as a person's use of the session.
    // Without a session the server redirects. Chromium reports `redirect: 'error'` in its console.
    const headers = { accept: 'text/html', 'x-background-request': '1' }
    const response = await fetch(location.href, { headers, cache: 'no-store', redirect: 'manual' })
    // What the page shows has ended: the service says so on a page of its own.
    if (response.status === 409) location.reload()
    return response.ok ? new DOMParser().parseFromString(await response.text(), 'text/html') : undefined
  } catch {
    // Offline, or the session has ended: the page stays as it is.
    return undefined
  }
}

/** A part that is missing in the fresh page is emptied. */
function updateParts(fresh: Document): Changes {
  const focused = document.activeElement
  const changes: Changes = { isChanged: false, added: [] }
  for (const part of document.querySelectorAll('[data-live-part]')) {
    const wanted = fresh.getElementById(part.id)
    if (wanted) morph(part, wanted, changes)
    else if (part.firstChild) {
      part.replaceChildren()
      changes.isChanged = true
    }
    if (focused && document.activeElement === document.body) restoreFocus(focused, part)
  }
  if (changes.isChanged) document.title = fresh.title
  return changes
}

/** If the control is gone, keyboard users continue at its part, not at the top of the page. */
function restoreFocus(focused: Element, part: Element): void {
  if (focused === document.body) return
  if (!focused.isConnected && part instanceof HTMLElement) part.tabIndex = -1
  const target = focused.isConnected ? focused : part
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
