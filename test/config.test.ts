/** Configuration: flags override variables, which override defaults; all errors are reported. */
import { describe, expect, test } from 'bun:test'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SERVICE_ROWS } from '../src/config/service-rows.ts'
import {
  type Config,
  ConfigError,
  describeUnknown,
  isHttps,
  readConfig,
  SETTINGS,
  type SettingName,
  type SettingRow,
} from '../src/config.ts'

function findErrors(env: Record<string, string>, flags: Partial<Record<SettingName, string>> = {}): string[] {
  try {
    readConfig(flags, env)
  } catch (error) {
    if (error instanceof ConfigError) return error.errors
    throw error
  }
  return []
}

describe('a variable that is none of the settings', () => {
  const unknown = (env: Record<string, string>) => readConfig({}, env).unknownVariables.map(describeUnknown)

  test('is named with the nearest one that is', () => {
    expect(unknown({ SIGNET_SMPT_URL: 'smtp://mail', SIGNET_PROT: '80', PATH: '/bin' })).toEqual([
      'SIGNET_PROT is not a variable of this release, so it has no effect: did you mean SIGNET_PORT?',
      'SIGNET_SMPT_URL is not a variable of this release, so it has no effect: did you mean SIGNET_SMTP_URL?',
    ])
  })

  test('is named alone where none is near, and does not prevent a start', () => {
    expect(unknown({ SIGNET_OF_NEXT_YEAR: 'on' })).toEqual([
      'SIGNET_OF_NEXT_YEAR is not a variable of this release, so it has no effect.',
    ])
  })

  test('is not one that names a file, nor one of the tests', () => {
    expect(unknown({ SIGNET_TEST_ENGINE: 'sqlite' })).toEqual([])
    expect(findErrors({ SIGNET_DATABASE_URL_FILE: '/nowhere' }).join()).not.toContain('is not a variable')
  })
})

describe('an empty environment', () => {
  test('is enough: loopback, a local folder, no mail server, not production', () => {
    expect(readConfig({}, {})).toEqual({
      dataFolder: resolve('data'),
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      environment: 'test',
      databaseUrl: undefined,
      filesUrl: undefined,
      filesCacheBytes: 2_000_000_000,
      nodeName: `${hostname()}:3000`,
      trustProxy: [],
      masterKeyFile: undefined,
      metricsAllow: [],
      sealKeyType: 'rsa-3072',
      logLevel: 'info',
      maxPdfBytes: 100_000_000,
      maxPages: 2000,
      requestsPerMinute: 600,
      stopDelayMs: 0,
      fixed: {},
      unknownVariables: [],
    } satisfies Config)
  })
})

describe('time-stamps', () => {
  test('authorities in their order, with the login of the URL', () => {
    const text = 'https://ada:p%40ss@tsa.example.com/x, http://other.example.com'
    expect(readConfig({}, { SIGNET_TSA_URL: text }).fixed).toEqual({ tsaUrl: text })
    expect(SERVICE_ROWS.tsaUrl.parse(text)).toEqual([
      { url: 'https://tsa.example.com/x', user: 'ada', password: 'p@ss' },
      { url: 'http://other.example.com/', user: undefined, password: undefined },
    ])
  })

  test.each([
    [{ SIGNET_TSA_URL: 'tsa.example.com' }, 'SIGNET_TSA_URL: must be addresses'],
    [{ SIGNET_TSA_URL: 'https://ada:100%@tsa.example.com/' }, 'SIGNET_TSA_URL: holds a login with a %'],
    [{ SIGNET_SEAL_LEVEL: 'B-LT' }, 'SIGNET_SEAL_LEVEL: B-LT needs a time-stamp authority'],
    [{ SIGNET_SEAL_LEVEL: 'best' }, 'SIGNET_SEAL_LEVEL: must be one of B-B, B-T, B-LT, B-LTA'],
    [{ SIGNET_TSA_FALLBACK: 'never' }, 'SIGNET_TSA_FALLBACK: must be wait or later'],
  ])('%o is reported', (env, message) => {
    expect(() => readConfig({}, env)).toThrow(message)
  })
})

test.each(['rsa-3072', 'rsa-4096', 'ec-p256', 'ec-p384'] as const)('%s is a valid key type', kind => {
  expect(readConfig({}, { SIGNET_SEAL_KEY: kind }).sealKeyType).toBe(kind)
})

describe('precedence', () => {
  test('a flag overrides the environment, which overrides the default', () => {
    const env = { SIGNET_PORT: '4000', SIGNET_HOST: '0.0.0.0' }
    expect(readConfig({ port: '5000' }, env)).toMatchObject({ port: 5000, host: '0.0.0.0' })
    expect(readConfig({}, env)).toMatchObject({ port: 4000 })
  })

  test('an empty variable counts as not set, as compose files set them', () => {
    const env = Object.fromEntries(Object.values(SETTINGS).map(row => [row.variable, '']))
    expect(readConfig({}, env)).toEqual(readConfig({}, {}))
  })

  test('variables of other programs are ignored', () => {
    expect(readConfig({}, { PORT: '1', DATA: '/x' })).toEqual(readConfig({}, {}))
  })
})

describe('errors', () => {
  test('are reported together, each with the name that was used and the remedy', () => {
    const env = {
      SIGNET_BASE_URL: 'sign.example.com',
      SIGNET_ENVIRONMENT: 'Production!',
      SIGNET_LOG: 'loud',
      SIGNET_SEAL_KEY: 'dsa',
      SIGNET_MAX_PDF_MB: '0',
      SIGNET_MAX_PAGES: 'many',
      SIGNET_TRUST_PROXY: '10.0.0.0/33',
      SIGNET_WEBHOOK_ALLOW: 'lan',
      SIGNET_MAIL_FROM: 'Signet',
    }
    const errors = findErrors(env, { port: '70000' })
    for (const name of [...Object.keys(env), '--port'])
      expect([name, errors.filter(f => f.startsWith(`${name}: `)).length]).toEqual([name, 1])
    expect(errors).toHaveLength(10)
  })

  test.each(['-1', '65536', '3000.5', '0x10', ' 3000', '1e3', '٣'])('%j is not a port', port => {
    expect(findErrors({ SIGNET_PORT: port })).toHaveLength(1)
  })

  test('port 0 makes the system choose', () => {
    expect(readConfig({ port: '0' }, {}).port).toBe(0)
  })

  test.each([
    'ftp://sign.example.com',
    'https://sign.example.com/sub',
    'https://sign.example.com/?a=b',
    'https://sign.example.com/#a',
    'https://user:pw@sign.example.com',
    'https://:pw@sign.example.com',
    'javascript:alert(1)',
  ])('%s is not a public address', url => {
    expect(findErrors({ SIGNET_BASE_URL: url })).toHaveLength(1)
  })

  test.each(['Name <a@b', 'a@b@c', 'Name', 'a b@c', 'Name <a@b>\r\nBcc: eve@example.com', '<>', 'Name <a@b>, Eve <e@c>'])(
    '%j sends no mail',
    from => {
      expect(findErrors({ SIGNET_MAIL_FROM: from })).toHaveLength(1)
    },
  )

  test('an invalid mail server is reported with all other errors', () => {
    expect(findErrors({ SIGNET_SMTP_URL: 'mail.example.com:587', SIGNET_LOG: 'loud' })).toHaveLength(2)
  })
})

describe('several nodes', () => {
  const URLS = {
    SIGNET_DATABASE_URL: 'postgres://signet:geheim@db.example.com/signet',
    SIGNET_FILES_URL: 's3://KEY:geheim@s3.example.com/signet?region=eu',
  }
  const WHOLE = {
    ...URLS,
    SIGNET_MASTER_KEY_FILE: '/etc/signet/master.key',
    SIGNET_SMTP_URL: 'smtp://mail.example.com',
    SIGNET_BASE_URL: 'https://sign.example.com',
  }
  const names = (errors: string[]) => errors.map(error => error.split(':')[0])

  test('need a database, a file store, a master key and a public address, all reported at once', () => {
    expect(readConfig({}, WHOLE)).toMatchObject({ databaseUrl: URLS.SIGNET_DATABASE_URL, filesUrl: URLS.SIGNET_FILES_URL })
    expect(names(findErrors(URLS))).toEqual(['SIGNET_MASTER_KEY_FILE', 'SIGNET_BASE_URL'])
    expect(names(findErrors({ ...WHOLE, SIGNET_FILES_URL: '' }))).toEqual(['SIGNET_FILES_URL'])
    expect(names(findErrors({ ...WHOLE, SIGNET_DATABASE_URL: '' }))).toEqual(['SIGNET_DATABASE_URL'])
  })

  test('no error shows a password', () => {
    const wrong = [
      { SIGNET_DATABASE_URL: 'mysql://signet:geheim@db.example.com/signet' },
      { SIGNET_DATABASE_URL: 'postgres://signet:ge/heim@db.example.com/signet' },
      { SIGNET_DATABASE_URL: 'postgres://signet:geheim%@db.example.com/signet' },
      { SIGNET_DATABASE_URL: 'postgres://signet:x?geheim@db.example.com/signet' },
      { SIGNET_FILES_URL: 'http://KEY:geheim@s3.example.com/signet' },
    ]
    for (const env of wrong) {
      const errors = findErrors({ ...WHOLE, ...env })
      expect(names(errors)).toEqual(Object.keys(env))
      expect(errors.join()).not.toMatch(/ge\/?heim/)
    }
  })

  test('a URL may be in a file that only its owner reads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    const path = join(folder, 'database-url')
    writeFileSync(path, `${URLS.SIGNET_DATABASE_URL}\n`, { mode: 0o600 })
    const { SIGNET_DATABASE_URL: _, ...rest } = WHOLE
    const env = { ...rest, SIGNET_DATABASE_URL_FILE: path }
    expect(readConfig({}, env).databaseUrl).toBe(URLS.SIGNET_DATABASE_URL)
    expect(names(findErrors({ ...env, SIGNET_DATABASE_URL: URLS.SIGNET_DATABASE_URL }))).toEqual(['SIGNET_DATABASE_URL_FILE'])
    chmodSync(path, 0o644)
    expect(findErrors(env)).toEqual([
      `SIGNET_DATABASE_URL_FILE: ${path} is open to other users of this machine (mode 644): run chmod 600 ${path}`,
    ])
    rmSync(folder, { recursive: true })
    expect(findErrors(env)[0]).toStartWith(`SIGNET_DATABASE_URL_FILE: ${path} cannot be read (ENOENT)`)
  })

  test('a node is called by its host name and port, or as it is configured', () => {
    expect(readConfig({ port: '8080' }, {}).nodeName).toBe(`${hostname()}:8080`)
    expect(readConfig({}, { SIGNET_NODE_NAME: 'sign-1' }).nodeName).toBe('sign-1')
    expect(findErrors({ SIGNET_NODE_NAME: 'one two' })).toHaveLength(1)
  })
})

describe('the public address', () => {
  test('is an origin without a trailing slash', () => {
    expect(readConfig({}, { SIGNET_BASE_URL: 'https://Sign.Example.com:443/' }).baseUrl).toBe('https://sign.example.com')
  })

  test('is made of host and port, an IPv6 host in brackets', () => {
    expect(readConfig({ host: '::1', port: '8080' }, {}).baseUrl).toBe('http://[::1]:8080')
  })

  test('decides whether cookies can be secure', () => {
    expect(isHttps(readConfig({}, { SIGNET_BASE_URL: 'https://sign.example.com' }))).toBe(true)
    expect(isHttps(readConfig({}, {}))).toBe(false)
  })
})

test('sizes are in megabytes, networks in lists', () => {
  const config = readConfig(
    {},
    { SIGNET_MAX_PDF_MB: '25', SIGNET_TRUST_PROXY: '10.0.0.0/8, 192.168.1.1', SIGNET_SMTP_URL: 'smtp://mail.example.com' },
  )
  expect(config.maxPdfBytes).toBe(25_000_000)
  expect(config.trustProxy).toHaveLength(2)
  expect(config.fixed.smtpUrl).toBe('smtp://mail.example.com')
})

test('every setting has its own variable and a description', () => {
  const rows = Object.values(SETTINGS)
  expect(new Set(rows.map(r => r.variable)).size).toBe(rows.length)
  for (const row of rows) {
    expect(row.variable).toMatch(/^SIGNET_[A-Z_]+$/)
    expect(row.what.length).toBeGreaterThan(5)
  }
})

test('the guide to running it has a line for every setting, with its flag and its default', () => {
  const readme = readFileSync(join(import.meta.dir, '../src/OPERATIONS.md'), 'utf8')
  const table = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## Data folder'))
  const lines = new Map(
    table.split('\n').map(line => [/^\| `(SIGNET_\w+)`/.exec(line)?.[1], line.split('|').map(cell => cell.trim())]),
  )
  for (const { variable, flag, fallback, orFile } of Object.values(SETTINGS) as SettingRow[]) {
    const [, , flagCell, defaultCell] = lines.get(variable) ?? []
    expect([variable, flagCell]).toEqual([variable, flag === undefined ? '' : `\`${flag}\``])
    if (fallback !== undefined) expect([variable, defaultCell]).toEqual([variable, `\`${fallback}\``])
    if (orFile) expect(table).toContain(`\`${variable}_FILE\``)
  }
  expect([...lines.keys()].filter(name => name && !Object.values(SETTINGS).some(row => name.startsWith(row.variable)))).toEqual(
    [],
  )
})
