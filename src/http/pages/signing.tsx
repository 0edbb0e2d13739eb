/** The recipient's pages. The link in the mail shows a landing and changes nothing; a person's press of its button opens the document, and from then on a cookie stands for the link. */

import { LandingPage, SigningPage } from '../../../views/pages/signing.tsx'
import { DelegatedPage, DonePage } from '../../../views/pages/signing-done.tsx'
import { copyUntil, type Document, isCodeLocked, isPastExpiry, type Recipient, recipientOf } from '../../core/document.ts'
import { localized } from '../../core/message.ts'
import { Refusal, refuseIfInvalid, type ValidationError } from '../../core/refusal.ts'
import { mustAct } from '../../core/routing.ts'
import { MARK_NAMES, MAX_PICTURE_BYTES, type MarkName } from '../../core/signature-mark.ts'
import { accessCodeWaitS } from '../../core/signing.ts'
import { versionOf } from '../../documents/lifecycle.ts'
import { resolveLink, resolveSigningSession, type SigningContext, signingSessionToken } from '../../documents/link.ts'
import { markInputOf } from '../../documents/marks.ts'
import { drawFieldsOfPage, pageSizes } from '../../documents/preview.ts'
import { decline, delegate, finish, openDocument, type SigningForm } from '../../documents/signing.ts'
import { readMarkPicture, saveFormValues, saveMarkPicture } from '../../documents/signing-progress.ts'
import { pageTime } from '../../lib/clock-format.ts'
import { organisation } from '../../settings/organisation.ts'
import { fileResponse } from '../file-response.ts'
import { countAttempt } from '../limits.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { deadLink, refusedPage, type SignerVisit, signerPage, translatedErrors } from './signer-language.tsx'
import { doneProps, signingProps } from './signing-props.ts'
import { inTurn } from './signing-turns.ts'

const COOKIE_S = 12 * 3600

/** Opens a link or an session token; unknown ones are counted by address. From here on the page speaks the recipient's language. */
async function opened(signer: SignerVisit, open: () => Promise<SigningContext>): Promise<SigningContext> {
  const { app } = signer.visit
  try {
    const found = await open()
    signer.speakTo(found)
    demandLive(found.document, app.now())
    return found
  } catch (error) {
    if (deadLink(error)) countDeadLink(signer)
    throw error
  }
}

function countDeadLink({ visit: { app, client } }: SignerVisit): void {
  const said = localized('tooManyLinks')
  try {
    countAttempt(app, 'link', client.ip, said.message)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.reason, said, [], error.retryAfterS)
  }
}

/** What is over says so in one sentence and reveals nothing else. */
function demandLive(document: Document, now: Date): void {
  const { status } = document
  const until = copyUntil(document)
  if (status === 'voided') throw new Refusal('invalid_state', localized('withdrawn'))
  if (status === 'expired' || isPastExpiry(document, now)) throw new Refusal('invalid_state', localized('expired'))
  if (status === 'declined') throw new Refusal('invalid_state', localized('declined'))
  if (until && until < now) throw new Refusal('invalid_state', localized('copyExpired'))
}

const cookieFor = (recipient: Recipient) => `signet_link_${recipient.id.slice(4)}`
export const baseOf = (recipient: Recipient) => `/sign/${recipient.id}`

/** The document of the recipient in the address, for whoever has opened its link in this browser. */
async function entered(signer: SignerVisit): Promise<SigningContext & { sessionToken: string }> {
  const { visit } = signer
  const sessionToken = visit.cookieNamed(`signet_link_${(visit.params.recipient ?? '').slice(4)}`)
  if (sessionToken === undefined) throw new Refusal('not_found', localized('openByMail'))
  return { ...(await opened(signer, () => resolveSigningSession(visit.app, sessionToken))), sessionToken }
}

async function landing(
  signer: SignerVisit,
  { document, recipient }: SigningContext,
  errors: ValidationError[],
  status: number,
): Promise<PageResponse> {
  const { visit, language } = signer
  const { app, csrf, params } = visit
  const { name, timeZone } = await organisation(app.db)
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
        errors={translatedErrors(signer, errors)}
      />
    ),
  }
}

/** What a form of the signing page had wrong, each beside its own part. */
interface Refused {
  status: number
  errors?: ValidationError[]
  declineErrors?: ValidationError[]
  delegationErrors?: ValidationError[]
}

async function form(signer: SignerVisit, found: SigningContext, refused: Refused = { status: 200 }): Promise<PageResponse> {
  const { errors = [], declineErrors = [], delegationErrors = [], status } = refused
  return {
    status,
    isScripted: true,
    html: (
      <SigningPage
        {...signer.context(found.document.title)}
        {...(await signingProps(signer, found))}
        base={baseOf(found.recipient)}
        errors={translatedErrors(signer, errors)}
        declineErrors={translatedErrors(signer, declineErrors)}
        delegationErrors={translatedErrors(signer, delegationErrors)}
      />
    ),
  }
}

async function done(signer: SignerVisit, found: SigningContext): Promise<PageResponse> {
  return { html: <DonePage {...(await doneProps(signer, found))} base={baseOf(found.recipient)} /> }
}

async function show(signer: SignerVisit): Promise<PageResponse> {
  const found = await entered(signer)
  const toDo = found.document.status === 'sent' && mustAct(found.recipient) && found.recipient.status === 'viewed'
  return toDo ? form(signer, found) : done(signer, found)
}

/** Runs an action on a form; what the rules refuse is answered by `otherwise`, with what was entered. */
async function orRefused<T>(action: () => Promise<T>): Promise<{ done: T } | { errors: ValidationError[]; status: number }> {
  try {
    return { done: await action() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { reason, details, message, messageRef } = error
    if (reason === 'validation_failed') return { errors: details, status: 422 }
    // A pause is notice beside the field it is about.
    if (reason !== 'rate_limited' && reason !== 'forbidden') throw error
    const status = reason === 'forbidden' ? 403 : 429
    return { errors: [{ path: 'accessCode', message, ...(messageRef ? { messageRef } : {}) }], status }
  }
}

const valuesIn = (form: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => (name.startsWith('fields.') ? [[name.slice(7), value]] : [])),
  )

async function finishing(signer: SignerVisit): Promise<PageResponse> {
  const found = await entered(signer)
  const { form: f, client, app } = signer.visit
  const act: SigningForm = {
    values: valuesIn(f),
    marks: { signature: markInputOf(f, 'signature'), initials: markInputOf(f, 'initials') },
    consent: Boolean(f.consent),
    consentVersion: f.consentVersion ?? '',
    shownSha256: f.sha256 ?? '',
    language: signer.language,
  }
  const result = await orRefused(() => finish(app, found.sessionToken, act, client))
  if ('errors' in result) return form(signer, found, result)
  return { redirect: baseOf(found.recipient) }
}

async function declining(signer: SignerVisit): Promise<PageResponse> {
  const found = await entered(signer)
  const { app, form: f, client } = signer.visit
  const result = await orRefused(() => decline(app, found.sessionToken, f.reason ?? '', client))
  if ('errors' in result) return form(signer, found, { declineErrors: result.errors, status: result.status })
  return done(signer, { document: result.done, recipient: { ...found.recipient, status: 'declined' } })
}

async function handingOver(signer: SignerVisit): Promise<PageResponse> {
  const found = await entered(signer)
  const { app, form: f, client } = signer.visit
  const to = { name: f.name ?? '', email: f.email ?? '' }
  const result = await orRefused(() => delegate(app, found.sessionToken, to, client))
  if ('errors' in result) return form(signer, found, { delegationErrors: result.errors, status: result.status })
  const { title } = found.document
  const { name } = recipientOf(result.done, found.recipient.id)
  return { html: <DelegatedPage {...signer.context(title)} title={title} to={name} /> }
}

/** For the script of the page: errors as JSON, each sentence in the page's language. */
async function inJson(signer: SignerVisit, action: () => Promise<Response>): Promise<PageResponse> {
  try {
    return { response: await action() }
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'validation_failed')) throw error
    const errors = translatedErrors(signer, error.details)
    return { response: Response.json({ errors }, { status: 422, headers: PRIVATE }) }
  }
}

async function drafting(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken } = await entered(signer)
  const { csrf: _csrf, ...members } = signer.visit.form
  return inJson(signer, async () => {
    await saveFormValues(signer.visit.app, sessionToken, members)
    return new Response(null, { status: 204, headers: PRIVATE })
  })
}

function markNameOf(text: string | null | undefined): MarkName {
  const name = MARK_NAMES.find(known => known === text)
  if (!name) throw new Refusal('not_found', 'There is no such mark.')
  return name
}

async function uploading(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await entered(signer)
  const { app, form: f, file } = signer.visit
  const name = markNameOf(f.for)
  return inJson(signer, async () => {
    if (!file) refuseIfInvalid([{ path: name, ...localized('pictureMissing') }])
    const taken = await inTurn(app, recipient.id, () => saveMarkPicture(app, sessionToken, name, file?.bytes ?? new Uint8Array()))
    return Response.json(taken, { headers: PRIVATE })
  })
}

/** Pages of ours may load it; those of a neighbouring host, to which the browser gives our cookie too, may not. */
const OURS_ALONE = { 'cross-origin-resource-policy': 'same-origin', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }
const PRIVATE = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff', ...OURS_ALONE }

async function picture(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken } = await entered(signer)
  const png = await readMarkPicture(signer.visit.app, sessionToken, markNameOf(signer.visit.url.searchParams.get('for')))
  return { response: new Response(png as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'image/png', ...PRIVATE } }) }
}

async function marks(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await entered(signer)
  const { app, url } = signer.visit
  const page = Number(url.searchParams.get('page'))
  const pdf = await inTurn(app, recipient.id, () => drawFieldsOfPage(app, sessionToken, Number.isInteger(page) ? page : 0))
  if (pdf === undefined) return { response: new Response(null, { status: 204, headers: PRIVATE }) }
  return {
    response: new Response(pdf as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/pdf', ...PRIVATE } }),
  }
}

async function pages(signer: SignerVisit): Promise<PageResponse> {
  const { sessionToken, recipient } = await entered(signer)
  const { app } = signer.visit
  const sizes = await inTurn(app, recipient.id, () => pageSizes(app, sessionToken))
  return { response: Response.json(sizes, { headers: PRIVATE }) }
}

async function file(signer: SignerVisit): Promise<PageResponse> {
  const { document } = await entered(signer)
  const response = await fileResponse(signer.visit.app, signer.visit.request, versionOf(document, undefined))
  for (const [name, value] of Object.entries(OURS_ALONE)) response.headers.set(name, value)
  return { response }
}

async function opening(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const token = visit.params.token ?? ''
  const { recipient } = await opened(signer, () => resolveLink(visit.app, token))
  const result = await orRefused(() => openDocument(visit.app, token, visit.form.accessCode, visit.client))
  if ('errors' in result) return landing(signer, await resolveLink(visit.app, token), result.errors, result.status)
  return {
    redirect: baseOf(recipient),
    cookies: [visit.setCookie(cookieFor(recipient), signingSessionToken(visit.app, recipient), COOKIE_S)],
  }
}

async function greeting(signer: SignerVisit): Promise<PageResponse> {
  const { app, params } = signer.visit
  const found = await opened(signer, () => resolveLink(app, params.token ?? ''))
  const errors = isCodeLocked(found.recipient) ? [{ path: 'accessCode', ...localized('codeLocked') }] : []
  return landing(signer, found, errors, 200)
}

type Handler = (signer: SignerVisit) => Promise<PageResponse>

const route = (method: PageRoute['method'], path: string, run: Handler): PageRoute => ({
  method,
  path,
  access: 'link',
  refused: refusedPage,
  run: (visit: Visit) => signerPage(visit, run),
})

export const signingPages: PageRoute[] = [
  route('GET', '/s/:token', greeting),
  route('POST', '/s/:token', opening),
  route('GET', '/sign/:recipient', show),
  route('GET', '/sign/:recipient/file', file),
  route('GET', '/sign/:recipient/pages', pages),
  route('GET', '/sign/:recipient/marks', marks),
  route('GET', '/sign/:recipient/picture', picture),
  { ...route('POST', '/sign/:recipient/picture', uploading), upload: () => MAX_PICTURE_BYTES },
  route('POST', '/sign/:recipient/form-values', drafting),
  route('POST', '/sign/:recipient/finish', finishing),
  route('POST', '/sign/:recipient/decline', declining),
  route('POST', '/sign/:recipient/delegate', handingOver),
]
