/** The organisation's logo: judged in a child, kept as a file under its hash, named in the settings; the one before is let go. */
import { appendInstanceEvent } from '../audit/log.ts'
import { refuseIfInvalid } from '../core/refusal.ts'
import type { Tx } from '../db/open.ts'
import { addFile, dropFileIfUnused, isFileReferenced, LOGO_SETTING } from '../files/queries.ts'
import type { LogoVerdict } from '../image/logo.ts'
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from '../image/logo-limits.ts'
import { sha256Hex } from '../lib/token.ts'
import type { App, Origin } from '../ports.ts'
import { organisation } from './organisation.ts'
import { dropSetting, saveSetting } from './queries.ts'

/** What is wrong with a picture, and what to do. */
const FAULTS: Record<Exclude<LogoVerdict['verdict'], 'accepted'>, string> = {
  'no picture': 'must be a PNG or a JPEG: export the logo in one of these kinds',
  'too many pixels': `must have at most ${MAX_LOGO_SIDE} pixels a side: make it smaller (800 pixels are plenty for paper)`,
  unreadable: 'is damaged, or of a rare kind that PDF readers do not show: open it in a picture program and save it as PNG',
}

function refuse(message: string): void {
  refuseIfInvalid([{ path: 'file', message }])
}

/** @throws Refusal with what to do, at `file`; nothing is changed then */
export async function changeLogo(app: App, origin: Origin, bytes: Uint8Array): Promise<void> {
  if (bytes.length > MAX_LOGO_BYTES) refuse(`must have at most ${MAX_LOGO_BYTES / 1024 ** 2} MB: make the picture smaller`)
  const sha256 = await keep(app, bytes)
  try {
    const before = await app.write(async tx => {
      await addFile(tx, sha256, bytes.length, app.now())
      return replace(tx, app, sha256, origin)
    })
    app.storage.release(sha256)
    if (before) await forget(app, before)
  } catch (error) {
    app.storage.release(sha256)
    await forget(app, sha256)
    throw error
  }
}

/** Nothing happens where there is none. */
export async function removeLogo(app: App, origin: Origin): Promise<void> {
  const before = await app.write(tx => replace(tx, app, undefined, origin))
  if (before) await forget(app, before)
}

/** Judges the picture while it goes to disk; keeps it under its hash. */
async function keep(app: App, bytes: Uint8Array): Promise<string> {
  const upload = await app.storage.writeTemporary(bytes)
  try {
    const [{ verdict }] = await Promise.all([app.pdf.checkLogo({ path: upload.path }), upload.synced])
    if (verdict !== 'accepted') refuse(FAULTS[verdict])
    const sha256 = sha256Hex(bytes)
    await app.storage.keep(upload.path, sha256)
    return sha256
  } finally {
    await app.storage.discard(upload.path)
  }
}

/** Answers the file that nobody refers to any more. */
async function replace(tx: Tx, app: App, sha256: string | undefined, origin: Origin): Promise<string | undefined> {
  const { logo: before } = await organisation(tx)
  if (before === sha256) return undefined
  if (sha256 === undefined) await dropSetting(tx, LOGO_SETTING)
  else await saveSetting(tx, LOGO_SETTING, sha256)
  const data = { changed: ['logo'], logoSha256: sha256 ?? null }
  await appendInstanceEvent(tx, app, { type: 'organisation.changed', data }, origin)
  return before !== undefined && (await dropFileIfUnused(tx, before)) ? before : undefined
}

async function forget(app: App, sha256: string): Promise<void> {
  await app.storage.remove(sha256, hash => isFileReferenced(app.db, hash))
}
