/** Props of the signing page and the page after it, with saved and just sent values. */
import type { FieldView, MarkEntry, SigningProps } from '../../../views/pages/signing.tsx'
import type { DoneProps } from '../../../views/pages/signing-done.tsx'
import { type DateLanguage, printedDate } from '../../core/date-format.ts'
import { copyUntil, isEnded, type Recipient } from '../../core/document.ts'
import { type Field, isFilledByService } from '../../core/field.ts'
import { mustAct } from '../../core/routing.ts'
import { initialsOf, type MarkName, markKindOf, markMembers } from '../../core/signature-mark.ts'
import { mayDelegate, proposedValue, requiredMarks } from '../../core/signing.ts'
import { consentId, consentText, intentText } from '../../documents/consent.ts'
import { formValuesOf } from '../../documents/form-queries.ts'
import type { SigningContext } from '../../documents/link.ts'
import { dateLanguageOf } from '../../documents/marks.ts'
import { isoDay, pageTime } from '../../lib/clock-format.ts'
import { safeHref } from '../../lib/safe-href.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { signingAssets } from '../assets.ts'
import type { SignerVisit } from './signer-visit.tsx'

function inReadingOrder(fields: Field[]): Field[] {
  return [...fields].sort((a, b) => a.page - b.page || a.y - b.y || a.x - b.x)
}

/** The whole form was sent: a checkbox that is missing in it is not ticked. */
const isWhole = (form: Record<string, string>) => 'sha256' in form

type Entries = Record<string, string>

/** The day of signing, YYYY-MM-DD, and the language in which it will be printed. */
interface Day {
  value: string
  language: DateLanguage
}

function fieldView(field: Field, recipient: Recipient, entries: Entries, form: Entries, day: Day): FieldView {
  const { id, type, readOnly } = field
  const name = `fields.${id}`
  const entered = isWhole(form) ? form[name] : entries[name]
  const own = proposedValue(field, recipient) ?? ''
  if (isFilledByService(type)) return { ...field, value: printedDate(own || day.value, field.dateFormat, day.language) }
  const box = () =>
    isWhole(form) ? entered === 'on' : entered === undefined ? own === 'true' : entered === 'on' || entered === 'true'
  const value = type === 'checkbox' ? String(readOnly ? own === 'true' : box()) : readOnly ? own : (entered ?? own)
  return { ...field, value }
}

function markEntry(recipient: Recipient, name: MarkName, entries: Entries): MarkEntry {
  const { text, kind, ink, picture } = markMembers(name)
  // Initials are proposed. A signature must be the person's own.
  const proposed = name === 'signature' ? '' : initialsOf(recipient.name)
  return {
    kind: markKindOf(entries[kind]),
    text: entries[text] ?? proposed,
    ink: entries[ink] ?? '',
    hasPicture: entries[picture] !== undefined,
    chosen: entries[kind] !== undefined || entries[text] !== undefined,
  }
}

type FormProps = Omit<
  SigningProps,
  'context' | 'lang' | 'dir' | 'texts' | 'base' | 'errors' | 'declineErrors' | 'delegationErrors'
>

export async function signingProps(
  { visit, language }: SignerVisit,
  { document, recipient }: SigningContext,
): Promise<FormProps> {
  const { app, csrf, form } = visit
  const { name, contact, timeZone } = await readOrganisation(app.db)
  const saved = await formValuesOf(app.db, recipient.id)
  // Values just sent replace saved ones. A decline or delegation form contains no values.
  const entries = isWhole(form) ? { ...saved, ...form } : saved
  const consent = consentText(name, contact, language)
  const given = isWhole(form) ? Boolean(form.consent) : saved.consent === consentId(consent)
  const day = { value: isoDay(app.now(), timeZone), language: await dateLanguageOf(app.db, document) }
  const asked = requiredMarks(recipient)
  return {
    csrf,
    organisation: name,
    contact,
    recipientName: recipient.name,
    title: document.title,
    pageCount: document.pageCount,
    role: recipient.role,
    fields: inReadingOrder(recipient.fields).map(field => fieldView(field, recipient, saved, form, day)),
    signature: markEntry(recipient, 'signature', entries),
    initials: asked.includes('initials') ? markEntry(recipient, 'initials', entries) : undefined,
    consent: { version: consentId(consent), paragraphs: consent.paragraphs, given },
    intent: intentText(recipient.role, language),
    sha256: document.sha256Original,
    mayDelegate: mayDelegate(document, recipient),
    environment: app.instance.isProduction ? undefined : app.instance.environment,
    delegate: { name: form.name ?? '', email: form.email ?? '' },
    declineReason: form.reason ?? '',
    script: signingAssets(),
  }
}

export async function doneProps(signer: SignerVisit, { document, recipient }: SigningContext): Promise<Omit<DoneProps, 'base'>> {
  const { app } = signer.visit
  const { timeZone } = await readOrganisation(app.db)
  const sealed = document.sha256Sealed !== undefined
  const ended = isEnded(document)
  const waitingFor = document.recipients.filter(r => mustAct(r) && r.status !== 'signed').map(r => r.name)
  const until = copyUntil(document)
  const declined = recipient.status === 'declined'
  return {
    ...signer.context(document.title),
    title: document.title,
    role: recipient.role,
    state: declined ? 'declined' : sealed ? 'completed' : mustAct(recipient) ? 'done' : 'reading',
    waitingFor: ended ? [] : waitingFor,
    offersFile: !declined,
    sealed,
    redirectUrl: declined ? undefined : safeHref(document.redirectUrl),
    copyUntil: until && pageTime(until, timeZone, signer.language),
  }
}
