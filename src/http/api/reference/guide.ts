/** The description of the API: `guide.md` with the lists of errors and events, and the tags. */
import { PUBLIC_EVENTS } from '../../../core/document/event.ts'
import { errorCatalogue } from '../../error-codes.ts'
import type { Tag } from '../../route.ts'
import text from './guide.md' with { type: 'text' }

export const TAGS: Record<Tag, string> = {
  Documents: 'Create documents, send them for signature, follow them, and download the sealed PDF and its evidence.',
  Templates: 'Keep a PDF with its fields for roles, and make documents from it with people in those roles.',
  Batches: 'Send a template to many people at once, and follow the progress.',
  Events: 'What happened to documents, in order.',
  Webhooks: 'Register the endpoints to which events are delivered.',
  Verification: 'Verify signed PDFs, of this service and of others.',
  'API token': 'What the calling API token is and may do.',
}

const EVENT_LIST = PUBLIC_EVENTS.map(type => `\`${type}\``).join(', ')

/** CommonMark. `base`: the address of the API of this instance. */
export const guideFor = (base: string) =>
  text.trim().replaceAll('{{base}}', base).replace('{{errors}}', errorCatalogue()).replace('{{events}}', EVENT_LIST)
