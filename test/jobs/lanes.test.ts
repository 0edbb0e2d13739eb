/** How many jobs run at once, and that slow ones delay no others. */
import { describe, expect, test } from 'bun:test'
import { KIND_LIMITS } from '../../src/jobs/lanes.ts'
import type { Handler } from '../../src/jobs/worker.ts'
import {
  done,
  ended,
  held,
  most,
  names,
  open,
  patienceEnds,
  put,
  t,
  turns,
  underWay,
  useWorkers,
} from '../support/worker-place.ts'

useWorkers()

const RECEIVER = KIND_LIMITS.webhook.receiver ?? { known: 0, new: 0 }

describe('widths', () => {
  /** Makes these receivers known: each has answered in time once. */
  async function introduced(lanes: string[], handler: Handler): Promise<void> {
    for (const lane of lanes) await put('webhook', [`hello ${lane}`], { lane })
    let isIntroduced = false
    await open((app, job) => (isIntroduced ? handler : done)(app, job)).start()
    await turns(200)
    expect(ended.splice(0)).toHaveLength(lanes.length)
    isIntroduced = true
  }

  test('at most so many of a kind run at once', async () => {
    await put('mail', names('m', 20))
    await open(held).start()
    await turns()
    expect([...underWay.keys()]).toEqual(names('m', 8))
    underWay.get('m0')?.end()
    await turns()
    expect([...underWay.keys()]).toEqual(names('m', 9).slice(1))
  })

  test('a slow receiver holds up itself alone', async () => {
    await put('webhook', names('slow', 40), { lane: 'slow.example' })
    await put('webhook', names('good', 3), { lane: 'good.example' })
    await put('mail', ['mail'])
    await open(async (app, job) => (job.lane === 'slow.example' ? held(app, job) : done(app, job))).start()
    await turns()
    expect(ended.toSorted()).toEqual(['good0', 'good1', 'good2', 'mail'])
    expect(underWay.size).toBe(RECEIVER.new)
  })

  test('a receiver that is new is sent one at once, one that answered in time four, also when its jobs end one by one', async () => {
    await put('webhook', names('w', 20), { lane: 'a.example' })
    await open(held).start()
    await turns()
    expect([...underWay.keys()]).toEqual(['w0'])
    for (let i = 0; i < 20; i++) {
      ;[...underWay.values()][0]?.end('in time')
      await turns(20)
    }
    expect(ended).toHaveLength(20)
    expect(most.byLane.get('a.example')).toBe(4)
  })

  test('many receivers together fill the width of the kind and no more', async () => {
    const lanes = names('known-', 20)
    await introduced(lanes, held)
    for (const lane of lanes) await put('webhook', names(`${lane} `, 5), { lane })
    await turns(300)
    expect(underWay.size).toBe(64)
    expect(Math.max(...most.byLane.values())).toBeLessThanOrEqual(4)
  })

  test('a full lane is waited for, not asked again and again', async () => {
    await put('webhook', names('w', 12), { lane: 'a.example' })
    await open(held).start()
    await turns(200)
    expect(underWay.size).toBe(RECEIVER.new)
    expect(t.writes()).toBeLessThan(50)
  })

  test('jobs of a kind that has no room are waited for too, while other kinds go on', async () => {
    await put('mail', names('m', 12))
    await open(async (app, job) => (job.kind === 'mail' ? held(app, job) : done(app, job))).start()
    await turns()
    await put('seal', ['s'])
    await turns(200)
    expect(ended).toEqual(['s'])
    expect(t.writes()).toBeLessThan(50)
  })

  test('64 receivers that never answer, known before or new, give their places up once, and a healthy one goes on beside them', async () => {
    const lanes = names('hangs-', 32)
    await introduced(lanes, async (app, job) => (job.lane.startsWith('hangs') ? held(app, job) : done(app, job)))
    for (const lane of [...lanes, ...names('hangs-new-', 32)]) await put('webhook', names(`${lane} `, 10), { lane })
    await turns(300)
    await put('webhook', names('healthy', 20), { lane: 'z.example' })
    await turns(100)
    expect(underWay.size).toBe(64)
    await patienceEnds()
    expect(ended).toContain('healthy0')
    await patienceEnds()
    expect(ended).toEqual(names('healthy', 20))
    // Those that hang are not asked for more meanwhile, however often others end.
    const hanging = underWay.size
    await put('webhook', names('more', 50), { lane: 'z.example' })
    await turns(300)
    expect(ended).toHaveLength(70)
    expect(underWay.size).toBe(hanging)
    expect(hanging).toBeLessThanOrEqual(KIND_LIMITS.webhook.all)
  })

  test('a receiver that timed out is tried in the slow lane, eight of all such at once, until it answers in time', async () => {
    const lanes = names('slow-', 12)
    for (const lane of lanes) await put('webhook', names(`${lane} `, 3), { lane })
    await open(held).start()
    await turns(200)
    for (const { end } of underWay.values()) end('timed out')
    await turns(300)
    expect(underWay.size).toBe(8)
    expect(Math.max(...most.byLane.values())).toBe(1)
    await put('webhook', ['healthy'], { lane: 'z.example' })
    await turns()
    expect(underWay.has('healthy')).toBe(true)
    const [first] = underWay.values()
    const lane = first?.job.lane
    first?.end('in time')
    await turns(100)
    // Known again: its next job runs outside the slow lane, and another receiver has its place
    // there.
    expect([...underWay.values()].filter(u => u.job.lane === lane)).toHaveLength(1)
    expect([...underWay.values()].filter(u => u.job.lane.startsWith('slow') && u.job.lane !== lane)).toHaveLength(8)
  })

  test('16 mails that hang give their places up, and the next are sent; in all no more connections than the bound', async () => {
    await put('mail', names('hangs', 16))
    await put('mail', names('fine', 5))
    await open(async (app, job) => (job.subject.startsWith('hangs') ? held(app, job) : done(app, job))).start()
    await turns()
    expect(underWay.size).toBe(8)
    await patienceEnds()
    expect([underWay.size, ended]).toEqual([16, []])
    await patienceEnds()
    expect(ended).toEqual(names('fine', 5))
    await put('mail', names('hangs more', 40))
    await turns()
    for (let i = 0; i < 5; i++) await patienceEnds()
    expect(underWay.size).toBe(KIND_LIMITS.mail.all)
  })

  test('mails that timed out are tried again two at once, beside the others', async () => {
    await put('mail', names('again', 10), { lane: 'mail:slow' })
    await put('mail', names('first', 3))
    await open(async (app, job) => (job.lane === 'mail:slow' ? held(app, job) : done(app, job))).start()
    await turns(100)
    expect(ended).toEqual(names('first', 3))
    expect(underWay.size).toBe(2)
    await patienceEnds()
    expect(underWay.size).toBe(2)
  })
})
