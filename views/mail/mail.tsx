/** Composes e-mails as plain text and HTML: one text for each kind, in a common frame. */
import { renderToString } from 'preact-render-to-string'
import { ACTION_COLOUR } from '../../src/core/colour.ts'
import { type MailKind, senderName } from '../../src/core/document/follow-up.ts'
import type { Language } from '../../src/core/language.ts'
import { CODE_MINUTES, SERVICE_NAME } from '../../src/core/service-limits.ts'
import { readableCode } from '../../src/core/signing/one-time-code.ts'
import { maySign, type Role } from '../../src/core/signing/routing.ts'
import type { MailTexts } from '../../src/locales/en/mail.ts'
import { type Letter, type MailLogo, MailPage, type MailParts, type Paragraph } from './frame.tsx'

/** For the frame of an e-mail, whatever it says. */
export interface LetterFacts {
  language: Language
  texts: MailTexts
  organisation: string
  /** Who answers questions. */
  replyTo: { name: string; address: string } | undefined
  /** Where links of the service lead. */
  host: string
  environment: string
  isProduction: boolean
  /** The name of the person it is sent to. */
  name: string
  /** Of the organisation, `#rrggbb`. */
  colour?: string | undefined
  logo?: MailLogo | undefined
}

export interface MailFacts extends LetterFacts {
  title: string
  /** The sender has none. */
  role: Role | undefined
  /** The person who sent the document, to its recipients. */
  sender: string | undefined
  message: string | undefined
  /** With its zone. */
  expires: string | undefined
  /** The button's link. `undefined` if there is nothing to do. */
  link: string | undefined
  /** The person who declined, who handed it over to this recipient, or whom the e-mail is about. */
  by: string | undefined
  /** The person it was handed over to. */
  to: string | undefined
  reason: string | undefined
  /** A one-time code, while it is valid. */
  code?: string | undefined
  /** The recipient it is sent to has signed or approved. */
  hasFinished?: boolean
  /** What gives new tries to the person who entered too many wrong codes. */
  unlock?: keyof MailTexts['codeLocked']['whatToDo'] | undefined
  /** The sealed PDF is attached. */
  attached: boolean
  /** The receipt of the recipient is attached. */
  hasReceipt?: boolean
  /** False for an e-mail to a recipient. */
  toSender: boolean
}

/** What the e-mail of one kind says. */
interface Wording extends Pick<Letter, 'subject' | 'lead'> {
  /** The text of the button. */
  button: string | undefined
  details?: Paragraph[]
}

type Composer = (facts: MailFacts) => Wording

function requestOf(facts: MailFacts, first: string): Omit<Wording, 'subject'> {
  const { texts, message, expires, sender, organisation, by } = facts
  return {
    lead: [first, ...(by ? [texts.handedOverBy(by)] : []), ...(expires ? [texts.doBy(expires)] : [])],
    button: texts.open,
    details: [
      ...(message ? [texts.messageFrom(sender ?? organisation), { quote: message }] : []),
      texts.opens[roleOf(facts)],
      texts.forYouAlone,
    ],
  }
}

function roleOf({ role }: MailFacts): Role {
  if (!role) throw new Error('an e-mail to a recipient needs a role')
  return role
}

function reasonOf({ texts, reason }: MailFacts): Paragraph[] {
  return reason ? [texts.reasonGiven, { quote: reason }] : []
}

/** To a recipient who has signed or approved, of a document that ended otherwise. */
function finishedBefore(facts: MailFacts): string[] {
  if (!facts.hasFinished) return []
  return [facts.texts.finishedBefore[maySign(roleOf(facts)) ? 'signed' : 'approved']]
}

/** The button after the end. Only the sender gets it: the recipients' links no longer work. */
const senderButton = ({ toSender, texts }: MailFacts) => (toSender ? texts.open : undefined)

/** E-mails about a document. */
const COMPOSERS: Record<MailKind, Composer> = {
  invitation: facts => {
    const role = roleOf(facts)
    const { subject, asks } = facts.texts.invitation
    return {
      subject: subject[role](facts.title),
      ...requestOf(facts, asks[role](senderName(facts.sender, facts.organisation), facts.title)),
    }
  },
  reminder: facts => {
    const role = roleOf(facts)
    const { subject, waits } = facts.texts.reminder
    return {
      subject: subject[role](facts.title),
      ...requestOf(facts, waits[role](senderName(facts.sender, facts.organisation), facts.title)),
    }
  },
  one_time_code: ({ texts: { oneTimeCode }, organisation, code }) => {
    if (code === undefined) throw new Error('the one-time code is no longer valid')
    return {
      subject: oneTimeCode.subject(organisation),
      lead: [{ large: oneTimeCode.is(readableCode(code)) }],
      button: undefined,
      details: [oneTimeCode.minutes(CODE_MINUTES), oneTimeCode.tellNobody],
    }
  },
  receipt: facts => {
    const { texts, title } = facts
    const { receipt } = texts
    return {
      subject: receipt.subject(title),
      lead: [receipt[maySign(roleOf(facts)) ? 'signed' : 'approved'](title), receipt.attached],
      button: undefined,
      details: [receipt.whenAll],
    }
  },
  completed: ({ texts: { completed, receipt }, title, attached, toSender, hasReceipt }) => ({
    subject: completed.subject(title),
    lead: [completed.everyone(title), attached ? completed.attached : completed.tooLarge],
    button: completed.open,
    details: [...(toSender ? [] : [completed.thirtyDays]), completed.sealMeans, ...(hasReceipt ? [receipt.attached] : [])],
  }),
  declined: facts => {
    const { texts, title, by } = facts
    const { subject, has } = texts.declined
    const details = [...finishedBefore(facts), ...reasonOf(facts)]
    return { subject: subject(title), lead: [has(by, title)], button: senderButton(facts), details }
  },
  voided: facts => {
    const { texts, organisation, title, toSender } = facts
    const { voided } = texts
    const first = toSender ? voided.toSender(title) : voided.toRecipient(organisation, title)
    const details = [...finishedBefore(facts), ...reasonOf(facts)]
    return { subject: voided.subject(title), lead: [first], button: senderButton(facts), details }
  },
  expired: facts => {
    const { title, toSender, replyTo, organisation } = facts
    const { expired } = facts.texts
    const ask = expired.ask(replyTo?.name || organisation)
    return {
      subject: expired.subject(title),
      lead: [expired.inTime(title)],
      button: senderButton(facts),
      details: toSender ? [] : [...finishedBefore(facts), ask],
    }
  },
  delegated: ({ texts, title, by = '', to = '' }) => ({
    subject: texts.delegated.subject(title),
    lead: [texts.delegated.has(by, to, title)],
    button: texts.open,
    details: [texts.delegated.notMeant],
  }),
  access_code_locked: ({ texts, title, by = '', unlock = 'accessCode' }) => ({
    subject: texts.codeLocked.subject(title),
    lead: [texts.codeLocked.has(by, title)],
    button: texts.open,
    details: [texts.codeLocked.whatToDo[unlock]],
  }),
  mail_failed: ({ texts: { mailFailed, open }, title, by = '', reason }) => ({
    subject: mailFailed.subject(title),
    lead: [mailFailed.has(by, title)],
    button: open,
    details: [...(reason ? [mailFailed.answer, { quote: reason }] : []), mailFailed.whatToDo],
  }),
  sealing_failed: ({ texts: { sealingFailed, open }, title, reason }) => ({
    subject: sealingFailed.subject(title),
    lead: [sealingFailed.has(title)],
    button: open,
    details: reason ? [sealingFailed.cause, { quote: reason }] : [],
  }),
  link_requested: ({ texts: { linkRequested, open }, title, by = '' }) => ({
    subject: linkRequested.subject(title),
    lead: [linkRequested.has(by, title)],
    button: open,
    details: [linkRequested.whatToDo],
  }),
}

export interface ComposedText {
  subject: string
  text: string
  html: string
}

export function composeMail(kind: string, facts: MailFacts): ComposedText {
  return composeLetter(letterOf(kind, facts), facts)
}

/** For a page that shows the e-mail before it is sent. */
export function mailParts(kind: string, facts: MailFacts): MailParts {
  return frameLetter(letterOf(kind, facts), facts)
}

function letterOf(kind: string, facts: MailFacts): Letter {
  const composer = (COMPOSERS as Partial<Record<string, Composer>>)[kind]
  if (!composer) throw new Error(`there is no e-mail of kind ${kind}`)
  const { button, details = [], ...text } = composer(facts)
  return { ...text, details, link: button && facts.link ? { text: button, href: facts.link } : undefined }
}

/** A longer lead would push the button out of the first view of a phone. */
const MAX_LEAD_LENGTH = 340
/** For the space after a paragraph, and its last line, which is seldom full. */
const PARAGRAPH_LENGTH = 40

interface Notice extends Pick<Letter, 'subject' | 'link'> {
  paragraphs: readonly string[]
}

/** Puts as many paragraphs before the button as the first view of a phone holds. */
export function noticeLetter({ subject, paragraphs, link }: Notice): Letter {
  let length = 0
  const after = paragraphs.findIndex((text, i) => {
    length += text.length + PARAGRAPH_LENGTH
    return i > 0 && length > MAX_LEAD_LENGTH
  })
  const lead = after < 0 || !link ? [...paragraphs] : paragraphs.slice(0, after)
  return { subject, lead, link, details: paragraphs.slice(lead.length) }
}

export function composeLetter(letter: Letter, facts: LetterFacts): ComposedText {
  const parts = frameLetter(letter, facts)
  const html = `<!DOCTYPE html>${renderToString(<MailPage {...parts} />)}`
  return { subject: parts.subject, text: textPart(parts), html }
}

function frameLetter(letter: Letter, facts: LetterFacts): MailParts {
  const { language, texts, isProduction, environment, name, organisation, colour = ACTION_COLOUR, logo } = facts
  const subject = isProduction ? letter.subject : `[${environment.toUpperCase()}] ${letter.subject}`
  const { linkHint } = texts
  const frame = {
    language,
    organisation,
    colour,
    logo,
    linkHint,
    greeting: name && texts.greeting(name),
    foot: footOf(letter, facts),
  }
  return { ...letter, ...frame, subject, preview: previewOf(letter.lead) }
}

/** Lists of e-mails show no longer preview. */
const MAX_PREVIEW_LENGTH = 140

/** What the letter says first, without the greeting. */
function previewOf(lead: readonly Paragraph[]): string {
  const text = lead.map(plain).join(' ')
  if (text.length <= MAX_PREVIEW_LENGTH) return text
  return `${text.slice(0, MAX_PREVIEW_LENGTH).replace(/\s+\S*$/, '')} …`
}

/** RFC 3676 §4.3: mail programs set the part below the line apart. */
const FOOT_LINE = '-- '

function textPart({ greeting, lead, link, details, foot }: MailParts): string {
  const button = link ? [`${link.text}:\n${link.href}`] : []
  const body = [greeting, ...lead.map(plain), ...button, ...details.map(plain)].filter(Boolean)
  return `${body.join('\n\n')}\n\n${FOOT_LINE}\n${foot.join('\n\n')}\n`
}

/** Quoted texts are set apart as in a reply, so that none can pass for ours. */
function plain(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return paragraph
  return 'large' in paragraph ? paragraph.large : paragraph.quote.replace(/^/gm, '> ').replace(/ +$/gm, '')
}

const mailboxOf = ({ name, address }: { name: string; address: string }) => (name ? `${name} (${address})` : address)

function footOf({ link }: Letter, facts: LetterFacts): string[] {
  const { organisation, replyTo, host, isProduction, environment } = facts
  const { foot } = facts.texts
  const from = organisation === SERVICE_NAME ? foot.sent : foot.sentFor(organisation)
  return [
    ...(replyTo ? [foot.questions(mailboxOf(replyTo))] : []),
    link ? `${from} ${foot.linksLead(host)}` : from,
    ...(isProduction ? [] : [foot.notBinding(environment)]),
  ]
}
