/** The script of the pages on which documents and templates are made, beside that of all pages. */
import { upgradeFileDrops } from '../../browser/file-drops.ts'
import { keepDraft, type SavingTexts, textsOf } from './draft-saver.ts'
import { upgradePeople, upgradeTitle } from './people.ts'
import { upgradeUpload } from './upload.ts'

// Review and settings by script: saves settings when they are left, and shows the e-mail anew.

/** What the service shows differently after a setting was saved. */
const REFRESHED = ['[data-review-values]', '[data-review-mail]', '[data-review-findings]']

/** A template has the settings alone. */
const FORM = 'form:is([data-draft-page="review"], [data-draft-page="settings"])'

class ReviewForm {
  readonly #form: HTMLFormElement
  readonly #texts: SavingTexts
  readonly #status = document.querySelector<HTMLElement>('[data-save-status]')
  #running: Promise<void> | undefined
  #isDirty = false
  #isSent = false

  constructor(form: HTMLFormElement) {
    this.#form = form
    this.#texts = textsOf<SavingTexts>(form)
    form.querySelector<HTMLElement>('[data-review-save]')?.setAttribute('hidden', '')
    for (const target of [form, document.querySelector('#title')]) {
      target?.addEventListener('input', event => {
        if ((event.target as HTMLElement).id !== 'confirm') this.#isDirty = true
      })
      target?.addEventListener('change', () => this.#save())
    }
    form.addEventListener('submit', event => this.#submit(event))
    // Back in the browser, after an error for instance: it can be sent again.
    addEventListener('pageshow', () => {
      this.#isSent = false
    })
  }

  #save(): void {
    if (!this.#isDirty || this.#running || !this.#form.isConnected) return
    this.#isDirty = false
    this.#show('saving', this.#texts.saving)
    this.#running = this.#send().finally(() => {
      this.#running = undefined
      this.#save()
    })
  }

  #show(state: 'saving' | 'saved' | 'bad', text: string): void {
    if (!this.#status) return
    this.#status.dataset.state = state
    this.#status.textContent = text
    this.#status.classList.toggle('bad', state === 'bad')
  }

  async #send(): Promise<void> {
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(this.#form)) if (typeof value === 'string') body.append(name, value)
    body.append('do', 'save')
    try {
      const response = await fetch(this.#form.action, { method: 'POST', body })
      const page = new DOMParser().parseFromString(await response.text(), 'text/html')
      this.#answered(response, page)
    } catch {
      this.#isDirty = true
      this.#show('bad', this.#texts.retrying)
    }
  }

  #answered({ ok, status, url }: Response, page: Document): void {
    const form = page.querySelector<HTMLFormElement>(FORM)
    if (status === 412 && form) this.#replace(form)
    else if (!form) this.#show('bad', new URL(url).pathname === '/sign-in' ? this.#texts.signedOut : this.#texts.sent)
    else if (!ok) this.#show('bad', this.#texts.unfinished)
    else this.#refresh(form)
  }

  /** Somebody else changed the draft: shows it as it is now, with what was typed. */
  #replace(form: HTMLFormElement): void {
    this.#form.replaceWith(document.adoptNode(form))
    this.#show('bad', '')
    new ReviewForm(form)
    form.scrollIntoView()
  }

  #refresh(form: HTMLFormElement): void {
    const version = (from: HTMLFormElement) => from.elements.namedItem('version') as HTMLInputElement
    version(this.#form).value = version(form).value
    for (const selector of REFRESHED) {
      const [now, next] = [this.#form.querySelector(selector), form.querySelector(selector)]
      if (now && next && now.outerHTML !== next.outerHTML) now.replaceWith(document.adoptNode(next))
    }
    this.#show('saved', this.#texts.saved)
  }

  /** Sends once, and only after a request under way has its version. */
  #submit(event: SubmitEvent): void {
    const isSend = event.submitter?.matches('[data-send]') ?? false
    const running = this.#running
    this.#isDirty = false
    if (this.#isSent || running) event.preventDefault()
    if (running) void running.then(() => this.#form.requestSubmit(event.submitter))
    else this.#isSent = isSend
  }
}

function upgradeReview(within: ParentNode): void {
  const form = within.querySelector<HTMLFormElement>(FORM)
  if (!form) return
  const { template, base = '' } = form.dataset
  if (template) keepDraft(template, base.split('/').pop() ?? '')
  new ReviewForm(form)
}

// PDFs dropped on the list of documents open the page that takes them.

const NEW_DOCUMENT = '/documents/new'
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/** Shows the other page without leaving this one: a file cannot be handed to the next page. */
async function openWith(files: readonly File[]): Promise<void> {
  const response = await fetch(NEW_DOCUMENT)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [main, next] = [document.querySelector('main'), page.querySelector('main')]
  if (!response.ok || !main || !next?.querySelector('[data-upload]')) {
    location.assign(NEW_DOCUMENT)
    return
  }
  main.replaceWith(document.adoptNode(next))
  history.pushState(null, '', NEW_DOCUMENT)
  window.addEventListener('popstate', () => location.reload())
  document.title = page.title
  upgradeFileDrops(next)
  await upgradeUpload(next)?.(files)
}

function upgradeListDrop(): void {
  if (location.pathname !== '/documents') return
  let isOpening = false
  const mark = (isOver: boolean) => document.body.classList.toggle('drop-over', isOver)
  document.addEventListener('dragover', event => {
    if (isOpening || !hasFiles(event)) return
    event.preventDefault()
    mark(true)
  })
  document.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) mark(false)
  })
  document.addEventListener('drop', event => {
    mark(false)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (isOpening || files.length === 0) return
    event.preventDefault()
    isOpening = true
    void openWith(files)
  })
}

upgradeUpload(document)
upgradeListDrop()
upgradePeople(document)
upgradeTitle(document)
upgradeReview(document)
