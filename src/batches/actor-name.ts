/** The name of the person or API token that a label of the audit log means. */
import { personById } from '../accounts/people-queries.ts'
import { keyName } from '../accounts/queries.ts'
import type { Db, Tx } from '../db/open.ts'

/** The label itself if there is no such account or key any more. */
export async function nameOfActor(db: Db | Tx, label: string): Promise<string> {
  const [, kind, id = ''] = /^(user|key):(.+)$/.exec(label) ?? []
  if (kind === 'user') return (await personById(db, id))?.name ?? label
  if (kind === 'key') return (await keyName(db, id)) ?? label
  return label
}
