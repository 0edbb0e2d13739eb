import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { compose, type MailMessage, MessageError } from '../../src/mailer/message.ts'

const message: MailMessage = {
  messageId: '<out_01@sign.example.com>',
  from: { name: 'Contoso Verträge', address: 'sign@example.com' },
  to: { name: 'Zoë Ωμέγα 株式会社', address: 'zoe@example.org' },
  subject: 'Bitte unterschreiben: „Übergabe" 契約書 🖋️',
  text: 'Hällo,\n\nhttps://sign.example.com/s/abc?x=1&y=2\n.\nFrom here\n',
  html: '<p>Hällo &amp; 契約</p>',
  date: new Date('2031-03-04T05:06:07Z'),
}

async function parsed(changes: Partial<MailMessage> = {}) {
  const { raw } = await compose({ ...message, ...changes })
  return PostalMime.parse(raw)
}
const headerOf = (mail: Awaited<ReturnType<typeof parsed>>, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value)

describe('a composed mail', () => {
  test('parses back to the given texts, in any script', async () => {
    const mail = await parsed({ replyTo: { name: 'Ünal', address: 'unal@example.com' } })
    expect(mail.from).toEqual({ name: message.from.name, address: message.from.address })
    expect(mail.to).toEqual([{ name: message.to.name, address: message.to.address }])
    expect(mail.replyTo).toEqual([{ name: 'Ünal', address: 'unal@example.com' }])
    expect(mail.subject).toBe(message.subject)
    expect(mail.text?.trimEnd()).toBe(message.text.trimEnd())
    expect(mail.html?.trimEnd()).toBe(message.html)
    expect(mail.date).toBe('2031-03-04T05:06:07.000Z')
  })

  test('has the same Message-ID in every attempt, and a header that it is automatic', async () => {
    for (const mail of [await parsed(), await parsed({ date: new Date() })]) {
      expect(headerOf(mail, 'message-id')).toEqual([message.messageId])
      expect(headerOf(mail, 'auto-submitted')).toEqual(['auto-generated'])
    }
  })

  test('has one address each in its envelope, and no line over 998 bytes or with a bare line feed', async () => {
    const { raw, envelope } = await compose({
      ...message,
      subject: 'x'.repeat(900),
      text: 'y'.repeat(3000),
      html: '<p>'.repeat(1000),
    })
    expect(envelope).toEqual({ from: 'sign@example.com', to: 'zoe@example.org' })
    const text = Buffer.from(raw).toString('latin1')
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(Math.max(...text.split('\r\n').map(line => line.length))).toBeLessThanOrEqual(998)
  })

  test('has an internationalised domain in its ASCII form', async () => {
    const to = { name: '', address: 'zoe@bücher.example' }
    const { envelope, raw } = await compose({ ...message, to })
    expect(envelope.to).toBe('zoe@xn--bcher-kva.example')
    expect(Buffer.from(raw).toString()).toContain('\r\nTo: zoe@xn--bcher-kva.example\r\n')
  })

  test('without a display name has only the address', async () => {
    const mail = await parsed({ to: { name: '', address: 'a@example.org' } })
    expect(headerOf(mail, 'to')).toEqual(['a@example.org'])
  })

  test('contains its attachments byte for byte', async () => {
    const [first, second] = [randomBytes(100_001), Buffer.from('%PDF-1.7\n\r\r\n.\r\n..\r\nFrom \0')]
    const mail = await parsed({
      attachments: [
        { fileName: 'Vertrag „ß" 契約.pdf', contentType: 'application/pdf', content: first },
        { fileName: 'plain.pdf', contentType: 'application/pdf', content: second },
      ],
    })
    expect(mail.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition])).toEqual([
      ['Vertrag „ß" 契約.pdf', 'application/pdf', 'attachment'],
      ['plain.pdf', 'application/pdf', 'attachment'],
    ])
    const contents = mail.attachments.map(({ content }) => Buffer.from(content as ArrayBuffer))
    expect(contents[0]!.equals(first)).toBe(true)
    expect(contents[1]!.equals(second)).toBe(true)
  })

  test('has one recipient, whatever the name or subject contains', async () => {
    const nasty = fc.string({ unit: fc.constantFrom(...'",;:<>@()[]\\=?ü契 \t.a'.split('')), maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(nasty, nasty, async (name, subject) => {
        const mail = await parsed({ to: { name, address: 'zoe@example.org' }, subject })
        expect(mail.to?.map(({ address }) => address)).toEqual(['zoe@example.org'])
        expect([mail.cc, mail.bcc]).toEqual([undefined, undefined])
        for (const key of ['to', 'from', 'date', 'message-id']) expect(headerOf(mail, key)).toHaveLength(1)
        expect(headerOf(mail, 'subject').length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 200 },
    )
  })

  test('shows a text that looks like an encoded word as it is', async () => {
    const evil = '=?utf-8?Q?=E2=80=AEBank_=3Ceve=40example.com=3E?='
    const mail = await parsed({
      to: { name: evil, address: 'zoe@example.org' },
      subject: evil,
      from: { ...message.from, name: evil },
    })
    const seen = [mail.subject, mail.from?.name, mail.to?.[0]?.name]
    expect(seen.map(text => text?.replaceAll('\u2060', ''))).toEqual([evil, evil, evil])
  })

  test('has the additional headers', async () => {
    expect(headerOf(await parsed({ headers: { 'X-Signet-Mail': 'out_01' } }), 'x-signet-mail')).toEqual(['out_01'])
  })
})

describe('an invalid mail causes an error that names the part', () => {
  const inject = ['a\r\nBcc: victim@example.com', 'a\nBcc: x', 'a\rb', 'a\0b']
  test.each(inject)('%j in any header', async evil => {
    const cases: [part: string, changes: Partial<MailMessage>][] = [
      ['from.name', { from: { name: evil, address: 'a@example.com' } }],
      ['from.address', { from: { name: '', address: `${evil}@example.com` } }],
      ['to.name', { to: { name: evil, address: 'a@example.com' } }],
      ['to.address', { to: { name: '', address: `a@example.com${evil}` } }],
      ['replyTo.name', { replyTo: { name: evil, address: 'a@example.com' } }],
      ['subject', { subject: evil }],
      ['messageId', { messageId: `<${evil}@example.com>` }],
      ['attachments.fileName', { attachments: [{ fileName: evil, contentType: 'application/pdf', content: new Uint8Array(1) }] }],
      [
        'attachments.contentType',
        { attachments: [{ fileName: 'a', contentType: `application/pdf${evil}`, content: new Uint8Array(1) }] },
      ],
      ['headers.X-A', { headers: { 'X-A': evil } }],
      ['headers', { headers: { [`X-A: ${evil}`]: 'a' } }],
    ]
    for (const [part, changes] of cases) {
      const error = await compose({ ...message, ...changes }).catch(thrown => thrown)
      expect(error).toBeInstanceOf(MessageError)
      expect(error.message).toStartWith(`${part}:`)
      expect(error.message).not.toContain('victim')
    }
  })

  test.each([
    '',
    'a',
    'a@',
    '@b',
    'a b@c',
    'a@b,c@d',
    'a@b, c@d',
    'A <a@b>',
    'a@b>',
    'a@b;c@d',
    '"a"@b',
    'a@b@c',
    'a@[1.2.3.4]',
    'a:b@c',
  ])('%j as an address', async address => {
    await expect(compose({ ...message, to: { name: '', address } })).rejects.toThrow('to.address')
  })

  test('a reserved header, a Message-ID without brackets, an invalid date', async () => {
    for (const name of ['Bcc', 'bcc', 'Cc', 'From', 'Message-ID', 'Content-Type', 'Auto-Submitted']) {
      await expect(compose({ ...message, headers: { [name]: 'a@example.com' } })).rejects.toThrow('cannot be set here')
    }
    await expect(compose({ ...message, subject: 'x'.repeat(901) })).rejects.toThrow('subject: must not be longer than 900')
    await expect(compose({ ...message, messageId: 'a@example.com' })).rejects.toThrow('<id@domain>')
    await expect(compose({ ...message, date: new Date(Number.NaN) })).rejects.toThrow('date')
  })
})
