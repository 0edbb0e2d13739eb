/** An S3 server on loopback: VersityGW, Garage or moto, and what its buckets hold. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { S3Client } from 'bun'
import { freePort, until } from '../../test/support/executable.ts'
import { type Program, type Programs, runToEnd } from './programs.ts'

export const S3_KINDS = ['versitygw', 'garage', 'moto'] as const
export type S3Kind = (typeof S3_KINDS)[number]

const TOOLS = join(import.meta.dir, '../../.tools/cluster')
/** Garage takes only keys of this form. */
const KEY = 'GK0123456789abcdef01234567'
const SECRET = '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef'
const REGION = 'us-east-1'

interface Running {
  program: Program
  createBucket(name: string): Promise<void>
}

export class S3Server {
  readonly port: number
  readonly #running: Running
  readonly kind: S3Kind

  private constructor(kind: S3Kind, port: number, running: Running) {
    this.kind = kind
    this.port = port
    this.#running = running
  }

  static async start(kind: S3Kind, programs: Programs, folder: string): Promise<S3Server> {
    const port = await freePort()
    const home = join(folder, kind)
    mkdirSync(home)
    const running = await START[kind](programs, home, port)
    const server = new S3Server(kind, port, running)
    await until(`an answer of ${kind}`, async () => {
      await Bun.sleep(50)
      if (!running.program.isRunning()) throw new Error(`${kind} ended:\n${running.program.log()}`)
      return fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => undefined,
      )
    })
    return server
  }

  get pid(): number {
    return this.#running.program.pid
  }

  createBucket(name: string): Promise<void> {
    return this.#running.createBucket(name)
  }

  address(bucket: string, port = this.port): string {
    return `s3://${KEY}:${SECRET}@127.0.0.1:${port}/${bucket}?region=${REGION}&tls=off`
  }

  bucket(name: string, port = this.port): S3Client {
    const endpoint = `http://127.0.0.1:${port}`
    return new S3Client({ accessKeyId: KEY, secretAccessKey: SECRET, bucket: name, endpoint, region: REGION })
  }

  /** The keys of all objects of a bucket. */
  async objects(name: string): Promise<string[]> {
    const bucket = this.bucket(name)
    const keys: string[] = []
    for (let startAfter: string | undefined; ; ) {
      const page = await bucket.list({ maxKeys: 1000, ...(startAfter === undefined ? {} : { startAfter }) })
      keys.push(...(page.contents ?? []).map(({ key }) => key))
      startAfter = keys.at(-1)
      if (!page.isTruncated) return keys
    }
  }
}

const demand = (path: string): string => {
  if (existsSync(path)) return path
  throw new Error(`${path} is missing: scripts/test-cluster installs it`)
}

const START: Record<S3Kind, (programs: Programs, home: string, port: number) => Promise<Running>> = {
  async versitygw(programs, home, port) {
    const command = [demand(join(TOOLS, 'bin/versitygw')), '--access', KEY, '--secret', SECRET, '--quiet', '--keep-alive']
    const buckets = join(home, 'buckets')
    mkdirSync(buckets)
    const storage = ['posix', ...(await metadataOptions(home)), buckets]
    const program = programs.start('versitygw', [...command, '--port', `127.0.0.1:${port}`, ...storage])
    // Every folder is a bucket.
    return { program, createBucket: async name => void mkdirSync(join(buckets, name)) }
  },
  async moto(programs, home, port) {
    const command = [demand(join(TOOLS, 'moto/bin/moto_server')), '-H', '127.0.0.1', '-p', String(port)]
    const program = programs.start('moto', command, { cwd: home })
    const createBucket = async (name: string) => {
      const { ok, status } = await fetch(`http://127.0.0.1:${port}/${name}`, { method: 'PUT' })
      if (!ok) throw new Error(`moto answered ${status} to a new bucket`)
    }
    return { program, createBucket }
  },
  async garage(programs, home, port) {
    const settings = join(home, 'garage.toml')
    const rpc = `127.0.0.1:${await freePort()}`
    writeFileSync(settings, garageSettings(home, port, rpc), { mode: 0o600 })
    const garage = [demand(join(TOOLS, 'bin/garage')), '-c', settings]
    const program = programs.start('garage', [...garage, 'server'], { env: { RUST_LOG: 'warn' } })
    const run = (...args: string[]) => runToEnd([...garage, ...args])
    const node = await until('the node of Garage', async () => {
      await Bun.sleep(100)
      return run('node', 'id', '-q').catch(() => undefined)
    })
    await until('a layout of Garage', () =>
      run('layout', 'assign', '-z', 'one', '-c', '1G', node.split('@')[0] ?? '').catch(() => undefined),
    )
    await run('layout', 'apply', '--version', '1')
    await run('key', 'import', '--yes', '-n', 'rig', KEY, SECRET)
    const createBucket = async (name: string) => {
      await run('bucket', 'create', name)
      await run('bucket', 'allow', '--read', '--write', '--owner', name, '--key', KEY)
    }
    return { program, createBucket }
  },
}

/** VersityGW keeps what S3 knows of an object in extended attributes where the disk has them. */
async function metadataOptions(home: string): Promise<string[]> {
  const probe = join(home, 'probe')
  writeFileSync(probe, '')
  const code = `import os; os.setxattr(${JSON.stringify(probe)}, 'user.signet', b'1')`
  if (Bun.spawnSync(['python3', '-c', code]).exitCode === 0) return []
  const sidecar = join(home, 'metadata')
  mkdirSync(sidecar)
  return ['--sidecar', sidecar]
}

const garageSettings = (home: string, port: number, rpc: string): string => `
metadata_dir = "${home}/meta"
data_dir = "${home}/data"
db_engine = "sqlite"
replication_factor = 1
rpc_bind_addr = "${rpc}"
rpc_public_addr = "${rpc}"
rpc_secret = "${SECRET}"
[s3_api]
api_bind_addr = "127.0.0.1:${port}"
s3_region = "${REGION}"
root_domain = ".s3.invalid"
`
