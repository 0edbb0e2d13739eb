/** Uploads chosen PDFs: checks them, lets several be ordered, shows how far the upload is. */
import type { SendingTexts } from '../../../src/locales/en/app/sending.ts'
import { fillIn, textsOf } from '../../browser/texts.ts'
import { Sortable } from './sortable.ts'

type Texts = SendingTexts['newDocument']['script']

const HEADER_BYTES = 1024
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
const readable = (bytes: number) => (bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${megabytes(bytes)} MB`)

class UploadForm {
  readonly #form: HTMLFormElement
  readonly #texts: Texts
  readonly #input: HTMLInputElement
  #files: File[] = []
  #request: XMLHttpRequest | undefined
  /** Whether the person wants to choose more files before the upload. */
  #isCollecting = false

  constructor(form: HTMLFormElement, input: HTMLInputElement) {
    this.#form = form
    this.#input = input
    this.#texts = textsOf(form)
    input.required = false
    this.#part('submit').hidden = true
    input.addEventListener('change', () => void this.add([...(input.files ?? [])]))
    form.addEventListener('submit', event => {
      event.preventDefault()
      if (this.#files.length > 0) this.#send()
      else input.click()
    })
    this.#part('cancel').addEventListener('click', () => this.#request?.abort())
    this.#part('more').addEventListener('click', () => {
      this.#isCollecting = true
      input.click()
    })
    const list = this.#list
    list.addEventListener('click', event => this.#act(event.target as Element))
    new Sortable(list, { grip: '.grip', onMoved: item => this.#reordered(item) })
  }

  /** A single file is sent at once. */
  async add(files: readonly File[]): Promise<void> {
    if (this.#request || files.length === 0) return
    const errors = (await Promise.all(files.map(file => this.#errorOf(file)))).filter(error => error !== undefined)
    const wrong = await Promise.all(files.map(async file => (await this.#errorOf(file)) !== undefined))
    this.#files.push(...files.filter((_, i) => !wrong[i]))
    this.#input.value = ''
    // The drop area shows the names of what is chosen.
    this.#input.dispatchEvent(new Event('change'))
    const all = [...errors, ...this.#errorsTogether()]
    this.#showErrors(all)
    this.#show()
    if (this.#files.length === 1 && all.length === 0 && !this.#isCollecting) this.#send()
  }

  #part(name: string): HTMLElement {
    const part = this.#form.querySelector<HTMLElement>(`[data-upload-${name}]`)
    if (!part) throw new Error(`the page has no data-upload-${name}`)
    return part
  }

  get #list(): HTMLElement {
    return this.#part('files').querySelector('ol') as HTMLElement
  }

  get #maxBytes(): number {
    return Number(this.#form.dataset.maxBytes)
  }

  /** The service checks again; this saves the upload. */
  async #errorOf(file: File): Promise<string | undefined> {
    const { name, size } = file
    const max = String(Math.floor(this.#maxBytes / 1e6))
    if (size === 0) return fillIn(this.#texts.empty, { name })
    if (size > this.#maxBytes) return fillIn(this.#texts.tooLarge, { name, size: megabytes(size), max })
    const header = await file.slice(0, HEADER_BYTES).text()
    return header.includes('%PDF-') ? undefined : fillIn(this.#texts.notPdf, { name })
  }

  #errorsTogether(): string[] {
    const size = this.#files.reduce((sum, file) => sum + file.size, 0)
    const maxFiles = Number(this.#form.dataset.maxFiles)
    const max = Math.floor(this.#maxBytes / 1e6)
    return [
      ...(this.#files.length > maxFiles ? [fillIn(this.#texts.tooMany, { max: maxFiles })] : []),
      ...(size > this.#maxBytes ? [fillIn(this.#texts.tooLargeTogether, { size: megabytes(size), max })] : []),
    ]
  }

  #showErrors(errors: readonly string[]): void {
    const area = this.#part('errors')
    area.replaceChildren()
    if (errors.length === 0) return
    const box = document.createElement('div')
    box.className = 'error'
    for (const error of errors) {
      const line = document.createElement('p')
      line.textContent = error
      box.append(line)
    }
    area.append(box)
  }

  #say(text: string): void {
    this.#part('status').textContent = text
  }

  #show(): void {
    const isSeveral = this.#files.length > 1 || (this.#isCollecting && this.#files.length > 0)
    this.#part('files').hidden = !isSeveral
    this.#part('submit').hidden = !isSeveral
    this.#form.classList.toggle('ordering', isSeveral)
    if (!isSeveral) return
    const template = this.#part('files').querySelector('template')
    const rows = this.#files.map((file, i) => {
      const row = template?.content.firstElementChild?.cloneNode(true) as HTMLElement
      row.dataset.file = String(i)
      this.#fill(row, file, i)
      return row
    })
    this.#list.replaceChildren(...rows)
  }

  #fill(row: HTMLElement, { name, size }: File, i: number): void {
    const set = (selector: string, text: string) => {
      const element = row.querySelector(selector)
      if (element) element.textContent = text
    }
    set('.upload-name', name)
    set('.upload-size', readable(size))
    for (const button of row.querySelectorAll<HTMLButtonElement>('[data-act]')) {
      const act = button.dataset.act as 'up' | 'down' | 'remove'
      const words = fillIn(this.#texts[act], { name })
      button.title = words
      const label = button.querySelector('.unseen')
      if (label) label.textContent = words
      button.disabled = (act === 'up' && i === 0) || (act === 'down' && i === this.#files.length - 1)
    }
  }

  #act(target: Element): void {
    const button = target.closest<HTMLButtonElement>('[data-act]')
    const row = button?.closest<HTMLElement>('[data-file]')
    if (!button || !row) return
    const at = Number(row.dataset.file)
    const file = this.#files[at]
    if (!file) return
    this.#files.splice(at, 1)
    const act = button.dataset.act
    const place = act === 'up' ? at - 1 : at + 1
    if (act !== 'remove') this.#files.splice(place, 0, file)
    this.#show()
    this.#showErrors(this.#errorsTogether())
    this.#say(act === 'remove' ? fillIn(this.#texts.removed, { name: file.name }) : this.#placeOf(file))
    const again = this.#list.children[Math.min(place, this.#files.length - 1)]
    const focus =
      again?.querySelector<HTMLElement>(`[data-act="${act}"]:not([disabled])`) ??
      again?.querySelector<HTMLElement>('button:not([disabled])')
    focus?.focus()
  }

  #placeOf(file: File): string {
    return fillIn(this.#texts.moved, { name: file.name, place: this.#files.indexOf(file) + 1, total: this.#files.length })
  }

  #reordered(item: HTMLElement): void {
    const moved = this.#files[Number(item.dataset.file)]
    const rows = [...this.#list.children] as HTMLElement[]
    this.#files = rows.flatMap(row => this.#files[Number(row.dataset.file)] ?? [])
    this.#show()
    if (moved) this.#say(this.#placeOf(moved))
  }

  #send(): void {
    const errors = this.#errorsTogether()
    this.#showErrors(errors)
    if (errors.length > 0) return
    const body = new FormData()
    const csrf = this.#form.querySelector<HTMLInputElement>('[name="csrf"]')?.value ?? ''
    body.append('csrf', csrf)
    for (const file of this.#files) body.append('file', file, file.name)
    const request = new XMLHttpRequest()
    this.#request = request
    request.open('POST', this.#form.action)
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', event => this.#progress(event))
    request.addEventListener('load', () => this.#loaded(request))
    request.addEventListener('error', () => this.#ended(this.#texts.interrupted))
    request.addEventListener('abort', () => this.#ended(this.#texts.cancelled))
    this.#showProgress(true)
    request.send(body)
  }

  #progress({ loaded, total, lengthComputable }: ProgressEvent): void {
    if (!lengthComputable || total === 0) return
    const percent = Math.floor((loaded / total) * 100)
    const bar = this.#part('progress').querySelector('progress')
    if (bar) bar.value = percent
    const isDone = loaded === total
    this.#part('percent').textContent = isDone
      ? this.#texts.checking
      : fillIn(this.#texts.percent, { percent, size: readable(total) })
  }

  #showProgress(isShown: boolean): void {
    const [first] = this.#files
    const what =
      this.#files.length === 1
        ? fillIn(this.#texts.uploading, { name: first?.name ?? '' })
        : fillIn(this.#texts.uploadingSeveral, { n: this.#files.length })
    this.#part('what').textContent = what
    this.#part('percent').textContent = ''
    this.#part('progress').hidden = !isShown
    this.#form.classList.toggle('uploading', isShown)
    if (isShown) {
      this.#part('submit').hidden = true
      this.#part('files').hidden = true
      this.#say(what)
    }
  }

  #loaded(request: XMLHttpRequest): void {
    const answer = parse(request.responseText)
    // A page instead of JSON is the one for signing in.
    const elsewhere = answer === undefined && request.status < 400 ? request.responseURL : undefined
    const address = answer?.location ?? elsewhere
    if (address === undefined) this.#ended(answer?.error?.message ?? this.#texts.interrupted)
    else location.assign(address)
  }

  #ended(message: string): void {
    this.#request = undefined
    this.#showProgress(false)
    if (this.#files.length === 1 && !this.#isCollecting) this.#files = []
    this.#show()
    this.#showErrors([message])
    this.#input.focus()
  }
}

function parse(text: string): { location?: string; error?: { message: string } } | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns what takes files that were dropped elsewhere. */
export function upgradeUpload(within: ParentNode): ((files: readonly File[]) => Promise<void>) | undefined {
  const form = within.querySelector<HTMLFormElement>('form[data-upload]')
  const input = form?.querySelector<HTMLInputElement>('input[type="file"]')
  if (!form || !input) return undefined
  const upload = new UploadForm(form, input)
  return files => upload.add(files)
}
