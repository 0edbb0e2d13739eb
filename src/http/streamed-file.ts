/** Files that are made while they are sent. */
import { attachment } from '../lib/content-disposition.ts'
import { PRIVATE } from './private-headers.ts'

/** A chunk is made when the reader takes it. */
export function streamOfChunks(chunks: AsyncGenerator<string | Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value)
    },
    async cancel() {
      await chunks.return()
    },
  })
}

export function csvResponse(name: string, chunks: AsyncGenerator<string, void>): Response {
  const headers = { ...PRIVATE, 'content-type': 'text/csv; charset=utf-8', 'content-disposition': attachment(name) }
  return new Response(streamOfChunks(chunks), { headers })
}
