/** Rows of the consent texts that were shown. */
import { type Language, languageOf } from '../../core/language.ts'
import type { Role } from '../../core/signing/routing.ts'
import type { Db, Tx } from '../../db/open.ts'

export interface ShownConsent {
  /** Version and SHA-256. */
  id: string
  /** What it agrees to: to sign, or to approve without a mark. */
  kind: 'signing' | 'approval'
  language: Language
  text: string
  /** The sentence above the button. */
  intents: Record<Role, string>
}

export async function isConsentStored(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('consent_texts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function insertConsent(tx: Tx, { id, kind, language, text, intents }: ShownConsent, at: Date): Promise<void> {
  await tx
    .insertInto('consent_texts')
    .values({ id, kind, language, text, intents: JSON.stringify(intents), shown_at: at.toISOString() })
    .onConflict(c => c.column('id').doNothing())
    .execute()
}

export async function storedConsent(db: Db, id: string): Promise<ShownConsent | undefined> {
  const row = await db.selectFrom('consent_texts').selectAll().where('id', '=', id).executeTakeFirst()
  return row && { id, kind: row.kind, language: languageOf(row.language), text: row.text, intents: JSON.parse(row.intents) }
}
