/** The consent text and the statement of intent. Version and hash go to the audit log. */
import type { Language } from '../core/language.ts'
import type { Role } from '../core/routing.ts'
import { sha256Hex } from '../lib/token.ts'
import { catalogueOf } from '../locales/index.ts'

export interface Consent {
  version: string
  paragraphs: string[]
  sha256: string
}

/** Change it with the text of any language. */
const VERSION = '2026-11-2'

/** The hash is that of the paragraphs in this language. */
export function consentText(organisation: string, contact: string | undefined, language: Language): Consent {
  const sender = contact ? `${organisation} (${contact})` : organisation
  const paragraphs = catalogueOf(language).consent.paragraphs(sender)
  return { version: VERSION, paragraphs, sha256: sha256Hex(paragraphs.join('\n')) }
}

/** Identifies the exact text: a version differs by language, organisation and contact. */
export function consentId({ version, sha256 }: Pick<Consent, 'version' | 'sha256'>): string {
  return `${version}.${sha256}`
}

export function isConsentId(text: string): boolean {
  return /^[\w-]{1,20}\.[0-9a-f]{64}$/.test(text)
}

export function intentText(role: Role, language: Language): string {
  return catalogueOf(language).consent.intent[role]
}
