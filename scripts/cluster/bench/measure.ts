/** Throughput and processor time of one setup: reads, creates, and documents signed and sealed. */
import { documentOf, signersOf } from '../client.ts'
import { Cluster, type ClusterOptions } from '../cluster.ts'
import { cpuSecondsOf, residentMbOf } from '../programs.ts'
import type { Site } from '../site.ts'

const CLIENTS = 8
const WARM_UP = 5

/** Seconds of processor time. */
export interface Cpu {
  nodes: number
  postgres: number
  s3: number
}

export interface Figures {
  /** A second. */
  reads: number
  creates: number
  sealed: number
  /** Median duration. */
  createS: number
  /** Of one sealed document, of one create, of one read. */
  cpu: Cpu
  createCpu: Cpu
  readCpu: Cpu
  residentMb: number
}

const middle = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** The median of each figure. */
export function medianOf(list: Figures[]): Figures {
  const of = (pick: (figures: Figures) => number) => middle(list.map(pick))
  const cpu = (pick: (figures: Figures) => Cpu): Cpu => ({
    nodes: of(f => pick(f).nodes),
    postgres: of(f => pick(f).postgres),
    s3: of(f => pick(f).s3),
  })
  return {
    reads: of(f => f.reads),
    creates: of(f => f.creates),
    sealed: of(f => f.sealed),
    createS: of(f => f.createS),
    cpu: cpu(f => f.cpu),
    createCpu: cpu(f => f.createCpu),
    readCpu: cpu(f => f.readCpu),
    residentMb: of(f => f.residentMb),
  }
}

function cpuOf({ options, site, nodes }: Cluster): Cpu {
  const isSqlite = options.engine === 'sqlite'
  return {
    nodes: nodes.reduce((sum, node) => sum + cpuSecondsOf(node.pid), 0),
    postgres: isSqlite ? 0 : cpuSecondsOf(site.postgres.pid),
    s3: isSqlite ? 0 : cpuSecondsOf(site.s3.pid),
  }
}

/** Processor time of the work for each of what it counts. */
async function measured(cluster: Cluster, work: () => Promise<number>): Promise<{ perSecond: number; cpu: Cpu }> {
  const before = cpuOf(cluster)
  const startedMs = performance.now()
  const count = await work()
  const elapsedS = (performance.now() - startedMs) / 1000
  const after = cpuOf(cluster)
  const each = (name: keyof Cpu) => (after[name] - before[name]) / count
  return { perSecond: count / elapsedS, cpu: { nodes: each('nodes'), postgres: each('postgres'), s3: each('s3') } }
}

export async function measureSetup(site: Site, options: ClusterOptions, seconds: number): Promise<Figures> {
  const cluster = await Cluster.open(site, options)
  // Its questions would be measured, too.
  cluster.balancer.close()
  try {
    await seal(cluster, WARM_UP)
    const reads = await measured(cluster, () => read(cluster, seconds))
    const durations: number[] = []
    const creates = await measured(cluster, () => create(cluster, seconds, durations))
    const documents = Math.max(4 * seconds, CLIENTS)
    const sealed = await measured(cluster, () => seal(cluster, documents))
    return {
      reads: reads.perSecond,
      creates: creates.perSecond,
      sealed: sealed.perSecond,
      createS: middle(durations),
      cpu: sealed.cpu,
      createCpu: creates.cpu,
      readCpu: reads.cpu,
      residentMb: Math.max(...cluster.nodes.map(node => residentMbOf(node.pid))),
    }
  } finally {
    await cluster.close()
  }
}

/** wrk at every node at once: a client in this process would be what is measured. */
async function read(cluster: Cluster, seconds: number): Promise<number> {
  const [id] = cluster.client.promised.created.keys()
  const counts = await Promise.all(
    cluster.nodes.map(async node => {
      const connections = Math.max(1, Math.floor(32 / cluster.nodes.length))
      const header = `Authorization: ${cluster.client.authorization}`
      const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-H', header, `${node.url}/api/v1/documents/${id}`]
      const text = await new Response(Bun.spawn(['wrk', ...args], { stdout: 'pipe' }).stdout).text()
      if (/Non-2xx/.test(text)) throw new Error(`wrk met failures:\n${text}`)
      return Number(/(\d+) requests in/.exec(text)?.[1])
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

let titles = 0

async function create(cluster: Cluster, seconds: number, durations: number[]): Promise<number> {
  const deadline = performance.now() + 1000 * seconds
  const client = async () => {
    while (performance.now() < deadline) {
      const title = `create-${++titles}`
      const body = await documentOf(title, signersOf(title))
      const startedMs = performance.now()
      const { status } = await cluster.client.once('POST', '/documents', { body, key: crypto.randomUUID() })
      if (status !== 201) throw new Error(`create answered ${status}`)
      durations.push((performance.now() - startedMs) / 1000)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return durations.length
}

/** Until the last of them is completed. */
async function seal(cluster: Cluster, count: number): Promise<number> {
  const ids: string[] = []
  let begun = 0
  const client = async () => {
    while (begun++ < count) {
      const title = `sealed-${++titles}`
      ids.push(await cluster.client.wholeStory(title, signersOf(title)))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const open = await cluster.client.untilCompleted(ids, 60_000)
  if (open.length > 0) throw new Error(`${open.length} documents were not sealed within a minute`)
  return count
}
