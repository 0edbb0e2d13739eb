/** What draws a document or template for its sender: sizes of the pages, what was signed so far. */
import { documentPageSizes, drawSignedFieldsOfPage } from '../../../documents/signing/preview.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { runQueued } from '../../limits.ts'
import { PRIVATE } from '../../version-headers.ts'
import type { DraftKind } from '../drafting/draft-kind.ts'
import { actorOf, idOf } from './sender-visit.ts'

const keyOf = (visit: Visit) => visit.session?.user.id ?? ''
const shownIn = async (visit: Visit, kind: DraftKind) => (await kind.read(visit.app, actorOf(visit), idOf(visit))).document

export async function getPages(visit: Visit, kind: DraftKind): Promise<PageResponse> {
  const { app } = visit
  const document = await shownIn(visit, kind)
  const version = visit.query.version === 'original' ? 'original' : undefined
  const sizes = await runQueued(app, keyOf(visit), () => documentPageSizes(app, document, version))
  return { response: Response.json(sizes, { headers: PRIVATE }) }
}

export async function getMarks(visit: Visit, kind: DraftKind): Promise<PageResponse> {
  const { app } = visit
  const document = await shownIn(visit, kind)
  const asked = Number(visit.query.page)
  const page = Number.isInteger(asked) ? asked : 0
  const pdf = await runQueued(app, keyOf(visit), () => drawSignedFieldsOfPage(app, document, page))
  if (pdf === undefined) return { response: new Response(null, { status: 204, headers: PRIVATE }) }
  return {
    response: new Response(pdf as Uint8Array<ArrayBuffer>, { headers: { 'content-type': 'application/pdf', ...PRIVATE } }),
  }
}
