/** Requests for the draft and its changes. */
import { type ApiDraft, type Draft, readDraft } from './draft.ts'
import type { DraftEdit, SaveAnswer } from './save.ts'

interface Options {
  /** `/documents/doc_…/draft` */
  url: string
  csrf: string
}

/** A request without an answer for this long is repeated. */
const PATIENCE_MS = 20_000
/** Browsers send no more than 64 kB after the page is left. */
const MAX_KEPT_BYTES = 60_000

interface ErrorBody {
  error?: {
    message?: string
    /** `by` and `isOwn`: of `draft_changed`. */
    details?: { path: string; message: string; by?: string; isOwn?: boolean }[]
  }
}

export function draftRequests({ url, csrf }: Options) {
  const bodyOf = ({ version, proposals = {}, ...edit }: DraftEdit) =>
    new URLSearchParams({
      csrf,
      version: String(version),
      edit: JSON.stringify(edit),
      proposals: JSON.stringify(proposals),
    })
  return {
    async get(): Promise<Draft | 'signedOut'> {
      const response = await fetch(url, { redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) })
      if (isSignedOut(response)) return 'signedOut'
      if (!response.ok) throw new Error(`the draft was answered ${response.status}`)
      return readDraft((await response.json()) as ApiDraft)
    },

    async post(edit: DraftEdit): Promise<SaveAnswer> {
      const body = bodyOf(edit)
      const keepalive = body.toString().length < MAX_KEPT_BYTES
      try {
        const signal = AbortSignal.timeout(PATIENCE_MS)
        return await readAnswer(await fetch(url, { method: 'POST', body, redirect: 'manual', keepalive, signal }))
      } catch {
        return { kind: 'failed' }
      }
    },

    beacon(edit: DraftEdit): void {
      navigator.sendBeacon(url, bodyOf(edit))
    },
  }
}

/** A page for signed-in people redirects others. */
function isSignedOut(response: Response): boolean {
  return response.type === 'opaqueredirect' || response.status === 401
}

async function readAnswer(response: Response): Promise<SaveAnswer> {
  if (isSignedOut(response)) return { kind: 'signedOut' }
  if (response.ok) return { kind: 'saved', version: Number(((await response.json()) as { version: number }).version) }
  const isJson = response.headers.get('content-type')?.includes('json')
  const { error }: ErrorBody = isJson ? ((await response.json()) as ErrorBody) : {}
  if (response.status === 412) return { kind: 'changed', by: error?.details?.find(({ isOwn }) => isOwn === false)?.by }
  if (response.status === 409 || response.status === 404) return { kind: 'closed' }
  if (response.status === 422) return { kind: 'refused', errors: refusedFields(error) }
  return { kind: 'failed' }
}

function refusedFields(error: ErrorBody['error']): { index: number | undefined; message: string }[] {
  const details = error?.details ?? []
  if (details.length === 0) return [{ index: undefined, message: error?.message ?? '' }]
  return details.map(({ path, message }) => {
    const index = /^fields\[(\d+)\]/.exec(path)?.[1]
    return index === undefined ? { index, message: `${path}: ${message}` } : { index: Number(index), message }
  })
}
