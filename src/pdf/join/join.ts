/**
 * Joins several PDFs into a new one, in order. Runs in a child process. Equal parts give equal
 * bytes. Only what a part shows or refers to is copied: its earlier revisions are not.
 */
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { violation } from '../../core/violation.ts'
import type { PdfWarning } from '../inspect/report.ts'
import { openPdf, resolveEntry } from '../parser/file.ts'
import { TooManyPagesError } from '../parser/page.ts'
import { PdfSyntaxError } from '../parser/syntax.ts'
import { NewFile } from '../writer/new-file.ts'
import { formatReference } from '../writer/serialize.ts'
import { JoinedForm } from './form.ts'
import { JoinedLayers } from './layers.ts'
import { JoinedLabels, JoinedOutline } from './navigation.ts'
import { Part } from './part.ts'
import type { JoinRequest, JoinResult } from './report.ts'
import { isTagged, JoinedStructure } from './structure.ts'

/** Object streams need PDF 1.5. The parts of an older version are valid in a newer one. */
const VERSION = '1.7'

/** What joining leaves out, as a noun phrase for the warning. */
function leftOut({ file, catalog, structure }: Part): string[] {
  const has = (key: string) => resolveEntry(file, catalog, key).value.kind !== 'null'
  return [
    ...(has('StructTreeRoot') && structure === undefined ? ['its tags for screen readers'] : []),
    ...(has('OutputIntents') ? ['its colour profile for print'] : []),
    ...(has('Threads') ? ['its article threads'] : []),
  ]
}

function warningsOf(part: Part): PdfWarning[] {
  const names = leftOut(part)
  if (names.length === 0) return []
  return [{ code: 'left_out_by_joining', message: `Joining the files leaves out ${names.join(' and ')}.` }]
}

function hasTags(bytes: Uint8Array): boolean {
  const file = openPdf(bytes)
  return isTagged(file, file.resolve(file.crossReference.trailer.entries.get('Root')))
}

class Joiner {
  readonly #out: NewFile
  readonly #root: number
  readonly #form: JoinedForm
  readonly #layers = new JoinedLayers()
  readonly #outline: JoinedOutline
  readonly #labels = new JoinedLabels()
  readonly #branches: number[] = []
  readonly #hash = createHash('sha256')
  readonly #structure: JoinedStructure | undefined
  #pages = 0

  /** `isTagged`: all parts are. */
  constructor(descriptor: number, isTagged: boolean) {
    this.#out = new NewFile(descriptor, VERSION)
    this.#root = this.#out.allocate()
    this.#form = new JoinedForm(this.#out)
    this.#outline = new JoinedOutline(this.#out)
    this.#structure = isTagged ? new JoinedStructure(this.#out) : undefined
  }

  /** @throws PdfSyntaxError, TooManyPagesError */
  add(bytes: Uint8Array, title: string, maxPages: number): PdfWarning[] {
    const part = new Part(bytes, this.#out, maxPages - this.#pages)
    this.#hash.update(createHash('sha256').update(bytes).digest())
    this.#structure?.add(part)
    this.#form.add(part)
    this.#layers.add(part)
    this.#outline.add(part, title)
    this.#labels.add(part)
    part.putPages(this.#root)
    part.importer.drain()
    this.#branches.push(part.branch)
    this.#pages += part.pageNumbers.length
    return warningsOf(part)
  }

  finish(): number {
    const kids = this.#branches.map(number => formatReference(number)).join(' ')
    this.#out.put(this.#root, `<< /Type /Pages /Count ${this.#pages} /Kids [${kids}] >>`)
    const entries = [
      ...(this.#structure?.put() ?? []),
      ['Pages', formatReference(this.#root)],
      ['Outlines', this.#outline.put()],
      ['AcroForm', this.#form.format()],
      ['OCProperties', this.#layers.format()],
      ['PageLabels', this.#labels.format()],
    ].flatMap(([key, text]) => (text === undefined ? [] : [`/${key} ${text}`]))
    const catalog = this.#out.allocate()
    this.#out.put(catalog, `<< /Type /Catalog ${entries.join(' ')} >>`)
    return this.#out.finish(catalog, this.#hash.digest().subarray(0, 16))
  }
}

/** @throws file system errors */
export function join({ parts, outPath, maxPages }: JoinRequest): JoinResult {
  const descriptor = openSync(outPath, 'wx', 0o600)
  let current: number | undefined
  try {
    const joiner = new Joiner(
      descriptor,
      parts.every(({ path }) => hasTags(readFileSync(path))),
    )
    const warnings = parts.map(({ path, title }, i) => {
      current = i
      return joiner.add(readFileSync(path), title, maxPages)
    })
    current = undefined
    return { verdict: 'joined', bytes: joiner.finish(), warnings }
  } catch (error) {
    if (error instanceof TooManyPagesError) {
      return { verdict: 'refused', part: undefined, violation: violation('files_with_too_many_pages', { max: maxPages }) }
    }
    if (!(error instanceof PdfSyntaxError)) throw error
    return { verdict: 'refused', part: current, violation: violation('pdf_not_joined', { cause: error.message }) }
  } finally {
    closeSync(descriptor)
  }
}
