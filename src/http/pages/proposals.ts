/** The fields proposed for a document, for the editor's script. */
import { Refusal } from '../../core/refusal.ts'
import { proposeFields } from '../../documents/propose-fields.ts'
import type { PageRoute } from '../page.tsx'

const PRIVATE = { 'cache-control': 'private, no-store' }

export const proposalPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/documents/:id/proposals',
    access: 'sender',
    run: async ({ app, session, params }) => {
      if (!session) throw new Refusal('unauthorized', 'Please sign in.')
      const found = await proposeFields(app, session.actor, params.id ?? '')
      return { response: Response.json(found, { headers: PRIVATE }) }
    },
  },
]
