/** Collects the evidence of a document from its rows and audit log, for the audit certificate. */
import { type AuditEvent, auditEventsOf } from '../../audit/log.ts'
import type * as core from '../../core/document/document.ts'
import type { DocumentEvent, EventType, Json } from '../../core/document/event.ts'
import { isJsonObject } from '../../core/document/logged-facts.ts'
import { type DateLanguage, printedValue } from '../../core/field/date-format.ts'
import { type Field, type FieldType, hasBoxes, isFilledByService, isMark } from '../../core/field/field.ts'
import { hiddenFields, placedFields } from '../../core/field/visibility.ts'
import { languageOf } from '../../core/language.ts'
import { readPages } from '../../core/signing/pages-shown.ts'
import { maySign } from '../../core/signing/routing.ts'
import type { MarkName } from '../../core/signing/signature-mark.ts'
import { identificationsOf } from '../../evidence/identification.ts'
import {
  chooseHanVariant,
  type Evidence,
  type EvidenceConsent,
  type EvidenceDeviceKey,
  type EvidenceEvent,
  type EvidenceMark,
  type EvidenceRecipient,
  type EvidenceValue,
  type HandOver,
} from '../../evidence/model.ts'
import { fileBytes } from '../../files/queries.ts'
import { verifyPage } from '../../files/verify-page.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import type { EvidenceEventKind } from '../../locales/evidence.ts'
import { catalogueOf } from '../../locales/index.ts'
import type { App } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { describeSealCertificate } from '../../settings/seal-certificate.ts'
import { readTimestampSettings } from '../../settings/timestamp-settings.ts'
import { delegateOf, isReplacement, recipientNameAt, renaming } from '../lifecycle/correct-recipient.ts'
import { type KeyUse, usesOfKeys } from '../signing/key-queries.ts'
import { type Drawings, dateLanguageOf } from '../signing/marks.ts'
import { type FindActing, findActing, whoSent } from './sender.ts'

type InstanceEvidence = Omit<Evidence, 'person' | 'program' | 'document' | 'recipients' | 'events' | 'consents' | 'audit'>

/** The part that does not depend on the document, except for its language. */
export async function instanceEvidence(
  app: App,
  sealCertificate: Evidence['sealCertificate'],
  locale?: string,
): Promise<InstanceEvidence> {
  const { name, contact, timeZone, language, logoSha256 } = await readOrganisation(app.db)
  const { authorities, level } = await readTimestampSettings(app)
  return {
    organisation: name,
    contact,
    environment: app.instance.environment,
    isTest: !app.instance.isProduction,
    instanceId: app.instance.id,
    software: `Signet ${app.instance.version}`,
    timeZone,
    language: languageOf(locale, language),
    han: chooseHanVariant(locale),
    logo: logoSha256 === undefined ? undefined : { path: await app.storage.localPath(logoSha256) },
    sealCertificate,
    sealedAt: app.now().toISOString(),
    verifyPageSha256: verifyPage().sha256,
    timestampAuthorities: level === 'B-B' ? [] : authorities.map(({ url }) => new URL(url).host),
    verifyUrl: `${app.config.baseUrl}/verify`,
    sealCertificatesUrl: `${app.config.baseUrl}/seal-certificate.pem`,
  }
}

export async function evidenceOf(app: App, document: core.Document, drawings: Drawings): Promise<Evidence> {
  const events = await auditEventsOf(app.db, document.id)
  const hidden = hiddenFields(
    placedFields(document).map(({ field }) => field),
    ({ value }) => value,
  )
  const instance = await instanceEvidence(app, await describeSealCertificate(app.db), document.locale)
  const acting = await findActing(app.db, events)
  const sender = await whoSent(app, document, events, acting)
  const keys = await usesOfKeys(app.db, document.recipients)
  const { fieldNames } = catalogueOf(instance.language).signer
  const shown = { hidden, fieldNames, language: await dateLanguageOf(app.db, document) }
  return {
    ...instance,
    person: sender.name,
    program: sender.program,
    document: {
      id: document.id,
      title: document.title,
      fileName: document.fileName,
      pageCount: document.pageCount,
      signingOrder: document.signingOrder,
      originalByteLength: (await fileBytes(app.db, document.sha256Original)) ?? 0,
      originalSha256: document.sha256Original,
      uploadedSha256: document.sha256Uploaded,
      files: document.files ?? [],
      senderValues: valuesOf(document.senderFields, shown),
    },
    recipients: document.recipients.map(r => ({
      ...recipientEvidence(r, events, drawings, { ...shown, pageCount: document.pageCount }),
      deviceKey: deviceKeyEvidence(r, events, keys),
    })),
    events: timelineOf(events).map(event => eventEvidence(document, events, event, acting)),
    consents: consentsOf(document, events),
    audit: newestOf(events),
  }
}

/**
 * Edits come before the sending, and a hold is the organisation's own business: they prove nothing
 * about a signature. The seal itself says that sealing began. The audit trail has them.
 */
const INTERNAL: ReadonlySet<EventType> = new Set([
  'document.updated',
  'document.sealing',
  'document.legal_hold_set',
  'document.legal_hold_lifted',
])

/** One entry for each act: the outcome of a mail replaces the entry that it was queued. */
function timelineOf(events: readonly AuditEvent[]): AuditEvent[] {
  const isRepeated = (event: AuditEvent) => hasOwnEntry(event) || (isQueued(event) && outcomeOf(event, events) !== undefined)
  return events.filter(event => !INTERNAL.has(event.type) && !isRepeated(event))
}

const isQueued = ({ type }: AuditEvent) => type === 'recipient.notified' || type === 'recipient.reminded'

/** The outcome of a mail with a link, not with a one-time code. */
const isOfLink = (event: AuditEvent) => isMailOutcome(event) && event.data.mail === undefined

/** The outcome of the mail, unless another mail to the recipient was queued before it. */
function outcomeOf({ recipientId, sequence }: AuditEvent, events: readonly AuditEvent[]): AuditEvent | undefined {
  const next = events.find(e => e.recipientId === recipientId && e.sequence > sequence && (isQueued(e) || isOfLink(e)))
  return next && isMailOutcome(next) ? next : undefined
}

/** The turn and the opening by a link that was handed out or from the web app, which are said. */
const hasOwnEntry = ({ type, data }: AuditEvent) =>
  (type === 'recipient.notified' && data.deliverBy === 'link') ||
  (type === 'document.viewed' && (data.linkId !== undefined || data.userId !== undefined))

function newestOf(events: AuditEvent[]): Evidence['audit'] {
  const newest = events.at(-1)
  return newest && { sequence: newest.sequence, hash: newest.hash }
}

function eventEvidence(document: core.Document, events: AuditEvent[], event: AuditEvent, acting: FindActing): EvidenceEvent {
  const nameOf = (r: core.Recipient) => recipientNameAt(r, events, event)
  const actor = document.recipients.find(r => event.actor === actorOf(r))
  const concerned = document.recipients.find(r => r.id === event.recipientId)
  return {
    at: event.at,
    kind: kindOf(event, events, actor),
    who: actor ? { kind: 'recipient', name: nameOf(actor) } : senderOfEvent(event, acting),
    concernedRecipientName: concerned && concerned !== actor ? nameOf(concerned) : undefined,
    newPerson: delegateOf(event),
    reason: textOf(event.personal?.reason),
    consentVersion: event.type === 'recipient.consented' ? textOf(event.data.consentVersion) : undefined,
    ip: event.ip,
  }
}

/** People who have been removed are not named. */
function senderOfEvent(event: AuditEvent, acting: FindActing): EvidenceEvent['who'] {
  const by = acting(event)
  return by && { kind: 'sender', ...by }
}

function kindOf(event: AuditEvent, events: readonly AuditEvent[], actor: core.Recipient | undefined): EvidenceEventKind {
  const { type, recipientId, sequence } = event
  if (type === 'recipient.signed' && actor !== undefined && !maySign(actor.role)) return 'recipient.approved'
  if (type === 'recipient.email_accepted') {
    const mail = events.findLast(e => e.recipientId === recipientId && e.sequence < sequence && isQueued(e))
    return mail?.type === 'recipient.reminded' ? 'recipient.reminder_mailed' : 'recipient.invitation_mailed'
  }
  return type as DocumentEvent
}

function actorOf(recipient: core.Recipient): string {
  return `recipient:${recipient.id}`
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function recipientEvidence(
  recipient: core.Recipient,
  events: AuditEvent[],
  drawings: Drawings,
  shown: ShownValues & Pick<core.Document, 'pageCount'>,
): EvidenceRecipient {
  // Acts of the person before prove nothing about this person.
  const since = events.findLast(e => isReplacement(e, recipient))?.sequence ?? 0
  const present = events.filter(e => e.sequence > since)
  const isOwn = (e: AuditEvent) => e.actor === actorOf(recipient)
  const own = present.filter(isOwn)
  const signed = own.find(e => e.type === 'recipient.signed')
  const consented = own.findLast(e => e.type === 'recipient.consented')
  const seen = signed ?? own.at(-1)
  const markOf = (name: MarkName) => markEvidence(recipient, name, drawings, shown.hidden)
  return {
    name: recipient.name,
    email: recipient.email,
    role: recipient.role,
    identifiedBy: identificationsOf(present.filter(e => isOwn(e) || (e.recipientId === recipient.id && isMailOutcome(e)))),
    actedAt: recipient.signedAt?.toISOString(),
    signature: markOf('signature'),
    initials: markOf('initials'),
    ip: seen?.ip,
    userAgent: seen?.userAgent,
    consentSha256: recipient.consentSha256,
    consentVersion: recipient.consentVersion,
    consentedAt: consented?.at,
    namedBy: handOversTo(recipient, events),
    secondsToAct: secondsBetween(
      own.find(e => e.type === 'document.viewed'),
      signed,
    ),
    pagesShown: readPages(textOf(signed?.data.pagesShown) ?? '', shown.pageCount),
    intent: textOf(signed?.data.intent),
    values: valuesOf(recipient.fields, shown, recipient.signedAt),
  }
}

function deviceKeyEvidence(
  { id }: core.Recipient,
  events: readonly AuditEvent[],
  uses: readonly KeyUse[],
): EvidenceDeviceKey | undefined {
  const own = uses.find(({ recipientId }) => recipientId === id)
  const signed = events.findLast(({ type, recipientId }) => type === 'recipient.signed' && recipientId === id)
  const facts = signed?.data.deviceKey
  if (own === undefined || !isJsonObject(facts)) return undefined
  const { sha256, firstUsedAt } = own
  return { sha256, isUserVerified: facts.userVerified === true, firstUsedAt: firstUsedAt?.toISOString() }
}

/** Since the sender last gave the place to somebody. */
function handOversTo(recipient: core.Recipient, events: readonly AuditEvent[]): HandOver[] {
  const replacements = events.filter(e => isReplacement(e, recipient))
  const own = replacements.slice(replacements.findLastIndex(e => e.type !== 'recipient.delegated') + 1)
  return own.flatMap(e => {
    const people = renaming(e)
    return people ? [{ ...people.from, at: e.at, to: people.to.name }] : []
  })
}

/** Shorter times between the opening and the act are said. */
const MIN_READING_MS = 5_000

function secondsBetween(opened: AuditEvent | undefined, signed: AuditEvent | undefined): number | undefined {
  if (!opened || !signed) return undefined
  const ms = Date.parse(signed.at) - Date.parse(opened.at)
  return ms >= 0 && ms < MIN_READING_MS ? Math.floor(ms / 1000) + 1 : undefined
}

function markEvidence(
  recipient: core.Recipient,
  name: MarkName,
  drawings: Drawings,
  hidden: ReadonlySet<string>,
): EvidenceMark | undefined {
  const mark = recipient[name]
  if (!mark) return undefined
  const shown = recipient.fields.filter(({ id, type, value }) => type === name && value !== undefined && !hidden.has(id))
  return {
    kind: mark.kind,
    text: mark.text,
    sha256: mark.kind === 'typed' ? sha256Hex(mark.text) : mark.sha256,
    pages: [...new Set(shown.map(({ page }) => page))].sort((a, b) => a - b),
    appearance: drawings.mark(recipient, mark),
  }
}

/** Entries of a release before lack the text. */
function consentsOf({ recipients }: core.Document, events: readonly AuditEvent[]): EvidenceConsent[] {
  const texts = new Map(
    events.filter(({ type }) => type === 'recipient.signed').map(e => [e.data.consentSha256, textOf(e.personal?.consentText)]),
  )
  const given = recipients.flatMap(({ consentVersion: version, consentSha256: sha256 }) =>
    version && sha256 ? [[sha256, { version, sha256, text: texts.get(sha256) }] as const] : [],
  )
  return [...new Map(given).values()]
}

function isMailOutcome({ type }: AuditEvent): boolean {
  return type === 'recipient.email_accepted' || type === 'recipient.email_written' || type === 'recipient.email_failed'
}

interface ShownValues {
  /** The ids of fields whose condition was not met. */
  hidden: ReadonlySet<string>
  /** Of fields without a label. */
  fieldNames: Readonly<Record<FieldType, string>>
  /** Of printed dates. */
  language: DateLanguage
}

/** A field that was not shown was not asked: it has no answer, not an empty one. */
function valuesOf(fields: readonly Field[], { hidden, fieldNames, language }: ShownValues, signedAt?: Date): EvidenceValue[] {
  return fields.flatMap((field): EvidenceValue[] => {
    const { id, type, value, file, readOnly } = field
    if (isMark(type) || value === undefined || hidden.has(id)) return []
    if (isFilledByService(type) && !signedAt && !readOnly) return []
    const common = { label: field.label ?? fieldNames[type], page: pageOf(field) }
    if (file) return [{ ...common, kind: 'file', ...file }]
    // Of the sender's own fields, the heading says it.
    const fixed = readOnly && signedAt && !isFilledByService(type) ? { isFixed: true } : {}
    if (type === 'checkbox') return [{ ...common, kind: 'check', value: value === 'true', ...fixed }]
    return [{ ...common, kind: 'text', value: printedValue(field, value, language), ...fixed }]
  })
}

/** Of a choice, the page of the chosen box. */
function pageOf({ type, page, options, boxes, value = '' }: Field): number {
  return (hasBoxes(type) ? boxes[options.indexOf(value)]?.page : undefined) ?? page
}
