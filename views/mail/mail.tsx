/** The mails: one frame, six texts, each as plain text and as HTML. A link's text names the host it leads to. */
import { renderToString } from 'preact-render-to-string'

export interface MailFacts {
  organisation: string
  contact: string | undefined
  environment: string
  isProduction: boolean
  /** Whom it is written to. */
  name: string
  title: string
  act: string
  message: string | undefined
  /** With its zone. */
  expires: string | undefined
  /** Where the button leads; `undefined` where there is nothing to do. */
  link: string | undefined
  /** Who declined, and why; or why it was voided. */
  by: string | undefined
  reason: string | undefined
  /** The sealed PDF is attached. */
  attached: boolean
  /** Written to the sender, not to a recipient. */
  toSender: boolean
}

/** A paragraph of ours, or the sender's own words, which are set apart. */
type Paragraph = string | { quote: string }

interface Text {
  subject: string
  paragraphs: Paragraph[]
  button: string | undefined
}

type Composer = (facts: MailFacts) => Text

/** What each kind is called in lists. */
export const SUBJECT_WORDS: Record<string, string> = {
  invitation: 'Invitation',
  reminder: 'Reminder',
  completed: 'Completed',
  declined: 'Declined',
  voided: 'Voided',
  expired: 'Expired',
}

const quoted = (title: string) => `“${title}”`

function invitation({ organisation, title, act, expires, message }: MailFacts): Text {
  return {
    subject: `Please ${act}: ${title}`,
    paragraphs: [
      `${organisation} asks you to ${act} ${quoted(title)}.`,
      ...(message ? ['Their message to you:', { quote: message }] : []),
      'The link opens the document in your web browser. You need no account.',
      ...(expires ? [`Please do this by ${expires}.`] : []),
      'The link is for you alone: please do not pass it on.',
    ],
    button: `Open the document`,
  }
}

const COMPOSERS: Record<string, Composer> = {
  invitation,
  reminder: facts => {
    const first = invitation(facts)
    return {
      ...first,
      subject: `Reminder: please ${facts.act} ${facts.title}`,
      paragraphs: [
        `${facts.organisation} still waits for you to ${facts.act} ${quoted(facts.title)}.`,
        ...first.paragraphs.slice(1),
      ],
    }
  },
  completed: ({ title, attached, toSender }) => ({
    subject: `Completed: ${title}`,
    paragraphs: [
      `Everyone has finished ${quoted(title)}. A digital signature now seals the document, so that later changes can be detected. Its last pages tell who signed and when.`,
      attached
        ? 'The sealed PDF is attached. Please keep it.'
        : 'The sealed PDF is too large for a mail: please download it with the link below.',
      ...(toSender ? [] : ['You can download it with the link below for 30 days.']),
    ],
    button: 'Open the sealed document',
  }),
  declined: ({ title, by, reason }) => ({
    subject: `Declined: ${title}`,
    paragraphs: [
      `${by ?? 'A recipient'} has declined ${quoted(title)}. Nobody needs to sign it any more.`,
      ...(reason ? ['The reason given:', { quote: reason }] : []),
    ],
    button: undefined,
  }),
  voided: ({ organisation, title, reason, toSender }) => ({
    subject: `Voided: ${title}`,
    paragraphs: [
      toSender
        ? `${quoted(title)} was voided.`
        : `${organisation} has voided ${quoted(title)}. You need not do anything any more.`,
      ...(reason ? ['The reason given:', { quote: reason }] : []),
    ],
    button: undefined,
  }),
  expired: ({ title, toSender, contact, organisation }) => ({
    subject: `Expired: ${title}`,
    paragraphs: [
      `${quoted(title)} was not signed by everyone in time and has expired. Its links do not work any more.`,
      ...(toSender ? [] : [`If you still want to sign, please ask ${contact ?? organisation}.`]),
    ],
    button: undefined,
  }),
}

export interface ComposedText {
  subject: string
  text: string
  html: string
}

/** Subject, plain text and HTML of one mail. */
export function composeMail(kind: string, facts: MailFacts): ComposedText {
  const composer = COMPOSERS[kind]
  if (!composer) throw new Error(`there is no mail of kind ${kind}`)
  const { subject, paragraphs, button } = composer(facts)
  const marked = facts.isProduction ? subject : `[${facts.environment.toUpperCase()}] ${subject}`
  const foot = footOf(facts)
  const link = button && facts.link ? { text: button, href: facts.link } : undefined
  return {
    subject: marked,
    text: [
      `Hello ${facts.name},`,
      ...paragraphs.map(plain),
      ...(link ? [`${link.text}:\n${link.href}`] : []),
      '--',
      ...foot,
    ].join('\n\n'),
    html: `<!DOCTYPE html>${renderToString(<MailPage greeting={`Hello ${facts.name},`} paragraphs={paragraphs} link={link} foot={foot} subject={marked} />)}`,
  }
}

const plain = (p: Paragraph) => (typeof p === 'string' ? p : p.quote)

function footOf({ organisation, contact, isProduction, environment }: MailFacts): string[] {
  return [
    `Sent by Signet for ${organisation}.${contact ? ` Questions? Ask ${contact}.` : ''}`,
    ...(isProduction ? [] : [`This comes from a ${environment} environment: nothing signed here is meant to bind anyone.`]),
  ]
}

interface PageProps {
  subject: string
  greeting: string
  paragraphs: Paragraph[]
  link: { text: string; href: string } | undefined
  foot: string[]
}

/** Styles stand on the elements: mail programs drop sheets. */
function MailPage({ subject, greeting, paragraphs, link, foot }: PageProps) {
  const paragraph = { margin: '0 0 16px', overflowWrap: 'break-word' }
  const quote = { ...paragraph, padding: '4px 0 4px 14px', borderLeft: '3px solid #d8dde6', whiteSpace: 'pre-line' }
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>{subject}</title>
      </head>
      <body style={{ margin: '0', padding: '24px 12px', background: '#f6f7f9', color: '#1a2030', font: '16px/1.5 sans-serif' }}>
        <div
          style={{
            maxWidth: '560px',
            margin: '0 auto',
            background: '#ffffff',
            border: '1px solid #d8dde6',
            borderRadius: '12px',
            padding: '24px',
          }}
        >
          <p style={paragraph}>{greeting}</p>
          {paragraphs.map(p => (
            <p key={plain(p)} style={typeof p === 'string' ? paragraph : quote}>
              {plain(p)}
            </p>
          ))}
          {link && (
            <>
              <p style={{ margin: '24px 0' }}>
                <a
                  href={link.href}
                  style={{
                    background: '#1f4fbf',
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
                <a href={link.href} style={{ color: '#1f4fbf' }}>
                  {link.href}
                </a>
              </p>
            </>
          )}
          <hr style={{ border: 'none', borderTop: '1px solid #d8dde6', margin: '24px 0 16px' }} />
          {foot.map(line => (
            <p key={line} style={{ ...paragraph, fontSize: '13px', color: '#566074' }}>
              {line}
            </p>
          ))}
        </div>
      </body>
    </html>
  )
}
