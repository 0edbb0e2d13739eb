/** Reads the statement of a witness: that a checkpoint continues the log it saw before. */
import { equalBytes } from '../lib/bytes.ts'
import { isSha256Hex } from '../lib/sha256.ts'
import { RemarkError, remark } from '../locales/remarks.ts'
import { allowsSigning, isSignedBy } from '../pki/trust.ts'
import { type Certificate, certificatesOfPem, readCertificate } from '../pki/x509.ts'
import { readStatement, type SignedStatement, type StatementContext, StatementError } from './signed-statement.ts'

export const WITNESS_KIND = 'witness'

export interface WitnessStatement {
  /** The id of the instance whose log it is. */
  instance: string
  /** Of the newest entry of the checkpoint. */
  sequence: number
  hash: string
  treeRoot: string
  /** Of the checkpoint, by the clock of its instance. */
  at: string
  /** The id of the instance that signs this. */
  witness: string
  /** By the clock of the witness. */
  witnessedAt: string
  /** The size of the log that it continues; 0 for the first. */
  continues: number
}

export interface VerifiedWitness extends Omit<SignedStatement, 'content'> {
  statement: WitnessStatement
}

/** It is no statement of a witness, or its signature is not valid. The remark is a clause. */
export class WitnessStatementError extends RemarkError {
  override name = 'WitnessStatementError'
}

/** Whether to trust the signer is the caller's decision. @throws WitnessStatementError */
export function readWitnessStatement(bytes: Uint8Array, context: StatementContext): VerifiedWitness {
  try {
    const { content, ...signed } = readStatement(bytes, context)
    const { kind, instance, sequence, hash, treeRoot, at, witness, witnessedAt, continues } = content
    const isText = [instance, at, witness, witnessedAt].every(value => typeof value === 'string')
    const isNumber = Number.isSafeInteger(sequence) && Number.isSafeInteger(continues)
    if (kind !== WITNESS_KIND || !isText || !isNumber || !isSha256Hex(hash) || !isSha256Hex(treeRoot))
      throw new WitnessStatementError(remark('witness_malformed'))
    const statement = { instance, sequence, hash, treeRoot, at, witness, witnessedAt, continues } as WitnessStatement
    return { ...signed, statement }
  } catch (error) {
    if (!(error instanceof StatementError)) throw error
    throw new WitnessStatementError(error.remark.code === 'statement_malformed' ? remark('witness_malformed') : error.remark)
  }
}

/**
 * Whether the certificate is one of these, or was issued by one that is an authority: a root of an
 * instance introduces its renewed seal certificates. `trusted` is PEM.
 */
export function isKnownSigner(signer: Certificate, trusted: string): boolean {
  const known = certificatesOfPem(trusted).map(readCertificate)
  if (!allowsSigning(signer)) return false
  return known.some(each => equalBytes(signer.der, each.der) || (each.isAuthority && isSignedBy(signer, each)))
}
