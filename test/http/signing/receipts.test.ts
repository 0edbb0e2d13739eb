/** Receipts: who gets one, when and how, what they say, and that there is one alone. */
import { describe, expect, test } from 'bun:test'
import { receiptOf } from '../../../src/documents/evidence/receipts.ts'
import { find } from '../../../src/documents/queries.ts'
import { findContradiction, type Receipt, receiptIn, valuesHash } from '../../../src/evidence/receipt.ts'
import { readStatement } from '../../../src/evidence/signed-statement.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { saveOrganisation } from '../../../src/settings/organisation.ts'
import { describeSealCertificate } from '../../../src/settings/seal-certificate.ts'
import { textOf } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, ONE } from '../../support/sample.ts'
import { documentOf, eventsOf, openedDocument, sentDocument, signAs, signedDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const read = (text: string | Uint8Array): { receipt: Receipt; certificateSha256: string } => {
  const statement = readStatement(Buffer.from(text), { timestampTrust: [], now: t.clock.now })
  return { receipt: receiptIn(statement), certificateSha256: sha256Hex(statement.signer.der) }
}
const attachedTo = (subject: RegExp, address: string) => {
  const mail = t.mails.findLast(m => subject.test(m.subject) && m.to.address === address)
  return mail?.attachments?.filter(({ fileName }) => fileName.endsWith('.eml')) ?? []
}
const rows = () => t.sql<{ recipient_id: string; text: string }>('SELECT recipient_id, text FROM receipts')
const fromApi = async (id: string, recipientId: string) => t.api('GET', `/documents/${id}/recipients/${recipientId}/receipt`)

test('who signs gets it at once by mail, and it says what the log does', async () => {
  const id = await sentDocument(t)
  const signedPage = await signAs(t, ADA.email, 'Ada Lovelace')
  expect(textOf(signedPage)).toContain('Download your receipt')
  expect(await rows()).toEqual([])
  await t.drain()
  const [attachment, another] = attachedTo(/Your receipt: /, ADA.email)
  expect(another).toBeUndefined()
  expect(attachment).toMatchObject({
    fileName: expect.stringMatching(/ \(receipt\)\.eml$/),
    contentType: 'application/octet-stream',
  })
  const { receipt, certificateSha256 } = read(attachment?.content ?? '')
  const [signed] = await eventsOf(t, id, 'recipient.signed')
  const { title, sha256, recipients } = await documentOf(t, id)
  expect(certificateSha256).toBe((await describeSealCertificate(t.app.db)).sha256)
  expect(findContradiction(receipt)).toBeUndefined()
  expect(receipt).toMatchObject({
    instance: { id: t.app.instance.id, environment: 'test' },
    document: { id, title, sha256: sha256.original },
    signer: { recipientId: recipients[0].id, name: 'Ada Lovelace' },
    signedAt: signed.at,
    valuesSha256: valuesHash(signed.salt, signed.personal),
    consentSha256: sha256Hex(signed.personal.consentText),
    entry: { sequence: signed.sequence, hash: signed.hash, previousHash: signed.previousHash, text: signed.entry },
  })
  // Whoever reads the mail on its way learns no value from it.
  expect(Buffer.from(attachment?.content ?? '').toString()).not.toContain(signed.salt)
})

test('the last to sign gets no mail more than the sealed document, which has it too', async () => {
  const id = await sentDocument(t)
  await signAs(t, ADA.email, 'Ada Lovelace')
  await t.drain()
  await signAs(t, BOB.email, 'Bob Søndergård')
  await t.drain()
  expect(t.mails.filter(({ subject }) => /Your receipt/.test(subject)).map(({ to }) => to.address)).toEqual([ADA.email])
  for (const { email, name } of [ADA, BOB]) {
    const [attachment] = attachedTo(/Completed: /, email)
    expect(read(attachment?.content ?? '').receipt.signer.name).toBe(name)
  }
  expect(await rows()).toHaveLength(2)
  // Nothing of it is an event: the evidence of the document is as it was.
  expect((await eventsOf(t, id)).map(({ type }) => type)).not.toContain('recipient.receipt_mailed')
})

test('page, mail and API give the same file, and it is made once also where two ask at once', async () => {
  const { id, visitor, page } = await openedDocument(t)
  const done = await visitor.submit(page, { signature: 'Ada Lovelace', consent: 'on' }, '/finish')
  const href = /href="([^"]+\/receipt)"/.exec(done.html)?.[1] ?? ''
  const document = await find(t.app.db, id)
  const recipientId = document?.recipients[0]?.id ?? ''
  const both = document ? [receiptOf(t.app, document, recipientId), receiptOf(t.app, document, recipientId)] : []
  const [first, second] = await Promise.all(both)
  expect(second?.text).toBe(first?.text ?? '')
  const downloaded = await visitor.get(href)
  expect(downloaded.html).toBe(first?.text ?? '')
  expect(downloaded.headers.get('content-type')).toBe('message/rfc822')
  expect(downloaded.headers.get('content-disposition')).toContain('(receipt).eml')
  expect(downloaded.headers.get('cache-control')).toContain('no-store')
  await t.drain()
  expect(String(Buffer.from((await fromApi(id, recipientId)).body))).toBe(first?.text ?? '')
  expect(await rows()).toHaveLength(1)
})

test('made later, after the name of the organisation and the seal certificate, it says the same of the signature', async () => {
  const id = await sentDocument(t)
  await signAs(t, ADA.email, 'Ada Lovelace')
  await t.drain()
  const [{ text: before } = { text: '' }] = await rows()
  await t.sql('DELETE FROM receipts')
  await t.app.write(tx => saveOrganisation(tx, { name: 'Renamed Ltd', contact: undefined, timeZone: 'UTC' }))
  t.clock.pass({ days: 20 })
  const recipientId = (await documentOf(t, id)).recipients[0].id
  const { body } = await fromApi(id, recipientId)
  const [one, another] = [read(before).receipt, read(String(Buffer.from(body))).receipt]
  expect({ ...another, instance: undefined }).toEqual({ ...one, instance: undefined })
})

test('an approver gets one, a viewer, a decliner and who has not signed yet get none', async () => {
  const { recipients } = (await newDocument(ONE)) as { recipients: { fields: unknown[] }[] }
  const id = await sentDocument(t, {
    recipients: [
      { ...recipients[0], ...BOB, role: 'approver', fields: [] },
      { ...recipients[0], ...ADA },
      { name: 'Vera', email: 'vera@example.com', role: 'viewer', fields: [] },
    ],
  })
  await signAs(t, BOB.email, '')
  await t.drain()
  const mail = t.mails.findLast(({ subject }) => subject.includes('Your receipt'))
  expect(mail?.text).toContain('You have approved')
  const people = (await documentOf(t, id)).recipients as { id: string }[]
  const statuses = await Promise.all(people.map(async one => (await fromApi(id, one.id)).status))
  expect(statuses).toEqual([200, 404, 404])
  expect((await fromApi(id, 'rcp_00000000000000000000000000')).body.error?.message ?? '').toContain('has not signed or approved')
})

test('many who ask at once before there is one have one made', async () => {
  const id = await sentDocument(t)
  await signAs(t, ADA.email, 'Ada Lovelace')
  const recipientId = (await documentOf(t, id)).recipients[0].id
  const { sealKey } = t.app
  let signatures = 0
  t.app.sealKey = async () => {
    const key = await sealKey()
    return { ...key, sign: data => key.sign(data).finally(() => signatures++) }
  }
  const answers = await Promise.all(Array.from({ length: 30 }, () => fromApi(id, recipientId)))
  expect(new Set(answers.map(({ status, body }) => `${status} ${Buffer.from(body)}`)).size).toBe(1)
  expect(signatures).toBe(1)
})

describe('later', () => {
  test('while the seal certificate has ended, page and API say so, and nothing is stored', async () => {
    const id = await sentDocument(t)
    await signAs(t, ADA.email, 'Ada Lovelace')
    t.clock.pass({ days: 6 * 365 })
    const { status, body } = await fromApi(id, (await documentOf(t, id)).recipients[0].id)
    expect([status, body.error?.message]).toEqual([409, expect.stringContaining('try again later')])
    expect(await rows()).toEqual([])
  })

  test('a mail that the server refuses brings the same receipt with the next attempt, and is no event', async () => {
    const id = await sentDocument(t)
    await signAs(t, ADA.email, 'Ada Lovelace')
    t.mailVerdicts.push({ outcome: 'refused', permanent: false, reply: '451 4.7.1 Try again later' })
    await t.drain()
    const [{ text } = { text: '' }] = await rows()
    t.clock.pass({ minutes: 5 })
    await t.drain()
    expect(String(Buffer.from(attachedTo(/Your receipt: /, ADA.email)[0]?.content ?? ''))).toBe(text)
    const own = (await eventsOf(t, id)).filter(({ type }) => type.startsWith('recipient.email_'))
    expect(own).toHaveLength(2)
  })

  test('until the upgrade is finished no mail is queued that the release before could not make', async () => {
    const isUsable = t.app.features.isUsable.bind(t.app.features)
    t.app.features.isUsable = async (db, feature) => feature !== 'receiptMail' && isUsable(db, feature)
    const id = await sentDocument(t)
    await signAs(t, ADA.email, 'Ada Lovelace')
    await t.drain()
    expect(attachedTo(/Your receipt: /, ADA.email)).toEqual([])
    await signAs(t, BOB.email, BOB.name)
    await t.drain()
    expect((await documentOf(t, id)).status).toBe('completed')
    expect(attachedTo(/Completed: /, ADA.email)).toHaveLength(1)
  })
})

describe('gone', () => {
  test('with the document: row, mail and file of the outbox; and no copy is made of a deleted one', async () => {
    const id = await signedDocument(t)
    const document = await find(t.app.db, id)
    expect(await rows()).toHaveLength(1)
    expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
    expect(await rows()).toEqual([])
    if (document)
      await expect(receiptOf(t.app, document, document.recipients[0]?.id ?? '')).rejects.toMatchObject({ reason: 'not_found' })
  })
})
