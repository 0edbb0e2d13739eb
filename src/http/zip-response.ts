/** A ZIP made while it is sent. Files are stored, texts compressed. APPNOTE.TXT 6.3. */
import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import { attachment } from '../lib/file-names.ts'
import { partsOfFile } from '../lib/files.ts'
import type { FileSystem } from '../lib/machine.ts'
import type { App } from '../ports.ts'

export interface StoredContent {
  /** Called when it is the entry's turn: a copy made earlier may be gone by then. */
  localPath(): Promise<string>
  /** Bytes that follow those of the file; called after they were sent. */
  update?(): Promise<Uint8Array | undefined>
}

export interface ZipContent {
  /** Name of the ZIP. */
  fileName: string
  entries: { name: string; content: string | Uint8Array | StoredContent }[]
}

/** A file that cannot be read aborts the response: a ZIP without its directory is invalid. */
export function zipResponse({ fileSystem, now }: Pick<App, 'fileSystem' | 'now'>, { fileName, entries }: ZipContent): Response {
  const chunks = zip(fileSystem, entries, now())
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

async function* chunksOf(fileSystem: FileSystem, content: ZipContent['entries'][number]['content']): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content)
  else if (content instanceof Uint8Array) yield content
  else {
    yield* partsOfFile(fileSystem, await content.localPath())
    const update = await content.update?.()
    if (update) yield update
  }
}

/** Makes the next part only after the last one was consumed. */
async function* zip(fileSystem: FileSystem, entries: ZipContent['entries'], modified: Date): AsyncGenerator<Uint8Array, void> {
  const ready: Uint8Array[] = []
  const archive = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  for (const { name, content } of entries) {
    const isText = typeof content === 'string'
    const entry = isText ? new ZipDeflate(name) : new ZipPassThrough(name)
    entry.mtime = modified
    archive.add(entry)
    for await (const chunk of chunksOf(fileSystem, content)) {
      entry.push(new Uint8Array(chunk))
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(), true)
    yield* ready.splice(0)
  }
  archive.end()
  yield* ready.splice(0)
}
