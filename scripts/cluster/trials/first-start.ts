/** Nodes started together on an empty database agree on everything made at a first start. */
import { signersOf } from '../client.ts'
import { Cluster } from '../cluster.ts'
import { checkInvariants, comeToRest } from '../invariants.ts'
import { seconds } from '../report.ts'
import { nextTitle, nodesFor, type Trial } from './trial.ts'

const ROUNDS = 3

export const firstStart: Trial = {
  name: 'first-start',
  title: 'three nodes started together on an empty database',
  isForSqlite: true,
  async run(context) {
    const { report, site, engine } = context
    for (let round = 1; round <= ROUNDS; round++) {
      const cluster = await Cluster.prepare(site, { engine, nodes: nodesFor(context) })
      try {
        const startedMs = performance.now()
        for (const node of cluster.nodes) node.launch()
        await Promise.all(cluster.nodes.map(node => node.greeted()))
        await cluster.connect()
        const readyMs = performance.now() - startedMs
        const counts = {
          roots: await cluster.count('SELECT count(*) AS n FROM seal_roots'),
          certificates: await cluster.count('SELECT count(*) AS n FROM seal_certificates'),
          linkKeys: await cluster.count("SELECT count(*) AS n FROM secrets WHERE name LIKE '%link%'"),
        }
        const isOne = counts.roots === 1 && counts.certificates === 1 && counts.linkKeys === 1
        report.promise('one root, one certificate, one link key', isOne, `${JSON.stringify(counts)} after ${seconds(readyMs)}`)
        // A link from the mail of one node opens at every node.
        for (let i = 0; i < 3; i++) {
          const title = nextTitle()
          await cluster.client.wholeStory(title, signersOf(title))
        }
        if (round < ROUNDS) continue
        await comeToRest(cluster, report)
        await checkInvariants(cluster, report)
      } finally {
        await cluster.close()
      }
    }
  },
}
