/** Draws the fields of a page for the signing page exactly as the seal will draw them. */
import type * as core from '../../core/document/document.ts'
import { type Field, isFile, isFilledByService, isMark, validateFieldValue } from '../../core/field/field.ts'
import { displayedSize } from '../../core/field/geometry.ts'
import { isCanonical } from '../../core/field/number.ts'
import { Refusal } from '../../core/refusal.ts'
import { mustAct } from '../../core/signing/routing.ts'
import type { MarkName, PersonalMark } from '../../core/signing/signature-mark.ts'
import { hiddenWith, proposedValue, requiredMarks } from '../../core/signing/signing.ts'
import { violation } from '../../core/violation.ts'
import { isoDay } from '../../lib/clock-format.ts'
import type { App } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { pageBoxesOf } from '../sealing/page-boxes.ts'
import { addedFiles } from './field-files.ts'
import { formValuesOf, type MarkContent } from './form-queries.ts'
import { resolveSigningSession } from './link.ts'
import { createMark, type Drawings, dateLanguageOf, fieldAppearances, markInputOf, withDrawings, withMarking } from './marks.ts'
import { fieldValuesOf, valuesOf } from './signing-progress.ts'

/** A PDF page to overlay on page `page`; `undefined` if it would be empty. */
export async function drawFieldsOfPage(app: App, sessionToken: string, page: number): Promise<Uint8Array | undefined> {
  const { document, recipient } = await resolveSigningSession(app, sessionToken)
  requirePage(document, page)
  const others = document.recipients.filter(r => r.status === 'signed' && r.id !== recipient.id)
  const own = recipient.status === 'signed' ? { recipient, contents: [] } : await withFormValues(app, document, recipient)
  const shown = mustAct(recipient) ? [...others, own.recipient] : others
  return drawPage(app, document, page, shown, own.contents)
}

/** As `drawFieldsOfPage`, for the sender: what was signed. A sealed file holds it itself. */
export async function drawSignedFieldsOfPage(app: App, document: core.Document, page: number): Promise<Uint8Array | undefined> {
  if (document.sha256Sealed !== undefined) return undefined
  requirePage(document, page)
  const signed = document.recipients.filter(r => r.status === 'signed')
  return drawPage(app, document, page, signed, [])
}

function requirePage({ pageCount }: core.Document, page: number): void {
  if (!(page >= 1 && page <= pageCount)) throw new Refusal('not_found', violation('page_missing'))
}

function drawPage(app: App, document: core.Document, page: number, shown: core.Recipient[], contents: MarkContent[]) {
  const draw = async (drawings: Drawings) => {
    const language = await dateLanguageOf(app.db, document)
    const fields = fieldAppearances(document, shown, drawings, language).filter(field => field.page === page)
    if (fields.length === 0) return undefined
    const box = (await pageBoxesOf(app, document.sha256Original))[page - 1]
    if (!box) throw new Error(`page ${page} of ${document.id} has no box`)
    return writeOverlay(app, { page, box, fields })
  }
  return withDrawings(app, shown, draw, contents)
}

/** In pt, as displayed. */
type PageSizes = [width: number, height: number][]

export async function pageSizes(app: App, sessionToken: string): Promise<PageSizes> {
  const { document } = await resolveSigningSession(app, sessionToken)
  return documentPageSizes(app, document)
}

/** Of the newest version, which has more pages once it is sealed, or of the original. */
export function documentPageSizes(app: App, document: core.Document, version?: 'original'): Promise<PageSizes> {
  const { sha256Sealed, sha256Original } = document
  return sizesOf(app, version === 'original' ? sha256Original : (sha256Sealed ?? sha256Original))
}

async function sizesOf(app: App, sha256: string): Promise<PageSizes> {
  return (await pageBoxesOf(app, sha256)).map(box => {
    const { width, height } = displayedSize(box)
    return [width * box.userUnit, height * box.userUnit]
  })
}

async function writeOverlay(app: App, page: Parameters<App['pdf']['writeOverlay']>[0]['pages'][number]): Promise<Uint8Array> {
  const outPath = app.storage.temporaryPath()
  try {
    await app.pdf.writeOverlay({ pages: [page], outPath })
    return await app.fileSystem.read(outPath)
  } finally {
    await app.storage.discard(outPath)
  }
}

/** The recipient as if they signed now, without invalid values, and the contents of their marks. */
async function withFormValues(app: App, document: core.Document, recipient: core.Recipient) {
  const form = await formValuesOf(app.db, recipient.id)
  const { timeZone } = await readOrganisation(app.db)
  // Saved entries are read already.
  const values = valuesOf(recipient, fieldValuesOf(form), 'en')
  const marks: Partial<Record<MarkName, PersonalMark>> = {}
  const contents: MarkContent[] = []
  for (const name of requiredMarks(await withMarking(app, recipient))) {
    const created = await createMark(app, recipient, name, markInputOf(form, name))
    if ('error' in created || created.mark === undefined) continue
    marks[name] = created.mark
    if (created.content) contents.push(created.content)
  }
  const day = isoDay(app.now(), timeZone)
  const shown = Object.fromEntries(
    recipient.fields.map(field => [field.id, values[field.id] ?? proposedValue(field, recipient) ?? '']),
  )
  const hidden = hiddenWith(document, recipient, shown)
  const files = await addedFiles(app, recipient)
  const fields = recipient.fields.map(field => {
    if (isFile(field.type)) {
      const file = hidden.has(field.id) ? undefined : files[field.id]
      return { ...field, file, value: file?.fileName }
    }
    const value = isMark(field.type) ? marks[field.type]?.text : enteredValue(field, recipient, values, day)
    return { ...field, value: hidden.has(field.id) ? undefined : value }
  })
  return { recipient: { ...recipient, signature: marks.signature, initials: marks.initials, fields }, contents }
}

function enteredValue(field: Field, recipient: core.Recipient, values: Record<string, string>, day: string): string | undefined {
  if (isFilledByService(field.type)) return day
  const value = field.readOnly ? field.value : (values[field.id] ?? proposedValue(field, recipient))
  // What could be two numbers is not drawn as one of them.
  if (field.type === 'number' && value !== field.value && !isCanonical(value ?? '')) return undefined
  const result = validateFieldValue(field, value, 'stored')
  return 'error' in result ? undefined : result.value
}
