/** Composes e-mails as plain text and HTML: one text for each kind, in a common frame. */
import { renderToString } from 'preact-render-to-string'
import { brandColours } from '../../src/core/colour.ts'
import { directionOf, type Language } from '../../src/core/language.ts'
import type { Role } from '../../src/core/routing.ts'
import { MARK_COLOUR } from '../../src/lib/mark.ts'
import type { MailTexts } from '../../src/locales/en/mail.ts'

/** What the frame of every e-mail shows. */
export interface LetterFacts {
  language: Language
  texts: MailTexts
  organisation: string
  contact: string | undefined
  environment: string
  isProduction: boolean
  /** The name of the person it is sent to. */
  name: string
  /** Of the organisation, `#rrggbb`. */
  colour?: string | undefined
}

export interface MailFacts extends LetterFacts {
  title: string
  /** The sender has none. */
  role: Role | undefined
  message: string | undefined
  /** With its zone. */
  expires: string | undefined
  /** The button's link. `undefined` if there is nothing to do. */
  link: string | undefined
  /** The person who declined, or whom the e-mail is about. */
  by: string | undefined
  /** The person it was handed over to. */
  to: string | undefined
  reason: string | undefined
  /** The sealed PDF is attached. */
  attached: boolean
  /** False for an e-mail to a recipient. */
  toSender: boolean
}

/** A paragraph of ours, or the sender's own texts, which are set apart. */
type Paragraph = string | { quote: string }

interface Text {
  subject: string
  paragraphs: Paragraph[]
  button: string | undefined
}

type Composer = (facts: MailFacts) => Text

function requestParagraphs({ texts, message, expires }: MailFacts, first: string): Paragraph[] {
  return [
    first,
    ...(message ? [texts.theirMessage, { quote: message }] : []),
    texts.noAccount,
    ...(expires ? [texts.doBy(expires)] : []),
    texts.forYouAlone,
  ]
}

function roleOf({ role }: MailFacts): Role {
  if (!role) throw new Error('an e-mail to a recipient needs a role')
  return role
}

function reasonOf({ texts, reason }: MailFacts): Paragraph[] {
  return reason ? [texts.reasonGiven, { quote: reason }] : []
}

/** After the end only the sender gets a button: the recipients' links no longer work. */
const forSender = ({ toSender, texts }: MailFacts) => (toSender ? texts.open : undefined)

const COMPOSERS: Record<string, Composer> = {
  invitation: facts => {
    const { texts, organisation, title } = facts
    const role = roleOf(facts)
    const { subject, asks } = texts.invitation
    return {
      subject: subject[role](title),
      paragraphs: requestParagraphs(facts, asks[role](organisation, title)),
      button: texts.open,
    }
  },
  reminder: facts => {
    const { texts, organisation, title } = facts
    const role = roleOf(facts)
    const { subject, waits } = texts.reminder
    return {
      subject: subject[role](title),
      paragraphs: requestParagraphs(facts, waits[role](organisation, title)),
      button: texts.open,
    }
  },
  completed: ({ texts: { completed }, title, attached, toSender }) => ({
    subject: completed.subject(title),
    paragraphs: [
      completed.everyone(title),
      attached ? completed.attached : completed.tooLarge,
      ...(toSender ? [] : [completed.thirtyDays]),
    ],
    button: completed.open,
  }),
  declined: facts => {
    const { texts, title, by } = facts
    const { subject, has } = texts.declined
    return { subject: subject(title), paragraphs: [has(by, title), ...reasonOf(facts)], button: forSender(facts) }
  },
  voided: facts => {
    const { texts, organisation, title, toSender } = facts
    const { voided } = texts
    const first = toSender ? voided.toSender(title) : voided.toRecipient(organisation, title)
    return { subject: voided.subject(title), paragraphs: [first, ...reasonOf(facts)], button: forSender(facts) }
  },
  expired: facts => {
    const { title, toSender, contact, organisation } = facts
    const { expired } = facts.texts
    return {
      subject: expired.subject(title),
      paragraphs: [expired.inTime(title), ...(toSender ? [] : [expired.ask(contact ?? organisation)])],
      button: forSender(facts),
    }
  },
  delegated: ({ texts, title, by = '', to = '' }) => ({
    subject: texts.delegated.subject(title),
    paragraphs: [texts.delegated.has(by, to, title), texts.delegated.notMeant],
    button: texts.open,
  }),
  access_code_locked: ({ texts, title, by = '' }) => ({
    subject: texts.codeLocked.subject(title),
    paragraphs: [texts.codeLocked.has(by, title), texts.codeLocked.whatToDo],
    button: texts.open,
  }),
  mail_failed: ({ texts: { mailFailed, open }, title, by = '', reason }) => ({
    subject: mailFailed.subject(title),
    paragraphs: [mailFailed.has(by, title), ...(reason ? [mailFailed.answer, { quote: reason }] : []), mailFailed.whatToDo],
    button: open,
  }),
  sealing_failed: ({ texts: { sealingFailed, open }, title, reason }) => ({
    subject: sealingFailed.subject(title),
    paragraphs: [sealingFailed.has(title), ...(reason ? [sealingFailed.cause, { quote: reason }] : [])],
    button: open,
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

function letterOf(kind: string, facts: MailFacts): Letter {
  const composer = COMPOSERS[kind]
  if (!composer) throw new Error(`there is no e-mail of kind ${kind}`)
  const { subject, paragraphs, button } = composer(facts)
  return { subject, paragraphs, link: button && facts.link ? { text: button, href: facts.link } : undefined }
}

export interface Letter {
  subject: string
  paragraphs: Paragraph[]
  link: { text: string; href: string } | undefined
}

/** What an e-mail says, in the frame of every e-mail. */
export interface MailParts extends Letter {
  language: Language
  organisation: string
  greeting: string
  foot: string[]
  /** Of the button. */
  colour: string
}

/** The parts of a mail of this kind, for a page that shows it before it is sent. */
export function mailParts(kind: string, facts: MailFacts): MailParts {
  return framed(letterOf(kind, facts), facts)
}

/** As in the style sheet. */
const ACTION_COLOUR = '#2346c7'

function framed(letter: Letter, facts: LetterFacts): MailParts {
  const { language, texts, isProduction, environment, name, organisation } = facts
  const colour = facts.colour === undefined ? ACTION_COLOUR : brandColours(facts.colour).light.action
  const subject = isProduction ? letter.subject : `[${environment.toUpperCase()}] ${letter.subject}`
  return { ...letter, subject, language, organisation, greeting: texts.greeting(name), foot: footOf(facts), colour }
}

/** Puts a text into the frame of every e-mail. */
export function composeLetter(letter: Letter, facts: LetterFacts): ComposedText {
  const parts = framed(letter, facts)
  const { subject, greeting, paragraphs, link, foot } = parts
  return {
    subject,
    text: [greeting, ...paragraphs.map(plain), ...(link ? [`${link.text}\n${link.href}`] : []), '--', ...foot].join('\n\n'),
    html: `<!DOCTYPE html>${renderToString(<MailPage {...parts} />)}`,
  }
}

const plain = (p: Paragraph) => (typeof p === 'string' ? p : p.quote)

function footOf({ texts: { foot }, organisation, contact, isProduction, environment }: LetterFacts): string[] {
  return [
    `${foot.sentFor(organisation)}${contact ? ` ${foot.questions(contact)}` : ''}`,
    ...(isProduction ? [] : [foot.notBinding(environment)]),
  ]
}

const FONT = "16px/1.5 Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

/**
 * Styles are inline, because mail programs remove style sheets. The mark is a character: Gmail and
 * Outlook show no SVG, and block or attach pictures.
 */
function MailPage({ language, subject, organisation, greeting, paragraphs, link, foot, colour }: MailParts) {
  const paragraph = { margin: '0 0 16px', overflowWrap: 'break-word' }
  const quote = { ...paragraph, padding: '4px 14px', borderInlineStart: '3px solid #e2e6ee', whiteSpace: 'pre-line' }
  return (
    <html lang={language} dir={directionOf(language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </head>
      <body style={{ margin: '0', padding: '24px 12px', background: '#f6f7fa', color: '#141b2d', font: FONT }}>
        <div
          style={{
            maxWidth: '560px',
            margin: '0 auto',
            background: '#ffffff',
            border: '1px solid #e2e6ee',
            borderRadius: '8px',
            padding: '24px',
          }}
        >
          <p style={{ ...paragraph, fontWeight: 'bold' }}>{organisation}</p>
          <p style={paragraph}>{greeting}</p>
          {paragraphs.map(p =>
            typeof p === 'string' ? (
              <p key={p} style={paragraph}>
                {p}
              </p>
            ) : (
              <p key={p.quote} style={quote} dir="auto">
                {p.quote}
              </p>
            ),
          )}
          {link && (
            <>
              <p style={{ margin: '24px 0' }}>
                <a
                  href={link.href}
                  style={{
                    background: colour,
                    color: '#ffffff',
                    padding: '14px 24px',
                    borderRadius: '8px',
                    textDecoration: 'none',
                    fontWeight: 'bold',
                    display: 'inline-block',
                  }}
                >
                  {link.text}
                </a>
              </p>
              <p style={{ ...paragraph, fontSize: '14px', wordBreak: 'break-all' }}>
                <a href={link.href} style={{ color: colour }}>
                  {link.href}
                </a>
              </p>
            </>
          )}
          <hr style={{ border: 'none', borderTop: '1px solid #e2e6ee', margin: '24px 0 16px' }} />
          {foot.map(line => (
            <p key={line} style={{ ...paragraph, fontSize: '13px', color: '#566077' }}>
              {line}
            </p>
          ))}
        </div>
        <p style={{ margin: '16px 0 0', textAlign: 'center', fontSize: '13px', color: '#566077' }}>
          <span style={{ color: MARK_COLOUR }}>◉</span> Signet
        </p>
      </body>
    </html>
  )
}
