/**
 * The frame of every e-mail, as HTML for mail programs: tables and inline styles, because many
 * remove style sheets and ignore padding elsewhere; nothing is loaded from another host.
 */
import type { ComponentChildren } from 'preact'
import { brandColours } from '../../src/core/colour.ts'
import { directionOf, type Language } from '../../src/core/language.ts'
import { MARK_COLOUR } from '../../src/lib/mark.ts'

/** A paragraph of ours; one in large type; or the sender's own text, which is set apart. */
export type Paragraph = string | { large: string } | { quote: string }

/** The organisation's logo as the e-mail carries it, px as shown. */
export interface MailLogo {
  src: string
  width: number
  height: number
}

export interface Letter {
  subject: string
  /** Before the button: so short that the button is seen without scrolling. */
  lead: Paragraph[]
  link: { text: string; href: string } | undefined
  /** After the button. */
  details: Paragraph[]
}

/** A letter with what the frame adds to it. */
export interface MailParts extends Letter {
  language: Language
  organisation: string
  /** What a list of e-mails shows beside the subject. */
  preview: string
  greeting: string
  /** Before the address of the link in full. */
  linkHint: string
  foot: string[]
  /** Of the organisation, `#rrggbb`. */
  colour: string
  logo: MailLogo | undefined
}

const FONT = "16px/1.5 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
const LIGHT = { ground: '#f2f4f8', card: '#ffffff', ink: '#141b2d', quiet: '#566077', line: '#e2e6ee' }
const DARK = { ground: '#0f141e', card: '#161c28', ink: '#e8ecf4', quiet: '#a3adc2', line: '#2c3547' }

/** Mail programs that know dark mode apply it; the others show the inline styles. */
function darkStyles(colour: string): string {
  const { action, on } = brandColours(colour).dark
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground{background:${DARK.ground}!important;color:${DARK.ink}!important}
.card{background:${DARK.card}!important;border-color:${DARK.line}!important}
.brand{background:${action}!important}
.ink{color:${DARK.ink}!important}
.quiet{color:${DARK.quiet}!important}
.line{border-color:${DARK.line}!important}
.link{color:${action}!important}
.act{background:${action}!important}
.act a{color:${on}!important}
.mark{color:#d9455c!important}
.logo{background:#ffffff!important;padding:8px!important;border-radius:6px!important}
}`
}

const TABLE = { role: 'presentation', width: '100%', cellpadding: '0', cellspacing: '0', border: '0' } as const
const PARAGRAPH = 'margin:0 0 16px;overflow-wrap:break-word'
const SMALL = `font-size:13px;line-height:1.5;color:${LIGHT.quiet}`

export function MailPage(parts: MailParts) {
  const { language, subject, preview, greeting, lead, link, linkHint, details, foot } = parts
  const dir = directionOf(language)
  const colour = brandColours(parts.colour).light.action
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{darkStyles(parts.colour)}</style>
      </head>
      <body class="ground" style={`margin:0;padding:0;background:${LIGHT.ground};color:${LIGHT.ink};font:${FONT}`}>
        <Preview text={preview} />
        <table {...TABLE} class="ground" style={`table-layout:fixed;background:${LIGHT.ground}`}>
          <tr>
            <td align="center" style="padding:16px 8px">
              <table
                {...TABLE}
                class="card"
                dir={dir}
                style={`table-layout:fixed;max-width:560px;background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:8px;overflow:hidden`}
              >
                <tr>
                  <td class="brand" height="4" style={`height:4px;background:${colour};font-size:0;line-height:0`} />
                </tr>
                <tr>
                  <td class="ink" style={`padding:20px 20px 8px;text-align:start;color:${LIGHT.ink};font:${FONT}`}>
                    <Letterhead {...parts} />
                    {greeting && <p style={PARAGRAPH}>{greeting}</p>}
                    <Paragraphs all={lead} dir={dir} />
                    {link && <MailButton {...link} colour={colour} />}
                    <Paragraphs all={details} dir={dir} />
                    <div class="line quiet" style={`border-top:1px solid ${LIGHT.line};padding-top:16px;${SMALL}`}>
                      {link && <BareLink hint={linkHint} href={link.href} colour={colour} />}
                      {foot.map(line => (
                        <p key={line} style="margin:0 0 12px;overflow-wrap:break-word">
                          {keepWhole(line)}
                        </p>
                      ))}
                    </div>
                  </td>
                </tr>
              </table>
              <p class="quiet" style={`margin:16px 0 0;${SMALL}`}>
                <span class="mark" style={`color:${MARK_COLOUR}`}>
                  ◉
                </span>{' '}
                Signet
              </p>
            </td>
          </tr>
        </table>
      </body>
    </html>
  )
}

/** Empty characters follow, so that a list shows nothing of the letter after the preview. */
function Preview({ text }: { text: string }) {
  return (
    <div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px">
      {text}
      {'\u200c\u00a0'.repeat(60)}
    </div>
  )
}

/** The logo, else the name. */
function Letterhead({ organisation, logo }: Pick<MailParts, 'organisation' | 'logo'>) {
  const name = 'font-size:18px;line-height:1.3;font-weight:600'
  if (!logo) return <p style={`margin:0 0 20px;overflow-wrap:break-word;${name}`}>{organisation}</p>
  return (
    <p style={`margin:0 0 20px;${name}`}>
      <img
        class="logo"
        src={logo.src}
        alt={organisation}
        width={logo.width}
        height={logo.height}
        style="display:block;border:0;max-width:100%;height:auto"
      />
    </p>
  )
}

function Paragraphs({ all, dir }: { all: readonly Paragraph[]; dir: 'ltr' | 'rtl' }) {
  return (
    <>
      {all.map(paragraph => (
        <ParagraphOf key={paragraph} paragraph={paragraph} dir={dir} />
      ))}
    </>
  )
}

function ParagraphOf({ paragraph, dir }: { paragraph: Paragraph; dir: 'ltr' | 'rtl' }): ComponentChildren {
  if (typeof paragraph === 'string') return <p style={PARAGRAPH}>{keepWhole(paragraph)}</p>
  if ('large' in paragraph) return <p style={`${PARAGRAPH};font-size:22px;font-weight:600`}>{paragraph.large}</p>
  // Mail programs know no logical sides.
  const side = dir === 'rtl' ? 'right' : 'left'
  const look = `${PARAGRAPH};padding-${side}:14px;border-${side}:3px solid ${LIGHT.line};white-space:pre-line`
  return (
    <p class="line" style={look} dir="auto">
      {paragraph.quote}
    </p>
  )
}

/** Mail programs break lines at hyphens. In “E-mail” they would leave “E-” at the end of a line. */
function keepWhole(text: string): ComponentChildren {
  return text.split(/\b(e-mails?)\b/i).map((part, i) => (i % 2 === 0 ? part : <span style="white-space:nowrap">{part}</span>))
}

/** The cell has the colour: Outlook for Windows gives links no padding. */
function MailButton({ text, href, colour }: { text: string; href: string; colour: string }) {
  return (
    <table role="presentation" cellpadding="0" cellspacing="0" style="margin:4px 0 20px">
      <tr>
        <td class="act" style={`background:${colour};border-radius:8px;mso-padding-alt:13px 24px`}>
          <a
            href={href}
            style="display:inline-block;padding:13px 24px;color:#ffffff;font-weight:600;text-decoration:none;border-radius:8px"
          >
            {text}
          </a>
        </td>
      </tr>
    </table>
  )
}

function BareLink({ hint, href, colour }: { hint: string; href: string; colour: string }) {
  return (
    <p style="margin:0 0 12px">
      {hint}
      <br />
      <a class="link" href={href} dir="ltr" style={`color:${colour};word-break:break-all`}>
        {href}
      </a>
    </p>
  )
}
