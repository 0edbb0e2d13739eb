/** Two instances witness one another: what is co-signed, what is refused, and who is warned. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { listAlerts } from '../../src/alerts/queries.ts'
import { newestCheckpoints } from '../../src/audit/checkpoint-queries.ts'
import { readWitnessStatement } from '../../src/evidence/witness-statement.ts'
import { makeDueCheckpoint } from '../../src/health/checkpoints.ts'
import { makeCheckpoint } from '../../src/health/make-checkpoint.ts'
import { DAY_MS } from '../../src/lib/duration.ts'
import { storedText } from '../../src/locales/de/app/stored-text.ts'
import { SYSTEM } from '../../src/ports.ts'
import { renewSealCertificate } from '../../src/settings/seal-certificate.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { askWhenDue, witnessState } from '../../src/witness/asking.ts'
import { forgetSeen, setCertificates, statementsAfter, witnessedById } from '../../src/witness/queries.ts'
import { onSqlite } from '../support/engine.ts'
import { certificatesOf, introduce, openSide, type Side } from './pair.ts'

let ada: Side
let ben: Side
/** The row of `ada` at `ben`. */
let id: string

beforeEach(async () => {
  ada = await openSide()
  ben = await openSide()
  id = await introduce(ada, ben)
  await ada.add(5)
})
afterEach(async () => {
  await ada.close()
  await ben.close()
})

const day = async (side: Side, entries = 3) => {
  await side.add(entries)
  side.t.clock.pass({ days: 1 })
  await makeDueCheckpoint(side.t.app)
  await askWhenDue(side.t.app)
}
const newest = async ({ t }: Side) => (await newestCheckpoints(t.app.db, 1))[0]
const alertsOf = async ({ t }: Side) => (await listAlerts(t.app.db, 9)).map(({ kind }) => kind)
const seen = async () => (await witnessedById(ben.t.app.db, id))?.sequence

async function post(body: unknown, headers: Record<string, string> = {}) {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
  const response = await fetch(`${ben.url}/api/v1/witness/checkpoints`, init)
  return { status: response.status, body: await response.json() }
}

describe('an honest log', () => {
  test('is co-signed day by day, and each co-signature says what it continues', async () => {
    for (let i = 0; i < 3; i++) await day(ada)
    const rows = await newestCheckpoints(ada.t.app.db, 9)
    expect(rows.map(({ isWitnessed }) => isWitnessed)).toEqual([true, true, true])
    expect(await seen()).toBe(rows[0]?.sequence)
    const given = await statementsAfter(ben.t.app.db, id, '', 9)
    const read = given.map(({ statement }) =>
      readWitnessStatement(Buffer.from(statement), { timestampTrust: [], now: ben.t.clock.now }),
    )
    expect(read.map(({ statement }) => statement.continues)).toEqual([0, rows[2]?.sequence ?? -1, rows[1]?.sequence ?? -1])
    expect(read[2]?.statement).toMatchObject({
      ...{ instance: ada.t.app.instance.id, witness: ben.t.app.instance.id },
      ...{ sequence: rows[0]?.sequence, hash: rows[0]?.hash, treeRoot: rows[0]?.treeRoot },
    })
    expect([await alertsOf(ada), await alertsOf(ben)]).toEqual([[], []])
  })

  test('is witnessed in both directions at once', async () => {
    await introduce(ben, ada)
    await ben.add(4)
    await Promise.all([day(ada), day(ben)])
    await Promise.all([day(ada), day(ben)])
    expect([(await newest(ada))?.isWitnessed, (await newest(ben))?.isWitnessed]).toEqual([true, true])
    expect([await alertsOf(ada), await alertsOf(ben)]).toEqual([[], []])
  })

  test('with clocks that are wrong by a year on either side is co-signed: the tree decides, no clock', async () => {
    await day(ada)
    ada.t.clock.now = new Date(ada.t.clock.now.getTime() + 365 * 86_400_000)
    ben.t.clock.now = new Date(ben.t.clock.now.getTime() - 365 * 86_400_000)
    await day(ada)
    ada.t.clock.now = new Date(ada.t.clock.now.getTime() - 2 * 365 * 86_400_000)
    await day(ada)
    expect((await newest(ada))?.isWitnessed).toBe(true)
    expect([await alertsOf(ada), await alertsOf(ben)]).toEqual([[], []])
  })

  test('after the witness has lost its last days, it proves from what the witness still knows', async () => {
    await day(ada)
    const known = await witnessedById(ben.t.app.db, id)
    await day(ada)
    const before = { sequence: known?.sequence ?? 0, tree_root: known?.treeRoot ?? '' }
    await ben.t.app.write(tx => tx.updateTable('witnessed_instances').set(before).execute())
    await day(ada)
    expect([(await newest(ada))?.isWitnessed, await alertsOf(ben)]).toEqual([true, []])
  })

  test('the same request again, also two at once, gets the same statement, and one row', async () => {
    const { text } = await makeCheckpoint(ada.t.app, SYSTEM)
    const body = { checkpoint: text, from: 0, proof: [] }
    const answers = [...(await Promise.all([post(body), post(body)])), await post(body)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(answer => answer.body.statement)).size).toBe(1)
    expect(await statementsAfter(ben.t.app.db, id, '', 9)).toHaveLength(1)
  })

  test('its renewed certificate is introduced by its root; an unknown one is refused until it is entered', async () => {
    await day(ada)
    ada.t.clock.pass({ days: 1 })
    await renewSealCertificate(ada.t.app, SYSTEM)
    await day(ada)
    expect((await newest(ada))?.isWitnessed).toBe(true)
    const [ofAda, ofBen] = [await certificatesOf(ada), await certificatesOf(ben)]
    await ben.t.app.write(tx => setCertificates(tx, id, ofBen))
    await day(ada)
    expect((await newest(ada))?.isWitnessed).toBe(false)
    expect((await witnessState(ada.t.app))?.failure).toContain('No instance that is witnessed here has this seal certificate')
    await ben.t.app.write(tx => setCertificates(tx, id, ofAda))
    await day(ada)
    expect((await newest(ada))?.isWitnessed).toBe(true)
  })
})

describe('a log that does not continue what the witness saw', () => {
  /** As a restored backup, or as somebody who removes entries. */
  async function cutTo(sequence: number): Promise<void> {
    await ada.t.sql('DROP TRIGGER IF EXISTS events_never_go')
    await ada.t.sql('DELETE FROM checkpoints WHERE sequence > ?', sequence)
    await ada.t.sql('DELETE FROM event_details WHERE sequence > ?', sequence)
    await ada.t.sql('DELETE FROM events WHERE sequence > ?', sequence)
  }

  onSqlite(test)('because it is shorter is refused, and both administrators are warned, once', async () => {
    for (let i = 0; i < 3; i++) await day(ada)
    const last = await seen()
    await cutTo(6)
    await day(ada, 1)
    expect([await alertsOf(ada), await alertsOf(ben)]).toEqual([['witness_disagrees'], ['witnessed_log_differs']])
    expect((await newest(ada))?.isWitnessed).toBe(false)
    expect(await seen()).toBe(last)
    const [alert] = await listAlerts(ada.t.app.db, 1)
    expect(alert?.message).toContain(`The witness has seen a log of ${last} entries, and this checkpoint covers fewer`)
    expect(storedText(alert?.message ?? '')).toContain('Der Zeuge hat den letzten Prüfpunkt nicht mitsigniert.')
    const refusals = () => ben.t.app.db.selectFrom('events').select('entry').where('type', '=', 'witness.refused').execute()
    ada.t.clock.pass({ hours: 7 })
    await askWhenDue(ada.t.app)
    expect(await refusals()).toHaveLength(1)
  })

  onSqlite(test)('because it grew anew after it was cut is refused: it is a fork', async () => {
    await day(ada)
    await cutTo(3)
    await day(ada, 20)
    expect([await alertsOf(ada), await alertsOf(ben)]).toEqual([['witness_disagrees'], ['witnessed_log_differs']])
    const [event] = await ben.t.app.db.selectFrom('events').select('entry').where('type', '=', 'witness.refused').execute()
    expect(JSON.parse(event?.entry ?? '').data).toMatchObject({ why: 'inconsistent', witnessed: id })
  })

  onSqlite(test)('because it has as many entries, but others, is refused: it is a fork', async () => {
    await day(ada)
    const { sequence = 0 } = (await newest(ada)) ?? {}
    await cutTo(sequence - 2)
    await ada.add(2)
    await makeCheckpoint(ada.t.app, SYSTEM)
    await askWhenDue(ada.t.app)
    const [event] = await ben.t.app.db.selectFrom('events').select('entry').where('type', '=', 'witness.refused').execute()
    expect(JSON.parse(event?.entry ?? '').data).toMatchObject({ why: 'fork', sequence })
  })

  onSqlite(test)('after a restored backup begins anew once the witness allows it, and the alerts end', async () => {
    for (let i = 0; i < 2; i++) await day(ada)
    await cutTo(6)
    await day(ada, 1)
    await ben.t.app.write(tx => forgetSeen(tx, id))
    await day(ada)
    expect((await newest(ada))?.isWitnessed).toBe(true)
    expect([await alertsOf(ada), await alertsOf(ben)]).toEqual([[], []])
    expect(await statementsAfter(ben.t.app.db, id, '', 9)).toHaveLength(3)
  })
})

describe('a witness that is silent', () => {
  test('is asked again after growing pauses, is an alert after three days, and ends it when it answers', async () => {
    await day(ada)
    await ben.fallSilent()
    await day(ada)
    expect(await alertsOf(ada)).toEqual([])
    expect(await witnessState(ada.t.app)).toMatchObject({ pauseMs: 600_000, disagrees: false })
    await askWhenDue(ada.t.app)
    expect((await witnessState(ada.t.app))?.pauseMs).toBe(600_000)
    for (let i = 0; i < 3; i++) await day(ada)
    expect(await alertsOf(ada)).toEqual(['witness_silent'])
    const [alert] = await listAlerts(ada.t.app.db, 1)
    expect(storedText(alert?.message ?? '')).toContain('Seit mehr als 3 Tagen hat der Zeuge keinen Prüfpunkt mitsigniert.')
    ben.answer()
    await day(ada)
    expect([await alertsOf(ada), (await newest(ada))?.isWitnessed]).toEqual([[], true])
  })

  test('since a clock that was a year ahead is an alert three days after the clock is right', async () => {
    await day(ada)
    await ben.fallSilent()
    const right = ada.t.clock.now
    ada.t.clock.now = new Date(right.getTime() + 365 * DAY_MS)
    await day(ada)
    expect((await witnessState(ada.t.app))?.failure).toBeString()
    ada.t.clock.now = right
    for (let i = 0; i < 4; i++) await day(ada)
    expect(await alertsOf(ada)).toEqual(['witness_silent'])
  })

  test('whose alert is open ends it when the witness is taken out of the settings', async () => {
    await ben.fallSilent()
    for (let i = 0; i < 4; i++) await day(ada)
    expect(await alertsOf(ada)).toEqual(['witness_silent'])
    await ada.t.app.write(tx => changeServiceSettings(tx, ada.t.app, SYSTEM, { witnessUrl: '' }))
    await askWhenDue(ada.t.app)
    expect(await alertsOf(ada)).toEqual([])
  })

  test('in a private network that is not allowed is never called', async () => {
    await ada.t.app.write(tx => changeServiceSettings(tx, ada.t.app, SYSTEM, { witnessUrl: 'http://10.1.2.3' }))
    await day(ada)
    expect((await witnessState(ada.t.app))?.failure).toContain('private')
  })

  test('that is another one, or answers of another checkpoint, is not believed', async () => {
    const witnessCertificateFile = await certificatesOf(ada)
    await ada.t.app.write(tx => changeServiceSettings(tx, ada.t.app, SYSTEM, { witnessCertificateFile }))
    await day(ada)
    expect((await witnessState(ada.t.app))?.failure).toContain('signed by another certificate than that of the witness')
    expect((await newest(ada))?.isWitnessed).toBe(false)
  })
})

describe('the route', () => {
  test('refuses what is no checkpoint, one of an older release, and an instance that it does not know', async () => {
    const nothing = await post({ checkpoint: (await makeCheckpoint(ben.t.app, SYSTEM)).text, from: 0, proof: [] })
    expect(nothing.body.error.details[0].code).toBe('checkpoint_of_nothing')
    const { text } = await makeCheckpoint(ben.t.app, SYSTEM)
    const other = await post({ checkpoint: text, from: 0, proof: [] })
    expect([other.status, other.body.error.code]).toEqual([403, 'witness_unknown'])
    const junk = await post({ checkpoint: 'Dear Ada', from: 0, proof: [] })
    expect([junk.status, junk.body.error.details[0].code]).toEqual([422, 'not_a_checkpoint'])
    const { text: own } = await makeCheckpoint(ada.t.app, SYSTEM)
    const changed = await post({ checkpoint: own.replace('"sequence": ', '"sequence": 1'), from: 0, proof: [] })
    expect(changed.body.error.details[0].message).toContain('its content was changed after it was signed')
    expect((await post({ checkpoint: own, from: 0, proof: ['x'] })).status).toBe(422)
    expect((await post({ checkpoint: 'x'.repeat(70_000), from: 0, proof: [] })).status).toBe(422)
    expect((await statementsAfter(ben.t.app.db, id, '', 9)).length).toBe(0)
  })

  test('does not take another instance under the same certificate for the known one', async () => {
    await day(ada)
    ada.t.app.instance.id = 'ins_00000000000000000000000001'
    const { text } = await makeCheckpoint(ada.t.app, SYSTEM)
    const { status, body } = await post({ checkpoint: text, from: 0, proof: [] })
    expect([status, body.error.code]).toEqual([403, 'witness_unknown'])
    expect(body.error.message).toContain('known for another instance')
  })

  test('bounds requests by address', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 25; i++) statuses.push((await post({ checkpoint: 'x', from: 0, proof: [] })).status)
    expect([statuses.slice(0, 20).every(status => status === 422), statuses.at(-1)]).toEqual([true, 429])
  })
})
