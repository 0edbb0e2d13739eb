/** poppler, qpdf, openssl, mupdf and our verifier. ByteRanges are cut here, not by product code. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, must, run } from '../judge-set/process.ts'
import type { SealedFile } from '../judge-set/seal-set.ts'
import { against, type Judge, OK, oneByOne, type Verdict } from './verdict.ts'

const missing = (...programs: string[]): string | undefined => {
  const gone = programs.filter(program => !isHere(program))
  return gone.length > 0 ? `${gone.join(', ')} not installed` : undefined
}

const maxLengthOf = (path: string): number => 60_000 + Math.round(Bun.file(path).size / 1000)

/** The signed bytes and the /Contents of each signature, by revision. ISO 32000-2 §12.8.1. */
function cut(path: string): { signed: Buffer; contents: Buffer }[] {
  const bytes = readFileSync(path)
  const text = bytes.toString('latin1')
  return [...text.matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].map(found => {
    const [start = 0, first = 0, second = 0, length = 0] = found.slice(1).map(Number)
    const signed = Buffer.concat([bytes.subarray(start, start + first), bytes.subarray(second, second + length)])
    const hex = Buffer.from(text.slice(first + 1, second - 1), 'hex')
    // X.690 §8.1.3: a SEQUENCE with two length octets; the rest of /Contents is zeros.
    return { signed, contents: hex.subarray(0, 4 + hex.readUInt16BE(2)) }
  })
}

function put(folder: string, parts: Record<string, Uint8Array>): void {
  for (const [name, bytes] of Object.entries(parts)) writeFileSync(join(folder, name), bytes)
}

export interface LocalSetting {
  /** For files on the way. */
  folder: string
  /** Command that is the product. */
  command: string[]
}

/** pdfsig's answer on the first signature, and how many more it counts. */
async function askPdfsig({ path, level, documentTimestamps }: SealedFile, options: string[], words: string[]): Promise<Verdict> {
  const { text, code } = await run(['pdfsig', ...options, path], { limitMs: maxLengthOf(path) })
  const [, first = '', ...more] = text.split(/^Signature #\d+:/m)
  const wanted = [...words, ...(level === 'B-B' || level === 'B-T' ? ['Total document signed'] : [])]
  const gone = wanted.filter(word => !first.includes(word))
  if (gone.length > 0) return against(`exit ${code}, not said: ${gone.join(', ')}: ${first || text}`)
  return more.length === documentTimestamps ? OK : against(`it counts ${1 + more.length} signatures`)
}

/** poppler takes trust from an NSS store made by certutil; without certutil it is not asked. */
function pdfsig(folder: string): Judge {
  if (!isHere('certutil')) {
    const judge = (file: SealedFile) => askPdfsig(file, ['-nocert'], ['Signature is Valid'])
    const withoutTrust =
      'pdfsig was not asked whether the certificate is trusted: certutil is not installed (Debian: libnss3-tools)'
    return { ...oneByOne('pdfsig', missing('pdfsig'), judge), withoutTrust }
  }
  const stores = new Map<string, Promise<string>>()
  const storeFor = async (rootPath: string): Promise<string> => {
    const store = join(folder, `nss-${stores.size}`)
    mkdirSync(store)
    await must(['certutil', '-N', '-d', `sql:${store}`, '--empty-password'])
    await must(['certutil', '-A', '-d', `sql:${store}`, '-n', 'root', '-t', 'C,C,C', '-i', rootPath])
    return store
  }
  return oneByOne('pdfsig', missing('pdfsig'), async file => {
    const store = stores.get(file.ownRootPath) ?? storeFor(file.ownRootPath)
    stores.set(file.ownRootPath, store)
    return askPdfsig(file, ['-nssdir', `sql:${await store}`], ['Signature is Valid', 'Certificate is Trusted'])
  })
}

/** What a program complains of, file names aside. */
const complaints = (text: string, path: string): string[] =>
  text
    .split('\n')
    .filter(
      line => /\b(error|warning)\b/i.test(line) && !/succeeded with warnings|^No syntax or stream encoding errors/.test(line),
    )
    .map(line => line.replaceAll(path, 'the file'))

/** A program's complaints about the sealed file that it does not have about the original. */
async function newComplaints(command: (path: string) => string[], { path, originalPath }: SealedFile): Promise<string[]> {
  const [before, after] = [
    await run(command(originalPath), { limitMs: maxLengthOf(path) }),
    await run(command(path), { limitMs: maxLengthOf(path) }),
  ]
  const known = new Set(complaints(before.text, originalPath))
  const found = complaints(after.text, path).filter(line => !known.has(line))
  return after.code === 0 || after.code === before.code ? found : [...found, `exit ${after.code}: ${after.text}`]
}

const qpdf = (): Judge =>
  oneByOne('qpdf', missing('qpdf'), async file => {
    const found = await newComplaints(path => ['qpdf', '--check', path], file)
    return found.length === 0 ? OK : against(found.join('; '))
  })

/** The time-stamp token and the signature value it covers, read by openssl. RFC 3161 appendix A. */
async function signatureStamp(folder: string, cms: Buffer): Promise<{ token: Buffer; value: Buffer } | undefined> {
  put(folder, { 'cms.der': cms })
  const { out } = await must(['openssl', 'asn1parse', '-inform', 'DER', '-in', 'cms.der'], { cwd: folder })
  const lines = out.split('\n')
  const name = lines.findIndex(line => line.includes('id-smime-aa-timeStampToken'))
  if (name === -1) return undefined
  const partOf = (line: string | undefined): Buffer => {
    const [, offset = 0, head = 0, length = 0] = (/^ *(\d+):d=\d+ +hl=(\d+) l= *(\d+)/.exec(line ?? '') ?? []).map(Number)
    return cms.subarray(offset, offset + head + length)
  }
  const valueAt = lines.findLastIndex((line, i) => i < name && line.includes('prim: OCTET STRING'))
  const value = partOf(lines[valueAt])
  const head = /hl=(\d+)/.exec(lines[valueAt] ?? '')
  return { token: partOf(lines[name + 2]), value: value.subarray(Number(head?.[1])) }
}

async function judgeToken(folder: string, token: Uint8Array, signed: Uint8Array, rootPath: string): Promise<string | undefined> {
  put(folder, { 'token.der': token, 'stamped.bin': signed })
  const files = ['-data', 'stamped.bin', '-in', 'token.der', '-token_in', '-CAfile', rootPath]
  const { code, text } = await run(['openssl', 'ts', '-verify', ...files], { cwd: folder })
  return code === 0 && text.includes('Verification: OK') ? undefined : text
}

function opensslCms(folder: string): Judge {
  return oneByOne('openssl cms', missing('openssl'), async ({ path, ownRootPath }) => {
    const [seal] = cut(path)
    if (seal === undefined) return against('there is no ByteRange')
    put(folder, { 'cms.der': seal.contents, 'signed.bin': seal.signed })
    const files = ['-in', 'cms.der', '-content', 'signed.bin', '-CAfile', ownRootPath, '-out', '/dev/null']
    const { code, text } = await run(['openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', ...files], {
      cwd: folder,
    })
    return code === 0 ? OK : against(text)
  })
}

/** Both kinds of token: over the signature value, and over the ranges of a document time-stamp. */
function opensslTs(folder: string): Judge {
  return oneByOne('openssl ts', missing('openssl'), async ({ path, level, timeRootPath, documentTimestamps }) => {
    const [seal, ...stamps] = cut(path)
    if (seal === undefined) return against('there is no ByteRange')
    const stamp = await signatureStamp(folder, seal.contents)
    if ((stamp === undefined) !== (level === 'B-B')) return against(`signature time-stamp ${stamp ? 'is there' : 'is missing'}`)
    if (stamps.length !== documentTimestamps) return against(`${stamps.length} document time-stamps`)
    const tokens = stamps.map(({ contents, signed }) => ({ token: contents, value: signed }))
    for (const { token, value } of [...(stamp ? [stamp] : []), ...tokens]) {
      const words = await judgeToken(folder, token, value, timeRootPath)
      if (words !== undefined) return against(words)
    }
    return OK
  })
}

const mutool = (): Judge =>
  oneByOne('mutool', missing('mutool'), async file => {
    const { path, documentTimestamps } = file
    const draw = ['mutool', 'draw', '-q', '-r', '20', '-o', '/dev/null', '-F', 'pgm']
    const found = [
      ...(await newComplaints(one => ['mutool', 'info', one], file)),
      ...(await newComplaints(one => [...draw, one], file)),
    ]
    if (found.length > 0) return against(found.join('; '))
    const { text } = await run(['mutool', 'sign', path], { limitMs: maxLengthOf(path) })
    // pdfsig knows only /Type /Sig and calls a DocTimeStamp "not signed": count its field.
    const count = new Set([...text.matchAll(/^ *(\d+): /gm)].map(found => found[1])).size
    return count === 1 + documentTimestamps ? OK : against(`it counts ${count} signatures: ${text}`)
  })

function ownVerifier(command: string[]): Judge {
  return oneByOne('signet verify', undefined, async ({ path, level, subFilter, ownRootPath, timeRootPath, originalPath }) => {
    const args = ['verify', path, '--json', '--trust', ownRootPath, '--trust-time', timeRootPath]
    const { out, text, code } = await run([...command, ...args], { limitMs: maxLengthOf(path) })
    if (!out.startsWith('{')) return against(text)
    const { verdict, signatures = [], reasons = [] } = JSON.parse(out)
    const said = [...reasons, ...signatures.flatMap((one: { reasons: string[] }) => one.reasons)].join(' ')
    if (code !== 0 || verdict !== 'valid') return against(`${verdict}: ${said}`)
    const [original, sealed] = [readFileSync(originalPath), readFileSync(path)]
    if (!sealed.subarray(0, original.length).equals(original))
      return against('the document that was sent is not at the beginning')
    const seal = signatures.find((one: { kind: string }) => one.kind === 'signature')
    const isNamed = seal?.level === (subFilter === 'ETSI.CAdES.detached' ? level : undefined)
    return isNamed && seal?.partsOf === level
      ? OK
      : against(`it names the level ${seal?.level} and the parts of ${seal?.partsOf}`)
  })
}

export function localJudges({ folder, command }: LocalSetting): Judge[] {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true })
  return [pdfsig(folder), qpdf(), opensslCms(folder), opensslTs(folder), mutool(), ownVerifier(command)]
}
