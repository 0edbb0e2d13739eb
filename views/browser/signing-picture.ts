/** A mark from a picture: sent to the server, which takes the paper away, and shown as it comes back. */
import { MAX_PICTURE_BYTES, type MarkName } from '../../src/core/signature-mark.ts'
import type { ScriptTexts } from '../../src/locales/catalogue.ts'
import { element } from './signing-element.ts'
import type { SaveState, ValidationError } from './signing-form-saver.ts'
import type { Way } from './signing-mark.ts'

interface Options {
  name: MarkName
  texts: ScriptTexts
  base: string
  csrf: string
  hasPicture: boolean
  /** What waits to be saved goes first: it must not come after the picture. */
  flush(): Promise<SaveState>
  refuse(message: string): void
  stored(): void
}

export function pictureWay({ name, texts: { mark, gone }, base, csrf, hasPicture, flush, refuse, stored }: Options): Way {
  const choose = element('input', {
    type: 'file',
    id: `${name}File`,
    accept: 'image/png,image/jpeg',
    'aria-describedby': `${name}File-hint`,
  })
  const label = element('label', { for: choose.id }, mark.choosePicture)
  const hint = element('p', { class: 'hint', id: `${name}File-hint` }, mark.pictureHint)
  const state = element('p', { role: 'status' })
  const picture = element('img', { class: 'picture', alt: mark[name].picture, hidden: !hasPicture })
  // Each picture under an address of its own, so that an older one is never shown in its stead.
  let version = 0
  const show = () => {
    picture.src = `${base}/picture?for=${name}&v=${++version}`
    picture.hidden = false
  }
  let isThere = hasPicture
  if (hasPicture) show()

  async function upload(file: File): Promise<void> {
    state.textContent = mark.uploading
    await flush()
    const result = await sent(`${base}/picture`, { csrf, for: name, file })
    state.textContent = ''
    choose.value = ''
    if (result === 'lost') return refuse(mark.pictureFailed)
    if (result === 'gone') return refuse(gone)
    if (result !== 'stored') return refuse(result.map(({ message }) => message).join(' ') || mark.pictureHint)
    isThere = true
    show()
    stored()
  }
  choose.addEventListener('change', () => {
    const file = choose.files?.[0]
    if (!file) return
    if (file.size > MAX_PICTURE_BYTES) refuse(mark.pictureHint)
    else void upload(file)
  })
  return { element: element('div', { class: 'way' }, label, hint, choose, state, picture), isMade: () => isThere }
}

/** `lost`: not now. `gone`: the server takes nothing more of this page. */
async function sent(
  url: string,
  members: Record<string, string | File>,
): Promise<'stored' | 'lost' | 'gone' | ValidationError[]> {
  const body = new FormData()
  for (const [member, value] of Object.entries(members)) body.set(member, value)
  try {
    const response = await fetch(url, { method: 'POST', body })
    const { ok, status } = response
    if (ok) return 'stored'
    if (status === 422) return ((await response.json()) as { errors: ValidationError[] }).errors
    if (status === 413) return []
    return status === 429 || status >= 500 ? 'lost' : 'gone'
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return 'lost'
    throw error
  }
}
