/** Nodes on one database and one bucket, with proxies, sinks, a balancer and a client. */
import { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Balancer } from './balancer.ts'
import { ClusterClient } from './client.ts'
import { SignetNode } from './node.ts'
import { PostgresProxy } from './postgres-proxy.ts'
import type { PostgresServer, Row } from './postgres-server.ts'
import { runToEnd } from './programs.ts'
import { S3Proxy } from './s3-proxy.ts'
import { MailSink, WebhookSink } from './sinks.ts'
import type { Site } from './site.ts'

export type Engine = 'sqlite' | 'postgresql'

export interface ClusterOptions {
  engine: Engine
  nodes: number
  executable?: string
  /** In place of the server itself, as a pooler. */
  databasePort?: number
  /** Without proxies, for measurements. */
  isDirect?: boolean
  env?: Record<string, string>
}

/** As `RestartSec=1`. */
const SUPERVISED_EVERY_MS = 1_000
const BASE_URL = 'http://signet.test'

const COMMON_ENV = {
  SIGNET_BASE_URL: BASE_URL,
  SIGNET_SEAL_KEY: 'ec-p256',
  SIGNET_RATE_PER_MINUTE: '10000000',
  SIGNET_TRUST_PROXY: '127.0.0.0/8',
  SIGNET_WEBHOOK_ALLOW: '127.0.0.0/8',
}

export class Cluster {
  readonly site: Site
  readonly options: ClusterOptions
  readonly nodes: SignetNode[] = []
  readonly postgresProxies: PostgresProxy[] = []
  readonly mails: MailSink
  readonly webhooks: WebhookSink
  readonly balancer: Balancer
  readonly database: string
  readonly bucket: string
  s3Proxy: S3Proxy | undefined
  /** Of nodes that are started from now on, in place of the owner. */
  login: string | undefined
  #client: ClusterClient | undefined
  /** Of nodes that ended by themselves, the last words. */
  readonly failures: string[] = []
  #supervisor: ReturnType<typeof setInterval> | undefined
  #folder = ''
  #server: PostgresServer | undefined

  private constructor(site: Site, options: ClusterOptions, mails: MailSink, webhooks: WebhookSink) {
    this.site = site
    this.options = options
    this.mails = mails
    this.webhooks = webhooks
    this.balancer = new Balancer(this.nodes)
    this.database = site.newName('signet_')
    this.bucket = this.database.replace('_', '-')
  }

  /** Everything but running nodes. */
  static async prepare(site: Site, options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(site, options, await MailSink.open(), await WebhookSink.open())
    site.atClose(() => cluster.close())
    cluster.#folder = site.newFolder('cluster-')
    if (options.engine === 'postgresql') {
      await site.postgres.createDatabase(cluster.database)
      await site.s3.createBucket(cluster.bucket)
      writeFileSync(cluster.#keyPath, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
      cluster.s3Proxy = await new S3Proxy(site.s3.port).listen()
    }
    for (let i = 0; i < options.nodes; i++) await cluster.#addNode(`node${i + 1}`)
    return cluster
  }

  /** With running nodes, a key and a webhook for all events. */
  static async open(site: Site, options: ClusterOptions): Promise<Cluster> {
    const cluster = await Cluster.prepare(site, options)
    await cluster.start()
    return cluster
  }

  /** All nodes at the same moment. */
  async start(): Promise<void> {
    if (this.login !== undefined) for (const node of this.nodes) node.logInAs(this.login)
    await Promise.all(this.nodes.map(node => node.start()))
    await this.connect()
  }

  get #keyPath(): string {
    return join(this.#folder, 'master.key')
  }

  async #addNode(name: string): Promise<void> {
    const executable = this.options.executable ?? this.site.executable
    const env = { ...COMMON_ENV, SIGNET_SMTP_URL: this.mails.url, ...(await this.#engineEnv(name)), ...this.options.env }
    this.nodes.push(await SignetNode.create(this.site.programs, { name, folder: this.#folder, executable, env }))
  }

  async #engineEnv(name: string): Promise<Record<string, string>> {
    if (this.options.engine === 'sqlite') return {}
    const { site, options } = this
    const upstream = options.databasePort ?? site.postgres.port
    const isDirect = options.isDirect === true
    const proxy = isDirect ? undefined : await new PostgresProxy(upstream).listen()
    if (proxy !== undefined) this.postgresProxies.push(proxy)
    const s3Port = isDirect ? site.s3.port : this.s3Proxy?.port
    return {
      SIGNET_DATABASE_URL: site.postgres.address(this.database, proxy?.port ?? upstream),
      SIGNET_FILES_URL: site.s3.address(this.bucket, s3Port),
      SIGNET_MASTER_KEY_FILE: this.#keyPath,
      SIGNET_NODE_NAME: name,
    }
  }

  /** Makes the API token and the webhook, once nodes run. */
  async connect(): Promise<void> {
    await this.balancer.open()
    const apiKey = (await this.verb(['key', 'create', '--name', 'cluster'])).trim()
    this.#client = new ClusterClient({ balancer: this.balancer, mails: this.mails, baseUrl: BASE_URL, apiKey })
    const { status, body } = await this.client.call('POST', '/webhooks', { body: { url: this.webhooks.url, events: ['*'] } })
    if (status !== 201) throw new Error(`the webhook was refused: ${JSON.stringify(body)}`)
    this.webhooks.trust(body.secret)
  }

  get client(): ClusterClient {
    if (this.#client === undefined) throw new Error('no node was started')
    return this.#client
  }

  node(index: number): SignetNode {
    const node = this.nodes[index]
    if (node === undefined) throw new Error(`there is no node ${index + 1}`)
    return node
  }

  /** Runs a verb of the executable with the settings of the cluster. */
  async verb(args: string[]): Promise<string> {
    const { engine, executable = this.site.executable } = this.options
    // Beside SQLite a verb uses the folder of the one node; else a scratch folder of its own.
    const data = engine === 'sqlite' ? {} : { SIGNET_DATA: this.site.newFolder('verb-') }
    return runToEnd([executable, ...args], { cwd: this.#folder, env: { ...this.node(0).env, ...data } })
  }

  /** Past every proxy. */
  async rows(sql: string): Promise<Row[]> {
    if (this.options.engine === 'postgresql') return (this.#server ?? this.site.postgres).rows(this.database, sql)
    const database = new Database(join(this.node(0).folder, 'data/signet.db'), { readonly: true })
    try {
      return database.query(sql).all() as Row[]
    } finally {
      database.close()
    }
  }

  /** After a standby took the place of the server. */
  readFrom(server: PostgresServer): void {
    this.#server = server
  }

  async count(sql: string): Promise<number> {
    const [row] = await this.rows(sql)
    return Number(Object.values(row ?? {})[0])
  }

  /** SHA-256 of every stored file. */
  async objects(): Promise<string[]> {
    const keys =
      this.options.engine === 'postgresql'
        ? await this.site.s3.objects(this.bucket)
        : readdirSync(join(this.node(0).folder, 'data/files'), { recursive: true }).map(String)
    return keys.flatMap(key => /([0-9a-f]{64})(\.pdf)?$/.exec(key)?.[1] ?? [])
  }

  /** Waits until this many nodes are ready. Answers the milliseconds. */
  async untilReady(count = this.nodes.length, limitMs = 120_000): Promise<number> {
    const startedMs = performance.now()
    while (performance.now() - startedMs < limitMs) {
      await this.balancer.check()
      if (this.balancer.readyCount() >= count) return performance.now() - startedMs
      await Bun.sleep(100)
    }
    const logs = this.nodes.map(node => `${node.name}: ${node.log().slice(-5).join('\n')}`)
    throw new Error(`only ${this.balancer.readyCount()} of ${count} nodes are ready\n${logs.join('\n')}`)
  }

  /** Starts nodes that ended by themselves again, as a supervisor does. */
  supervise(): void {
    this.#supervisor = setInterval(() => {
      for (const node of this.nodes.filter(each => each.hasFailed())) {
        this.failures.push(`${node.name}: ${node.log().filter(Boolean).at(-1)}`)
        node.launch()
      }
    }, SUPERVISED_EVERY_MS)
  }

  /** Continues and restarts what is not running. */
  async restoreNodes(): Promise<void> {
    this.s3Proxy?.disarm()
    for (const node of this.nodes) {
      if (node.isStopped()) node.continue()
      if (!node.isRunning()) node.launch()
    }
    await this.untilReady()
  }

  async close(): Promise<void> {
    clearInterval(this.#supervisor)
    this.balancer.close()
    for (const node of this.nodes) {
      if (node.isStopped()) node.continue()
      if (node.isRunning()) await Promise.race([node.end(), Bun.sleep(10_000)])
      if (node.isRunning()) await node.kill()
    }
    for (const proxy of this.postgresProxies) await proxy.close()
    await this.s3Proxy?.close()
    await this.webhooks.close()
    await this.mails.close()
  }
}
