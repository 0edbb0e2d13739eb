/** Real child processes in one pool for all tests, because starting them takes long. */
import type { PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { openPdfTools } from '../../src/sandbox/pdf-tools.ts'
import { PROGRAM } from './program.ts'

let tools: PdfTools | undefined

export function pdfTools(): PdfTools {
  tools ??= openPdfTools({
    command: [...PROGRAM, '__pdf-child'],
    size: 2,
    limits: { cpuMs: 60_000, wallMs: 120_000, rssBytes: 1024 * 1024 * 1024 },
  })
  return tools
}
