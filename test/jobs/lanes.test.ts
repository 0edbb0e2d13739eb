/** How many jobs run at once, and that slow ones delay no others. */
import { describe, expect, test } from 'bun:test'
import type { Handler } from '../../src/jobs/worker.ts'
import { KIND_LIMITS } from '../../src/jobs/worker.ts'
import {
  blocking,
  done,
  ended,
  names,
  open,
  patienceEnds,
  peak,
  put,
  runningJobs,
  t,
  turns,
  useWorkers,
} from '../support/job-worker.ts'

useWorkers()

const RECEIVER = KIND_LIMITS.webhook.receiver ?? { known: 0, new: 0 }

describe('limits', () => {
  /** Makes these receivers known: each has responded in time once. */
  async function introduced(lanes: string[], handler: Handler): Promise<void> {
    for (const lane of lanes) await put('webhook', [`hello ${lane}`], { lane })
    let isIntroduced = false
    await open((app, job) => (isIntroduced ? handler : done)(app, job)).start()
    await turns(200)
    expect(ended.splice(0)).toHaveLength(lanes.length)
    isIntroduced = true
  }

  test('the limit of a kind holds', async () => {
    await put('mail', names('m', 20))
    await open(blocking).start()
    await turns()
    expect([...runningJobs.keys()]).toEqual(names('m', 8))
    runningJobs.get('m0')?.end()
    await turns()
    expect([...runningJobs.keys()]).toEqual(names('m', 9).slice(1))
  })

  test('a slow receiver delays only itself', async () => {
    await put('webhook', names('slow', 40), { lane: 'slow.example' })
    await put('webhook', names('good', 3), { lane: 'good.example' })
    await put('mail', ['mail'])
    await open(async (app, job) => (job.lane === 'slow.example' ? blocking(app, job) : done(app, job))).start()
    await turns()
    expect(ended.toSorted()).toEqual(['good0', 'good1', 'good2', 'mail'])
    expect(runningJobs.size).toBe(RECEIVER.new)
  })

  test('a new receiver gets one job at once, one that responded in time four, also when they end one by one', async () => {
    await put('webhook', names('w', 20), { lane: 'a.example' })
    await open(blocking).start()
    await turns()
    expect([...runningJobs.keys()]).toEqual(['w0'])
    for (let i = 0; i < 20; i++) {
      ;[...runningJobs.values()][0]?.end('in time')
      await turns(20)
    }
    expect(ended).toHaveLength(20)
    expect(peak.byLane.get('a.example')).toBe(4)
  })

  test('many receivers together reach the limit of the kind and no more', async () => {
    const lanes = names('known-', 20)
    await introduced(lanes, blocking)
    for (const lane of lanes) await put('webhook', names(`${lane} `, 5), { lane })
    await turns(300)
    expect(runningJobs.size).toBe(64)
    expect(Math.max(...peak.byLane.values())).toBeLessThanOrEqual(4)
  })

  test('the worker waits for a full lane without polling', async () => {
    await put('webhook', names('w', 12), { lane: 'a.example' })
    await open(blocking).start()
    await turns(200)
    expect(runningJobs.size).toBe(RECEIVER.new)
    expect(t.writes()).toBeLessThan(50)
  })

  test('the worker waits for a full kind while other kinds continue', async () => {
    await put('mail', names('m', 12))
    await open(async (app, job) => (job.kind === 'mail' ? blocking(app, job) : done(app, job))).start()
    await turns()
    await put('seal', ['s'])
    await turns(200)
    expect(ended).toEqual(['s'])
    expect(t.writes()).toBeLessThan(50)
  })

  test('64 receivers that never respond, known or new, free their capacity once, and a healthy one continues', async () => {
    const lanes = names('hangs-', 32)
    await introduced(lanes, async (app, job) => (job.lane.startsWith('hangs') ? blocking(app, job) : done(app, job)))
    for (const lane of [...lanes, ...names('hangs-new-', 32)]) await put('webhook', names(`${lane} `, 10), { lane })
    await turns(300)
    await put('webhook', names('healthy', 20), { lane: 'z.example' })
    await turns(100)
    expect(runningJobs.size).toBe(64)
    await patienceEnds()
    expect(ended).toContain('healthy0')
    await patienceEnds()
    expect(ended).toEqual(names('healthy', 20))
    // Hanging receivers get no further jobs meanwhile, however often others end.
    const hanging = runningJobs.size
    await put('webhook', names('more', 50), { lane: 'z.example' })
    await turns(300)
    expect(ended).toHaveLength(70)
    expect(runningJobs.size).toBe(hanging)
    expect(hanging).toBeLessThanOrEqual(KIND_LIMITS.webhook.all)
  })

  test('a receiver that timed out is retried in the slow lane, eight at once, until it responds in time', async () => {
    const lanes = names('slow-', 12)
    for (const lane of lanes) await put('webhook', names(`${lane} `, 3), { lane })
    await open(blocking).start()
    await turns(200)
    for (const { end } of runningJobs.values()) end('timed out')
    await turns(300)
    expect(runningJobs.size).toBe(8)
    expect(Math.max(...peak.byLane.values())).toBe(1)
    await put('webhook', ['healthy'], { lane: 'z.example' })
    await turns()
    expect(runningJobs.has('healthy')).toBe(true)
    const [first] = runningJobs.values()
    const lane = first?.job.lane
    first?.end('in time')
    await turns(100)
    // Known again: its next job runs outside the slow lane, where another receiver takes its slot.
    expect([...runningJobs.values()].filter(u => u.job.lane === lane)).toHaveLength(1)
    expect([...runningJobs.values()].filter(u => u.job.lane.startsWith('slow') && u.job.lane !== lane)).toHaveLength(8)
  })

  test('16 hanging mails free their capacity and the next are sent, up to the limit of connections', async () => {
    await put('mail', names('hangs', 16))
    await put('mail', names('fine', 5))
    await open(async (app, job) => (job.subject.startsWith('hangs') ? blocking(app, job) : done(app, job))).start()
    await turns()
    expect(runningJobs.size).toBe(8)
    await patienceEnds()
    expect([runningJobs.size, ended]).toEqual([16, []])
    await patienceEnds()
    expect(ended).toEqual(names('fine', 5))
    await put('mail', names('hangs more', 40))
    await turns()
    for (let i = 0; i < 5; i++) await patienceEnds()
    expect(runningJobs.size).toBe(KIND_LIMITS.mail.all)
  })

  test('mails that timed out are retried two at once, beside the others', async () => {
    await put('mail', names('again', 10), { lane: 'mail:slow' })
    await put('mail', names('first', 3))
    await open(async (app, job) => (job.lane === 'mail:slow' ? blocking(app, job) : done(app, job))).start()
    await turns(100)
    expect(ended).toEqual(names('first', 3))
    expect(runningJobs.size).toBe(2)
    await patienceEnds()
    expect(runningJobs.size).toBe(2)
  })
})
