/** Augments a sealed file to a PAdES level, one revision a step. EN 319 142-1 §5.4, §6. */

import type { SealLevel } from '../../core/document/document.ts'
import { SEAL_LEVELS } from '../../core/document/document.ts'
import { equalBytes } from '../../lib/bytes.ts'
import { DAY_MS, MINUTE_MS } from '../../lib/duration.ts'
import { fill } from '../../pades/cms.ts'
import { TimestampError } from '../../pades/timestamp.ts'
import { collectValidationData } from '../../pades/validation-data.ts'

import { type Certificate, certificatePem } from '../../pki/x509.ts'
import type { App } from '../../ports.ts'
import { sealChain } from '../../settings/seal-certificate.ts'
import { requestToken } from '../../settings/sign-statement.ts'
import { allowedNetworks } from '../../webhooks/publish.ts'

/** Reserved in /Contents of a document time-stamp. */
const TOKEN_BYTES = 16_384

export const isBelow = (level: SealLevel, goal: SealLevel): boolean => SEAL_LEVELS.indexOf(level) < SEAL_LEVELS.indexOf(goal)

export interface SealedRevision {
  path: string
  /** Authority and issuers of each time-stamp, the newest last. Of a stored file only that one. */
  timestampChains: readonly Certificate[][]
  /** Validation data that could not be collected, in clauses. */
  missing: readonly string[]
}

/** The newest revision that could be made, and why there is no newer one. */
export interface Augmentation {
  file: SealedRevision
  failure: TimestampError | undefined
}

/** Each chain as PEM, the authority's own certificate first. */
export function toPemChains(chains: readonly (readonly Certificate[])[]): string[] {
  return chains.map(path => path.map(({ der }) => certificatePem(der)).join(''))
}

/** A file at the level gets a new time-stamp. The caller discards `start` and the returned file. */
export async function augmentTo(
  app: App,
  start: SealedRevision,
  goal: SealLevel,
  certificateSha256: string,
): Promise<Augmentation> {
  let file = start
  const discardStep = async () => {
    if (file.path !== start.path) await app.storage.discard(file.path)
  }
  const append = async (revision: Promise<SealedRevision>) => {
    const next = await revision
    await discardStep()
    file = next
  }
  try {
    if (isBelow('B-B', goal) && start.timestampChains.length === 0) await append(appendTimestamp(app, file))
    if (!isBelow(goal, 'B-LT')) await append(appendValidationData(app, file, certificateSha256))
    if (goal === 'B-LTA' && file.missing.length === 0) await append(appendTimestamp(app, file))
    return { file, failure: undefined }
  } catch (error) {
    if (error instanceof TimestampError) return { file, failure: error }
    await discardStep()
    throw error
  }
}

/** Calls `write` with a temporary path, and discards the file if `write` fails. */
async function writeRevision<T>(app: App, write: (outPath: string) => Promise<T>): Promise<{ path: string; result: T }> {
  const path = app.storage.temporaryPath()
  try {
    return { path, result: await write(path) }
  } catch (error) {
    await app.storage.discard(path)
    throw error
  }
}

async function appendTimestamp(app: App, file: SealedRevision): Promise<SealedRevision> {
  const { path, result } = await writeRevision(app, async outPath => {
    const prepared = await app.pdf.prepareTimestamp({ sourcePath: file.path, outPath, contentsBytes: TOKEN_BYTES })
    const { token, path: chain } = await requestToken(app, Buffer.from(prepared.digest, 'hex'))
    await fill(app.fileSystem, { prepared, contents: token })
    return chain
  })
  return { ...file, path, timestampChains: [...file.timestampChains, result] }
}

async function appendValidationData(app: App, file: SealedRevision, certificateSha256: string): Promise<SealedRevision> {
  const { chain, revocationList } = await sealChain(app, certificateSha256)
  const root = chain.at(-1)
  const { material, missing, revoked } = await collectValidationData({
    chains: [chain, file.timestampChains.at(-1) ?? []],
    at: app.now(),
    net: { allow: await allowedNetworks(app), send: app.send },
    own: root && revocationList ? { root, revocationList } : undefined,
  })
  const lacking = [...missing, ...revoked]
  if (lacking.length > 0) app.log('warn', 'validation data is incomplete', { missing: lacking.join('; ') })
  const { path } = await writeRevision(app, outPath => app.pdf.addValidationData({ sourcePath: file.path, outPath, material }))
  return { ...file, path, missing: lacking }
}

/** Pause before a file below its configured level is augmented again. */
const RETRY_MS = 10 * MINUTE_MS

/** A renewal that proves the time for less longer than this gains nothing. */
const MIN_GAIN_MS = DAY_MS

const isSelfIssued = ({ subject, issuer }: Certificate): boolean => equalBytes(subject, issuer)

/** When the first certificate of a time-stamp's chain ends, without its root. */
function endOfProof(chain: readonly Certificate[]): Date | undefined {
  const ends = chain.filter((one, depth) => depth === 0 || !isSelfIssued(one)).map(({ notAfter }) => notAfter.getTime())
  return ends.length === 0 ? undefined : new Date(Math.min(...ends))
}

/**
 * Soon if the level is too low. Otherwise a quarter of its validity, at most 90 days, before the
 * certificate of the newest time-stamp expires; later, when half of what remains has passed, so
 * that an authority that still uses this certificate is asked a few times only.
 */
export function augmentAt(
  app: Pick<App, 'now'>,
  { level, goal }: { level: SealLevel; goal: SealLevel },
  timestampChain: readonly Certificate[] | undefined,
): Date | undefined {
  const nowMs = app.now().getTime()
  if (isBelow(level, goal)) return new Date(nowMs + RETRY_MS)
  const [authority] = timestampChain ?? []
  const end = endOfProof(timestampChain ?? [])
  if (level !== 'B-LTA' || authority === undefined || end === undefined) return undefined
  const endMs = end.getTime()
  const plannedMs = endMs - Math.min(90 * DAY_MS, (endMs - authority.notBefore.getTime()) / 4)
  return new Date(Math.max(plannedMs, nowMs + Math.max(DAY_MS, (endMs - nowMs) / 2)))
}

/** Whether a new time-stamp proves the time meaningfully longer than the present one. */
export function gainsTime(present: readonly Certificate[] | undefined, renewed: readonly Certificate[] | undefined): boolean {
  const [before, after] = [endOfProof(present ?? []), endOfProof(renewed ?? [])]
  return before === undefined || after === undefined || after.getTime() - before.getTime() >= MIN_GAIN_MS
}

/** A version that has its level gets a new time-stamp at most once a day. */
export const inADay = (at: Date): Date => new Date(at.getTime() + DAY_MS)

/** The level to make now: a level that was reached is kept when less is configured later. */
export const higherLevel = (reached: SealLevel, goal: SealLevel): SealLevel => (isBelow(reached, goal) ? goal : reached)
