/** Nodes started together on an empty database agree on everything made at a first start. */
import { signersOf } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import { checkInvariants, comeToRest } from '../invariants.ts'
import { seconds } from '../report.ts'
import { nextTitle, type Trial, type TrialContext, withPrepared } from './trial.ts'

const ROUNDS = 3
const DOCUMENTS = 3

export const firstStart: Trial = {
  name: 'first-start',
  title: 'three nodes started together on an empty database',
  isForSqlite: true,
  async run(context) {
    for (let round = 1; round <= ROUNDS; round++) {
      await withPrepared(context, {}, cluster => startTogether(context, cluster, round === ROUNDS))
    }
  },
}

async function startTogether({ report }: TrialContext, cluster: Cluster, isLast: boolean): Promise<void> {
  const startedMs = performance.now()
  await cluster.start()
  const readyMs = performance.now() - startedMs
  const counts = {
    roots: await cluster.count('SELECT count(*) AS n FROM seal_roots'),
    certificates: await cluster.count('SELECT count(*) AS n FROM seal_certificates'),
    linkKeys: await cluster.count("SELECT count(*) AS n FROM secrets WHERE name LIKE '%link%'"),
  }
  const isOne = counts.roots === 1 && counts.certificates === 1 && counts.linkKeys === 1
  report.promise('one root, one certificate, one link key', isOne, `${JSON.stringify(counts)} after ${seconds(readyMs)}`)
  // A link in the mail of one node opens at every node.
  for (let i = 0; i < DOCUMENTS; i++) {
    const title = nextTitle()
    await cluster.client.wholeStory(title, signersOf(title))
  }
  if (!isLast) return
  await comeToRest(cluster, report)
  await checkInvariants(cluster, report)
}
