/** A ZIP as an answer, made while it is sent: no file is held whole. What is compressed already is stored. APPNOTE.TXT 6.3. */
import { createReadStream } from 'node:fs'
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { attachment } from '../lib/content-disposition.ts'

export interface Pack {
  /** Of the ZIP. */
  fileName: string
  entries: { name: string; content: string | Uint8Array | { path: string } }[]
}

const CHUNK_BYTES = 1 << 18

/** `at`: the time every entry bears. A file that cannot be read to its end breaks the answer off: a ZIP without its directory is none. */
export function zipResponse({ fileName, entries }: Pack, at: Date): Response {
  const chunks = zipped(entries, at)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': attachment(fileName),
      'cache-control': 'private, no-store',
    },
  })
}

function chunksOf(content: Pack['entries'][number]['content']): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  if (typeof content === 'string') return [Buffer.from(content)]
  return content instanceof Uint8Array ? [content] : createReadStream(content.path, { highWaterMark: CHUNK_BYTES })
}

/** Goes on only when what it gave was taken. */
async function* zipped(entries: Pack['entries'], at: Date): AsyncGenerator<Uint8Array, void> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  for (const { name, content } of entries) {
    const isText = typeof content === 'string'
    const entry = isText ? new ZipDeflate(name) : new ZipPassThrough(name)
    entry.mtime = at
    zip.add(entry)
    for await (const chunk of chunksOf(content)) {
      entry.push(new Uint8Array(chunk))
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}
