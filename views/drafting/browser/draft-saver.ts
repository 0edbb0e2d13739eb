/** Saves a draft while a person types: one request at a time, for the version that was seen. */
import type { DraftEdit } from '../../../src/core/draft/edit-draft.ts'
import type { ViolationCode } from '../../../src/core/violation.ts'
import type { SendingTexts } from '../../../src/locales/en/app/sending.ts'
import { MAX_KEEPALIVE_LENGTH } from '../../browser/request-limits.ts'

export type SavingTexts = SendingTexts['saving']

export interface Details {
  path: string
  code?: ViolationCode
  message: string
}

interface DraftSaverOptions {
  form: HTMLFormElement
  /** What the page shows now. */
  edit(): DraftEdit
  /** Whether something typed cannot be saved yet, such as half an address. */
  isUnfinished?(): boolean
  /** Shows the errors of an edit that was refused; none after one that was saved. */
  onErrors?(details: Details[]): void
}

interface Answer {
  version?: number
  /** `version`: the one that it has now. */
  error?: { code: string; message: string; details?: Details[]; version?: number }
}

const DELAY_MS = 500
const MIN_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

export class DraftSaver {
  readonly #options: DraftSaverOptions
  readonly #texts: SavingTexts
  readonly #status: HTMLElement | null
  readonly #version: HTMLInputElement
  #saved: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #retryMs = MIN_RETRY_MS
  /** Whether changes of another person were kept beside the last one. */
  #isMerged = false
  /** Set when only the person can decide what follows. */
  #isStopped = false

  constructor(options: DraftSaverOptions) {
    this.#options = options
    this.#texts = textsOf<SavingTexts>(options.form)
    this.#status = document.querySelector('[data-save-status]')
    this.#version = options.form.elements.namedItem('version') as HTMLInputElement
    this.#saved = JSON.stringify(options.edit())
    window.addEventListener('online', () => this.save())
    window.addEventListener('pagehide', () => this.#sendOnLeaving())
    document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && this.save())
    options.form.addEventListener('submit', event => this.#submit(event as SubmitEvent))
  }

  /** Saves soon: call at every key. */
  schedule(): void {
    this.#isStopped = false
    this.#isMerged = false
    this.#show('saving', this.#texts.saving)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.save(), DELAY_MS)
  }

  /** Saves now: call when a field is left or a button pressed. */
  save(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#running || this.#isStopped || !this.#isDirty) {
      this.#showSettled()
      return
    }
    this.#running = this.#send().finally(() => {
      this.#running = undefined
      if (this.#timer === undefined && this.#isDirty && !this.#isStopped) this.save()
    })
  }

  get #isDirty(): boolean {
    return JSON.stringify(this.#options.edit()) !== this.#saved
  }

  /** There is nothing to send. */
  #showSettled(): void {
    if (this.#running || this.#isStopped) return
    if (this.#options.isUnfinished?.()) this.#show('bad', this.#texts.unfinished)
    else if (this.#status?.dataset.state === 'saving') this.#show('saved', this.#texts.saved)
  }

  #show(state: 'saving' | 'saved' | 'bad', text: string): void {
    if (!this.#status) return
    this.#status.dataset.state = state
    this.#status.classList.toggle('bad', state === 'bad')
    // Screen readers announce every change.
    if (this.#status.textContent !== text) this.#status.textContent = text
  }

  #body(edit: string): URLSearchParams {
    const csrf = (this.#options.form.elements.namedItem('csrf') as HTMLInputElement).value
    return new URLSearchParams({ csrf, version: this.#version.value, edit })
  }

  get #address(): string {
    return `${this.#options.form.dataset.base}/draft`
  }

  async #send(): Promise<void> {
    const edit = JSON.stringify(this.#options.edit())
    const body = this.#body(edit)
    this.#show('saving', this.#texts.saving)
    try {
      const keepalive = body.toString().length < MAX_KEEPALIVE_LENGTH
      const response = await fetch(this.#address, { method: 'POST', body, redirect: 'manual', keepalive })
      if (response.type === 'opaqueredirect') this.#stop(this.#texts.signedOut)
      else this.#answered(edit, response.status, (await response.json()) as Answer)
    } catch {
      // Without a network, or with an answer of something between.
      this.#retry()
    }
  }

  #answered(edit: string, status: number, { version, error }: Answer): void {
    if (version !== undefined) this.#done(edit, version)
    else if (error?.code === 'draft_changed') this.#changed(edit, error)
    else if (error?.code === 'invalid_state') this.#stop(this.#texts.sent)
    else if (status >= 500 || status === 429) this.#retry()
    else this.#refused(error)
  }

  #refused(error: Answer['error']): void {
    const details = error?.details ?? []
    this.#options.onErrors?.(details)
    this.#stop(details.length > 0 ? this.#texts.unfinished : fillIn(this.#texts.refused, { message: error?.message ?? '' }))
  }

  #done(edit: string, version: number): void {
    this.#version.value = String(version)
    this.#saved = edit
    this.#retryMs = MIN_RETRY_MS
    this.#options.onErrors?.([])
    if (this.#isDirty) return
    if (this.#options.isUnfinished?.()) this.#show('bad', this.#texts.unfinished)
    else this.#show('saved', this.#isMerged ? this.#texts.merged : this.#texts.saved)
  }

  /** Changes of others to what this page does not show are kept; the same edit is sent again. */
  #changed(edit: string, { version, details: changes = [] }: NonNullable<Answer['error']>): void {
    const members = Object.keys(JSON.parse(edit) as object)
    const isOurs = ({ path }: { path: string }) => members.includes(path.split('/')[0] ?? '')
    if (version === undefined || changes.length === 0 || changes.some(isOurs)) {
      this.#stop(this.#texts.conflict)
      return
    }
    this.#version.value = String(version)
    this.#isMerged = true
  }

  #retry(): void {
    this.#show('bad', this.#texts.retrying)
    this.#timer = setTimeout(() => this.save(), this.#retryMs)
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS)
  }

  #stop(text: string): void {
    this.#isStopped = true
    this.#show('bad', text)
  }

  #sendOnLeaving(): void {
    if (this.#running || this.#isStopped || !this.#isDirty) return
    navigator.sendBeacon(this.#address, this.#body(JSON.stringify(this.#options.edit())))
  }

  /** The form carries everything: it waits only for the version of a request under way. */
  #submit(event: SubmitEvent): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const running = this.#running
    if (!running) {
      this.#isStopped = true
      return
    }
    event.preventDefault()
    this.#isStopped = true
    const { form } = this.#options
    void running.then(() => form.requestSubmit(event.submitter))
  }
}

// The texts that a page passes to its script.

/** The JSON in `data-texts`. */
export function textsOf<T>(element: HTMLElement): T {
  return JSON.parse(element.dataset.texts ?? '{}') as T
}

/** Replaces `{name}` by the value of that name. */
export function fillIn(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

// Which draft was made last from a template, in this tab.

const keyOf = (templateId: string) => `signet-draft-of-${templateId}`

export const draftOf = (templateId: string): string | null => sessionStorage.getItem(keyOf(templateId))

export function keepDraft(templateId: string, documentId: string): void {
  sessionStorage.setItem(keyOf(templateId), documentId)
}
