/**
 * The consent text and the statement of intent. Version and hash go to the audit log; each text is
 * stored when a page shows it, since the form may come back to a node of another release.
 */
import type { Language } from '../../core/language.ts'
import type { Role } from '../../core/signing/routing.ts'
import { type Marking, requiredMarks } from '../../core/signing/signing.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import { catalogueOf } from '../../locales/index.ts'
import type { App } from '../../ports.ts'
import type { Organisation } from '../../settings/organisation.ts'
import { insertConsent, isConsentStored, type ShownConsent, storedConsent } from './form-queries.ts'

export interface Consent {
  version: string
  paragraphs: string[]
  /** The paragraphs, one a line. */
  text: string
  /** Of the text. */
  sha256: string
}

type Consenting = Marking
type Kind = ShownConsent['kind']

/** Change one with its text in any language, or with a sentence of intent. */
const VERSIONS: Record<Kind, string> = { signing: '2026-11-5', approval: '2026-11-6' }

/**
 * Outside production it says that this is a test. One who places no mark consents to approve, not
 * to sign.
 */
export function consentText(
  { instance }: Pick<App, 'instance'>,
  { name, contact }: Pick<Organisation, 'name' | 'contact'>,
  language: Language,
  recipient: Consenting,
): Consent {
  const sender = contact ? `${name} (${contact})` : name
  const environment = instance.isProduction ? undefined : instance.environment
  const kind = kindFor(recipient)
  const paragraphs = catalogueOf(language).consent[kind](sender, environment)
  const text = paragraphs.join('\n')
  return { version: VERSIONS[kind], paragraphs, text, sha256: sha256Hex(text) }
}

function kindFor(recipient: Consenting): Kind {
  return requiredMarks(recipient).length > 0 ? 'signing' : 'approval'
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

/** What a record names. */
type AgreedConsent = Pick<Consent, 'version' | 'sha256' | 'text'> & Pick<ShownConsent, 'intents'>

/** Of this release. */
export function ownConsent(app: App, organisation: Organisation, language: Language, recipient: Consenting): AgreedConsent {
  return { ...consentText(app, organisation, language, recipient), intents: catalogueOf(language).consent.intent }
}

/** For a page that shows it. Stored once: nothing is written for later pages. */
export async function consentToShow(
  app: App,
  organisation: Organisation,
  language: Language,
  recipient: Consenting,
): Promise<Consent> {
  const consent = consentText(app, organisation, language, recipient)
  const id = consentId(consent)
  if (app.storedConsents.get(id) || (await isConsentStored(app.db, id))) {
    app.storedConsents.set(id, true)
    return consent
  }
  const { intent: intents } = catalogueOf(language).consent
  const shown = { id, kind: kindFor(recipient), language, text: consent.text, intents }
  // A full disk keeps nobody from reading: this release knows its own text.
  await app.writeEventually(tx => insertConsent(tx, shown, app.now()))
  // Also while that waits for the disk: each page would let another one wait.
  app.storedConsents.set(id, true)
  return consent
}

/** What the form's page showed: this release's text, or one that was shown for such a consent. */
export async function consentShown(
  app: App,
  organisation: Organisation,
  { consentId: id, language }: { consentId: string; language: Language },
  recipient: Consenting,
): Promise<AgreedConsent | undefined> {
  const own = ownConsent(app, organisation, language, recipient)
  if (id === consentId(own)) return own
  const stored = isConsentId(id) ? await storedConsent(app.db, id) : undefined
  if (stored?.language !== language || stored.kind !== kindFor(recipient)) return undefined
  const [version = '', sha256 = ''] = id.split('.')
  return { version, sha256, text: stored.text, intents: stored.intents }
}
