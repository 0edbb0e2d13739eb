/** Settings → E-mail by forms alone, with real mail servers on loopback. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfiguredMailer } from '../../../src/outbox/configured-mailer.ts'
import { saveSetting } from '../../../src/settings/queries.ts'
import { readServiceSettings } from '../../../src/settings/service-settings.ts'
import { formsOf, type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { openSmtpSink, type SmtpSink, type SmtpSinkOptions } from '../../support/smtp-sink.ts'
import { sentDocument } from '../../support/story.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'
import { testCertificate } from '../../support/test-certificate.ts'
import { GRACE, newAdministrator } from '../../support/visitors.ts'

const MAIL = '/settings/email'
const TEST = '/settings/email/test'
const LOGIN = { user: 'signet', password: 'Hunter2 Hunter2' }
const CERTIFICATE = testCertificate('IP:127.0.0.1')
const FOREIGN = testCertificate('DNS:mail.example.com')

let t: TestApp
let visitor: Visitor
const sinks: SmtpSink[] = []
beforeEach(async () => {
  t = await openTestApp()
  visitor = await newAdministrator(t)
})
afterEach(async () => {
  await t.close()
  for (const sink of sinks.splice(0)) await sink.close()
})

async function server(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const sink = await openSmtpSink(options)
  sinks.push(sink)
  return sink
}

const ENTERED = {
  host: '127.0.0.1',
  security: 'none',
  user: '',
  smtpPassword: '',
  ca: '',
  senderName: '',
  senderAddress: 'sign@acme.example',
  bulkMailsPerMinute: '60',
}
const save = async (values: Partial<typeof ENTERED> & { port: string | number }): Promise<Page> =>
  visitor.submit(await visitor.get(MAIL), { ...ENTERED, ...values, port: String(values.port) }, MAIL)
const sendTest = async () => visitor.submit(await visitor.get(MAIL), {}, TEST)
/** Saves and tests; the words of the page. */
const tested = async (values: Parameters<typeof save>[0]) => {
  const saved = await save(values)
  expect(textOf(saved)).toContain('The settings were saved.')
  return textOf(await sendTest())
}
const valuesIn = (page: Page) => formsOf(page.html).find(({ action }) => action === MAIL)?.values ?? {}

describe('a mail server', () => {
  test('is saved, shown again without its password, and used for the next mail', async () => {
    t.app.mailer = new ConfiguredMailer(t.app)
    const sink = await server({ tls: CERTIFICATE, login: LOGIN })
    const values = { port: sink.port, security: 'starttls', user: LOGIN.user, smtpPassword: LOGIN.password, ca: CERTIFICATE.cert }
    const page = await save({ ...values, senderName: 'Acme' })
    expect(valuesIn(page)).toMatchObject({ host: '127.0.0.1', user: 'signet', senderName: 'Acme', smtpPassword: '' })
    expect(page.html).not.toContain('Hunter2')
    expect(textOf(page)).toContain('These settings have not been tested since they were changed')
    await sentDocument(t)
    await t.drain()
    expect(sink.messages.length).toBeGreaterThan(0)
    expect(sink.messages[0]).toMatchObject({ from: 'sign@acme.example', secure: true, user: 'signet' })
  })

  test('keeps its password while server and user name are the same, and only then', async () => {
    const sink = await server({ login: LOGIN })
    const login = { port: sink.port, user: LOGIN.user }
    await save({ ...login, smtpPassword: LOGIN.password })
    await save({ ...login, senderName: 'Acme' })
    expect((await readServiceSettings(t.app)).smtpUrl.value).toMatchObject(LOGIN)
    const other = await save({ ...login, host: 'localhost' })
    expect(textOf(other)).toContain('Password must be entered for this server and user name.')
    expect((await save({ ...login, port: 2525 })).status).toBe(422)
    expect((await save({ ...login, port: sink.port, security: 'none' })).status).toBe(200)
    expect((await save({ ...login, security: 'starttls', smtpPassword: LOGIN.password })).status).toBe(200)
    expect((await save({ ...login, security: 'none' })).status).toBe(422)
    expect((await readServiceSettings(t.app)).smtpUrl.value).toMatchObject({ host: '127.0.0.1' })
  })

  test('that is entered wrongly has an error at each field', async () => {
    const page = await save({ host: 'smtp://mail.example.com', port: 'x', smtpPassword: 'p', senderAddress: 'acme', ca: 'PEM' })
    for (const field of ['host', 'port', 'user', 'senderAddress', 'ca']) expect(page.html).toContain(`href="#${field}"`)
    expect(valuesIn(page)).toMatchObject({ host: 'smtp://mail.example.com', senderAddress: 'acme' })
  })

  test('whose file of root certificates is missing gets no mail, and the page names the file and what to do', async () => {
    const sink = await server({ tls: CERTIFICATE, implicitTls: true })
    await save({ port: sink.port, security: 'tls' })
    const path = join(t.folder, 'roots.pem')
    t.app.config.fixed.smtpCaFile = path
    const words = textOf(await sendTest())
    expect(words).toContain(`${path}, named by SIGNET_SMTP_CA_FILE, cannot be read (ENOENT).`)
    expect(words).toContain('or correct the variable')
    writeFileSync(path, 'no certificate')
    expect(textOf(await sendTest())).toContain('contains no certificate in PEM')
    t.app.mailer = new ConfiguredMailer(t.app)
    await sentDocument(t)
    await t.drain()
    expect([sink.messages, sink.connections()]).toEqual([[], 0])
    // It was not given up.
    writeFileSync(path, CERTIFICATE.cert)
    t.clock.pass({ hours: 1 })
    await t.drain()
    expect(sink.messages.length).toBeGreaterThan(0)
  })

  test('of the environment is shown as fixed there, and a form changes the rest alone', async () => {
    t.app.config.fixed.smtpUrl = 'smtps://ada:geheim@mail.example.com'
    const page = await visitor.get(MAIL)
    expect(textOf(page)).toContain('Set by SIGNET_SMTP_URL')
    expect(page.html).toMatch(/<input[^>]*name="host"[^>]*disabled/)
    expect(page.html).not.toContain('geheim')
    await save({ host: 'other.example.com', port: 25, senderAddress: 'new@acme.example' })
    const { smtpUrl, mailFrom } = await readServiceSettings(t.app)
    expect([smtpUrl.source, mailFrom.value.address]).toEqual(['environment', 'new@acme.example'])
  })

  test('has a rate for the mails of batches, which is a number', async () => {
    expect(valuesIn(await visitor.get(MAIL)).bulkMailsPerMinute).toBe('60')
    expect(textOf(await save({ port: 25, bulkMailsPerMinute: '0' }))).toContain('must be a number from 1 to 6000')
    await save({ port: 25, bulkMailsPerMinute: '300' })
    expect((await readServiceSettings(t.app)).bulkMailsPerMinute.value).toBe(300)
    t.app.config.fixed.bulkMailsPerMinute = '12'
    expect(textOf(await visitor.get(MAIL))).toContain('Set by SIGNET_BULK_MAILS_PER_MINUTE')
  })

  test('is not needed to save the form as it was shown, but needs a sender; one of the release before stays', async () => {
    const { senderAddress: shown = '' } = valuesIn(await visitor.get(MAIL))
    expect(shown).toBe('')
    expect(textOf(await save({ host: '', port: 587, senderAddress: shown, bulkMailsPerMinute: '30' }))).toContain('were saved.')
    const service = await readServiceSettings(t.app)
    expect([service.bulkMailsPerMinute.value, service.mailFrom.source]).toEqual([30, 'default'])
    expect((await save({ port: 25, senderAddress: shown })).html).toContain('href="#senderAddress"')
    await t.app.write(tx => saveSetting(tx, 'service.mailFrom', 'Acme <sign@intranet>'))
    const former = valuesIn(await visitor.get(MAIL))
    expect([former.senderName, former.senderAddress]).toEqual(['Acme', 'sign@intranet'])
    const sender = { senderName: 'Acme', senderAddress: 'sign@intranet' }
    expect(textOf(await save({ port: 25, ...sender }))).toContain('were saved.')
  })
})

describe('mails', () => {
  test('that the server refused for now are sent when the settings change', async () => {
    t.app.mailer = new ConfiguredMailer(t.app)
    const closed = await server()
    await closed.close()
    await save({ port: closed.port })
    await sentDocument(t)
    await t.drain()
    const sink = await server()
    await save({ port: sink.port })
    await t.drain()
    expect(sink.recipients.length).toBeGreaterThan(0)
  })

  test('go into the outbox folder again when the server is removed', async () => {
    t.app.mailer = new ConfiguredMailer(t.app)
    const sink = await server()
    await save({ port: sink.port })
    await save({ host: '', port: 587 })
    await sentDocument(t)
    await t.drain()
    expect(sink.messages).toEqual([])
    expect(textOf(await visitor.get('/outbox'))).toContain('In the outbox folder')
  })
})

describe('a test', () => {
  test('goes to the administrator and shows the words of the server; the page says since when it works', async () => {
    const sink = await server()
    const words = await tested({ port: sink.port })
    expect(words).toContain('The mail server accepted an e-mail to grace@example.com')
    expect(words).toContain('250 2.0.0 Ok: queued as SINK1')
    expect(sink.messages.map(({ to }) => to)).toEqual([[GRACE.email]])
    expect(textOf(await visitor.get(MAIL))).toContain('the server accepted an e-mail to grace@example.com.')
    await save({ port: sink.port, senderName: 'Acme' })
    expect(textOf(await visitor.get(MAIL))).toContain('have not been tested since they were changed')
  })

  test('passes by STARTTLS and by TLS with a certificate of one’s own', async () => {
    const starttls = await server({ tls: CERTIFICATE })
    expect(await tested({ port: starttls.port, security: 'starttls', ca: CERTIFICATE.cert })).toContain('accepted an e-mail')
    const tls = await server({ tls: CERTIFICATE, implicitTls: true })
    expect(await tested({ port: tls.port, security: 'tls', ca: CERTIFICATE.cert })).toContain('accepted an e-mail')
    expect([starttls, tls].map(({ messages }) => messages.map(({ secure }) => secure))).toEqual([[true], [true]])
  })

  const REFUSED: [name: string, options: SmtpSinkOptions, values: Partial<typeof ENTERED>, words: string[]][] = [
    [
      'a login that is refused',
      { login: LOGIN },
      { user: 'signet', smtpPassword: 'wrong-one' },
      ['The server refused the login.', '535 5.7.8 Authentication credentials invalid', 'app password'],
    ],
    [
      'a certificate that is not trusted',
      { tls: CERTIFICATE },
      { security: 'starttls' },
      ['The certificate of the server is not trusted.', 'paste its root certificate'],
    ],
    [
      'a certificate of another name',
      { tls: FOREIGN },
      { security: 'starttls', ca: FOREIGN.cert },
      ['The certificate of the server is not trusted.', 'as its certificate has it'],
    ],
    [
      'STARTTLS that is not offered',
      {},
      { security: 'starttls' },
      ['offers no encryption by STARTTLS', 'Try TLS with port 465.'],
    ],
    ['TLS where there is none', {}, { security: 'tls' }, ['does not speak TLS from the start', 'Try STARTTLS with port 587.']],
    [
      'a sender that is refused',
      { refuseSender: { code: 553, message: '5.7.1 Sender not owned by you' } },
      {},
      ['The server refused the address of the sender.', '553 5.7.1 Sender not owned by you'],
    ],
    ['a name that does not exist', {}, { host: 'mail.invalid' }, ['There is no server of this name.']],
  ]
  test.each(REFUSED)('names %s, in the words of the server, with what to try', async (_name, options, values, words) => {
    const sink = await server(options)
    const shown = await tested({ port: sink.port, ...values })
    for (const word of words) expect(shown).toContain(word)
    expect(shown).toContain('What to try')
    expect(shown).not.toContain('wrong-one')
    expect(textOf(await visitor.get(MAIL))).toContain('have not been tested')
  })

  test('of a server that nobody runs says so', async () => {
    const sink = await server()
    await sink.close()
    expect(await tested({ port: sink.port })).toContain('Nothing listens at this port of the server.')
  })
})
