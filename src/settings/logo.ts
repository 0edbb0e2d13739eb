/**
 * The organisation's logo: checked in a child process, stored by its hash, named in a setting, made
 * small for e-mails.
 */
import { appendInstanceEvent } from '../audit/log.ts'
import { refuseIfInvalid } from '../core/refusal.ts'
import { MAX_LOGO_BYTES, MAX_LOGO_SIDE } from '../core/service-limits.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import {
  abandonFile,
  type FileClaim,
  type FileRemoval,
  finishRemovals,
  keepFile,
  removeIfUnused,
  settleFile,
} from '../files/claims.ts'
import type { LogoVerdict } from '../image/logo.ts'
import { errorMessage } from '../lib/log.ts'
import { sha256Hex } from '../lib/sha256.ts'
import type { App, MailLogoFile, Origin } from '../ports.ts'
import { readOrganisation } from './organisation.ts'
import { saveStoredSetting } from './service-settings.ts'

const ERRORS: Record<Exclude<LogoVerdict['verdict'], 'accepted'>, Violation> = {
  'no picture': violation('not_a_picture'),
  'too many pixels': violation('picture_too_wide', { pixels: MAX_LOGO_SIDE }),
  unreadable: violation('picture_damaged'),
}

function refuse(found: Violation): void {
  refuseIfInvalid([{ path: 'file', ...found }])
}

/** @throws Refusal with an error at `file`. */
export async function changeLogo(app: App, origin: Origin, bytes: Uint8Array): Promise<void> {
  if (bytes.length > MAX_LOGO_BYTES) refuse(violation('picture_too_large', { mb: MAX_LOGO_BYTES / 1024 ** 2 }))
  const claim = await storeIfAccepted(app, bytes)
  let removals: FileRemoval[]
  try {
    removals = await app.write(async tx => {
      await settleFile(tx, claim, app.now())
      return replaceLogo(tx, app, claim.sha256, origin)
    })
  } catch (error) {
    await abandonFile(app, claim)
    throw error
  }
  await finishRemovals(app, removals)
}

export async function removeLogo(app: App, origin: Origin): Promise<void> {
  await finishRemovals(app, await app.write(tx => replaceLogo(tx, app, undefined, origin)))
}

/** Checks the picture while it is written to disk. */
async function storeIfAccepted(app: App, bytes: Uint8Array): Promise<FileClaim> {
  const upload = await app.storage.writeTemporary(bytes)
  try {
    const [{ verdict }] = await Promise.all([app.pdf.checkLogo({ path: upload.path }), upload.synced])
    if (verdict !== 'accepted') refuse(ERRORS[verdict])
    return await keepFile(app, upload.path, { sha256: sha256Hex(bytes), bytes: bytes.length })
  } finally {
    await app.storage.discard(upload.path)
  }
}

/** Returns the removal of the file before. */
async function replaceLogo(tx: Tx, app: App, sha256: string | undefined, origin: Origin): Promise<FileRemoval[]> {
  const { logoSha256: before } = await readOrganisation(tx)
  if (before === sha256) return []
  await saveStoredSetting(tx, 'logo', sha256 ?? '')
  const data = { changed: ['logo'], logoSha256: sha256 ?? null }
  await appendInstanceEvent(tx, app, { type: 'organisation.changed', data }, origin)
  return before === undefined ? [] : removeIfUnused(app, tx, before)
}

// The organisation's logo as e-mails carry it: made in a child process once for each logo.

/** Undefined where it cannot be made now: an e-mail without a logo is better than none. */
export async function mailLogo(app: App, sha256: string): Promise<MailLogoFile | undefined> {
  const made = app.mailLogos.get(sha256) ?? make(app, sha256)
  app.mailLogos.set(sha256, made)
  try {
    return await made
  } catch (error) {
    app.mailLogos.delete(sha256)
    app.log('error', 'logo for mails not made', { error: errorMessage(error) })
    return undefined
  }
}

async function make({ pdf, storage, fileSystem }: App, sha256: string): Promise<MailLogoFile | undefined> {
  const outPath = storage.temporaryPath()
  try {
    const picture = await pdf.shrinkLogo({ path: await storage.localPath(sha256), outPath })
    if (picture === null) return undefined
    return { ...picture, content: await fileSystem.read(outPath), contentId: `logo.${sha256.slice(0, 16)}@signet` }
  } finally {
    await storage.discard(outPath)
  }
}
