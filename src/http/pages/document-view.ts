/** What draws a document for its sender: sizes of the pages, and what was signed so far. */
import { documentPageSizes, drawSignedFieldsOfPage } from '../../documents/preview.ts'
import { runQueued } from '../limits.ts'
import type { PageResponse, PageRoute, Visit } from '../page.tsx'
import { PRIVATE } from '../private-headers.ts'
import { actorOf, idOf } from './sender-visit.ts'

const keyOf = (visit: Visit) => visit.session?.user.id ?? ''

async function getPages(visit: Visit): Promise<PageResponse> {
  const version = visit.url.searchParams.get('version') === 'original' ? 'original' : undefined
  const sizes = await runQueued(visit.app, keyOf(visit), () => documentPageSizes(visit.app, actorOf(visit), idOf(visit), version))
  return { response: Response.json(sizes, { headers: PRIVATE }) }
}

async function getMarks(visit: Visit): Promise<PageResponse> {
  const asked = Number(visit.url.searchParams.get('page'))
  const page = Number.isInteger(asked) ? asked : 0
  const pdf = await runQueued(visit.app, keyOf(visit), () => drawSignedFieldsOfPage(visit.app, actorOf(visit), idOf(visit), page))
  if (pdf === undefined) return { response: new Response(null, { status: 204, headers: PRIVATE }) }
  return {
    response: new Response(pdf as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/pdf', ...PRIVATE } }),
  }
}

export const documentViewPages: PageRoute[] = [
  { method: 'GET', path: '/documents/:id/pages', access: 'session', run: getPages },
  { method: 'GET', path: '/documents/:id/marks', access: 'session', run: getMarks },
]
