/** Delegation, wrong access codes, and the language of the recipient's pages and e-mails. */
import { describe, expect, test } from 'bun:test'
import { createAdmin } from '../../../src/accounts/people.ts'
import { csrfOf, openVisitor, textOf } from '../../support/browser-less.ts'
import { ADA, BOB, newDocument, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const CAROL = { name: 'Carol King', email: 'carol@example.com' }

describe('handing over', () => {
  test('kills the old link and what was entered, invites the colleague, and the record tells both persons apart', async () => {
    const id = await sentDocument(t)
    const oldLink = linkTo(t, ADA.email)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const handed = await visitor.submit(page, CAROL, '/delegate')
    expect(handed.status).toBe(200)
    expect(textOf(handed)).toContain(CAROL.name)
    expect((await visitor.get(page.url)).status).toBe(404)
    expect((await openVisitor(t.fetch).get(oldLink)).status).toBe(404)
    await t.drain()
    expect(linkTo(t, CAROL.email)).not.toBe(oldLink)
    const telling = t.mails.filter(({ text }) => text.includes(`${ADA.name} was asked first and has handed this over to you.`))
    expect(telling.map(({ to }) => to.address)).toEqual([CAROL.email])
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0]).toMatchObject({
      ...CAROL,
      status: 'sent',
      viewedAt: null,
    })

    await signAs(t, CAROL.email, 'Carol King')
    await signAs(t, BOB.email, 'Bob')
    await t.drain()
    const { body } = await t.api('GET', `/documents/${id}/audit`)
    const event = body.events.find((e: { type: string }) => e.type === 'recipient.delegated')
    expect(event.personal).toMatchObject({ from: ADA, to: CAROL })
  })

  test('asks for a name and an address, beside the fields, and keeps what was entered', async () => {
    await sentDocument(t)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const nameless = await visitor.submit(page, { name: '', email: CAROL.email }, '/delegate')
    expect([nameless.status, nameless.html.includes(CAROL.email)]).toEqual([422, true])
    const refused = await visitor.submit(page, BOB, '/delegate')
    expect(refused.status).toBe(422)
    expect(textOf(refused)).toContain('already asked to sign this document')
    expect(refused.html).toContain(BOB.email)
  })

  test('is not offered, and not done, where the sender forbids it', async () => {
    const id = await sentDocument(t, { allowDelegation: false })
    expect((await t.api('GET', `/documents/${id}`)).body.allowDelegation).toBe(false)
    const { visitor, page } = await openLinkAs(t, ADA.email)
    expect(page.html).not.toContain('/delegate')
    const csrf = csrfOf(page)
    expect((await visitor.post(`${page.url}/delegate`, { csrf, ...CAROL })).status).toBe(403)
    expect((await t.api('GET', `/documents/${id}`)).body.recipients[0].email).toBe(ADA.email)
  })
})

describe('an access code', () => {
  const coded = { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] }

  test('wrong has to wait, longer each time; wrong five times locks the link and informs the sender; a reminder unlocks it', async () => {
    await createAdmin(t.app, { name: 'Olga', email: 'olga@example.com', password: 'correct horse battery staple' })
    const owner = await t.app.db.selectFrom('users').select('id').executeTakeFirstOrThrow()
    const id = await sentDocument(t, coded)
    await t.app.write(tx => tx.updateTable('documents').set({ owner_id: owner.id }).where('id', '=', id).execute(), {
      wake: false,
    })
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    const enter = (accessCode: string) => visitor.submit(landing, { accessCode })
    expect((await enter('wrong')).status).toBe(422)
    for (const waitS of [5, 30, 300]) {
      expect((await enter('wrong')).status).toBe(422)
      const early = await enter('blue-horse')
      expect([early.status, textOf(early).includes(`${waitS} seconds`)]).toEqual([429, true])
      t.clock.pass({ seconds: waitS })
    }
    expect(textOf(await enter('wrong'))).toContain('too many times')
    expect((await enter('blue-horse')).status).toBe(403)
    await t.drain()
    expect(t.mails.find(m => m.to.address === 'olga@example.com')?.subject).toContain('wrong codes')
    t.clock.pass({ hours: 2 })
    expect((await t.api('POST', `/documents/${id}/remind`)).status).toBe(200)
    expect((await enter('blue-horse')).status).toBe(200)
    const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
    const kinds = events.map((e: { type: string }) => e.type)
    expect(kinds.filter((kind: string) => kind === 'recipient.access_code_failed')).toHaveLength(5)
    expect(kinds.filter((kind: string) => kind === 'recipient.access_code_locked')).toHaveLength(1)
  })
})

describe('many tries at an access code at the same moment', () => {
  test('count one by one: no more are checked than in a row, and the right one among the rest gets no further', async () => {
    const id = await sentDocument(t, { recipients: [{ ...ADA, accessCode: 'blue-horse', fields: [SIGNATURE] }] })
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    const codes = [...Array.from({ length: 19 }, (_, i) => `wrong-${i}`), 'blue-horse']
    const answers = await Promise.all(codes.map(accessCode => visitor.submit(landing, { accessCode })))
    expect(answers.map(({ status }) => status).sort()).toEqual([422, 422, ...Array(18).fill(429)])
    const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
    expect(events.filter((e: { type: string }) => e.type.startsWith('recipient.access_code_'))).toHaveLength(2)
  })
})

describe('the language', () => {
  test('is the recipient’s, then the document’s, then the browser’s; mail, page, refusal and record agree', async () => {
    const recipients = [
      { ...ADA, locale: 'de-AT', fields: [SIGNATURE] },
      { ...BOB, fields: [{ ...SIGNATURE, x: 55 }] },
    ]
    const id = await sentDocument(t, { recipients })
    const letter = t.mails.find(m => m.to.address === ADA.email)
    expect(letter?.html).toContain('<html lang="de"')
    const visitor = openVisitor(t.fetch)
    const landing = await visitor.get(linkTo(t, ADA.email))
    expect(landing.html).toContain('<html lang="de"')
    const page = await visitor.submit(landing)
    const refused = await visitor.submit(page, { signature: '' }, '/finish')
    expect(refused.status).toBe(422)
    expect(textOf(refused)).not.toContain('Please')
    const done = await visitor.submit(page, { signature: 'Ada', consent: 'on' }, '/finish')
    expect(done.html).toContain('<html lang="de"')
    const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
    const signed = events.find((e: { type: string }) => e.type === 'recipient.signed')
    expect(signed.data.language).toBe('de')
    expect(signed.data.intent).not.toContain('By pressing')

    const bob = await t.fetch(linkTo(t, BOB.email), { headers: { 'accept-language': 'xx, ar;q=0.9, fr;q=0.8' } })
    expect(await bob.text()).toContain('<html lang="ar" dir="rtl"')
    const dead = await t.fetch('/s/nothing', { headers: { 'accept-language': 'fr' } })
    expect([dead.status, (await dead.text()).includes('<html lang="fr"')]).toEqual([404, true])
  })

  test('the document’s counts where the recipient has none', async () => {
    await sentDocument(t, { ...(await newDocument()), locale: 'pl' })
    expect((await openVisitor(t.fetch).get(linkTo(t, ADA.email))).html).toContain('<html lang="pl"')
  })
})
