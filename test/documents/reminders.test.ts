/** The organisation's habits: what new documents begin with, and when nobody is reminded. */
import { expect, test } from 'bun:test'
import { expireDue, remindAllDue } from '../../src/documents/lifecycle/upkeep.ts'
import { SYSTEM } from '../../src/ports.ts'
import { changeHabits, changeOrganisation } from '../../src/settings/organisation.ts'
import { newDocument } from '../support/sample.ts'
import { sentDocument } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const STANDARD = { expiresInDays: '30', reminds: true, firstAfterDays: '3', everyDays: '3', maxReminders: '5' }
const NIGHT = { quietFrom: '17:00', quietTo: '08:00', quietWeekends: true }
const habits = (input: Partial<Parameters<typeof changeHabits>[2]>) =>
  changeHabits(t.app, SYSTEM, { ...STANDARD, quietFrom: '', quietTo: '', quietWeekends: false, deviceKey: 'offered', ...input })
const reminded = async () => {
  await remindAllDue(t.app)
  await t.drain()
  return t.mails.filter(({ subject }) => subject.includes('Reminder')).length
}

test('new documents take what the organisation set, and a request that says otherwise wins', async () => {
  await habits({ expiresInDays: '14', firstAfterDays: '1', everyDays: '2', maxReminders: '9' })
  const created = async (overrides = {}) => {
    const { id } = (await t.api('POST', '/documents', await newDocument(overrides))).body
    return (await t.api('GET', `/documents/${id}`)).body
  }
  expect(await created()).toMatchObject({ expiresInDays: 14, reminders: { firstAfterDays: 1, everyDays: 2, max: 9 } })
  expect(await created({ expiresInDays: 30, reminders: null })).toMatchObject({ expiresInDays: 30, reminders: null })
  await habits({ reminds: false })
  expect(await created()).toMatchObject({ expiresInDays: 30, reminders: null })
})

test('reminders that fall into quiet hours or a weekend wait until these end, each once', async () => {
  await changeOrganisation(t.app, SYSTEM, { name: 'Acme', contact: '', timeZone: 'Europe/Berlin', language: 'en' })
  // Friday, 18:25 in Berlin.
  await habits(NIGHT)
  await sentDocument(t, { reminders: { firstAfterDays: 1, everyDays: 1, max: 5 } })
  t.mails.length = 0
  t.clock.pass({ days: 1 })
  expect(await reminded()).toBe(0)
  // Monday, 07:59 and 08:00.
  t.clock.now = new Date('2026-11-23T06:59:00Z')
  expect(await reminded()).toBe(0)
  t.clock.now = new Date('2026-11-23T07:00:00Z')
  expect(await reminded()).toBe(2)
  expect(await reminded()).toBe(2)
})

test('documents expire in quiet hours, and a person may remind in them', async () => {
  await habits(NIGHT)
  const id = await sentDocument(t, { expiresInDays: 1 })
  t.clock.pass({ hours: 2 })
  expect((await t.api('POST', `/documents/${id}/remind`)).body.notified).toBe(2)
  t.clock.pass({ days: 1 })
  await expireDue(t.app)
  expect((await t.api('GET', `/documents/${id}`)).body.status).toBe('expired')
})
