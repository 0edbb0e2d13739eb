/** Real child processes in one pool for all tests, because starting them takes long. */
import { join } from 'node:path'
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'

let tools: PdfTools | undefined

export function pdfTools(): PdfTools {
  const entry = join(import.meta.dir, '../../src/main.ts')
  tools ??= openPdfTools({
    command: [process.execPath, entry, '__pdf-child'],
    size: 2,
    limits: { cpuMs: 60_000, wallMs: 120_000, rssBytes: 1024 * 1024 * 1024 },
  })
  return tools
}
