/** One e-mail of every kind: about documents in nine languages, to users of the web app in two. */
import { namedMessage } from '../../src/alerts/alerts.ts'
import { type AppLanguage, chooseAppLanguage, type Language } from '../../src/core/language.ts'
import { readableTime } from '../../src/lib/clock-format.ts'
import { appTextsOf } from '../../src/locales/app.ts'
import { catalogueOf } from '../../src/locales/index.ts'
import {
  type ComposedText,
  composeLetter,
  composeMail,
  type LetterFacts,
  type MailFacts,
  noticeLetter,
} from '../../views/mail/mail.tsx'

export const HOST = 'sign.acme.example'
const BASE = `https://${HOST}`
export const SIGNING_LINK = `${BASE}/s/01m7wztxf0zpv8b5m92mxr1ynn.QrVr0RILY9WNMkJ7SBgPlM5-Gh-aOP5XqeJ1BfGLCtc`
const DOCUMENT_LINK = `${BASE}/documents/doc_01m7wztxf0zpv8b5m92mxr1ynn`
export const EXPIRES = new Date('2026-12-21T21:29:00Z')

export interface SampleMail extends ComposedText {
  name: string
  language: Language
  link: string | undefined
  /** What it says about the time, if it does. */
  time: string | undefined
}

/** What a sample changes of the letter of all. */
type Face = Partial<Pick<LetterFacts, 'organisation' | 'colour' | 'logo' | 'isProduction' | 'environment' | 'replyTo'>>

const letter = (language: Language, face: Face): LetterFacts => ({
  language,
  texts: catalogueOf(language).mail,
  organisation: 'Acme Ltd',
  replyTo: { name: 'Anna Weber', address: 'anna.weber@acme.example' },
  host: HOST,
  environment: 'production',
  isProduction: true,
  name: language === 'ar' ? 'ليلى حداد' : 'Ola Nowak',
  ...face,
})

const NOTHING = { by: undefined, to: undefined, reason: undefined, attached: false, sender: undefined, message: undefined }
const SENDER = { role: undefined, toSender: true, expires: undefined, link: DOCUMENT_LINK }
const RECIPIENT = { role: 'signer', toSender: false, expires: undefined, link: SIGNING_LINK } as const
const ASKED = { ...RECIPIENT, sender: 'Anna Weber' }
const MESSAGE = 'Hi Ola,\nthis is the agreement we talked about on Thursday. Clause 4 has the new dates.\nAnna'
const WITHDRAWN = { by: 'Jan de Vries', reason: 'The dates in clause 4 are not the ones that we agreed.' }

type Sample = Omit<MailFacts, keyof LetterFacts | 'title'>

/** In the language of the web app, as its pages show it. */
const causeIn = (language: Language) =>
  appTextsOf(chooseAppLanguage(language, null)).storedText(
    'The disk is full or failing: free space in the data folder. Sealing then continues by itself.',
  )

function samples(expires: string, cause: string): Record<string, [kind: string, sample: Sample]> {
  const asked = { ...NOTHING, ...ASKED, expires }
  return {
    invitation: ['invitation', { ...asked, message: MESSAGE }],
    'invitation-approver': ['invitation', { ...asked, role: 'approver' }],
    'invitation-viewer': ['invitation', { ...asked, role: 'viewer', sender: undefined }],
    'invitation-delegated': ['invitation', { ...asked, by: 'Jan de Vries' }],
    reminder: ['reminder', { ...asked, message: MESSAGE }],
    receipt: ['receipt', { ...NOTHING, ...RECIPIENT, link: undefined, hasReceipt: true }],
    'receipt-approver': ['receipt', { ...NOTHING, ...RECIPIENT, role: 'approver', link: undefined, hasReceipt: true }],
    'completed-receipt': ['completed', { ...NOTHING, ...RECIPIENT, attached: true, hasReceipt: true }],
    completed: ['completed', { ...NOTHING, ...RECIPIENT, attached: true }],
    'completed-large': ['completed', { ...NOTHING, ...RECIPIENT }],
    'completed-sender': ['completed', { ...NOTHING, ...SENDER, attached: true }],
    declined: ['declined', { ...NOTHING, ...SENDER, ...WITHDRAWN }],
    'declined-recipient': ['declined', { ...NOTHING, ...RECIPIENT }],
    'declined-finished': ['declined', { ...NOTHING, ...RECIPIENT, by: 'Jan de Vries', role: 'approver', hasFinished: true }],
    voided: ['voided', { ...NOTHING, ...RECIPIENT, reason: 'We send a corrected version.' }],
    'voided-finished': ['voided', { ...NOTHING, ...RECIPIENT, hasFinished: true, reason: 'We send a corrected version.' }],
    'voided-sender': ['voided', { ...NOTHING, ...SENDER }],
    expired: ['expired', { ...NOTHING, ...RECIPIENT }],
    'expired-finished': ['expired', { ...NOTHING, ...RECIPIENT, hasFinished: true }],
    'expired-viewer': ['expired', { ...NOTHING, ...RECIPIENT, role: 'viewer' }],
    'expired-sender': ['expired', { ...NOTHING, ...SENDER }],
    delegated: ['delegated', { ...NOTHING, ...SENDER, by: 'Ola Nowak', to: 'Jan de Vries' }],
    'one-time-code': ['one_time_code', { ...NOTHING, ...RECIPIENT, link: undefined, code: '493175' }],
    'code-locked': ['access_code_locked', { ...NOTHING, ...SENDER, by: 'Ola Nowak' }],
    'one-time-code-locked': ['access_code_locked', { ...NOTHING, ...SENDER, by: 'Ola Nowak', unlock: 'oneTimeCode' }],
    'code-locked-link': ['access_code_locked', { ...NOTHING, ...SENDER, by: 'Ola Nowak', unlock: 'signingLink' }],
    'mail-failed': ['mail_failed', { ...NOTHING, ...SENDER, by: 'Ola Nowak', reason: '550 5.1.1 User unknown' }],
    'link-requested': ['link_requested', { ...NOTHING, ...SENDER, by: 'Ola Nowak' }],
    'sealing-failed': ['sealing_failed', { ...NOTHING, ...SENDER, reason: cause }],
  }
}

/** The kinds that have a sample. */
export const SAMPLED = new Set(Object.values(samples('', '')).map(([kind]) => kind))

export function documentMails(language: Language, face: Face = {}): SampleMail[] {
  const expires = readableTime(EXPIRES, 'Europe/Berlin', language)
  return Object.entries(samples(expires, causeIn(language))).map(([name, [kind, sample]]) => {
    const composed = composeMail(kind, { ...letter(language, face), title: 'Frame agreement 2027', ...sample })
    const hasButton = composed.html.includes(sample.link ?? '')
    return { name, language, link: hasButton ? sample.link : undefined, time: sample.expires, ...composed }
  })
}

interface Notice {
  subject: string
  paragraphs: string[]
  link?: string
  button?: string
}

/** The mails to users of the web app, of those that say most. */
export function noticeMails(language: AppLanguage, face: Face = {}): SampleMail[] {
  const { signIn, people, emailChange, openIdConnect, passkeys, batchMail, retention, settings, alerts, storedText } =
    appTextsOf(language)
  const service = BASE
  const by = 'Anna Weber'
  const counts = { documents: 12, webhooks: 1, templates: 2 } as Parameters<typeof people.mails.handedOver>[2]
  const certificate = storedText('The seal certificate ends within 14 days. Get its successor from its issuer, and import it.')
  const clock = storedText(
    'The clock of this server goes back: the audit log already holds later times. Synchronise the clock by NTP.',
  )
  const notices: Record<string, Notice> = {
    'password-changed': signIn.mails.passwordChanged(service),
    'password-reset': signIn.mails.passwordReset(service, 'mail'),
    'reset-link': signIn.mails.resetLink(service, 60),
    'factor-added': signIn.mails.factorAdded(service),
    'factor-removed': signIn.mails.factorRemoved(service, { isOwn: false, hasApp: true, passkeys: 2 }),
    'codes-renewed': signIn.mails.codesRenewed(service),
    'code-used': signIn.mails.codeUsed(service, 7),
    'person-invited': people.mails.invitation(by, 'Acme Ltd', 'member', 7),
    'person-renamed': people.mails.renamed(by, 'Ola Novak', 'Ola Nowak'),
    'role-changed': people.mails.roleChanged(by, 'auditor'),
    disabled: people.mails.disabled(by, 'Acme Ltd'),
    enabled: people.mails.enabled(by, 'Acme Ltd', service),
    removed: people.mails.removed(by, 'Acme Ltd'),
    'handed-over': people.mails.handedOver(by, 'Jan de Vries', counts),
    received: { ...people.mails.received(by, 'Jan de Vries', counts), link: people.mails.openDocuments },
    'address-confirm': emailChange.mails.confirm('Ola Nowak', service, 24),
    'address-requested': emailChange.mails.requested(service, 'ola@acme.example', 7),
    'address-changed': emailChange.mails.changed(service, 'ola@acme.example', 7),
    'identity-linked': openIdConnect.mails.linked(service, 'Acme Login', 'ola@acme.example'),
    'passkey-added': passkeys.mails.added(service, 'Phone'),
    'passkey-refused': passkeys.mails.refused(service, 'Phone'),
    batch: {
      subject: batchMail.subject('Leases 2027', 3),
      paragraphs: [batchMail.failed('Leases 2027', 3, 250), batchMail.what(7)],
      link: batchMail.open,
    },
    'retention-due': retention.mail(1200, readableTime(EXPIRES, 'Europe/Berlin', language)),
    'token-ends': settings.tokens.endsMail('Payroll', readableTime(EXPIRES, 'Europe/Berlin', language)),
    alert: {
      subject: alerts.kinds.certificate_ends,
      paragraphs: [certificate, alerts.mail.why],
      link: alerts.links.certificate_ends,
    },
    alerts: {
      subject: alerts.mail.several(2),
      paragraphs: [
        namedMessage(alerts.kinds.certificate_ends, certificate),
        namedMessage(alerts.kinds.clock_wrong, clock),
        alerts.mail.last(10),
        alerts.mail.why,
      ],
      link: alerts.mail.link,
    },
  }
  return Object.entries(notices).map(([name, { subject, paragraphs, link, button }]) => {
    const text = link ?? button
    const href = `${BASE}/settings/health`
    const composed = noticeLetter({ subject, paragraphs, link: text === undefined ? undefined : { text, href } })
    const facts = { ...letter(language, face), name: 'Ola Nowak' }
    return { name, language, link: text && href, time: undefined, ...composeLetter(composed, facts) }
  })
}
