/** Reminders and expiry: once after a downtime, never after the recipient has finished. */
import { expect, test } from 'bun:test'
import { runSchedule, SCHEDULE, startSchedule } from '../../src/jobs/schedule.ts'
import { ADA, BOB, SIGNATURE } from '../support/sample.ts'
import { linkTo, sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const reminders = () => t.mails.filter(m => m.subject.includes('Reminder')).map(m => m.to.address)
const pass = async (days: number) => {
  t.clock.pass({ days })
  await runSchedule(t.app)
  await t.drain()
}

test('reminders follow the plan, go to those whose turn it is, and end at their maximum', async () => {
  await sentDocument(t, { reminders: { firstAfterDays: 3, everyDays: 2, max: 2 } })
  await pass(2)
  expect(reminders()).toEqual([])
  await pass(1)
  expect(reminders().sort()).toEqual([ADA.email, BOB.email])
  await signAs(t, ADA.email, 'Ada')
  await pass(2)
  expect(reminders().slice(2)).toEqual([BOB.email])
  await pass(2)
  await pass(2)
  expect(reminders()).toHaveLength(3)
})

test('after a long downtime each gets one reminder, and the next is planned from then', async () => {
  await sentDocument(t, { reminders: { firstAfterDays: 1, everyDays: 1, max: 20 } })
  await pass(10)
  await runSchedule(t.app)
  await t.drain()
  expect(reminders()).toHaveLength(2)
  await pass(1)
  expect(reminders()).toHaveLength(4)
})

test('null means no reminders', async () => {
  await sentDocument(t, { reminders: null })
  await pass(20)
  expect(reminders()).toEqual([])
})

test('a document expires at its time, once; its links become invalid and everyone is informed', async () => {
  const id = await sentDocument(t, { expiresInDays: 5, reminders: null, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  await pass(4.9)
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('sent')
  await pass(0.2)
  await runSchedule(t.app)
  const { body } = await t.api('GET', `/documents/${id}`)
  expect(body.status).toBe('expired')
  expect(body.recipients[0].status).toBe('expired')
  expect((await t.fetch(linkTo(t, ADA.email))).status).toBe(409)
  const events = (await t.api('GET', `/documents/${id}/audit`)).body.events.map((e: { type: string }) => e.type)
  expect(events.filter((type: string) => type === 'document.expired')).toHaveLength(1)
  expect(t.mails.at(-1)?.subject).toContain('Expired')
})

test('setting the clock back repeats no reminder and reopens nothing', async () => {
  const id = await sentDocument(t, { reminders: { firstAfterDays: 1, everyDays: 1, max: 20 }, expiresInDays: 2 })
  await pass(1)
  expect(reminders()).toHaveLength(2)
  await pass(-1)
  expect(reminders()).toHaveLength(2)
  await pass(3)
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('expired')
  await pass(-3)
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('expired')
})

test('a failing scheduled job does not stop the others', async () => {
  await sentDocument(t, { reminders: { firstAfterDays: 1, everyDays: 1, max: 1 } })
  const [first] = SCHEDULE
  const run = first?.run
  if (!first || !run) throw new Error('the schedule is empty')
  first.run = async () => {
    throw new Error('broken')
  }
  try {
    await pass(1)
  } finally {
    first.run = run
  }
  expect(reminders()).toHaveLength(2)
  expect(t.logged.some(l => l.what === 'scheduled job failed')).toBe(true)
})

test('a stop waits for the job that runs', async () => {
  const [first] = SCHEDULE
  if (!first) throw new Error('the schedule is empty')
  const former = { ...first }
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  Object.assign(first, {
    pattern: '* * * * * *',
    run: () => {
      begun.resolve()
      return end.promise
    },
  })
  try {
    const stop = startSchedule(t.app)
    await begun.promise
    const order: string[] = []
    const stopped = stop().then(() => order.push('stopped'))
    // As many turns as a stop that waits for nothing takes, and more.
    for (let i = 0; i < 20; i++) await t.app.timers.yield()
    order.push('the job ends')
    end.resolve()
    await stopped
    expect(order).toEqual(['the job ends', 'stopped'])
  } finally {
    Object.assign(first, former)
  }
})

test('every pattern of the schedule is valid for croner', async () => {
  await startSchedule(t.app)()
  expect(new Set(SCHEDULE.map(entry => entry.name)).size).toBe(SCHEDULE.length)
})

test('more due documents than one batch are all handled, even if some fail', async () => {
  const good = await sentDocument(t, { expiresInDays: 1, reminders: null, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  // Copies with older ids, which all fail: their recipients have an unknown role.
  await t.app.write(async tx => {
    const row = await tx.selectFrom('documents').selectAll().where('id', '=', good).executeTakeFirstOrThrow()
    const recipient = await tx.selectFrom('recipients').selectAll().where('document_id', '=', good).executeTakeFirstOrThrow()
    for (let i = 0; i < 230; i++) {
      const id = `doc_0000000000000000000000${String(i).padStart(4, '0')}`
      await tx
        .insertInto('documents')
        .values({ ...row, id, metadata: 'no JSON' })
        .execute()
      await tx
        .insertInto('recipients')
        .values({ ...recipient, id: `rcp_${i}`, document_id: id })
        .execute()
    }
  })
  await pass(2)
  expect((await t.api('GET', `/documents/${good}`)).body.status).toBe('expired')
  expect(t.logged.filter(l => l.what === 'scheduled change failed')).toHaveLength(230)
})
