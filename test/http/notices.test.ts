/** Who gets notices: the owner, else the organisation’s contact, else the administrators. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createKey } from '../../src/accounts/keys.ts'
import { disablePerson, removePerson } from '../../src/accounts/manage.ts'
import { createAdmin } from '../../src/accounts/people.ts'
import { insertUser, setUserLanguage, userByEmail } from '../../src/accounts/queries.ts'
import { handOver } from '../../src/documents/lifecycle/hand-over.ts'
import { SYSTEM } from '../../src/ports.ts'
import { saveOrganisation } from '../../src/settings/organisation.ts'
import { openVisitor, type Page, textOf } from '../support/browser-less.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { ADA, newDocument, ONE, SIGNATURE } from '../support/sample.ts'
import { configure, linkTo, openedDocument, openLinkAs, sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { GRACE } from '../support/visitors.ts'

const CONTACT = 'office@acme.example'
const CAROL = { name: 'Carol King', email: 'carol@example.com' }
/** Words by which a page would claim that a mail was sent to the sender. */
const CLAIMS = /\b(t(?:old|ells?)|notif(?:ied|y)|inform(?:ed|s)?)\b/i

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

async function enterWrongCodes(link: string): Promise<void> {
  const visitor = openVisitor(t.fetch)
  const landing = await visitor.get(link)
  for (const waitS of [0, 0, 5, 30, 300]) {
    t.clock.pass({ seconds: waitS })
    await visitor.submit(landing, { accessCode: 'wrong' })
  }
}

/** Stories of a document made by a key without an owner, up to its mails. */
const STORIES: Record<string, () => Promise<unknown>> = {
  completed: async () => {
    await sentDocument(t, ONE)
    await signAs(t, ADA.email, 'Ada')
  },
  declined: async () => {
    const { visitor, page } = await openedDocument(t)
    return visitor.submit(page, { reason: 'not mine' }, '/decline')
  },
  voided: async () => t.api('POST', `/documents/${await sentDocument(t, ONE)}/void`, { reason: 'wrong file' }),
  expired: async () => {
    const expiresAt = new Date(t.clock.now.getTime() + 3_600_000).toISOString()
    await sentDocument(t, { ...ONE, expiresAt })
    t.clock.pass({ hours: 2 })
    const { expireDue } = await import('../../src/documents/lifecycle/upkeep.ts')
    await expireDue(t.app)
  },
  delegated: async () => {
    const { visitor, page } = await openedDocument(t)
    return visitor.submit(page, CAROL, '/delegate')
  },
  access_code_locked: async () => {
    await sentDocument(t, { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] })
    await enterWrongCodes(linkTo(t, ADA.email))
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

/** About documents. Nobody else gets one. */
const noticesTo = async (address: string) => {
  await t.drain()
  const toSenders = t.app.db.selectFrom('mails').selectAll().where('recipient_id', 'is', null)
  const rows = await toSenders.where('document_id', 'is not', null).execute()
  const others = rows.filter(row => row.recipient_email !== address)
  expect(others.map(row => row.recipient_email)).toEqual([])
  return rows.map(row => row.kind)
}

const settings = { name: 'Acme', timeZone: 'UTC' }
const withContact = () => t.app.write(tx => saveOrganisation(tx, { ...settings, contact: CONTACT }))

describe('of a document made by a key without an owner', () => {
  test.each(Object.keys(STORIES))('%s is mailed to the organisation’s contact', async kind => {
    await createAdmin(t.app, GRACE)
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
    await createAdmin(t.app, GRACE)
    await STORIES[kind]?.()
    expect(await noticesTo(GRACE.email)).toEqual([kind])
  })

  test('without contact and administrator no notice is mailed, and no page claims one', async () => {
    const { visitor, page } = await openedDocument(t)
    expect(textOf(page)).not.toMatch(CLAIMS)
    const declined = await visitor.submit(page, { reason: 'not mine' }, '/decline')
    expect(textOf(declined)).toContain('The sender can read your reason.')
    expect(textOf(declined)).not.toMatch(CLAIMS)
    expect(await noticesTo('nobody')).toEqual([])
  })
})

/** The stories with a document that a key of Mia made. `then` happens before it is sent. */
async function ofMia(then: () => Promise<unknown>): Promise<void> {
  await createAdmin(t.app, GRACE)
  const more = { role: 'member' as const, passwordHash: 'x' }
  await t.app.write(async tx => {
    for (const name of ['mia', 'theo']) {
      await insertUser(tx, { id: `usr_${name}`, name, email: `${name}@example.com`, ...more }, t.clock.now)
    }
  })
  const { key } = await createKey(t.app, { userId: 'usr_mia' }, { name: 'k', scopes: [], expiresInDays: undefined })
  const { api } = t
  t.api = async (method, path, body, headers) => {
    if (path !== '/documents' || method !== 'POST') return api(method, path, body, headers)
    const made = await api(method, path, body, { ...headers, authorization: `Bearer ${key}` })
    await then()
    // Mails to Mia about her account are accepted, whatever becomes of the next one.
    const verdicts = t.mailVerdicts.splice(0)
    await t.drain()
    t.mailVerdicts.push(...verdicts)
    return made
  }
}

const disable = () => disablePerson(t.app, 'usr_mia', SYSTEM)

describe('of a document made by a key with an owner', () => {
  test.each(Object.keys(STORIES))('%s is mailed to the owner alone', async kind => {
    await ofMia(async () => {})
    await withContact()
    await STORIES[kind]?.()
    expect(await noticesTo('mia@example.com')).toEqual([kind])
  })

  test.each(Object.keys(STORIES))('%s is mailed to the contact once the owner is disabled', async kind => {
    await ofMia(disable)
    await withContact()
    await STORIES[kind]?.()
    expect(await noticesTo(CONTACT)).toEqual([kind])
  })

  test.each(Object.keys(STORIES))('%s is mailed to the administrators if there is no contact either', async kind => {
    await ofMia(disable)
    await STORIES[kind]?.()
    expect(await noticesTo(GRACE.email)).toEqual([kind])
  })

  test.each(Object.keys(STORIES))('%s is mailed to the new owner once the former one is removed', async kind => {
    await ofMia(async () => {
      await handOver(t.app, 'usr_mia', 'usr_theo', SYSTEM)
      await removePerson(t.app, 'usr_mia', SYSTEM)
    })
    await withContact()
    await STORIES[kind]?.()
    expect(await noticesTo('theo@example.com')).toEqual([kind])
  })
})

describe('a page says that the organisation is mailed', () => {
  const CLAIM = 'An e-mail about this goes to Acme.'
  /** What Ada sees at the end of the story. */
  const lastPage = async (kind: string) => {
    const result = await STORIES[kind]?.()
    if (kind !== 'sealing_failed') return textOf(result as Page)
    await t.drain()
    return textOf((await openLinkAs(t, ADA.email)).page)
  }

  test.each(['declined', 'delegated', 'sealing_failed'])('after %s, where somebody is and a mail server is set', async kind => {
    t.app.config.fixed.smtpUrl = 'smtp://127.0.0.1:1'
    await withContact()
    expect(await lastPage(kind)).toContain(CLAIM)
  })

  test.each(['declined', 'delegated', 'sealing_failed'])('after %s, and not where no mail server is set', async kind => {
    await withContact()
    expect(await lastPage(kind)).not.toContain(CLAIM)
  })

  test.each(['declined', 'delegated', 'sealing_failed'])('after %s, and not where nobody is', async kind => {
    t.app.config.fixed.smtpUrl = 'smtp://127.0.0.1:1'
    await t.app.write(tx => saveOrganisation(tx, { ...settings, contact: undefined }))
    expect(await lastPage(kind)).not.toContain(CLAIM)
  })
})

test('a document whose sealing has failed says so to its signers, who need not sign again', async () => {
  await STORIES.sealing_failed?.()
  await t.drain()
  const { page } = await openLinkAs(t, ADA.email)
  expect(textOf(page)).toContain('could not be sealed yet. This is tried again automatically: you do not have to sign again')
  expect(textOf(page)).not.toContain('is being sealed')
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

test('a notice is in the language in which its reader uses the web app, with the cause, whatever the document’s', async () => {
  await createAdmin(t.app, GRACE)
  const { id = '' } = (await userByEmail(t.app.db, GRACE.email)) ?? {}
  await t.app.write(tx => setUserLanguage(tx, id, 'de'))
  sealError = Object.assign(new Error('no space'), { code: 'ENOSPC' })
  await sentDocument(t, { ...ONE, locale: 'pl' })
  expect(t.mails.find(m => m.to.address === ADA.email)?.text).toContain('Otwórz dokument')
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  const notice = t.mails.findLast(m => m.to.address === GRACE.email)
  expect(notice?.subject).toContain('Noch nicht gesiegelt')
  expect(notice?.text).toContain('Datenträger')
  expect(notice?.text).not.toContain('disk')
})

/** Of a locked access code, to the contact. */
async function lockedNotice(story: () => Promise<unknown>) {
  await withContact()
  await story()
  await t.drain()
  const notice = t.mails.find(m => m.to.address === CONTACT)
  expect(notice?.subject).toContain('Too many wrong codes')
  return notice?.text
}

test('the notice of wrong codes says what gives new tries: unlocking, for a person with an access code', async () => {
  const text = await lockedNotice(async () => STORIES.access_code_locked?.())
  expect(text).toContain('tell them the access code again and unlock it on the page of the document')
})

test('the notice of wrong codes says what gives new tries: a new link to a person without e-mails', async () => {
  await configure(t, { signingLinks: 'on' })
  const text = await lockedNotice(async () => {
    const person = { ...ADA, accessCode: 'blue-horse', deliverBy: 'link', fields: [SIGNATURE] }
    const { body } = await t.api('POST', '/documents', await newDocument({ recipients: [person], send: true }))
    const link = await t.api('POST', `/documents/${body.id}/recipients/${body.recipients[0].id}/signing-link`, {})
    await enterWrongCodes(new URL(link.body.url).pathname)
  })
  expect(text).toContain('One hour after the last try, a new signing link allows more.')
  expect(text).not.toContain('reminder')
})
