/** The words a person agrees to and the sentence of intent beside the button. Their version and hash go to the audit log. */
import { sha256Hex } from '../lib/token.ts'

export interface Consent {
  version: string
  paragraphs: string[]
  sha256: string
}

/** What is agreed to before signing; a changed text gets a new version. */
export function consentText(organisation: string, contact: string | undefined): Consent {
  const ask = contact ? `${organisation} (${contact})` : organisation
  const paragraphs = [
    `I agree to receive, sign and keep this document electronically instead of on paper. My electronic signature is meant to bind me like one by hand.`,
    `I may ask ${ask} for a paper copy or to sign on paper instead, free of charge, and I may withdraw this consent until I finish by declining below. It applies to this document only.`,
    `To read and keep the document I need an e-mail address, a web browser and a program that shows PDF files. A copy of the sealed document is mailed to me when everyone has finished.`,
  ]
  return { version: '2026-11-1', paragraphs, sha256: sha256Hex(paragraphs.join('\n')) }
}

export function intentText(act: string): string {
  return `By pressing the button I ${act} this document.`
}
