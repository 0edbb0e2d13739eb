/**
 * Measures the seal beside two yardsticks in the same run: another library that
 * loads, draws, saves and signs the same files, and reading, hashing and writing a large file.
 */
import { createHash, webcrypto } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CryptoKeySigner, PDF } from '@libpdf/core'
import { PDFDocument, PDFName } from 'pdf-lib'
import type { PrepareRequest } from '../src/evidence/prepare.ts'
import { THIS_FILE_SYSTEM } from '../src/lib/this-file-system.ts'
import { THIS_MACHINE } from '../src/lib/this-machine.ts'
import { fill, sign } from '../src/pades/cms.ts'
import { localKey, makeAuthority } from '../src/pki/key.ts'
import type { PdfTools } from '../src/sandbox/pdf-tools.ts'
import { openPdfTools } from '../src/sandbox/pdf-tools.ts'
import { EVIDENCE, SIGNATURE } from '../test/support/prepare-request.ts'

const BINARY = join(import.meta.dir, '../dist/signet')
const folder = mkdtempSync(join(tmpdir(), 'signet-bench-seal-'))
const now = new Date()
const authority = await makeAuthority({ ...THIS_MACHINE, organisation: 'Bench', environment: 'test', keyType: 'rsa-3072', now })
const key = localKey({ leaf: authority.leaf, issuers: [authority.root.certificateDer] }, THIS_MACHINE.threads)
const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
const rows: [what: string, figure: string, goal: string][] = []

const poolOf = (size: number): PdfTools =>
  openPdfTools({
    command: [BINARY, '__pdf-child'],
    size,
    limits: { cpuMs: 60_000, wallMs: 120_000, rssBytes: 2 * 1024 * 1024 * 1024 },
  })

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

/** Pages of text, as a contract has them. */
async function textPdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont('Helvetica')
  for (let i = 0; i < pages; i++) {
    const page = document.addPage([595.28, 841.89])
    for (let line = 0; line < 45; line++) {
      page.drawText(`${i + 1}.${line + 1} The parties agree that this line is one of many and means what it says.`, {
        x: 60,
        y: 780 - line * 16,
        size: 10,
        font,
      })
    }
  }
  return document.save({ useObjectStreams: false })
}

/** Streams that cannot be packed, up to this size. */
async function heavyPdf(bytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.addPage()
  for (let left = bytes; left > 0; left -= 1_000_000) {
    document.context.register(document.context.stream(noise(1_000_000)))
  }
  return document.save({ useObjectStreams: false })
}

function noise(bytes: number): Uint8Array {
  const all = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536) webcrypto.getRandomValues(all.subarray(at, Math.min(bytes, at + 65_536)))
  return all
}

/** So many small objects, each in use. */
async function manyObjects(count: number): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const page = document.addPage()
  const refs = Array.from({ length: count }, (_, i) => document.context.register(document.context.obj({ Number: i })))
  page.node.set(PDFName.of('PieceInfo'), document.context.obj(refs))
  return document.save({ useObjectStreams: false })
}

let made = 0
function orderOf(sourcePath: string, pages: number): PrepareRequest {
  const box = { x: 10, y: 80, width: 30, height: 6 }
  return {
    sourcePath,
    outPath: join(folder, `out-${++made}.pdf`),
    fields: Array.from({ length: Math.min(pages, 10) }, (_, i) => ({
      page: i + 1,
      box,
      content: { kind: 'signature' as const, text: 'Ada Lovelace' },
    })),
    evidence: { ...EVIDENCE, document: { ...EVIDENCE.document, pageCount: pages } },
    signature: { ...SIGNATURE, at: now.toISOString(), contentsBytes: 16_384 },
  }
}

async function sealOnce(tools: PdfTools, sourcePath: string, pages: number): Promise<string> {
  const prepared = await tools.prepare(orderOf(sourcePath, pages))
  await fill(THIS_FILE_SYSTEM, await sign(prepared, key))
  return prepared.path
}

const privateKey = await webcrypto.subtle.importKey(
  'pkcs8',
  authority.leaf.privateKeyPkcs8Der as Uint8Array<ArrayBuffer>,
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  false,
  ['sign'],
)
const peerSigner = new CryptoKeySigner(
  privateKey as unknown as CryptoKey,
  authority.leaf.certificateDer,
  'RSA',
  'RSASSA-PKCS1-v1_5',
  [authority.root.certificateDer],
)

/** The other library: load, draw a name on up to ten pages, save incrementally, sign, write. */
async function peerOnce(sourcePath: string, pages: number): Promise<void> {
  const pdf = await PDF.load(readFileSync(sourcePath))
  for (let i = 0; i < Math.min(pages, 10); i++) pdf.getPage(i)?.drawText('Ada Lovelace', { x: 60, y: 100, size: 14 })
  const { bytes } = await pdf.sign({ signer: peerSigner, reason: 'Sealed' })
  const handle = await open(join(folder, `peer-${++made}.pdf`), 'wx')
  await handle.writeFile(bytes)
  await handle.sync()
  await handle.close()
}

async function besidePeer(tools: PdfTools, pages: number): Promise<void> {
  const path = join(folder, `${pages}.pdf`)
  writeFileSync(path, await textPdf(pages))
  const own: number[] = []
  const peer: number[] = []
  for (let i = 0; i < 60; i++) {
    own.push(await timed(() => sealOnce(tools, path, pages)))
    peer.push(await timed(() => peerOnce(path, pages)))
  }
  // The first rounds warm both up.
  const [ownMs, peerMs] = [median(own.slice(40)), median(peer.slice(40))]
  const figure = `${(ownMs / peerMs).toFixed(2)} × (${ownMs.toFixed(0)} ms against ${peerMs.toFixed(0)} ms)`
  rows.push([
    `seal of ${pages} pages with its audit certificate, against @libpdf/core's own load–stamp–sign without`,
    figure,
    '≤ 1 ×',
  ])
}

async function large(tools: PdfTools): Promise<void> {
  const path = join(folder, 'large.pdf')
  writeFileSync(path, await heavyPdf(100_000_000))
  const own: number[] = []
  const plain: number[] = []
  for (let i = 0; i < 4; i++) {
    let out = ''
    const ownMs = await timed(async () => {
      out = await sealOnce(tools, path, 1)
    })
    own.push(ownMs)
    rmSync(out)
    plain.push(
      await timed(async () => {
        const bytes = readFileSync(path)
        createHash('sha256').update(bytes).digest()
        const handle = await open(join(folder, 'copy'), 'w')
        await handle.writeFile(bytes)
        await handle.sync()
        await handle.close()
      }),
    )
  }
  const [ownMs, plainMs] = [median(own.slice(1)), median(plain.slice(1))]
  rows.push([
    'seal of a 100 MB file against read, SHA-256 and synced write of it',
    `${(ownMs / plainMs).toFixed(2)} × (${ownMs.toFixed(0)} ms against ${plainMs.toFixed(0)} ms)`,
    '≤ 3 ×',
  ])
}

async function crowded(tools: PdfTools): Promise<void> {
  const path = join(folder, 'objects.pdf')
  writeFileSync(path, await manyObjects(200_000))
  const own: number[] = []
  for (let i = 0; i < 4; i++) own.push(await timed(() => sealOnce(tools, path, 1)))
  rows.push(['seal of a file of 200,000 objects', `${median(own.slice(1)).toFixed(0)} ms`, '≤ 1,000 ms'])
}

/** Seals a second with this many children. */
async function throughput(size: number): Promise<number> {
  const tools = poolOf(size)
  const path = join(folder, '10.pdf')
  // A child is fast once its code was compiled: that takes some hundred seals.
  await Promise.all(Array.from({ length: size * 150 }, () => sealOnce(tools, path, 10)))
  const count = 150
  const ms = await timed(() => Promise.all(Array.from({ length: count }, () => sealOnce(tools, path, 10))))
  await tools.close()
  return (count / ms) * 1000
}

const tools = poolOf(1)
try {
  for (const pages of [1, 10, 100]) await besidePeer(tools, pages)
  await large(tools)
  await crowded(tools)
  await tools.close()
  const [one, two] = [await throughput(1), await throughput(2)]
  rows.push([
    'seals a second of ten pages, two children against one',
    `${(two / one).toFixed(2)} × (${two.toFixed(1)}/s against ${one.toFixed(1)}/s)`,
    '≥ 1.7 ×',
  ])
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const widths = [0, 1].map(i => Math.max(...rows.map(row => row[i as 0 | 1].length)))
for (const [what, figure, goal] of rows) console.log(`${what.padEnd(widths[0] ?? 0)}  ${figure.padEnd(widths[1] ?? 0)}  ${goal}`)
process.exit(0)
