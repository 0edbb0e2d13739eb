/**
 * Asks the witness to co-sign the newest checkpoint, verifies and keeps its answer. Tries again by
 * itself; says so when the witness disagrees, or is silent for days.
 */
import { endAlert, raiseAlert } from '../alerts/alerts.ts'
import { type KeptCheckpoint, newestCheckpoints } from '../audit/checkpoint-queries.ts'
import { growTree } from '../audit/tree.ts'
import { ConsistencyProver, EMPTY, type Frontier } from '../evidence/merkle-tree.ts'
import { isKnownSigner, readWitnessStatement, WitnessStatementError } from '../evidence/witness-statement.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/duration.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'
import type { App } from '../ports.ts'
import { readSetting, saveSetting } from '../settings/queries.ts'
import { pemOf, readServiceSettings } from '../settings/service-settings.ts'
import { allowedNetworks } from '../webhooks/publish.ts'
import * as queries from './queries.ts'

const SETTING = 'witness.state'
const FIRST_PAUSE_MS = 10 * MINUTE_MS
const MAX_PAUSE_MS = 6 * HOUR_MS
export const SILENT_DAYS = 3
const MAX_ANSWER_BYTES = 300_000

export interface WitnessState {
  /** Of the witness that gave this answer. */
  url: string
  /** When it was asked last. */
  at: Date
  /** Why it gave no co-signature, in English; undefined if it did. */
  failure: string | undefined
  disagrees: boolean
  /** Of the first failure since the last co-signature. */
  failingSince: Date | undefined
  nextAt: Date | undefined
  pauseMs: number
}

type StoredState = Omit<WitnessState, 'at' | 'failingSince' | 'nextAt'> & { at: string; failingSince?: string; nextAt?: string }

export async function witnessState({ db }: Pick<App, 'db'>): Promise<WitnessState | undefined> {
  const text = await readSetting(db, SETTING)
  if (text === undefined) return undefined
  const { at, failingSince, nextAt, ...rest } = JSON.parse(text) as StoredState
  const dateOf = (time: string | undefined) => (time === undefined ? undefined : new Date(time))
  return { ...rest, at: new Date(at), failingSince: dateOf(failingSince), nextAt: dateOf(nextAt) }
}

interface Witness {
  url: string
  /** PEM. */
  certificates: string
}

/** Undefined without an address or a certificate: it is off. */
export async function witnessOf(app: App): Promise<Witness | undefined> {
  const { witnessUrl, witnessCertificateFile } = await readServiceSettings(app)
  const certificates = await pemOf(app, witnessCertificateFile.value)
  return witnessUrl.value === undefined || certificates === undefined ? undefined : { url: witnessUrl.value, certificates }
}

/** Scheduled: after each checkpoint, and again after pauses that grow. */
export async function askWhenDue(app: App): Promise<void> {
  const witness = await witnessOf(app)
  if (!witness) {
    await endAlert(app, 'witness_silent')
    await endAlert(app, 'witness_disagrees')
    return
  }
  const state = await witnessState(app)
  const waitMs = state?.url === witness.url && state.nextAt ? state.nextAt.getTime() - app.now().getTime() : 0
  // A clock that was set back makes no longer pause than the longest.
  if (waitMs <= 0 || waitMs > MAX_PAUSE_MS) await askWitness(app, witness)
}

/** Returns why there is no co-signature of the newest checkpoint; undefined if there is one. */
export async function askWitness(app: App, witness: Witness): Promise<string | undefined> {
  const [newest] = await newestCheckpoints(app.db, 1)
  if (!newest || newest.sequence === 0) return undefined
  const before = await witnessState(app)
  if (newest.isWitnessed && before?.url === witness.url && before.failure === undefined) return undefined
  const answer = await exchange(app, witness, newest)
  if ('text' in answer) await keep(app, witness, newest, answer)
  else await noteFailure(app, witness, answer)
  return 'text' in answer ? undefined : englishOfDiagnosis(answer.found)
}

type Answer = { text: string; witnessedAt: string } | { found: Diagnosis; disagrees: boolean }

const failed = (found: Diagnosis, disagrees = false): Answer => ({ found, disagrees })

/** If the witness has seen another size than was co-signed here, the proof begins there. */
async function exchange(app: App, witness: Witness, newest: KeptCheckpoint): Promise<Answer> {
  let from = (await queries.newestWitnessed(app.db))?.sequence ?? 0
  for (let i = 0; i < 2; i++) {
    const proof = await proofFrom(app, from, newest)
    const answer = await send(app, witness, { checkpoint: newest.text, from, proof })
    if ('code' in answer) return failedBy(answer)
    if ('found' in answer) return answer
    if (answer.statement !== null) return verifyAnswer(app, witness, newest, answer.statement)
    if (answer.size > newest.sequence) return failed(diagnosis('witness_saw_more', { sequence: answer.size }), true)
    from = answer.size
  }
  return failed(diagnosis('witness_answer_unusable', { reason: 'it asks for another proof each time' }))
}

function failedBy({ code, message }: { code: string; message: string }): Answer {
  if (code === 'witness_disagrees') return failed(diagnosis('witness_disagrees', { reason: message }), true)
  return failed(diagnosis('witness_refused', { reason: message }))
}

async function proofFrom(app: App, from: number, newest: KeptCheckpoint): Promise<string[]> {
  if (from <= 0 || from >= newest.sequence) return []
  const old = await frontierOf(app, from)
  const prover = new ConsistencyProver(old, newest.sequence)
  await growTree(app, old, newest.sequence, leaf => prover.add(leaf))
  return prover.proof()
}

async function frontierOf(app: App, size: number): Promise<Frontier> {
  const kept = await queries.checkpointOfSize(app.db, size)
  return kept?.frontier ?? growTree(app, EMPTY, size)
}

interface WitnessBody {
  size: number
  statement: string | null
}

async function send(
  app: App,
  { url }: Witness,
  body: { checkpoint: string; from: number; proof: string[] },
): Promise<WitnessBody | { code: string; message: string } | { found: Diagnosis; disagrees: boolean }> {
  const result = await app.send({
    url: `${url.replace(/\/+$/, '')}/api/v1/witness/checkpoints`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': `Signet/${app.instance.version}` },
    body: JSON.stringify(body),
    // It asks its own time-stamp authorities before it answers.
    ...{ connectTimeoutMs: 5000, totalTimeoutMs: 60_000, maxResponseBytes: MAX_ANSWER_BYTES },
    allow: await allowedNetworks(app),
  })
  const silent = (reason: string) => ({ found: diagnosis('witness_unreachable', { reason }), disagrees: false })
  if (result.outcome === 'failed') return silent(result.reason)
  try {
    const answer = JSON.parse(new TextDecoder().decode(result.body)) as Partial<WitnessBody> & {
      error?: { code?: unknown; message?: unknown }
    }
    const { size, statement, error } = answer
    if (result.status === 200 && Number.isSafeInteger(size) && (statement === null || typeof statement === 'string'))
      return { size: size as number, statement }
    if (typeof error?.code === 'string') return { code: error.code, message: String(error.message).slice(0, 500) }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error
  }
  return silent(`it answered ${result.status}, and not as a witness does`)
}

/** The co-signature must be of the witness, and of exactly this checkpoint. */
function verifyAnswer(app: App, { certificates }: Witness, newest: KeptCheckpoint, text: string): Answer {
  const unusable = (reason: string) => failed(diagnosis('witness_answer_unusable', { reason }))
  try {
    const bytes = new TextEncoder().encode(text)
    const { statement, signer } = readWitnessStatement(bytes, { timestampTrust: [], now: app.now() })
    const { instance, sequence, hash, treeRoot, witnessedAt } = statement
    if (!isKnownSigner(signer, certificates)) return unusable('it is signed by another certificate than that of the witness')
    const isSame = sequence === newest.sequence && hash === newest.hash && treeRoot === newest.treeRoot
    return isSame && instance === app.instance.id ? { text, witnessedAt } : unusable('it is of another checkpoint')
  } catch (error) {
    if (error instanceof WitnessStatementError) return unusable(error.message)
    throw error
  }
}

async function keep(
  app: App,
  { url }: Witness,
  newest: KeptCheckpoint,
  answer: { text: string; witnessedAt: string },
): Promise<void> {
  const state: StoredState = { url, at: app.now().toISOString(), failure: undefined, disagrees: false, pauseMs: 0 }
  await app.write(async tx => {
    await queries.addWitness(tx, newest.id, answer.text, answer.witnessedAt)
    await saveSetting(tx, SETTING, JSON.stringify(state))
  })
  await endAlert(app, 'witness_silent')
  await endAlert(app, 'witness_disagrees')
}

async function noteFailure(
  app: App,
  { url }: Witness,
  { found, disagrees }: { found: Diagnosis; disagrees: boolean },
): Promise<void> {
  const now = app.now()
  const last = await witnessState(app)
  const before = last?.url === url ? last : undefined
  const pauseMs = Math.min(MAX_PAUSE_MS, before?.failure === undefined ? FIRST_PAUSE_MS : before.pauseMs * 2)
  // A time that a clock far ahead has noted is not reached for long.
  const since = before?.failingSince
  const failingSince = since !== undefined && since <= now ? since : now
  const state: StoredState = {
    ...{ url, at: now.toISOString(), failure: englishOfDiagnosis(found), disagrees, pauseMs },
    ...{ failingSince: failingSince.toISOString(), nextAt: new Date(now.getTime() + pauseMs).toISOString() },
  }
  await app.write(tx => saveSetting(tx, SETTING, JSON.stringify(state)), { wake: false })
  if (disagrees) await raiseAlert(app, { kind: 'witness_disagrees', found })
  else if (now.getTime() - failingSince.getTime() >= SILENT_DAYS * DAY_MS) {
    const reason = englishOfDiagnosis(found)
    await raiseAlert(app, { kind: 'witness_silent', found: diagnosis('witness_silent', { days: SILENT_DAYS, reason }) })
  }
}
