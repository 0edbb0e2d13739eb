/**
 * Makes the receipt of who has signed or approved, from the entry of the audit log alone. It is
 * made with its mail, or when somebody asks for it first, and never again.
 */
import { type AuditEvent, auditEventsOf } from '../../audit/log.ts'
import type { Document, Recipient } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import { violation } from '../../core/violation.ts'
import { RECEIPT, type Receipt, receiptContent, valuesHash } from '../../evidence/receipt.ts'
import { isSha256Hex } from '../../lib/sha256.ts'
import { SealKeyError } from '../../pki/issue.ts'
import type { Actor, App } from '../../ports.ts'
import { readOrganisation } from '../../settings/organisation.ts'
import { signStatement } from '../../settings/sign-statement.ts'
import { fileNameOf } from '../files/named-file.ts'
import { recipientNameAt } from '../lifecycle/correct-recipient.ts'
import * as queries from '../queries.ts'
import { load } from '../record.ts'
import { requireValidKey } from '../sealing/seal-file.ts'
import { addReceipt, storedReceipt } from './receipt-queries.ts'

export interface ReceiptFile {
  fileName: string
  /** An S/MIME message. */
  text: string
}

/**
 * Throws `not_found` if the recipient has not signed or approved, or did so in a release that
 * recorded too little, and `invalid_state` while the seal key cannot sign.
 */
export async function receiptOf(app: App, document: Document, recipientId: string): Promise<ReceiptFile> {
  const recipient = document.recipients.find(({ id }) => id === recipientId)
  const stored = recipient && (await storedReceipt(app.db, recipientId))
  const text = stored ?? (recipient && (await makeReceipt(app, document, recipient)))
  if (text === undefined) throw noReceipt()
  return { fileName: await fileNameOf(app.db, document, 'receipt'), text }
}

/** As `receiptOf`, of a document that the actor may see. */
export async function receiptFor(app: App, actor: Actor, documentId: string, recipientId: string): Promise<ReceiptFile> {
  return receiptOf(app, await load(app.db, actor, documentId), recipientId)
}

const noReceipt = () => new Refusal('not_found', violation('no_receipt'))

async function makeReceipt(app: App, document: Document, recipient: Recipient): Promise<string | undefined> {
  const receipt = await receiptFacts(app, document, recipient)
  if (receipt === undefined) return undefined
  const { sequence } = receipt.entry
  const text = await signed(app, receipt)
  return app.write(async tx => {
    // It may have been deleted, with the rows of its recipients.
    if (!(await queries.find(tx, document.id))) throw noReceipt()
    await addReceipt(tx, { recipientId: recipient.id, sequence, text }, app.now())
    return storedReceipt(tx, recipient.id)
  })
}

async function signed(app: App, receipt: Receipt): Promise<string> {
  try {
    requireValidKey(await app.sealKey(), app.now())
    return await signStatement(app, RECEIPT, receiptContent(receipt))
  } catch (error) {
    if (!(error instanceof SealKeyError)) throw error
    app.log('warn', 'a receipt could not be signed', { documentId: receipt.document.id, error: error.message })
    throw new Refusal('invalid_state', localized('receiptLater'))
  }
}

/** Undefined if the recipient has not signed, or the entry is of a release that recorded less. */
async function receiptFacts(app: App, { id, title }: Document, recipient: Recipient): Promise<Receipt | undefined> {
  const events = await auditEventsOf(app.db, id)
  const event = events.findLast(({ type, recipientId }) => type === 'recipient.signed' && recipientId === recipient.id)
  const proven = event && provenFacts(event)
  if (event === undefined || proven === undefined) return undefined
  const { sequence, at: signedAt, hash, previousHash, entry: text } = event
  const { name: organisation } = await readOrganisation(app.db)
  const { sha256, ...facts } = proven
  return {
    instance: { id: app.instance.id, environment: app.instance.environment, organisation },
    document: { id, title, sha256 },
    signer: { recipientId: recipient.id, name: recipientNameAt(recipient, events, event) },
    signedAt,
    ...facts,
    entry: { sequence, hash, previousHash, text },
  }
}

function provenFacts({ data, personal, salt }: AuditEvent) {
  const { originalSha256: sha256, consentSha256, intent } = data
  if (!isSha256Hex(sha256) || !isSha256Hex(consentSha256) || typeof intent !== 'string') return undefined
  return personal && salt !== null ? { sha256, consentSha256, intent, valuesSha256: valuesHash(salt, personal) } : undefined
}
