/**
 * Co-signs the checkpoints of other instances: each must continue the last one seen of the same
 * instance. What does not is refused, recorded and an alert.
 */
import { endAlertIn, raiseAlertIn } from '../alerts/alerts.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { errorAt, Refusal, type ValidationError, validationRefusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { type Checkpoint, CheckpointError, readCheckpoint } from '../evidence/checkpoint.ts'
import { verifyConsistency } from '../evidence/merkle-tree.ts'
import { readStatement } from '../evidence/signed-statement.ts'
import { isKnownSigner, WITNESS_KIND } from '../evidence/witness-statement.ts'
import { DAY_MS } from '../lib/duration.ts'
import { diagnosis } from '../locales/diagnoses.ts'
import type { Certificate } from '../pki/x509.ts'
import { type App, SYSTEM } from '../ports.ts'
import { signStatement } from '../settings/sign-statement.ts'
import * as queries from './queries.ts'

export interface WitnessRequest {
  /** The S/MIME message. */
  checkpoint: string
  /** The size of the log from which `proof` leads to the checkpoint; 0: none was seen before. */
  from: number
  /** RFC 9162 §2.1.4; hex. */
  proof: readonly string[]
}

export interface WitnessAnswer {
  /** What this witness has seen, before or with this checkpoint. */
  size: number
  /** Undefined: the proof must begin at `size`. */
  statement: string | undefined
}

type Root = { size: number; root: string }
type WithRoot = Checkpoint & { treeRoot: string }

/** Above this, an instance does not get a day's checkpoints co-signed but loads the witness. */
const MAX_STATEMENTS_A_DAY = 50
const MAX_TRIES = 3

/**
 * Idempotent: what was co-signed gets the same answer again.
 * @throws Refusal `witness_unknown`, `witness_disagrees`, `validation_failed`, `rate_limited`
 */
export async function coSign(app: App, request: WitnessRequest): Promise<WitnessAnswer> {
  const { checkpoint, signer } = readRequest(app, request)
  for (let i = 0; i < MAX_TRIES; i++) {
    const seen = await findInstance(app, checkpoint, signer)
    const answer = await answerTo(app, seen, checkpoint, request)
    if (answer) return answer
  }
  throw new Refusal('overloaded', violation('witness_busy'), [], 5)
}

function readRequest(app: App, { checkpoint: text }: WitnessRequest): { checkpoint: WithRoot; signer: Certificate } {
  const bytes = new TextEncoder().encode(text)
  const context = { timestampTrust: [], now: app.now() }
  try {
    const { treeRoot, ...checkpoint } = readCheckpoint(bytes, context).checkpoint
    if (treeRoot === undefined) throw invalid(errorAt('checkpoint', violation('checkpoint_without_tree')))
    if (checkpoint.sequence < 1) throw invalid(errorAt('checkpoint', violation('checkpoint_of_nothing')))
    return { checkpoint: { ...checkpoint, treeRoot }, signer: readStatement(bytes, context).signer }
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error
    throw invalid(errorAt('checkpoint', violation('not_a_checkpoint', { problem: error.message })))
  }
}

const invalid = (error: ValidationError) => validationRefusal([error])

/** The signature is the authentication. @throws Refusal */
async function findInstance({ db }: App, { instance }: Checkpoint, signer: Certificate): Promise<queries.WitnessedInstance> {
  const all = (await queries.witnessedInstances(db)).filter(({ removedAt }) => removedAt === undefined)
  const known = all.filter(({ certificates }) => isKnownSigner(signer, certificates))
  const own = known.find(each => each.instance === instance) ?? known.find(each => each.instance === undefined)
  if (own) return own
  throw new Refusal('witness_unknown', violation(known.length > 0 ? 'witness_other_instance' : 'witness_unknown_signer'))
}

/** Undefined if the row has changed meanwhile. */
async function answerTo(
  app: App,
  seen: queries.WitnessedInstance,
  checkpoint: WithRoot,
  { from, proof }: WitnessRequest,
): Promise<WitnessAnswer | undefined> {
  const { sequence: size, treeRoot: root } = checkpoint
  const given = await queries.statementFor(app.db, seen.id, size, root)
  if (given !== undefined && seen.sequence >= size) return { size: seen.sequence, statement: given }
  const last: Root = { size: seen.sequence, root: seen.treeRoot ?? '' }
  const why = disagreementOf(last, { size, root }, from, proof)
  if (why === 'other proof') return { size: last.size, statement: undefined }
  if (why !== undefined) return refuse(app, seen, checkpoint, why)
  const receivedAt = app.now()
  const { instance, sequence, hash, treeRoot, at } = checkpoint
  const statement = await signStatement(app, WITNESS_KIND, {
    ...{ kind: WITNESS_KIND, instance, sequence, hash, treeRoot, at, witness: app.instance.id },
    ...{ witnessedAt: receivedAt.toISOString(), continues: last.size },
  })
  const isStored = await app.write(async tx => {
    const now = await queries.witnessedById(tx, seen.id)
    if (!now || now.removedAt || !isSameState(now, seen)) return false
    const isTooMany =
      (await queries.countStatements(tx, seen.id, new Date(receivedAt.getTime() - DAY_MS), receivedAt)) >= MAX_STATEMENTS_A_DAY
    if (isTooMany) throw new Refusal('rate_limited', violation('witness_too_many', { max: MAX_STATEMENTS_A_DAY }), [], 3600)
    const made = { id: app.newId('wst'), witnessedId: seen.id, instance, sequence, treeRoot, receivedAt, statement }
    await queries.storeStatement(tx, made)
    await endAlertIn(tx, app, 'witnessed_log_differs', seen.id)
    return true
  })
  return isStored ? { size, statement } : undefined
}

const isSameState = (a: queries.WitnessedInstance, b: queries.WitnessedInstance) =>
  a.sequence === b.sequence && a.treeRoot === b.treeRoot && a.instance === b.instance

type Disagreement = 'shorter' | 'fork' | 'inconsistent'

/** `other proof`: it does not begin at what was seen, and may be asked for again. */
function disagreementOf(
  last: Root,
  next: Root,
  from: number,
  proof: readonly string[],
): Disagreement | 'other proof' | undefined {
  if (last.size === 0) return undefined
  if (next.size < last.size) return 'shorter'
  if (next.size === last.size) return next.root === last.root ? undefined : 'fork'
  if (from !== last.size) return 'other proof'
  return verifyConsistency(last, next, proof) ? undefined : 'inconsistent'
}

const SENTENCES = { shorter: 'witness_shorter', fork: 'witness_fork', inconsistent: 'witness_inconsistent' } as const

/** Recorded once for each checkpoint, however often it is sent. @throws Refusal */
async function refuse(
  app: App,
  seen: queries.WitnessedInstance,
  { instance, sequence, treeRoot }: WithRoot,
  why: Disagreement,
): Promise<never> {
  const { id, name, refused } = seen
  if (refused?.sequence !== sequence || refused.treeRoot !== treeRoot) {
    await app.write(async tx => {
      const at = app.now()
      await queries.storeRefusal(tx, id, { at, sequence, treeRoot })
      const data = { witnessed: id, instance, sequence, treeRoot, seen: seen.sequence, why }
      await appendInstanceEvent(tx, app, { type: 'witness.refused', data }, SYSTEM)
      const found = diagnosis('witnessed_log_differs', { name, sequence, seen: seen.sequence })
      await raiseAlertIn(tx, app, { kind: 'witnessed_log_differs', subject: id, found })
    })
  }
  throw new Refusal('witness_disagrees', violation(SENTENCES[why], { size: seen.sequence }))
}
