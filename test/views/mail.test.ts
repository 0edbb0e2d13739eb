/** E-mails of every kind and language: what each must have, and what none may have. */
import { describe, expect, test } from 'bun:test'
import { brandColours, contrast } from '../../src/core/colour.ts'
import { MAIL_KINDS } from '../../src/core/document/follow-up.ts'
import { directionOf, LANGUAGES } from '../../src/core/language.ts'
import { documentMails, HOST, noticeMails, SAMPLED, type SampleMail } from '../support/sample-mails.ts'

const LOGO = { src: 'cid:logo.1@signet', width: 120, height: 40 }
const each = (mails: SampleMail[]) => mails.map((mail): [string, SampleMail] => [`${mail.name} ${mail.language}`, mail])
const ABOUT_DOCUMENTS = LANGUAGES.flatMap(language => each(documentMails(language, { logo: LOGO, colour: '#0b6e4f' })))
const NOTICES = (['en', 'de'] as const).flatMap(language => each(noticeMails(language, { logo: LOGO })))
const ALL = [...ABOUT_DOCUMENTS, ...NOTICES]

const words = (html: string) =>
  html.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')

test.each(ABOUT_DOCUMENTS)('%s does not hurry its reader', (_, { subject, text }) => {
  const hurry = /\b(urgent|immediately|at once|act now|sofort|umgehend|urgente|immédiatement|dringend|pilne|natychmiast)\b/i
  expect(`${subject} ${text}`).not.toMatch(hurry)
})

test('every kind about documents has a sample', () => {
  expect(MAIL_KINDS.filter(kind => !SAMPLED.has(kind))).toEqual([])
})

describe.each(ALL)('%s', (_, { subject, html, text, link, language, time }) => {
  test('names its language and direction', () => {
    expect(html).toContain(`<html lang="${language}" dir="${directionOf(language)}">`)
  })

  test('loads nothing: every address is the link of the button, or a part of the mail itself', () => {
    const addresses = [...html.matchAll(/(?:href|src|background|action|poster|srcset)="([^"]*)"/g)].map(([, found]) => found)
    const others = addresses.filter(address => address !== words(link ?? '') && address !== LOGO.src)
    expect(others).toEqual([])
    expect(html).not.toMatch(/url\(|@import|<(script|link|iframe|object|form|video|audio|svg)\b/i)
    const hosts = [...html.matchAll(/https?:\/\/([^/"<\s]+)/g)].map(([, host]) => host?.replace(/[.,].?$/, ''))
    expect(hosts.filter(host => host !== HOST)).toEqual([])
  })

  test('has a preview line of its own before all else, of one or two sentences', () => {
    const preview = /<body[^>]*><div style="display:none[^"]*">([^<\u200c]+)\u200c/.exec(html)?.[1] ?? ''
    expect(preview.length).toBeGreaterThan(10)
    expect(preview.length).toBeLessThanOrEqual(150)
    expect(words(preview)).not.toBe(subject)
  })

  test('has the button first, and the address in full once, below everything else that was asked', () => {
    if (link === undefined) return expect(html).not.toContain('<a ')
    const [button, bare, ...more] = [...html.matchAll(/<a [^>]*>([^<]*)<\/a>/g)]
    expect(more).toEqual([])
    expect(button?.[1]).not.toContain('http')
    expect(bare?.[1]).toBe(link)
    expect(button?.index).toBeLessThan(bare?.index ?? 0)
  })

  test('says a time once', () => {
    if (time === undefined) return
    expect(text.split(time)).toHaveLength(2)
    expect(text).not.toMatch(/UTC \(/)
  })

  test('has a text part that says the same, with the link on a line of its own', () => {
    const lines = text.split('\n')
    if (link !== undefined) expect(lines.filter(line => line === link)).toEqual([link])
    expect(lines.filter(line => line !== '-- ' && line !== line.trim())).toEqual([])
    expect(text).not.toMatch(/\n\n\n/)
    expect(text.endsWith('\n')).toBe(true)
    const shown = words(html.replace(/<\/?span[^>]*>/g, '').replace(/<[^>]*>/g, '\n'))
    const missing = lines.filter(line => line !== '-- ' && !shown.includes(line.replace(/:$|^> /g, '')))
    expect(missing).toEqual([])
  })

  test('does not shout, and has no gap where a value is missing', () => {
    // Greetings of some languages end with an exclamation mark.
    for (const part of [subject, text.slice(text.indexOf('\n\n'))]) {
      expect(part).not.toMatch(/\b(undefined|null|NaN)\b|\[object|“”|„“|« »|«»/)
      expect(part).not.toMatch(/[!¡]/)
    }
  })

  test('does not send the eye below for a button that is above', () => {
    const after = html.slice(html.indexOf('</a>'))
    if (link !== undefined) expect(after).not.toMatch(/\b(link below|Link unten|lien ci-dessous|link qui sotto)\b/)
  })
})

test('the subject names the environment that is not for production, and the letter says what it means', () => {
  const [mail] = documentMails('en', { isProduction: false, environment: 'staging' })
  expect(mail?.subject).toStartWith('[STAGING] ')
  expect(mail?.text).toContain('which is not for production')
})

test('without a logo there is the name, and without a contact nobody is sent anywhere', () => {
  const [mail] = documentMails('en', { replyTo: undefined })
  expect(mail?.html).not.toContain('<img')
  expect(mail?.html).toMatch(/<p style="[^"]*font-weight:600">Acme Ltd<\/p>/)
  expect(mail?.text).not.toContain('Questions?')
})

test.each(['#0b6e4f', '#ffd400', '#ffffff', '#000000', '#d9455c', '#8fabff'])(
  'words on a button of %s can be read, in light and dark',
  colour => {
    const { light, dark } = brandColours(colour)
    const [mail] = documentMails('en', { colour })
    expect(mail?.html).toContain(`background:${light.action};`)
    expect(mail?.html).toContain(`.act{background:${dark.action}!important}`)
    expect(contrast('#ffffff', light.action)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark.on, dark.action)).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark.action, '#161c28')).toBeGreaterThanOrEqual(4.5)
  },
)

test('an organisation that has not set its name is not said to have Signet as its service', () => {
  const [mail] = documentMails('en', { organisation: 'Signet' })
  expect(mail?.text).toContain('Sent by Signet, a service for signing documents.')
  expect(mail?.text).not.toContain('Sent for')
})

test('a quoted text cannot pass for ours: each of its lines is marked', () => {
  const [mail] = documentMails('en')
  expect(mail?.text).toContain('\n> Hi Ola,\n> this is the agreement')
})
