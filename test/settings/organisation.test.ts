/** The organisation's settings: validated, stored if they differ, and audited. */
import { describe, expect, test } from 'bun:test'
import { Refusal, type ValidationError } from '../../src/core/refusal.ts'
import { englishOf } from '../../src/locales/violations.ts'
import { type Origin, SYSTEM } from '../../src/ports.ts'
import { changeHabits, changeOrganisation, readOrganisation } from '../../src/settings/organisation.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()

const ADMIN: Origin = { ...SYSTEM, actor: { ...SYSTEM.actor, label: 'user:usr_1' } }
const CONTOSO = { name: 'Contoso GmbH', contact: 'legal@contoso.example', timeZone: 'Europe/Berlin', language: 'de' }

const audited = async () => {
  const rows = await t.app.db
    .selectFrom('events')
    .leftJoin('event_details', 'event_details.sequence', 'events.sequence')
    .select(['entry', 'personal'])
    .orderBy('events.sequence')
    .execute()
  return rows.map(({ entry, personal }) => ({ ...(JSON.parse(entry) as { data: unknown }), personal }))
}
const change = (input: Partial<typeof CONTOSO & { colour: string }> = {}) =>
  changeOrganisation(t.app, ADMIN, { ...CONTOSO, ...input })

test('is Signet, in UTC and English, by default', async () => {
  const unnamed = { name: 'Signet', contact: undefined, timeZone: 'UTC', language: 'en', logoSha256: undefined }
  expect(await readOrganisation(t.app.db)).toMatchObject(unnamed)
})

describe('a change', () => {
  test('is stored, and audited with the changed fields, the contact address as personal data', async () => {
    await change()
    expect(await readOrganisation(t.app.db)).toMatchObject(CONTOSO)
    await change({ language: 'fr' })
    const [first, second, ...more] = await audited()
    expect(first).toMatchObject({
      type: 'organisation.changed',
      actor: 'user:usr_1',
      data: { changed: ['name', 'contact', 'timeZone', 'language'], name: 'Contoso GmbH' },
      personal: '{"contact":"legal@contoso.example"}',
    })
    expect(JSON.stringify(first?.data)).not.toContain('@')
    expect(second).toMatchObject({ data: { changed: ['language'], language: 'fr' }, personal: null })
    expect(more).toEqual([])
  })

  test('that changes nothing is not audited', async () => {
    await change()
    await change({ name: ' Contoso GmbH\t' })
    expect(await audited()).toHaveLength(1)
  })

  test('can remove the contact', async () => {
    await change()
    await change({ contact: ' ' })
    expect((await readOrganisation(t.app.db)).contact).toBeUndefined()
    expect((await audited())[1]).toMatchObject({ data: { changed: ['contact'] }, personal: '{"contact":null}' })
  })

  test.each<[string, string, string]>([
    ['name', '', 'must not be empty'],
    ['name', '\u200b ', 'must not be empty'],
    ['name', 'Contoso\nGmbH', 'must be one line'],
    ['name', 'x'.repeat(201), 'at most 200 characters'],
    ['name', 'Contoso \u{1f600}', 'cannot be printed'],
    ['contact', 'legal', 'must be an e-mail address'],
    ['contact', 'a@b@c', 'must be an e-mail address'],
    ['timeZone', 'Middle/Earth', 'must be a zone'],
    ['timeZone', '+02:00', 'must be a zone'],
    ['timeZone', '', 'must be a zone'],
    ['language', 'tlh', 'must be one of en, de'],
    ['language', '', 'must be one of en, de'],
    ['colour', 'red', 'must be a colour such as'],
    ['colour', '#ffcc00', 'must be darker'],
  ])('of %s to %j is refused with an error at the field, and nothing is changed', async (field, value, says) => {
    t.app.unprintable = text => [...text].filter(c => c === '\u{1f600}')
    await change()
    const refusal = await change({ [field]: value, ...(field === 'name' ? {} : { name: 'Other' }) }).catch(error => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal.details.map(({ path }: ValidationError) => path)).toEqual([field])
    expect(refusal.details.map(englishOf).join()).toContain(says)
    expect(await readOrganisation(t.app.db)).toMatchObject(CONTOSO)
    expect(await audited()).toHaveLength(1)
  })

  test('to a name of 200 characters in any script is accepted', async () => {
    const name = '株'.repeat(200)
    await change({ name })
    expect((await readOrganisation(t.app.db)).name).toBe(name)
  })
})

test('the colour is stored as six digits, kept where it is left out, and removed by an empty text', async () => {
  await change({ colour: '1A5FB4' })
  expect((await readOrganisation(t.app.db)).colour).toBe('#1a5fb4')
  await change({ name: 'Other' })
  expect((await readOrganisation(t.app.db)).colour).toBe('#1a5fb4')
  await change({ colour: '' })
  expect((await readOrganisation(t.app.db)).colour).toBeUndefined()
})

describe('the settings of new documents', () => {
  const STANDARD = {
    expiresInDays: '30',
    reminds: true,
    firstAfterDays: '3',
    everyDays: '3',
    maxReminders: '5',
    quietFrom: '',
    quietTo: '',
    quietWeekends: false,
    deviceKey: 'offered',
  }
  const set = (input: Partial<typeof STANDARD>) => changeHabits(t.app, ADMIN, { ...STANDARD, ...input })
  const stored = async () => {
    const { defaults, quietHours } = await readOrganisation(t.app.db)
    return { ...defaults, quietHours }
  }

  test('are those of the API until they are changed, and again when they are the same', async () => {
    const reminders = { firstAfterDays: 3, everyDays: 3, max: 5 }
    expect(await stored()).toEqual({ expiresInDays: 30, reminders, quietHours: undefined })
    await set({ expiresInDays: '14', reminds: false, quietFrom: '20:00', quietTo: '07:00', quietWeekends: true })
    const quietHours = { from: '20:00', to: '07:00', weekends: true }
    expect(await stored()).toEqual({ expiresInDays: 14, reminders: undefined, quietHours })
    await set({})
    expect(await stored()).toEqual({ expiresInDays: 30, reminders, quietHours: undefined })
    expect((await audited()).map(({ data }) => (data as { changed: string[] }).changed)).toEqual([
      ['defaults', 'quietHours'],
      ['defaults', 'quietHours'],
    ])
  })

  test.each<[Partial<typeof STANDARD>, string[]]>([
    [{ expiresInDays: '0' }, ['expiresInDays']],
    [{ expiresInDays: '366' }, ['expiresInDays']],
    [{ firstAfterDays: 'x', everyDays: '', maxReminders: '51' }, ['firstAfterDays', 'everyDays', 'maxReminders']],
    [{ quietFrom: '20:00' }, ['quietTo']],
    [{ quietFrom: '25:00', quietTo: '7' }, ['quietFrom', 'quietTo']],
  ])('%j are refused at their fields', async (input, paths) => {
    const refusal = await set(input).catch(error => error)
    expect(refusal.details.map(({ path }: ValidationError) => path)).toEqual(paths)
    expect(await audited()).toEqual([])
  })
})
