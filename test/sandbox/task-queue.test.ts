/** The task queue: bounded in count and time, fair between owners, without losing a slot. */
import { expect, test } from 'bun:test'
import { type Lane, type Order, type Slot, TaskQueue } from '../../src/sandbox/task-queue.ts'
import { failureOf } from '../support/scripted-pool.ts'

const NEVER = 2 ** 30
const bounds = (waiting: number, waitMs: number) => ({ waiting, waitMs })
const endless = bounds(Number.POSITIVE_INFINITY, NEVER)

function queueOf(size: number, internal = bounds(2, NEVER), others = bounds(1, NEVER)) {
  const clock = { ms: 0 }
  const queue = new TaskQueue(size, { seal: endless, internal, public: others, spare: endless }, () => clock.ms)
  return { queue, clock }
}

const BUSY = { reason: 'overloaded', retryAfterS: 10 }

/** Acquires slots, and records the names in the order in which they were granted and recalled. */
function asker(queue: TaskQueue) {
  const got: string[] = []
  const recalled: string[] = []
  const slots = new Map<string, Slot>()
  const ask = (name: string, lane: Lane = 'internal', { owner = name, wasRecalled = false }: Partial<Order> = {}) =>
    queue
      .acquire({ lane, owner, wasRecalled }, () => recalled.push(name))
      .then(slot => {
        got.push(name)
        slots.set(name, slot)
      })
  const end = async (name: string) => {
    slots.get(name)?.release()
    await turn()
  }
  const becomeLong = (name: string) => slots.get(name)?.becomeLong()
  return { got, recalled, ask, end, becomeLong }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a task beyond the bound is refused at once, and waiting tasks get their slots in order', async () => {
  const { queue } = queueOf(1)
  const { got, ask, end } = asker(queue)
  await ask('first')
  const waiting = [ask('second'), ask('third')]
  expect(await failureOf(ask('fourth'))).toMatchObject(BUSY)
  await end('first')
  await end('second')
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'second', 'third'])
})

test('who fills the queue takes no place from others: the newest of the most is refused', async () => {
  const { queue } = queueOf(1, bounds(3, NEVER))
  const { got, ask, end } = asker(queue)
  await ask('first')
  const [one, two, three] = ['one', 'two', 'three'].map(name => failureOf(ask(name, 'internal', { owner: 'many' })))
  const other = ask('other')
  expect(await three).toMatchObject(BUSY)
  expect(await failureOf(ask('four', 'internal', { owner: 'many' }))).toMatchObject(BUSY)
  for (const name of ['first', 'one', 'two']) await end(name)
  await Promise.all([one, two, other])
  expect(got).toEqual(['first', 'one', 'two', 'other'])
})

test('while others wait an owner has one task at a time, alone all', async () => {
  const { queue } = queueOf(2, bounds(9, NEVER))
  const { got, ask, end } = asker(queue)
  await Promise.all([ask('a1', 'internal', { owner: 'a' }), ask('a2', 'internal', { owner: 'a' })])
  const waiting = [ask('a3', 'internal', { owner: 'a' }), ask('a4', 'internal', { owner: 'a' }), ask('b1'), ask('c1')]
  await end('a1')
  expect(got).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(got).toEqual(['a1', 'a2', 'b1', 'c1'])
  await end('a2')
  await end('c1')
  await Promise.all(waiting)
  expect(got).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
})

test('a seal comes before uploads that waited longer, and is never refused for the length of the queue', async () => {
  const { queue } = queueOf(1)
  const { got, ask, end } = asker(queue)
  await ask('first')
  const waiting = [ask('second'), ask('third'), ask('seal', 'seal'), ask('another seal', 'seal')]
  for (const name of ['first', 'seal', 'another seal', 'second']) await end(name)
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'seal', 'another seal', 'second', 'third'])
})

test('a task that waited too long is refused and takes no slot', async () => {
  const { queue } = queueOf(1, bounds(1, 20))
  const { got, ask, end } = asker(queue)
  await ask('first')
  expect(await failureOf(ask('second'))).toMatchObject(BUSY)
  await end('first')
  await ask('third')
  expect(got).toEqual(['first', 'third'])
})

test('public tasks have a bound of their own, and take any slot that nobody else wants', async () => {
  const { queue } = queueOf(2)
  const { got, ask, end } = asker(queue)
  await Promise.all([ask('public', 'public'), ask('another public', 'public')])
  const third = ask('third public', 'public')
  expect(await failureOf(ask('fourth public', 'public'))).toMatchObject(BUSY)
  const member = ask('member')
  await end('public')
  await member
  await end('another public')
  await third
  expect(got).toEqual(['public', 'another public', 'member', 'third public'])
})

test('a public task that waited five seconds comes next, and one of them at a time', async () => {
  const { queue, clock } = queueOf(2, bounds(9, NEVER), bounds(9, NEVER))
  const { got, ask, end } = asker(queue)
  await Promise.all([ask('m1'), ask('m2')])
  const waiting = [ask('p1', 'public'), ask('p2', 'public'), ask('m3'), ask('m4'), ask('m5')]
  await end('m1')
  clock.ms = 5_000
  await end('m2')
  await end('m3')
  expect(got).toEqual(['m1', 'm2', 'm3', 'p1', 'm4'])
  await end('p1')
  expect(got.at(-1)).toBe('p2')
  await end('p2')
  await Promise.all(waiting)
})

test('two long tasks of one owner: the newer is recalled once another waits, and comes back after the older', async () => {
  const { queue } = queueOf(2)
  const { got, recalled, ask, end, becomeLong } = asker(queue)
  await Promise.all([ask('slow 1', 'internal', { owner: 'a' }), ask('slow 2', 'internal', { owner: 'a' })])
  for (const name of ['slow 1', 'slow 2']) becomeLong(name)
  expect(recalled).toEqual([])
  const other = ask('other')
  expect(recalled).toEqual(['slow 2'])
  await end('slow 2')
  const again = ask('slow 2 again', 'internal', { owner: 'a', wasRecalled: true })
  await end('other')
  expect(got).toEqual(['slow 1', 'slow 2', 'other'])
  expect(queue.load).toEqual({ running: 1, waiting: 1 })
  await ask('another')
  await end('slow 1')
  await Promise.all([other, again])
  expect(got).toEqual(['slow 1', 'slow 2', 'other', 'another', 'slow 2 again'])
  expect(recalled).toEqual(['slow 2'])
})

test('long tasks of two owners leave a slot too; what was recalled once is not recalled again, nor is a seal', async () => {
  const { queue } = queueOf(2, bounds(9, NEVER))
  const { recalled, ask, end, becomeLong } = asker(queue)
  await Promise.all([ask('again', 'internal', { wasRecalled: true }), ask('seal', 'seal')])
  becomeLong('seal')
  void ask('other')
  expect(recalled).toEqual([])
  await end('seal')
  becomeLong('other')
  expect(recalled).toEqual([])
  void ask('third')
  expect(recalled).toEqual(['other'])
  void ask('fourth')
  expect(recalled).toEqual(['other'])
})

test('nobody leaves a slot to a spare child, and it comes last', async () => {
  const { queue } = queueOf(2)
  const { got, recalled, ask, end, becomeLong } = asker(queue)
  await Promise.all([ask('slow 1'), ask('slow 2')])
  for (const name of ['slow 1', 'slow 2']) becomeLong(name)
  const spare = ask('spare', 'spare')
  expect(recalled).toEqual([])
  const other = ask('other')
  await end('slow 2')
  expect(got).toEqual(['slow 1', 'slow 2', 'other'])
  await end('other')
  await Promise.all([spare, other])
})
