/** The URL of a PostgreSQL server: its parts mean what they mean to libpq. */
import { describe, expect, test } from 'bun:test'
import { describeServer, parseDatabaseUrl } from '../../../src/db/postgresql/url.ts'

describe('a database URL', () => {
  test('names host, port, database and login, percent-encoded where needed', () => {
    expect(parseDatabaseUrl('postgres://si%40gn:p%3A%2F%25@db.example.com:6432/sig%20net')).toEqual({
      host: 'db.example.com',
      port: 6432,
      database: 'sig net',
      user: 'si@gn',
      password: 'p:/%',
      sslmode: 'verify-full',
      sslrootcert: undefined,
      readConnections: 8,
      writeConnections: 2,
    })
    expect(parseDatabaseUrl('postgresql://u@[::1]/d')).toMatchObject({ host: '::1', port: 5432, password: undefined })
  })

  test.each([
    'postgres://u@%2Frun%2Fpostgresql/d',
    'postgres://u@/d?host=/run/postgresql',
    'postgres://u@/d?host=%2Frun%2Fpostgresql',
  ])('%s leads to a Unix socket', url => {
    expect(parseDatabaseUrl(url)).toMatchObject({ host: '/run/postgresql', sslmode: 'disable' })
  })

  test.each([
    ['postgres://u@db/d', 'verify-full', undefined],
    ['postgres://u@127.0.0.1/d', 'disable', undefined],
    ['postgres://u@localhost/d', 'disable', undefined],
    ['postgres://u@localhost.example.com/d', 'verify-full', undefined],
    ['postgres://u@db/d?sslmode=disable', 'disable', undefined],
    ['postgres://u@db/d?sslmode=require', 'require', undefined],
    ['postgres://u@db/d?sslmode=require&sslrootcert=/etc/ca.pem', 'verify-ca', '/etc/ca.pem'],
    ['postgres://u@db/d?sslmode=require&sslrootcert=system', 'verify-full', undefined],
    ['postgres://u@127.0.0.1/d?sslmode=verify-full&sslrootcert=/etc/ca.pem', 'verify-full', '/etc/ca.pem'],
  ] as const)('%s has sslmode %s', (url, sslmode, sslrootcert) => {
    const server = parseDatabaseUrl(url)
    expect([server.sslmode, server.sslrootcert]).toEqual([sslmode, sslrootcert])
  })

  test('sizes of the pools are parameters', () => {
    const url = 'postgres://u@db/d?read_connections=20&write_connections=2'
    expect(parseDatabaseUrl(url)).toMatchObject({ readConnections: 20, writeConnections: 2 })
  })

  test.each([
    ['mysql://u@db/d', 'must begin with postgres://'],
    ['postgres://u:a b@db/d', 'must not contain spaces'],
    ['postgres://u:secret@more@db/d', 'cannot be read'],
    ['postgres://u:se/cret@db/d', 'cannot be read'],
    ['postgres://u:secret#x@db/d', 'cannot be read'],
    ['postgres://u:secret%@db/d', 'a % that begins no escape'],
    ['postgres://u:x?secret@db/d', 'a parameter that is not known'],
    ['postgres://db/d', 'must name a user'],
    ['postgres://u:secret@db', 'must name a database'],
    ['postgres://u:secret@/d', 'must name a host'],
    ['postgres://u:secret@a,b/d', 'must name one host'],
    ['postgres://u:secret@db:0/d', 'must name host and port'],
    ['postgres://u:secret@db:70000/d', 'must name host and port'],
    ['postgres://u:secret@db/d?host=/run', 'names a host twice'],
    ['postgres://u:secret@db/d?sslmode=prefer', 'not one of disable, require, verify-ca, verify-full'],
    ['postgres://u:secret@db/d?sslmode=require&sslmode=disable', 'holds sslmode twice'],
    ['postgres://u:secret@db/d?secret=1', 'a parameter that is not known'],
    ['postgres://u:secret@db/d?read_connections=0', 'from 1 to 1000 as read_connections'],
  ])('%s is refused, without its password', (url, expected) => {
    let message = ''
    try {
      parseDatabaseUrl(url)
    } catch (error) {
      message = String(error)
    }
    expect(message).toInclude(expected)
    expect(message).not.toMatch(/se\/?cret/)
  })

  test('is described without its login', () => {
    expect(describeServer(parseDatabaseUrl('postgres://u:secret@db:6432/d'))).toBe('postgres://db:6432/d')
    expect(describeServer(parseDatabaseUrl('postgres://u:secret@[::1]/d'))).toBe('postgres://[::1]:5432/d')
  })
})
