/** An app for each test of a file, closed after it. */
import { afterEach, beforeEach } from 'bun:test'
import type { Visitor } from './browser-less.ts'
import { openSmallApp, type SmallApp } from './small-app.ts'
import { openTestApp, type TestApp, type TestOptions } from './test-app.ts'
import { newAdministrator } from './visitors.ts'

/** Call once in a test file or a group: the value is at all times the app of the running test. */
export const useTestApp = (options?: TestOptions): TestApp => eachTimeOpened(() => openTestApp(options))

export const useSmallApp = (env?: Record<string, string>): SmallApp => eachTimeOpened(() => openSmallApp(env))

/** Call once, after the app: at all times the administrator, signed in for the running test. */
export const useAdministrator = (t: TestApp): Visitor => eachTimeOpened(() => newAdministrator(t))

function eachTimeOpened<T extends object>(open: () => Promise<T & { close?(): Promise<void> }>): T {
  const current = {} as Awaited<ReturnType<typeof open>>
  beforeEach(async () => {
    // Its own property descriptors: what the app computes at each reading stays so.
    Object.defineProperties(current, Object.getOwnPropertyDescriptors(await open()))
  })
  afterEach(() => current.close?.())
  return current
}
