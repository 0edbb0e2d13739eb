/** Runs trials of a cluster, prints a table: `test-cluster [--documents N] [TRIAL…]`. */
import { parseArgs } from 'node:util'
import { demandBinary } from '../test/support/executable.ts'
import type { Engine } from './cluster/cluster.ts'
import { Report, seconds } from './cluster/report.ts'
import { S3_KINDS, type S3Kind } from './cluster/s3-server.ts'
import { Site } from './cluster/site.ts'
import { TRIALS } from './cluster/trials/index.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'postgresql' },
    documents: { type: 'string', default: '100' },
    nodes: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
  },
})
const engine = (values.engine === 'sqlite' ? 'sqlite' : 'postgresql') satisfies Engine
const kind = S3_KINDS.find(name => name === (process.env.S3 ?? 'versitygw')) satisfies S3Kind | undefined
if (kind === undefined) throw new Error(`S3 must be one of ${S3_KINDS.join(', ')}`)
const chosen = TRIALS.filter(({ name, isForSqlite }) =>
  positionals.length > 0 ? positionals.includes(name) : engine === 'postgresql' || isForSqlite,
)
const unknown = positionals.filter(name => !TRIALS.some(trial => trial.name === name))
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}; known are ${TRIALS.map(({ name }) => name).join(', ')}`)

demandBinary()
const site = Site.open()
const report = new Report()
const startedMs = performance.now()
try {
  if (engine === 'postgresql') await site.startServers(kind)
  console.log(`${engine}${engine === 'postgresql' ? ` with ${kind}` : ''}: ${chosen.map(({ name }) => name).join(', ')}`)
  for (const trial of chosen) {
    report.begin(trial.name, site.folder)
    console.log(trial.title)
    await trial
      .run({ site, report, engine, documents: Number(values.documents), nodes: Number(values.nodes) })
      .catch((error: unknown) => report.failed(error))
  }
} finally {
  await site.close({ keepFolder: values.keep })
}
report.print()
console.log(`${seconds(performance.now() - startedMs)}`)
process.exit(report.broken.length === 0 ? 0 : 1)
