/** Saves a form while a person works: posts it, one request at a time, and takes the answer in. */
import { SIGN_IN_PATH } from '../../../src/core/page-paths.ts'
import type { SendingTexts } from '../../../src/locales/en/app/sending.ts'
import { afterPress, isPressing } from '../../browser/pressing.ts'
import { MAX_KEEPALIVE_LENGTH, PATIENCE_MS } from '../../browser/request-limits.ts'
import { fillIn, textsOf } from '../../browser/texts.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** What the service has answered. */
export interface SavedAnswer {
  /** The button whose part is done, or `save`. */
  act: string
  page: Document
  form: HTMLFormElement
  /** The value of each entry that the service has seen. */
  sent: ReadonlyMap<Control, string>
}

interface SavedFormOptions {
  form: HTMLFormElement
  /** Entries that are not saved by themselves. */
  ignored?: readonly string[]
  /** Whether the service does the part of a button within the page. */
  isInPlace?(act: string): boolean
  /** Shows what the service answered after an entry was left or a button pressed. */
  take(answer: SavedAnswer): void
  /** Somebody else has changed the draft. By default the person compares by the next button. */
  onConflict?(answer: SavedAnswer): void
}

type State = 'saving' | 'saved' | 'bad'

const DELAY_MS = 500
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000
/** Of the form, but not of what a person enters. */
const OWN_NAMES = ['csrf', 'version', 'shown']

/** The entries of a form, those outside its element included. */
export const entriesOf = (form: HTMLFormElement) =>
  [...form.elements].filter(each => each.matches('input, select, textarea')) as Control[]

export class SavedForm {
  readonly #options: SavedFormOptions
  readonly #form: HTMLFormElement
  readonly #texts: SendingTexts['saving']
  readonly #status = document.querySelector<HTMLElement>('[data-save-status]')
  /** What the service has, and what it has shown. */
  #saved: string
  #shown: string
  /** Buttons whose part is still to be done. */
  #acts: string[] = []
  #isLeft = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #retryMs = MIN_RETRY_MS
  #outcome: [state: State, text: string]
  /** Set when only the person can decide what follows. */
  #isStopped = false
  /** The document has been sent: once is enough. */
  #isSent = false

  constructor(options: SavedFormOptions) {
    this.#options = options
    this.#form = options.form
    this.#texts = textsOf(options.form)
    this.#saved = this.#entered()
    this.#shown = this.#saved
    this.#outcome = ['saved', this.#texts.saved]
    window.addEventListener('online', this.#start)
    window.addEventListener('pagehide', () => this.#sendOnLeaving())
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.#start())
    this.#form.addEventListener('submit', event => this.#submit(event))
    // Back in the browser, after an error for instance: it can be sent again.
    window.addEventListener('pageshow', () => {
      this.#isSent = false
    })
  }

  /** Saves soon: call at every key. */
  typed(): void {
    this.#isStopped = false
    this.#show('saving', this.#texts.saving)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#start(), DELAY_MS)
  }

  /** Saves and shows the answer: call when an entry was left. */
  left(): void {
    this.#isLeft = this.#entered() !== this.#shown
    this.#isStopped = false
    this.#start()
  }

  /** Has the service do the part of a button. Presses do not queue while it is out of reach. */
  press(act: string): void {
    this.#isStopped = false
    this.#show('saving', this.#texts.saving)
    if (this.#retryMs === MIN_RETRY_MS || this.#acts.length === 0) this.#acts.push(act)
    this.#start()
  }

  /** What a person has entered, to compare. */
  #entered(): string {
    const ignored = [...OWN_NAMES, ...(this.#options.ignored ?? [])]
    return JSON.stringify([...new FormData(this.#form)].filter(([name]) => !ignored.includes(name)))
  }

  get #isDirty(): boolean {
    return this.#entered() !== this.#saved
  }

  /** Something waits for its answer to be shown. */
  get #isWaiting(): boolean {
    return this.#isLeft || this.#acts.length > 0
  }

  get #isToShow(): boolean {
    return this.#isWaiting && !isPressing()
  }

  /** The form may have been replaced by that of another version. */
  get #isOver(): boolean {
    return this.#isStopped || !this.#form.isConnected
  }

  #start = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    while (!this.#isOver && this.#timer === undefined && (this.#isToShow || this.#isDirty)) {
      const isShown = this.#isToShow
      const act = (isShown && this.#acts[0]) || 'save'
      const entered = this.#entered()
      const sent = new Map(entriesOf(this.#form).map(each => [each, each.value]))
      if (isShown) this.#isLeft = false
      this.#show('saving', this.#texts.saving)
      const answer = await this.#post(act, isShown)
      if (!answer) {
        this.#isLeft ||= isShown
        this.#retry()
        return
      }
      this.#retryMs = MIN_RETRY_MS
      this.#answered({ act, sent, ...answer }, answer.response, entered, isShown)
    }
    if (this.#isWaiting && isPressing()) afterPress(this.#start)
    this.#showSettled()
  }

  /** `undefined` without a network, and while the service or something between cannot answer. */
  async #post(act: string, isShown: boolean) {
    const body = this.#body(act)
    body.set('inPlace', isShown ? 'rows' : 'version')
    try {
      const keepalive = body.toString().length < MAX_KEEPALIVE_LENGTH
      const signal = AbortSignal.timeout(PATIENCE_MS)
      const response = await fetch(this.#form.action, { method: 'POST', body, keepalive, signal })
      if (response.status >= 500 || response.status === 429) return undefined
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      return {
        response,
        page,
        form: page.querySelector<HTMLFormElement>(`form[data-draft-page="${this.#form.dataset.draftPage}"]`),
      }
    } catch {
      return undefined
    }
  }

  #body(act: string): URLSearchParams {
    const body = new URLSearchParams([...new FormData(this.#form)] as [string, string][])
    // Unchanged, so that the title of another window stays.
    const title = this.#title
    if (title?.value === title?.defaultValue) body.delete('title')
    body.set('do', act)
    return body
  }

  get #title(): HTMLInputElement | null {
    return this.#form.elements.namedItem('title') as HTMLInputElement | null
  }

  #answered(
    answer: Omit<SavedAnswer, 'form'> & { form: HTMLFormElement | null },
    { ok, status, url }: Response,
    entered: string,
    isShown: boolean,
  ): void {
    const { form, page } = answer
    if (!form) this.#stop(this.#refusal(page, ok, url))
    else if (status === 412) this.#conflict({ ...answer, form })
    else {
      this.#note({ ...answer, form }, entered, isShown)
      this.#outcome = ok
        ? ['saved', page.querySelector('[data-save-status]')?.textContent || this.#texts.saved]
        : ['bad', this.#texts.unfinished]
    }
  }

  #refusal(page: Document, ok: boolean, url: string): string {
    if (new URL(url).pathname === SIGN_IN_PATH) return this.#texts.signedOut
    return ok ? this.#texts.sent : fillIn(this.#texts.refused, { message: page.querySelector('h1')?.textContent ?? '' })
  }

  #conflict(answer: SavedAnswer): void {
    this.#acts = []
    this.#stop(this.#options.onConflict ? '' : this.#texts.conflict)
    this.#options.onConflict?.(answer)
  }

  #note(answer: SavedAnswer, entered: string, isShown: boolean): void {
    const { form, sent } = answer
    const version = this.#form.elements.namedItem('version') as HTMLInputElement
    version.value = (form.elements.namedItem('version') as HTMLInputElement).value
    if (this.#title) this.#title.defaultValue = sent.get(this.#title) ?? ''
    this.#saved = entered
    if (!isShown) return
    if (this.#acts[0] === answer.act) this.#acts.shift()
    const isUnchanged = this.#entered() === entered
    this.#options.take(answer)
    // What was typed meanwhile is saved and shown by the next answer.
    this.#shown = isUnchanged ? this.#entered() : ''
    if (isUnchanged) this.#saved = this.#shown
  }

  /** There is nothing to send. */
  #showSettled(): void {
    if (!this.#isOver && !this.#isWaiting && this.#timer === undefined) this.#show(...this.#outcome)
  }

  #show(state: State, text: string): void {
    if (!this.#status) return
    this.#status.dataset.state = state
    this.#status.classList.toggle('bad', state === 'bad')
    // Screen readers announce every change.
    if (this.#status.textContent !== text) this.#status.textContent = text
  }

  #retry(): void {
    this.#show('bad', this.#texts.retrying)
    this.#timer = setTimeout(() => this.#start(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }

  #stop(text: string): void {
    this.#isStopped = true
    this.#show('bad', text)
  }

  #sendOnLeaving(): void {
    if (this.#running || this.#isOver || !this.#isDirty) return
    navigator.sendBeacon(this.#form.action, this.#body('save'))
  }

  /** The form carries everything: it waits only for the version of a request under way. */
  #submit(event: SubmitEvent): void {
    const { value = '' } = (event.submitter ?? {}) as HTMLButtonElement
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#options.isInPlace?.(value)) {
      event.preventDefault()
      this.press(value)
      return
    }
    const running = this.#running
    this.#isStopped = true
    if (running || this.#isSent) event.preventDefault()
    if (running) void running.then(() => this.#form.requestSubmit(event.submitter))
    else this.#isSent = event.submitter?.matches('[data-send]') ?? false
  }
}
