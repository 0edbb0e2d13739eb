/** Links that open nothing more: what became of the document, and the request for a new link. */
import { copyUntil, type Document, isPastExpiry } from '../../../core/document/document.ts'
import { senderName } from '../../../core/document/follow-up.ts'
import { Refusal } from '../../../core/refusal.ts'
import { type LocalizedMessage, localized } from '../../../core/signing/message.ts'
import { senderOf } from '../../../documents/lifecycle/mail-facts.ts'
import { EndedSessionError, isMailedToken, resolveLink, type SigningContext } from '../../../documents/signing/link.ts'
import { findOldLink, type OldLink, requestNewLink, requestOffered } from '../../../documents/signing/old-link.ts'
import { isMailServerSet } from '../../../outbox/configured-mailer.ts'
import type { PageResponse } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import type { Ended, SignerVisit } from './signer-visit.tsx'
import { isGated, sessionOf } from './signing-landing.tsx'

/**
 * Resolves a link or session and uses the recipient's language. What opens nothing more is refused,
 * with the title and the sender for those whom the link alone lets in. Counts unknown links.
 */
export async function resolve<C extends SigningContext>(signer: SignerVisit, find: () => Promise<C>): Promise<C> {
  try {
    const found = await orOldLink(signer, find)
    await requireLive(signer, found)
    return found as C
  } catch (error) {
    if (error instanceof EndedSessionError) {
      signer.useLanguageOf(error.context)
      await requireLive(signer, error.context)
    }
    throw error
  }
}

async function requireLive(signer: SignerVisit, found: SigningContext | OldLink): Promise<void> {
  const end = 'fate' in found ? await endOfOld(signer, found) : endOf(found.document, signer.visit.app.now())
  if (end === undefined) return
  signer.ended = await endedFacts(signer, found)
  throw new Refusal('fate' in found ? 'not_found' : 'invalid_state', end)
}

/** Throws `not_found` for what never was a link. */
async function orOldLink<C extends SigningContext>(signer: SignerVisit, find: () => Promise<C>): Promise<C | OldLink> {
  const { app, client, params } = signer.visit
  try {
    const found = await find()
    signer.useLanguageOf(found)
    return found
  } catch (error) {
    if (!(error instanceof Refusal && error.messageRef?.key === 'linkUnknown')) throw error
    const presented = params.token ?? sessionOf(signer.visit, { id: params.recipient ?? '' }) ?? ''
    const old = await findOldLink(app, presented)
    if (!old) {
      countAttempt(app, 'link', client.ip, localized('tooManyLinks'))
      throw error
    }
    signer.useLanguageOf(old)
    return old
  }
}

function endOf(document: Document, now: Date): LocalizedMessage | undefined {
  const { status } = document
  const until = copyUntil(document)
  if (status === 'voided') return localized('withdrawn')
  if (status === 'expired' || isPastExpiry(document, now)) return localized('expired')
  if (status === 'declined') return localized('declined')
  return until && until < now ? localized('copyExpired') : undefined
}

/** What became of the document is the business of the present recipient alone. */
async function endOfOld(signer: SignerVisit, old: OldLink): Promise<LocalizedMessage> {
  if (old.fate === 'handed_over') return localized('linkHandedOver', (await isShown(signer, old)) ? old.to : undefined)
  if (old.fate === 'readdressed') return localized('linkReaddressed')
  return endOf(old.document, signer.visit.app.now()) ?? localized('linkReplaced')
}

/** A stranger may have the link: where a code is asked for first, it names no document. */
async function isShown(signer: SignerVisit, found: SigningContext | OldLink): Promise<boolean> {
  if (!('fate' in found)) return signer.visit.params.recipient !== undefined || !(await isGated(signer, found))
  const { verify, accessCodeHash } = found.recipient
  return found.by === 'session' || (verify === undefined && accessCodeHash === undefined)
}

async function endedFacts(signer: SignerVisit, found: SigningContext | OldLink): Promise<Ended> {
  const { app, params, organisation } = signer.visit
  const { document } = found
  const { name, contact } = organisation
  const to = params.token !== undefined && isMailedToken(params.token) ? requestOffered(found, app.now()) : undefined
  const isNamed = await isShown(signer, found)
  const isOwners = !('fate' in found) || found.fate !== 'readdressed'
  const person = isNamed && isOwners ? (await senderOf(app, document))?.name : undefined
  const mailed = (await isMailServerSet(app)) ? 'willBeMailed' : 'bySender'
  return {
    title: isNamed ? document.title : undefined,
    sender: isNamed && isOwners ? senderName(person, name) : undefined,
    request: to && { action: `/s/${params.token}/new-link`, effect: to === 'sender' ? 'willBeInformed' : mailed },
    ask: contact ?? person,
  }
}

/** Asks for a new link. Where none is offered, the page says why, or opens the document. */
export async function postNewLink(signer: SignerVisit): Promise<PageResponse> {
  const { app, client, params } = signer.visit
  const token = params.token ?? ''
  const find = () => resolveLink(app, token)
  const found = await orOldLink(signer, find)
  const isLive = !('fate' in found) && endOf(found.document, app.now()) === undefined
  if (isLive || requestOffered(found, app.now()) === undefined) {
    await resolve(signer, find)
    return { redirect: `/s/${token}` }
  }
  signer.ended = { ...(await endedFacts(signer, found)), request: undefined }
  countAttempt(app, 'new link', client.ip, localized('linkAsked'))
  const to = await requestNewLink(app, token, found, client)
  const { ended } = signer.catalogue.signer
  const mailed = (await isMailServerSet(app)) ? ended.mailed : ended.bySender
  return signer.endedPage(ended.asked, to === 'sender' ? ended.informed : mailed, signer.ended)
}
