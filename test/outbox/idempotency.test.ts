/** Idempotency keys: the first request runs, a repeat gets its response, a crash frees the key. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { Refusal } from '../../src/core/refusal.ts'
import { type Reservation, release, reserve, settle } from '../../src/outbox/idempotency.ts'
import { dropIdempotencyKeys } from '../../src/outbox/idempotency-queries.ts'
import { START } from '../support/small-app.ts'
import { useSmallApp } from '../support/use-app.ts'

const t = useSmallApp()
let first: Reservation
const ANSWER = { status: 201, body: '{"id":"doc_1","secret":"whsec_Zm9v"}' }

beforeEach(async () => {
  first = { owner: 'usr_1', value: 'k1', fingerprint: 'a'.repeat(64), boot: t.app.node.boot }
})

const answer = (reservation = first) => t.app.write(tx => settle(tx, t.app, reservation, ANSWER))
const count = async () => (await t.database.sql('SELECT value FROM idempotency_keys')).length

async function reasonOf(work: Promise<unknown>): Promise<[string, number | undefined]> {
  const outcome = await work.then(
    () => undefined,
    error => error as unknown,
  )
  if (outcome instanceof Refusal) return [outcome.reason, outcome.retryAfterS]
  throw outcome ?? new Error('nothing was refused')
}

describe('reserving', () => {
  test('the first request runs', async () => {
    expect(await reserve(t.app, first)).toBeUndefined()
    expect(await count()).toBe(1)
  })

  test('a repeat during the first request gets a retry time of one second', async () => {
    await reserve(t.app, first)
    expect(await reasonOf(reserve(t.app, first))).toEqual(['idempotency_in_progress', 1])
  })

  test('one of twenty concurrent requests runs', async () => {
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => reserve(t.app, first)))
    expect(all.filter(a => a.status === 'fulfilled')).toHaveLength(1)
    expect(await count()).toBe(1)
  })

  test('another request with the same key is refused, during and after the first', async () => {
    const other = { ...first, fingerprint: 'b'.repeat(64) }
    await reserve(t.app, first)
    expect(await reasonOf(reserve(t.app, other))).toEqual(['idempotency_key_reused', undefined])
    await answer()
    expect(await reasonOf(reserve(t.app, other))).toEqual(['idempotency_key_reused', undefined])
    expect(await reserve(t.app, first)).toEqual(ANSWER)
  })

  test('another owner’s equal key is another key', async () => {
    await reserve(t.app, first)
    await answer()
    expect(await reserve(t.app, { ...first, owner: 'usr_2' })).toBeUndefined()
    expect(await count()).toBe(2)
  })

  test('keys whose parts are equal only when joined differ', async () => {
    await reserve(t.app, { ...first, owner: 'a', value: 'b:c' })
    expect(await reserve(t.app, { ...first, owner: 'a:b', value: 'c' })).toBeUndefined()
  })
})

describe('the response', () => {
  test('is repeated byte for byte, any number of times', async () => {
    await reserve(t.app, first)
    await answer()
    expect(await reserve(t.app, first)).toEqual(ANSWER)
    expect(await reserve(t.app, first)).toEqual(ANSWER)
  })

  test('is encrypted: it may contain a secret that is shown once', async () => {
    await reserve(t.app, first)
    await answer()
    const [row] = await t.database.sql<{ sealed_body: Uint8Array }>('SELECT sealed_body FROM idempotency_keys')
    expect(Buffer.from(row?.sealed_body ?? []).includes('whsec_')).toBe(false)
  })

  test('is stored with its change: a rollback leaves the key reserved', async () => {
    await reserve(t.app, first)
    const failing = t.app.write(async tx => {
      await settle(tx, t.app, first, ANSWER)
      throw new Error('disk')
    })
    await failing.catch(() => {})
    expect(await reasonOf(reserve(t.app, first))).toEqual(['idempotency_in_progress', 1])
  })

  test('cannot be read in the row of another key', async () => {
    await reserve(t.app, first)
    await answer()
    await t.database.sql("UPDATE idempotency_keys SET value = 'k2'")
    expect(reserve(t.app, { ...first, value: 'k2' })).rejects.not.toBeInstanceOf(Refusal)
  })

  test('survives a restart', async () => {
    await reserve(t.app, first)
    await answer()
    expect(await reserve(await t.rebooted(), first)).toEqual(ANSWER)
  })
})

describe('a key is free again', () => {
  test('when the request stored nothing', async () => {
    await reserve(t.app, first)
    await t.app.write(tx => release(tx, first))
    expect(await reserve(t.app, first)).toBeUndefined()
  })

  test('but not by a release after the response', async () => {
    await reserve(t.app, first)
    await answer()
    await t.app.write(tx => release(tx, first))
    expect(await reserve(t.app, first)).toEqual(ANSWER)
  })

  test('when the process that ran the first request died', async () => {
    await reserve(t.app, first)
    const app = await t.rebooted()
    const { boot } = app.node
    expect(await reserve(app, { ...first, boot, fingerprint: 'b'.repeat(64) })).toBeUndefined()
    expect(await reasonOf(reserve(app, { ...first, boot }))).toEqual(['idempotency_key_reused', undefined])
  })

  test('by the sweep twenty-four hours after the response, not after the request, nor by a clock that jumped', async () => {
    await reserve(t.app, first)
    t.clock.pass({ hours: 5 })
    await answer()
    const sweepAt = async (ms: number) => {
      t.clock.now = new Date(START.getTime() + ms)
      await t.app.write(tx => dropIdempotencyKeys(tx, t.clock.now, 10))
    }
    await sweepAt(29 * 3_600_000 - 1)
    expect(await reserve(t.app, first)).toEqual(ANSWER)
    t.clock.now = new Date(START.getTime() + 400 * 86_400_000)
    expect(await reserve(t.app, first)).toEqual(ANSWER)
    await sweepAt(29 * 3_600_000)
    expect(await reserve(t.app, { ...first, fingerprint: 'b'.repeat(64) })).toBeUndefined()
    expect(await reasonOf(reserve(t.app, { ...first, fingerprint: 'b'.repeat(64) }))).toEqual(['idempotency_in_progress', 1])
  })
})

describe('the sweep', () => {
  test('deletes expired keys only', async () => {
    await reserve(t.app, first)
    await answer()
    await reserve(t.app, { ...first, value: 'running' })
    t.clock.pass({ hours: 23 })
    await t.app.write(tx => dropIdempotencyKeys(tx, t.clock.now, 10))
    expect(await count()).toBe(2)
    t.clock.pass({ hours: 1 })
    await t.app.write(tx => dropIdempotencyKeys(tx, t.clock.now, 10))
    expect(await t.database.sql('SELECT value FROM idempotency_keys')).toEqual([{ value: 'running' }])
  })
})
