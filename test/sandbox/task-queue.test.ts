/** The queue before the children: bounded in count and time for each lane, in order, and never a slot lost. */
import { expect, test } from 'bun:test'
import { type Lane, TaskQueue } from '../../src/sandbox/task-queue.ts'
import { failureOf } from '../support/scripted-pool.ts'

const NEVER = 2 ** 30
const bounds = (waiting: number, waitMs: number) => ({ waiting, waitMs })
const queueOf = (size: number, internal = bounds(2, NEVER), others = bounds(1, NEVER)) =>
  new TaskQueue(size, { seal: { ...others, waiting: Number.POSITIVE_INFINITY }, internal, public: others })

const BUSY = { reason: 'overloaded', retryAfterS: 10 }

/** Asks for a slot; notes its name once it has one. */
function asker(queue: TaskQueue) {
  const got: string[] = []
  const ask = (name: string, lane: Lane) => queue.acquire(lane).then(() => void got.push(name))
  return { got, ask }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('one more than may wait is refused at once, and those that wait get their slots in order', async () => {
  const queue = queueOf(1)
  const { got, ask } = asker(queue)
  await ask('first', 'internal')
  const waiting = [ask('second', 'internal'), ask('third', 'internal')]
  expect(await failureOf(ask('fourth', 'internal'))).toMatchObject(BUSY)
  queue.release()
  queue.release()
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'second', 'third'])
})

test('strangers have a queue of their own: theirs is full while the service still takes work', async () => {
  const queue = queueOf(1)
  const { ask } = asker(queue)
  await ask('first', 'internal')
  void ask('stranger', 'public')
  expect(await failureOf(ask('another stranger', 'public'))).toMatchObject(BUSY)
  const waiting = ask('second', 'internal')
  queue.release()
  expect(await waiting).toBeUndefined()
})

test('a seal is never refused for the length of the queue, and comes in its turn', async () => {
  const queue = queueOf(1)
  const { got, ask } = asker(queue)
  await ask('first', 'internal')
  const waiting = [ask('second', 'internal'), ask('third', 'internal'), ask('seal', 'seal'), ask('another seal', 'seal')]
  for (const _ of waiting) queue.release()
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'second', 'third', 'seal', 'another seal'])
})

test('one that has waited too long is refused, leaves its place, and takes no slot', async () => {
  const queue = queueOf(1, bounds(1, 20))
  const { got, ask } = asker(queue)
  await ask('first', 'internal')
  expect(await failureOf(ask('second', 'internal'))).toMatchObject(BUSY)
  queue.release()
  await ask('third', 'internal')
  expect(got).toEqual(['first', 'third'])
})

test('strangers never take the last slot, and go behind everybody', async () => {
  const queue = queueOf(2)
  const { got, ask } = asker(queue)
  await ask('member', 'internal')
  const stranger = ask('stranger', 'public')
  await ask('second', 'internal')
  const third = ask('third', 'internal')
  queue.release()
  await third
  queue.release()
  await turn()
  expect(got).toEqual(['member', 'second', 'third'])
  queue.release()
  await stranger
  expect(got.at(-1)).toBe('stranger')
})
