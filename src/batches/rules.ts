/** What the rows of a batch must meet: all is checked before the first document is made. */
import { createDraft } from '../core/document/create-document.ts'
import { type Document, send } from '../core/document/document.ts'
import type { ValidationDeps } from '../core/document/new-document.ts'
import { errorAt, errorsIn, errorsOfRefusal, Refusal, refuseIfInvalid, type ValidationError } from '../core/refusal.ts'
import { MAX_BATCH_ROWS, type NewBatchRow, repeatsIn } from '../core/template/batch.ts'
import { pathInUse, requireUsable } from '../core/template/template.ts'
import type { TemplateUse } from '../core/template/template-draft.ts'
import { violation } from '../core/violation.ts'
import { createDeps } from '../documents/draft/create.ts'
import { textFitErrors } from '../documents/draft/text-fit.ts'
import { codeWebhookErrors, hasCodeWebhook } from '../documents/signing/one-time-code.ts'
import type { App } from '../ports.ts'
import { enteredValues, validDocumentFrom } from '../templates/use.ts'

/** Ids and hashes of a document that is not stored. */
const NOT_STORED = { newId: () => '', hashAccessCode: () => '' }

/** What the documents of the rows are made from, and whose they will be. */
export interface RowSource {
  template: Document
  ownerId: string | undefined
}

/** The path in a refusal of what is at `path` in a row; of the whole row if that is empty. */
export type RowPath = (index: number, path: string) => string

/** So many rows have their texts measured by one task. */
const ROWS_AT_ONCE = 20
/** Beyond this number of errors no more rows are checked: an answer lists fewer. */
const MAX_ERRORS = 1000

/** @throws Refusal `validation_failed` with the errors of all rows */
export async function requireValidRows(
  app: App,
  source: RowSource,
  rows: readonly NewBatchRow[],
  pathOf: RowPath,
): Promise<void> {
  if (rows.length < 1 || rows.length > MAX_BATCH_ROWS)
    refuseIfInvalid(errorsIn([['rows', violation('row_count', { max: MAX_BATCH_ROWS })]]))
  requireUsable(source.template, app.now())
  const errors: ValidationError[] = []
  for await (const { index, error } of errorsInRows(app, source, rows)) {
    errors.push({ ...error, path: pathOf(index, error.path) })
    if (errors.length >= MAX_ERRORS) break
  }
  refuseIfInvalid(errors)
}

/** With the index of the row, and the path in its use. */
export interface RowError {
  index: number
  error: ValidationError
}

/** All that making and sending a document would refuse, and values that the PDF would cut. */
export async function* errorsInRows(
  app: App,
  { template, ownerId }: RowSource,
  rows: readonly NewBatchRow[],
): AsyncGenerator<RowError, void> {
  const deps = { ...createDeps(app), hasWebhook: await hasCodeWebhook(app.db, { ownerId }) }
  const measured = new Map<string, ValidationError | undefined>()
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const found: { index: number; use: TemplateUse; errors: ValidationError[] }[] = []
    for (const [i, { use }] of rows.slice(from, from + ROWS_AT_ONCE).entries()) {
      // One row may have as many values as a document has fields.
      await app.timers.yield()
      found.push({ index: from + i, use, errors: rowErrors(template, use, deps) })
    }
    const valid = found.filter(({ errors }) => errors.length === 0)
    const unfitting = await unfittingIn(app, template, valid, measured)
    for (const { index, errors } of found)
      yield* [...errors, ...(unfitting.get(index) ?? [])].map((error): RowError => ({ index, error }))
  }
}

function rowErrors(
  template: Document,
  use: TemplateUse,
  { hasWebhook, ...deps }: ValidationDeps & { hasWebhook: boolean },
): ValidationError[] {
  const unfit = use.recipients.flatMap(({ accessCode, deliverBy }, i) =>
    errorsIn([
      // It would be stored in clear text, whereas a document has its hash alone.
      [`recipients[${i}].accessCode`, accessCode === undefined ? undefined : violation('access_code_in_batch')],
      [`recipients[${i}].deliverBy`, deliverBy === 'link' ? violation('link_in_batch') : undefined],
    ]),
  )
  if (unfit.length > 0) return unfit
  try {
    const input = validDocumentFrom(template, use, deps)
    const { document } = createDraft(input, undefined, template, { ...deps, ...NOT_STORED })
    send(document, deps.now)
    return hasWebhook ? [] : codeWebhookErrors(document, (_, i) => pathInUse(template, use, `recipients[${i}].verify`))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return errorsOfRefusal(error, '')
  }
}

/** By row. `measured`: texts of a field that were measured before, with the error of each. */
async function unfittingIn(
  app: App,
  template: Document,
  rows: readonly { index: number; use: TemplateUse }[],
  measured: Map<string, ValidationError | undefined>,
): Promise<Map<number, ValidationError[]>> {
  const entered = rows.flatMap(({ index, use }) =>
    enteredValues(template, use).map(text => ({ index, use, text, key: `${text.path}\n${text.value}` })),
  )
  const unknown = entered.filter(({ key }) => !measured.has(key) && measured.set(key, undefined))
  const texts = unknown.map(({ text, key }) => ({ ...text, path: key }))
  for (const error of await textFitErrors(app, template, texts)) measured.set(error.path, error)
  const errors = entered.flatMap(({ index, use, text, key }) => {
    const error = measured.get(key)
    return error ? [{ index, error: { ...error, path: pathInUse(template, use, text.path) } }] : []
  })
  return new Map([...Map.groupBy(errors, ({ index }) => index)].map(([index, all]) => [index, all.map(({ error }) => error)]))
}

/** @throws Refusal `duplicate_batch` if several rows are for the same people in the same roles */
export function requireDifferentPeople(rows: readonly NewBatchRow[], pathOf: RowPath): void {
  const indexes = new Map(rows.map(({ line }, i) => [line, i]))
  const rowAt = (line: number) => pathOf(indexes.get(line) ?? 0, '')
  const repeated = repeatsIn(rows).map(({ line, before }): ValidationError => {
    return errorAt(rowAt(line), violation('same_people', { row: rowAt(before) }))
  })
  if (repeated.length === 0) return
  throw new Refusal('duplicate_batch', violation('rows_repeated', { count: repeated.length }), repeated)
}
