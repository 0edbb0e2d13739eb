import { expect, test } from 'bun:test'
import { KeyedQueue } from '../../src/lib/async-work.ts'

test('tasks of a key run one after another, also after a failure, and other keys do not wait', async () => {
  const queue = new KeyedQueue()
  const order: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = queue.run('a', async () => {
    await gate.promise
    order.push('first')
    throw new Error('failed')
  })
  const second = queue.run('a', async () => void order.push('second'))
  await queue.run('b', async () => void order.push('other'))
  expect([order, queue.lengthOf('a'), queue.lengthOf('b')]).toEqual([['other'], 2, 0])
  gate.resolve()
  await expect(first).rejects.toThrow('failed')
  await second
  expect([order, queue.lengthOf('a')]).toEqual([['other', 'first', 'second'], 0])
})
