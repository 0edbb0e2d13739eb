/** The ports on this machine, where they differ from what the runtime does. */
import { expect, test } from 'bun:test'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

const { after } = THIS_MACHINE.timers

test('a timer of more than 24 days does not fire at once, and can be ended', async () => {
  const fired: string[] = []
  const end = after(2 ** 31, () => fired.push('long'))
  // What fires at once fires before a timer that was started later.
  await new Promise<void>(resolve => after(5, resolve))
  end()
  expect(fired).toEqual([])
})

test('a timer without an end never fires, and a short one does', async () => {
  const fired: string[] = []
  after(Number.POSITIVE_INFINITY, () => fired.push('never'))
  await new Promise<void>(resolve => after(1, resolve))
  expect(fired).toEqual([])
})
