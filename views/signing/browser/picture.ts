/**
 * A mark from a photo: decoded and scaled here, so that its metadata stays on the device. The
 * server removes the paper; what it returns is shown.
 */
import { MAX_PHOTO_BYTES, MAX_PICTURE_BYTES, type MarkName } from '../../../src/core/signing/signature-mark.ts'
import type { ScriptTexts } from '../../../src/locales/catalogue.ts'
import { format } from './data.ts'
import { element } from './element.ts'
import { MAX_TRIES, type SaveState, type Trouble, troubleOf, troubleText, type ValidationError } from './form-saver.ts'
import type { MarkMethod } from './mark.ts'

interface Options {
  name: MarkName
  texts: ScriptTexts
  lang: string
  base: string
  csrf: string
  hasPicture: boolean
  /** Saves pending form values first: they must not arrive after the picture. */
  flush(): Promise<SaveState>
  refuse(message: string): void
  stored(): void
}

export function pictureMethod({ name, texts, lang, base, csrf, hasPicture, flush, refuse, stored }: Options): MarkMethod {
  const { mark } = texts
  const choose = element('input', {
    type: 'file',
    id: `${name}File`,
    accept: 'image/*',
    'aria-describedby': `${name}File-hint`,
  })
  const label = element('label', { for: choose.id }, mark.choosePicture)
  const hint = element('p', { class: 'hint', id: `${name}File-hint` }, mark.pictureHint)
  const state = element('p', { role: 'status' })
  const picture = element('img', { class: 'picture', alt: mark[name].picture, hidden: !hasPicture })
  // Each picture has an address of its own, so that the browser does not show a cached one.
  let version = 0
  const show = () => {
    picture.src = `${base}/picture?for=${name}&v=${++version}`
    picture.hidden = false
  }
  let isStored = hasPicture
  if (hasPicture) show()

  let underway: Promise<boolean> | undefined

  async function upload(file: File): Promise<string | undefined> {
    state.textContent = mark.uploading
    const [png] = await Promise.all([asPng(file), flush()])
    const result =
      png &&
      (await send(`${base}/picture`, { csrf, for: name, file: png }, trouble => {
        state.textContent = troubleText(texts, trouble, 'file', lang)
      }))
    state.textContent = ''
    choose.value = ''
    if (result === undefined) return mark.pictureUnreadable
    if (result === 'lost') return mark.pictureFailed
    if (result === 'failed') return format(texts.trouble.later, { field: mark[name].name })
    if (result === 'gone') return texts.gone
    if (result !== 'stored') return result.map(({ message }) => message).join(' ') || mark.pictureHint
    isStored = true
    show()
  }
  /** After the one before: the picture that was chosen last is kept. */
  function take(file: File): void {
    const taken: Promise<boolean> = (underway ?? Promise.resolve()).then(async () => {
      const refusal = await upload(file)
      if (underway === taken) underway = undefined
      if (refusal === undefined) stored()
      else refuse(refusal)
      return refusal === undefined
    })
    underway = taken
  }
  choose.addEventListener('change', () => {
    const file = choose.files?.[0]
    if (!file) return
    if (file.size > MAX_PHOTO_BYTES) refuse(mark.pictureHint)
    else take(file)
  })
  return {
    element: element('div', { class: 'method' }, label, hint, choose, state, picture),
    isMade: () => isStored,
    underway: () => underway,
  }
}

/** Larger files are not photos of a signature. `pictureHint` names this bound. */
/**
 * Longer side of the upload, px. The next one is tried while the PNG exceeds the server's limit.
 */
const MAX_SIDES = [1600, 1200, 800]

/**
 * The photo upright and scaled down, without its metadata. Undefined if this browser cannot decode
 * it.
 */
async function asPng(file: File): Promise<Blob | undefined> {
  let photo: ImageBitmap
  try {
    photo = await createImageBitmap(file, { imageOrientation: 'from-image' })
  } catch (error) {
    // A TypeError: an old browser that does not know the option.
    if (error instanceof DOMException || error instanceof TypeError) return undefined
    throw error
  }
  let png: Blob | undefined
  for (const side of MAX_SIDES) {
    png = await scaledPng(photo, side)
    if (!png || png.size <= MAX_PICTURE_BYTES) break
  }
  // Frees four bytes a pixel now: 200 MB for a photo of 50 megapixels.
  photo.close()
  return png
}

function scaledPng(photo: ImageBitmap, maxSide: number): Promise<Blob | undefined> {
  const scale = Math.min(1, maxSide / Math.max(photo.width, photo.height))
  const canvas = element('canvas')
  canvas.width = Math.max(1, Math.round(photo.width * scale))
  canvas.height = Math.max(1, Math.round(photo.height * scale))
  const context = canvas.getContext('2d')
  if (context) {
    context.imageSmoothingQuality = 'high'
    context.drawImage(photo, 0, 0, canvas.width, canvas.height)
  }
  return new Promise(resolve => canvas.toBlob(png => resolve(png ?? undefined), 'image/png'))
}

/** As for files of fields: `lost`, `failed` and `gone`. */
async function send(
  url: string,
  members: Record<string, string | Blob>,
  onTrouble: (trouble: Trouble) => void,
  failures = 0,
): Promise<'stored' | 'lost' | 'failed' | 'gone' | ValidationError[]> {
  const body = new FormData()
  for (const [member, value] of Object.entries(members)) body.set(member, value)
  try {
    const response = await fetch(url, { method: 'POST', body })
    const { ok, status } = response
    if (ok) return 'stored'
    if (status === 422) return ((await response.json()) as { errors: ValidationError[] }).errors
    if (status === 413) return []
    const trouble = troubleOf(status, response.headers.get('retry-after'), failures)
    if (!trouble) return 'gone'
    if (failures + 1 === MAX_TRIES) return 'failed'
    onTrouble(trouble)
    await new Promise(resolve => setTimeout(resolve, trouble.waitS * 1000))
    return send(url, members, onTrouble, failures + 1)
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return 'lost'
    throw error
  }
}
