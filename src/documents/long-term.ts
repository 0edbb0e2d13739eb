/**
 * What a seal gets beside the signature so that it can be judged for decades: a time-stamp over the signature (B-T), the material to validate it
 * (B-LT), and time-stamps over all of that (B-LTA), renewed before their authorities' certificates end. EN 319 142-1 §5.4 and §6.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SealLevel } from '../core/document.ts'
import { parseNetworks } from '../lib/net-guard.ts'
import type { Timestamp } from '../pades/timestamp.ts'
import type { Certificate } from '../pki/x509.ts'
import type { App } from '../ports.ts'
import type { SealChain } from '../settings/seal-chain.ts'
import { allowedNetworks } from '../webhooks/manage.ts'

/** Room for a document time-stamp in the file. */
const TOKEN_BYTES = 16_384
/** The administrator names the authorities: they may stand in the house. */
const ANYWHERE = parseNetworks('0.0.0.0/0,::/0')

const ORDER: readonly SealLevel[] = ['B-B', 'B-T', 'B-LT', 'B-LTA']
export const isBelow = (level: SealLevel, goal: SealLevel): boolean => ORDER.indexOf(level) < ORDER.indexOf(goal)

/** A sealed file on its way up. */
export interface Climbing {
  path: string
  /** The file is a temporary one of ours, and goes when the next is made. */
  isTemporary: boolean
  seal: SealChain
  /** The authority of each time-stamp, with its issuers, the newest last. Of a file that is up already, that of its newest alone. */
  stamps: Certificate[][]
  /** What the long term lacks, in clauses. */
  missing: string[]
}

/** Each path as PEM, the authority's own certificate first. */
export async function toPemChains(stamps: readonly (readonly Certificate[])[]): Promise<string[]> {
  const { certificatePem } = await import('../pki/x509.ts')
  return stamps.map(path => path.map(({ der }) => certificatePem(der)).join(''))
}

/** A token over a SHA-256 from the first authority that gives one. @throws TimestampError */
export async function timestamp(app: App, digest: Uint8Array): Promise<Timestamp> {
  const { authorities, caFile } = app.config.timestamps
  const ca = caFile === undefined ? undefined : await readFile(caFile, 'utf8')
  const { firstTimestamp } = await import('../pades/timestamp.ts')
  return firstTimestamp(
    authorities.map(authority => ({ ...authority, ca })),
    { digest, allow: ANYWHERE, now: app.now },
  )
}

/** The CMS with a time-stamp over its signature value. @throws TimestampError */
export async function timestampCms(app: App, cms: Uint8Array): Promise<{ cms: Uint8Array; path: Certificate[] }> {
  const { signatureValueOf, withTimestamp } = await import('../pades/cms.ts')
  const { token, path } = await timestamp(app, createHash('sha256').update(signatureValueOf(cms)).digest())
  return { cms: withTimestamp(cms, token), path }
}

/**
 * Takes a sealed file up to the goal, a revision a step; what is missing for the long term leaves it at B-T. A file that is up already gets the
 * material of its newest time-stamp and a fresh one over it.
 * @throws TimestampError; the file so far is then at `climbing.path`
 */
export async function climb(app: App, climbing: Climbing, goal: SealLevel): Promise<void> {
  if (isBelow('B-B', goal) && climbing.stamps.length === 0) await addTimestamp(app, climbing)
  if (isBelow(goal, 'B-LT')) return
  await addMaterial(app, climbing)
  if (goal === 'B-LTA' && climbing.missing.length === 0) await addTimestamp(app, climbing)
}

/** One revision: the file so far is let go only when the new one is whole. */
async function step(app: App, climbing: Climbing, make: (outPath: string) => Promise<void>): Promise<void> {
  const outPath = app.storage.temporaryPath()
  try {
    await make(outPath)
  } catch (error) {
    await app.storage.discard(outPath)
    throw error
  }
  if (climbing.isTemporary) await app.storage.discard(climbing.path)
  climbing.path = outPath
  climbing.isTemporary = true
}

async function addTimestamp(app: App, climbing: Climbing): Promise<void> {
  const { fill } = await import('../pades/sign.ts')
  await step(app, climbing, async outPath => {
    const prepared = await app.pdf.prepareTimestamp({ sourcePath: climbing.path, outPath, contentsBytes: TOKEN_BYTES })
    const { token, path } = await timestamp(app, Buffer.from(prepared.digest, 'hex'))
    await fill({ prepared, contents: token })
    climbing.stamps.push(path)
  })
}

async function addMaterial(app: App, climbing: Climbing): Promise<void> {
  const { collectValidationData } = await import('../pades/validation-data.ts')
  const { chain, revocationList } = climbing.seal
  const root = chain.at(-1)
  const { material, missing, revoked } = await collectValidationData({
    chains: [chain, climbing.stamps.at(-1) ?? []],
    at: app.now(),
    net: { allow: allowedNetworks(app) },
    own: root && revocationList ? { root, revocationList } : undefined,
  })
  climbing.missing = [...missing, ...revoked]
  if (climbing.missing.length > 0)
    app.log('warn', 'validation material is not complete', { missing: climbing.missing.join('; ') })
  await step(app, climbing, async outPath => {
    await app.pdf.addValidationData({ sourcePath: climbing.path, outPath, material })
  })
}

/** A file below its goal is tried again so soon. */
const RETRY_MS = 10 * 60_000
const DAY_MS = 86_400_000

/** When a sealed file is to be raised: soon when it is below the goal, else a while before the certificate of its newest time-stamp ends. */
export function augmentAt(
  app: Pick<App, 'now' | 'config'>,
  level: SealLevel,
  stamp: Certificate[] | undefined,
): Date | undefined {
  const goal = app.config.timestamps.level
  if (isBelow(level, goal)) return new Date(app.now().getTime() + RETRY_MS)
  if (level !== 'B-LTA' || !stamp?.[0]) return undefined
  const { notBefore, notAfter } = stamp[0]
  const lifeMs = notAfter.getTime() - notBefore.getTime()
  return new Date(notAfter.getTime() - Math.min(90 * DAY_MS, lifeMs / 4))
}
