/** Compaction of the database after rows were deleted. */
import { expect, test } from 'bun:test'
import { runSchedule } from '../../src/jobs/schedule.ts'
import { compactWhenDue } from '../../src/settings/compaction.ts'
import { newDocument } from '../support/sample.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

async function eraseOne(): Promise<void> {
  const { body } = await t.api('POST', '/documents', await newDocument())
  expect((await t.api('DELETE', `/documents/${body.id}`)).status).toBe(200)
}

/** The App with a count of compactions; `meanwhile` happens during the first. */
function counting(meanwhile = async () => {}) {
  let count = 0
  const app = Object.create(t.app, {
    compact: {
      value: async () => {
        if (++count === 1) await meanwhile()
      },
    },
  })
  return { app, count: () => count }
}

test('what was erased before the process ended is overwritten after the next start, once', async () => {
  await eraseOne()
  await eraseOne()
  const { app, count } = counting()
  await runSchedule(app)
  expect(count()).toBe(1)
  await runSchedule(app)
  expect(count()).toBe(1)
})

test('what is erased during a compaction, or by one that fails, waits for the next', async () => {
  await eraseOne()
  const { app, count } = counting(eraseOne)
  await compactWhenDue(app)
  await compactWhenDue(app)
  expect(count()).toBe(2)
  await eraseOne()
  const failing = counting(() => Promise.reject(new Error('disk')))
  await expect(compactWhenDue(failing.app)).rejects.toThrow('disk')
  await compactWhenDue(app)
  await compactWhenDue(app)
  expect(count()).toBe(3)
})
