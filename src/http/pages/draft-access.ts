/** Shared by the pages of a draft: reads it, saves a form, reports what changed meanwhile. */
import type { Document } from '../../core/document.ts'
import type { DraftEdit } from '../../core/edit-draft.ts'
import { Refusal, type ValidationError } from '../../core/refusal.ts'
import { DraftChangedError, type NamedChange } from '../../documents/draft-version.ts'
import { type EditedDocument, editDraft } from '../../documents/edit-draft.ts'
import { loadCached } from '../../documents/record.ts'
import { pageTime } from '../../lib/clock-format.ts'
import type { SendingTexts } from '../../locales/en/app/sending.ts'
import type { Actor, Origin } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import type { PageResponse, Visit } from '../page.tsx'

export function actorOf({ session }: Visit): Actor {
  if (!session) throw new Refusal('unauthorized', 'Please sign in.')
  return session.actor
}

export const originOf = (visit: Visit): Origin => ({ actor: actorOf(visit), ...visit.client })
export const idOf = ({ params }: Visit) => params.id ?? ''
export const draftPath = (id: string, page: 'people' | 'fields' | 'review') => `/documents/${id}/${page}`

/** Runs the page for a draft. A document that has been sent is shown on its own page instead. */
export async function withDraft(visit: Visit, show: (draft: EditedDocument) => Promise<PageResponse>): Promise<PageResponse> {
  const draft = loadCached(visit.app.db, actorOf(visit), idOf(visit))
  return draft.document.status === 'draft' ? show(draft) : alreadySent(visit)
}

export function alreadySent(visit: Visit): PageResponse {
  return { redirect: `/documents/${idOf(visit)}?notice=already-sent` }
}

/** The version that a form was made for. */
export function versionOf({ form }: Visit): number | undefined {
  return /^\d{1,15}$/.test(form.version ?? '') ? Number(form.version) : undefined
}

export type SaveResult =
  | { saved: EditedDocument }
  | { errors: ValidationError[]; status: number }
  | { changes: NamedChange[]; version: number }

/** Errors and changes of others are returned, so that the page can show what was typed again. */
export async function saveDraft(visit: Visit, edit: DraftEdit): Promise<SaveResult> {
  try {
    return { saved: await editDraft(visit.app, idOf(visit), edit, { ifMatch: versionOf(visit), origin: originOf(visit) }) }
  } catch (error) {
    if (error instanceof DraftChangedError) return { changes: error.changes, version: error.version }
    if (!(error instanceof Refusal && error.reason === 'validation_failed')) throw error
    const errors = error.details.length > 0 ? error.details : [{ path: 'main', message: error.message }]
    return { errors, status: 422 }
  }
}

/** One sentence for each thing and person, in the order of the changes. */
export async function changesInWords(visit: Visit, document: Document, changes: readonly NamedChange[]): Promise<string[]> {
  const { timeZone } = await readOrganisation(visit.app.db)
  const { language, texts } = visit.context('')
  const { changed } = texts.sending
  const groups = Map.groupBy(changes, change =>
    JSON.stringify([change.path.startsWith('fields/') ? 'fields' : change.path, authorInWords(change, changed)]),
  )
  return [...groups.values()].map(group => {
    const last = group.reduce((a, b) => (a.at > b.at ? a : b))
    return changed.by(
      thingInWords(last.path, group.length, document, changed),
      authorInWords(last, changed),
      pageTime(last.at, timeZone, language),
    )
  })
}

/** After "changed by". */
export function authorInWords({ author, isOwn }: NamedChange, { authors }: SendingTexts['changed']): string {
  if (author.kind === 'service') return authors.service
  if (isOwn) return authors.you
  const { kind, name } = author
  if (name === undefined) return authors.gone
  return kind === 'key' ? authors.key(name) : name
}

function thingInWords(path: string, count: number, { recipients }: Document, changed: SendingTexts['changed']): string {
  if (path.startsWith('fields/')) return changed.fields(count)
  const [, id] = /^recipients\/(.*)$/.exec(path) ?? []
  if (id === undefined) return changed.what[path] ?? changed.other
  const person = recipients.find(r => r.id === id)
  return person ? changed.person(person.name || person.email) : changed.removedPerson
}
