/**
 * The words a person agrees to and the sentence of intent beside the button. Their version and hash
 * go to the audit log.
 */
import type { Language } from '../core/language.ts'
import type { Role } from '../core/routing.ts'
import { sha256Hex } from '../lib/token.ts'
import { catalogueOf } from '../locales/index.ts'

export interface Consent {
  version: string
  paragraphs: string[]
  sha256: string
}

/** Of the text in all languages: a changed text gets a new one. */
const VERSION = '2026-11-2'

/**
 * What is agreed to before signing. The hash is that of the paragraphs as they are shown, in their
 * language.
 */
export function consentText(organisation: string, contact: string | undefined, language: Language): Consent {
  const ask = contact ? `${organisation} (${contact})` : organisation
  const paragraphs = catalogueOf(language).consent.paragraphs(ask)
  return { version: VERSION, paragraphs, sha256: sha256Hex(paragraphs.join('\n')) }
}

/**
 * Says which text was shown, to the letter: the same version reads otherwise in another language,
 * or under another name or contact.
 */
export function consentId({ version, sha256 }: Consent): string {
  return `${version}.${sha256}`
}

export function isConsentId(text: string): boolean {
  return /^[\w-]{1,20}\.[0-9a-f]{64}$/.test(text)
}

export function intentText(role: Role, language: Language): string {
  return catalogueOf(language).consent.intent[role]
}
