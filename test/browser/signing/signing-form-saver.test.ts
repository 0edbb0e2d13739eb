/**
 * What is entered on the signing page reaches the server in order, also over a connection that
 * comes and goes.
 */
import { describe, expect, test } from 'bun:test'
import { type Members, openFormSaver, type SaveState, type ValidationError } from '../../../views/signing/browser/form-saver.ts'

interface Sent {
  members: Members
  answer(response: Response | Error): Promise<void>
}

/** A saver whose clock and connection are in the hands of the test. */
function openTestSaver() {
  const requests: Sent[] = []
  const timers: { delayMs: number; run: () => void }[] = []
  const states: SaveState[] = []
  const saved: string[][] = []
  const errors: ValidationError[] = []
  const saver = openFormSaver({
    send(members) {
      const { promise, resolve, reject } = Promise.withResolvers<Response>()
      requests.push({
        members,
        async answer(response) {
          if (response instanceof Error) reject(response)
          else resolve(response)
          // Until what follows from it has run.
          for (let i = 0; i < 10; i++) await Promise.resolve()
        },
      })
      return promise
    },
    later(delayMs, run) {
      const timer = { delayMs, run }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer) >>> 0, 1)
    },
    onState: state => void states.push(state),
    onSaved: names => void saved.push(names),
    onErrors: refused => void errors.push(...refused),
  })
  const tick = () => timers.shift()?.run()
  return { saver, requests, timers, states, saved, errors, tick }
}

const KEPT = () => new Response(null, { status: 204 })
const LOST = new TypeError('Failed to fetch')

describe('a saver', () => {
  test('sends what is only kept with the next values, or not before the page is left', async () => {
    const { saver, requests, timers, tick } = openTestSaver()
    saver.keep({ pagesShown: '1' })
    saver.keep({ pagesShown: '1-2' })
    expect([requests.length, timers.length]).toEqual([0, 0])
    expect(saver.unsaved()).toEqual({ pagesShown: '1-2' })
    saver.put({ town: 'Bern' })
    tick()
    expect(requests.map(r => r.members)).toEqual([{ pagesShown: '1-2', town: 'Bern' }])
    await requests[0]?.answer(KEPT())
    expect(saver.unsaved()).toEqual({})
  })

  test('waits a little, then sends what was entered meanwhile in one request, the last value of each member', async () => {
    const { saver, requests, timers, states, saved, tick } = openTestSaver()
    saver.put({ town: 'B' })
    saver.put({ town: 'Be' })
    saver.put({ town: 'Bern', terms: 'on' })
    expect([requests.length, timers.length]).toEqual([0, 1])
    tick()
    expect(requests.map(r => r.members)).toEqual([{ town: 'Bern', terms: 'on' }])
    await requests[0]?.answer(KEPT())
    expect([saved, states]).toEqual([[['town', 'terms']], ['saving', 'saved']])
    expect(saver.unsaved()).toEqual({})
  })

  test('has one request under way at a time; what comes meanwhile follows, and nothing says saved before all is', async () => {
    const { saver, requests, states } = openTestSaver()
    saver.put({ town: 'Bern' })
    const settled = saver.flush()
    saver.put({ town: 'Basel' })
    void saver.flush()
    expect(requests).toHaveLength(1)
    expect(saver.unsaved()).toEqual({ town: 'Basel' })
    await requests[0]?.answer(KEPT())
    expect(requests.map(r => r.members)).toEqual([{ town: 'Bern' }, { town: 'Basel' }])
    expect(states).not.toContain('saved')
    await requests[1]?.answer(KEPT())
    expect(await settled).toBe('saved')
  })

  test('distinguishes too many requests, an error of the service and a lost connection, and waits as long as the service asks', async () => {
    const { saver, requests, timers, states, tick } = openTestSaver()
    saver.put({ town: 'Bern' })
    tick()
    const pauses: number[] = []
    const tooMany = new Response('', { status: 429, headers: { 'retry-after': '30' } })
    for (const answer of [tooMany, new Response('', { status: 500 }), LOST]) {
      await requests.at(-1)?.answer(answer)
      pauses.push(timers[0]?.delayMs ?? 0)
      tick()
    }
    expect(states.filter(state => state !== 'saving')).toEqual(['busy', 'failed', 'offline'])
    expect(pauses).toEqual([30_000, 4_000, 8_000])
  })

  test('tries again with growing pauses while the connection is lost, with what was entered meanwhile, and never an older value over a newer', async () => {
    const { saver, requests, timers, states, tick } = openTestSaver()
    saver.put({ town: 'Bern', terms: 'on' })
    tick()
    const pauses: number[] = []
    for (const failure of [LOST, new Response('', { status: 503 }), new DOMException('', 'AbortError'), LOST, LOST, LOST, LOST]) {
      // Entered while the older value is under way.
      saver.put({ town: `Basel ${pauses.length + 1}` })
      await requests.at(-1)?.answer(failure)
      pauses.push(timers[0]?.delayMs ?? 0)
      expect(timers).toHaveLength(1)
      tick()
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
    expect(states.filter(state => state === 'saved')).toEqual([])
    expect(requests.at(-1)?.members).toEqual({ town: 'Basel 7', terms: 'on' })
    await requests.at(-1)?.answer(KEPT())
    expect([states.at(-1), timers.length]).toEqual(['saved', 0])
  })

  test('retries at once when the connection is back', async () => {
    const { saver, requests } = openTestSaver()
    saver.put({ town: 'Bern' })
    const first = saver.flush()
    await requests[0]?.answer(LOST)
    expect(await first).toBe('offline')
    const second = saver.flush()
    expect(requests).toHaveLength(2)
    await requests[1]?.answer(KEPT())
    expect(await second).toBe('saved')
  })

  test('tells what was refused, counts the rest as saved, and does not send the refused value again by itself', async () => {
    const { saver, requests, saved, errors, timers } = openTestSaver()
    saver.put({ town: 'x'.repeat(600), terms: 'on' })
    const settled = saver.flush()
    const error = { path: 'town', message: 'too long' }
    await requests[0]?.answer(Response.json({ errors: [error] }, { status: 422 }))
    expect([await settled, saved, errors, timers.length]).toEqual(['saved', [['terms']], [error], 0])
  })

  test('of a page the server no longer knows ends: it says so once and sends nothing more', async () => {
    const { saver, requests, states, timers } = openTestSaver()
    saver.put({ town: 'Bern' })
    const settled = saver.flush()
    await requests[0]?.answer(new Response('', { status: 409 }))
    saver.put({ town: 'Basel' })
    expect([await settled, await saver.flush(), requests.length, timers.length]).toEqual(['gone', 'gone', 1, 0])
    expect(states).toEqual(['saving', 'gone'])
  })
})
