/** Keeps the assets of each release for a day: pages of the release before still ask for theirs. */
import { readFileSync } from 'node:fs'
import packPath from '../../.built/static.pack' with { type: 'file' }
import type { Tx } from '../db/open.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/duration.ts'
import { sha256Hex } from '../lib/sha256.ts'
import type { App } from '../ports.ts'
import { abandonFile, finishRemovals, keepFile, removeIfUnused, settleFile } from './claims.ts'
import { assetPacks, deleteAssetPack, noteAssetPack } from './queries.ts'

/** A page is left open over night. */
const KEPT_MS = 26 * HOUR_MS
/** A row is written so often while nodes of its release serve. */
const NOTED_MS = 50 * MINUTE_MS

let own: { bytes: Buffer; sha256: string } | undefined

/** Of this executable. */
export function ownAssetPack(): { bytes: Buffer; sha256: string } {
  if (!own) {
    const bytes = readFileSync(packPath)
    own = { bytes, sha256: sha256Hex(bytes) }
  }
  return own
}

/** SHA-256 of the packs of other releases, the latest first. */
export async function otherAssetPacks({ db }: App): Promise<string[]> {
  return (await assetPacks(db)).map(({ sha256 }) => sha256).filter(sha256 => sha256 !== ownAssetPack().sha256)
}

/** Stores this release's assets for the next, and removes those that were not served for a day. */
export async function keepAssets(app: App): Promise<void> {
  const { sha256, bytes } = ownAssetPack()
  const now = app.now()
  const known = await assetPacks(app.db)
  const mine = known.find(pack => pack.sha256 === sha256)
  if (!mine) await storePack(app, bytes, sha256)
  else if (Math.abs(now.getTime() - mine.usedAt.getTime()) >= NOTED_MS) await app.write(tx => noteAssetPack(tx, sha256, now))
  for (const pack of known) {
    if (pack.sha256 === sha256 || now.getTime() - pack.usedAt.getTime() < KEPT_MS) continue
    await finishRemovals(app, await app.write(tx => dropPack(tx, app, pack.sha256)))
  }
}

async function storePack(app: App, bytes: Uint8Array, sha256: string): Promise<void> {
  const upload = await app.storage.writeTemporary(bytes)
  try {
    await upload.synced
    const claim = await keepFile(app, upload.path, { sha256, bytes: bytes.length })
    try {
      await app.write(async tx => {
        await settleFile(tx, claim, app.now())
        await noteAssetPack(tx, sha256, app.now())
      })
    } catch (error) {
      await abandonFile(app, claim)
      throw error
    }
  } finally {
    await app.storage.discard(upload.path)
  }
}

async function dropPack(tx: Tx, app: App, sha256: string) {
  await deleteAssetPack(tx, sha256)
  return removeIfUnused(app, tx, sha256)
}
