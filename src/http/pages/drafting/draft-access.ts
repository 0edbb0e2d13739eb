/** Shared by the pages of a draft: reads it, saves a form, reports what changed meanwhile. */
import { type Document, isTemplate } from '../../../core/document/document.ts'
import type { DraftEdit } from '../../../core/draft/edit-draft.ts'
import { errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { DraftChangedError, type NamedChange } from '../../../documents/draft/draft-version.ts'
import type { EditedDocument } from '../../../documents/draft/edit-draft.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import type { ShownError } from '../../../locales/app.ts'
import type { SendingTexts } from '../../../locales/en/app/sending.ts'
import type { PageResponse, PageRoute, Visit } from '../../frame/page.tsx'
import { wholeNumber } from '../../frame/query.ts'
import { actorOf, idOf, originOf } from '../documents/sender-visit.ts'
import { basePath, contextOf, DRAFT_KINDS, type DraftKind, kindOf } from './draft-kind.ts'

type Step = 'people' | 'fields' | 'review' | 'settings'
type Answer = (visit: Visit, draft: EditedDocument) => Promise<PageResponse>

export const draftPath = (document: Pick<Document, 'id' | 'status'>, step: Step) => `${basePath(document)}/${step}`

/** After the fields. */
export const lastStep = (document: Pick<Document, 'status'>): Step => (isTemplate(document) ? 'settings' : 'review')

/** The page of a step and its form. A document that has been sent is shown on its own page. */
export function draftPages(step: Step, get: Answer, post: Answer, kinds = DRAFT_KINDS): PageRoute[] {
  return kinds.flatMap((kind): PageRoute[] => {
    const shared = { path: `${kind.root}/:id/${step}`, access: 'sender' } as const
    return [
      { ...shared, method: 'GET', run: visit => withDraft(visit, kind, get) },
      {
        ...shared,
        method: 'POST',
        run: visit => withDraft(visit, kind, post),
        refused: async (visit, refusal) => {
          if (refusal.reason === 'invalid_state') return { redirect: kind.closed(idOf(visit)) }
          throw refusal
        },
      },
    ]
  })
}

async function withDraft(visit: Visit, kind: DraftKind, answer: Answer): Promise<PageResponse> {
  const draft = await kind.load(visit.app, actorOf(visit), idOf(visit))
  return kind.isOpen(draft.document) ? answer(visit, draft) : { redirect: kind.closed(draft.document.id) }
}

/** The version that a form was made for. */
export function versionOf({ form }: Visit): number | undefined {
  return wholeNumber(form.version)
}

export type SaveResult =
  | { saved: EditedDocument }
  | { errors: ShownError[]; status: number }
  | { changes: NamedChange[]; version: number }

/** Errors and changes of others are returned, so that the page can show what was typed again. */
export async function saveDraft(
  visit: Visit,
  { document }: EditedDocument,
  edit: DraftEdit,
  ifMatch = versionOf(visit),
): Promise<SaveResult> {
  try {
    return { saved: await kindOf(document).edit(visit.app, document.id, edit, { ifMatch, origin: originOf(visit) }) }
  } catch (error) {
    if (error instanceof DraftChangedError) return { changes: error.changes, version: error.version }
    if (!(error instanceof Refusal && error.reason === 'validation_failed')) throw error
    return { errors: errorsOfRefusal(error, 'main'), status: 422 }
  }
}

/** One sentence for each thing and person, in the order of the changes. */
export function changesInWords(visit: Visit, document: Document, changes: readonly NamedChange[]): string[] {
  const { texts } = contextOf(visit, document, '')
  const { changed } = texts.sending
  const groups = Map.groupBy(changes, change =>
    JSON.stringify([change.path.startsWith('fields/') ? 'fields' : change.path, authorInWords(change, changed)]),
  )
  return [...groups.values()].map(group => {
    const last = group.reduce((a, b) => (a.at > b.at ? a : b))
    return changed.by(
      thingInWords(last.path, group.length, document, changed),
      authorInWords(last, changed),
      pageTime(last.at, visit.clock),
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
