/** What signed checkpoints say of the audit log: all rows, all files of the folder, given files. */
import { newestCheckpoints } from '../audit/checkpoint-queries.ts'
import type { KnownEntry } from '../audit/known-entries.ts'
import { lastAtOfType } from '../audit/queries.ts'
import { trustOf } from '../documents/evidence/verification.ts'
import { type Checkpoint, CheckpointError, readCheckpoint, type VerifiedCheckpoint } from '../evidence/checkpoint.ts'
import type { StatementContext, StatementTimestamp } from '../evidence/signed-statement.ts'
import { certificatesOfPem, readCertificate } from '../pki/x509.ts'
import type { App } from '../ports.ts'
import { describeSealCertificates } from '../settings/seal-certificate.ts'
import { allKept } from './checkpoint-folder.ts'
import { checkpointPlan } from './checkpoints.ts'
import { MAX_STAMP_DELAY_MS } from './make-checkpoint.ts'

/** Somebody's word on an entry. Texts are English clauses. */
export interface SignedWord {
  /** Where it is kept, such as `in /backup`. */
  place: string
  /** Such as `the checkpoint of 2026-11-20 in /backup`. */
  by: string
  /** Undefined if it cannot be believed. */
  entry: KnownEntry | undefined
  /** Why it cannot. */
  problem: string | undefined
  hasTrustedTime: boolean
  /** It is from before a backup was restored, which may lack its entries. */
  isBeforeRestore: boolean
}

interface Believed {
  app: App
  own: ReadonlySet<string>
  context: StatementContext
  restoredAt: Date | undefined
}

/** Time-stamps are trusted as those of seals are. */
export async function statementContext(app: App): Promise<StatementContext> {
  const { timestampTrust } = await trustOf(app)
  return { timestampTrust: timestampTrust.flatMap(certificatesOfPem).map(readCertificate), now: app.now() }
}

const ROWS_AT_ONCE = 200

/** All that are kept here and in the folder. A folder that cannot be read is an error of it. */
export async function keptWords(app: App): Promise<SignedWord[]> {
  const own = new Set((await describeSealCertificates(app.db)).map(({ sha256 }) => sha256))
  const restoredAt = await lastAtOfType(app.db, 'instance.restored')
  const believed: Believed = { app, own, context: await statementContext(app), restoredAt }
  const words: SignedWord[] = []
  for (let before: number | undefined; ; ) {
    const rows = await newestCheckpoints(app.db, ROWS_AT_ONCE, before)
    for (const { text, at } of rows) words.push(wordOf(believed, new TextEncoder().encode(text), at.toISOString(), 'kept here'))
    before = rows.at(-1)?.sequence
    if (rows.length < ROWS_AT_ONCE) break
  }
  const { folder } = await checkpointPlan(app)
  if (folder === undefined) return words
  for await (const { name, bytes } of allKept({ ...app, folder })) words.push(wordOf(believed, bytes, name, `in ${folder}`))
  return words
}

function wordOf(believed: Believed, bytes: Uint8Array, name: string, place: string): SignedWord {
  try {
    const verified = readCheckpoint(bytes, believed.context)
    const { checkpoint, timestamp } = verified
    const problem = problemOf(believed, verified)
    return {
      ...{ place, problem, by: `the checkpoint of ${checkpoint.at.slice(0, 10)} ${place}` },
      entry: problem === undefined ? checkpoint : undefined,
      hasTrustedTime: timestamp?.verdict === 'trusted',
      isBeforeRestore: believed.restoredAt !== undefined && believed.restoredAt.toISOString() >= checkpoint.at,
    }
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error
    const by = `the checkpoint ${name} ${place}`
    return { place, by, entry: undefined, problem: error.message, hasTrustedTime: false, isBeforeRestore: false }
  }
}

function problemOf({ app, own }: Believed, { checkpoint, signer, timestamp }: VerifiedCheckpoint): string | undefined {
  if (checkpoint.instance !== app.instance.id) return `it is of the instance ${checkpoint.instance}`
  if (!own.has(signer.sha256)) return `it is signed by a certificate that never sealed here (SHA-256 ${signer.sha256})`
  return problemOfTime(checkpoint, timestamp)
}

/** A key that signs anew what it has signed before gets no time-stamp of that time. */
export function problemOfTime({ at }: Pick<Checkpoint, 'at'>, timestamp: StatementTimestamp | undefined): string | undefined {
  if (timestamp === undefined) return undefined
  if (timestamp.verdict === 'false' || timestamp.at === undefined) return 'its time-stamp is not valid'
  const lateMs = Date.parse(timestamp.at) - Date.parse(at)
  if (Math.abs(lateMs) <= MAX_STAMP_DELAY_MS) return undefined
  return `it says ${at.slice(0, 10)}, and was time-stamped on ${timestamp.at.slice(0, 10)}: it was not made when it says`
}
