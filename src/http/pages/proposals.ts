/** The fields proposed for a document or template, for the editor's script. */
import { findFieldsOnce } from '../../documents/propose-fields.ts'
import type { PageRoute } from '../page.tsx'
import { PRIVATE } from '../private-headers.ts'
import { DRAFT_KINDS } from './draft-kind.ts'
import { actorOf, idOf } from './sender-visit.ts'

export const proposalPages: PageRoute[] = DRAFT_KINDS.map(kind => ({
  method: 'GET',
  path: `${kind.root}/:id/proposals`,
  access: 'sender',
  run: async visit => {
    const { document } = await kind.read(visit.app, actorOf(visit), idOf(visit))
    return { response: Response.json(await findFieldsOnce(visit.app, document.sha256Original), { headers: PRIVATE }) }
  },
}))
