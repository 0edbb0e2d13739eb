/** The task queue: bounded in count and time for each lane, in order, without losing a slot. */
import { expect, test } from 'bun:test'
import { type Lane, TaskQueue } from '../../src/sandbox/task-queue.ts'
import { failureOf } from '../support/scripted-pool.ts'

const NEVER = 2 ** 30
const bounds = (waiting: number, waitMs: number) => ({ waiting, waitMs })
const queueOf = (size: number, internal = bounds(2, NEVER), others = bounds(1, NEVER)) =>
  new TaskQueue(size, { seal: { ...others, waiting: Number.POSITIVE_INFINITY }, internal, public: others })

const BUSY = { reason: 'overloaded', retryAfterS: 10 }

/** Acquires slots, and records the name of each that was granted. */
function asker(queue: TaskQueue) {
  const got: string[] = []
  const ask = (name: string, lane: Lane) => queue.acquire(lane).then(() => void got.push(name))
  return { got, ask }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

test('a task beyond the bound is refused at once, and waiting tasks get their slots in order', async () => {
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

test('public tasks have a queue of their own: it can be full while internal tasks are accepted', async () => {
  const queue = queueOf(1)
  const { ask } = asker(queue)
  await ask('first', 'internal')
  void ask('public', 'public')
  expect(await failureOf(ask('another public', 'public'))).toMatchObject(BUSY)
  const waiting = ask('second', 'internal')
  queue.release()
  expect(await waiting).toBeUndefined()
})

test('a seal is never refused for the length of the queue, and keeps its position', async () => {
  const queue = queueOf(1)
  const { got, ask } = asker(queue)
  await ask('first', 'internal')
  const waiting = [ask('second', 'internal'), ask('third', 'internal'), ask('seal', 'seal'), ask('another seal', 'seal')]
  for (const _ of waiting) queue.release()
  await Promise.all(waiting)
  expect(got).toEqual(['first', 'second', 'third', 'seal', 'another seal'])
})

test('a task that waited too long is refused and takes no slot', async () => {
  const queue = queueOf(1, bounds(1, 20))
  const { got, ask } = asker(queue)
  await ask('first', 'internal')
  expect(await failureOf(ask('second', 'internal'))).toMatchObject(BUSY)
  queue.release()
  await ask('third', 'internal')
  expect(got).toEqual(['first', 'third'])
})

test('public tasks never take the last slot, and are served last', async () => {
  const queue = queueOf(2)
  const { got, ask } = asker(queue)
  await ask('member', 'internal')
  const anonymous = ask('public', 'public')
  await ask('second', 'internal')
  const third = ask('third', 'internal')
  queue.release()
  await third
  queue.release()
  await turn()
  expect(got).toEqual(['member', 'second', 'third'])
  queue.release()
  await anonymous
  expect(got.at(-1)).toBe('public')
})
