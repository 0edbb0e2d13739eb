/** The organisation's logo as e-mails carry it: made in a child process once for each logo. */
import { errorMessage } from '../lib/error-message.ts'
import type { App, MailLogoFile } from '../ports.ts'

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
