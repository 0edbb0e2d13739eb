/** The text part of mails: readable at 72 columns, and joined again by programs that know how. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { LANGUAGES } from '../../src/core/language.ts'
import { compose, flowed } from '../../src/mailer/message.ts'
import { documentMails, noticeMails } from '../support/sample-mails.ts'

const mailbox = { name: 'Müller & Söhne GmbH – Rechtsanwälte und Steuerberater via Signet', address: 'sign@acme.example' }
const ENVELOPE = {
  messageId: '<a@b.example>',
  from: mailbox,
  to: { name: 'ليلى حداد', address: 'ola@example.com' },
  date: new Date(),
}
const LOGO = { fileName: 'logo.png', contentType: 'image/png', contentId: 'logo.1@signet', content: new Uint8Array(3000) }

const ALL = [...LANGUAGES.flatMap(language => documentMails(language)), ...noticeMails('en'), ...noticeMails('de')]

describe('every kind of mail in every language', () => {
  test('has lines of at most 72 columns, and its link in one piece', () => {
    const wide = ALL.flatMap(({ text, link }) =>
      flowed(text)
        .split('\r\n')
        .filter(line => line.length > 72 && line !== link),
    )
    expect(wide).toEqual([])
  })

  test('has no line above 78 bytes, no bare line feed and no letter outside ASCII', async () => {
    for (const { name, language, subject, text, html } of ALL) {
      const { raw } = await compose({ ...ENVELOPE, subject, text, html, attachments: [LOGO] })
      const bytes = Buffer.from(raw).toString('latin1')
      const wrong = bytes.split('\r\n').filter(line => line.length > 78 || /[\r\n\x80-\xff]/.test(line))
      expect([name, language, wrong]).toEqual([name, language, []])
    }
  })

  test('arrives with its subject and its paragraphs as they were', async () => {
    for (const { subject, text, html } of ALL) {
      const arrived = await PostalMime.parse((await compose({ ...ENVELOPE, subject, text, html })).raw)
      const unquoted = (all: string) =>
        all
          .split('\n')
          .filter(line => !line.startsWith('>'))
          .join('\n')
          .trimEnd()
      expect(arrived.subject).toBe(subject)
      expect(arrived.from?.name).toBe(mailbox.name)
      expect(unquoted(arrived.text ?? '')).toBe(unquoted(text))
      expect(arrived.html?.replaceAll('\r\n', '\n').trimEnd()).toBe(html)
    }
  })
})

test('a broken quotation is marked on each of its lines', () => {
  const quoted = flowed(`> ${'word '.repeat(40)}`).split('\r\n')
  expect(quoted.length).toBeGreaterThan(2)
  expect(quoted.filter(line => !line.startsWith('> word') || line.endsWith(' ') || line.length > 72)).toEqual([])
})

test('what would mean something at the start of a line is stuffed, also after a break', () => {
  const lines = flowed(`${'x'.repeat(68)} From ${'y'.repeat(70)}\nFrom here\n-- \n>no mark`).split('\r\n')
  expect(lines).toEqual([`${'x'.repeat(68)} `, ` From `, 'y'.repeat(70), ' From here', '-- ', ' >no mark'])
})

test('joins back to any paragraphs', async () => {
  const word = fc.stringMatching(/^[a-zA-Zäقй]{1,90}$/)
  const paragraph = fc.array(word, { minLength: 1, maxLength: 40 }).map(words => words.join(' '))
  await fc.assert(
    fc.asyncProperty(fc.array(paragraph, { minLength: 1, maxLength: 5 }), async paragraphs => {
      const text = paragraphs.join('\n\n')
      const { raw } = await compose({ ...ENVELOPE, subject: 's', text, html: '' })
      expect((await PostalMime.parse(raw)).text?.trimEnd()).toBe(text)
    }),
    { numRuns: 60 },
  )
})
