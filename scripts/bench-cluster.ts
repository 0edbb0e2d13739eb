/** Measures nodes on PostgreSQL and S3 beside one process on SQLite. Asserts nothing. */
import { parseArgs } from 'node:util'
import { demandBinary } from '../test/support/executable.ts'
import { type Figures, measureSetup, medianOf } from './cluster/bench/measure.ts'
import { measureStatements } from './cluster/bench/statements.ts'
import type { Engine } from './cluster/cluster.ts'
import { S3_KINDS } from './cluster/s3-server.ts'
import { Site } from './cluster/site.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'sqlite-only': { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
  },
})
const kind = S3_KINDS.find(name => name === (process.env.S3 ?? 'versitygw'))
if (kind === undefined) throw new Error(`S3 must be one of ${S3_KINDS.join(', ')}`)
const seconds = values.quick ? 2 : 5
const ROUNDS = values.quick ? 1 : 3

const SETUPS: { name: string; engine: Engine; nodes: number }[] = [
  { name: 'SQLite, 1 process', engine: 'sqlite', nodes: 1 },
  { name: 'PostgreSQL and S3, 1 node', engine: 'postgresql', nodes: 1 },
  { name: '2 nodes', engine: 'postgresql', nodes: 2 },
  { name: '4 nodes', engine: 'postgresql', nodes: 4 },
]

demandBinary()
const site = Site.open()
const rounds = new Map<string, Figures[]>()
const measured: { name: string; figures: Figures }[] = []
try {
  if (!values['sqlite-only']) await site.startServers(kind)
  // In turn, so that what else the machine does meets all alike.
  for (let round = 1; round <= ROUNDS && !values.statements; round++) {
    for (const { name, engine, nodes } of SETUPS) {
      if (engine === 'postgresql' && values['sqlite-only']) continue
      console.error(`Round ${round}: ${name}`)
      const figures = await measureSetup(site, { engine, nodes, isDirect: true }, seconds)
      rounds.set(name, [...(rounds.get(name) ?? []), figures])
    }
  }
  for (const [name, list] of rounds) measured.push({ name, figures: medianOf(list) })
  if (!values.statements) printSetups()
  if (!values['sqlite-only']) printStatements(await measureStatements(site))
} finally {
  await site.close()
}
process.exit(0)

function printSetups(): void {
  const [base] = measured
  const ratio = (value: number, of: number | undefined) => (of ? ` (${(value / of).toFixed(2)})` : '')
  const cell = (pick: (figures: Figures) => number, digits: number) =>
    measured.map(({ figures }) => `${pick(figures).toFixed(digits)}${ratio(pick(figures), base && pick(base.figures))}`)
  const ms = (pick: (figures: Figures) => number) => measured.map(({ figures }) => (1000 * pick(figures)).toFixed(1))
  console.log(`\nIn brackets: against ${base?.name}. Seal key ec-p256, one page, two signers.\n`)
  printTable(
    ['', ...measured.map(({ name }) => name)],
    [
      ['GET /documents/{id}, a second', ...cell(f => f.reads, 0)],
      ['creates a second', ...cell(f => f.creates, 1)],
      ['create, median ms', ...ms(f => f.createS)],
      ['documents signed by two and sealed, a second', ...cell(f => f.sealed, 2)],
      ['processor ms of nodes per sealed document', ...ms(f => f.cpu.nodes)],
      ['processor ms of PostgreSQL per sealed document', ...ms(f => f.cpu.postgres)],
      ['processor ms of the S3 server per sealed document', ...ms(f => f.cpu.s3)],
      ['processor ms of nodes per create', ...ms(f => f.createCpu.nodes)],
      ['processor ms of PostgreSQL per create', ...ms(f => f.createCpu.postgres)],
      [
        'processor ms of nodes and PostgreSQL per 1,000 reads',
        ...measured.map(({ figures: f }) => `${(1e6 * f.readCpu.nodes).toFixed(0)} + ${(1e6 * f.readCpu.postgres).toFixed(0)}`),
      ],
      ['memory of a node, MB', ...measured.map(({ figures: f }) => String(f.residentMb))],
    ],
  )
}

function printStatements({ verbs, document }: Awaited<ReturnType<typeof measureStatements>>): void {
  console.log('\nOf one request, until its answer; the fewest of several runs.\n')
  printTable(
    ['', 'statements', 'round trips', 'ms'],
    verbs.map(({ verb, statements, roundTrips, ms }) => [verb, String(statements), String(roundTrips), ms.toFixed(1)]),
  )
  const { statements, roundTrips, transactions, heldMs, idleStatements, idleTransactions } = document
  console.log(
    `\nA document from create to sealed, with its mails and deliveries: ${statements.toFixed(0)} statements, ` +
      `${roundTrips.toFixed(0)} round trips, ${transactions.toFixed(1)} transactions, the writer row held for ${heldMs.toFixed(1)} ms.\nA node that nobody uses: ${idleStatements.toFixed(1)} statements and ${idleTransactions.toFixed(2)} transactions a second.`,
  )
}

function printTable(head: string[], rows: string[][]): void {
  console.log(`| ${head.join(' | ')} |\n|${head.map(() => '---|').join('')}`)
  for (const row of rows) console.log(`| ${row.join(' | ')} |`)
}
