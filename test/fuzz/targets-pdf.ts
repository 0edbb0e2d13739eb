/** Targets: tasks of the child processes that read PDFs, the verifier, and streams inside PDFs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PrepareRequest, prepare } from '../../src/evidence/prepare.ts'
import type { ExamineFileRequest } from '../../src/image/field-file.ts'
import { toBase64 } from '../../src/lib/bytes.ts'
import { InflateError } from '../../src/lib/inflate.ts'
import { inflate as inflateInBrowser } from '../../src/lib/primitives.browser.ts'
import { inflate } from '../../src/lib/primitives.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { rangesOf } from '../../src/pades/byte-range.ts'
import { openForUpdate } from '../../src/pdf/inspect/open-for-update.ts'
import { balanceContent } from '../../src/pdf/parser/content-balance.ts'
import { decodeContent } from '../../src/pdf/parser/filters.ts'
import { readToUnicode } from '../../src/pdf/parser/to-unicode.ts'
import type { Certificate } from '../../src/pki/x509.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { openPdfTools, type PdfTools } from '../../src/sandbox/pdf-tools.ts'
import { DEFAULT_LIMITS } from '../../src/sandbox/pool.ts'
import { readOperations } from '../../src/verify/changes/painted/operations.ts'
import { readXmp } from '../../src/verify/changes/xmp.ts'
import { findByteRanges } from '../../src/verify/verify.ts'
import { makePdf } from '../support/make-pdf.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from '../support/prepare-request.ts'
import { PROGRAM } from '../support/program.ts'
import { seal } from '../support/seal.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { besides, CORPUS_TIME, seedsIn } from './corpus.ts'
import { type Reader, type Target, ViolationError } from './target.ts'

/** Files in memory where the system has such a folder. */
const SCRATCH = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Gives each input as a file, and a name for a second one; both are gone afterwards. */
export function withFiles(work: (path: string, outPath: string, bytes: Uint8Array) => Promise<string>): Reader {
  const folder = mkdtempSync(join(SCRATCH, 'signet-fuzz-'))
  const [path, outPath] = [join(folder, 'in'), join(folder, 'out')]
  return {
    async read(bytes) {
      writeFileSync(path, bytes)
      try {
        return await work(path, outPath, bytes)
      } finally {
        rmSync(outPath, { force: true })
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

let shared: PdfTools | undefined

/** Shorter than in the service: libraries read some damaged files without an end. */
const LIMITS = { ...DEFAULT_LIMITS, cpuMs: 2_000 }

/** A child process as in the service: at its bounds it is ended, and the file is refused. */
function tools(): PdfTools {
  const command = [...PROGRAM, '__pdf-child']
  shared ??= openPdfTools({ command, size: 1, limits: LIMITS })
  return shared
}

/** Where the file of an accepted upload is, or why there is none. */
async function acceptedFile(path: string, canonicalPath: string): Promise<{ accepted: string } | { refused: string }> {
  const found = await tools().inspect({ path, canonicalPath, maxPages: 200 })
  if (found.verdict === 'refused') return { refused: `refused: ${found.code}` }
  return { accepted: found.rewritten ? canonicalPath : path }
}

/** What follows once an upload is accepted: nothing of it may fail. */
function afterAccepting(work: (path: string, scratch: (name: string) => string) => Promise<string>): Reader {
  return withFiles(async (path, outPath) => {
    const found = await acceptedFile(path, outPath)
    if ('refused' in found) return found.refused
    const names: string[] = []
    const scratch = (name: string) => {
      names.push(`${outPath}-${name}`)
      return `${outPath}-${name}`
    }
    try {
      return await work(found.accepted, scratch)
    } finally {
      for (const name of names) rmSync(name, { force: true })
    }
  })
}

/** Uploads: refused, or accepted and of use to the tasks that follow. */
const UPLOAD = {
  format: 'pdf',
  seeds: ['pdf'],
  usesSharedCorpus: true,
  refusals: [],
  maxCpuMs: DEFAULT_LIMITS.cpuMs,
} as const

const INSPECT: Target = {
  ...UPLOAD,
  name: 'pdf-inspect',
  seeds: ['pdf', 'sealed'],
  costUs: 8_000,
  open: () =>
    afterAccepting(async (path, scratch) => {
      const pages = await tools().readPageBoxes({ path })
      if (pages.length === 0) throw new ViolationError('an accepted file has no pages')
      const { bytes } = await tools().disableActiveContent({ sourcePath: path, updatePath: scratch('update') })
      return bytes > 0 ? 'accepted, with active content' : 'accepted'
    }),
}

const ATTACHMENT: Target = {
  ...UPLOAD,
  name: 'attachment',
  seeds: ['pdf', 'sealed', 'png', 'jpeg'],
  costUs: 8_000,
  open: () => withFiles(async path => (await tools().examineFile({ path } as ExamineFileRequest)).verdict),
}

/** An accepted file is sealed, and the verifier calls the sealed file valid. */
const SEAL: Target = {
  ...UPLOAD,
  name: 'pdf-seal',
  costUs: 20_000,
  async open() {
    const { key, rootPem } = await sharedAuthority()
    const trust = certificatesOfPem(rootPem).map(readCertificate)
    const signature: PrepareRequest['signature'] = { ...SIGNATURE, contentsBytes: 2_500 }
    return afterAccepting(async (sourcePath, scratch) => {
      const outPath = scratch('sealed')
      const request = { sourcePath, outPath, fields: [fieldOn(1)], evidence: EVIDENCE, signature }
      await seal({ prepared: await prepare(request, RED_BOXES), key })
      const report = verifyBytes(readFileSync(outPath), trust, [], { now: new Date('2031-03-05T00:00:00Z') })
      if (report.verdict === 'valid') return 'sealed and valid'
      const reasons = 'reason' in report ? [report.reason] : [...report.reasons, ...report.signatures.flatMap(one => one.reasons)]
      throw new ViolationError(`an accepted file is ${report.verdict} once sealed: ${reasons.join(' ').slice(0, 300)}`)
    })
  },
}

const DETECT: Target = {
  ...UPLOAD,
  name: 'pdf-detect',
  costUs: 15_000,
  open: () =>
    afterAccepting(async path => {
      const { proposals } = await tools().findFields({ path })
      return proposals.length > 0 ? 'fields' : 'no fields'
    }),
}

/** A file that was accepted is joined with itself; the result is accepted again. */
const JOIN: Target = {
  ...UPLOAD,
  name: 'pdf-join',
  costUs: 15_000,
  open: () =>
    afterAccepting(async (path, scratch) => {
      const [outPath, again] = [scratch('joined'), scratch('again')]
      const part = { path, title: 'A' }
      const { verdict } = await tools().join({ parts: [part, part], outPath, maxPages: 500 })
      if (verdict === 'refused') return 'not joined'
      const found = await tools().inspect({ path: outPath, canonicalPath: again, maxPages: 500 })
      if (found.verdict === 'refused') throw new ViolationError(`a joined file is refused: ${found.violation.code}`)
      return 'joined'
    }),
}

/** The digests of the bytes that the signatures of a file are over. */
const signedDigests = (bytes: Uint8Array): string[] =>
  findByteRanges(bytes)
    .filter(([, , second, length]) => second + length <= bytes.length)
    .map(range => sha256Hex(Buffer.concat(rangesOf(bytes, range))))

const VERIFY: Target = {
  name: 'verify',
  format: 'pdf',
  seeds: ['sealed'],
  refusals: [],
  costUs: 6_000,
  maxCpuMs: DEFAULT_LIMITS.cpuMs,
  open() {
    const read = (name: string): Certificate[] => certificatesOfPem(besides(name).toString()).map(readCertificate)
    const [trust, times] = [[...read('kit-roots.pem'), ...read('seal-root.pem')], read('kit-time-roots.pem')]
    const genuine = new Set(seedsIn('sealed').flatMap(({ bytes }) => signedDigests(bytes)))
    return {
      read(bytes) {
        const { verdict } = verifyBytes(bytes, trust, times, { now: CORPUS_TIME })
        const isTaken = verdict === 'valid' || verdict === 'valid-changed'
        if (isTaken && !signedDigests(bytes).some(digest => genuine.has(digest)))
          throw new ViolationError(`changed bytes are ${verdict}`)
        return verdict
      },
    }
  },
}

const CONTENT: Target = {
  name: 'pdf-content',
  format: 'text',
  seeds: ['content'],
  words: [
    'q ',
    ' Q',
    'BT ',
    ' ET',
    'BI ',
    'ID ',
    ' EI',
    '/P BMC ',
    ' EMC',
    '(',
    ')',
    '<',
    '>',
    '[',
    ']',
    '<<',
    '>>',
    '%',
    '/F1 9 Tf ',
    ' Do',
  ],
  refusals: ['PdfSyntaxError', 'PdfLimitError'],
  costUs: 300,
  open: () => ({
    read(bytes) {
      balanceContent(bytes)
      const file = makePdf({ pages: [{ content: Buffer.from(bytes).toString('latin1') }] })
      openForUpdate(file)
      let count = 0
      for (const _ of readOperations(bytes)) count++
      return count > 0 ? 'operations' : 'none'
    },
  }),
}

const FILTERS = ['FlateDecode', 'LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode']

/** The first octet chooses the filters. */
const FILTER: Target = {
  name: 'pdf-filter',
  format: 'bytes',
  seeds: ['filters'],
  refusals: ['PdfSyntaxError', 'PdfLimitError'],
  costUs: 60,
  open: () => ({
    read(bytes) {
      const choice = bytes[0] ?? 0
      const names = [FILTERS[(choice - 1 + 5) % 5] ?? '', ...(choice > 200 ? [FILTERS[choice % 5] ?? ''] : [])]
      return decodeContent(bytes.subarray(1), names).length > 0 ? 'decoded' : 'nothing'
    },
  }),
}

/** The first octet chooses the limit, and whether a cut is allowed. */
const INFLATE: Target = {
  name: 'inflate',
  format: 'bytes',
  seeds: ['filters'],
  refusals: [],
  costUs: 100,
  open: () => {
    let count = 0
    return {
      async read(bytes) {
        // The runtime frees what refused data took only after the turn: 7 kB for each.
        if (++count % 1_000 === 0) {
          Bun.gc(true)
          await Bun.sleep(0)
        }
        const choice = bytes[0] ?? 0
        const [here, inBrowser] = [inflate, inflateInBrowser].map(unpack => {
          try {
            return toBase64(unpack(bytes.subarray(1), 1 << (choice & 15), choice > 127))
          } catch (error) {
            if (error instanceof InflateError) return `refused: ${error.failure}`
            throw error
          }
        })
        if (here !== inBrowser) throw new ViolationError('the executable and browsers unpack differently')
        return here?.startsWith('refused') ? here : 'unpacked'
      },
    }
  },
}

const TO_UNICODE: Target = {
  name: 'to-unicode',
  format: 'text',
  seeds: ['to-unicode'],
  words: [
    'beginbfchar ',
    'endbfchar ',
    'beginbfrange ',
    'endbfrange ',
    '<0001> ',
    '<0002> ',
    '<ffffffff> ',
    '<20000000000000> ',
    '<0041> ',
    '[',
    ']',
  ],
  refusals: [],
  costUs: 1_500,
  open: () => ({ read: bytes => (readToUnicode(bytes).size > 0 ? 'texts' : 'no texts') }),
}

const XMP: Target = {
  name: 'xmp',
  format: 'text',
  seeds: ['xmp'],
  words: [
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '&#x110000;',
    '&amp;',
    'xmlns:dc="x"',
    '"',
    "'",
    '<dc:title>',
  ],
  refusals: [],
  costUs: 40,
  open: () => ({ read: bytes => (readXmp(bytes) === undefined ? 'damaged' : 'read') }),
}

export const PDF_TARGETS: readonly Target[] = [
  ...[INSPECT, SEAL, DETECT, JOIN, ATTACHMENT, VERIFY, CONTENT, FILTER, INFLATE, TO_UNICODE, XMP],
]
