import { describe, expect, test } from 'bun:test'
import { bufferedWriter, MAX_UNREAD, openLog } from '../../src/lib/log.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

function written(least: 'debug' | 'info' | 'warn' | 'error', ...entry: Parameters<ReturnType<typeof openLog>>): string[] {
  const lines: string[] = []
  openLog(least, THIS_MACHINE, { write: line => lines.push(line) > 0, isPlain: false })(...entry)
  return lines
}

describe('an entry on a terminal', () => {
  const shown = (...entry: Parameters<ReturnType<typeof openLog>>) => {
    const lines: string[] = []
    openLog('info', THIS_MACHINE, { write: line => lines.push(line) > 0, isPlain: true })(...entry)
    return lines.join('')
  }

  test('is a line for a person', () => {
    const line = shown('warn', 'mail refused', { reply: '550 no such user', attempt: 2 })
    expect(line).toMatch(/^\d\d:\d\d:\d\d warn {2}mail refused \(reply: 550 no such user, attempt: 2\)\n$/)
  })

  test('begins no second line and commands nothing, whatever it contains', () => {
    expect(shown('info', 'x', { error: 'a\r\nb\u2028c\u001b[2Jd\u202ee' })).toEndWith('x (error: a b c [2Jd e)\n')
  })
})

describe('an entry', () => {
  test('is one line of JSON with time, level, what and its facts', () => {
    const [line = ''] = written('info', 'warn', 'sign-in failed', { ip: '192.0.2.7' })
    expect(line).toEndWith('\n')
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', what: 'sign-in failed', ip: '192.0.2.7' })
    expect((JSON.parse(line) as { time: string }).time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('stays one line whatever it contains', () => {
    const [line = ''] = written('info', 'info', 'x', { error: 'a\r\nb\u2028c' })
    expect(line.trimEnd()).not.toMatch(/[\r\n]/)
  })

  test('has facts that cannot replace time, level and what', () => {
    const [line = ''] = written('info', 'error', 'disk full', { level: 'debug', what: 'nothing', time: 'never' })
    expect(JSON.parse(line)).toMatchObject({ level: 'error', what: 'disk full' })
  })

  test('below the lowest level is not written', () => {
    expect(written('warn', 'info', 'x')).toEqual([])
    expect(written('error', 'warn', 'x')).toEqual([])
    expect(written('debug', 'debug', 'x')).toHaveLength(1)
    expect(written('error', 'error', 'x')).toHaveLength(1)
  })
})

test('a log that nobody reads takes a bounded amount of memory; when it is read again it says how many lines were lost', () => {
  const held: { text: string; taken: () => void }[] = []
  const log = openLog('info', THIS_MACHINE, {
    write: bufferedWriter({ write: (text, taken) => held.push({ text, taken }) }, THIS_MACHINE.timers),
    isPlain: false,
  })
  const error = 'x'.repeat(10_000)
  for (let i = 0; i < 2000; i++) log('warn', 'failed', { i, error })
  const unread = held.map(({ text }) => text).join('')
  expect(unread.length).toBeLessThanOrEqual(MAX_UNREAD)
  const kept = unread.split('\n').length - 1
  expect(kept).toBeGreaterThan(700)
  for (const { taken } of held.splice(0)) taken()
  log('warn', 'works again')
  const lines = held.map(({ text }) => JSON.parse(text) as { what: string; lines?: number })
  expect(lines.map(({ what, lines: lost }) => [what, lost])).toEqual([
    ['lines of the log were lost: nobody read it', 2000 - kept],
    ['works again', undefined],
  ])
})
