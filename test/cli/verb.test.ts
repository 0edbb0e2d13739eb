/** Flags of the command line: every form, and one sentence for each misuse. */
import { describe, expect, test } from 'bun:test'
import { configFrom, DATA_FLAG, type FlagSpec, noPositionals, parseFlags, SERVE_FLAGS, UsageError } from '../../src/cli/verb.ts'
import { SETTINGS } from '../../src/config.ts'

const SPEC: FlagSpec = { '--name': 'value', '--scope': 'list', '--json': 'switch' }

function errorOf(args: string[], spec = SPEC): string {
  try {
    parseFlags(args, spec)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  throw new Error('the flags were accepted')
}

describe('flags', () => {
  test('take the next argument or the text after an equals sign', () => {
    expect(parseFlags(['--name', 'CRM'], SPEC).values).toEqual({ '--name': 'CRM' })
    expect(parseFlags(['--name=CRM'], SPEC).values).toEqual({ '--name': 'CRM' })
    expect(parseFlags(['--name='], SPEC).values).toEqual({ '--name': '' })
    expect(parseFlags(['--name=a=b'], SPEC).values).toEqual({ '--name': 'a=b' })
  })

  test('take a value that begins with two dashes only after an equals sign', () => {
    expect(parseFlags(['--name=--x'], SPEC).values).toEqual({ '--name': '--x' })
    expect(parseFlags(['--name', '-x'], SPEC).values).toEqual({ '--name': '-x' })
    expect(errorOf(['--name', '--json'])).toBe('--name needs a value')
  })

  test('of a list keep their order', () => {
    expect(parseFlags(['--scope', 'b', '--scope=a'], SPEC).lists).toEqual({ '--scope': ['b', 'a'] })
  })

  test('without a value are on or off', () => {
    expect([...parseFlags(['--json', '--json'], SPEC).switches]).toEqual(['--json'])
    expect(parseFlags([], SPEC).switches.size).toBe(0)
  })

  test('leave other arguments unchanged', () => {
    expect(parseFlags(['a.pdf', '--json', '-', 'b.pdf'], SPEC).positionals).toEqual(['a.pdf', '-', 'b.pdf'])
  })
})

describe('misuse is reported', () => {
  test.each([
    [['--nmae', 'x'], 'unknown flag --nmae; known here: --name, --scope, --json'],
    [['--'], 'unknown flag --; known here: --name, --scope, --json'],
    [['--toString'], 'unknown flag --toString; known here: --name, --scope, --json'],
    [['--name'], '--name needs a value'],
    [['--scope'], '--scope needs a value'],
    [['--name', 'a', '--name', 'b'], '--name is given twice'],
    [['--json=yes'], '--json takes no value'],
  ])('%j: %s', (args, message) => {
    expect(errorOf(args)).toBe(message)
  })

  test('for a verb without flags', () => {
    expect(errorOf(['--x'], {})).toBe('unknown flag --x; known here: none')
  })

  test('for an argument that is not expected', () => {
    expect(() => noPositionals(parseFlags(['extra'], SPEC))).toThrow('"extra" is not expected here')
    noPositionals(parseFlags(['--json'], SPEC))
  })
})

describe('configuration from flags', () => {
  test('wins over the environment', () => {
    const parsed = parseFlags(['--port=4000', '--host', '::1'], SERVE_FLAGS)
    expect(configFrom(parsed, { SIGNET_PORT: '5000', SIGNET_LOG: 'warn' })).toMatchObject({
      port: 4000,
      host: '::1',
      logLevel: 'warn',
    })
  })

  test('has every flag of the table for serve, and the data folder for every verb', () => {
    const flags = Object.values(SETTINGS).flatMap(row => ('flag' in row ? [row.flag] : []))
    expect(Object.keys(SERVE_FLAGS).sort()).toEqual(flags.sort())
    expect(Object.keys(DATA_FLAG)).toEqual(['--data'])
  })
})
