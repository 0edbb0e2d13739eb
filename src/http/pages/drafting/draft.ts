/** The draft as JSON, for the scripts of the sender's pages: reads it, and saves one edit. */
import { type Static, Type } from 'typebox'
import { errorAt, Refusal, validationRefusal } from '../../../core/refusal.ts'
import { violation } from '../../../core/violation.ts'
import { DraftChangedError } from '../../../documents/draft/draft-version.ts'
import { findFieldsOnce } from '../../../documents/draft/propose-fields.ts'
import { presentDocument } from '../../../documents/present.ts'
import type { SendingTexts } from '../../../locales/en/app/sending.ts'
import { englishOf } from '../../../locales/violations.ts'
import { DraftEdit } from '../../api/schema/requests.ts'
import { TemplateDraftEdit } from '../../api/schema/template-requests.ts'
import { parseInput } from '../../body/validate.ts'
import { errorHeaders, toProblem } from '../../errors.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { wholeNumber } from '../../frame/query.ts'
import { PRIVATE } from '../../version-headers.ts'
import { sessionOf } from '../settings/settings-access.ts'
import { authorInWords } from './draft-access.ts'
import { type DraftKind, TEMPLATE } from './draft-kind.ts'

/** The index of the proposal that a new field was made from, by the field's id. */
const PROPOSALS = Type.Record(Type.String({ maxLength: 40 }), Type.Integer({ minimum: 0 }))
const HEADERS = { 'content-type': 'application/json', 'cache-control': 'private, no-store' }

export async function getDraft(visit: Visit, kind: DraftKind): Promise<PageResponse> {
  const cached = await kind.load(visit.app, sessionOf(visit).actor, visit.params.id ?? '')
  const text = `{"version":${cached.version},"document":${cached.json(presentDocument)}}`
  return { response: new Response(text, { headers: HEADERS }) }
}

/** The fields that the PDF suggests, for the editor's script. */
export async function getProposals(visit: Visit, kind: DraftKind): Promise<PageResponse> {
  const { document } = await kind.read(visit.app, sessionOf(visit).actor, visit.params.id ?? '')
  return { response: Response.json(await findFieldsOnce(visit.app, document.sha256Original), { headers: PRIVATE }) }
}

/** Members of the form: `version`, and `edit` as JSON. */
export async function postDraft(visit: Visit, kind: DraftKind): Promise<PageResponse> {
  const { app, form, params, client } = visit
  const origin = { actor: sessionOf(visit).actor, ...client }
  const schema = kind === TEMPLATE ? TemplateDraftEdit : DraftEdit
  const edit = await withCovers(visit, kind, parseInput(schema, parseJson(form.edit ?? '')))
  const { version } = await kind.edit(app, params.id ?? '', edit, { ifMatch: versionOf(form.version), origin })
  return { response: new Response(JSON.stringify({ version }), { headers: HEADERS }) }
}

/**
 * Fields made from a tag cover its text. Where that is, the search in the PDF says and never the
 * request, so that nothing else of a document can be covered.
 */
async function withCovers(visit: Visit, kind: DraftKind, edit: Static<typeof DraftEdit>) {
  const { app, params, form } = visit
  const proposals = parseInput(PROPOSALS, parseJson(form.proposals ?? '{}'))
  if (Object.keys(proposals).length === 0) return edit
  const { document } = await kind.load(app, sessionOf(visit).actor, params.id ?? '')
  const found = await findFieldsOnce(app, document.sha256Original)
  const fields = edit.fields?.map(field => {
    const covers = found.proposals[proposals[field.id ?? ''] ?? -1]?.covers
    return covers ? { ...field, covers } : field
  })
  return { ...edit, ...(fields ? { fields } : {}) }
}

function versionOf(text: string | undefined): number {
  const version = wholeNumber(text)
  if (version === undefined) throw validationRefusal([errorAt('version', violation('not_a_version'))])
  return version
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('malformed_json', violation('edit_not_json'))
  }
}

/**
 * As errors of the API, in the visitor's language. `draft_changed` also has the version now, and
 * who made each change.
 */
export async function refused({ app, context }: Visit, refusal: Refusal): Promise<PageResponse> {
  const { texts } = context('')
  const { code, message, details, ...problem } = toProblem(refusal, app, '', texts)
  const changed =
    refusal instanceof DraftChangedError
      ? { version: refusal.version, details: describe(refusal, texts.sending.changed) }
      : { details }
  const body = JSON.stringify({ error: { code, message, ...changed } })
  return {
    response: new Response(body, { status: problem.status, headers: { ...HEADERS, ...errorHeaders({ details, ...problem }) } }),
  }
}

function describe({ changes, details }: DraftChangedError, texts: SendingTexts['changed']) {
  return changes.map((change, i) => {
    const { path, at, isOwn } = change
    return { path, message: details[i] ? englishOf(details[i]) : '', at, isOwn, by: authorInWords(change, texts) }
  })
}
