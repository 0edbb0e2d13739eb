/** What every language must provide. A language that lacks a text does not compile. */
import type { MessageCatalogue } from '../core/signing/message.ts'
import type { ConsentTexts } from './en/consent.ts'
import type { MailTexts } from './en/mail.ts'
import type { signer } from './en/signer.ts'
import type { EvidenceTexts } from './evidence.ts'
import type { VerifyTexts } from './verify.ts'

/** A recipient's pages. */
export type SignerTexts = typeof signer
/** The part of them that the script of the signing page shows. */
export type ScriptTexts = SignerTexts['script']

export interface Catalogue {
  /** Refusals and validation errors. */
  messages: MessageCatalogue
  signer: SignerTexts
  mail: MailTexts
  /** What a person agrees to before signing. */
  consent: ConsentTexts
  /** The audit certificate. */
  evidence: EvidenceTexts
  verify: VerifyTexts
}
