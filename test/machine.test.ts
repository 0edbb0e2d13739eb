/**
 * A serving process asks its machine by the ports of `lib/machine.ts` and by options of the App, so
 * that a simulation can answer in its place. Checked on the text of what such a process loads.
 */
import { describe, expect, test } from 'bun:test'
import { loadedFrom, loadedImports, type Source, sourcesIn } from './support/sources.ts'

const ALL = ['src', 'views', 'migrations'].flatMap(sourcesIn)
const SERVING = loadedFrom('src/serving.ts', ALL)
const ANYWHERE = loadedFrom('src/main.ts', ALL)

/** What only child processes and other verbs load is free. A file that nothing loads is not. */
const isChecked = ({ path }: Source): boolean =>
  SERVING.has(path) || path === 'src/main.ts' || (path.startsWith('src/') && !ANYWHERE.has(path))
const CHECKED = ALL.filter(isChecked)

const PORT = 'implements the port'
const START = 'runs before there is an App'
const SAMPLE = 'in the text of a sample'
const EMBEDDED = 'a file inside the executable'

interface Rule {
  what: string
  code?: RegExp
  /** Names of packages, or paths of files, whose values are imported. */
  modules?: RegExp
  /** The files that may use it, each with its reason. No other one may, and each of them does. */
  allowed: Record<string, string>
  finds: string[]
  leaves: string[]
}

const RULES: Rule[] = [
  {
    what: 'the clock: now()',
    code: /\bDate\.now\b|\bnew Date(\(\s*\)|(?!\s*[\w(.<]))|(?<![\w.$#])Date\(\s*\)|\bTemporal\.Now\b/,
    allowed: {
      'src/lib/openid-connect.ts': 'the library reads this clock: its tokens are compared with ours',
      'src/sandbox/child-folder.ts': 'implements the option pdf',
      'src/lib/this-machine.ts': PORT,
      'src/main.ts': 'of failures outside the App',
    },
    finds: ['Date.now()', 'nowMs = Date.now', 'new Date()', 'new Date( )', 'new Date', 'Date()'],
    leaves: ['new Date(ms)', 'x: Date', 'Date.parse(text)', 'app.now()'],
  },
  {
    what: 'time that passes: steadyMs()',
    code: /\bperformance\.(now|timeOrigin|mark)\b|\bprocess\.(hrtime|uptime)\b|\bBun\.nanoseconds\b/,
    allowed: {
      'src/sandbox/child-limits.ts': 'implements the option pdf',
      'src/sandbox/refused-files.ts': 'implements the option pdf',
      'src/sandbox/task-queue.ts': 'implements the option pdf',
      'src/lib/fetch-limited.ts': PORT,
      'src/lib/primitives.browser.ts': 'runs in browsers',
      'src/lib/this-machine.ts': PORT,
    },
    finds: ['performance.now()', 'process.hrtime.bigint()', 'process.uptime()'],
    leaves: ['app.steadyMs()'],
  },
  {
    what: 'timers',
    code: /(?<![\w.#])set(Timeout|Interval|Immediate)\b|\bBun\.sleep|\bAbortSignal\.timeout\b|\bprocess\.nextTick\b|\bscheduler\.(wait|yield)\b/,
    modules: /^(node:)?timers(\/|$)/,
    allowed: {
      'src/db/postgresql/pool.ts': 'implements the option connections',
      'src/lib/fetch-limited.ts': PORT,
      'src/lib/this-machine.ts': PORT,
      'src/main.ts': START,
      'src/sandbox/child.ts': 'implements the option pdf',
      'src/sandbox/child-limits.ts': 'implements the option pdf',
      'src/sandbox/task-queue.ts': 'implements the option pdf',
    },
    finds: [
      'setTimeout(run, 5)',
      'const wait = setTimeout',
      'await Bun.sleep(5)',
      "import { setTimeout } from 'node:timers/promises'",
    ],
    leaves: ['timers.after(5, run)', 'clearTimeout(timer)', 'x.setTimeout(5)'],
  },
  {
    what: 'chance: random',
    code: /\bMath\.random\b|\brandom(Bytes|Int|UUID|UUIDv7|Fill|FillSync)\b|\bgetRandomValues\b|(?<![.\w])generateKey(Pair)?(Sync)?\b/,
    allowed: {
      'src/lib/machine.ts': 'declares the port',
      'src/http/api/reference/code-samples.ts': SAMPLE,
      'src/lib/this-machine.ts': PORT,
      'src/sandbox/child.ts': 'implements the option pdf',
    },
    finds: ['Math.random()', "import { randomBytes } from 'node:crypto'", 'crypto.getRandomValues(bytes)', 'generateKeyPair('],
    leaves: ['app.random(16)', 'randomToken(app)', 'threads.generateKeyPair(form)'],
  },
  {
    what: 'threads of the process',
    code: /\bBun\.password\b|\.subtle\b|\bimport\s*\{[^}]*\b(sign|scrypt|pbkdf2|hkdf|checkPrime|generatePrime)\b[^}]*\}\s*from 'node:crypto'/,
    modules: /^(node:)?(worker_threads|cluster)$/,
    allowed: {
      'src/pki/issue.ts': 'signs certificates inside a transaction, which no thread may leave',
      'src/pki/pkcs12-decrypt.ts': 'derives the key of an imported file, at most for a second',
      'src/lib/this-machine.ts': PORT,
    },
    finds: ['Bun.password.hash(text)', "import { createHash, sign } from 'node:crypto'", 'crypto.subtle.sign()'],
    leaves: [
      'threads.sign(data, key)',
      "import { createSign, verify } from 'node:crypto'",
      "import { hkdfSync } from 'node:crypto'",
    ],
  },
  {
    what: 'files: fileSystem',
    code: /\bBun\.(file|write|Glob|mmap|stdin)\b|\bimport\s*\{[^}]*\b(file|write|Glob)\b[^}]*\}\s*from 'bun'/,
    modules: /^(node:)?fs(\/promises)?$/,
    allowed: {
      'src/backups/restored-folder.ts': START,
      'src/backups/snapshots.ts': 'the files of SQLite, which opens them itself',
      'src/config.ts': START,
      'src/db/nodes.ts': START,
      'src/db/postgresql/pool.ts': 'implements the option connections',
      'src/db/snapshots.ts': 'the files of SQLite, which opens them itself',
      'src/db/sqlite.ts': 'the files of SQLite, which opens them itself',
      'src/db/stored-version.ts': 'the files of SQLite, which opens them itself',
      'src/files/asset-packs.ts': EMBEDDED,
      'src/http/assets.ts': EMBEDDED,
      'src/lib/embedded-file.ts': EMBEDDED,
      'src/lib/disk.ts': START,
      'src/lib/encrypted-file.ts': 'the files of SQLite, which opens them itself',
      'src/lib/this-file-system.ts': PORT,
      'src/lib/running-address.ts': START,
      'src/app.ts': START,
      'src/db/lock.ts': START,
      'src/engine.ts': START,
      'src/lib/log.ts': 'writes what is left at the end of the process',
      'src/lib/private-path.ts': START,
      'src/lib/process-guard.ts': START,
      'src/main.ts': START,
      'src/master-key.ts': START,
      'src/sandbox/child-folder.ts': 'implements the option pdf',
      'src/sandbox/child-limits.ts': 'implements the option pdf',
      'src/sandbox/child.ts': 'implements the option pdf',
      'src/sandbox/pool.ts': 'implements the option pdf',
      'src/sandbox/refused-files.ts': 'implements the option pdf',
    },
    finds: [
      "import { open } from 'node:fs/promises'",
      "await import('node:fs')",
      'Bun.file(path)',
      "import { readFileSync } from 'fs'",
    ],
    leaves: ["import type { FileHandle } from 'node:fs/promises'", 'fileSystem.open(path)', "from '../lib/file-names.ts'"],
  },
  {
    what: 'network: send, fetch, s3Client, lookup, connectMail, connections',
    code: /(?<![\w.#$])fetch\(|\bglobalThis\.fetch\b|\bXMLHttpRequest\b|\bnew (WebSocket|EventSource|S3Client)\b|\bBun\.(connect|listen|serve|dns|udpSocket|s3|sql|redis|S3Client)\b|\bimport\s+(?!type\b|\{ isIP \})[^'"]*'node:net'/,
    modules: /^((node:)?(https?|http2|dns|tls|dgram)(\/promises)?|nodemailer\/lib\/smtp.*|pg)$/,
    allowed: {
      'src/db/postgresql/pool.ts': 'implements the option connections',
      'src/http/api/reference/code-samples.ts': SAMPLE,
      'src/lib/fetch-limited.ts': PORT,
      'src/lib/host-addresses.ts': PORT,
      'src/lib/machine.ts': 'declares the port',
      'src/lib/this-machine.ts': PORT,
      'src/mailer/smtp.ts': 'implements the option connectMail',
      'src/serving.ts': 'listens',
    },
    finds: [
      'await fetch(url)',
      "import { createConnection } from 'node:net'",
      "import { lookup } from 'node:dns/promises'",
      'new S3Client({})',
    ],
    leaves: ['machine.fetch(url)', "import { isIP } from 'node:net'", 'this.#fetch(url)', "import type { S3Client } from 'bun'"],
  },
  {
    what: 'child processes: options pdf, makeBackup and checkDatabase',
    code: /\bBun\.(spawn|spawnSync|\$)|\bnew Worker\(/,
    modules: /^(node:)?child_process$/,
    allowed: {
      'src/backups/runs.ts': 'implements the option makeBackup',
      'src/db/check.ts': 'implements the option checkDatabase',
      'src/sandbox/child.ts': 'implements the option pdf',
      'src/serving.ts': 'its Worker is no thread',
    },
    finds: ['Bun.spawn(command)', 'Bun.spawnSync(command)', "import { spawn } from 'node:child_process'", 'Bun.$`ls`'],
    leaves: ['app.makeBackup(path, to)'],
  },
  {
    what: 'the end of the process: exit',
    code: /(?<![\w.#$])process\.(exit|exitCode|abort|kill|on|once|emit|reallyExit)\b(?!\s*===)/,
    allowed: {
      'src/lib/log.ts': 'writes what is left at the end of the process',
      'src/lib/this-machine.ts': PORT,
      'src/main.ts': START,
      'src/serving.ts': 'ends the process',
    },
    finds: ['process.exit(1)', "process.on('exit', run)", 'process.exitCode = 1'],
    leaves: ['app.exit(1)', 'this.#process.kill(9)', 'process.pid'],
  },
  {
    what: 'the real machine: only the composition gives it',
    code: /\b(THIS_MACHINE|smtpMailer|backupInChild|checkInChild|openPdfTools|connectPostgresql)\b/,
    modules: /^src\/lib\/(fetch-limited|host-addresses)\.ts$/,
    allowed: {
      'src/app.ts': 'the composition',
      'src/backups/runs.ts': 'implements the option makeBackup',
      'src/db/check.ts': 'implements the option checkDatabase',
      'src/db/postgresql/connect.ts': 'implements the option connections',
      'src/engine.ts': 'the composition',
      'src/lib/fetch-limited.ts': PORT,
      'src/lib/this-machine.ts': PORT,
      'src/mailer/smtp.ts': 'implements the option connectMail',
      'src/main.ts': 'the composition',
      'src/sandbox/pdf-tools.ts': 'implements the option pdf',
      'src/serving.ts': 'the composition',
    },
    finds: [
      "import { THIS_MACHINE } from '../lib/this-machine.ts'",
      "import { send } from '../lib/fetch-limited.ts'",
      'smtpMailer({})',
    ],
    leaves: ["import type { SendResult } from '../lib/fetch-limited.ts'", "import { parseSmtpUrl } from '../mailer/smtp.ts'"],
  },
]

/** What the file uses against the rule. */
const useOf = ({ code, modules }: Rule, source: Source): string | undefined =>
  code?.exec(source.code)?.[0].trim() ?? loadedImports(source).find(name => modules?.test(name))

const sample = (code: string): Source => ({ path: 'src/audit/x.ts', text: code, code, imports: [] })

describe('the test itself', () => {
  test.each(RULES)('finds $what', rule => {
    expect(rule.finds.filter(code => useOf(rule, sample(code)) === undefined)).toEqual([])
    expect(rule.leaves.filter(code => useOf(rule, sample(code)) !== undefined)).toEqual([])
  })

  test('reads what a serving process loads, also late, and nothing of children and other verbs', () => {
    const paths = CHECKED.map(({ path }) => path)
    expect(paths.length).toBeGreaterThan(600)
    expect(paths).toContain('src/storage/s3-store.ts')
    expect(paths).toContain('views/layout.tsx')
    for (const free of ['src/sandbox/main.ts', 'src/pades/augment.ts', 'src/cli/restore.ts']) expect(paths).not.toContain(free)
  })
})

describe('only the files of the list use', () => {
  test.each(RULES)('$what', rule => {
    const users = new Map(
      CHECKED.map(source => [source.path, useOf(rule, source)] as const).filter(([, use]) => use !== undefined),
    )
    expect([...users].filter(([path]) => !(path in rule.allowed))).toEqual([])
    expect(Object.keys(rule.allowed).filter(path => !users.has(path))).toEqual([])
  })
})
