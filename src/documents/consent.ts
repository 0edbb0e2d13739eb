/** The consent text and the statement of intent. Version and hash go to the audit log. */

import type { Recipient } from '../core/document.ts'
import type { Language } from '../core/language.ts'
import type { Role } from '../core/routing.ts'
import { requiredMarks } from '../core/signing.ts'
import { sha256Hex } from '../lib/token.ts'
import { catalogueOf } from '../locales/index.ts'
import type { App } from '../ports.ts'
import type { Organisation } from '../settings/organisation.ts'

export interface Consent {
  version: string
  paragraphs: string[]
  /** The paragraphs, one a line. */
  text: string
  /** Of the text. */
  sha256: string
}

/** Change it with the text of any language. */
const VERSION = '2026-11-6'

/**
 * Outside production it says that this is a test. One who places no mark consents to approve, not
 * to sign.
 */
export function consentText(
  { instance }: Pick<App, 'instance'>,
  { name, contact }: Pick<Organisation, 'name' | 'contact'>,
  language: Language,
  recipient: Pick<Recipient, 'role' | 'fields'>,
): Consent {
  const sender = contact ? `${name} (${contact})` : name
  const environment = instance.isProduction ? undefined : instance.environment
  const { signing, approval } = catalogueOf(language).consent
  const paragraphs = (requiredMarks(recipient).length > 0 ? signing : approval)(sender, environment)
  const text = paragraphs.join('\n')
  return { version: VERSION, paragraphs, text, sha256: sha256Hex(text) }
}

/** Identifies the exact text: a version differs by language, organisation and environment. */
export function consentId({ version, sha256 }: Pick<Consent, 'version' | 'sha256'>): string {
  return `${version}.${sha256}`
}

export function isConsentId(text: string): boolean {
  return /^[\w-]{1,20}\.[0-9a-f]{64}$/.test(text)
}

export function intentText(role: Role, language: Language): string {
  return catalogueOf(language).consent.intent[role]
}
