/** The list of documents, and the actions on several. */
import {
  type BulkOutcome,
  DocumentListPage,
  documentsAddress,
  type Filters,
  type ListRow,
} from '../../../../views/documents/document-list.tsx'
import { LATEST_ACTS, titleOf } from '../../../../views/documents/document-words.ts'
import { newestOfTypes } from '../../../audit/queries.ts'
import { attentionOf } from '../../../core/document/attention.ts'
import type { Document } from '../../../core/document/document.ts'
import { MAX_LABEL_LENGTH, MAX_QUERY_LENGTH, MAX_REASON } from '../../../core/document/document-limits.ts'
import { DOCUMENTS_PATH } from '../../../core/page-paths.ts'
import { PAGE_SIZE } from '../../../core/service-limits.ts'
import { recipientsToRemind } from '../../../core/signing/routing.ts'
import { cleanText, MAX_EMAIL_LENGTH } from '../../../core/text.ts'
import { documentsZip } from '../../../documents/files/download.ts'
import { type BulkResult, labelDocuments, MAX_BULK, remindDocuments, voidDocuments } from '../../../documents/lifecycle/bulk.ts'
import { countViews, filterOfView, labelsInUse, VIEWS, type View } from '../../../documents/lists/count-queries.ts'
import { type DocumentFilter, type DocumentPage, listDocuments } from '../../../documents/lists/list-queries.ts'
import { find } from '../../../documents/queries.ts'
import { maySee } from '../../../documents/record.ts'
import { documentsToSign, type ToSign } from '../../../documents/signing/sign-now.ts'
import { idPattern } from '../../../lib/id.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { choiceIn, daysIn, idIn, numberIn, type Query, spanOf, trimmedIn } from '../../frame/query.ts'
import { zipResponse } from '../../zip-response.ts'
import { sessionOf } from '../settings/settings-access.ts'
import { actorOf, originOf } from './sender-visit.ts'

const MAX_EMPTY_PAGES = 20

function listOf(query: Query): { view: View; filters: Filters } {
  const filters = {
    q: trimmedIn(query, 'q', MAX_QUERY_LENGTH),
    email: trimmedIn(query, 'email', MAX_EMAIL_LENGTH),
    label: trimmedIn(query, 'label', MAX_LABEL_LENGTH),
    ...daysIn(query),
    hold: choiceIn(query, 'hold', ['1']) ?? '',
  }
  return { view: choiceIn(query, 'view', VIEWS) ?? 'all', filters }
}

/** A day that is none is an error of its field. */
function conditionsOf(filters: Filters, timeZone: string): { filter: DocumentFilter; invalid: ('from' | 'to')[] } {
  const { q, email, label } = filters
  const { start, end, invalid } = spanOf(filters, timeZone)
  return {
    filter: {
      metadata: {},
      ...(q && { q }),
      ...(email && { email }),
      ...(label && { label }),
      ...(filters.hold && { isHeld: true as const }),
      // The bounds themselves are excluded.
      ...(start && { createdAfter: new Date(start.getTime() - 1) }),
      ...(end && { createdBefore: end }),
    },
    invalid,
  }
}

export async function listPage(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const position = await app.changes.position()
  const actor = actorOf(visit)
  const now = app.now()
  const { timeZone } = visit.organisation
  const { documents: texts } = visit.texts
  const { view, filters } = listOf(visit.query)
  const { filter, invalid } = conditionsOf(filters, timeZone)
  const context = visit.context(texts.title, {
    errors: invalid.map(path => ({ path, message: texts.list.invalidDay })),
  })
  const after = idIn(visit.query, 'after', 'doc')
  const page = await pageWithDocuments(visit, { ...filter, ...filterOfView(view, now) }, after)
  const documents = page.documents.map(({ document }) => document)
  const waiting = await documentsToSign(app, sessionOf(visit).user)
  const counts = await countViews(app.db, actor, now)
  const isFiltered = Object.values(filters).some(value => value !== '') || after !== undefined
  // Who has no documents of their own finds it in any view.
  const showsToSign = !isFiltered && (view === 'attention' || counts.all === 0)
  const props = {
    context,
    position,
    view,
    counts: { ...counts, attention: counts.attention + waiting.filter(each => !isCounted(visit, each)).length },
    toSign: showsToSign ? waiting.map(each => ({ ...each, hasPage: maySee(actor, each.document) })) : [],
    filters,
    labels: await labelsInUse(app.db, actor),
    rows: await rowsOf(visit, documents, now),
    older: page.next && documentsAddress(view, filters, page.next),
    newest: after && documentsAddress(view, filters),
    notice: visit.noticeIn({ deleted: texts.notices.deleted }),
    outcome: await outcomeOf(visit),
    newDocument: `${DOCUMENTS_PATH}/new`,
  }
  return { html: <DocumentListPage {...props} /> }
}

/** Whether the document needs the person as its sender, too. */
function isCounted(visit: Visit, { document }: ToSign): boolean {
  return maySee(actorOf(visit), document) && attentionOf(document, visit.app.now()).length > 0
}

/** A search reads the index in parts. Parts without a match are skipped, up to a bound. */
async function pageWithDocuments(visit: Visit, filter: DocumentFilter, after: string | undefined): Promise<DocumentPage> {
  const request = { limit: PAGE_SIZE, after }
  let page = await listDocuments(visit.app, actorOf(visit), filter, request)
  for (let more = 0; more < MAX_EMPTY_PAGES && page.documents.length === 0 && page.next !== undefined; more++) {
    page = await listDocuments(visit.app, actorOf(visit), filter, { ...request, after: page.next })
  }
  return page
}

async function rowsOf({ app }: Visit, documents: Document[], now: Date): Promise<ListRow[]> {
  const newest = await newestOfTypes(
    app.db,
    documents.map(({ id }) => id),
    LATEST_ACTS,
  )
  return documents.map(document => {
    const event = newest.get(document.id)
    const recipient = document.recipients.find(r => r.id === event?.recipientId)
    return { document, attention: attentionOf(document, now), latest: event && { type: event.type, at: event.at, recipient } }
  })
}

const PICKED = new RegExp(`^pick\\.(${idPattern('doc')})$`)
const pickedIn = (form: Record<string, string>) => Object.keys(form).flatMap(name => PICKED.exec(name)?.[1] ?? [])

type Bulk = 'remind' | 'void' | 'label'

/** The address that shows the result: no state is kept between the two requests. */
function outcomeAddress(visit: Visit, bulk: Bulk, results: BulkResult[]): string {
  const ids = (outcome: BulkResult['outcome']) => results.filter(r => r.outcome === outcome).map(r => r.id)
  const done = String(ids('done').length)
  const rest = { none: ids('none').join(','), refused: ids('refused').join(',') }
  return backTo(visit, { bulk, done, ...rest })
}

/** The list as it was when the form was sent, with more members. */
function backTo(visit: Visit, members: Record<string, string>): string {
  const address = URL.parse(visit.form.list ?? '', visit.url)
  const { view, filters } = listOf(Object.fromEntries(address?.searchParams ?? []))
  return `${documentsAddress(view, filters)}&${new URLSearchParams(members)}`
}

async function outcomeOf(visit: Visit): Promise<BulkOutcome | undefined> {
  const { query } = visit
  const { documents: texts } = visit.context('').texts
  const asked = query.bulk
  if (asked === 'nothing') return { text: texts.bulk.nothingChosen, others: [] }
  if (asked === 'void-incomplete') return { text: texts.bulk.noReason, others: [] }
  if (asked === 'label-incomplete') return { text: texts.bulk.noLabel, others: [] }
  if (asked !== 'remind' && asked !== 'void' && asked !== 'label') return undefined
  const ids = (name: string) => (query[name] ?? '').split(',').filter(Boolean).slice(0, MAX_BULK)
  const [none, refused] = [ids('none'), ids('refused')]
  const numbers = { done: numberIn(query, 'done'), none: none.length, refused: refused.length }
  const why = ({ status }: Document) => {
    const word = texts.status[status]
    if (asked === 'remind') return texts.bulk.notWaiting(word)
    return asked === 'void' ? texts.bulk.notVoided(word) : texts.bulk.notLabelled
  }
  const others = async (of: string[], reason: (document: Document) => string) => {
    const found = await Promise.all(of.map(id => find(visit.app.db, id)))
    return found.flatMap(document => {
      if (!document || !maySee(actorOf(visit), document)) return []
      return [{ id: document.id, title: titleOf(document, texts), why: reason(document) }]
    })
  }
  const text = { remind: texts.bulk.reminded, void: texts.bulk.voided, label: texts.bulk.labelled }[asked](numbers)
  return {
    text,
    others: [
      ...(await others(none, each => (recipientsToRemind(each).length === 0 ? texts.bulk.noneMailed : texts.bulk.noneDue))),
      ...(await others(refused, why)),
    ],
  }
}

/** A form without a ticked document, or without its own text, gets a notice. */
export function bulkRoute(
  bulk: Bulk,
  act: (visit: Visit, ids: string[]) => Promise<BulkResult[]>,
  isComplete: (form: Record<string, string>) => boolean = () => true,
): PageRoute {
  return {
    method: 'POST',
    path: `${DOCUMENTS_PATH}/bulk/${bulk}`,
    access: 'sender',
    run: async visit => {
      const ids = pickedIn(visit.form)
      if (ids.length === 0) return { redirect: backTo(visit, { bulk: 'nothing' }) }
      if (!isComplete(visit.form)) return { redirect: backTo(visit, { bulk: `${bulk}-incomplete` }) }
      return { redirect: outcomeAddress(visit, bulk, await act(visit, ids)) }
    },
  }
}

export const remindPicked = (visit: Visit, ids: string[]) => remindDocuments(visit.app, ids, originOf(visit))

export const voidPicked = (visit: Visit, ids: string[]) =>
  voidDocuments(visit.app, ids, textIn(visit.form, 'reason').slice(0, MAX_REASON), originOf(visit))

export const labelPicked = (visit: Visit, ids: string[]) =>
  labelDocuments(visit.app, ids, textIn(visit.form, 'label').slice(0, MAX_LABEL_LENGTH), originOf(visit))

export const textIn = (form: Record<string, string>, name: string) => cleanText(form[name] ?? '')

export async function postDownload(visit: Visit): Promise<PageResponse> {
  const { app } = visit
  const ids = pickedIn(visit.form)
  if (ids.length === 0) return { redirect: backTo(visit, { bulk: 'nothing' }) }
  return { response: zipResponse(app, await documentsZip(app, actorOf(visit), ids)) }
}
