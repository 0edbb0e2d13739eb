/** The recipient's pages. A signing link only shows a button; the button opens the document. */
import { SigningPage } from '../../../../views/signing/signing.tsx'
import { DeviceKeyPage } from '../../../../views/signing/signing-device-key.tsx'
import { DelegatedPage, DonePage } from '../../../../views/signing/signing-done.tsx'
import { type Recipient, recipientOf } from '../../../core/document/document.ts'
import { MAX_ATTACHMENT_BYTES } from '../../../core/field/field.ts'
import { errorsOfRefusal, Refusal, refuseIfInvalid } from '../../../core/refusal.ts'
import type { DeviceKeyRule } from '../../../core/signing/device-key.ts'
import { localized } from '../../../core/signing/message.ts'
import { mustAct } from '../../../core/signing/routing.ts'
import { MARK_NAMES, type MarkName } from '../../../core/signing/signature-mark.ts'
import { violation } from '../../../core/violation.ts'
import { receiptOf } from '../../../documents/evidence/receipts.ts'
import { shownFile } from '../../../documents/files/shown-file.ts'
import { type DeviceKeyRequest, deviceKeyIn } from '../../../documents/signing/device-key.ts'
import {
  addedFiles,
  changeFieldFiles,
  type FileChanges,
  MAX_RECIPIENT_BYTES,
  NO_FILE_CHANGES,
} from '../../../documents/signing/field-files.ts'
import {
  EndedSessionError,
  presentFrameToken,
  presentSessionToken,
  requireFrameToken,
  resolveLink,
  resolveSigningSession,
  type SigningContext,
} from '../../../documents/signing/link.ts'
import { markInputOf } from '../../../documents/signing/marks.ts'
import { drawFieldsOfPage, pageSizes } from '../../../documents/signing/preview.ts'
import {
  decline,
  delegate,
  finish,
  openDocument,
  prepareDeviceKey,
  type SigningForm,
} from '../../../documents/signing/signing.ts'
import { readMarkPicture, saveFormValues, saveMarkPicture } from '../../../documents/signing/signing-progress.ts'
import { pageDay } from '../../../lib/clock-format.ts'
import { MINUTE_MS } from '../../../lib/duration.ts'
import type { ShownError } from '../../../locales/app.ts'
import { isMailServerSet } from '../../../outbox/configured-mailer.ts'
import { deviceKeyScript } from '../../assets.ts'
import { fileResponse, receiptResponse } from '../../file-response.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { countAttempt, runQueued } from '../../limits.ts'
import { mediaType } from '../../request.ts'
import { PRIVATE, SAME_ORIGIN } from '../../version-headers.ts'
import { runSignerPage, SignerVisit } from './signer-visit.tsx'
import { resolve } from './signing-ended.ts'
import { askForCode, linkPage, proofOf, sessionOf } from './signing-landing.tsx'
import { doneProps, informedOf, signingProps } from './signing-props.ts'

const COOKIE_S = 12 * 3600

const cookieFor = (recipient: Recipient) => `signet_link_${recipient.id.slice(4)}`

/** In a frame the address itself has the token of the session. */
const baseOf = ({ visit: { params } }: SignerVisit, recipient: Recipient) =>
  params.token === undefined ? pathOfSession(recipient) : `${FRAME_PATH}/${params.token}`
export const pathOfSession = ({ id }: Pick<Recipient, 'id'>) => `/sign/${id}`
export const FRAME_PATH = '/s/frame'

/** Of the recipient in the address, whose link was opened in this browser or frame. */
export function sessionTokenOf({ visit }: SignerVisit): string {
  const { token } = visit.params
  if (token !== undefined) return requireFrameToken(token)
  const sessionToken = sessionOf(visit, { id: visit.params.recipient ?? '' })
  if (sessionToken === undefined) throw new Refusal('not_found', localized('openByLink'))
  return sessionToken
}

export async function requireSession(signer: SignerVisit): Promise<SigningContext & { sessionToken: string }> {
  const { visit } = signer
  const sessionToken = sessionTokenOf(signer)
  return { ...(await resolve(signer, () => resolveSigningSession(visit.app, sessionToken))), sessionToken }
}

/** In which whoever got no answer sends the form again. */
const REPEAT_MS = 5 * MINUTE_MS

/** Also of who has just signed: the answer may be lost, and the session has ended with it. */
async function sessionToFinish(signer: SignerVisit): Promise<SigningContext> {
  try {
    return await requireSession(signer)
  } catch (error) {
    const signedAt = error instanceof EndedSessionError ? error.context.recipient.signedAt : undefined
    if (signedAt === undefined || signer.visit.app.now().getTime() - signedAt.getTime() > REPEAT_MS) throw error
    return (error as EndedSessionError).context
  }
}

/** Errors of a form that was sent, for the part of the page it belongs to. */
interface FormErrors {
  status: number
  errors?: ShownError[]
  declineErrors?: ShownError[]
  delegationErrors?: ShownError[]
}

async function signingPage(
  signer: SignerVisit,
  found: SigningContext,
  invalid: FormErrors = { status: 200 },
): Promise<PageResponse> {
  const { errors = [], declineErrors = [], delegationErrors = [], status } = invalid
  return {
    status,
    isScripted: true,
    html: (
      <SigningPage
        {...signer.context(found.document.title, errors)}
        {...(await signingProps(signer, found))}
        base={baseOf(signer, found.recipient)}
        declineErrors={signer.translate(declineErrors)}
        delegationErrors={signer.translate(delegationErrors)}
      />
    ),
  }
}

/** `position`: of the changes, from before the document was read. */
async function donePage(signer: SignerVisit, found: SigningContext, position: string): Promise<PageResponse> {
  const props = await doneProps(signer, found)
  return { isScripted: true, html: <DonePage {...props} base={baseOf(signer, found.recipient)} position={position} /> }
}

export async function getSigning(signer: SignerVisit): Promise<PageResponse> {
  const position = await signer.visit.app.changes.position()
  const found = await requireSession(signer)
  const mayFinish = found.document.status === 'sent' && mustAct(found.recipient) && found.recipient.status === 'viewed'
  return mayFinish ? signingPage(signer, found) : donePage(signer, found, position)
}

/** Runs the action of a form. Returns the errors that the form is shown with again. */
export async function runAction<T>(
  action: () => Promise<T>,
  path = 'accessCode',
): Promise<{ done: T } | { errors: ShownError[]; status: number }> {
  try {
    return { done: await action() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { reason, details } = error
    if (reason === 'validation_failed') return { errors: details, status: 422 }
    // Of a code that is locked, or a hand-over that is forbidden: shown at the field.
    if (reason !== 'rate_limited' && reason !== 'forbidden') throw error
    const status = reason === 'forbidden' ? 403 : 429
    return { errors: errorsOfRefusal(error, path), status }
  }
}

/** The members whose names begin with this, by the rest of their names. */
const membersIn = (form: Record<string, string>, prefix: 'fields.' | 'shown.'): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [])),
  )

const FILE_FIELD = /^fields\./
const REMOVED_FILE = /^remove\./

/** Of a form that was sent without a script: with files in their fields. */
async function changeFiles({ visit: { app, form, files } }: SignerVisit, found: SigningContext): Promise<FileChanges> {
  const removed = Object.keys(form).filter(name => REMOVED_FILE.test(name))
  if (removed.length === 0 && files.length === 0) return NO_FILE_CHANGES
  const sent = files.map(({ field, name, dropped, onDisk }) => ({
    fieldId: field.replace(FILE_FIELD, ''),
    fileName: name,
    dropped,
    upload: onDisk,
  }))
  const ids = removed.map(name => name.replace(REMOVED_FILE, ''))
  return runQueued(app, found.recipient.id, () => changeFieldFiles(app, found, ids, sent))
}

export async function postFinish(signer: SignerVisit): Promise<PageResponse> {
  const found = await sessionToFinish(signer)
  if (found.recipient.status === 'signed') return goOn(signer.visit, found.recipient)
  const { form: f, client, app, organisation } = signer.visit
  const isWanted = f.deviceKey === 'on'
  const { errors: fileErrors, isUnavailable, changed } = await changeFiles(signer, found)
  const values: SigningForm = {
    values: membersIn(f, 'fields.'),
    marks: { signature: markInputOf(f, 'signature'), initials: markInputOf(f, 'initials') },
    consent: Boolean(f.consent),
    consentId: f.consentVersion ?? '',
    shownSha256: f.sha256 ?? '',
    language: signer.language,
    pagesShown: f.pagesShown ?? '',
    fileErrors,
    shownFiles: membersIn(f, 'shown.'),
    changedFiles: changed,
  }
  const result = await runAction(async () => {
    const deviceKey = deviceKeyIn(f.deviceKeyProof)
    const request = deviceKey === undefined ? await prepareDeviceKey(app, found, values, { isWanted, organisation }) : undefined
    return { request, document: request ? undefined : await finish(app, found, { ...values, deviceKey }, client) }
  })
  if ('errors' in result) {
    // The proof alone is wrong: the device signs once more, for what is true now.
    const isProofWrong = result.errors.every(({ path }) => path === 'deviceKey')
    const again = isProofWrong
      ? await runAction(() => prepareDeviceKey(app, found, values, { isWanted: true, organisation }))
      : result
    if ('done' in again && again.done) return deviceKeyPage(signer, found, again.done, values, result)
    return signingPage(signer, found, isUnavailable ? { ...result, status: 503 } : result)
  }
  const { request, document } = result.done
  if (request) return deviceKeyPage(signer, found, request, values)
  return goOn(signer.visit, recipientOf(document ?? found.document, found.recipient.id))
}

/** Members of the form that the page after it sends again by itself. */
const NOT_REPEATED = /^(csrf|deviceKey|deviceKeyProof|shown\..*|remove\..*)$/

async function deviceKeyPage(
  signer: SignerVisit,
  { document, recipient }: SigningContext,
  request: DeviceKeyRequest & { rule: DeviceKeyRule },
  { changedFiles, shownFiles }: SigningForm,
  { errors = [], status }: FormErrors = { status: 200 },
): Promise<PageResponse> {
  const { app, form, organisation } = signer.visit
  const { challenge, host, facts, known, rule } = request
  const repeated = Object.entries(form).filter(([name]) => !NOT_REPEATED.test(name))
  // The page shows the files that came with the form, as those that were there.
  const added = Object.entries(await addedFiles(app, recipient)).map(([id, { sha256 }]) => [id, sha256])
  const kept = Object.entries(shownFiles).filter(([id]) => !changedFiles.includes(id))
  const shown = [...added, ...kept].map(([id, sha256]) => [`shown.${id}`, sha256])
  const { language } = signer
  const { timeZone } = organisation
  return {
    status,
    isScripted: true,
    html: (
      <DeviceKeyPage
        {...signer.context(document.title, errors)}
        base={baseOf(signer, recipient)}
        title={document.title}
        members={Object.fromEntries([...repeated, ...shown])}
        known={known.map(({ usedAt, ...key }) => ({ ...key, day: pageDay(usedAt, { timeZone, language }) }))}
        isOptional={rule === 'offered'}
        data={{
          challenge,
          host,
          service: organisation.name,
          person: recipient.name,
          userVerification: facts.userVerification,
          statement: { previousHash: facts.previousHash, at: facts.at },
        }}
        scriptUrl={deviceKeyScript()}
      />
    ),
  }
}

export async function postDecline(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const { app, form: f, client } = signer.visit
  const result = await runAction(() => decline(app, found, f.reason ?? '', client))
  if ('errors' in result) return signingPage(signer, found, { declineErrors: result.errors, status: result.status })
  const declined = { document: result.done, recipient: recipientOf(result.done, found.recipient.id) }
  return donePage(signer, declined, await app.changes.position())
}

export async function postDelegate(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const { app, form: f, client } = signer.visit
  const to = { name: f.name ?? '', email: f.email ?? '' }
  const result = await runAction(() => delegate(app, found, to, client), 'email')
  if ('errors' in result) return signingPage(signer, found, { delegationErrors: result.errors, status: result.status })
  const { title } = found.document
  const { name } = recipientOf(result.done, found.recipient.id)
  const informed = await informedOf(signer.visit, result.done, 'delegated')
  const isMailed = await isMailServerSet(app)
  return { html: <DelegatedPage {...signer.context(title)} title={title} to={name} isMailed={isMailed} informed={informed} /> }
}

/** Responds to the page's script, with validation errors as JSON in the page's language. */
export async function respondJson(signer: SignerVisit, action: () => Promise<Response>): Promise<PageResponse> {
  try {
    return { response: await action() }
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'validation_failed')) throw error
    const errors = signer.translate(error.details)
    return { response: Response.json({ errors }, { status: 422, headers: PRIVATE }) }
  }
}

export async function postFormValues(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken } = await requireSession(signer)
  const { csrf: _csrf, ...members } = signer.visit.form
  return respondJson(signer, async () => {
    await saveFormValues(signer.visit.app, sessionToken, members, signer.language)
    return new Response(null, { status: 204, headers: PRIVATE })
  })
}

export function markNameOf(text: string | null | undefined): MarkName {
  const name = MARK_NAMES.find(known => known === text)
  if (!name) throw new Refusal('not_found', violation('mark_missing'))
  return name
}

export async function postPicture(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await requireSession(signer)
  const { app, form: f, file } = signer.visit
  const name = markNameOf(f.for)
  return respondJson(signer, async () => {
    if (!file) refuseIfInvalid([{ path: name, ...localized('pictureMissing') }])
    const picture = await runQueued(app, recipient.id, () =>
      saveMarkPicture(app, sessionToken, name, file?.bytes ?? new Uint8Array()),
    )
    return Response.json(picture, { headers: PRIVATE })
  })
}

export async function getPicture(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken } = await requireSession(signer)
  const png = await readMarkPicture(signer.visit.app, sessionToken, markNameOf(signer.visit.query.for))
  return { response: new Response(png as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'image/png', ...PRIVATE } }) }
}

export async function getMarks(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await requireSession(signer)
  const { app, query } = signer.visit
  const page = Number(query.page)
  const pdf = await runQueued(app, recipient.id, () => drawFieldsOfPage(app, sessionToken, Number.isInteger(page) ? page : 0))
  if (pdf === undefined) return { response: new Response(null, { status: 204, headers: PRIVATE }) }
  return {
    response: new Response(pdf as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/pdf', ...PRIVATE } }),
  }
}

export async function getPages(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await requireSession(signer)
  const { app } = signer.visit
  const sizes = await runQueued(app, recipient.id, () => pageSizes(app, sessionToken))
  return { response: Response.json(sizes, { headers: PRIVATE }) }
}

export async function getFile(signer: SignerVisit): Promise<PageResponse> {
  const { document } = await requireSession(signer)
  const { app, request } = signer.visit
  const response = await fileResponse(app, request, await shownFile(app, document))
  for (const [name, value] of Object.entries(SAME_ORIGIN)) response.headers.set(name, value)
  return { response }
}

/** Made now if it is not yet. Who has not signed comes back to the page. */
export async function getReceipt(signer: SignerVisit): Promise<PageResponse> {
  const { document, recipient } = await requireSession(signer)
  const { app } = signer.visit
  if (recipient.status !== 'signed') return { redirect: baseOf(signer, recipient) }
  // Each making may ask an authority for a time-stamp.
  return { response: receiptResponse(await runQueued(app, recipient.id, () => receiptOf(app, document, recipient.id))) }
}

const linkPathOf = ({ visit: { params } }: SignerVisit) => `/s/${params.token}`

export async function postLanding(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const token = visit.params.token ?? ''
  const { recipient } = await resolve(signer, () => resolveLink(visit.app, token))
  const result = await runAction(() => openDocument(visit.app, token, proofOf(signer, recipient), visit.client))
  if ('errors' in result)
    return linkPage(signer, await resolveLink(visit.app, token), linkPathOf(signer), result.errors, result.status)
  return enter(visit, recipient)
}

/** Leads to the document, with the cookie of the session. */
export async function enter(visit: Visit, recipient: Recipient): Promise<PageResponse> {
  const sessionToken = await presentSessionToken(visit.app, recipient)
  return { redirect: pathOfSession(recipient), cookies: [visit.setCookie(cookieFor(recipient), sessionToken, COOKIE_S)] }
}

/** As `enter`, also in a frame, whose address is the session. */
async function goOn(visit: Visit, recipient: Recipient): Promise<PageResponse> {
  const { token } = visit.params
  if (token === undefined) return enter(visit, recipient)
  return { redirect: `${FRAME_PATH}/${await presentFrameToken(visit.app, recipient, token)}` }
}

export async function postCode(signer: SignerVisit): Promise<PageResponse> {
  const { app, params } = signer.visit
  const found = await resolve(signer, () => resolveLink(app, params.token ?? ''))
  return askForCode(signer, found, linkPathOf(signer))
}

export async function getLanding(signer: SignerVisit): Promise<PageResponse> {
  const { app, params } = signer.visit
  return linkPage(signer, await resolve(signer, () => resolveLink(app, params.token ?? '')), linkPathOf(signer), [], 200)
}

type Handler = (signer: SignerVisit) => Promise<PageResponse>

export const signerRoute = (method: PageRoute['method'], path: string, run: Handler): PageRoute => ({
  method,
  path,
  access: 'link',
  refused: (visit, refusal) => new SignerVisit(visit).refusalPage(refusal),
  run: visit => runSignerPage(visit, run),
})

/** Before a file is received: only for the recipient, and not too many. */
export async function admitFiles(visit: Visit): Promise<void> {
  if (mediaType(visit.request) !== 'multipart/form-data') return
  const { recipient } = await sessionToFinish(new SignerVisit(visit))
  countAttempt(visit.app, 'files', recipient.id, localized('tooManyFiles'))
}

export const FIELD_FILES = {
  isFileField: (name: string) => FILE_FIELD.test(name),
  maxBytesEach: MAX_ATTACHMENT_BYTES,
  maxBytes: MAX_RECIPIENT_BYTES,
}
