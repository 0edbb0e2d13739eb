/**
 * The pages of signing links that were handed out, also in a frame of another site. A link opens
 * once, by its button; the browser that opened it goes on by it.
 */
import { Refusal } from '../../../core/refusal.ts'
import { frameToken, resolveHandedOut, resolveSigningSession } from '../../../documents/signing/link.ts'
import { openHandedOut } from '../../../documents/signing/signing.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import type { SignerVisit } from './signer-visit.tsx'
import { enter, FRAME_PATH, pathOfSession, runAction } from './signing.tsx'
import { resolve } from './signing-ended.ts'
import { linkPage, proofOf, sessionOf } from './signing-landing.tsx'

const find = (signer: SignerVisit) => resolve(signer, () => resolveHandedOut(signer.visit.app, signer.visit.params.token ?? ''))

const linkPathOf = ({ visit: { params } }: SignerVisit) => `/s/once/${params.token}`

export async function getLanding(signer: SignerVisit): Promise<PageResponse> {
  return linkPage(signer, await find(signer), linkPathOf(signer), [], 200)
}

export async function postLanding(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const { app, params, client } = visit
  const found = await find(signer)
  const result = await runAction(() => openHandedOut(app, params.token ?? '', proofOf(signer, found.recipient), client))
  if ('errors' in result) return linkPage(signer, await find(signer), linkPathOf(signer), result.errors, result.status)
  const { recipient, link } = result.done
  return isAlone(visit) ? enter(visit, recipient) : { redirect: `${FRAME_PATH}/${frameToken(app, recipient, link.id)}` }
}

/** A link that opens nothing more leads whoever has a session of its recipient to the document. */
export const orGoOn =
  (run: (signer: SignerVisit) => Promise<PageResponse>) =>
  async (signer: SignerVisit): Promise<PageResponse> => {
    try {
      return await run(signer)
    } catch (error) {
      const redirect = isSpent(error) && isAlone(signer.visit) ? await pathOfOwnSession(signer) : undefined
      if (redirect === undefined) throw error
      return { redirect }
    }
  }

const isSpent = (error: unknown) => error instanceof Refusal && ['linkUsed', 'linkTooOld'].includes(error.messageRef?.key ?? '')

/** Undefined without a cookie, and when the session in it has ended. */
async function pathOfOwnSession({ visit }: SignerVisit): Promise<string | undefined> {
  const id = `rcp_${(visit.params.token ?? '').split('.')[0]}`
  const session = sessionOf(visit, { id })
  if (session === undefined) return undefined
  try {
    const { recipient } = await resolveSigningSession(visit.app, session)
    return recipient.id === id ? pathOfSession(recipient) : undefined
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Only then is a cookie certain to come back. Browsers of before 2023 do not say it. */
const isAlone = ({ request }: Visit) => request.headers.get('sec-fetch-dest') === 'document'

/** The same page of a recipient under an address that is a session of its own. */
export function framed(page: PageRoute): PageRoute[] {
  const [, rest] = /^\/sign\/:recipient(.*)$/.exec(page.path) ?? []
  return rest === undefined ? [] : [{ ...page, path: `${FRAME_PATH}/:token${rest}`, isFramable: true }]
}
