/** The entry of a file: chosen, sent at once with its progress, shown, replaced, removed. */
import type { FieldFile } from '../../../src/core/field/field.ts'
import { fileSize } from '../../../src/core/field/number.ts'
import { type FieldData, format, type SigningData, typesText } from './data.ts'
import { button, element, requireElement } from './element.ts'
import { type Entry, entryElement, refusalOf } from './entries.ts'
import { MAX_TRIES, type Trouble, troubleOf, troubleText, type ValidationError } from './form-saver.ts'

interface FileOptions {
  field: FieldData
  data: SigningData
  onChange(entry: Entry): void
  /** The server has stored or removed the file. */
  onStored(entry: Entry): void
}

export function fileEntry(options: FileOptions): Entry {
  const { field, data } = options
  const { file: texts } = data.texts
  const name = `fields.${field.id}`
  const control = new FileControl(options, entryElement(name), (refusal, isStored) => {
    entry.refusal = refusal
    options.onChange(entry)
    if (isStored) options.onStored(entry)
  })
  const missing = field.type === 'image' ? texts.photoMissing : texts.missing
  const entry: Entry = {
    name,
    label: field.label,
    isRequired: field.required,
    isHidden: false,
    element: entryElement(name),
    boxes: [...field.boxes],
    control: () => control.button,
    isFilled: () => control.file !== undefined,
    error() {
      if (control.isSending) return format(texts.underway, { field: field.label })
      // A refused file was not taken: it keeps nobody from going on with another one, or none.
      const isMissing = field.required && control.file === undefined
      return isMissing ? (entry.refusal ?? format(missing, { field: field.label })) : undefined
    },
    underway: () => control.underway,
    // Files are not part of the form that is saved.
    members: () => ({}),
    refusal: refusalOf(name),
  }
  return entry
}

/** `isStored`: what the server has, has changed. */
type OnChange = (refusal: string | undefined, isStored: boolean) => void

class FileControl {
  file: FieldFile | undefined
  /** Chooses the first file, or another one. */
  readonly button: HTMLButtonElement
  readonly #options: FileOptions
  readonly #onChange: OnChange
  readonly #input: HTMLInputElement
  /** The hash of the file that the person sees: no other is signed. */
  readonly #shown: HTMLInputElement
  readonly #remove: HTMLButtonElement
  readonly #cancel: HTMLButtonElement
  readonly #name = element('p', { class: 'file-name' })
  readonly #picture = element('img', { class: 'picture', hidden: true })
  readonly #progress: HTMLProgressElement
  readonly #state = element('p', { class: 'file-state' })
  readonly #heard = element('p', { class: 'unseen', role: 'status' })
  #transfer: Transfer | undefined
  #underway: Promise<boolean> | undefined
  /** Each picture has an address of its own, so that the browser does not show a cached one. */
  #version = 0

  constructor(options: FileOptions, box: HTMLElement, onChange: OnChange) {
    const { field, data } = options
    const { texts } = data
    this.file = field.file
    this.#options = options
    this.#onChange = onChange
    this.#input = requireElement('input[type="file"]', HTMLInputElement, box)
    this.#shown = requireElement('input[type="hidden"]', HTMLInputElement, box)
    const { id } = this.#input
    this.button = button('', { class: 'plain', id: `${id}-choose`, 'aria-labelledby': `${id}-label ${id}-choose` }, () =>
      this.#input.click(),
    )
    this.#remove = this.#act(texts.file.remove, 'remove', () => void this.#removeFile())
    this.#cancel = this.#act(texts.file.cancel, 'cancel', () => this.#stop())
    this.#progress = element('progress', { max: '1', 'aria-label': texts.progressBar })
    this.#build(box)
    this.#show()
    this.#input.addEventListener('change', () => this.#take(this.#input.files))
    // Without this the browser would leave the page for the file.
    box.addEventListener('dragover', event => event.preventDefault())
    box.addEventListener('drop', event => {
      event.preventDefault()
      if (!this.isSending) this.#take(event.dataTransfer?.files)
    })
  }

  get isSending(): boolean {
    return this.#transfer !== undefined
  }

  /** Whether the file that is being sent is stored at last. */
  get underway(): Promise<boolean> | undefined {
    return this.isSending ? this.#underway : undefined
  }

  #act(text: string, name: string, run: () => void): HTMLButtonElement {
    const { id } = this.#input
    return button(text, { class: 'link', id: `${id}-${name}`, 'aria-labelledby': `${id}-${name} ${id}-label` }, run)
  }

  /** The input works without a script; with one, its buttons take its place. */
  #build(box: HTMLElement): void {
    this.#input.hidden = true
    // The file is sent by itself, not again with the form.
    this.#input.removeAttribute('name')
    box.querySelector('.received')?.remove()
    const hint = box.querySelector('.hint')
    if (hint) this.button.setAttribute('aria-describedby', hint.id)
    box.setAttribute('role', 'group')
    box.setAttribute('aria-labelledby', `${this.#input.id}-label`)
    box.append(
      this.#picture,
      this.#name,
      this.#progress,
      this.#state,
      element('div', { class: 'file-acts' }, this.button, this.#remove, this.#cancel),
      this.#heard,
    )
  }

  /** Shows the buttons that are possible now. Keeps the focus in the entry. */
  #show(): void {
    const { field, data } = this.#options
    const { file: texts } = data.texts
    const { file, isSending } = this
    const focused = document.activeElement
    this.#shown.value = file?.sha256 ?? ''
    this.button.hidden = isSending
    this.button.textContent = file ? texts.replace : field.type === 'image' ? texts.choosePhoto : texts.choose
    this.#remove.hidden = isSending || !file
    this.#cancel.hidden = !isSending
    this.#progress.hidden = !isSending
    this.#state.hidden = !isSending
    this.#name.hidden = isSending || !file
    if (file) {
      const size = element('span', { class: 'quiet' }, fileSize(file.bytes, data.lang))
      this.#name.replaceChildren(element('bdi', {}, file.fileName), ' ', size)
    }
    this.#showPicture()
    if (focused instanceof HTMLElement && focused.hidden) (isSending ? this.#cancel : this.button).focus({ preventScroll: true })
  }

  #showPicture(): void {
    const { field, data } = this.#options
    const isPicture = this.file !== undefined && this.file.mediaType !== 'application/pdf'
    this.#picture.hidden = this.isSending || !isPicture
    if (this.#picture.hidden || !this.file) return
    const src = `${data.base}/files/${field.id}?v=${this.file.sha256.slice(0, 16)}-${this.#version}`
    if (this.#picture.getAttribute('src') !== src) this.#picture.src = src
    this.#picture.alt = format(data.texts.file.preview, { file: this.file.fileName })
  }

  #take(files: FileList | null | undefined): void {
    const [file] = files ?? []
    if (file) this.#underway = this.#send(file)
  }

  /** Whether the server has stored it. */
  async #send(file: File): Promise<boolean> {
    const refusal = this.#refusalOf(file)
    this.#input.value = ''
    if (refusal !== undefined) {
      this.#onChange(refusal, false)
      return false
    }
    const { field, data } = this.#options
    const { file: texts } = data.texts
    const percent = new Intl.NumberFormat(data.lang, { style: 'percent' })
    const transfer = sendFile(data, field.id, file, {
      onProgress: share => {
        this.#progress.value = share
        const text = share < 1 ? texts.sending : texts.examining
        this.#state.textContent = format(text, { file: file.name, percent: percent.format(share) })
      },
      onTrouble: trouble => {
        this.#progress.value = 0
        this.#state.textContent = troubleText(data.texts, trouble, 'file', data.lang)
        this.#heard.textContent = this.#state.textContent
      },
    })
    this.#transfer = transfer
    this.#heard.textContent = ''
    this.#progress.value = 0
    this.#show()
    this.#onChange(undefined, false)
    const result = await transfer.result
    // Cancelled, or another file was chosen meanwhile.
    if (this.#transfer !== transfer) return false
    this.#transfer = undefined
    if (result.outcome === 'stored') this.#store(result.file)
    this.#show()
    if (result.outcome === 'stored') this.#onChange(undefined, true)
    else this.#onChange(this.#messageOf(result), false)
    return result.outcome === 'stored'
  }

  #store(file: FieldFile): void {
    this.file = file
    this.#version++
    this.#heard.textContent = format(this.#options.data.texts.file.added, { file: file.fileName })
  }

  #messageOf(result: { outcome: 'refused'; message: string } | { outcome: 'lost' | 'failed' | 'gone' }): string {
    const { field, data } = this.#options
    if (result.outcome === 'refused' && result.message !== '') return result.message
    if (result.outcome === 'failed') return format(data.texts.trouble.later, { field: field.label })
    return result.outcome === 'gone' ? data.texts.gone : format(data.texts.file.failed, { field: field.label })
  }

  /** Tells at once what the server would tell after minutes of sending. */
  #refusalOf({ size, type }: File): string | undefined {
    const { field, data } = this.#options
    const { file: texts } = data.texts
    const about = { field: field.label, size: fileSize(field.maxBytes, data.lang), types: typesText(field.accept, data.lang) }
    // A system without a name for the type reports none: the server looks into the file.
    const isOther = type !== '' && !field.accept.some(accepted => accepted === type)
    if (isOther) return format(texts.wrongType, about)
    return size > field.maxBytes ? format(texts.tooLarge, about) : undefined
  }

  #stop(): void {
    const transfer = this.#transfer
    this.#transfer = undefined
    transfer?.cancel()
    this.#show()
    this.#onChange(undefined, false)
  }

  async #removeFile(): Promise<void> {
    const { field, data } = this.#options
    const { file } = this
    if (!file) return
    const outcome = await removeFile(data, field.id)
    if (outcome !== 'removed') return this.#onChange(this.#messageOf({ outcome }), false)
    this.file = undefined
    this.#heard.textContent = format(data.texts.file.removed, { file: file.fileName })
    this.#show()
    this.#onChange(undefined, true)
  }
}

// Sends a file of the form to the server, with its progress, and removes it there.

/**
 * `lost`: no connection. `failed`: not taken in several tries. `gone`: the server accepts nothing
 * more from this page.
 */
type UploadResult =
  | { outcome: 'stored'; file: FieldFile }
  | { outcome: 'refused'; message: string }
  | { outcome: 'lost' | 'failed' | 'gone' }

interface Transfer {
  result: Promise<UploadResult>
  cancel(): void
}

/** Where the form of this page is sent. */
type FormTarget = Pick<SigningData, 'base' | 'csrf'>

interface TransferListeners {
  /** The part that has been sent; 1 while the server examines the file. */
  onProgress(share: number): void
  /** Not taken now: it is sent again by itself. */
  onTrouble(trouble: Trouble): void
}

function sendFile(
  { base, csrf }: FormTarget,
  fieldId: string,
  file: File,
  { onProgress, onTrouble }: TransferListeners,
): Transfer {
  const body = new FormData()
  body.set('csrf', csrf)
  body.set('file', file)
  const { promise, resolve } = deferred<UploadResult>()
  let request: XMLHttpRequest
  let timer: ReturnType<typeof setTimeout> | undefined
  const attempt = (failures: number) => {
    // `fetch` does not report progress.
    request = new XMLHttpRequest()
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    for (const type of ['error', 'abort', 'timeout']) request.addEventListener(type, () => resolve({ outcome: 'lost' }))
    request.addEventListener('load', () => {
      const trouble = troubleOf(request.status, request.getResponseHeader('retry-after'), failures)
      if (!trouble) return resolve(resultOf(request))
      if (failures + 1 === MAX_TRIES) return resolve({ outcome: 'failed' })
      onTrouble(trouble)
      timer = setTimeout(() => attempt(failures + 1), trouble.waitS * 1000)
    })
    request.open('POST', `${base}/files/${fieldId}`)
    request.send(body)
  }
  attempt(0)
  const cancel = () => {
    clearTimeout(timer)
    request.abort()
    resolve({ outcome: 'lost' })
  }
  return { result: promise, cancel }
}

/** `Promise.withResolvers`, which browsers of before 2024 do not know. */
function deferred<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>(settle => {
    resolve = settle
  })
  return { promise, resolve }
}

function resultOf({ status, responseText }: XMLHttpRequest): UploadResult {
  try {
    if (status === 200) return { outcome: 'stored', file: JSON.parse(responseText) as FieldFile }
    if (status === 422) return { outcome: 'refused', message: messageIn(responseText) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { outcome: 'lost' }
  }
  return { outcome: 'gone' }
}

function messageIn(text: string): string {
  const { errors } = JSON.parse(text) as { errors: ValidationError[] }
  return errors.map(({ message }) => message).join(' ')
}

async function removeFile({ base, csrf }: FormTarget, fieldId: string): Promise<'removed' | 'lost' | 'failed' | 'gone'> {
  try {
    const { ok, status } = await fetch(`${base}/files/${fieldId}/remove`, { method: 'POST', body: new URLSearchParams({ csrf }) })
    return ok ? 'removed' : troubleOf(status, null, 0) ? 'failed' : 'gone'
  } catch (error) {
    if (error instanceof TypeError) return 'lost'
    throw error
  }
}
