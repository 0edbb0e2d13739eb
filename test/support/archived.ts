/** Sealed files over sources of every style, and the content of their DSS. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../../src/evidence/prepare.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { addValidationData } from '../../src/pades/augment.ts'
import type { ValidationData } from '../../src/pades/validation-data.ts'
import { openForUpdate } from '../../src/pdf/inspect/open-for-update.ts'
import type { LocatedValue, PdfFile } from '../../src/pdf/parser/file.ts'
import { resolveEntry } from '../../src/pdf/parser/file.ts'
import { findSignatureFields } from '../../src/pdf/parser/signature-fields.ts'
import { readStreamAt } from '../../src/pdf/parser/stream.ts'
import { computeVriKey } from '../../src/pdf/writer/dss.ts'
import { formatItems, verbatim } from '../../src/pdf/writer/object-changes.ts'
import { sequence, utf8String } from '../../src/pki/der.ts'
import { makePdf, pdfOf } from './make-pdf.ts'
import { EVIDENCE, fieldOn, RED_BOXES, SIGNATURE } from './prepare-request.ts'
import { seal } from './seal.ts'
import { sharedAuthority } from './test-pki.ts'

/** Some DER, base64. */
export const object = (text: string): string => Buffer.from(sequence(utf8String(text))).toString('base64')
export const material = (...[certificates = [], ocspResponses = [], revocationLists = []]: string[][]): ValidationData => ({
  certificates: certificates.map(object),
  ocspResponses: ocspResponses.map(object),
  revocationLists: revocationLists.map(object),
})

/** Makes files in a folder that exists when the first is made. */
export function workshop(folder: () => string) {
  let count = 0
  const fresh = (): string => join(folder(), `file-${++count}.pdf`)

  async function sealedFile(source: Uint8Array): Promise<string> {
    const [sourcePath, outPath] = [fresh(), fresh()]
    writeFileSync(sourcePath, source)
    const request = { sourcePath, outPath, fields: [fieldOn(1)], evidence: EVIDENCE, signature: SIGNATURE }
    await seal({ prepared: await prepare(request, RED_BOXES), key: (await sharedAuthority()).key })
    return outPath
  }

  async function withMaterial(sourcePath: string, added: ValidationData): Promise<string> {
    const { path } = await addValidationData({ sourcePath, outPath: fresh(), material: added }, THIS_MACHINE)
    return path
  }

  return { fresh, sealedFile, withMaterial }
}

/** The file with its catalog as texts by key, and its signatures. */
export function opened(path: string) {
  const { file, catalog } = openForUpdate(readFileSync(path))
  if (catalog.dictionary.value.kind !== 'dictionary') throw new Error('no catalog')
  const entries = [...catalog.dictionary.value.entries]
  const texts = new Map(entries.map(([key, value]) => [key, verbatim({ bytes: catalog.dictionary.bytes, value })]))
  return { file, catalog: catalog.dictionary, texts, fields: findSignatureFields(file, catalog.dictionary.value) }
}

export function startsWith(path: string, below: string): boolean {
  const [bytes, first] = [readFileSync(path), readFileSync(below)]
  return bytes.subarray(0, first.length).equals(first)
}

/** The objects in one list of the DSS, base64. */
function readList(file: PdfFile, container: LocatedValue, key: string): string[] {
  const array = resolveEntry(file, container, key)
  if (array.value.kind !== 'array') return []
  return array.value.items.map(item => {
    const { value } = file.resolve(item)
    const bytes = readStreamAt(file.bytes, value.end, Number(/\/Length (\d+)/.exec(verbatim({ bytes: file.bytes, value }))?.[1]))
    return Buffer.from(bytes ?? []).toString('base64')
  })
}

/** The document security store, its objects base64. */
export function store(path: string) {
  const { file, catalog, fields } = opened(path)
  const dss = resolveEntry(file, catalog, 'DSS')
  const entries = resolveEntry(file, dss, 'VRI')
  const names = entries.value.kind === 'dictionary' ? [...entries.value.entries.keys()] : []
  const entry = (key: string) => {
    const one = resolveEntry(file, entries, key)
    return { Cert: readList(file, one, 'Cert'), OCSP: readList(file, one, 'OCSP'), CRL: readList(file, one, 'CRL') }
  }
  const keys = fields.map(({ value }) => {
    const contents = value.entries.get('Contents')
    return computeVriKey(contents?.kind === 'string' ? contents.value : new Uint8Array())
  })
  return {
    Certs: readList(file, dss, 'Certs'),
    OCSPs: readList(file, dss, 'OCSPs'),
    CRLs: readList(file, dss, 'CRLs'),
    names,
    entry,
    keys,
    references: formatItems(file, dss, 'Certs'),
  }
}

/** A hidden object is in the cross-reference stream that the table names (§7.5.8.4). */
function hybrid(): Buffer {
  const text = (at: number) =>
    makePdf({
      trailer: `/XRefStm ${String(at).padStart(10, '0')}`,
      objects: { 60: { head: '/Type /XRef /Size 61 /W [1 4 0] /Index [0 1]', data: Buffer.alloc(5) } },
    })
  return text(text(0).indexOf('60 0 obj'))
}

export const FORM = {
  catalog: '/AcroForm 50 0 R /Names << /Dests << /Names [] >> >> /Lang (de) /Version /1.6',
  objects: { 50: '<< /Fields [51 0 R] /DA (/Helv 0 Tf) >>', 51: '<< /FT /Tx /T (Time-stamp) /V (kept) >>' },
}

export const SOURCES: [what: string, source: () => Buffer][] = [
  ['a cross-reference table', () => makePdf()],
  ['a cross-reference stream', () => makePdf({ style: 'stream' })],
  ['a cross-reference stream with fields of eight bytes', () => makePdf({ style: 'stream', widths: [1, 8, 2] })],
  ['a hybrid file', hybrid],
  ['a form that is an object of its own', () => makePdf(FORM)],
  ['two revisions of two styles', () => pdfOf({ objects: { 70: '(new)' }, style: 'stream' }, makePdf())],
]
