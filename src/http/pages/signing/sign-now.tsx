/** "Sign now": the way of a signed-in person to what she has to sign, without the mailed link. */
import { resolveOwnTurn, signNow } from '../../../documents/signing/sign-now.ts'
import type { PageResponse, PageRoute } from '../../frame/page.tsx'
import { sessionOf } from '../settings/settings-access.ts'
import type { SignerVisit } from './signer-visit.tsx'
import { enter, runAction } from './signing.tsx'
import { resolve } from './signing-ended.ts'
import { askForCode, isGated, linkPage, proofOf } from './signing-landing.tsx'

const pathOf = ({ visit: { params } }: SignerVisit) => `/sign-now/${params.recipient}`

const find = (signer: SignerVisit) => {
  const { visit } = signer
  return resolve(signer, () => resolveOwnTurn(visit.app, sessionOf(visit).user, visit.params.recipient ?? ''))
}

/** Where the codes of the recipient are asked for, and after them the page of the mailed link. */
export async function getLanding(signer: SignerVisit): Promise<PageResponse> {
  return linkPage(signer, await find(signer), pathOf(signer), [], 200)
}

export async function postOpen(signer: SignerVisit): Promise<PageResponse> {
  const { visit } = signer
  const { user } = sessionOf(visit)
  const found = await find(signer)
  const { accessCode, code } = visit.form
  // The button sends no code: they are asked for first.
  if ((accessCode ?? code) === undefined && (await isGated(signer, found))) return getLanding(signer)
  const result = await runAction(() => signNow(visit.app, user, found, proofOf(signer, found.recipient), visit.client))
  if ('errors' in result) return linkPage(signer, await find(signer), pathOf(signer), result.errors, result.status)
  return enter(visit, result.done.recipient)
}

export async function postCode(signer: SignerVisit): Promise<PageResponse> {
  return askForCode(signer, await find(signer), pathOf(signer))
}

export const ofAccount = (route: PageRoute): PageRoute => ({ ...route, access: 'session' })
