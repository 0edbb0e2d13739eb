/** Props of the signing page and the page after it, with saved and just sent values. */
import type { MarkEntry, SigningProps } from '../../../../views/signing/signing.tsx'
import type { DoneProps, DoneState } from '../../../../views/signing/signing-done.tsx'
import { isSenderMailed } from '../../../accounts/notified.ts'
import { copyUntil, type Document, isEnded, type Recipient } from '../../../core/document/document.ts'
import type { MailKind } from '../../../core/document/follow-up.ts'
import { senderName } from '../../../core/document/sender-name.ts'
import { isMark } from '../../../core/field/field.ts'
import { directionOf, languageOf } from '../../../core/language.ts'
import { mustAct } from '../../../core/signing/routing.ts'
import { handOf, type MarkName, markKindOf, markMembers } from '../../../core/signing/signature-mark.ts'
import { mayDelegate, requiredMarks } from '../../../core/signing/signing.ts'
import { senderOf } from '../../../documents/lifecycle/mail-facts.ts'
import { consentId, consentToShow, intentText } from '../../../documents/signing/consent.ts'
import { addedFiles } from '../../../documents/signing/field-files.ts'
import { formValuesOf } from '../../../documents/signing/form-queries.ts'
import { offeredHands, ownText } from '../../../documents/signing/hands.ts'
import type { SigningContext } from '../../../documents/signing/link.ts'
import { withMarking } from '../../../documents/signing/marking.ts'
import { dateLanguageOf } from '../../../documents/signing/marks.ts'
import { fileBytes } from '../../../files/queries.ts'
import { isoDay, pageTime } from '../../../lib/clock-format.ts'
import { safeHref } from '../../../lib/safe-href.ts'
import { isMailServerSet } from '../../../outbox/configured-mailer.ts'
import type { App } from '../../../ports.ts'
import { readOrganisation } from '../../../settings/organisation.ts'
import { doneAssets, doneScript, signingAssets } from '../../assets.ts'
import type { Visit } from '../../frame/page.tsx'
import type { SignerVisit } from './signer-visit.tsx'
import { type Entries, isWhole, pageFields } from './signing-fields.ts'

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

type FormProps = Omit<
  SigningProps,
  'context' | 'lang' | 'dir' | 'texts' | 'base' | 'errors' | 'declineErrors' | 'delegationErrors'
>

export async function signingProps(signer: SignerVisit, { document, ...context }: SigningContext): Promise<FormProps> {
  const { visit, language } = signer
  const { app, csrf, form } = visit
  const recipient = await withMarking(app, context.recipient)
  const organisation = await readOrganisation(app.db)
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
    csrf,
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
    sha256: document.sha256Original,
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
function refreshOf({ url }: Visit, state: DoneState): DoneProps['refresh'] {
  const times = Number(url.searchParams.get('look') ?? 0)
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
export async function informedOf(app: App, { id }: Document, kind: MailKind): Promise<string | undefined> {
  return (await isSenderMailed(app, id, kind)) ? (await readOrganisation(app.db)).name : undefined
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
  const { timeZone } = await readOrganisation(visit.app.db)
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
    informed: notice && (await informedOf(visit.app, document, notice)),
    refresh: refreshOf(visit, state),
    picture: state === 'declined' ? undefined : pictureOf(document, recipient),
    shown: {
      signed: document.recipients.filter(r => r.status === 'signed').map(r => r.id),
      file: document.sha256Sealed ?? '',
    },
    redirectUrl: state === 'declined' ? undefined : safeHref(document.redirectUrl),
    copyUntil: until && pageTime(until, timeZone, language),
    script: doneScript(mustAct(recipient)),
  }
}
