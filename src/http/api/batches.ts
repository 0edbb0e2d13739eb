/** The routes of batches. Each parses, calls one action and answers. */
import type { Static, TSchema } from 'typebox'
import { createBatch, loadBatch, presentBatch, presentBatchRow, visibleTo } from '../../batches/batches.ts'
import { listBatches, rowsOfBatch } from '../../batches/queries.ts'
import { rowsFromCsv } from '../../batches/read-list.ts'
import { retryBatch, stopBatch } from '../../batches/stop.ts'
import { MAX_CSV_BYTES } from '../../core/csv/read.ts'
import { loadTemplate } from '../../templates/edit.ts'
import { type ApiRoute, type Call, route } from '../route.ts'
import * as schemas from './schema/batch-schemas.ts'
import { NoBody } from './schema/requests.ts'
import { DEFAULT_LIMIT } from './schema/schema-parts.ts'

const tag = 'Batches'
const ok = (schema: TSchema, description: string) => ({ status: 200, description, schema })
const idIn = (params: Record<string, string>) => params.id ?? ''

async function create(call: Call<Static<typeof schemas.NewBatch> | undefined, Static<typeof schemas.NewBatchQuery>>) {
  const { app, origin, params, query, body, raw } = call
  if (raw) {
    const { rows, pathOf } = rowsFromCsv(raw, await loadTemplate(app.db, origin.actor, idIn(params), 'use'))
    return createBatch(app, idIn(params), { rows, pathOf, title: query.title, force: query.force === 'true' }, origin)
  }
  const { rows: uses = [], title = query.title, force } = body ?? {}
  const rows = uses.map((use, i) => ({ line: i + 1, use }))
  const pathOf = (i: number, path: string) => (path === '' ? `rows[${i}]` : `rows[${i}].${path}`)
  return createBatch(app, idIn(params), { rows, pathOf, title, force: force ?? query.force === 'true' }, origin)
}

/** One more than a page is read: it tells whether there is a next page. */
const pageOf = <T, P>(found: readonly T[], limit: number, cursorOf: (last: T) => string, present: (one: T) => P) => {
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return { data: shown.map(present), nextCursor: found.length > limit && last ? cursorOf(last) : null }
}

export const batchRoutes: ApiRoute[] = [
  route({
    method: 'POST',
    path: '/templates/:id/batches',
    operationId: 'createBatch',
    creates: '/batches',
    access: 'documents:write',
    summary: 'Send a template to many people',
    description:
      'Makes and sends one document for each row. All rows are checked before the first document is made; `details` lists what is wrong with each. The rows come as JSON, or as CSV whose first line names the columns: `Name`, `E-mail` and the fields, with the role before it where there are several (`Tenant e-mail`); a column `Document title` gives each document its own title. The documents are sent one after the other, at the rate that the administrator has set.',
    tag,
    body: schemas.NewBatch,
    largeBody: { maxBytes: 10_000_000, maxParts: 500_000 },
    rawBody: {
      mediaType: 'text/csv',
      maxBytes: MAX_CSV_BYTES,
      description:
        'A header and one line for each document, best in UTF-8. The delimiter is recognised: comma, semicolon, tab or `|`.',
    },
    query: schemas.NewBatchQuery,
    success: { status: 201, description: 'The batch, which is being sent', schema: schemas.Batch },
    refuses: ['not_found', 'invalid_state', 'duplicate_batch', 'draft_changed', 'nothing_to_sign'],
    run: create,
    present: presentBatch,
  }),
  route({
    method: 'GET',
    path: '/batches',
    operationId: 'listBatches',
    access: 'documents:read',
    summary: 'List batches, newest first',
    tag,
    query: schemas.BatchListQuery,
    success: ok(schemas.BatchPage, 'One page of batches'),
    run: async ({ app, actor, query: { limit = DEFAULT_LIMIT, cursor, templateId } }) => {
      const found = await listBatches(app.db, { ...visibleTo(actor), templateId }, { limit: limit + 1, after: cursor })
      return pageOf(found, limit, ({ id }) => id, presentBatch)
    },
    present: page => page,
  }),
  route({
    method: 'GET',
    path: '/batches/:id',
    operationId: 'getBatch',
    access: 'documents:read',
    summary: 'Get a batch and its progress',
    tag,
    success: ok(schemas.Batch, 'The batch'),
    refuses: ['not_found'],
    run: ({ app, actor, params }) => loadBatch(app.db, actor, idIn(params)),
    present: presentBatch,
  }),
  route({
    method: 'GET',
    path: '/batches/:id/rows',
    operationId: 'listBatchRows',
    access: 'documents:read',
    summary: 'List the rows of a batch, in order',
    tag,
    query: schemas.BatchRowsQuery,
    success: ok(schemas.BatchRowPage, 'One page of rows'),
    refuses: ['not_found'],
    run: async ({ app, actor, params, query: { limit = DEFAULT_LIMIT, cursor = '0', state } }) => {
      const { id } = await loadBatch(app.db, actor, idIn(params))
      const found = await rowsOfBatch(app.db, id, { state, after: Number(cursor), limit: limit + 1 })
      return pageOf(found, limit, ({ number }) => String(number), presentBatchRow)
    },
    present: page => page,
  }),
  route({
    method: 'POST',
    path: '/batches/:id/stop',
    operationId: 'stopBatch',
    access: 'documents:write',
    summary: 'Stop a batch',
    description: 'No further row is sent. What was sent stays sent: void its documents if they are to be withdrawn.',
    tag,
    body: NoBody,
    success: ok(schemas.Batch, 'The batch is stopped'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => stopBatch(app, idIn(params), origin),
    present: presentBatch,
  }),
  route({
    method: 'POST',
    path: '/batches/:id/retry',
    operationId: 'retryBatch',
    access: 'documents:write',
    summary: 'Send the rows that failed or were stopped',
    description: 'Possible for seven days after the batch has ended. Rows that were sent are not sent again.',
    tag,
    body: NoBody,
    success: ok(schemas.Batch, 'The batch, which is being sent'),
    refuses: ['not_found', 'invalid_state'],
    run: ({ app, origin, params }) => retryBatch(app, idIn(params), origin),
    present: presentBatch,
  }),
]
