import { afterEach, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import PostalMime from 'postal-mime'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import type { MailMessage, MailVerdict } from '../../src/mailer/message.ts'
import { parseSmtpUrl, queueIdOf, type SmtpOptions, type SmtpServer, smtpMailer } from '../../src/mailer/smtp.ts'
import { openSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../support/smtp-sink.ts'
import { testCertificate } from '../support/test-certificate.ts'

const tls = testCertificate('DNS:localhost', 'IP:127.0.0.1')
const password = 'p@ss:/w%rd#?'
const login = { user: 'me@corp', password }
const message: MailMessage = {
  messageId: '<out_01@sign.example.com>',
  from: { name: 'Contoso Verträge', address: 'sign@example.com' },
  to: { name: 'Zoë 株式会社', address: 'zoe@example.org' },
  subject: 'Bitte unterschreiben: Übergabe 契約書',
  text: 'Hällo\n.\n..\nFrom here\n',
  html: '<p>Hällo</p>',
  date: new Date('2031-03-04T05:06:07Z'),
}

const mailerOf = (options: SmtpOptions) => smtpMailer(options, THIS_MACHINE.timers)
const sinks: SmtpSink[] = []
afterEach(() => Promise.all(sinks.splice(0).map(sink => sink.close())))

async function sinkOf(options?: SmtpSinkOptions): Promise<SmtpSink> {
  const sink = await openSmtpSink(options)
  sinks.push(sink)
  return sink
}

const patient = { connectMs: 10_000, greetingMs: 10_000, socketMs: 10_000, totalMs: 20_000 }

/** Sends the message to a test server of that kind. */
async function sent(
  sinkOptions: SmtpSinkOptions,
  server: Partial<SmtpServer> & Pick<SmtpOptions, 'ca' | 'timeouts' | 'clientName'> = {},
  changes: Partial<MailMessage> = {},
): Promise<{ verdict: MailVerdict; sink: SmtpSink }> {
  const sink = await sinkOf(sinkOptions)
  const mailer = mailerOf({ host: '127.0.0.1', port: sink.port, security: 'none', timeouts: patient, ...server })
  const verdict = await mailer.send({ ...message, ...changes })
  mailer.close()
  return { verdict, sink }
}

const accepted: MailVerdict = { outcome: 'accepted', reply: '250 2.0.0 Ok: queued as SINK1', queueId: 'SINK1' }

describe('a mail is accepted', () => {
  test('without encryption or login, by an internal relay', async () => {
    const content = randomBytes(300_000)
    const { verdict, sink } = await sent(
      {},
      {},
      { attachments: [{ fileName: 'Vertrag ß.pdf', contentType: 'application/pdf', content }] },
    )
    expect(verdict).toEqual(accepted)
    expect(sink.messages).toHaveLength(1)
    expect(sink.messages[0]).toMatchObject({ from: 'sign@example.com', to: ['zoe@example.org'], secure: false, user: undefined })
    const mail = await PostalMime.parse(sink.messages[0]!.raw)
    expect(mail).toMatchObject({ subject: message.subject, messageId: message.messageId, to: [message.to], from: message.from })
    expect(mail.text?.trimEnd()).toBe(message.text.trimEnd())
    expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer).equals(content)).toBe(true)
  })

  test.each([
    ['STARTTLS', { tls }, 'starttls'],
    ['TLS at once', { tls, implicitTls: true }, 'tls'],
  ] as const)('by %s, with a login whose password has every special character', async (_name, options, security) => {
    const { verdict, sink } = await sent({ ...options, login }, { security, ca: tls.cert, host: 'localhost', ...login })
    expect(verdict).toEqual(accepted)
    expect(sink.messages).toMatchObject([{ secure: true, user: login.user }])
  })

  test('by a server given as a URL', async () => {
    const sink = await sinkOf({ login })
    const url = `smtp://${encodeURIComponent(login.user)}:${encodeURIComponent(password)}@127.0.0.1:${sink.port}?security=none`
    expect(await mailerOf({ url, timeouts: patient }).send(message)).toEqual(accepted)
    expect(sink.messages).toMatchObject([{ user: login.user }])
  })

  test('twice by one mailer, with the same Message-ID', async () => {
    const sink = await sinkOf()
    const mailer = mailerOf({ host: '127.0.0.1', port: sink.port, security: 'none', timeouts: patient })
    const verdicts = await Promise.all([mailer.send(message), mailer.send(message)])
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted'])
    for (const { raw } of sink.messages) expect(raw.toString()).toContain(`Message-ID: ${message.messageId}\r\n`)
    expect(sink.messages).toHaveLength(2)
  })
})

describe('a mail is refused', () => {
  test.each([
    [
      'the recipient for good',
      { refuseRecipient: { code: 550, message: '5.1.1 No such user' } },
      true,
      'the recipient: 550 5.1.1 No such user',
    ],
    [
      'the recipient for now',
      { refuseRecipient: { code: 451, message: '4.7.1 Greylisted' } },
      false,
      'the recipient: 451 4.7.1 Greylisted',
    ],
    [
      'the mail for good',
      { refuseData: { code: 554, message: '5.7.1 Looks like spam' } },
      true,
      'the mail: 554 5.7.1 Looks like spam',
    ],
    ['the mail for now', { refuseData: { code: 452, message: '4.3.1 Disk full' } }, false, 'the mail: 452 4.3.1 Disk full'],
    [
      'the sender, which a setting can mend',
      { refuseSender: { code: 553, message: '5.7.1 Not yours' } },
      false,
      'the sender: 553 5.7.1 Not yours',
    ],
    ['a sender who has not logged in', { login }, false, 'the sender: 530 Error: authentication Required'],
    [
      'a session out of order',
      { refuseRecipient: { code: 503, message: 'Bad sequence' } },
      false,
      'the recipient: 503 Bad sequence',
    ],
  ] as const)('when the server refuses %s, in its words', async (_name, options, permanent, ending) => {
    const { verdict, sink } = await sent(options)
    const reply = `The mail server 127.0.0.1:${sink.port} refused ${ending}`
    const said = ending.replace(/^.*?: /, '')
    expect(verdict).toEqual({ outcome: 'refused', permanent, reply, said, problem: expect.stringMatching(/refused$|^other$/) })
    expect(sink.messages).toHaveLength(0)
  })

  test('when the login fails: temporarily, and without the password in the reply', async () => {
    const wrong = { user: 'me', password: 'Hunter2-Hunter2' }
    const echo = `5.7.8 ${wrong.password} ${btoa(wrong.password)} ${btoa(`\0me\0${wrong.password}`)} is wrong`
    for (const options of [
      { login },
      { refuseLogin: { code: 535, message: echo } },
      { refuseLogin: { code: 454, message: 'Try later' } },
    ]) {
      const { verdict, sink } = await sent(options, wrong)
      expect(verdict).toMatchObject({ outcome: 'refused', permanent: false })
      expect(verdict.reply).toMatch(/refused the login; check user name and password\. It said: (535|454) /)
      expect(verdict.reply).not.toMatch(/Hunter2|SHVudGVyMi|AG1lA/)
      expect([...sink.messages, ...sink.recipients]).toHaveLength(0)
    }
  })

  test('when a login is configured and not offered: it is not sent without login', async () => {
    const { verdict, sink } = await sent({}, login)
    expect(verdict).toMatchObject({ outcome: 'refused', permanent: false, reply: expect.stringContaining('offers no login') })
    expect([...sink.messages, ...sink.recipients]).toHaveLength(0)
  })

  test.each(['\r\nBcc: victim@example.com', '\nBcc: victim@example.com'])(
    'before anything is dialled when a name holds %j',
    async evil => {
      const sink = await sinkOf()
      const mailer = mailerOf({ host: '127.0.0.1', port: sink.port, security: 'none' })
      for (const changes of [{ to: { name: `Zoë${evil}`, address: 'zoe@example.org' } }, { subject: `Hi${evil}` }]) {
        await expect(mailer.send({ ...message, ...changes })).rejects.toThrow('line breaks')
      }
      expect(sink.connections()).toBe(0)
    },
  )
})

describe('security that does not match the server: the reply names the setting to change', () => {
  const other = testCertificate('DNS:other.example')
  const short = { ...patient, greetingMs: 150 }
  test.each([
    [
      'TLS at once on a plain port',
      { tls },
      { security: 'tls' },
      /wrong version number.*STARTTLS \(smtp:\/\/, usually port 587\)/,
    ],
    ['STARTTLS where none is offered', {}, { security: 'starttls' }, /offers no STARTTLS.*\?security=none.* It said: 500/],
    [
      'STARTTLS on a TLS port',
      { tls, implicitTls: true },
      { security: 'starttls', timeouts: short },
      /no greeting within 0\.\d s.*TLS \(smtps:\/\/\) if the port is 465/,
    ],
    [
      'no encryption on a TLS port',
      { tls, implicitTls: true },
      { security: 'none', timeouts: short },
      /no greeting within 0\.\d s.*TLS \(smtps:\/\/\) if the port is 465/,
    ],
    [
      'STARTTLS with a certificate of an unknown authority',
      { tls },
      { security: 'starttls', ca: undefined },
      /TLS: self.signed certificate/,
    ],
    [
      'TLS with a certificate of an unknown authority',
      { tls, implicitTls: true },
      { security: 'tls', ca: undefined },
      /TLS: self.signed certificate/,
    ],
    [
      'STARTTLS with a certificate for another name',
      { tls: other },
      { security: 'starttls', ca: other.cert, host: 'localhost' },
      /valid for localhost/,
    ],
    [
      'TLS with a certificate for another name',
      { tls: other, implicitTls: true },
      { security: 'tls', ca: other.cert, host: 'localhost' },
      /valid for localhost/,
    ],
  ] as [string, SmtpSinkOptions, Parameters<typeof sent>[1] & { ca?: string }, RegExp][])(
    '%s',
    async (_name, options, server, reply) => {
      const { verdict, sink } = await sent({ ...options, login }, { ca: tls.cert, ...login, ...server })
      expect(verdict).toMatchObject({ outcome: 'refused', permanent: false })
      expect(verdict.reply).toMatch(reply)
      expect(verdict.reply).not.toContain(password)
      expect([...sink.messages, ...sink.recipients]).toHaveLength(0)
    },
  )
})

describe('an unusable server causes a temporary refusal', () => {
  test('when it sends no greeting', async () => {
    const { verdict } = await sent({ silent: 'greeting' }, { timeouts: { ...patient, greetingMs: 100 } })
    expect(verdict).toMatchObject({
      outcome: 'refused',
      permanent: false,
      reply: expect.stringContaining('no greeting within 0.1 s'),
    })
  })

  test('when it sends nothing after the mail', async () => {
    const { verdict, sink } = await sent({ silent: 'data' }, { timeouts: { ...patient, socketMs: 800 } })
    expect(verdict).toMatchObject({
      outcome: 'refused',
      permanent: false,
      reply: expect.stringContaining('did not answer within 0.8 s'),
      timedOut: true,
    })
    expect(sink.recipients).toEqual(['zoe@example.org'])
  })

  test('when the whole mail takes too long', async () => {
    const { verdict } = await sent({ silent: 'data' }, { timeouts: { ...patient, totalMs: 300 } })
    expect(verdict).toMatchObject({
      outcome: 'refused',
      permanent: false,
      reply: expect.stringContaining('took longer than 0.3 s'),
      timedOut: true,
    })
  })

  test('when no server listens, and when the name does not exist', async () => {
    const sink = await openSmtpSink()
    await sink.close()
    const options = { port: sink.port, security: 'none', timeouts: patient } as const
    expect(await mailerOf({ host: '127.0.0.1', ...options }).send(message)).toEqual({
      outcome: 'refused',
      permanent: false,
      reply: `The mail server 127.0.0.1:${sink.port} refused the connection (ECONNREFUSED); check host and port.`,
      problem: 'connection_refused',
    })
    const verdict = await mailerOf({ host: 'mail.invalid', ...options }).send(message)
    expect(verdict).toMatchObject({
      outcome: 'refused',
      permanent: false,
      reply: expect.stringContaining('mail.invalid does not resolve'),
    })
  })

  test('when the mailer is closed during an attempt or before', async () => {
    const sink = await sinkOf({ silent: 'greeting' })
    const mailer = mailerOf({ host: '127.0.0.1', port: sink.port, security: 'none', timeouts: patient })
    const pending = mailer.send(message)
    while (sink.connections() === 0) await new Promise(resolve => setImmediate(resolve))
    mailer.close()
    expect(await pending).toMatchObject({ outcome: 'refused', permanent: false, reply: expect.stringContaining('stopped') })
    expect(await mailer.send(message)).toMatchObject({ outcome: 'refused', permanent: false })
    expect(sink.connections()).toBe(1)
  })
})

describe('the URL of a mail server', () => {
  test.each<[string, SmtpServer]>([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, security: 'starttls' }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, security: 'tls' }],
    ['smtp://mail.example.com?security=none', { host: 'mail.example.com', port: 25, security: 'none' }],
    ['smtp://mail.example.com/?security=tls', { host: 'mail.example.com', port: 465, security: 'tls' }],
    ['SMTP://10.0.0.1:2525', { host: '10.0.0.1', port: 2525, security: 'starttls' }],
    ['smtp://[::1]:25?security=none', { host: '::1', port: 25, security: 'none' }],
    ['smtp://bücher.example', { host: 'xn--bcher-kva.example', port: 587, security: 'starttls' }],
    ['smtp://user:p%40ss@host:587', { host: 'host', port: 587, security: 'starttls', user: 'user', password: 'p@ss' }],
    [
      'smtp://me@corp.example:p@s:s@host',
      { host: 'host', port: 587, security: 'starttls', user: 'me@corp.example', password: 'p@s:s' },
    ],
    ['smtp://user@host', { host: 'host', port: 587, security: 'starttls', user: 'user', password: '' }],
    [
      `smtps://u:${encodeURIComponent(`${password}+ ü`)}@host`,
      { host: 'host', port: 465, security: 'tls', user: 'u', password: `${password}+ ü` },
    ],
  ])('%s is parsed', (url, server) => {
    expect(parseSmtpUrl(url)).toEqual(server)
  })

  test.each([
    ['mail.example.com:587', 'must begin with'],
    ['http://mail.example.com', 'must begin with'],
    ['', 'must begin with'],
    ['smtp://', 'host'],
    ['smtp://:secret@', 'host|cannot be read'],
    ['smtp://:secret@host', 'no user name'],
    ['smtp://user:sec#ret@host:587', '%23'],
    ['smtp://user:12#ret@host:587', '%23'],
    ['smtp://user:sec/ret@host:587', '%2F'],
    ['smtp://user:12/secret@host:587', '%2F'],
    ['smtp://user:12?secret@host:587', '%3F'],
    ['smtp://user:100%secret@host:587', '%25'],
    ['smtp://user:sec ret@host:587', '%20'],
    ['smtp://user:secret@host:587\r\nx', 'line breaks'],
    ['smtp://user:secret@host:99999', 'cannot be read'],
    ['smtp://user:secret@host:0', 'port 0'],
    ['smtp://user:secret@host/path', 'end after the port'],
    ['smtp://user:secret@host?security=ssl', '\\?security=starttls'],
    ['smtp://user:secret@host?secure=tls', '\\?security=starttls'],
    ['smtp://user:secret@host?security=tls&security=none', '\\?security=starttls'],
    ['smtps://user:secret@host?security=none', 'smtp://'],
  ])('%j is refused in one sentence with the remedy and without a secret', (url, hint) => {
    const error = (() => {
      try {
        return parseSmtpUrl(url)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(Error)
    const text = error instanceof Error ? error.message : ''
    expect(text).toMatch(new RegExp(hint))
    expect(text).not.toMatch(/secret|sec#|ret@|12/)
    expect(text.match(/\.( |$)/g)).toHaveLength(1)
    expect(() => mailerOf({ url })).toThrow(text)
  })
})

test.each([
  ['250 2.0.0 Ok: queued as 4XyZ12abcD', '4XyZ12abcD'],
  ['250 OK id=1rAbCd-0002Xy-1K', '1rAbCd-0002Xy-1K'],
  ['250 Message Queued (5B1F0C1A-0000.1)', '5B1F0C1A-0000.1'],
  ['250 2.6.0 <abc@host> [InternalId=123, Hostname=x] 1234 bytes in 0.1, Queued mail for delivery', 'abc@host'],
  ['250 2.0.0 49Fh1234012345 Message accepted for delivery', '49Fh1234012345'],
  ['250 2.0.0 OK  1771234567 a1-20020a05sm1.2 - gsmtp', 'a1-20020a05sm1.2'],
  ['250 Ok', undefined],
  ['250 2.0.0 Message accepted', undefined],
])('from %j the queue id is %j', (reply, id) => {
  expect(queueIdOf(reply)).toBe(id)
})
