/**
 * A service whose system calls are recorded, what a client does with it, and what its answers
 * promise.
 */
import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { BINARY, freePort, run, type Serving, serve, until } from '../../test/support/executable.ts'
import { apiClient, sign } from '../faults-client.ts'
import { traced } from './trace.ts'

/** True from the answer with this number on. */
export interface Promised {
  afterAnswers: number
  what: string
  isKept(database: Database): boolean
}

/** `Serving` of a process below strace, with the number of answers so far. */
interface TracedServing extends Serving {
  readonly answers: number
}

export async function serveTraced(trace: string, data: string): Promise<TracedServing> {
  const port = String(await freePort())
  const command = traced(trace, [BINARY, 'serve', '--data', data, '--port', port])
  const child = Bun.spawn(command, { cwd: data, env: {}, stdout: 'pipe', stderr: 'ignore', stdin: 'ignore' })
  let greeting = ''
  const reader = child.stdout.getReader()
  while (!/serves/.test(greeting)) {
    const { value, done } = await reader.read()
    if (done) throw new Error('signet serve ended')
    greeting += new TextDecoder().decode(value)
  }
  const url = `http://127.0.0.1:${port}`
  let answers = 0
  const [pid = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ')
  return {
    url,
    greeting,
    pid: Number(pid),
    ended: child.exited,
    get answers() {
      return answers
    },
    async fetch(path, init) {
      const response = await fetch(path.startsWith('http') ? path : url + path, init)
      answers++
      return response
    },
    async end(signal) {
      process.kill(Number(pid), signal)
      return child.exited
    },
  }
}

const one = (database: Database, sql: string, ...values: string[]) =>
  database.query<Record<string, unknown>, string[]>(sql).get(...values)
const statusOf = (database: Database, id: string) => one(database, 'SELECT status FROM documents WHERE id = ?', id)?.status

const MAX_TRIES = 300

/** The states of a document that was sent. */
const SENT = ['sent', 'sealing', 'completed']

/**
 * Drafts, documents that are sent, signed, sealed, voided and deleted. Returns what each answer
 * promised, and the key of the client.
 */
export async function journey(serving: TracedServing, data: string, key: string): Promise<Promised[]> {
  const promised: Promised[] = []
  const promise = (what: string, isKept: Promised['isKept']) =>
    void promised.push({ afterAnswers: serving.answers, what, isKept })
  const client = apiClient(serving, key)
  const { headers } = client
  const create = async (n: number, isSent: boolean): Promise<string> => {
    const { id = '', status } = await client.create(n, `key-${n}`, { isSent })
    if (status !== 201) throw new Error(`the creation answered ${status}`)
    promise(`document ${n} was created`, db => statusOf(db, id) !== undefined)
    if (isSent) promise(`document ${n} was sent`, db => SENT.includes(String(statusOf(db, id))))
    return id
  }
  const change = async (method: string, path: string, body?: unknown): Promise<void> => {
    const { ok, status } = await serving.fetch(`/api/v1/documents/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!ok) throw new Error(`${method} ${path} answered ${status}`)
  }
  const [draft, signed, voided] = [await create(0, false), await create(1, true), await create(2, false)]
  await client.send(voided)
  promise('document 2 was sent', db => statusOf(db, voided) !== 'draft')
  if ((await sign(serving, data, 1)) !== 200) throw new Error('the signature was refused')
  promise('document 1 was signed', db =>
    Boolean(one(db, "SELECT 1 AS found FROM recipients WHERE document_id = ? AND status = 'signed'", signed)),
  )
  for (let tries = 0; (await client.get(signed)).status !== 'completed'; tries++) {
    if (tries === MAX_TRIES) throw new Error('the document is not sealed')
    // Not faster than the limit of requests.
    await Bun.sleep(100)
  }
  promise('document 1 was completed', db => statusOf(db, signed) === 'completed')
  await change('POST', `${voided}/void`, { reason: 'Plans have changed' })
  promise('document 2 was voided', db => statusOf(db, voided) === 'voided')
  await change('DELETE', draft)
  promised.splice(0, promised.length, ...promised.filter(({ what }) => what !== 'document 0 was created'))
  promise('document 0 was deleted', db => statusOf(db, draft) === undefined)
  return promised
}

/**
 * Why the folder breaks what was promised. A document that all have signed is sealed by the next
 * start.
 */
export async function checkServed(data: string, promised: readonly Promised[], answers: number): Promise<string | undefined> {
  const { code, err, out } = run(data, ['audit', 'verify', '--data', data])
  if (code !== 0) return `the audit log: ${err}${out}`
  const problem = checkPromised(data, promised, answers)
  if (problem !== undefined) return problem
  const isSealing = withDatabase(data, db => one(db, "SELECT id FROM documents WHERE status = 'sealing'"))
  return isSealing ? sealed(data, String(isSealing.id)) : undefined
}

function withDatabase<T>(data: string, ask: (database: Database) => T): T {
  const database = new Database(join(data, 'signet.db'))
  try {
    return ask(database)
  } finally {
    database.close()
  }
}

/** By the rows and files alone. `answers`: so many had begun. */
export function checkPromised(data: string, promised: readonly Promised[], answers: number): string | undefined {
  return withDatabase(data, database => {
    const lost = promised.find(({ afterAnswers, isKept }) => afterAnswers <= answers && !isKept(database))
    if (lost) return `${lost.what}, which is lost`
    const files = database.query<{ sha256: string }, []>('SELECT sha256 FROM files').all()
    const lacking = files.find(({ sha256 }) => !isWhole(join(data, 'files', `${sha256}.pdf`), sha256))
    if (lacking) return 'a row refers to a file that is not there, or not whole'
    const seals = database.query<{ n: number }, []>(SEALS).get()?.n ?? 0
    return seals > 1 ? 'a document was sealed twice' : undefined
  })
}

const SEALS = "SELECT count(*) AS n FROM events WHERE type = 'document.completed' GROUP BY document_id ORDER BY n DESC LIMIT 1"

const isWhole = (path: string, sha256: string) => existsSync(path) && sha256Hex(readFileSync(path)) === sha256

async function sealed(data: string, id: string): Promise<string | undefined> {
  const serving = await serve(data, { env: { SIGNET_DATA: data } })
  try {
    const isCompleted = async () => (withDatabase(data, db => statusOf(db, id)) === 'completed' ? true : undefined)
    await until('the seal', isCompleted, 20_000)
    return checkPromised(data, [], 0)
  } catch (error) {
    return `all have signed, and nothing seals it: ${error}`
  } finally {
    await serving.end('SIGTERM')
  }
}
