/** Connections by the driver: what ends them, what they send, and what follows. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ConnectionError, isConnectionFailure, type PgConnection } from '../../../src/db/postgresql/connection.ts'
import { PooledConnections } from '../../../src/db/postgresql/pool.ts'
import { parseDatabaseUrl } from '../../../src/db/postgresql/url.ts'
import { PgServer } from '../../support/pg-server.ts'

let server: PgServer
let connections: PooledConnections

const open = (query: string) =>
  new PooledConnections(parseDatabaseUrl(`postgres://signet:secret-word@127.0.0.1:${server.port}/signet?${query}`), {
    connectMs: 2000,
    answerMs: { read: 50, write: 2000 },
  })

beforeEach(async () => {
  server = await PgServer.open()
  connections = open('read_connections=3&write_connections=1')
})
afterEach(async () => {
  await connections.close()
  server.close()
})

async function failureOf(connection: PgConnection): Promise<unknown> {
  return connection.script('SELECT 1').then(
    () => undefined,
    error => error,
  )
}

describe('a standby', () => {
  test('is not read from: what it shows is late', async () => {
    server.isStandby = true
    await expect(connections.acquire('read')).rejects.toThrow('must lead to the primary')
    server.isStandby = false
    connections.release(await connections.acquire('read'), false)
  })
})

describe('a connection', () => {
  test('sends no settings that a pooler refuses, and no password before it is asked', async () => {
    const connection = await connections.acquire('write')
    connections.release(connection, false)
    const [sent = ''] = server.started
    const names = sent.split('\0').filter((_, i) => i % 2 === 0)
    expect(names.filter(Boolean).sort()).toEqual(['application_name', 'client_encoding', 'database', 'user'])
    expect(sent).not.toContain('secret-word')
  })

  test.each([
    ['ends without a message', 'end'],
    ['is ended by an administrator', { code: '57P01' }],
    ['gets no answer', 'silence'],
  ] as const)('that %s fails, and is no longer usable', async (_, what) => {
    const connection = await connections.acquire('read')
    server.next.push(what)
    expect(isConnectionFailure(await failureOf(connection))).toBe(true)
    expect(connection.isUsable).toBe(false)
    expect(await failureOf(connection)).toBeInstanceOf(ConnectionError)
    connections.release(connection, true)
    const other = await connections.acquire('read')
    expect((await other.script('SELECT 1')).rows).toEqual([{ n: '2' }])
    connections.release(other, false)
  })

  test('for heartbeats is to be had while all others are in use', async () => {
    const busy = await Promise.all([...[1, 2, 3].map(() => connections.acquire('read')), connections.acquire('write')])
    connections.release(await connections.acquire('heartbeat'), false)
    for (const connection of busy) connections.release(connection, false)
  })

  test('tells of a warning with the answer that follows it, and of no other notice', async () => {
    const connection = await connections.acquire('read')
    server.next.push({ notice: '01000' })
    expect((await connection.script('COMMIT')).warning).toBe('noticed')
    server.next.push({ notice: '00000' })
    expect((await connection.script('COMMIT')).warning).toBeUndefined()
    connections.release(connection, false)
  })

  test('waits longer for statements that may take long, as those of a migration', async () => {
    const [long, short] = [await connections.acquire('read'), await connections.acquire('read')]
    server.next.push('silence', 'silence')
    const answer = long.script('CREATE INDEX', 60_000).catch((error: unknown) => error)
    expect(await failureOf(short)).toBeInstanceOf(ConnectionError)
    expect([long.isUsable, short.isUsable]).toEqual([true, false])
    server.cut()
    expect(await answer).toBeInstanceOf(ConnectionError)
    for (const connection of [long, short]) connections.release(connection, true)
  })

  test('that failed takes all with it that were opened before: a restarted server has ended them', async () => {
    const three = await Promise.all([1, 2, 3].map(() => connections.acquire('read')))
    const [first, ...others] = three
    if (!first) throw new Error('no connection')
    server.next.push('end')
    await failureOf(first)
    for (const other of others) connections.release(other, false)
    connections.release(first, true)
    const next = await connections.acquire('read')
    expect(others).not.toContain(next)
    expect(server.connections).toBe(4)
    connections.release(next, false)
  })

  test('that the server ends while nobody uses it ends no process, and is replaced', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    process.on('uncaughtException', note)
    const connection = await connections.acquire('write')
    connections.release(connection, false)
    const ended = Promise.withResolvers<void>()
    ;(connection as unknown as { client: { once(name: string, listener: () => void): void } }).client.once('end', ended.resolve)
    server.cut()
    await ended.promise
    const next = await connections.acquire('write')
    expect((await next.script('SELECT 1')).rows).toEqual([{ n: '2' }])
    connections.release(next, false)
    process.off('uncaughtException', note)
    expect(uncaught).toEqual([])
  })

  test('is waited for while all are in use', async () => {
    const first = await connections.acquire('write')
    const second = connections.acquire('write')
    connections.release(first, false)
    expect(await second).toBe(first)
    connections.release(first, false)
    expect(server.connections).toBe(1)
  })
})

describe('an encrypted connection', () => {
  test('is never replaced by one in clear text', async () => {
    const encrypted = open('sslmode=require')
    expect(await encrypted.acquire('read').catch(String)).toContain('does not support SSL')
    expect(server.started).toEqual([])
    await encrypted.close()
  })
})
