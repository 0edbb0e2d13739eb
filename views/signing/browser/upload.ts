/** Sends a file of the form to the server, with its progress, and removes it there. */
import type { FieldFile } from '../../../src/core/field/field.ts'
import type { SigningData } from './data.ts'
import type { ValidationError } from './form-saver.ts'
import { MAX_TRIES, type Trouble, troubleOf } from './trouble.ts'

/**
 * `lost`: no connection. `failed`: not taken in several tries. `gone`: the server accepts nothing
 * more from this page.
 */
export type UploadResult =
  | { outcome: 'stored'; file: FieldFile }
  | { outcome: 'refused'; message: string }
  | { outcome: 'lost' | 'failed' | 'gone' }

export interface Transfer {
  result: Promise<UploadResult>
  cancel(): void
}

type Page = Pick<SigningData, 'base' | 'csrf'>

interface Listeners {
  /** The part that has been sent; 1 while the server examines the file. */
  onProgress(share: number): void
  /** Not taken now: it is sent again by itself. */
  onTrouble(trouble: Trouble): void
}

export function sendFile({ base, csrf }: Page, fieldId: string, file: File, { onProgress, onTrouble }: Listeners): Transfer {
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

export async function removeFile({ base, csrf }: Page, fieldId: string): Promise<'removed' | 'lost' | 'failed' | 'gone'> {
  try {
    const { ok, status } = await fetch(`${base}/files/${fieldId}/remove`, { method: 'POST', body: new URLSearchParams({ csrf }) })
    return ok ? 'removed' : troubleOf(status, null, 0) ? 'failed' : 'gone'
  } catch (error) {
    if (error instanceof TypeError) return 'lost'
    throw error
  }
}
