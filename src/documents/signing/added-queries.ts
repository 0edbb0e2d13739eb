/** Rows of the files that recipients added to fields. */
import type { FieldFile } from '../../core/field/field.ts'
import type { Db, Tx } from '../../db/open.ts'

export interface AddedFile {
  recipientId: string
  fieldId: string
  file: FieldFile
  /** It may contain scripts or other files. */
  hasActiveContent: boolean
}

const ofField = (db: Db | Tx) => db.selectFrom('field_files').selectAll('field_files')

type Row = Awaited<ReturnType<ReturnType<typeof ofField>['execute']>>[number]

function toFile(row: Row): AddedFile {
  return {
    recipientId: row.recipient_id,
    fieldId: row.field_id,
    file: { fileName: row.file_name, mediaType: row.media_type, bytes: row.bytes, sha256: row.sha256 },
    hasActiveContent: row.active_content === 1,
  }
}

export async function filesOfRecipient(db: Db | Tx, recipientId: string): Promise<AddedFile[]> {
  return (await ofField(db).where('recipient_id', '=', recipientId).orderBy('field_id').execute()).map(toFile)
}

export async function filesOfDocument(db: Db | Tx, documentId: string): Promise<AddedFile[]> {
  const rows = ofField(db).innerJoin('recipients', 'recipients.id', 'field_files.recipient_id')
  const ordered = rows.where('recipients.document_id', '=', documentId).orderBy('recipients.position').orderBy('field_id')
  return (await ordered.execute()).map(toFile)
}

export async function upsertFile(tx: Tx, { recipientId, fieldId, file, hasActiveContent }: AddedFile, now: Date): Promise<void> {
  const columns = {
    sha256: file.sha256,
    file_name: file.fileName,
    media_type: file.mediaType,
    bytes: file.bytes,
    active_content: hasActiveContent ? 1 : 0,
    added_at: now.toISOString(),
  } as const
  await tx
    .insertInto('field_files')
    .values({ recipient_id: recipientId, field_id: fieldId, ...columns })
    .onConflict(c => c.columns(['recipient_id', 'field_id']).doUpdateSet(columns))
    .execute()
}

export async function deleteFile(tx: Tx, recipientId: string, fieldId: string): Promise<void> {
  await tx.deleteFrom('field_files').where('recipient_id', '=', recipientId).where('field_id', '=', fieldId).execute()
}

/** The ids of the fields of a document whose files may contain scripts or other files. */
export async function fieldsWithActiveContent(db: Db, documentId: string): Promise<Set<string>> {
  const files = await filesOfDocument(db, documentId)
  return new Set(files.flatMap(({ fieldId, hasActiveContent }) => (hasActiveContent ? [fieldId] : [])))
}
