/** Settings → Audit log → Witness: two organisations exchange an address and a certificate. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { auditVerify } from '../../../src/cli/audit.ts'
import { chainHash, GENESIS } from '../../../src/core/document/audit-chain.ts'
import { makeDueCheckpoint } from '../../../src/health/checkpoints.ts'
import { witnessedInstances } from '../../../src/witness/queries.ts'
import { runVerb } from '../../cli/run-verb.ts'
import { csrfOf, postFile, textOf, type Visitor } from '../../support/browser-less.ts'
import { onSqlite } from '../../support/engine.ts'
import { newAdministrator, signedIn } from '../../support/visitors.ts'
import { openSide, type Side } from '../../witness/pair.ts'

const WITNESS = '/settings/audit/witness'
const WITNESSED = '/settings/audit/witnessed'

let ada: Side
let ben: Side
let atAda: Visitor
let atBen: Visitor

beforeEach(async () => {
  ada = await openSide()
  ben = await openSide()
  atAda = await newAdministrator(ada.t)
  atBen = await newAdministrator(ben.t)
})
afterEach(async () => {
  await ada.close()
  await ben.close()
})

async function upload(side: Side, visitor: Visitor, path: string, fields: Record<string, string>, pem: string, from = path) {
  const csrf = csrfOf(await visitor.get(from))
  return postFile(side.t, visitor, path, { csrf, ...fields }, Buffer.from(pem), { name: 'seal.pem' })
}

/** What each enters at the other, by the pages alone. */
async function introduce(): Promise<string> {
  const [ofAda, ofBen] = [await atAda.get(`${WITNESS}/certificate.pem`), await atBen.get(`${WITNESS}/certificate.pem`)]
  const added = await upload(ben, atBen, WITNESSED, { name: 'Ada Ltd' }, ofAda.html)
  expect([added.status, added.headers.get('location')]).toEqual([303, expect.stringContaining('?notice=added')])
  expect((await upload(ada, atAda, WITNESS, { witnessUrl: ben.url }, ofBen.html)).status).toBe(303)
  return (await witnessedInstances(ben.t.app.db))[0]?.id ?? ''
}

test('the pages say what to exchange, and what was co-signed on both sides', async () => {
  expect(textOf(await atAda.get(WITNESS))).toContain('No witness is set')
  expect(textOf(await atBen.get(WITNESSED))).toContain('No instance is witnessed here')
  const id = await introduce()
  expect(textOf(await atAda.get(WITNESS))).toContain('The witness has not been asked yet')
  expect(textOf(await atBen.get(WITNESSED))).toContain('Waiting for the first')
  await makeDueCheckpoint(ada.t.app)
  const asked = textOf(await atAda.submit(await atAda.get(WITNESS), {}, `${WITNESS}/ask`))
  expect(asked).toContain('The witness has co-signed the newest checkpoint.')
  expect(asked).toMatch(/Its last co-signature covers the log up to entry \d+/)
  const row = textOf(await atBen.get(`${WITNESSED}/${id}`))
  expect(row).toContain('Agrees')
  expect(row).toContain(ada.t.app.instance.id)
  const log = textOf(await atBen.get('/settings/audit'))
  expect(log).toContain('Grace Hopper added an instance whose checkpoints are co-signed here.')
})

test('what is entered wrongly is said at its field', async () => {
  const own = (await atBen.get(`${WITNESS}/certificate.pem`)).html
  const add = async (name: string, pem: string) => (await upload(ben, atBen, WITNESSED, { name }, pem)).text()
  expect(await add('Ben himself', own)).toContain('must be of another instance: this is the certificate of this one')
  expect(await add('Ada Ltd', 'no certificate')).toContain('certificate')
  expect(await add('', (await atAda.get(`${WITNESS}/certificate.pem`)).html)).toContain('must not be empty')
  expect(await witnessedInstances(ben.t.app.db)).toEqual([])
  const without = await upload(ada, atAda, WITNESS, { witnessUrl: ben.url }, '')
  expect([without.status, (await without.text()).includes('must be chosen: the certificate of the witness')]).toEqual([422, true])
  const wrong = await upload(ada, atAda, WITNESS, { witnessUrl: 'ftp://x' }, own)
  expect([wrong.status, (await wrong.text()).includes('must be an address that begins with https://')]).toEqual([422, true])
})

test('its end is kept, with the list of what was co-signed', async () => {
  const id = await introduce()
  await makeDueCheckpoint(ada.t.app)
  await atAda.submit(await atAda.get(WITNESS), {}, `${WITNESS}/ask`)
  const ended = await atBen.submit(await atBen.get(`${WITNESSED}/${id}`), {}, `${WITNESSED}/${id}/remove`)
  expect(textOf(ended)).toContain('What was given is kept.')
  expect(ended.html).not.toContain(`${WITNESSED}/${id}/anew`)
  const list = JSON.parse((await atBen.get(`${WITNESSED}/${id}/statements`)).html)
  expect([list.instance, list.statements.length]).toEqual([ada.t.app.instance.id, 1])
  await ada.add()
  ada.t.clock.pass({ days: 1 })
  await makeDueCheckpoint(ada.t.app)
  atAda = await signedIn(ada.t)
  const asked = textOf(await atAda.submit(await atAda.get(WITNESS), {}, `${WITNESS}/ask`))
  expect(asked).toContain('The witness refused the checkpoint: No instance that is witnessed here')
})

onSqlite(test)('a log made anew by somebody with the key is found by the list of the witness, which shows it', async () => {
  const id = await introduce()
  await makeDueCheckpoint(ada.t.app)
  await atAda.submit(await atAda.get(WITNESS), {}, `${WITNESS}/ask`)
  const file = join(ada.t.folder, 'list.json')
  await Bun.write(file, (await atBen.get(`${WITNESSED}/${id}/statements`)).html)
  const honest = await runVerb(ada.t, auditVerify, '--witness', file)
  expect([honest.code, honest.out]).toEqual([0, expect.stringContaining('co-signed by the witness and kept here')])
  expect(honest.out).toContain('are signed by the certificate of the witness that is set here')
  await rebuild()
  const kept = await runVerb(ada.t, auditVerify)
  expect([kept.code, kept.out]).toEqual([
    1,
    expect.stringContaining('co-signed by the witness and kept here: the log has another entry'),
  ])
  // Who has the database removes what is kept in it: only the list of the witness is left.
  await ada.t.sql('UPDATE checkpoints SET witness_text = NULL')
  await ada.t.sql('DELETE FROM checkpoints')
  expect((await runVerb(ada.t, auditVerify)).code).toBe(0)
  const found = await runVerb(ada.t, auditVerify, '--witness', file)
  expect([found.code, found.out]).toEqual([1, expect.stringContaining(`in ${file}: the log has another entry`)])
  await Bun.write(file, '{"statements":[1]}')
  await expect(runVerb(ada.t, auditVerify, '--witness', file)).rejects.toThrow('it is no list of statements of a witness')
})

/** Each entry follows from a first one that is changed. */
async function rebuild(): Promise<void> {
  await ada.t.sql('DROP TRIGGER events_never_change')
  let hash = GENESIS
  for (const row of await ada.t.sql<{ sequence: number; entry: string }>(
    'SELECT sequence, entry FROM events ORDER BY sequence',
  )) {
    const entry = row.sequence === 1 ? row.entry.replace('"data":{', '"data":{"forged":true,').replace(',}', '}') : row.entry
    hash = chainHash(hash, entry)
    await ada.t.sql('UPDATE events SET entry = ?, hash = ? WHERE sequence = ?', entry, hash, row.sequence)
  }
}
