/** Runs a verb on the app of a test, as beside a process that serves it. */
import { join } from 'node:path'
import type { Io, Verb } from '../../src/cli/verb.ts'
import type { TestApp } from '../support/test-app.ts'

export async function runVerb(t: TestApp, verb: Verb, ...args: string[]): Promise<{ code: number; out: string }> {
  const lines: string[] = []
  const io = {
    out: text => void lines.push(text),
    err: text => void lines.push(text),
    env: {},
    open: async () => ({ app: t.app, close: async () => {} }),
  } as Partial<Io> as Io
  const code = await verb.run([...args, '--data', join(t.folder, 'data')], io)
  return { code, out: lines.join('\n') }
}
