/** Copies a document that is no longer a draft, with the changes that were not saved. */
import type { Draft } from './draft.ts'
import { merge } from './merge.ts'
import type { Change, EditorField } from './model.ts'
import { draftRequests } from './requests.ts'
import { editOf, type Unsaved } from './save.ts'
import { openStore } from './store.ts'

interface Options {
  /** `/documents/doc_…` of the original. */
  base: string
  csrf: string
  newFieldId(): string
}

const PATIENCE_MS = 20_000

/** The ids of the copy by those of the original: both have the same order. */
function idsOfCopy(original: Draft, copy: Draft): Map<string, string> {
  const ids = new Map<string, string>()
  original.people.forEach((person, i) => {
    const twin = copy.people[i]
    if (!twin) return
    ids.set(person.id, twin.id)
    const fieldsOf = (draft: Draft, personId: string) =>
      [...draft.fields.values()].filter(({ recipientId }) => recipientId === personId)
    const twins = fieldsOf(copy, twin.id)
    fieldsOf(original, person.id).forEach((field, n) => {
      const other = twins[n]
      if (other?.type === field.type) ids.set(field.id, other.id)
    })
  })
  return ids
}

/**
 * The changes of the original's fields as changes of the copy's. Where somebody else changed the
 * same field before it was sent, mine wins. Without its person a change cannot be kept.
 */
export function changesForCopy(
  original: Draft,
  copy: Draft,
  changes: readonly Change[],
  newIdOf: (id: string) => string,
): Change[] {
  const ids = idsOfCopy(original, copy)
  const { pending, conflicts } = merge(original.fields, changes, original.fields, new Set(ids.keys()))
  return [...pending, ...conflicts].flatMap(({ id, after }): Change[] => {
    const twinId = ids.get(id)
    const before = twinId === undefined ? undefined : copy.fields.get(twinId)
    if (!after) return before ? [{ id: before.id, before, after: undefined }] : []
    const recipientId = ids.get(after.recipientId)
    if (recipientId === undefined) return []
    const own: EditorField = { ...after, id: before?.id ?? newIdOf(id), recipientId }
    return [{ id: own.id, before, after: own }]
  })
}

/** The editor of the copy sends them again and shows at each field why it is refused. */
async function keepUnsaved(base: string, pending: Change[]): Promise<void> {
  const store = openStore(base)
  const history = { undo: [], redo: [] }
  await store.write({ history, pending, sizes: {}, isSnapping: true, dismissed: [], atMs: Date.now() })
  if (!(await store.read())) throw new Error('the browser keeps nothing')
}

export class NewDraft {
  readonly #options: Options
  /** Made already, if a later step failed. */
  #made: { base: string; address: string } | undefined
  /** By the ids of the original: a repeated request adds no field twice. */
  readonly #newIds = new Map<string, string>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Resolves with the address of the copy once the changes are in it. */
  async make({ changes, title }: Unsaved): Promise<string> {
    const { base, csrf } = this.#options
    this.#made ??= await this.#duplicate()
    const requests = draftRequests({ url: `${this.#made.base}/draft`, csrf })
    const [original, copy] = await Promise.all([draftRequests({ url: `${base}/draft`, csrf }).get(), requests.get()])
    if (original === 'signedOut' || copy === 'signedOut') throw new Error('signed out')
    const own = changesForCopy(original, copy, changes, id => this.#newIdOf(id))
    const answer = await requests.post(editOf(copy.version, own, title))
    if (answer.kind === 'refused') await keepUnsaved(this.#made.base, own)
    else if (answer.kind !== 'saved') throw new Error(`the changes of the copy were answered: ${answer.kind}`)
    return this.#made.address
  }

  #newIdOf(id: string): string {
    const made = this.#newIds.get(id) ?? this.#options.newFieldId()
    this.#newIds.set(id, made)
    return made
  }

  async #duplicate(): Promise<{ base: string; address: string }> {
    const { base, csrf } = this.#options
    const body = new URLSearchParams({ csrf })
    const response = await fetch(`${base}/duplicate`, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MS) })
    const { pathname, searchParams } = new URL(response.url)
    const [copyBase] = /^\/documents\/doc_\w+/.exec(pathname) ?? []
    if (!response.ok || copyBase === undefined || copyBase === base) throw new Error(`the copy was answered ${response.status}`)
    // The page of the document says that access codes are to be set again.
    const address = searchParams.get('notice') === 'duplicated' ? `${copyBase}/fields` : response.url
    return { base: copyBase, address }
  }
}
