/** When templates were last used. */
import type { Db, Tx } from '../db/open.ts'

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
