/** The pages under Settings in German: no text stays in English, errors included. */
import { expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { createAdmin } from '../../../src/accounts/people.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { renewSealCertificate } from '../../../src/settings/seal-certificate.ts'
import { type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { GRACE, signedIn } from '../../support/visitors.ts'

const t = useTestApp()

const toGerman = async (visitor: Visitor) => visitor.submit(await visitor.get('/documents'), { language: 'de' }, '/language')

/** Texts of two words at least, without what is the same in both languages. */
function textsOf({ html }: Page): Set<string> {
  const visible = html.replace(/<(style|script|code|select|option|pre)\b.*?<\/\1>/gs, '|')
  const attributes = [...visible.matchAll(/ (?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text = '']) => text)
  const texts = [...visible.split(/<[^>]+>/), ...attributes].map(text => text.trim())
  const data = /^(test|Webhooks) · |Grace|Organisation · |example\.com|O=|CN=|:[0-9A-F]{2}:|^\d|ECDSA|127\.0\.0\.1|B-B|mailbox/
  return new Set(texts.filter(text => /\p{L}{2}.*\s.*\p{L}/u.test(text) && !data.test(text)))
}

test('no text of two words is the same in both languages', async () => {
  await createAdmin(t.app, GRACE)
  await sentDocument(t)
  await createKey(t.app, SYSTEM.actor, { name: 'HR', scopes: [], expiresInDays: undefined })
  const visitor = await signedIn(t)
  await renewSealCertificate(t.app, SYSTEM)
  const [key] = await t.app.db.selectFrom('api_keys').select('id').execute()
  const { body: hook } = await t.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['document.sent'] })
  await sentDocument(t)
  const [delivery] = await t.app.db.selectFrom('deliveries').select('id').execute()
  const webhook = `/settings/webhooks/${hook.id}`
  const paths = [
    '/settings/tokens',
    '/settings/email',
    '/settings/seal/time-stamps',
    `/settings/tokens/${key?.id}`,
    `/settings/tokens/${key?.id}/revoke`,
    '/settings/webhooks',
    '/settings/webhooks/new',
    '/settings/webhooks/networks',
    webhook,
    ...['edit', 'rotate', 'delete', 'deliveries', `deliveries/${delivery?.id}`].map(page => `${webhook}/${page}`),
    '/settings/organisation',
    '/settings/seal',
    '/outbox',
  ]
  const read = async () => Promise.all(paths.map(async path => textsOf(await visitor.get(path))))
  const english = await read()
  await toGerman(visitor)
  const german = await read()
  for (const [i, path] of paths.entries()) {
    const same = [...(english[i] ?? [])].filter(text => german[i]?.has(text))
    expect([path, (english[i]?.size ?? 0) > 5, same]).toEqual([path, true, []])
  }
})

test('errors, notices and the result of a test page are German too', async () => {
  await createAdmin(t.app, GRACE)
  const visitor = await signedIn(t)
  await toGerman(visitor)
  const organisation = await visitor.get('/settings/organisation')
  const refused = textOf(await visitor.submit(organisation, { name: '' }, '/settings/organisation'))
  expect(refused).toContain('Bitte prüfen Sie Ihre Angaben: Name darf nicht leer sein.')
  const saved = await visitor.submit(organisation, { name: 'Muster GmbH' }, '/settings/organisation')
  expect(textOf(saved)).toContain('Die Angaben zur Organisation wurden gespeichert.')
  const seal = await visitor.get('/settings/seal')
  expect(textOf(await visitor.submit(seal, {}, '/seal/test'))).toContain('Die Testseite wurde gesiegelt. Ihr Siegel ist gültig')
  const wrong = { name: 'x.p12', bytes: Buffer.from('no key') }
  expect(textOf(await visitor.upload(seal, '/seal/import', wrong))).toContain('Die Datei ist beschädigt oder keine PKCS#12-Datei')
  const none = textOf(await visitor.upload(seal, '/seal/import', undefined))
  expect(none).toContain('Die Datei muss zuerst ausgewählt werden.')
  const tokens = await visitor.get('/settings/tokens')
  const nothing = textOf(await visitor.submit(tokens, { name: 'x', expiry: 'date', expiresOn: '2020-01-01' }, '/settings/tokens'))
  expect(nothing).toContain('Berechtigungen müssen gewählt werden: Sagen Sie, was das Programm darf.')
  expect(nothing).toContain('Letzter Tag muss ein Tag ab heute und innerhalb von zehn Jahren sein.')
  const made = textOf(await visitor.submit(tokens, { name: 'Lohn', access: 'everything' }, '/settings/tokens'))
  expect(made).toContain('Das API-Token „Lohn“ wurde erstellt.')
})
