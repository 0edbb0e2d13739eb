/** Who may act under Settings: administrators in most sections, and whoever entered the password a short while ago. */
import { confirmPassword } from '../../accounts/people.ts'
import { Refusal, refuseIfInvalid } from '../../core/refusal.ts'
import type { Origin } from '../../ports.ts'
import { signedInUser, type Visit } from '../page.tsx'

type Session = NonNullable<Visit['session']>

export function sessionOf({ session }: Visit): Session {
  if (!session) throw new Refusal('unauthorized', 'Please sign in.')
  return session
}

/** @throws Refusal `forbidden` for members */
export function adminOf(visit: Visit): Session {
  const session = sessionOf(visit)
  if (!session.actor.seesAll) throw new Refusal('forbidden', 'Only administrators can see and change these settings.')
  return session
}

/** An administrator's change, as the audit log tells it. */
export function originOf(visit: Visit): Origin {
  return { actor: adminOf(visit).actor, ...visit.client }
}

/** The password from the form, where it was asked longer ago. @throws Refusal `validation_failed`, `rate_limited` */
export async function confirmedBy(visit: Visit): Promise<void> {
  const { user, token } = sessionOf(visit)
  const { password = '' } = visit.form
  if (password === '') refuseIfInvalid([{ path: 'password', message: 'is asked again, because you last entered it a while ago' }])
  await confirmPassword(visit.app, token, user, password)
}

/** The person in the context of a page under Settings. */
export function settingsUser(visit: Visit) {
  return { ...signedInUser(visit, '/settings/tokens'), isAdmin: sessionOf(visit).actor.seesAll }
}
