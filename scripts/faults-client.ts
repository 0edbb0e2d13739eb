/** A program with an API token, and signers with mailed links, for trials of the executable. */
import { openVisitor } from '../test/support/browser-less.ts'
import { outbox, type Serving, until } from '../test/support/executable.ts'
import { SIGNATURE, samplePdf } from '../test/support/sample.ts'

const FILE = await samplePdf(14)

export interface Answer {
  status: number
  ms: number
  id: string | undefined
  retryAfter: string | null
}

const signerOf = (n: number) => ({ email: `signer-${n}@example.com`, name: `Signer ${n}` })

/** A document for one signer. `send`: it is sent in the same step. */
function bodyOf(n: number, isSent: boolean): string {
  return JSON.stringify({
    title: `Document ${n}`,
    fileName: 'contract.pdf',
    file: FILE,
    recipients: [{ ...signerOf(n), fields: [{ ...SIGNATURE, page: 1 }] }],
    ...(isSent ? { send: true } : {}),
  })
}

export function apiClient(serving: Serving, key: string) {
  const made = new Set<string>()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    headers,
    /** The ids of all that was answered with 201. */
    made: made as ReadonlySet<string>,
    async create(n: number, idempotencyKey: string, { isSent = false } = {}): Promise<Answer> {
      const startMs = performance.now()
      const init = { method: 'POST', headers: { ...headers, 'idempotency-key': idempotencyKey }, body: bodyOf(n, isSent) }
      const response = await serving.fetch('/api/v1/documents', init)
      const { id } = (await response.json()) as { id?: string }
      if (response.status === 201 && id !== undefined) made.add(id)
      return { status: response.status, ms: performance.now() - startMs, id, retryAfter: response.headers.get('retry-after') }
    },
    async send(id: string): Promise<void> {
      const response = await serving.fetch(`/api/v1/documents/${id}/send`, { method: 'POST', headers })
      if (response.status !== 200) throw new Error(`send answered ${response.status}`)
    },
    async get(id: string): Promise<{ status: string; sealingError: string | null }> {
      return (await (await serving.fetch(`/api/v1/documents/${id}`, { headers })).json()) as never
    },
    async statusOf(id: string): Promise<number> {
      const response = await serving.fetch(`/api/v1/documents/${id}`, { headers })
      await response.bytes()
      return response.status
    },
    /** The ids of all documents. */
    async ids(): Promise<string[]> {
      const found: string[] = []
      for (let cursor = ''; ; ) {
        const response = await serving.fetch(`/api/v1/documents?limit=100${cursor}`, { headers })
        const { data, nextCursor } = (await response.json()) as { data: { id: string }[]; nextCursor: string | null }
        found.push(...data.map(({ id }) => id))
        if (nextCursor === null) return found
        cursor = `&cursor=${encodeURIComponent(nextCursor)}`
      }
    },
  }
}

export type ApiClient = ReturnType<typeof apiClient>

/** Made, or refused with the time after which to come back. */
export const isMadeOrBusy = ({ status, retryAfter }: Answer): boolean =>
  status === 201 || ((status === 503 || status === 429) && Number(retryAfter) > 0)

export const seconds = (ms: number): number => Math.round(ms / 100) / 10

/** The path of the link that was mailed to the signer of document `n`. */
export function linkFor(dataFolder: string, n: number): Promise<string> {
  const { email } = signerOf(n)
  return until(`the mail to ${email}`, async () => {
    const mail = (await outbox(dataFolder)).find(({ to, text }) => to === email && text.includes('/s/'))
    return /http\S+?(\/s\/\S+)/.exec(mail?.text ?? '')?.[1]
  })
}

/** The status of the answer to “Finish”, or of the page before it that was refused. */
export async function sign(serving: Serving, dataFolder: string, n: number): Promise<number> {
  const link = await linkFor(dataFolder, n)
  const visitor = openVisitor(serving.fetch, serving.url)
  const landing = await visitor.get(link)
  const form = landing.status === 200 ? await visitor.submit(landing) : landing
  if (form.status !== 200) return form.status
  return (await visitor.submit(form, { signature: `Signer ${n}`, consent: 'on' }, '/finish')).status
}
