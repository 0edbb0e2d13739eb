/**
 * A page's marks as the seal will draw them, for the signer's screen: those others have made, and
 * the person's own as far as they are entered.
 */
import type * as core from '../core/document.ts'
import { type Field, isFilledByService, validateFieldValue } from '../core/field.ts'
import { displayedSize, type PageBox } from '../core/geometry.ts'
import { Refusal } from '../core/refusal.ts'
import { mustAct } from '../core/routing.ts'
import { type MarkName, markKindOf, markMembers, type PersonalMark } from '../core/signature-mark.ts'
import { proposedValue, requiredMarks } from '../core/signing.ts'
import { isoDay } from '../lib/clock-format.ts'
import type { App } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { formValuesOf, type MarkContent } from './form-queries.ts'
import { resolveSigningSession } from './link.ts'
import { createMark, type Drawings, fieldAppearances, withDrawings } from './marks.ts'
import { valuesOf } from './signing-progress.ts'

/**
 * PDF with one page, to be laid over page `page`; `undefined` when there is nothing on it. Throws
 * `not_found` for a page that is not there.
 */
export async function drawFieldsOfPage(app: App, sessionToken: string, page: number): Promise<Uint8Array | undefined> {
  const { document, recipient } = await resolveSigningSession(app, sessionToken)
  if (!(page >= 1 && page <= document.pageCount)) throw new Refusal('not_found', 'The document has no such page.')
  const others = document.recipients.filter(r => r.status === 'signed' && r.id !== recipient.id)
  const own = recipient.status === 'signed' ? { recipient, contents: [] } : await asDrafted(app, recipient)
  const marked = mustAct(recipient) ? [...others, own.recipient] : others
  const draw = async (drawings: Drawings) => {
    const marks = marked.flatMap(r => fieldAppearances(r, drawings)).filter(mark => mark.page === page)
    if (marks.length === 0) return undefined
    const box = (await boxesOf(app, document))[page - 1]
    if (!box) throw new Error(`page ${page} of ${document.id} has no box`)
    return drawn(app, { page, box, fields: marks })
  }
  return withDrawings(app, marked, draw, own.contents)
}

/** Width and height of each page as a viewer shows it, pt. */
export async function pageSizes(app: App, sessionToken: string): Promise<[width: number, height: number][]> {
  const { document } = await resolveSigningSession(app, sessionToken)
  return (await boxesOf(app, document)).map(box => {
    const { width, height } = displayedSize(box)
    return [width * box.userUnit, height * box.userUnit]
  })
}

async function drawn(app: App, page: Parameters<App['pdf']['writeOverlay']>[0]['pages'][number]): Promise<Uint8Array> {
  const outPath = app.storage.temporaryPath()
  try {
    await app.pdf.writeOverlay({ pages: [page], outPath })
    return await Bun.file(outPath).bytes()
  } finally {
    await app.storage.discard(outPath)
  }
}

interface Drafted {
  recipient: core.Recipient
  /** What their marks are made of. */
  contents: MarkContent[]
}

/** The recipient as they would be if they finished now; what is entered wrongly is left out. */
async function asDrafted(app: App, recipient: core.Recipient): Promise<Drafted> {
  const entered = await formValuesOf(app.db, recipient.id)
  const { timeZone } = await organisation(app.db)
  const values = valuesOf(
    recipient,
    Object.fromEntries(Object.entries(entered).map(([name, value]) => [name.replace(/^fields\./, ''), value])),
  )
  const marks: Partial<Record<MarkName, PersonalMark>> = {}
  const contents: MarkContent[] = []
  for (const name of requiredMarks(recipient)) {
    const made = await draftedMark(app, recipient, name, entered)
    if ('error' in made || made.mark === undefined) continue
    marks[name] = made.mark
    if (made.content) contents.push(made.content)
  }
  const day = isoDay(app.now(), timeZone)
  const fields = recipient.fields.map(field => ({ ...field, value: enteredValue(field, recipient, values, day) }))
  return { recipient: { ...recipient, signature: marks.signature, initials: marks.initials, fields }, contents }
}

function draftedMark(app: App, recipient: core.Recipient, name: MarkName, entered: Record<string, string>) {
  const { text, kind, ink } = markMembers(name)
  const mark = { kind: markKindOf(entered[kind]), text: entered[text] ?? '', ink: entered[ink] ?? '' }
  return createMark(app, recipient, name, mark)
}

function enteredValue(field: Field, recipient: core.Recipient, values: Record<string, string>, day: string): string | undefined {
  if (isFilledByService(field.type)) return day
  const judged = validateFieldValue(field, field.readOnly ? field.value : (values[field.id] ?? proposedValue(field, recipient)))
  return 'error' in judged ? undefined : judged.value
}

async function boxesOf({ pageBoxes, pdf, storage }: App, { sha256Original }: core.Document): Promise<PageBox[]> {
  const boxes = pageBoxes.get(sha256Original) ?? (await pdf.readPageBoxes({ path: storage.pathOf(sha256Original) }))
  pageBoxes.set(sha256Original, boxes)
  return boxes
}
