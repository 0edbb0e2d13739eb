/** The sample e-mails as a mail program shows them: HTML with its logo, and the text part. */
import type { Page } from 'playwright-core'
import { LANGUAGES } from '../../src/core/language.ts'
import type { MailLogo } from '../../views/mail/frame.tsx'
import { documentMails, noticeMails, type SampleMail } from './sample-mails.ts'

const LOGO_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="176" height="40" viewBox="0 0 176 40"><path d="M4 34 20 6l16 28z" fill="#0b6e4f"/><path d="M14 34 24 16l10 18z" fill="#7cc4a8"/><text x="46" y="29" font-family="DejaVu Sans" font-weight="700" font-size="23" fill="#10241d">Acme Ltd</text></svg>`

/** As a picture of the size that e-mails carry, in the HTML itself. */
const LOGO: MailLogo = { src: `data:image/svg+xml;base64,${btoa(LOGO_SVG)}`, width: 176, height: 40 }

export const COLOUR = '#0b6e4f'

/** Every kind in English, in two looks; those to one signer in every language; German notices. */
export function shownMails(): { name: string; mail: SampleMail }[] {
  const face = { logo: LOGO, colour: COLOUR }
  const named = (mails: SampleMail[], suffix = '') =>
    mails.map(mail => ({ name: `${mail.name}-${mail.language}${suffix}`, mail }))
  return [
    ...LANGUAGES.flatMap(language => named(documentMails(language, face))),
    ...named(documentMails('en', { isProduction: false, environment: 'staging' }), '-no-logo'),
    ...(['en', 'de'] as const).flatMap(language => named(noticeMails(language, face))),
  ]
}

export const showHtml = (page: Page, { html }: SampleMail) => page.setContent(html)

/** With headers, as plain text. */
export async function showText(page: Page, { subject, text }: SampleMail): Promise<void> {
  const escaped = `Subject: ${subject}\n\n${text}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const look = 'white-space:pre-wrap;overflow-wrap:anywhere;margin:16px;font:14px/1.45 monospace;unicode-bidi:plaintext'
  await page.setContent(`<meta name="color-scheme" content="light dark"><pre style="${look}">${escaped}</pre>`)
}
