/**
 * Lists templates, newest first, and when each was last used. There are few: the list is read in
 * slices of an index.
 */
import type { Db, Tx } from '../db/open.ts'
import type { CachedDocument } from '../documents/present.ts'
import { findAllCached } from '../documents/queries.ts'
import { foldText } from '../lib/search-text.ts'
import type { Actor, App } from '../ports.ts'

export interface TemplateFilter {
  /** Text in the title, the name of the file or of a role; ignores case and accents. */
  q?: string
  /** Without those that others share. */
  isOwn?: true
}

export interface TemplatePage {
  templates: CachedDocument[]
  /** `undefined` after the last template. Even an empty page may have a next one. */
  next: string | undefined
}

const SLICE = 200
/** Bounds the work for one page. */
const MAX_SLICES = 10
const ABOVE_ALL = 'tpl_~'

/** Those that the actor may use. */
export async function listTemplates(
  { db, timers }: Pick<App, 'db' | 'timers'>,
  actor: Actor,
  { q, isOwn }: TemplateFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<TemplatePage> {
  const text = foldText(q ?? '')
  const found: CachedDocument[] = []
  let below = after ?? ABOVE_ALL
  for (let slices = 0; slices < MAX_SLICES; slices++) {
    const count = text === '' ? limit + 1 : SLICE
    const ids = await idsBelow(db, actor, isOwn === true, below, count)
    const read = await findAllCached(db, ids)
    found.push(...read.filter(({ document }) => text === '' || foldText(linesOf(document)).includes(text)))
    if (found.length > limit) return { templates: found.slice(0, limit), next: found[limit - 1]?.document.id }
    const last = ids.at(-1)
    if (ids.length < count || last === undefined) return { templates: found, next: undefined }
    below = last
    await timers.yield()
  }
  return { templates: found, next: below }
}

function linesOf({ title, fileName, recipients }: CachedDocument['document']): string {
  return [title, fileName, ...recipients.map(({ name }) => name)].join('\n')
}

async function idsBelow(db: Db, actor: Actor, isOwn: boolean, below: string, count: number): Promise<string[]> {
  const { seesAll, userId = '' } = actor
  const visible: [condition: string, values: string[]] = isOwn
    ? ['AND owner_id = ?', [userId]]
    : seesAll
      ? ['', []]
      : ['AND (owner_id = ? OR shared = 1)', [userId]]
  const sql = `SELECT id FROM documents WHERE status = 'template' AND id < ? ${visible[0]} ORDER BY id DESC LIMIT ?`
  return db.reads.column(sql, [below, ...visible[1], count]) as Promise<string[]>
}

// When templates were last used.

/** Of a template that exists: a batch may outlive the one it was made from. */
export async function noteUse(tx: Tx, templateId: string, at: Date): Promise<void> {
  const usedAt = at.toISOString()
  await tx
    .insertInto('template_uses')
    .columns(['template_id', 'used_at'])
    .expression(eb =>
      eb
        .selectFrom('documents')
        .select(['id', eb.val(usedAt).as('used_at')])
        .where('id', '=', templateId),
    )
    .onConflict(conflict => conflict.column('template_id').doUpdateSet({ used_at: usedAt }))
    .execute()
}

export async function lastUses(db: Db, ids: readonly string[]): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('template_uses').selectAll().where('template_id', 'in', ids).execute()
  return new Map(rows.map(({ template_id, used_at }) => [template_id, new Date(used_at)]))
}
