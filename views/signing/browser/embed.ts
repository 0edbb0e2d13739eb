/** `<signet-signing src="…">`: shows a signing link in a frame, for pages of other sites. */

/** What the frame tells, without `signet:`. Events of the element have these names. */
const EVENTS = ['ready', 'signed', 'declined', 'closed'] as const
const MIN_HEIGHT = 320
/** Of the window: the bar at the foot of the signing page stays in sight. */
const MAX_SHARE = 0.9

/** Not an element: the policy of the page around may forbid those. */
const HOST_STYLE = new CSSStyleSheet()
HOST_STYLE.replaceSync(':host{display:block}')

class SignetSigning extends HTMLElement {
  static readonly observedAttributes = ['src', 'label']
  readonly #frame = document.createElement('iframe')
  readonly #seen = new Set<string>()

  constructor() {
    super()
    this.#frame.style.cssText = `display:block;width:100%;height:${MIN_HEIGHT}px;border:0`
    // The address of the page around is nobody's business, and the link must not be cached.
    this.#frame.referrerPolicy = 'no-referrer'
    // For signers who sign with a key of their own device too.
    this.#frame.allow = 'publickey-credentials-get; publickey-credentials-create'
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [HOST_STYLE]
    root.append(this.#frame)
  }

  connectedCallback(): void {
    window.addEventListener('message', this.#receive)
  }

  disconnectedCallback(): void {
    window.removeEventListener('message', this.#receive)
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === 'label') this.#frame.title = value ?? ''
    else this.#show(value ?? '')
  }

  #show(src: string): void {
    this.#seen.clear()
    const url = src === '' ? null : URL.parse(src, location.href)
    // A script in the address would run with the rights of the page around.
    if (url?.protocol === 'https:' || url?.protocol === 'http:') this.#frame.src = url.href
    else this.#frame.removeAttribute('src')
  }

  readonly #receive = ({ source, origin, data }: MessageEvent): void => {
    if (source !== this.#frame.contentWindow || origin !== new URL(this.#frame.src, location.href).origin) return
    if (data?.type === 'signet:height') this.#resize(Number(data.height))
    const name = EVENTS.find(each => data?.type === `signet:${each}`)
    // Each page of the frame says it is ready, and a page that is loaded again repeats its news.
    if (name === undefined || this.#seen.has(name)) return
    this.#seen.add(name)
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, composed: true }))
  }

  #resize(height: number): void {
    if (!Number.isFinite(height)) return
    this.#frame.style.height = `${Math.max(MIN_HEIGHT, Math.min(height, window.innerHeight * MAX_SHARE))}px`
  }
}

if (!customElements.get('signet-signing')) customElements.define('signet-signing', SignetSigning)
