/** Who gets notices: the owner, else the organisation’s contact, else the administrators. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createAdmin } from '../../src/accounts/people.ts'
import { saveOrganisation } from '../../src/settings/organisation.ts'
import { openVisitor, textOf } from '../support/browser-less.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const CONTACT = 'office@acme.example'
const CAROL = { name: 'Carol King', email: 'carol@example.com' }
const PASSWORD = 'four sound words here'
/** Words by which a page would claim that a mail was sent to the sender. */
const CLAIMS = /\b(t(?:old|ells?)|notif(?:ied|y)|inform(?:ed|s)?)\b/i
const ONE = { recipients: [{ ...ADA, fields: [SIGNATURE] }] }

let t: TestApp
let sealError: Error | undefined
beforeEach(async () => {
  sealError = undefined
  const tools = pdfTools()
  t = await openTestApp({
    pdf: { ...tools, prepare: order => (sealError ? Promise.reject(sealError) : tools.prepare(order)) },
  })
})
afterEach(() => t.close())

/** Stories of a document made by a key without an owner, up to its mails. */
const STORIES: Record<string, () => Promise<unknown>> = {
  completed: async () => {
    await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada')
  },
  declined: async () => {
    await sentDocument(t, ONE)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    return visitor.submit(page, { reason: 'not mine' }, '/decline')
  },
  voided: async () => t.api('POST', `/documents/${await sentDocument(t, ONE)}/void`, { reason: 'wrong file' }),
  expired: async () => {
    const expiresAt = new Date(t.clock.now.getTime() + 3_600_000).toISOString()
    await sentDocument(t, { ...ONE, expiresAt })
    t.clock.pass({ hours: 2 })
    const { expireDue } = await import('../../src/documents/upkeep.ts')
    await expireDue(t.app)
  },
  delegated: async () => {
    await sentDocument(t, ONE)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    return visitor.submit(page, CAROL, '/delegate')
  },
  access_code_locked: async () => {
    await sentDocument(t, { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] })
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    for (const waitS of [0, 0, 5, 30, 300]) {
      t.clock.pass({ seconds: waitS })
      await visitor.submit(landing, { accessCode: 'wrong' })
    }
  },
  mail_failed: async () => {
    t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 5.1.1 no such user' })
    await sentDocument(t, ONE)
  },
  sealing_failed: async () => {
    sealError = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada')
  },
}

const noticesTo = async (address: string) => {
  await t.drain()
  const rows = await t.app.db.selectFrom('mails').selectAll().where('recipient_id', 'is', null).execute()
  const others = rows.filter(row => row.recipient_email !== address)
  expect(others.map(row => row.recipient_email)).toEqual([])
  return rows.map(row => row.kind)
}

const settings = { name: 'Acme', timeZone: 'UTC' }
const withContact = () => t.app.write(tx => saveOrganisation(tx, { ...settings, contact: CONTACT }))

describe('of a document made by a key without an owner', () => {
  test.each(Object.keys(STORIES))('%s is mailed to the organisation’s contact', async kind => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: PASSWORD })
    await withContact()
    await STORIES[kind]?.()
    expect(await noticesTo(CONTACT)).toEqual([kind])
    const notice = t.mails.findLast(m => m.to.address === CONTACT)
    expect(notice?.to.name).toBe('Acme')
    expect(notice?.text).not.toContain('/s/')
    expect(notice?.text).toContain('http://127.0.0.1:3000/documents/doc_')
    expect(notice?.text).not.toContain(`Ask ${CONTACT}`)
  })

  test.each(Object.keys(STORIES))('%s is mailed to the administrators where no contact is set', async kind => {
    await createAdmin(t.app, { email: 'grace@example.com', name: 'Grace', password: PASSWORD })
    await STORIES[kind]?.()
    expect(await noticesTo('grace@example.com')).toEqual([kind])
  })

  test('without contact and administrator no notice is mailed, and no page claims one', async () => {
    await sentDocument(t, ONE)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    expect(textOf(page)).not.toMatch(CLAIMS)
    const declined = await visitor.submit(page, { reason: 'not mine' }, '/decline')
    expect(textOf(declined)).toContain('The sender can read your reason.')
    expect(textOf(declined)).not.toMatch(CLAIMS)
    expect(await noticesTo('nobody')).toEqual([])
  })
})

test('the notice of a failed mail names the recipient, the server’s answer and the remedy', async () => {
  await withContact()
  await STORIES.mail_failed?.()
  await t.drain()
  const text = t.mails.findLast(m => m.to.address === CONTACT)?.text
  expect(text).toContain('The e-mail to Ada Lovelace about “agreement” could not be delivered.')
  expect(text).toContain('550 5.1.1 no such user')
  expect(text).toContain('Please check the address.')
})

test('a failed notice causes no further notice', async () => {
  await withContact()
  const refused = { outcome: 'refused', permanent: true, reply: '550 no' } as const
  t.mailVerdicts.push(refused, refused)
  await sentDocument(t, ONE)
  expect(await noticesTo(CONTACT)).toEqual(['mail_failed'])
})

test('the notice of a failed seal names the cause', async () => {
  await withContact()
  await STORIES.sealing_failed?.()
  await t.drain()
  const text = t.mails.findLast(m => m.to.address === CONTACT)?.text
  expect(text).toContain('it could not be sealed yet. Nobody has to sign again')
  expect(text).toContain('The disk is full or failing')
})
