/** The proxies and servers of the rig do what the other trials rely on. No node runs. */
import { Client } from 'pg'
import { PostgresProxy } from '../postgres-proxy.ts'
import { S3Proxy } from '../s3-proxy.ts'
import type { Trial, TrialContext } from './trial.ts'

const TABLE = 'CREATE TABLE written (name text)'

async function writeThrough({ site }: TrialContext, database: string, port: number, name: string): Promise<string> {
  const client = new Client(site.postgres.address(database, port))
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('BEGIN')
    await client.query('INSERT INTO written VALUES ($1)', [name])
    await client.query('COMMIT')
    return 'committed'
  } catch {
    return 'no answer'
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkPostgresProxy(context: TrialContext): Promise<void> {
  const { site, report } = context
  const database = site.newName('rig_')
  await site.postgres.createDatabase(database)
  await site.postgres.rows(database, TABLE)
  const proxy = await new PostgresProxy(site.postgres.port).listen()
  const write = (name: string) => writeThrough(context, database, proxy.port, name)
  const answers = [await write('plain')]
  for (const cut of ['before', 'after'] as const) {
    void proxy.cutAtCommit(cut)
    answers.push(await write(cut))
  }
  const written = (await site.postgres.rows(database, 'SELECT name FROM written ORDER BY name')).map(({ name }) => name)
  const isRight = answers.join() === 'committed,no answer,no answer' && written.join() === 'after,plain'
  report.promise(
    'a connection cut at COMMIT: before it nothing, after it everything is there',
    isRight,
    `${answers.join()}; ${written.join()}`,
  )
  proxy.delay(100)
  const startedMs = performance.now()
  await write('late')
  const lateMs = performance.now() - startedMs
  report.promise('100 ms of delay each way show', lateMs > 800, `${Math.round(lateMs)} ms for a connection and 3 statements`)
  await proxy.close()
}

async function checkS3Proxy({ site, report }: TrialContext): Promise<void> {
  const name = site.newName('rig-')
  await site.s3.createBucket(name)
  const proxy = await new S3Proxy(site.s3.port).listen()
  const bucket = site.s3.bucket(name, proxy.port)
  const bytes = crypto.getRandomValues(new Uint8Array(60_000))
  const read = async () => {
    const got = await bucket.file('files/object').bytes()
    return Buffer.from(got).equals(bytes) ? 'equal' : `differs, ${got.length} bytes`
  }
  const seen: string[] = []
  const note = async (what: string, work: () => Promise<unknown>) => {
    seen.push(`${what}: ${await work().catch((error: Error & { code?: string }) => `error ${error.code ?? error.name}`)}`)
  }
  await note('put', async () => bucket.write('files/object', bytes))
  await note('get', read)
  await note('range', async () => (await bucket.file('files/object').slice(1000, 2000).bytes()).length)
  await note('objects', async () => (await site.s3.objects(name)).join())
  proxy.arm({ kind: 'wrong-bytes' })
  await note('wrong bytes', read)
  proxy.arm({ kind: 'missing' })
  await note('missing', read)
  proxy.arm({ kind: 'status', status: 503 })
  await note('503', read)
  proxy.arm({ kind: 'cut' })
  await note('cut get', read)
  await note('cut put', async () => bucket.write('files/other', bytes))
  proxy.disarm()
  await note('afterwards', read)
  await note('delete', async () => (await bucket.delete('files/object')) ?? 'done')
  await note('left', async () => (await site.s3.objects(name)).length)
  const text = seen.join('; ')
  const isRight =
    /put: 60000; get: equal; range: 1000; objects: files\/object; wrong bytes: differs, 60000 bytes; missing: error/.test(text)
  report.promise('the S3 proxy forwards, refuses, lies and cuts', isRight && /afterwards: equal;.*left: 0$/.test(text), text)
  await proxy.close()
}

export const rig: Trial = {
  name: 'rig',
  title: 'what the other trials rely on',
  async run(context) {
    await checkPostgresProxy(context)
    await checkS3Proxy(context)
  },
}
