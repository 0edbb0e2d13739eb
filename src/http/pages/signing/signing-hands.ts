/** The handwritings of a typed mark as pictures: of what is saved, and of what is being typed. */
import { handSvg } from '../../../../views/parts/hand-svg.ts'
import { handOf } from '../../../core/signing/signature-mark.ts'
import { drawHandsOf, drawSavedHand } from '../../../documents/signing/hands.ts'
import type { PageResponse, PageRoute } from '../../frame/page.tsx'
import { runQueued } from '../../limits.ts'
import { PRIVATE } from '../../private-headers.ts'
import type { SignerVisit } from './signer-visit.tsx'
import { markNameOf, requireSession, signerRoute } from './signing.tsx'

async function getHand(signer: SignerVisit): Promise<PageResponse> {
  const { recipient } = await requireSession(signer)
  const { app, url } = signer.visit
  const mark = markNameOf(url.searchParams.get('for'))
  const hand = handOf(url.searchParams.get('hand') ?? undefined)
  const path = await runQueued(app, recipient.id, () => drawSavedHand(app, recipient, mark, hand))
  return { response: new Response(handSvg(path), { headers: { 'content-type': 'image/svg+xml', ...PRIVATE } }) }
}

/** By POST, so that names are in no address and no log of a proxy. */
async function postHands(signer: SignerVisit): Promise<PageResponse> {
  const { recipient } = await requireSession(signer)
  const { app, form } = signer.visit
  const mark = markNameOf(form.for)
  const drawn = await runQueued(app, recipient.id, () => drawHandsOf(app, mark, form.text ?? ''))
  const hands = drawn.map(({ hand, path }) => ({ hand, svg: handSvg(path) }))
  return { response: Response.json(hands, { headers: PRIVATE }) }
}

export const signingHandPages: PageRoute[] = [
  signerRoute('GET', '/sign/:recipient/hand', getHand),
  signerRoute('POST', '/sign/:recipient/hands', postHands),
]
