/**
 * What the pages of a recipient ask for while they are open: changes of the document, as
 * server-sent events, and pictures of typed marks.
 */
import { handSvg } from '../../../../views/parts/mark-svg.ts'
import { isEnded } from '../../../core/document/document.ts'
import { Refusal } from '../../../core/refusal.ts'
import { handOf } from '../../../core/signing/signature-mark.ts'
import type { Subscription } from '../../../db/change-feed.ts'
import { drawHandsOf, drawSavedHand } from '../../../documents/signing/hands.ts'
import { resolveSigningSession, type SigningContext } from '../../../documents/signing/link.ts'
import type { EventSource } from '../../../lib/event-streams.ts'
import type { App } from '../../../ports.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { runQueued } from '../../limits.ts'
import { PRIVATE } from '../../version-headers.ts'
import { knownPosition, openStream } from '../documents/live.ts'
import type { SignerVisit } from './signer-visit.tsx'
import { markNameOf, requireSession, sessionTokenOf } from './signing.tsx'

/** Tells only that something changed: the page is read again. */
class RecipientChanges implements EventSource {
  readonly #app: App
  readonly #sessionToken: string
  /** The state that the page showed when it connected. */
  readonly #known: string | undefined
  readonly #subscription: Subscription
  #isChanged = false
  #isOver = false

  constructor(visit: Visit, documentId: string, sessionToken: string, wake: () => void) {
    this.#app = visit.app
    this.#known = knownPosition(visit)
    this.#sessionToken = sessionToken
    this.#subscription = visit.app.changes.subscribe(change => {
      if (change !== 'missed' && change.documentId !== documentId) return
      this.#isChanged = true
      wake()
    }, this.#known)
  }

  /** Ends with the link, and after the event that tells of the document's end. */
  async take(): Promise<string[] | undefined> {
    const position = await this.#app.changes.position()
    const found = this.#isOver ? undefined : await this.#current()
    if (!found) return undefined
    this.#isOver = isEnded(found.document)
    // Nothing follows the end: a page that shows an earlier state gets no later event.
    if (!this.#isChanged && !(this.#isOver && this.#known !== position)) return this.#isOver ? undefined : []
    this.#isChanged = false
    return [`id: ${position}\nevent: changed\ndata: {}\n\n`]
  }

  ended(): void {
    this.#subscription.end()
  }

  async #current(): Promise<SigningContext | undefined> {
    try {
      return await resolveSigningSession(this.#app, this.#sessionToken)
    } catch (error) {
      if (error instanceof Refusal) return undefined
      throw error
    }
  }
}

export async function getLive(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const sessionToken = sessionTokenOf(signer)
  // Also of a document that has ended: a page that has missed it learns of it.
  const { document } = await resolveSigningSession(visit.app, sessionToken)
  return openStream(visit, sessionToken, wake => new RecipientChanges(visit, document.id, sessionToken, wake))
}

// The handwritings of a typed mark as pictures: of what is saved, and of what is being typed.

export async function getHand(signer: SignerVisit): Promise<PageResponse> {
  const { recipient } = await requireSession(signer)
  const { app, query } = signer.visit
  const mark = markNameOf(query.for)
  const hand = handOf(query.hand)
  const path = await runQueued(app, recipient.id, () => drawSavedHand(app, recipient, mark, hand))
  return { response: new Response(handSvg(path), { headers: { 'content-type': 'image/svg+xml', ...PRIVATE } }) }
}

/** By POST, so that names are in no address and no log of a proxy. */
export async function postHands(signer: SignerVisit): Promise<PageResponse> {
  const { recipient } = await requireSession(signer)
  const { app, form } = signer.visit
  const mark = markNameOf(form.for)
  const drawn = await runQueued(app, recipient.id, () => drawHandsOf(app, mark, form.text ?? ''))
  const hands = drawn.map(({ hand, path }) => ({ hand, svg: handSvg(path) }))
  return { response: Response.json(hands, { headers: PRIVATE }) }
}
