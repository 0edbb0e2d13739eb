/** Props of the signing page and the page after it, with saved and just sent values. */
import type { FixedData } from '../../../../views/signing/browser/data.ts'
import type { FieldView, MarkEntry, SigningProps } from '../../../../views/signing/signing.tsx'
import type { DoneProps, DoneState } from '../../../../views/signing/signing-done.tsx'
import { isSenderMailed } from '../../../accounts/notified.ts'
import { copyUntil, type Document, isEnded, type Recipient } from '../../../core/document/document.ts'
import { type MailKind, senderName } from '../../../core/document/follow-up.ts'
import { type DateLanguage, printedValue } from '../../../core/field/date-format.ts'
import { areasOfField, type Field, type FieldFile, isFile, isFilledByService, isMark } from '../../../core/field/field.ts'
import { inReadingOrder, type PageArea } from '../../../core/field/geometry.ts'
import { enteredNumber } from '../../../core/field/number.ts'
import { hiddenFields, hiddenForGood, nameKey, placedFields } from '../../../core/field/visibility.ts'
import { directionOf, type Language, languageOf } from '../../../core/language.ts'
import { mustAct } from '../../../core/signing/routing.ts'
import { handOf, type MarkName, markKindOf, markMembers } from '../../../core/signing/signature-mark.ts'
import { mayDelegate, proposedValue, requiredMarks } from '../../../core/signing/signing.ts'
import { senderOf } from '../../../documents/lifecycle/mail-facts.ts'
import { consentId, consentToShow, intentText } from '../../../documents/signing/consent.ts'
import { deviceKeyRule } from '../../../documents/signing/device-key.ts'
import { addedFiles } from '../../../documents/signing/field-files.ts'
import { formValuesOf } from '../../../documents/signing/form-queries.ts'
import { offeredHands, ownText } from '../../../documents/signing/hands.ts'
import type { SigningContext } from '../../../documents/signing/link.ts'
import { dateLanguageOf, withMarking } from '../../../documents/signing/marks.ts'
import { fileBytes } from '../../../files/queries.ts'
import { isoDay, pageTime } from '../../../lib/clock-format.ts'
import { safeHref } from '../../../lib/safe-text.ts'
import type { SignerTexts } from '../../../locales/catalogue.ts'
import { isMailServerSet } from '../../../outbox/configured-mailer.ts'
import { doneAssets, doneScript, signingAssets } from '../../assets.ts'
import type { Visit } from '../../frame/page.tsx'
import type { SignerVisit } from './signer-visit.tsx'

function markEntry(recipient: Recipient, name: MarkName, entries: Entries): MarkEntry {
  const { text, kind, hand, ink, picture } = markMembers(name)
  // Initials are proposed. A signature must be the person's own.
  const own = ownText(recipient, name)
  const proposed = name === 'signature' ? '' : own
  return {
    kind: markKindOf(entries[kind]),
    text: entries[text] ?? proposed,
    own,
    hand: handOf(entries[hand]),
    hands: offeredHands(name, entries[text] || own),
    ink: entries[ink] ?? '',
    hasPicture: entries[picture] !== undefined,
    chosen: entries[kind] !== undefined || entries[text] !== undefined,
  }
}

type FormProps = Omit<SigningProps, 'context' | 'lang' | 'dir' | 'texts' | 'base' | 'declineErrors' | 'delegationErrors'>

export async function signingProps(signer: SignerVisit, { document, ...context }: SigningContext): Promise<FormProps> {
  const { visit, language } = signer
  const { app, form, organisation } = visit
  const recipient = await withMarking(app, context.recipient)
  const { name, contact, timeZone } = organisation
  const saved = await formValuesOf(app.db, recipient.id)
  // Values just sent replace saved ones. A decline or delegation form contains no values.
  const entries = isWhole(form) ? { ...saved, ...form } : saved
  const consent = await consentToShow(app, organisation, language, recipient)
  const given = isWhole(form) ? Boolean(form.consent) : saved.consent === consentId(consent)
  const { texts } = signer.context(document.title)
  const day = isoDay(app.now(), timeZone)
  const dateLanguage = await dateLanguageOf(app.db, document)
  const files = await addedFiles(app, recipient)
  // Lines begin where the text of the document does, whatever the language of the page.
  const direction = directionOf(languageOf(document.locale, language))
  const pageContents = pageFields({ document, recipient, saved, form, files, day, dateLanguage, language, direction, texts })
  const asked = requiredMarks({ ...recipient, fields: pageContents.fields })
  return {
    sender: senderName((await senderOf(app, document))?.name, name),
    contact,
    recipientName: recipient.name,
    title: document.title,
    pageCount: document.pageCount,
    role: recipient.role,
    ...pageContents,
    direction,
    signature: asked.includes('signature') ? markEntry(recipient, 'signature', entries) : undefined,
    initials: asked.includes('initials') ? markEntry(recipient, 'initials', entries) : undefined,
    consent: { version: consentId(consent), paragraphs: consent.paragraphs, given },
    intent: intentText(recipient.role, language),
    deviceKey: { rule: deviceKeyRule(app, { document, recipient }, organisation), isWanted: form.deviceKey === 'on' },
    sha256: document.sha256Original,
    pagesShown: entries.pagesShown ?? '',
    bytes: (await fileBytes(app.db, document.sha256Original)) ?? 0,
    mayDelegate: mayDelegate(document, recipient),
    environment: app.instance.isProduction ? undefined : app.instance.environment,
    delegate: { name: form.name ?? '', email: form.email ?? '' },
    declineReason: form.reason ?? '',
    script: signingAssets(),
  }
}

/** Sealing takes seconds. */
const MAX_REFRESHES = 10
const REFRESH_S = 3

/** Without a script the page asks again by itself while the document is being sealed. */
function refreshOf({ query }: Visit, state: DoneState): DoneProps['refresh'] {
  const times = Number(query.look ?? 0)
  return state === 'sealing' && times < MAX_REFRESHES ? { afterS: REFRESH_S, query: `?look=${times + 1}` } : undefined
}

function stateOf(document: Document, recipient: Recipient): DoneState {
  if (recipient.status === 'declined') return 'declined'
  if (document.sha256Sealed !== undefined) return 'completed'
  if (!mustAct(recipient)) return 'reading'
  if (document.status !== 'sealing') return 'done'
  return document.sealingError === undefined ? 'sealing' : 'late'
}

/** The organisation, where its people are mailed about what happened. */
export async function informedOf(visit: Visit, { id }: Document, kind: MailKind): Promise<string | undefined> {
  return (await isSenderMailed(visit.app, id, kind)) ? visit.organisation.name : undefined
}

const NOTICES: Partial<Record<DoneState, MailKind>> = { declined: 'declined', late: 'sealing_failed' }

/** The page with the first mark of the recipient. */
function pictureOf({ pageCount }: Document, { fields }: Recipient): DoneProps['picture'] {
  const marks = fields.filter(({ type }) => isMark(type)).map(({ page }) => page)
  const { pdfjsUrl } = doneAssets()
  return { page: marks.length > 0 ? Math.min(...marks) : 1, pageCount, pdfjsUrl }
}

type DoneFacts = Omit<DoneProps, 'base' | 'position'>

export async function doneProps(signer: SignerVisit, { document, recipient }: SigningContext): Promise<DoneFacts> {
  const { visit, language } = signer
  const { timeZone } = visit.organisation
  const state = stateOf(document, recipient)
  const waitingFor = document.recipients.filter(r => mustAct(r) && r.status !== 'signed').map(r => r.name)
  const until = copyUntil(document)
  const notice = NOTICES[state]
  return {
    ...signer.context(document.title),
    title: document.title,
    role: recipient.role,
    state,
    waitingFor: isEnded(document) ? [] : waitingFor,
    isMailed: await isMailServerSet(visit.app),
    informed: notice && (await informedOf(visit, document, notice)),
    refresh: refreshOf(visit, state),
    picture: state === 'declined' ? undefined : pictureOf(document, recipient),
    hasReceipt: recipient.status === 'signed',
    shown: {
      signed: document.recipients.filter(r => r.status === 'signed').map(r => r.id),
      file: document.sha256Sealed ?? '',
    },
    redirectUrl: state === 'declined' ? undefined : safeHref(document.redirectUrl),
    copyUntil: until && pageTime(until, { timeZone, language }),
    script: doneScript(mustAct(recipient)),
  }
}

// The fields of the signing page: those that may be shown, with their values and conditions.

/** By the name of the form's member. */
type Entries = Record<string, string>

/** The whole form was sent: a checkbox that is missing in it is not ticked. */
const isWhole = (form: Entries) => 'sha256' in form

interface Context {
  document: Document
  recipient: Recipient
  /** The saved form values. */
  saved: Entries
  /** The form that was just sent, if one was. */
  form: Entries
  files: Record<string, FieldFile>
  /** The day of signing, YYYY-MM-DD. */
  day: string
  /** Of printed dates. */
  dateLanguage: DateLanguage
  /** Of the page. */
  language: Language
  /** Of the text of the document. */
  direction: 'ltr' | 'rtl'
  texts: SignerTexts
}

interface PageFields {
  fields: FieldView[]
  senderFields: FieldView[]
  fixed: FixedData[]
}

function pageFields(context: Context): PageFields {
  const { document, recipient, direction } = context
  const sorted = (fields: readonly Field[]) => inReadingOrder(fields, firstArea, direction)
  const all = placedFields(document).map(({ field }) => field)
  const isOpen = (field: Field) => recipient.fields.includes(field) && !isFixed(field)
  const hidden = hiddenForGood(all, isOpen, ({ value }) => value)
  const own = sorted(recipient.fields.filter(({ id }) => !hidden.has(id)))
  const senderHidden = hiddenFields(document.senderFields, ({ value }) => value)
  return {
    fields: own.map(field => ({ ...withValue(field, context), condition: conditionOf(field, own, context.texts) })),
    senderFields: sorted(document.senderFields)
      .filter(({ id, value }) => !senderHidden.has(id) && value !== undefined)
      .map(field => ({ ...field, value: printedValue(field, field.value ?? '', context.dateLanguage), condition: undefined })),
    fixed: fixedData(own),
  }
}

/** A choice is where its first box is. */
function firstArea(field: Field): PageArea {
  const [first = field] = inReadingOrder(areasOfField(field), area => area)
  return first
}

/** Its value does not change on this page. */
const isFixed = ({ type, readOnly }: Field) => readOnly || isFilledByService(type)

/** Undefined where all conditions are met by what others have entered. */
function conditionOf({ showIf }: Field, own: readonly Field[], texts: SignerTexts): FieldView['condition'] {
  if (!showIf) return undefined
  const controlling = own.find(({ name }) => name !== undefined && nameKey(name) === nameKey(showIf.field))
  if (!controlling || (isFixed(controlling) && !controlling.showIf)) return undefined
  const { label, type } = controlling
  return { label: label ?? texts.fieldNames[type], type, is: showIf.is }
}

/** Conditions on others are decided: the browser takes a field it does not know as met. */
function fixedData(own: readonly Field[]): FixedData[] {
  return own.filter(isFixed).map(field => {
    const { id, type, name, showIf, value, boxes } = field
    return { id, type, name, showIf, value, pages: [field, ...boxes].map(({ page }) => page) }
  })
}

function withValue(field: Field, context: Context): Omit<FieldView, 'condition'> {
  const { recipient, saved, form, files, day, dateLanguage } = context
  const { id, type, readOnly } = field
  const name = `fields.${id}`
  const entered = isWhole(form) ? form[name] : saved[name]
  const own = proposedValue(field, recipient) ?? ''
  if (isFile(type)) return { ...field, file: files[id], value: files[id]?.fileName ?? '' }
  if (type === 'number') return { ...field, value: numberValue(field, own, entered, context) }
  if (isFilledByService(type)) return { ...field, value: printedValue(field, own || day, dateLanguage) }
  const box = () =>
    isWhole(form) ? entered === 'on' : entered === undefined ? own === 'true' : entered === 'on' || entered === 'true'
  const value = type === 'checkbox' ? String(readOnly ? own === 'true' : box()) : readOnly ? own : (entered ?? own)
  return { ...field, value }
}

/** What was just sent stays as it was typed. */
function numberValue({ readOnly, ...field }: Field, own: string, entered: string | undefined, context: Context): string {
  if (readOnly) return printedValue(field, own, context.dateLanguage)
  return isWhole(context.form) ? (entered ?? '') : enteredNumber(entered ?? own, context.language)
}
