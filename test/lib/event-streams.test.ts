/** Streams of server-sent events: bounds, heartbeats, clients that stop reading. */
import { describe, expect, test } from 'bun:test'
import { type EventSource, type EventStreamOptions, EventStreams } from '../../src/lib/event-streams.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { LiveReader } from '../support/live.ts'

class Source implements EventSource {
  waiting: string[] = []
  isOver = false
  endings = 0
  takes = 0
  wake = () => {}
  async take() {
    this.takes++
    return this.isOver ? undefined : this.waiting.splice(0)
  }
  ended() {
    this.endings++
  }
  send(...blocks: string[]) {
    this.waiting.push(...blocks)
    this.wake()
  }
}

/** Without heartbeats of its own: tests call `beat`. */
function streams(options: Partial<EventStreamOptions> = {}) {
  const opened = new EventStreams(THIS_MACHINE.timers, { heartbeatMs: 3_600_000, delayMs: 1, ...options })
  const open = (owner = 'one') => {
    const source = new Source()
    const body = opened.open(owner, wake => {
      source.wake = wake
      return source
    })
    return { source, body, reader: body && new LiveReader(new Response(body)) }
  }
  return { opened, open }
}

describe('a stream', () => {
  test('begins with the pause before a reconnection, and sends together what came together', async () => {
    const { open } = streams()
    const { source, reader } = open()
    expect(await reader?.block()).toBe('retry: 3000')
    const takes = source.takes
    source.send('event: a\ndata: 1\n\n')
    source.send('event: b\ndata: 2\n\n')
    expect([(await reader?.next())?.event, (await reader?.next())?.event]).toEqual(['a', 'b'])
    expect(source.takes).toBe(takes + 1)
  })

  test('carries a comment at each heartbeat', async () => {
    const { opened, open } = streams()
    const { reader } = open()
    await reader?.block()
    await opened.beat()
    expect(await reader?.block()).toBe(':')
  })

  test('ends when its source ends or fails, and when the client goes', async () => {
    const { opened, open } = streams()
    const [over, failing, gone] = [open(), open(), open()]
    over.source.isOver = true
    failing.source.take = () => Promise.reject(new Error('no database'))
    await gone.reader?.cancel()
    await opened.beat()
    expect(await over.reader?.next()).toBeUndefined()
    expect(await failing.reader?.next()).toBeUndefined()
    expect([over, failing, gone].map(({ source }) => source.endings)).toEqual([1, 1, 1])
    expect(opened.size).toBe(0)
  })

  test('of a client that never reads keeps a bounded amount and is dropped at the second heartbeat', async () => {
    const { opened, open } = streams()
    const [silent, lively] = [open('one'), open('two')]
    const block = `data: ${'x'.repeat(5000)}\n\n`
    for (let i = 0; i < 20; i++) {
      silent.source.send(block)
      await opened.beat()
      if (i < 4) expect(opened.size).toBe(2)
      await lively.reader?.block()
    }
    expect(silent.source.endings).toBe(1)
    expect(silent.source.waiting.length).toBeGreaterThan(0)
    expect(lively.source.endings).toBe(0)
    expect(opened.size).toBe(1)
  })

  test('of a client that pauses continues where it was', async () => {
    const { opened, open } = streams()
    const { source, reader } = open()
    await reader?.block()
    const block = (i: number) => `event: e\ndata: {"i":${i},"x":"${'x'.repeat(9000)}"}\n\n`
    for (let i = 0; i < 3; i++) {
      source.send(block(i))
      if (i < 2) await opened.beat()
    }
    for (let i = 0; i < 3; i++) expect((await reader?.next())?.data.i).toBe(i)
    expect(source.endings).toBe(0)
  })
})

describe('the streams', () => {
  test('of one owner are six: a new one replaces the oldest, those of others stay', async () => {
    const { opened, open } = streams({ maxPerOwner: 2 })
    const other = open('other')
    const [first, second, third] = [open(), open(), open()]
    expect((await first.reader?.next())?.event).toBe('replaced')
    expect(await first.reader?.next()).toBeUndefined()
    expect([first, second, third, other].map(({ source }) => source.endings)).toEqual([1, 0, 0, 0])
    expect(opened.size).toBe(3)
  })

  test('have a bound in all, and are refused beyond it without calling the source', () => {
    const { opened, open } = streams({ maxStreams: 2 })
    const [, , third] = [open('a'), open('b'), open('c')]
    expect(third?.body).toBeUndefined()
    expect(opened.size).toBe(2)
  })

  test('all end when they are closed, also blocked ones, and no new one begins', async () => {
    const { opened, open } = streams()
    const [reading, blocked] = [open(), open()]
    await reading.reader?.block()
    blocked.source.send(`data: ${'x'.repeat(20_000)}\n\n`)
    await opened.beat()
    opened.close()
    expect(await reading.reader?.next()).toBeUndefined()
    expect([reading, blocked].map(({ source }) => source.endings)).toEqual([1, 1])
    expect([opened.size, open().body]).toEqual([0, undefined])
  })
})
