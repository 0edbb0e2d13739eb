/** Stores the values of a signing form until the recipient signs: a reload loses nothing. */
import type * as core from '../../core/document/document.ts'
import { isFile, isFilledByService, isMark, maxLengthOf, readEntry } from '../../core/field/field.ts'
import type { Language } from '../../core/language.ts'
import { Refusal, refuseIfInvalid, type ValidationError, validationRefusal } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import { readPages } from '../../core/signing/pages-shown.ts'
import { mustAct } from '../../core/signing/routing.ts'
import { HANDS, MARK_KINDS, MARK_NAMES, type MarkName, markMembers } from '../../core/signing/signature-mark.ts'
import { cleanText } from '../../core/text.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import type { App } from '../../ports.ts'
import { type EnteredText, isFreeText, textFitErrors } from '../draft/text-fit.ts'
import { find } from '../queries.ts'
import { isConsentId } from './consent.ts'
import { dropMarkContentsExcept, formValuesOf, saveMarkContent, upsertFormValues } from './form-queries.ts'
import { requireUnchangedLink, resolveSigningSession, type SigningContext } from './link.ts'
import { extractSignature, inkErrorOf, savedPicture } from './marks.ts'

const MAX_CHARACTERS_SHOWN = 10

/** The error of a text that no embedded font can print; `undefined` if it can be printed. */
export function unprintableErrorOf(app: Pick<App, 'unprintable'>, path: string, text: string): ValidationError | undefined {
  const missing = app.unprintable(cleanText(text))
  return missing.length > 0 ? { path, ...localized('unprintable', missing.slice(0, MAX_CHARACTERS_SHOWN).join(' ')) } : undefined
}

/** By field id. The form names them `fields.<id>`. */
export function fieldValuesOf(form: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name.replace(/^fields\./, ''), value]))
}

/**
 * The values of the recipient's own fields. A ticked box, `on` in HTML forms, is `true`; numbers
 * are read by the language of the page.
 */
export function valuesOf(
  { fields }: Pick<core.Recipient, 'fields'>,
  values: Record<string, string>,
  language: Language,
): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(field => {
      const value = values[field.id]
      if (value === undefined) return []
      return [[field.id, field.type === 'checkbox' && value === 'on' ? 'true' : readEntry(field, value, language)]]
    }),
  )
}

/** The values of fields whose words the recipient chooses. */
export function enteredTexts({ fields }: core.Recipient, values: Record<string, string>): EnteredText[] {
  return fields.filter(isFreeText).flatMap(field => {
    const value = values[field.id]
    return value === undefined ? [] : [{ path: `fields.${field.id}`, field, value }]
  })
}

/** Stores the valid values, then throws `validation_failed` with the errors of the others. */
export async function saveFormValues(
  app: App,
  sessionToken: string,
  form: Record<string, string>,
  language: Language,
): Promise<void> {
  const context = await resolveSigningSession(app, sessionToken)
  const { document, recipient } = context
  requireUnsigned(context)
  const errors: ValidationError[] = []
  const valid: Record<string, string> = {}
  for (const [name, value] of Object.entries(form)) {
    const error = validateFormValue(app, context, name, value)
    if (error === undefined) valid[name] = savedValue(recipient, name, value, language)
    else if (error !== 'unknown') errors.push(error)
  }
  for (const error of await textFitErrors(app, document, enteredTexts(recipient, fieldValuesOf(valid)))) {
    errors.push(error)
    delete valid[error.path]
  }
  await writeUnsigned(app, context, tx => upsertFormValues(tx, recipient.id, valid))
  refuseIfInvalid(errors)
}

/** As the field will have it, so that it is read alike in a window of another language. */
function savedValue({ fields }: core.Recipient, name: string, value: string, language: Language): string {
  const field = fields.find(({ id }) => name === `fields.${id}`)
  return field ? readEntry(field, value, language) : value
}

/** Only a recipient who has opened the document and still has to act may store values. */
export function requireUnsigned({ document, recipient }: SigningContext): void {
  if (document.status !== 'sent') throw new Refusal('invalid_state', localized('notOpen', document.status))
  if (!mustAct(recipient) || recipient.status !== 'viewed') throw new Refusal('invalid_state', localized('notOpened'))
}

/** Checks again in the transaction: the recipient may have signed or delegated meanwhile. */
export async function writeUnsigned(
  app: App,
  context: SigningContext,
  work: (tx: Tx, document: core.Document) => Promise<void>,
): Promise<void> {
  await app.write(
    async tx => {
      const document = await find(tx, context.document.id)
      if (!document) throw new Refusal('not_found', localized('linkUnknown'))
      requireUnsigned({ document, recipient: requireUnchangedLink(document, context.recipient) })
      await work(tx, document)
    },
    { wake: false },
  )
}

type FormValueError = ValidationError | 'unknown' | undefined

function validateFormValue(app: App, { document, recipient }: SigningContext, name: string, value: string): FormValueError {
  const mark = MARK_NAMES.find(each => Object.values(markMembers(each)).some(member => member === name))
  if (mark) return validateMarkValue(app, mark, name, value)
  // Stored as consent to exactly the text that was shown: a changed text is not ticked again.
  if (name === 'consent') return value === '' || isConsentId(value) ? undefined : 'unknown'
  if (name === 'pagesShown') return readPages(value, document.pageCount) ? undefined : 'unknown'
  const field = recipient.fields.find(f => name === `fields.${f.id}`)
  if (!field || field.readOnly || isMark(field.type) || isFile(field.type) || isFilledByService(field.type)) return 'unknown'
  const limit = maxLengthOf(field)
  if ([...value].length > limit) return { path: name, ...localized('tooLong', { label: field.label, type: field.type }, limit) }
  return unprintableErrorOf(app, name, value)
}

function validateMarkValue(app: App, mark: MarkName, name: string, value: string): FormValueError {
  const { text, kind, ink, hand } = markMembers(mark)
  if (name === ink) return value === '' ? undefined : inkErrorOf(mark, value)
  if (name === kind) return MARK_KINDS.some(known => known === value) ? undefined : 'unknown'
  if (name === hand) return HANDS.some(known => String(known) === value) ? undefined : 'unknown'
  if (name !== text) return 'unknown'
  const limit = maxLengthOf({ type: mark })
  if ([...value].length > limit) return { path: name, ...localized('markTooLong', limit) }
  return unprintableErrorOf(app, name, value)
}

/** Extracts the ink of a picture and stores it. Throws `validation_failed`. */
export async function saveMarkPicture(
  app: App,
  sessionToken: string,
  name: MarkName,
  bytes: Uint8Array,
): Promise<{ width: number; height: number }> {
  const context = await resolveSigningSession(app, sessionToken)
  const { id } = context.recipient
  requireUnsigned(context)
  const extracted = await extractSignature(app, bytes)
  if ('error' in extracted) throw validationRefusal([{ path: name, ...extracted.error }])
  const { content, width, height } = extracted
  const { kind, picture } = markMembers(name)
  await writeUnsigned(app, context, async tx => {
    await saveMarkContent(tx, id, content)
    await upsertFormValues(tx, id, { [kind]: 'uploaded', [picture]: content.sha256 })
    // A picture that was replaced is deleted.
    const form = await formValuesOf(tx, id)
    const used = MARK_NAMES.flatMap(each => form[markMembers(each).picture] ?? [])
    await dropMarkContentsExcept(tx, id, used)
  })
  return { width, height }
}

/** The stored picture as PNG. Throws `not_found`. */
export async function readMarkPicture(app: App, sessionToken: string, name: MarkName): Promise<Uint8Array> {
  const { recipient } = await resolveSigningSession(app, sessionToken)
  const png = await savedPicture(app.db, recipient.id, name)
  if (!png) throw new Refusal('not_found', violation('picture_missing'))
  return png
}
