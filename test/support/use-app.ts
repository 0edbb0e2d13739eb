/** An app for each test of a file, closed after it. */
import { afterEach, beforeEach } from 'bun:test'
import { openSmallApp, type SmallApp } from './small-app.ts'
import { openTestApp, type TestApp, type TestOptions } from './test-app.ts'

/** Call once in a test file or a group: the value is at all times the app of the running test. */
export const useTestApp = (options?: TestOptions): TestApp => eachTimeOpened(() => openTestApp(options))

export const useSmallApp = (env?: Record<string, string>): SmallApp => eachTimeOpened(() => openSmallApp(env))

function eachTimeOpened<T extends { close(): Promise<void> }>(open: () => Promise<T>): T {
  const current = {} as T
  beforeEach(async () => {
    // Its own property descriptors: what the app computes at each reading stays so.
    Object.defineProperties(current, Object.getOwnPropertyDescriptors(await open()))
  })
  afterEach(() => current.close())
  return current
}
