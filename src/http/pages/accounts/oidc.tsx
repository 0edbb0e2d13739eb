/**
 * The identity provider: at sign-in, before sensitive changes, in the profile. The first steps are
 * links: browsers refuse that a form leads to another site, as `form-action` says.
 */
import { UnlinkIdentityPage } from '../../../../views/accounts/profile.tsx'
import { askProvider, confirmByProvider, proofOf, takeRequest } from '../../../accounts/oidc.ts'
import { linkedIdentity, linkOwnIdentity, unlinkIdentity } from '../../../accounts/oidc-identity.ts'
import type { AuthRequest, Purpose } from '../../../accounts/oidc-queries.ts'
import { signInByProvider } from '../../../accounts/oidc-sign-in.ts'
import { CONFIRM_PATH, PROFILE_PATH } from '../../../core/page-paths.ts'
import { errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { isSameSecret } from '../../../lib/token.ts'
import { ERROR_CODES } from '../../error-codes.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { countAttempt } from '../../limits.ts'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'
import { confirmPage, signInPage } from './account.tsx'
import { linkTokenOf, profilePage } from './profile.tsx'
import { finishSignIn, nextOf } from './sign-in-code.tsx'

const TOO_MANY = violation('too_many_sign_ins')

export async function leave(visit: Visit, purpose: Purpose, next: string): Promise<PageResponse> {
  const { app, client, csrf, session } = visit
  countAttempt(app, 'identity provider', client.ip, TOO_MANY)
  const userId = purpose === 'sign-in' ? {} : { userId: session?.user.id ?? '' }
  return { redirect: await askProvider(app, { browser: csrf, purpose, next, ...userId }) }
}

/** The sign-in page stays usable, whatever the provider does. */
export async function toSignIn(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  return { html: await signInPage(visit, errorsOfRefusal(refusal, 'main'), ''), status: ERROR_CODES[refusal.reason].status }
}

export async function toConfirm(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  return { html: confirmPage(visit, nextOf(visit), errorsOfRefusal(refusal, 'main')), status: ERROR_CODES[refusal.reason].status }
}

export async function toProfile(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  return profilePage(visit, errorsOfRefusal(refusal, 'main'), ERROR_CODES[refusal.reason].status)
}

/** A foreign page cannot begin it: that would link the foreigner's identity to the visitor. */
export async function link(visit: Visit): Promise<PageResponse> {
  if (!isSameSecret(visit.query.start ?? '', linkTokenOf(visit))) return { redirect: PROFILE_PATH }
  if (!sessionOf(visit).confirmed) return { redirect: `${CONFIRM_PATH}?next=${PROFILE_PATH}` }
  return leave(visit, 'link', PROFILE_PATH)
}

/** The session of the person who left for the provider. */
function sameSession(visit: Visit, { subject }: AuthRequest) {
  const { session } = visit
  if (session && session.user.id === subject) return session
  throw new Refusal('unauthorized', violation('signed_out_meanwhile'))
}

interface Answer {
  visit: Visit
  request: AuthRequest
  response: { browser: string; query: URLSearchParams }
}

const ANSWERS: Record<Purpose, (answer: Answer) => Promise<PageResponse>> = {
  'sign-in': async ({ visit, request, response }) => {
    const { app, client } = visit
    const { user, method, hasNewEmail } = await signInByProvider(app, await proofOf(app, response, request), client)
    return finishSignIn(visit, user, method, hasNewEmail ? `${PROFILE_PATH}?notice=identity-email` : request.next)
  },
  confirmation: async ({ visit, request, response }) => {
    const session = sameSession(visit, request)
    await confirmByProvider(visit.app, session, await proofOf(visit.app, response, request), request)
    return { redirect: request.next }
  },
  link: async ({ visit, request, response }) => {
    const { user } = sameSession(visit, request)
    await linkOwnIdentity(visit.app, user, await proofOf(visit.app, response, request), originOf(visit))
    return { redirect: `${PROFILE_PATH}?notice=linked` }
  },
}

/** Shows a refusal where the person came from. */
async function refusedPage(visit: Visit, { purpose, next }: AuthRequest, refusal: Refusal): Promise<PageResponse> {
  if (purpose === 'sign-in' || !visit.session) return toSignIn(visit, refusal)
  if (purpose === 'link') return toProfile(visit, refusal)
  return { html: confirmPage(visit, next, errorsOfRefusal(refusal, 'main')), status: ERROR_CODES[refusal.reason].status }
}

export async function callback(visit: Visit): Promise<PageResponse> {
  const { app, client, csrf, url } = visit
  countAttempt(app, 'identity provider response', client.ip, TOO_MANY)
  const response = { browser: csrf, query: url.searchParams }
  const request = await takeRequest(app, response)
  try {
    return await ANSWERS[request.purpose]({ visit, request, response })
  } catch (error) {
    if (error instanceof Refusal) return refusedPage(visit, request, error)
    throw error
  }
}

export async function unlinkPage(visit: Visit, { errors = [], status = 200 }: FormState = {}): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const identity = await linkedIdentity(visit.app, user.id)
  if (!identity) throw new Refusal('not_found', violation('provider_not_linked'))
  const { provider, email } = identity
  const context = visit.context(visit.texts.openIdConnect.profile.unlinkTitle(provider), { errors })
  return { html: <UnlinkIdentityPage context={context} provider={provider} email={email} />, status }
}

export async function unlink(visit: Visit): Promise<PageResponse> {
  const { user } = sessionOf(visit)
  const result = await runConfirmedAction(visit, () => unlinkIdentity(visit.app, user, originOf(visit)))
  return 'errors' in result ? unlinkPage(visit, result) : { redirect: `${PROFILE_PATH}?notice=unlinked` }
}
