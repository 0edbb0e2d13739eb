/** Who visits a page of documents, and which document it is about. */
import { Refusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import type { Actor, Origin } from '../../../ports.ts'
import type { Visit } from '../../frame/page.tsx'

export function actorOf({ session }: Visit): Actor {
  if (!session) throw new Refusal('unauthorized', violation('please_sign_in'))
  return session.actor
}

export const originOf = (visit: Visit): Origin => ({ actor: actorOf(visit), ...visit.client })
export const idOf = ({ params }: Visit) => params.id ?? ''
