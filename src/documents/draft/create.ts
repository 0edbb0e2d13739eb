/**
 * Creates a document: validates the request, inspects and stores the file, then the rows. A
 * duplicate takes people and fields of another.
 */
import { type CreateDeps, createDraft, type FileFacts } from '../../core/document/create-document.ts'
import * as core from '../../core/document/document.ts'
import { MAX_FIELDS, MAX_RECIPIENTS } from '../../core/document/document-limits.ts'
import { duplicateInput } from '../../core/document/duplicate-document.ts'
import {
  type NewDocument,
  pathInRequest,
  type ValidationDeps,
  validateNewDocument,
  withPaths,
} from '../../core/document/new-document.ts'
import { refuseBlocked } from '../../core/draft/draft-check.ts'
import { addFoundFields } from '../../core/draft/fields-from.ts'
import { violation } from '../../core/violation.ts'
import { changeTime } from '../../db/change-time.ts'
import { englishOfViolation } from '../../locales/violations.ts'
import type { PdfWarning } from '../../pdf/inspect/report.ts'
import type { App, Committed, Origin } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { type NamedUpload, withStoredFiles } from '../files/store-files.ts'
import { load, record } from '../record.ts'
import { hashAccessCode } from '../signing/link.ts'
import { requireCodeWebhook } from '../signing/one-time-code.ts'
import { requireDelivery } from '../signing/signing-link.ts'
import { versionOf } from './draft-version.ts'
import { findFieldsOnce } from './propose-fields.ts'
import { unfittingTextsOf } from './text-fit.ts'

export const LIMITS = { recipients: MAX_RECIPIENTS, fields: MAX_FIELDS }

export interface CreatedDocument {
  document: core.Document
  version: number
  warnings: PdfWarning[]
}

/** `at`: the time of the change, in its transaction; otherwise nothing made with them is stored. */
export function createDeps(app: App, at?: Date): CreateDeps & ValidationDeps {
  return {
    // The list of documents orders and filters by the time in the id.
    newId: prefix => app.newId(prefix, at),
    hashAccessCode: (recipientId, code) => hashAccessCode(app, recipientId, code),
    unprintable: app.unprintable,
    limits: LIMITS,
    now: at ?? app.now(),
  }
}

/**
 * Several uploads are joined in order. The caller discards them. A refused request or file stores
 * nothing. The names are those of the uploads; `input.files` only says that they are a list. With
 * `send`, it is sent in the same transaction.
 */
export async function createDocument(
  app: App,
  input: NewDocument,
  uploads: readonly NamedUpload[],
  origin: Origin,
  { send = false }: { send?: boolean } = {},
): Promise<Committed<CreatedDocument>> {
  const { defaults } = await readOrganisation(app.db)
  await requireDelivery(app, app.db, origin.actor, input.recipients)
  const deps = { ...createDeps(app), defaults }
  const request = withFileNames(input, uploads)
  validateNewDocument(request, deps)
  return withStoredFiles(app, uploads, async stored => {
    const whole = await withFieldsFrom(app, request, stored, deps)
    if (whole.input !== request) validateNewDocument(whole.input, deps)
    const drafted = (at?: Date) => createDraft(whole.input, origin.actor.userId, stored, { ...createDeps(app, at), defaults })
    // Before the transaction, which waits for no child process.
    if (send) await refuseUnfitting(app, drafted().document)
    return app.write(async tx => {
      const now = await changeTime(tx, app)
      const draft = await record(tx, app, undefined, drafted(now), origin, { file: stored.claim })
      // An event of its own: webhooks show the document as it was created, then as it was sent.
      if (send) await requireCodeWebhook(tx, draft)
      const sent =
        send &&
        withPaths(
          path => pathInRequest(draft, path),
          () => core.send(draft, now),
        )
      const document = sent ? await record(tx, app, draft, sent, origin) : draft
      return { document, version: await versionOf(tx, document.id), warnings: [...stored.warnings, ...whole.warnings] }
    })
  })
}

/** @throws Refusal `validation_failed` if the PDF would cut a text, with paths of the request */
async function refuseUnfitting(app: App, draft: core.Document): Promise<void> {
  const cut = await unfittingTextsOf(app, draft)
  refuseBlocked(cut.map(error => ({ ...error, path: pathInRequest(draft, error.path) })))
}

type FileNames = Pick<NewDocument, 'fileName' | 'files'>

export function withFileNames<I extends FileNames>({ fileName: _, files, ...input }: I, uploads: readonly NamedUpload[]) {
  const names = uploads.map(({ fileName }) => ({ fileName }))
  const [first = { fileName: '' }] = names
  return files || names.length > 1 ? { ...input, files: names } : { ...input, ...first }
}

/** With the fields that the PDF contains, if the request asks for them. They are not validated. */
export async function withFieldsFrom(
  app: App,
  input: NewDocument,
  { sha256Original, pageCount }: FileFacts,
  { unprintable }: Pick<ValidationDeps, 'unprintable'>,
) {
  if (!input.fieldsFrom?.length) return { input, warnings: [] }
  return addFoundFields(input, await findFieldsOnce(app, sha256Original), { pageCount, unprintable })
}

// Makes a new draft of the same file, with the people and fields of a document.

export async function duplicateDocument(app: App, id: string, origin: Origin): Promise<Committed<CreatedDocument>> {
  return app.write(async tx => {
    const original = await load(tx, origin.actor, id)
    await requireDelivery(app, tx, origin.actor, original.recipients)
    const deps = createDeps(app, await changeTime(tx, app))
    const { document, events } = createDraft(duplicateInput(original), origin.actor.userId, original, deps)
    const [created, ...others] = events
    const noted = created ? [{ ...created, data: { ...created.data, duplicateOf: id } }, ...others] : []
    const saved = await record(tx, app, undefined, { document, events: noted }, origin)
    const warnings = warningsOf(original.recipients.filter(r => r.accessCodeHash !== undefined))
    return { document: saved, version: await versionOf(tx, saved.id), warnings }
  })
}

function warningsOf(protectedRecipients: { name: string; email: string }[]): CreatedDocument['warnings'] {
  return protectedRecipients.map(({ name, email }) => ({
    code: 'access_code_missing' as const,
    message: englishOfViolation(violation('access_code_not_copied', { name: name || email })),
  }))
}
