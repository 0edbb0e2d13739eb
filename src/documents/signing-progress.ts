/**
 * What a recipient has entered and not yet finished, kept on the server so that it survives a
 * reload, another window and a lost connection.
 */
import type * as core from '../core/document.ts'
import { isFilledByService, isMark, maxLengthOf } from '../core/field.ts'
import { localized } from '../core/message.ts'
import { Refusal, refuseIfInvalid, type ValidationError, validationRefusal } from '../core/refusal.ts'
import { mustAct } from '../core/routing.ts'
import { MARK_KINDS, MARK_NAMES, type MarkName, markMembers } from '../core/signature-mark.ts'
import { cleanText } from '../core/text.ts'
import type { Tx } from '../db/open.ts'
import type { App } from '../ports.ts'
import { isConsentId } from './consent.ts'
import { dropMarkContentsExcept, formValuesOf, markContent, saveMarkContent, upsertFormValues } from './form-queries.ts'
import { requireLiveRecipient, resolveSigningSession, type SigningContext } from './link.ts'
import { extractSignature, inkErrorOf } from './marks.ts'
import { find } from './queries.ts'

const MOST_NAMED = 10

/** The error of a text with characters no face holds; `undefined` when it can be printed. */
export function unprintableErrorOf(app: Pick<App, 'unprintable'>, path: string, text: string): ValidationError | undefined {
  const missing = app.unprintable(cleanText(text))
  return missing.length > 0 ? { path, ...localized('unprintable', missing.slice(0, MOST_NAMED).join(' ')) } : undefined
}

/**
 * A form's word for a ticked box (HTML, checkbox value mode `default/on`) in the words of the
 * field; of no other field than the recipient's own.
 */
export function valuesOf({ fields }: core.Recipient, values: Record<string, string>): Record<string, string> {
  const own = fields.flatMap(f => (values[f.id] === undefined ? [] : [[f.id, values[f.id] ?? ''] as const]))
  const boxes = fields.filter(f => f.type === 'checkbox' && values[f.id] === 'on')
  return { ...Object.fromEntries(own), ...Object.fromEntries(boxes.map(f => [f.id, 'true'])) }
}

/**
 * Keeps those of the form's members that can be kept. Throws `validation_failed` with the errors of
 * the others when all else is stored.
 */
export async function saveFormValues(app: App, sessionToken: string, entered: Record<string, string>): Promise<void> {
  const opened = await resolveSigningSession(app, sessionToken)
  const { recipient } = opened
  demandDrafting(opened)
  const errors: ValidationError[] = []
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(entered)) {
    const error = judge(app, recipient, name, value)
    if (error === 'unknown') continue
    if (error) errors.push(error)
    else kept[name] = value
  }
  await app.write(
    async tx => {
      await demandStillDrafting(tx, opened)
      await upsertFormValues(tx, recipient.id, kept)
    },
    { wake: false },
  )
  refuseIfInvalid(errors)
}

/** Only who has opened the document and has something to finish drafts. */
function demandDrafting({ document, recipient }: SigningContext): void {
  if (document.status !== 'sent') throw new Refusal('invalid_state', localized('notOpen', document.status))
  if (!mustAct(recipient) || recipient.status !== 'viewed') throw new Refusal('invalid_state', localized('notOpened'))
}

/** Asked again where it is written: the act itself or a hand-over may have come between. */
async function demandStillDrafting(tx: Tx, { document, recipient }: SigningContext): Promise<void> {
  const now = await find(tx, document.id)
  if (!now) throw new Refusal('not_found', localized('linkUnknown'))
  demandDrafting({ document: now, recipient: requireLiveRecipient(now, recipient) })
}

function judge(app: App, recipient: core.Recipient, name: string, value: string): ValidationError | 'unknown' | undefined {
  for (const mark of MARK_NAMES) {
    const { text, kind, ink } = markMembers(mark)
    if (name === text) return tooLong(name, value, maxLengthOf({ type: mark })) ?? unprintableErrorOf(app, name, value)
    if (name === kind) return MARK_KINDS.some(known => known === value) ? undefined : 'unknown'
    if (name === ink) return value === '' ? undefined : inkErrorOf(mark, value)
  }
  // Kept as agreement to the very text that was shown: shown another one, the box is not ticked.
  if (name === 'consent') return value === '' || isConsentId(value) ? undefined : 'unknown'
  const field = recipient.fields.find(f => name === `fields.${f.id}`)
  if (!field || field.readOnly || isMark(field.type) || isFilledByService(field.type)) return 'unknown'
  const limit = maxLengthOf(field)
  if ([...value].length > limit) return { path: name, ...localized('tooLong', { label: field.label, type: field.type }, limit) }
  return unprintableErrorOf(app, name, value)
}

function tooLong(path: string, text: string, limit: number): ValidationError | undefined {
  return [...text].length > limit ? { path, ...localized('markTooLong', limit) } : undefined
}

/** What a recipient has entered so far, by the form's members. */
export function savedFormValues(app: App, recipient: core.Recipient): Promise<Record<string, string>> {
  return formValuesOf(app.db, recipient.id)
}

/**
 * Takes a picture of the person's mark: its ink alone is kept, in the draft. Throws
 * `validation_failed`.
 */
export async function saveMarkPicture(
  app: App,
  sessionToken: string,
  name: MarkName,
  bytes: Uint8Array,
): Promise<{ width: number; height: number }> {
  const opened = await resolveSigningSession(app, sessionToken)
  const { recipient } = opened
  demandDrafting(opened)
  const cleaned = await extractSignature(app, bytes)
  if ('error' in cleaned) throw validationRefusal([{ path: name, ...cleaned.error }])
  const { content, width, height } = cleaned
  const { kind, picture } = markMembers(name)
  await app.write(
    async tx => {
      await demandStillDrafting(tx, opened)
      await saveMarkContent(tx, recipient.id, content)
      await upsertFormValues(tx, recipient.id, { [kind]: 'uploaded', [picture]: content.sha256 })
      // Only what the draft still names is kept, however often a picture is chosen anew.
      const draft = await formValuesOf(tx, recipient.id)
      const named = MARK_NAMES.flatMap(each => draft[markMembers(each).picture] ?? [])
      await dropMarkContentsExcept(tx, recipient.id, named)
    },
    { wake: false },
  )
  return { width, height }
}

/** The picture in the draft, PNG. Throws `not_found`. */
export async function readMarkPicture(app: App, sessionToken: string, name: MarkName): Promise<Uint8Array> {
  const { recipient } = await resolveSigningSession(app, sessionToken)
  const sha256 = (await formValuesOf(app.db, recipient.id))[markMembers(name).picture]
  const png = sha256 === undefined ? undefined : await markContent(app.db, recipient.id, sha256)
  if (!png) throw new Refusal('not_found', 'There is no picture.')
  return png
}
