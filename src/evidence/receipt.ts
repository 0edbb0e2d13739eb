/**
 * The receipt that a person gets for their signature: what they signed, and its entry in the audit
 * log, so that they can show later whether the log still contains it.
 */
import { canonicalJson, chainHash, commitment } from '../core/document/audit-chain.ts'
import type { Json } from '../core/document/event.ts'
import { isJsonObject, type JsonObject } from '../core/document/logged-facts.ts'
import { isSha256Hex } from '../lib/sha256.ts'
import { type Remark, remark } from '../locales/remarks.ts'
import { type SignedStatement, StatementError } from './signed-statement.ts'

export interface Receipt {
  instance: { id: string; environment: string; organisation: string }
  /** `sha256`: of the bytes that the person was shown. */
  document: { id: string; title: string; sha256: string }
  signer: { recipientId: string; name: string }
  /** RFC 3339, UTC; of the entry. */
  signedAt: string
  /** The sentence beside the button. */
  intent: string
  /** As `valuesHash` makes it. */
  valuesSha256: string
  consentSha256: string
  /** `text`: the canonical JSON whose hash, after `previousHash`, is `hash`. */
  entry: { sequence: number; hash: string; previousHash: string; text: string }
}

/** The name of the statement, in its boundary and in the member `kind`. */
export const RECEIPT = 'receipt'
const VERSION = 1

const SIGNED = 'recipient.signed'

/** The texts in each part. */
const TEXTS = { instance: ['id', 'environment', 'organisation'], document: ['id', 'title'], signer: ['recipientId', 'name'] }

export function receiptContent({ instance, document, signer, entry, ...receipt }: Receipt): JsonObject {
  const { signedAt, intent, valuesSha256, consentSha256 } = receipt
  return {
    kind: RECEIPT,
    version: VERSION,
    instance: { ...instance },
    document: { ...document },
    signer: { ...signer },
    ...{ signedAt, intent, valuesSha256, consentSha256 },
    entry: { ...entry },
  }
}

/**
 * SHA-256 of the bytes of the salt of the entry and the canonical JSON of marks, values and files,
 * hex. The salt is in the log and in the evidence pack: without it nobody can try out values.
 */
export function valuesHash(salt: string, personal: JsonObject): string {
  const { signature = null, initials = null, fieldValues = {}, fieldFiles = {} } = personal
  return commitment(salt, { signature, initials, fieldValues, fieldFiles })
}

/** @throws StatementError if it is another statement, or of a later release */
export function receiptIn({ content }: SignedStatement): Receipt {
  if (content.kind !== RECEIPT) throw new StatementError(remark('receipt_of_other_kind'))
  if (content.version !== VERSION) throw new StatementError(remark('receipt_of_later_release'))
  if (!isReceipt(content)) throw new StatementError(remark('receipt_malformed'))
  return content as unknown as Receipt
}

function isReceipt(content: JsonObject): boolean {
  const parts = Object.entries(TEXTS).map(([name, members]) => ({ part: content[name], members }))
  const { document, entry, signedAt, intent, valuesSha256, consentSha256 } = content
  return (
    parts.every(({ part, members }) => isJsonObject(part) && members.every(member => typeof part[member] === 'string')) &&
    [signedAt, intent].every(text => typeof text === 'string') &&
    [valuesSha256, consentSha256, (document as JsonObject).sha256].every(isSha256Hex) &&
    isJsonObject(entry) &&
    Number.isSafeInteger(entry.sequence) &&
    [entry.hash, entry.previousHash].every(isSha256Hex) &&
    typeof entry.text === 'string'
  )
}

/** Whether the receipt says what its entry does, and the hash is that of the entry. */
export function findContradiction({ document, signer, entry, ...receipt }: Receipt): Remark | undefined {
  if (chainHash(entry.previousHash, entry.text) !== entry.hash) return remark('receipt_hash_wrong')
  const logged = entryIn(entry.text)
  if (logged === undefined || logged.type !== SIGNED || !isJsonObject(logged.data)) return remark('receipt_entry_wrong')
  const { consentSha256, originalSha256, intent } = logged.data
  const said: [member: string, inReceipt: Json, inEntry: Json | undefined][] = [
    ['document.id', document.id, logged.documentId],
    ['document.sha256', document.sha256, originalSha256],
    ['signer.recipientId', signer.recipientId, logged.recipientId],
    ['signedAt', receipt.signedAt, logged.at],
    ['consentSha256', receipt.consentSha256, consentSha256],
    ['intent', receipt.intent, intent],
  ]
  const members = said.filter(([, inReceipt, inEntry]) => inReceipt !== inEntry).map(([member]) => member)
  return members.length > 0 ? remark('receipt_contradicts', { members }) : undefined
}

function entryIn(text: string): JsonObject | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    return isJsonObject(entry) && canonicalJson(entry) === text ? entry : undefined
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
