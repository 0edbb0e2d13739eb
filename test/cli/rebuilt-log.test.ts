/** A log made anew by somebody who has the key: what finds it, and what does not. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { newestCheckpoints } from '../../src/audit/checkpoint-queries.ts'
import { appendInstanceEvent } from '../../src/audit/log.ts'
import { auditVerify } from '../../src/cli/audit.ts'
import { canonicalJson, chainHash, GENESIS } from '../../src/core/document/audit-chain.ts'
import { leafHash, TreeBuilder } from '../../src/evidence/merkle-tree.ts'
import { readStatement } from '../../src/evidence/signed-statement.ts'
import { keepCheckpoint, makeDueCheckpoint } from '../../src/health/checkpoints.ts'
import { SYSTEM } from '../../src/ports.ts'
import { signStatement } from '../../src/settings/sign-statement.ts'
import { onSqlite } from '../support/engine.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { useTestAuthority } from '../support/tsa.ts'
import { runVerb } from './run-verb.ts'

const authority = useTestAuthority()
let t: TestApp
let folder: string

beforeEach(async () => {
  t = await openTestApp({ env: { SIGNET_TSA_URL: authority.url, SIGNET_CHECKPOINT_EMAIL: 'auditor@example.org' } })
  folder = join(t.folder, 'kept')
  mkdirSync(folder)
  // An authority stamps the time of the machine.
  t.clock.now = new Date()
  for (let i = 0; i < 4; i++) await add()
})
afterEach(() => t.close())

const add = () => t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'organisation.changed' }, SYSTEM))
const keep = (places: { folder?: string; email?: string } = {}) =>
  keepCheckpoint(t.app, { folder: undefined, email: undefined, every: 'daily', keep: 9, ...places }, SYSTEM)
const verify = (...args: string[]) => runVerb(t, auditVerify, ...args)

async function setFolder(): Promise<void> {
  await t.app.write(tx => tx.insertInto('settings').values({ name: 'service.checkpointFolder', value: folder }).execute())
}

/** Changes entry 2, and all that a key can sign anew. */
async function rebuild(): Promise<void> {
  await t.sql('DROP TRIGGER events_never_change')
  const roots = new Map<number, { hash: string; treeRoot: string; peaks: string }>()
  const tree = new TreeBuilder()
  let hash = GENESIS
  for (const row of await t.sql<{ sequence: number; entry: string }>('SELECT sequence, entry FROM events ORDER BY sequence')) {
    const before = JSON.parse(row.entry)
    const entry = canonicalJson(row.sequence === 2 ? { ...before, data: { forged: true } } : before)
    hash = chainHash(hash, entry)
    tree.add(leafHash(hash))
    roots.set(row.sequence, { hash, treeRoot: tree.root, peaks: tree.frontier.peaks.join(' ') })
    await t.sql('UPDATE events SET entry = ?, hash = ? WHERE sequence = ?', entry, hash, row.sequence)
  }
  for (const { id, sequence, text } of await newestCheckpoints(t.app.db, 100)) {
    const { content } = readStatement(new TextEncoder().encode(text), { timestampTrust: [], now: t.clock.now })
    const { hash = '', treeRoot = '', peaks = '' } = roots.get(sequence) ?? {}
    const signed = await signStatement(t.app, 'audit-checkpoint', { ...content, hash, treeRoot })
    await t.sql(
      'UPDATE checkpoints SET hash = ?, tree_root = ?, peaks = ?, text = ? WHERE id = ?',
      hash,
      treeRoot,
      peaks,
      signed,
      id,
    )
  }
}

describe('an honest log', () => {
  onSqlite(test)('agrees with what is kept here, in the folder and by mail', async () => {
    await setFolder()
    await makeDueCheckpoint(t.app)
    await add()
    const file = await mailedFile()
    const { code, out } = await verify('--checkpoint', file)
    expect(code).toBe(0)
    expect(out).toContain('The log agrees with 1 checkpoint kept here, 0 with the time-stamp of a trusted authority.')
    expect(out).toContain(`The log agrees with 1 checkpoint in ${folder}`)
    expect(out).toContain('Nothing up to entry 4 was changed since')
    expect(out).toContain('by tsa of tests, which is not trusted here.')
  })
})

async function mailedFile(): Promise<string> {
  await t.drain()
  const [attachment] = t.mails.at(-1)?.attachments ?? []
  const file = join(t.folder, 'mailed.eml')
  await Bun.write(file, attachment && 'content' in attachment ? Buffer.from(attachment.content) : '')
  return file
}

describe('a log made anew, with all checkpoints in the database signed anew', () => {
  onSqlite(test)('is not found by the chain, nor by what is kept beside it', async () => {
    await keep()
    authority.behave('/tsa', () => new Response('', { status: 500 }))
    await rebuild()
    const { code, out } = await verify()
    expect(code).toBe(0)
    expect(out).toContain('INTACT: 5 entries')
    expect(out).toContain('The log agrees with 1 checkpoint kept here, 0 with the time-stamp of a trusted authority.')
    expect(out).toContain('Without --checkpoint, nothing shows whether')
  })

  onSqlite(test)('is found by the copy in the folder, and not by those kept here', async () => {
    await setFolder()
    await makeDueCheckpoint(t.app)
    await rebuild()
    const { code, out } = await verify()
    expect(code).toBe(1)
    expect(out).toContain('CHANGED: each entry follows from the one before')
    expect(out).toContain(`in ${folder}: the log has another entry 4: it was made anew`)
    expect(out).toContain('The log agrees with 1 checkpoint kept here')
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    expect((await verify()).code).toBe(0)
  })

  onSqlite(test)('is found by the copy that was mailed', async () => {
    await keep({ email: 'auditor@example.org' })
    const file = await mailedFile()
    await rebuild()
    const { code, out } = await verify('--checkpoint', file)
    expect(code).toBe(1)
    expect(out).toContain(`in ${file}: the log has another entry 4: it was made anew`)
  })

  onSqlite(test)('is found by its time-stamp: no authority stamps a time that has passed', async () => {
    const now = t.clock.now
    authority.behave('/tsa', () => new Response('', { status: 500 }))
    t.clock.now = new Date(now.getTime() - 30 * 86_400_000)
    await keep()
    t.clock.now = now
    authority.behave('/tsa', (_, honest) => honest())
    await rebuild()
    const { code, out } = await verify()
    expect(code).toBe(1)
    expect(out).toMatch(/kept here: it says [\d-]+, and was time-stamped on [\d-]+: it was not made when it says/)
  })
})

onSqlite(test)('another entry before the newest one that a checkpoint names is found by its tree', async () => {
  await keep()
  const [row] = await newestCheckpoints(t.app.db, 1)
  const other = await signStatement(t.app, 'audit-checkpoint', {
    ...readStatement(new TextEncoder().encode(row?.text), { timestampTrust: [], now: t.clock.now }).content,
    treeRoot: '0'.repeat(64),
  })
  await t.sql('UPDATE checkpoints SET text = ?', other)
  expect((await verify()).out).toContain('kept here: the log has another entry before entry 4: it was made anew')
})

onSqlite(test)('what another key signed, or was changed, among the kept ones is found', async () => {
  await keep()
  await t.sql(`UPDATE checkpoints SET text = replace(text, '"sequence": 4', '"sequence": 3')`)
  expect(await verify()).toMatchObject({ code: 1, out: expect.stringContaining('its content was changed after it was signed') })
})

onSqlite(test)('what the folder has of the time before a restore is said, and is no change', async () => {
  await setFolder()
  await makeDueCheckpoint(t.app)
  for (const name of ['events_never_go', 'events_never_change']) await t.sql(`DROP TRIGGER IF EXISTS ${name}`)
  // As the database of an older backup.
  await t.sql('DELETE FROM checkpoints')
  await t.sql('DELETE FROM events WHERE sequence > 2')
  t.clock.pass({ minutes: 1 })
  await t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'instance.restored' }, SYSTEM))
  const { code, out } = await verify()
  expect(code).toBe(0)
  expect(out).toContain(
    '1 checkpoint is of before a backup was restored, and not of this log. If none was, the log was made anew.',
  )
})
