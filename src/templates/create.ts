/** Creates templates: from uploads, from a document, or as the duplicate of another template. */
import type { DocumentDefaults, FileFacts } from '../core/document/create-document.ts'
import type { Document } from '../core/document/document.ts'
import {
  type CopyTitle,
  createTemplate as createdTemplate,
  duplicateTemplateInput,
  type NewTemplate,
  type RoleNames,
  requestOf,
  templateInput,
  validateNewTemplate,
  withRolePaths,
} from '../core/template/create-template.ts'
import { changeTime } from '../db/change-time.ts'
import type { Tx } from '../db/open.ts'
import { createDeps, withFieldsFrom, withFileNames } from '../documents/draft/create.ts'
import { type NamedUpload, withStoredFiles } from '../documents/files/store-files.ts'
import { load, record } from '../documents/record.ts'
import type { FileClaim } from '../files/claims.ts'
import type { IdPrefix } from '../lib/id.ts'
import type { PdfWarning } from '../pdf/inspect/report.ts'
import type { App, Committed, Origin } from '../ports.ts'
import { readOrganisation } from '../settings/organisation.ts'
import { loadTemplate } from './edit.ts'

export interface CreatedTemplate {
  template: Document
  warnings: PdfWarning[]
}

/** As `createDocument`. */
export async function createTemplate(
  app: App,
  input: NewTemplate,
  uploads: readonly NamedUpload[],
  origin: Origin,
): Promise<Committed<CreatedTemplate>> {
  const { defaults } = await readOrganisation(app.db)
  const deps = createDeps(app)
  const request = withFileNames(input, uploads)
  validateNewTemplate(request, deps)
  return withStoredFiles(app, uploads, async stored => {
    const { recipients, warnings } = await foundFields(app, request, stored)
    const roles = request.roles.map((role, i) => ({ ...role, fields: recipients[i]?.fields ?? [] }))
    const whole = { ...request, roles }
    validateNewTemplate(whole, deps)
    return app.write(async tx => ({
      template: await store(tx, app, { input: whole, file: stored, claim: stored.claim, defaults }, origin),
      warnings: [...stored.warnings, ...warnings],
    }))
  })
}

/** The roles as recipients, with the fields that the PDF contains if the request asks for them. */
async function foundFields(app: App, request: NewTemplate, stored: FileFacts) {
  try {
    const { input, warnings } = await withFieldsFrom(app, requestOf(request), stored, createDeps(app))
    return { recipients: input.recipients, warnings }
  } catch (error) {
    return withRolePaths(() => {
      throw error
    })
  }
}

/** Of a document that the actor sees, in any state. `names`: of the roles, in their language. */
export function createTemplateFrom(app: App, documentId: string, origin: Origin, names?: RoleNames) {
  return app.write(async tx => {
    const document = await load(tx, origin.actor, documentId)
    const stored = { input: templateInput(document, names), file: document, from: { documentId } }
    return { template: await store(tx, app, stored, origin), warnings: [] }
  })
}

/** For its new owner alone. `copyTitle`: in their language. */
export function duplicateTemplate(app: App, id: string, origin: Origin, copyTitle?: CopyTitle) {
  return app.write(async tx => {
    const original = await loadTemplate(tx, origin.actor, id, 'use')
    const stored = { input: duplicateTemplateInput(original, copyTitle), file: original, from: { duplicateOf: id } }
    return { template: await store(tx, app, stored, origin), warnings: [] }
  })
}

interface Stored {
  input: NewTemplate
  file: FileFacts
  claim?: FileClaim
  defaults?: DocumentDefaults
  from?: { documentId: string } | { duplicateOf: string }
}

async function store(tx: Tx, app: App, { input, file, claim, defaults, from }: Stored, origin: Origin): Promise<Document> {
  const now = await changeTime(tx, app)
  const deps = { newId: (prefix: IdPrefix) => app.newId(prefix, now), now, ...(defaults ? { defaults } : {}) }
  const transition = createdTemplate(input, origin.actor.userId, file, deps, from)
  return record(tx, app, undefined, transition, origin, claim ? { file: claim } : {})
}
