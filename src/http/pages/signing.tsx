/** The recipient's pages. A signing link only shows a button; the button opens the document. */
import { LandingPage, SigningPage } from '../../../views/pages/signing.tsx'
import { DelegatedPage, DonePage } from '../../../views/pages/signing-done.tsx'
import { copyUntil, type Document, isCodeLocked, isPastExpiry, type Recipient, recipientOf } from '../../core/document.ts'
import { localized } from '../../core/message.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { mustAct } from '../../core/routing.ts'
import { MARK_NAMES, MAX_PICTURE_BYTES, type MarkName } from '../../core/signature-mark.ts'
import { accessCodeWaitS } from '../../core/signing.ts'
import { fileVersionOf } from '../../documents/lifecycle.ts'
import { resolveLink, resolveSigningSession, type SigningContext, signingSessionToken } from '../../documents/link.ts'
import { markInputOf } from '../../documents/marks.ts'
import { drawFieldsOfPage, pageSizes } from '../../documents/preview.ts'
import { decline, delegate, finish, openDocument, type SigningForm } from '../../documents/signing.ts'
import { readMarkPicture, saveFormValues, saveMarkPicture } from '../../documents/signing-progress.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { fileResponse } from '../file-response.ts'
import { countAttempt, runQueued } from '../limits.ts'
import type { PageResponse, PageRoute } from '../page.tsx'
import { PRIVATE, SAME_ORIGIN } from '../private-headers.ts'
import { runSignerPage, SignerVisit } from './signer-visit.tsx'
import { doneProps, signingProps } from './signing-props.ts'

const COOKIE_S = 12 * 3600

/** Resolves a link or session and uses the recipient's language. Counts unknown links. */
async function resolve(signer: SignerVisit, find: () => Promise<SigningContext>): Promise<SigningContext> {
  const { app } = signer.visit
  try {
    const found = await find()
    signer.useLanguageOf(found)
    requireLive(found.document, app.now())
    return found
  } catch (error) {
    if (error instanceof Refusal && error.messageRef?.key === 'linkUnknown') countUnknownLink(signer)
    throw error
  }
}

function countUnknownLink({ visit: { app, client } }: SignerVisit): void {
  const message = localized('tooManyLinks')
  try {
    countAttempt(app, 'link', client.ip, message.message)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.reason, message, [], error.retryAfterS)
  }
}

/** Refuses a document that has ended. The refusal reveals nothing else of it. */
function requireLive(document: Document, now: Date): void {
  const { status } = document
  const until = copyUntil(document)
  if (status === 'voided') throw new Refusal('invalid_state', localized('withdrawn'))
  if (status === 'expired' || isPastExpiry(document, now)) throw new Refusal('invalid_state', localized('expired'))
  if (status === 'declined') throw new Refusal('invalid_state', localized('declined'))
  if (until && until < now) throw new Refusal('invalid_state', localized('copyExpired'))
}

const cookieFor = (recipient: Recipient) => `signet_link_${recipient.id.slice(4)}`
export const baseOf = (recipient: Recipient) => `/sign/${recipient.id}`

/** The recipient in the address, whose link was opened in this browser. */
async function requireSession(signer: SignerVisit): Promise<SigningContext & { sessionToken: string }> {
  const { visit } = signer
  const sessionToken = visit.cookieNamed(`signet_link_${(visit.params.recipient ?? '').slice(4)}`)
  if (sessionToken === undefined) throw new Refusal('not_found', localized('openByMail'))
  return { ...(await resolve(signer, () => resolveSigningSession(visit.app, sessionToken))), sessionToken }
}

async function landingPage(
  signer: SignerVisit,
  { document, recipient }: SigningContext,
  errors: ValidationError[],
  status: number,
): Promise<PageResponse> {
  const { visit, language } = signer
  const { app, csrf, params } = visit
  const { name, timeZone } = await readOrganisation(app.db)
  const waitS = accessCodeWaitS(recipient, app.now())
  return {
    status,
    html: (
      <LandingPage
        {...signer.context(document.title)}
        csrf={csrf}
        action={`/s/${params.token}`}
        organisation={name}
        recipientName={recipient.name}
        title={document.title}
        role={recipient.role}
        message={document.message}
        expires={document.expiresAt ? pageTime(document.expiresAt, timeZone, language) : undefined}
        asksCode={recipient.accessCodeHash !== undefined && !isCodeLocked(recipient)}
        accessCodeWaitS={waitS > 0 ? waitS : undefined}
        ended={!(document.status === 'sent' && recipient.status !== 'signed')}
        errors={signer.translate(errors)}
      />
    ),
  }
}

/** Errors of a form that was sent, for the part of the page it belongs to. */
interface FormErrors {
  status: number
  errors?: ValidationError[]
  declineErrors?: ValidationError[]
  delegationErrors?: ValidationError[]
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
        {...signer.context(found.document.title)}
        {...(await signingProps(signer, found))}
        base={baseOf(found.recipient)}
        errors={signer.translate(errors)}
        declineErrors={signer.translate(declineErrors)}
        delegationErrors={signer.translate(delegationErrors)}
      />
    ),
  }
}

async function donePage(signer: SignerVisit, found: SigningContext): Promise<PageResponse> {
  return { html: <DonePage {...(await doneProps(signer, found))} base={baseOf(found.recipient)} /> }
}

async function getSigning(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const mayFinish = found.document.status === 'sent' && mustAct(found.recipient) && found.recipient.status === 'viewed'
  return mayFinish ? signingPage(signer, found) : donePage(signer, found)
}

/** Runs the action of a form. Returns the errors that the form is shown with again. */
async function runAction<T>(action: () => Promise<T>): Promise<{ done: T } | { errors: ValidationError[]; status: number }> {
  try {
    return { done: await action() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { reason, details, message, messageRef } = error
    if (reason === 'validation_failed') return { errors: details, status: 422 }
    // Only the access code can be rate limited or locked: shown at its field.
    if (reason !== 'rate_limited' && reason !== 'forbidden') throw error
    const status = reason === 'forbidden' ? 403 : 429
    return { errors: [{ path: 'accessCode', message, ...(messageRef ? { messageRef } : {}) }], status }
  }
}

const valuesIn = (form: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (name.startsWith('fields.') ? [[name.slice(7), value]] : [])),
  )

async function postFinish(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const { form: f, client, app } = signer.visit
  const values: SigningForm = {
    values: valuesIn(f),
    marks: { signature: markInputOf(f, 'signature'), initials: markInputOf(f, 'initials') },
    consent: Boolean(f.consent),
    consentId: f.consentVersion ?? '',
    shownSha256: f.sha256 ?? '',
    language: signer.language,
  }
  const result = await runAction(() => finish(app, found, values, client))
  if ('errors' in result) return signingPage(signer, found, result)
  return { redirect: baseOf(found.recipient) }
}

async function postDecline(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const { app, form: f, client } = signer.visit
  const result = await runAction(() => decline(app, found, f.reason ?? '', client))
  if ('errors' in result) return signingPage(signer, found, { declineErrors: result.errors, status: result.status })
  return donePage(signer, { document: result.done, recipient: { ...found.recipient, status: 'declined' } })
}

async function postDelegate(signer: SignerVisit): Promise<PageResponse> {
  const found = await requireSession(signer)
  const { app, form: f, client } = signer.visit
  const to = { name: f.name ?? '', email: f.email ?? '' }
  const result = await runAction(() => delegate(app, found, to, client))
  if ('errors' in result) return signingPage(signer, found, { delegationErrors: result.errors, status: result.status })
  const { title } = found.document
  const { name } = recipientOf(result.done, found.recipient.id)
  return { html: <DelegatedPage {...signer.context(title)} title={title} to={name} /> }
}

/** Responds to the page's script, with validation errors as JSON in the page's language. */
async function respondJson(signer: SignerVisit, action: () => Promise<Response>): Promise<PageResponse> {
  try {
    return { response: await action() }
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'validation_failed')) throw error
    const errors = signer.translate(error.details)
    return { response: Response.json({ errors }, { status: 422, headers: PRIVATE }) }
  }
}

async function postFormValues(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken } = await requireSession(signer)
  const { csrf: _csrf, ...members } = signer.visit.form
  return respondJson(signer, async () => {
    await saveFormValues(signer.visit.app, sessionToken, members)
    return new Response(null, { status: 204, headers: PRIVATE })
  })
}

function markNameOf(text: string | null | undefined): MarkName {
  const name = MARK_NAMES.find(known => known === text)
  if (!name) throw new Refusal('not_found', 'There is no such mark.')
  return name
}

async function postPicture(signer: SignerVisit): Promise<PageResponse> {
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

async function getPicture(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken } = await requireSession(signer)
  const png = await readMarkPicture(signer.visit.app, sessionToken, markNameOf(signer.visit.url.searchParams.get('for')))
  return { response: new Response(png as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'image/png', ...PRIVATE } }) }
}

async function getMarks(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await requireSession(signer)
  const { app, url } = signer.visit
  const page = Number(url.searchParams.get('page'))
  const pdf = await runQueued(app, recipient.id, () => drawFieldsOfPage(app, sessionToken, Number.isInteger(page) ? page : 0))
  if (pdf === undefined) return { response: new Response(null, { status: 204, headers: PRIVATE }) }
  return {
    response: new Response(pdf as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/pdf', ...PRIVATE } }),
  }
}

async function getPages(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await requireSession(signer)
  const { app } = signer.visit
  const sizes = await runQueued(app, recipient.id, () => pageSizes(app, sessionToken))
  return { response: Response.json(sizes, { headers: PRIVATE }) }
}

async function getFile(signer: SignerVisit): Promise<PageResponse> {
  const { document } = await requireSession(signer)
  const response = await fileResponse(signer.visit.app, signer.visit.request, fileVersionOf(document, undefined))
  for (const [name, value] of Object.entries(SAME_ORIGIN)) response.headers.set(name, value)
  return { response }
}

async function postLanding(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const token = visit.params.token ?? ''
  const { recipient } = await resolve(signer, () => resolveLink(visit.app, token))
  const result = await runAction(() => openDocument(visit.app, token, visit.form.accessCode, visit.client))
  if ('errors' in result) return landingPage(signer, await resolveLink(visit.app, token), result.errors, result.status)
  return {
    redirect: baseOf(recipient),
    cookies: [visit.setCookie(cookieFor(recipient), signingSessionToken(visit.app, recipient), COOKIE_S)],
  }
}

async function getLanding(signer: SignerVisit): Promise<PageResponse> {
  const { app, params } = signer.visit
  const found = await resolve(signer, () => resolveLink(app, params.token ?? ''))
  const errors = isCodeLocked(found.recipient) ? [{ path: 'accessCode', ...localized('codeLocked') }] : []
  return landingPage(signer, found, errors, 200)
}

type Handler = (signer: SignerVisit) => Promise<PageResponse>

const route = (method: PageRoute['method'], path: string, run: Handler): PageRoute => ({
  method,
  path,
  access: 'link',
  refused: (visit, refusal) => new SignerVisit(visit).refusalPage(refusal),
  run: visit => runSignerPage(visit, run),
})

export const signingPages: PageRoute[] = [
  route('GET', '/s/:token', getLanding),
  route('POST', '/s/:token', postLanding),
  route('GET', '/sign/:recipient', getSigning),
  route('GET', '/sign/:recipient/file', getFile),
  route('GET', '/sign/:recipient/pages', getPages),
  route('GET', '/sign/:recipient/marks', getMarks),
  route('GET', '/sign/:recipient/picture', getPicture),
  { ...route('POST', '/sign/:recipient/picture', postPicture), upload: () => MAX_PICTURE_BYTES },
  route('POST', '/sign/:recipient/form-values', postFormValues),
  route('POST', '/sign/:recipient/finish', postFinish),
  route('POST', '/sign/:recipient/decline', postDecline),
  route('POST', '/sign/:recipient/delegate', postDelegate),
]
