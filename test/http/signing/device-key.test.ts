/** A key of the signer's own device signs in addition: what it signs, and what is refused. */
import { describe, expect, test } from 'bun:test'
import { generateKeyPairSync } from 'node:crypto'
import { type Page, textOf, type Visitor } from '../../support/browser-less.ts'
import { type AskedKey, askedBy, keyAskedBy, proofFor } from '../../support/device-key.ts'
import { ONE } from '../../support/sample.ts'
import { type Deviation, SoftAuthenticator } from '../../support/soft-authenticator.ts'
import { documentOf, eventsOf, openedDocument, SIGNED } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp({ env: { SIGNET_BASE_URL: 'https://sign.example.com' } })
const ORIGIN = () => t.app.config.baseUrl
const authenticator = () => new SoftAuthenticator(ORIGIN(), new URL(ORIGIN()).hostname)

const wants = { ...SIGNED, deviceKey: 'on' }
const ask = (visitor: Visitor, page: Page, entered: Record<string, string> = wants) => visitor.submit(page, entered, '/finish')
const answer = (visitor: Visitor, page: Page, deviceKeyProof: string) => visitor.submit(page, { deviceKeyProof }, '/finish')
const statusOf = async (id: string) => (await documentOf(t, id)).recipients[0].status
/** Another has to sign too, so that the latest mail is the invitation. */
const OFFERED = {}
const REQUIRED = { deviceKey: 'required' }

describe('a key of the device', () => {
  test('signs the statement of what is signed, and the entry of the audit log has all of it', async () => {
    const { id, visitor, page } = await openedDocument(t, OFFERED)
    const device = authenticator()
    const step = await ask(visitor, page)
    expect(await statusOf(id)).toBe('viewed')
    const done = await answer(visitor, step, proofFor(askedBy(step), device))
    expect([done.status, await statusOf(id)]).toEqual([200, 'signed'])
    const [signed] = await eventsOf(t, id, 'recipient.signed')
    expect(signed.data.deviceKey).toEqual({ origin: ORIGIN(), userVerified: true, crossOrigin: false })
    expect(signed.personal.deviceKey).toMatchObject({
      publicKey: device.publicKey,
      facts: { instance: t.app.instance.id, documentId: id, origin: ORIGIN(), userVerification: 'preferred' },
    })
  })

  test('is asked for where it is required, and nobody signs without one', async () => {
    const { id, visitor, page } = await openedDocument(t, REQUIRED)
    const step = await ask(visitor, page, SIGNED)
    expect(askedBy(step).userVerification).toBe('required')
    expect(textOf(step)).not.toContain('Sign without a key')
    expect(await statusOf(id)).toBe('viewed')
    const done = await answer(visitor, step, proofFor(askedBy(step), authenticator()))
    expect([done.status, await statusOf(id)]).toEqual([200, 'signed'])
  })

  test('is not asked of who does not take the offer, of whom it is switched off for, nor after the signature', async () => {
    const offered = await openedDocument(t, OFFERED)
    expect(keyAskedBy(await ask(offered.visitor, offered.page, SIGNED))).toBeUndefined()
    expect(await statusOf(offered.id)).toBe('signed')
    const off = await openedDocument(t, {
      recipients: [{ ...ONE.recipients[0], deviceKey: 'off' }],
      deviceKey: 'required',
    })
    expect(off.page.html).not.toContain('data-device-key-offer')
    expect(keyAskedBy(await ask(off.visitor, off.page))).toBeUndefined()
    expect(await statusOf(off.id)).toBe('signed')
  })

  test('of before is offered to the same person again', async () => {
    const device = authenticator()
    const first = await openedDocument(t, OFFERED)
    const step = await ask(first.visitor, first.page)
    await answer(first.visitor, step, proofFor(askedBy(step), device))
    const second = await openedDocument(t, OFFERED)
    const again = await ask(second.visitor, second.page)
    expect(again.html).toContain(`data-credential="${device.id}"`)
    expect(again.html).toContain(`data-public-key="${device.publicKey}"`)
  })
})

describe('the device is asked once more, and nobody has signed, after a signature', () => {
  async function refuses(proof: (asked: AskedKey, device: SoftAuthenticator) => string): Promise<void> {
    const { id, visitor, page } = await openedDocument(t, REQUIRED)
    const device = authenticator()
    const step = await ask(visitor, page)
    const refused = await answer(visitor, step, proof(askedBy(step), device))
    expect([refused.status, await statusOf(id)]).toEqual([422, 'viewed'])
    expect(textOf(refused)).toContain('The signature of your device does not fit')
    // The new page leads on.
    await answer(visitor, refused, proofFor(askedBy(refused), device))
    expect(await statusOf(id)).toBe('signed')
  }

  const wrong: [string, Deviation][] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another host', { host: 'evil.example' }],
    ['without user verification', { isVerified: false }],
    ['without anybody present', { isPresent: false }],
    ['of the creation of a key', { type: 'webauthn.create' }],
    ['by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ]
  for (const [what, deviation] of wrong) test(what, () => refuses((asked, device) => proofFor(asked, device, deviation)))

  test('over another challenge', () => refuses((asked, device) => proofFor({ ...asked, challenge: 'AAAA' }, device)))
  test('whose time was changed', () =>
    refuses((asked, device) => JSON.stringify({ ...JSON.parse(proofFor(asked, device)), at: '2020-01-01T00:00:00.000Z' })))
  test('for another log', () =>
    refuses((asked, device) => JSON.stringify({ ...JSON.parse(proofFor(asked, device)), previousHash: 'ab'.repeat(32) })))
  test('that cannot be read', () => refuses(() => '{"credentialId":'))

  test('that is replayed for another document', async () => {
    const device = authenticator()
    const first = await openedDocument(t, REQUIRED)
    const step = await ask(first.visitor, first.page)
    const proof = proofFor(askedBy(step), device)
    await answer(first.visitor, step, proof)
    const second = await openedDocument(t, REQUIRED)
    const refused = await answer(second.visitor, await ask(second.visitor, second.page), proof)
    expect([refused.status, await statusOf(second.id)]).toEqual([422, 'viewed'])
  })

  test('over other entries than those that are sent', async () => {
    const { id, visitor, page } = await openedDocument(t, REQUIRED)
    const step = await ask(visitor, page)
    const proof = proofFor(askedBy(step), authenticator())
    const refused = await visitor.submit(step, { deviceKeyProof: proof, signature: 'Somebody Else' }, '/finish')
    expect([refused.status, await statusOf(id)]).toEqual([422, 'viewed'])
  })

  test('that is older than a quarter of an hour', async () => {
    const { id, visitor, page } = await openedDocument(t, REQUIRED)
    const step = await ask(visitor, page)
    const proof = proofFor(askedBy(step), authenticator())
    t.clock.pass({ minutes: 16 })
    const refused = await answer(visitor, step, proof)
    expect([refused.status, await statusOf(id)]).toEqual([422, 'viewed'])
  })
})
