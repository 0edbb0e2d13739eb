/**
 * Checks types, style, the executable and the tests, in this order. Stops at the first failure.
 * `--long`: with the repetitions that tests leave out otherwise.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bun = process.execPath
const folder = mkdtempSync(join(tmpdir(), 'signet-ci-'))
const durations = join(folder, 'durations.xml')

const isLong = process.argv.includes('--long')

/** The engines themselves, and requests. */
const OF_REQUESTS = 'db http app.test.ts'
/** In these, every transaction runs twice, as PostgreSQL may ask for. */
const OF_MODULES = 'accounts alerts audit batches documents files jobs outbox settings templates webhooks writing.test.ts'
/** Of these, tests that reach no query that no other reaches. */
const WITHOUT_OWN_QUERIES = [
  'documents/{evidence-pack,every-kind,false-packs,joined-files,mail-facts,named-file,placed-fields,statements,test-page}',
  'jobs/{doubted-clock,lanes}',
  'settings/{logo,mail-logo}',
]
/** Requests that meet lost connections, or reach queries that no test of a module reaches. */
const OF_QUERIES = [
  'access api/api-documents backups/backups api/connection api/events health/health api/idempotency documents/live',
  'settings/mail-settings health/metrics accounts/oidc outbox/outbox accounts/people',
  'health/readiness accounts/sessions signing/signing signing/signing-consent signing/signing-files',
  'signing/signing-marks signing/signing-races templates/templates health/upgrade signing/signing-links web-app',
  'frame webhooks/webhook-pages',
]
  .flatMap(line => line.split(' ').map(name => `http/${name}.test.ts`))
  .join(' ')

/** Several processes, and files one after another in each. */
const testIn = (processes: number) => [
  ...[bun, 'test', '--timeout=60000', `--parallel=${processes}`, '--no-isolate'],
  ...['--reporter=junit', `--reporter-outfile=${durations}`],
]

/** Each with one browser, for which the others do not wait. */
const TEST = testIn(3)

/** A third one would start one more database, and find no core free. */
const TEST_ON_POSTGRESQL = testIn(2)

/** Little code of a test or its database runs so often that slow compilers are worth their time. */
const SHORT_LIVED = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '4000',
  BUN_JSC_thresholdForOptimizeAfterLongWarmUp: '4000',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000',
  BUN_JSC_thresholdForOMGOptimizeAfterWarmUp: '500000',
  BUN_JSC_numberOfGCMarkers: '1',
}

/** The runner ignores a name that no file has. */
const filesOf = (names: string) =>
  names.split(' ').map(path => {
    if (!existsSync(`test/${path}`)) throw new Error(`test/${path} is not there: change the list in scripts/ci.ts`)
    return `test/${path}`
  })

/** The files below those of these names, without these. */
function filesWithout(names: string, without: string[]): string[] {
  const filesIn = (pattern: string) => [...new Bun.Glob(pattern).scanSync('.')]
  const left = without.flatMap(path => {
    const found = filesIn(`test/${path}.test.ts`)
    if (found.length < path.split(',').length) throw new Error(`not all of ${path} are there: change the list in scripts/ci.ts`)
    return found
  })
  const all = filesOf(names).flatMap(path => (path.endsWith('.ts') ? [path] : filesIn(`${path}/**/*.test.ts`)))
  return all.filter(path => !left.includes(path)).sort()
}

const STEPS: { name: string; command: string[]; env?: Record<string, string> }[] = [
  { name: 'types', command: [bun, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', '.'] },
  { name: 'style', command: ['node_modules/.bin/biome', 'ci', '.'] },
  { name: 'executable', command: [bun, 'scripts/build.ts'] },
  { name: 'tests', command: TEST, env: { ...SHORT_LIVED, ...(isLong ? { SIGNET_TEST_LONG: '1' } : {}) } },
  {
    name: 'tests on PostgreSQL',
    command: [...TEST_ON_POSTGRESQL, ...filesOf(isLong ? OF_REQUESTS : `db app.test.ts ${OF_QUERIES}`)],
    env: { ...SHORT_LIVED, SIGNET_TEST_ENGINE: 'postgresql' },
  },
  {
    name: 'tests on PostgreSQL with every transaction run twice',
    command: [...TEST_ON_POSTGRESQL, ...filesWithout(OF_MODULES, isLong ? [] : WITHOUT_OWN_QUERIES)],
    env: { ...SHORT_LIVED, SIGNET_TEST_ENGINE: 'postgresql', SIGNET_TEST_WRITES: 'twice' },
  },
]

/** Runs a step with its output shown. Answers its exit code and the text. */
async function run(command: string[], env: Record<string, string> = {}): Promise<{ code: number; text: string }> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', stdin: 'ignore', env: { ...process.env, ...env } })
  let text = ''
  const show = async (stream: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      const part = decoder.decode(chunk, { stream: true })
      text += part
      process.stdout.write(part)
    }
  }
  await Promise.all([show(child.stdout), show(child.stderr)])
  return { code: await child.exited, text }
}

const LINES_OF_FAILURE = 40

/** A failed test, or a file that could not be loaded. */
const FAILURE = /^\(fail\)|^# Unhandled error/

/** What was printed before each failure: its error, which thousands of lines may follow. */
function failuresIn(text: string): string {
  const lines = text.slice(0, text.search(/^\d+ tests? (failed|skipped):$/m)).split('\n')
  const isEnd = (line: string) => /^\((pass|fail|skip|todo)\)|^test\/.*:$/.test(line)
  const failures = lines.flatMap((line, at) => {
    if (!FAILURE.test(line)) return []
    if (line.startsWith('#')) return [lines.slice(at, at + LINES_OF_FAILURE).join('\n')]
    const before = lines.slice(Math.max(0, at - LINES_OF_FAILURE), at)
    return [[...before.slice(before.findLastIndex(isEnd) + 1), line].join('\n')]
  })
  return failures.join('\n\n')
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`

const SLOWEST = 25

/** The files of the step that took longest, one a line. */
function slowestFiles(): string {
  if (!existsSync(durations)) return ''
  const suites = readFileSync(durations, 'utf8').matchAll(/^ {2}<testsuite name="([^"]+)".* time="([\d.]+)"/gm)
  const files = [...suites].map(([, name = '', time = '']) => ({ name, ms: 1000 * Number(time) }))
  files.sort((a, b) => b.ms - a.ms)
  return files
    .slice(0, SLOWEST)
    .map(({ name, ms }) => `  ${seconds(ms).padStart(5)}  ${name}\n`)
    .join('')
}

function summaryOf(name: string, text: string, ms: number): string {
  if (!name.startsWith('tests')) return `${name}: ${seconds(ms)}`
  const count = (word: string) => /\d+/.exec(text.match(new RegExp(`^ *\\d+ ${word}$`, 'gm'))?.at(-1) ?? '0')?.[0] ?? '0'
  return `${name}: ${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped, ${seconds(ms)}`
}

const summaries: string[] = []
for (const { name, command, env } of STEPS) {
  console.log(`— ${name}`)
  const startedMs = performance.now()
  const { code, text } = await run(command, env)
  summaries.push(summaryOf(name, text, performance.now() - startedMs))
  if (name === 'tests') console.log(`\nThe files that took longest:\n${slowestFiles()}`)
  if (code === 0) continue
  if (name.startsWith('tests')) console.log(`\nThe failures again, each with its error:\n\n${failuresIn(text)}\n`)
  console.log(summaries.join('\n'))
  if (!name.startsWith('tests')) console.log(`— ${name} failed`)
  rmSync(folder, { recursive: true })
  process.exit(code)
}
rmSync(folder, { recursive: true })
console.log(summaries.join('\n'))
