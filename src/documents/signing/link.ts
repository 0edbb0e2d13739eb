/** Signing links and session tokens, derived from the link key: no row contains one. */
import { type Document, mayOpen, type Recipient } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import { linkExpiry, requireOpenable, type SigningLink } from '../../core/signing/signing-link.ts'
import { HOUR_MS } from '../../lib/duration.ts'
import { isId, timeOfId } from '../../lib/id.ts'
import { isSameSecret, keyedToken } from '../../lib/token.ts'
import { type App, type Client, type Origin, SYSTEM } from '../../ports.ts'
import { readServiceSetting } from '../../settings/service-settings.ts'
import * as queries from '../queries.ts'

type Deps = Pick<App, 'linkKey'>

/** `rcp_…` without its prefix, a dot, and 256 keyed bits in base64url. */
export function linkToken(app: Deps, recipient: Pick<Recipient, 'id' | 'linkVersion'>): string {
  return `${recipient.id.slice(4)}.${keyedToken(app.linkKey, 'link', recipient.id, String(recipient.linkVersion))}`
}

export function linkAddress(app: Pick<App, 'linkKey' | 'config'>, recipient: Pick<Recipient, 'id' | 'linkVersion'>): string {
  return `${app.config.baseUrl}/s/${linkToken(app, recipient)}`
}

export interface SigningContext {
  document: Document
  recipient: Recipient
}

/** Throws the same `not_found` for unknown, outdated and malformed links. */
export function resolveLink(app: App, token: string): Promise<SigningContext> {
  return locate(app, token, recipient => linkToken(app, recipient))
}

/** A session is for `acting` until its recipient has finished, then to see what became of it. */
export type Stage = 'acting' | 'finished'

const STAGE_WORDS: Record<Stage, string> = { acting: 'entered', finished: 'finished' }

/** Given to the browser that opened it; valid as long as link, access code and stage are. */
export function signingSessionToken(app: Deps, recipient: LinkState, stage: Stage = 'acting'): string {
  const { id, linkVersion, accessCodeHash, verify } = recipient
  const proofs = [accessCodeHash ?? '', ...(verify ? [verify] : [])]
  return `${id.slice(4)}.${keyedToken(app.linkKey, STAGE_WORDS[stage], id, String(linkVersion), ...proofs)}`
}

/** Until the upgrade is finished, sessions go on: the release before would not know others. */
async function stages(app: App): Promise<(recipient: Pick<Recipient, 'status'>) => Stage> {
  const isUsable = await app.features.isUsable(app.db, 'sessionEnd')
  return ({ status }) => (isUsable && (status === 'signed' || status === 'declined') ? 'finished' : 'acting')
}

/** As of the recipient's present stage. */
export async function presentSessionToken(app: App, recipient: Recipient): Promise<string> {
  return signingSessionToken(app, recipient, (await stages(app))(recipient))
}

/** As `presentSessionToken`, of a frame; `before`: its token until now. */
export async function presentFrameToken(app: App, recipient: Recipient, before: string): Promise<string> {
  return frameToken(app, recipient, linkIn(before).id, (await stages(app))(recipient))
}

/** The session of a recipient who has finished since: it opens nothing any more. */
export class EndedSessionError extends Refusal {
  constructor(readonly context: SigningContext) {
    super('not_found', localized('sessionOver'))
  }
}

async function locateSession(
  app: App,
  presented: string,
  tokenOf: (recipient: LinkState, stage: Stage) => string,
): Promise<SigningContext> {
  const stageOf = await stages(app)
  let isEnded = false
  const context = await locate(app, presented, recipient => {
    const former = tokenOf(recipient, 'acting')
    isEnded = stageOf(recipient) === 'finished' && isSameSecret(presented, former)
    return isEnded ? former : tokenOf(recipient, stageOf(recipient))
  })
  if (isEnded) throw new EndedSessionError(context)
  return context
}

/** Whether the text has the form of a mailed link. */
export const isMailedToken = (token: string) => token.split('.').length === 2

const isFrameToken = (token: string) => token.split('.').length === 3

/** In an address of a frame no other session counts. Throws `not_found` as for links. */
export function requireFrameToken(token: string): string {
  if (!isFrameToken(token)) throw invalidLink()
  return token
}

/** Also of a page in a frame. Throws `not_found` as for links, and `EndedSessionError`. */
export function resolveSigningSession(app: App, sessionToken: string): Promise<SigningContext> {
  if (isFrameToken(sessionToken)) return resolveFrame(app, sessionToken)
  return locateSession(app, sessionToken, (recipient, stage) => signingSessionToken(app, recipient, stage))
}

/** Of a signing link: the ids of recipient and link without their prefixes, and 256 keyed bits. */
function handedOutToken(app: Deps, { id, linkVersion }: LinkState, linkId: string): string {
  return `${id.slice(4)}.${linkId.slice(4)}.${keyedToken(app.linkKey, 'handed-out', id, String(linkVersion), linkId)}`
}

export function handedOutAddress(app: Pick<App, 'linkKey' | 'config'>, recipient: LinkState, linkId: string): string {
  return `${app.config.baseUrl}/s/once/${handedOutToken(app, recipient, linkId)}`
}

/** A signing link that was not opened. */
export interface Handed extends SigningContext {
  link: SigningLink
}

/** Throws `not_found` as for links, also while they are not allowed, and `invalid_state`. */
export async function resolveHandedOut(app: App, token: string): Promise<Handed> {
  const link = linkIn(token)
  if (!(await areLinksAllowed(app))) throw invalidLink()
  const context = await locate(app, token, recipient => handedOutToken(app, recipient, link.id))
  requireOpenable(context.document, context.recipient.id, link, app.now())
  return { ...context, link }
}

/** In the address of a page in a frame of another site, where browsers keep cookies back. */
export function frameToken(app: Deps, recipient: LinkState, linkId: string, stage: Stage = 'acting'): string {
  const session = signingSessionToken(app, recipient, stage)
  return `${recipient.id.slice(4)}.${linkId.slice(4)}.${keyedToken(app.linkKey, 'framed', session, linkId)}`
}

/** From the creation of the link on. */
const FRAME_HOURS = 12

/** Who forbids signing links ends the frames that they opened, with the next request. */
async function resolveFrame(app: App, token: string): Promise<SigningContext> {
  const { id } = linkIn(token)
  const context = await locateSession(app, token, (recipient, stage) => frameToken(app, recipient, id, stage))
  const isOver = app.now().getTime() >= timeOfId(id).getTime() + FRAME_HOURS * HOUR_MS
  if (isOver || !(await areLinksAllowed(app))) throw new Refusal('not_found', localized('sessionOver'))
  return context
}

const areLinksAllowed = async (app: App) => (await readServiceSetting(app, 'signingLinks')) === 'on'

function linkIn(token: string): SigningLink {
  const [, ulid] = token.split('.')
  if (!ulid || !/^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(ulid)) throw invalidLink()
  const id = `lnk_${ulid}`
  return { id, expiresAt: linkExpiry(timeOfId(id)) }
}

type LinkState = Pick<Recipient, 'id' | 'linkVersion' | 'accessCodeHash' | 'verify'>

/**
 * Returns the recipient as of now. Throws `not_found` if the link or access code has changed since
 * `before` was read. Call it in the transaction of each change: a delegation may have come between.
 */
export function requireUnchangedLink({ recipients }: Document, before: LinkState): Recipient {
  const recipient = recipients.find(r => r.id === before.id)
  if (recipient?.linkVersion !== before.linkVersion) throw invalidLink()
  if (recipient.accessCodeHash !== before.accessCodeHash || recipient.verify !== before.verify) throw invalidLink()
  return recipient
}

const invalidLink = () => new Refusal('not_found', localized('linkUnknown'))

/** Undefined if the text is no token. */
export function recipientIdIn(token: string): string | undefined {
  const id = `rcp_${token.split('.')[0]}`
  return isId(id, 'rcp') ? id : undefined
}

async function locate(
  app: App,
  presented: string,
  expected: (recipient: LinkState & Pick<Recipient, 'status'>) => string,
): Promise<SigningContext> {
  const recipientId = recipientIdIn(presented)
  if (recipientId === undefined) throw invalidLink()
  const document = (await queries.findOfRecipient(app.db, recipientId))?.document
  const recipient = document?.recipients.find(r => r.id === recipientId)
  // An unknown recipient is compared too, so that both take the same time.
  const isValid = isSameSecret(
    presented,
    expected(recipient ?? { id: recipientId, linkVersion: 0, accessCodeHash: undefined, verify: undefined, status: 'created' }),
  )
  if (!isValid || !document || !recipient || !(recipient.sentAt !== undefined || mayOpen(document, recipient)))
    throw invalidLink()
  return { document, recipient }
}

/** Keyed, so that codes cannot be guessed from a copy of the database alone. */
export function hashAccessCode(app: Deps, recipientId: string, code: string): string {
  return keyedToken(app.linkKey, 'access-code', recipientId, code)
}

/** As the system, a recipient may change a document of any owner. */
export function recipientOrigin({ id }: Pick<Recipient, 'id'>, client: Client): Origin {
  return { actor: { ...SYSTEM.actor, label: `recipient:${id}`, idempotencyOwner: id, scopes: [] }, ...client }
}
