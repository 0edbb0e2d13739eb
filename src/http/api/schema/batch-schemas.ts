/** The schemas of requests and responses about batches. */
import Type from 'typebox'
import { MAX_TITLE } from '../../../core/document/document-limits.ts'
import { BATCH_ROW_STATES, BATCH_STATES, MAX_BATCH_ROWS, STOP_REASONS } from '../../../core/template/batch.ts'
import type { TemplateUse } from '../../../core/template/template-draft.ts'
import { Cursor, GivenId, oneOf, openEnum, optional, orNull, PageLimit, strict, text } from './schema-parts.ts'
import { templateUseMembers } from './template-requests.ts'

const BatchRowInput = Type.Unsafe<TemplateUse>(strict(templateUseMembers, { title: 'NewBatchRow' }))

const title = optional(text(MAX_TITLE, 'For the list of batches. Default: that of the template.'))
const FORCE = 'Also if the same rows were sent with the template within 24 hours, or several rows are for the same people.'

export const NewBatch = strict(
  {
    rows: Type.Array(BatchRowInput, {
      minItems: 1,
      maxItems: MAX_BATCH_ROWS,
      description: 'One document each. `accessCode` is refused.',
    }),
    title,
    force: optional(Type.Boolean({ description: FORCE, default: false })),
  },
  { title: 'NewBatch' },
)

/** For a body in CSV. */
export const NewBatchQuery = strict({
  title,
  force: optional(oneOf(['true', 'false'], `Of a body in CSV. ${FORCE}`)),
})

export const BatchListQuery = strict({
  limit: PageLimit('Batches'),
  cursor: optional(Cursor('bat')),
  templateId: optional(GivenId('tpl', '`id` of a template, also of a deleted one.')),
})

export const BatchRowsQuery = strict({
  limit: PageLimit('Rows'),
  cursor: optional(Type.String({ pattern: '^[0-9]{1,4}$', description: '`nextCursor` of the previous page.' })),
  state: optional(oneOf(BATCH_ROW_STATES)),
})

const Moment = Type.String({ format: 'date-time' })
const Count = (description: string) => Type.Integer({ description })

const STOP_REASON =
  '`requested`: by `POST /batches/{id}/stop` or in the web app. `restored`: the installation was restored from a backup. `not_permitted`: its owner, or the person who had it sent, may send no more. `key_revoked`, `key_expired`: the API token that had it sent.'

export const Batch = Type.Object(
  {
    id: Type.String({ description: '`bat_` and 26 characters.' }),
    templateId: Type.String({ description: '`tpl_` and 26 characters. The template may have been deleted since.' }),
    title: Type.String(),
    state: openEnum(BATCH_STATES, '`draft`: a person prepares it in the web app. `done`: every row was sent or failed.'),
    total: Count('Rows. Of a draft, those that its file has.'),
    counts: Type.Object(
      {
        waiting: Count('Not sent yet.'),
        sent: Count('Their documents are out for signature.'),
        failed: Count('Refused when their turn came. `GET /batches/{id}/rows` says why.'),
        stopped: Count('Left out because the batch was stopped.'),
      },
      { title: 'BatchCounts' },
    ),
    createdAt: Moment,
    startedAt: orNull(Moment),
    stoppedAt: orNull(Moment),
    stopReason: orNull(openEnum(STOP_REASONS, STOP_REASON)),
    finishedAt: orNull(Moment),
  },
  { title: 'Batch' },
)

export const BatchPage = Type.Object({ data: Type.Array(Batch), nextCursor: orNull(Type.String()) }, { title: 'BatchPage' })

const BatchRow = Type.Object(
  {
    number: Type.Integer({ description: 'From 1, in the order of the request.' }),
    line: Type.Integer({ description: 'In the CSV file; otherwise the same as `number`.' }),
    state: openEnum(BATCH_ROW_STATES),
    documentId: orNull(Type.String({ description: 'Once it is sent. The document may have been deleted since.' })),
    error: orNull(Type.String({ description: 'Why it failed.' })),
    sentAt: orNull(Moment),
  },
  { title: 'BatchRow' },
)

export const BatchRowPage = Type.Object(
  { data: Type.Array(BatchRow), nextCursor: orNull(Type.String()) },
  { title: 'BatchRowPage' },
)
