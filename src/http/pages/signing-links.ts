/**
 * The pages of signing links that a program has handed out, also in a frame of another site. A link
 * opens once, by its button.
 */
import { frameToken, resolveHandedOut } from '../../documents/link.ts'
import { openHandedOut } from '../../documents/signing.ts'
import { embedScriptResponse } from '../assets.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import type { SignerVisit } from './signer-visit.tsx'
import { enter, FRAME_PATH, resolve, runAction, signerRoute } from './signing.tsx'
import { proofOf } from './signing-gate.tsx'
import { linkPage } from './signing-landing.tsx'

const find = (signer: SignerVisit) => resolve(signer, () => resolveHandedOut(signer.visit.app, signer.visit.params.token ?? ''))

const linkPathOf = ({ visit: { params } }: SignerVisit) => `/s/once/${params.token}`

async function getLanding(signer: SignerVisit): Promise<PageResponse> {
  return linkPage(signer, await find(signer), linkPathOf(signer), [], 200)
}

async function postLanding(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const { app, params, client } = visit
  const found = await find(signer)
  const result = await runAction(() => openHandedOut(app, params.token ?? '', proofOf(signer, found.recipient), client))
  if ('errors' in result) return linkPage(signer, await find(signer), linkPathOf(signer), result.errors, result.status)
  const { recipient, link } = result.done
  return isAlone(visit) ? enter(visit, recipient) : { redirect: `${FRAME_PATH}/${frameToken(app, recipient, link.id)}` }
}

/** Only then is a cookie certain to come back. Browsers of before 2023 do not say it. */
const isAlone = ({ request }: Visit) => request.headers.get('sec-fetch-dest') === 'document'

/** The same page of a recipient under an address that is a session of its own. */
export function framed(page: PageRoute): PageRoute[] {
  const [, rest] = /^\/sign\/:recipient(.*)$/.exec(page.path) ?? []
  return rest === undefined ? [] : [{ ...page, path: `${FRAME_PATH}/:token${rest}`, isFramable: true }]
}

export const handedOutPages: PageRoute[] = [
  { ...signerRoute('GET', '/s/once/:token', getLanding), isFramable: true },
  { ...signerRoute('POST', '/s/once/:token', postLanding), isFramable: true },
  {
    method: 'GET',
    path: '/embed.js',
    access: 'public',
    run: async ({ request }) => ({ response: embedScriptResponse(request) }),
  },
]
