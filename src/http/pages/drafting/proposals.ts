/** The fields proposed for a document or template, for the editor's script. */
import { findFieldsOnce } from '../../../documents/draft/propose-fields.ts'
import type { PageRoute } from '../../frame/page.tsx'
import { PRIVATE } from '../../private-headers.ts'
import { actorOf, idOf } from '../documents/sender-visit.ts'
import { DRAFT_KINDS } from './draft-kind.ts'

export const proposalPages: PageRoute[] = DRAFT_KINDS.map(kind => ({
  method: 'GET',
  path: `${kind.root}/:id/proposals`,
  access: 'sender',
  run: async visit => {
    const { document } = await kind.read(visit.app, actorOf(visit), idOf(visit))
    return { response: Response.json(await findFieldsOnce(visit.app, document.sha256Original), { headers: PRIVATE }) }
  },
}))
