/** The page behind a signing link: who asks for what, or what became of it. */
import type { OutcomeProps } from '../../../../views/signing/signing-done.tsx'
import { LandingPage } from '../../../../views/signing/signing-landing.tsx'
import { senderName } from '../../../core/document/sender-name.ts'
import { senderOf } from '../../../documents/lifecycle/mail-facts.ts'
import type { Handed, SigningContext } from '../../../documents/signing/link.ts'
import { pageTime } from '../../../lib/clock-format.ts'
import type { ShownError } from '../../../locales/app.ts'
import { isMailServerSet } from '../../../outbox/configured-mailer.ts'
import { readOrganisation } from '../../../settings/organisation.ts'
import type { PageResponse } from '../../frame/page.tsx'
import type { SignerVisit } from './signer-visit.tsx'
import { gatePage, isGated } from './signing-gate.tsx'
import { doneProps } from './signing-props.ts'

/** `link`: of one that was handed out, and opens once. */
type Landing = SigningContext & Partial<Pick<Handed, 'link'>>

/** Names the document only to those whom the link alone lets in, or who entered the code before. */
export async function linkPage(
  signer: SignerVisit,
  found: Landing,
  path: string,
  errors: ShownError[],
  status: number,
): Promise<PageResponse> {
  if (await isGated(signer, found)) return gatePage(signer, found, path, errors, status)
  return landingPage(signer, found, errors, status)
}

async function landingPage(signer: SignerVisit, found: Landing, errors: ShownError[], status: number): Promise<PageResponse> {
  const { document, recipient, link } = found
  const { visit, language } = signer
  const { app, csrf } = visit
  const { name, timeZone } = await readOrganisation(app.db)
  const sender = (await senderOf(app, document))?.name
  const isOpen = document.status === 'sent' && recipient.status !== 'signed'
  return {
    status,
    html: (
      <LandingPage
        {...signer.context(document.title)}
        csrf={csrf}
        action={visit.url.pathname}
        sender={senderName(sender, name)}
        recipientName={recipient.name}
        title={document.title}
        role={recipient.role}
        message={document.message === undefined ? undefined : { from: sender ?? name, text: document.message }}
        expires={document.expiresAt ? pageTime(document.expiresAt, timeZone, language) : undefined}
        onlyOnceUntil={link && pageTime(link.expiresAt, timeZone, language)}
        isMailed={await isMailServerSet(app)}
        outcome={isOpen ? undefined : await landingOutcome(signer, found)}
        errors={signer.translate(errors)}
      />
    ),
  }
}

/** Who comes back by the link knows of the copy. */
async function landingOutcome(signer: SignerVisit, found: SigningContext): Promise<OutcomeProps> {
  const outcome = await doneProps(signer, found)
  return outcome.state === 'completed' ? { ...outcome, isMailed: undefined } : outcome
}
