/** An installation with one of each kind of secret, and what can be done only with them. */
import { expect } from 'bun:test'
import { userByEmail } from '../../src/accounts/queries.ts'
import { enrolmentSecret, startEnrolment, verifySecondFactor } from '../../src/accounts/second-factor.ts'
import { testSealKey } from '../../src/documents/sealing/test-page.ts'
import type { SecretBox } from '../../src/lib/secret-box.ts'
import { newSecret, sign } from '../../src/lib/webhook-signature.ts'
import { reserve, settle } from '../../src/outbox/idempotency.ts'
import { type App, SYSTEM } from '../../src/ports.ts'
import { saveSecret, sealedBytes, sealedKeys, sealRoots } from '../../src/settings/queries.ts'
import { createSealKeyLoader } from '../../src/settings/seal-certificate.ts'
import { openRoot } from '../../src/settings/seal-root.ts'
import { nameOfRow, SEALED, type SealedColumn, secretName } from '../../src/settings/sealed.ts'
import { changeServiceSettings, readServiceSetting } from '../../src/settings/service-settings.ts'
import { formerSecrets, insertFormerSecret, insertWebhook, webhookById } from '../../src/webhooks/queries.ts'
import { addPerson } from './accounts.ts'
import { type Authenticator, withSecondFactor } from './second-factor.ts'

const SMTP_URL = 'smtps://signet:a-mail-password@mail.example.com:465'
const [SECRET, FORMER_SECRET] = [1, 2].map(byte => newSecret(Buffer.alloc(32, byte))) as [string, string]
const WEBHOOK = `whk_${'1'.repeat(26)}`
const RESERVATION = { owner: 'instance', value: 'order-17', fingerprint: 'f' }
const PASSPHRASE = 'a pass-phrase of the backups'
const DAY_MS = 86_400_000
const BOB = 'bob@example.com'

export interface OneOfEach {
  authenticator: Authenticator
  /** What the enrolment of a second person shows. */
  enrolment: string | undefined
  linkKey: string
}

export async function addOneOfEach(app: App): Promise<OneOfEach> {
  await addPerson({ app, clock: { now: app.now(), pass() {} } }, 'Ada', 'admin')
  const bob = await addPerson({ app, clock: { now: app.now(), pass() {} } }, 'Bob', 'member')
  const authenticator = await withSecondFactor(app, 'ada@example.com')
  await startEnrolment(app, bob.id)
  const seal = (name: ReturnType<typeof secretName>, text: string) => app.secrets.encrypt(name, Buffer.from(text))
  const webhookName = secretName('webhook', WEBHOOK)
  const reservation = { ...RESERVATION, boot: app.node.boot }
  await reserve(app, reservation)
  await app.write(async tx => {
    await changeServiceSettings(tx, app, SYSTEM, { smtpUrl: SMTP_URL })
    await saveSecret(tx, 'backups.passphrase', seal(secretName('stored', 'backups.passphrase'), PASSPHRASE))
    await insertWebhook(tx, {
      id: WEBHOOK,
      ownerId: undefined,
      url: 'https://hooks.example.com/signet',
      description: undefined,
      events: ['*'],
      enabled: true,
      disabledReason: undefined,
      sealedSecret: seal(webhookName, SECRET),
      secretLastFour: SECRET.slice(-4),
      lastSuccessAt: undefined,
      failuresFrom: undefined,
      createdAt: app.now(),
    })
    await insertFormerSecret(tx, WEBHOOK, seal(webhookName, FORMER_SECRET), new Date(app.now().getTime() + DAY_MS))
    await settle(tx, app, reservation, { status: 201, body: '{"secret":"whsec_shown_once"}' })
  })
  return { authenticator, enrolment: await enrolmentOf(app), linkKey: Buffer.from(app.linkKey).toString('hex') }
}

async function enrolmentOf(app: App): Promise<string | undefined> {
  const bob = await userByEmail(app.db, BOB)
  return bob && (await enrolmentSecret(app, bob))?.text
}

/** Uses every secret as the product does. `step`: TOTP codes are accepted once. */
export async function expectAllInUse(app: App, { authenticator, enrolment, linkKey }: OneOfEach, step: number): Promise<void> {
  const ada = await userByEmail(app.db, 'ada@example.com')
  if (!ada) throw new Error('Ada is gone')
  const attempt = { entered: authenticator.code(step * 30), source: { address: undefined }, origin: SYSTEM }
  const later = { ...app, now: () => new Date(app.now().getTime() + step * 30_000) }
  expect(await verifySecondFactor(later, ada, attempt)).toBe('totp')
  expect(enrolment).toBeString()
  expect(await enrolmentOf(app)).toBe(enrolment)
  expect(Buffer.from(app.linkKey).toString('hex')).toBe(linkKey)
  expect((await readServiceSetting(app, 'smtpUrl')) as unknown).toMatchObject({ password: 'a-mail-password' })
  const read = async (name: string) =>
    (await app.db.selectFrom('secrets').selectAll().where('name', '=', name).executeTakeFirst())?.sealed
  const passphrase = app.secrets.decrypt(
    secretName('stored', 'backups.passphrase'),
    (await read('backups.passphrase')) ?? Buffer.of(),
  )
  expect(passphrase.toString()).toBe(PASSPHRASE)
  expect(await signatureOf(app)).toBe(sign({ ...DELIVERY, secrets: [SECRET, FORMER_SECRET] })['webhook-signature'])
  const answer = await reserve(app, { ...RESERVATION, boot: app.node.boot })
  expect(answer).toEqual({ status: 201, body: '{"secret":"whsec_shown_once"}' })
  const [root] = await sealRoots(app.db)
  expect(root && openRoot(app, root).privateKeyPkcs8Der.length).toBeGreaterThan(50)
  expect(await testSealKey(app, await createSealKeyLoader(app)())).toBeUndefined()
}

const DELIVERY = { id: 'msg_1', timestamp: 1_700_000_000, body: '{}' }

async function signatureOf(app: App): Promise<string> {
  const webhook = await webhookById(app.db, WEBHOOK)
  const sealed = [webhook?.sealedSecret ?? Buffer.of(), ...(await formerSecrets(app.db, WEBHOOK, app.now()))]
  const secrets = sealed.map(bytes => app.secrets.decrypt(secretName('webhook', WEBHOOK), bytes).toString())
  return sign({ ...DELIVERY, secrets })['webhook-signature']
}

/** How many secrets of each kind this key opens, of how many. */
export function openedBy(app: App, box: SecretBox): Promise<Record<string, string>> {
  return app.write(async tx => {
    const counts: Record<string, string> = {}
    for (const [kind, column] of Object.entries(SEALED) as [string, SealedColumn][]) {
      let [opened, all] = [0, 0]
      for (const keys of await sealedKeys(tx, column)) {
        for (const sealed of await sealedBytes(tx, column, keys)) {
          all++
          if (box.opens(nameOfRow(column, keys), sealed)) opened++
        }
      }
      counts[kind] = `${opened} of ${all}`
    }
    return counts
  })
}
