/** Files that a recipient adds while the form is open: examined, stored, replaced and removed. */
import type { Recipient } from '../../core/document/document.ts'
import { acceptedTypes, type Field, type FieldFile, isFile, type MediaType, maxBytesOf } from '../../core/field/field.ts'
import {
  diskRefusal,
  type Reason,
  Refusal,
  refuseIfInvalid,
  type ValidationError,
  validationRefusal,
} from '../../core/refusal.ts'
import { type LocalizedMessage, localized } from '../../core/signing/message.ts'
import { cleanLine } from '../../core/text.ts'
import { violation } from '../../core/violation.ts'
import type { Tx } from '../../db/open.ts'
import { storageRefusal } from '../../db/storage-refusal.ts'
import {
  abandonFile,
  type FileClaim,
  type FileRemoval,
  finishRemovals,
  keepFile,
  removeIfUnused,
  settleFile,
} from '../../files/claims.ts'
import type { ExaminedFile, FileRefusal } from '../../image/field-file.ts'
import { cleanFileName } from '../../lib/file-names.ts'
import { errorMessage } from '../../lib/log.ts'
import type { Actor, App } from '../../ports.ts'
import type { Upload } from '../../storage/file-store.ts'
import { load } from '../record.ts'
import {
  type AddedFile,
  deleteFile,
  dropFormValue,
  filesOfDocument,
  filesOfRecipient,
  upsertFile,
  upsertFormValues,
} from './form-queries.ts'
import type { SigningContext } from './link.ts'
import { requireUnsigned, writeUnsigned } from './signing-progress.ts'

/** Of all fields together. */
export const MAX_RECIPIENT_BYTES = 100_000_000
const MAX_DOCUMENT_BYTES = 500_000_000

/** A file as the browser sent it. */
export interface SentFieldFile {
  fileName: string
  /** Undefined if it was too large to be kept. */
  upload: Upload | undefined
}

/** What became of the files that came with a form. */
export interface FileChanges {
  errors: ValidationError[]
  /** Whether a file could not be stored now. */
  isUnavailable: boolean
  /** The fields that the form names. */
  changed: readonly string[]
}

export const NO_FILE_CHANGES: FileChanges = { errors: [], isUnavailable: false, changed: [] }

/** Each file for itself: one that is refused does not concern the others. */
export async function changeFieldFiles(
  app: App,
  context: SigningContext,
  removed: readonly string[],
  sent: readonly (SentFieldFile & { fieldId: string; dropped: 'too_large' | 'no_space' | undefined })[],
): Promise<FileChanges> {
  // The form was sent again after the signature.
  if (context.recipient.status === 'signed') return NO_FILE_CHANGES
  const replaced = new Set(sent.map(({ fieldId }) => fieldId))
  for (const fieldId of removed) if (!replaced.has(fieldId)) await removeFieldFile(app, context, fieldId)
  const changes: FileChanges = { errors: [], isUnavailable: false, changed: [...replaced, ...removed] }
  for (const { fieldId, dropped, ...file } of sent) {
    try {
      if (dropped === 'no_space') throw diskRefusal()
      await addFieldFile(app, context, fieldId, file)
    } catch (error) {
      noteRefusal(changes, fieldId, error)
    }
  }
  return changes
}

/** Throws what does not concern the file alone. */
function noteRefusal(changes: FileChanges, fieldId: string, error: unknown): void {
  const refusal = error instanceof Refusal ? error : storageRefusal(error)
  if (refusal?.reason === 'validation_failed') changes.errors.push(...refusal.details)
  else if (refusal?.messageRef && UNAVAILABLE.has(refusal.reason)) {
    changes.isUnavailable = true
    changes.errors.push({ path: `fields.${fieldId}`, message: refusal.message, messageRef: refusal.messageRef })
  } else throw error
}

const UNAVAILABLE: ReadonlySet<Reason> = new Set<Reason>(['storage_unavailable', 'overloaded'])

/** The field of this recipient. Throws `not_found`. */
export function fileFieldOf({ fields }: Pick<Recipient, 'fields'>, fieldId: string): Field {
  const field = fields.find(({ id, type }) => id === fieldId && isFile(type))
  if (!field) throw new Refusal('not_found', violation('file_field_missing'))
  return field
}

/** Replaces the field's file. Throws `validation_failed` with the message for the field. */
export async function addFieldFile(app: App, context: SigningContext, fieldId: string, sent: SentFieldFile): Promise<FieldFile> {
  requireUnsigned(context)
  const field = fileFieldOf(context.recipient, fieldId)
  const { upload, fileName } = sent
  if (upload === undefined || upload.bytes > maxBytesOf(field))
    throw refusalFor(field, localized('fileTooLarge', field, maxBytesOf(field)))
  if (upload.bytes === 0) throw refusalFor(field, localized('fileEmpty', field))
  const outPath = field.type === 'image' ? app.storage.temporaryPath() : undefined
  try {
    const [examined] = await Promise.all([app.pdf.examineFile({ path: upload.path, outPath }), upload.synced])
    const { mediaType, hasActiveContent, sha256, bytes } = requireAccepted(field, examined)
    const claim = await keepFile(app, outPath ?? upload.path, { sha256, bytes })
    const file: FieldFile = { fileName: nameFor(app, fileName, mediaType), mediaType, bytes, sha256 }
    await store(app, context, claim, { recipientId: context.recipient.id, fieldId, file, hasActiveContent })
    return file
  } finally {
    if (outPath !== undefined) await app.storage.discard(outPath)
  }
}

async function store(app: App, context: SigningContext, claim: FileClaim, added: AddedFile): Promise<void> {
  const { recipientId, fieldId, file } = added
  let removals: FileRemoval[] = []
  try {
    await writeUnsigned(app, context, async (tx, document) => {
      const stored = await filesOfDocument(tx, document.id)
      const before = stored.find(each => each.recipientId === recipientId && each.fieldId === fieldId)
      const others = stored.filter(each => each !== before)
      requireSpace(fileFieldOf(context.recipient, fieldId), recipientId, file, others)
      await settleFile(tx, claim, app.now())
      await upsertFile(tx, added, app.now())
      // The schedule finds recipients by their form values when the document has ended.
      await upsertFormValues(tx, recipientId, { [`fields.${fieldId}`]: file.fileName })
      removals =
        before === undefined || before.file.sha256 === file.sha256 ? [] : await removeIfUnused(app, tx, before.file.sha256)
    })
  } catch (error) {
    await abandonFile(app, claim)
    throw error
  }
  await finishLater(app, removals)
}

function requireSpace(field: Field, recipientId: string, { bytes }: FieldFile, others: readonly AddedFile[]): void {
  const sum = (files: readonly AddedFile[]) => files.reduce((total, { file }) => total + file.bytes, bytes)
  const own = sum(others.filter(each => each.recipientId === recipientId))
  if (own > MAX_RECIPIENT_BYTES) throw refusalFor(field, localized('filesTooLarge', field, MAX_RECIPIENT_BYTES))
  if (sum(others) > MAX_DOCUMENT_BYTES)
    throw refusalFor(field, localized('fileTooLarge', field, Math.max(0, MAX_DOCUMENT_BYTES - sum(others) + bytes)))
}

const refusalFor = (field: Field, message: LocalizedMessage) => validationRefusal([{ path: `fields.${field.id}`, ...message }])

const TYPE_NAMES: Record<MediaType, string> = { 'application/pdf': 'PDF', 'image/png': 'PNG', 'image/jpeg': 'JPEG' }

function requireAccepted(field: Field, found: ExaminedFile | FileRefusal): ExaminedFile {
  if ('mediaType' in found && !acceptedTypes(field).includes(found.mediaType)) throw refusalFor(field, wrongType(field))
  if (found.verdict === 'accepted') return found
  throw refusalFor(field, messageFor(field, found))
}

function wrongType(field: Field): LocalizedMessage {
  const names = acceptedTypes(field).map(type => TYPE_NAMES[type])
  return localized('fileWrongType', field, names)
}

function messageFor(field: Field, refusal: FileRefusal): LocalizedMessage {
  switch (refusal.verdict) {
    case 'unknown_type':
      return wrongType(field)
    case 'unreadable':
      return localized('fileUnreadable', field, TYPE_NAMES[refusal.mediaType])
    case 'needs_password':
      return localized('fileNeedsPassword', field)
    case 'too_many_pixels':
      return localized('fileTooManyPixels', field, refusal.megapixels)
    case 'too_complex':
      return localized('fileTooComplex', field)
  }
}

const EXTENSIONS: Record<MediaType, [string, ...string[]]> = {
  'application/pdf': ['pdf'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
}

/** The name is printed, and others save the file under it. */
function nameFor(app: Pick<App, 'unprintable'>, sent: string, mediaType: MediaType): string {
  const line = cleanLine(sent)
  const unprintable = new Set(app.unprintable(line))
  const printable = [...line].map(character => (unprintable.has(character) ? '_' : character)).join('')
  return cleanFileName(printable, EXTENSIONS[mediaType])
}

/** Repeating it changes nothing. */
export async function removeFieldFile(app: App, context: SigningContext, fieldId: string): Promise<void> {
  requireUnsigned(context)
  fileFieldOf(context.recipient, fieldId)
  const { id } = context.recipient
  let removals: FileRemoval[] = []
  await writeUnsigned(app, context, async tx => {
    removals = await dropFiles(tx, app, id, file => file.fieldId === fieldId)
    await dropFormValue(tx, id, `fields.${fieldId}`)
  })
  await finishLater(app, removals)
}

/** Rows of a recipient's files. Call `finishLater` after the commit. */
export async function dropFiles(
  tx: Tx,
  app: App,
  recipientId: string,
  isDropped: (file: AddedFile) => boolean = () => true,
): Promise<FileRemoval[]> {
  const dropped = (await filesOfRecipient(tx, recipientId)).filter(isDropped)
  for (const { fieldId } of dropped) await deleteFile(tx, recipientId, fieldId)
  const removals: FileRemoval[] = []
  for (const sha256 of new Set(dropped.map(({ file }) => file.sha256))) removals.push(...(await removeIfUnused(app, tx, sha256)))
  return removals
}

/**
 * Of a recipient who has just signed: drops the files of other fields. Throws `validation_failed`
 * if a file was replaced after it was read for the signature. Call `finishLater` after the commit.
 */
export async function keepSignedFiles(tx: Tx, app: App, { id, fields }: Recipient): Promise<FileRemoval[]> {
  if (!asksFiles({ fields })) return []
  const stored = new Map((await filesOfRecipient(tx, id)).map(({ fieldId, file }) => [fieldId, file.sha256]))
  const signed = fields.filter(({ file }) => file !== undefined)
  const changed = signed.filter(field => stored.get(field.id) !== field.file?.sha256)
  refuseIfInvalid(changed.map(field => ({ path: `fields.${field.id}`, ...localized('fileChanged', field) })))
  const used = new Set(signed.map(field => field.id))
  return dropFiles(tx, app, id, ({ fieldId }) => !used.has(fieldId))
}

/** Deletes the bytes. The change is committed: what fails is left to the schedule. */
export async function finishLater(app: App, removals: readonly FileRemoval[]): Promise<void> {
  if (removals.length === 0) return
  await finishRemovals(app, removals).catch(error =>
    app.log('error', 'files of a recipient were not removed yet', { error: errorMessage(error) }),
  )
}

const asksFiles = ({ fields }: Pick<Recipient, 'fields'>) => fields.some(({ type }) => isFile(type))

/** By field id. */
export async function addedFiles(
  { db }: Pick<App, 'db'>,
  recipient: Pick<Recipient, 'id' | 'fields'>,
): Promise<Record<string, FieldFile>> {
  const found = asksFiles(recipient) ? await filesOfRecipient(db, recipient.id) : []
  return Object.fromEntries(found.map(({ fieldId, file }) => [fieldId, file]))
}

/** The file of a field whose recipient has signed. Throws `not_found`. */
export async function fieldFile(app: App, actor: Actor, documentId: string, fieldId: string): Promise<FieldFile> {
  const { recipients } = await load(app.db, actor, documentId)
  const fields = recipients.flatMap(recipient => (recipient.status === 'signed' ? recipient.fields : []))
  const file = fields.find(({ id }) => id === fieldId)?.file
  if (!file) throw new Refusal('not_found', violation('file_missing'))
  return file
}
