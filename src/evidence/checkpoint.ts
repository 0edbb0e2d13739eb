/** Reads signed checkpoints of the audit log: its newest entry, kept elsewhere. */
import { isSha256Hex } from '../lib/sha256.ts'
import { RemarkError, remark } from '../locales/remarks.ts'
import { certificateSummary } from '../pki/x509.ts'
import { readStatement, type StatementContext, StatementError, type StatementTimestamp } from './signed-statement.ts'

export interface Checkpoint {
  /** The id of the instance. */
  instance: string
  /** Of the newest entry. */
  sequence: number
  hash: string
  /** Entries up to this one. */
  count: number
  at: string
  /** Of the Merkle tree over the hashes of all entries (RFC 9162 §2.1). Older ones have none. */
  treeRoot?: string
}

export interface VerifiedCheckpoint {
  checkpoint: Checkpoint
  signer: { subject: string; sha256: string }
  timestamp: StatementTimestamp | undefined
}

/** The file is no checkpoint, or its signature is not valid. The remark is a clause. */
export class CheckpointError extends RemarkError {
  override name = 'CheckpointError'
}

/** Whether to trust the signer is the caller's decision. @throws CheckpointError */
export function readCheckpoint(bytes: Uint8Array, context: StatementContext): VerifiedCheckpoint {
  try {
    const { content, signer, timestamp } = readStatement(bytes, context)
    // Statements of other kinds have a member `kind`.
    const { kind, instance, sequence, hash, count, at, treeRoot } = content as unknown as Checkpoint & { kind: unknown }
    const isRootSound = treeRoot === undefined || isSha256Hex(treeRoot)
    const isComplete = typeof instance === 'string' && Number.isSafeInteger(sequence) && isSha256Hex(hash) && isRootSound
    if (kind !== undefined || !isComplete) throw new CheckpointError(remark('checkpoint_malformed'))
    const { subject, sha256 } = certificateSummary(signer.der)
    const checkpoint = { instance, sequence, hash, count, at, ...(treeRoot !== undefined && { treeRoot }) }
    return { checkpoint, signer: { subject, sha256 }, timestamp }
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    throw new CheckpointError(error.remark.code === 'statement_malformed' ? remark('checkpoint_malformed') : error.remark)
  }
}
