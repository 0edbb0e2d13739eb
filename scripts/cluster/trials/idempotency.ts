/** Six equal requests with one Idempotency-Key over all nodes, also while nodes are killed. */
import { type Answer, documentOf, signersOf } from '../client.ts'
import type { Cluster } from '../cluster.ts'
import { nextTitle, type Trial, withCluster } from './trial.ts'

const EQUAL = 6
const QUIET_ROUNDS = 10
const KILLED_ROUNDS = 6

/** Six at once; those without an answer are repeated until there is one. */
async function sixEqual(
  cluster: Cluster,
  disturb: () => Promise<void> = async () => {},
): Promise<{ title: string; ids: Set<string> }> {
  const title = nextTitle()
  const body = await documentOf(title, signersOf(title))
  const key = crypto.randomUUID()
  const first = Array.from({ length: EQUAL }, (_, i): Promise<Answer | undefined> => {
    const node = cluster.nodes[i % cluster.nodes.length]
    return cluster.client.once('POST', '/documents', { body, key, ...(node ? { node } : {}) }).catch(() => undefined)
  })
  await disturb()
  const answers = await Promise.all(first)
  const later = await Promise.all(
    answers.map(answer => (answer?.status === 201 ? answer : cluster.client.call('POST', '/documents', { body, key }))),
  )
  for (const answer of later)
    if (answer.status !== 201) throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`)
  const ids = new Set(later.map(answer => String(answer.body.id)))
  for (const id of ids) cluster.client.promised.created.set(id, { key, title })
  return { title, ids }
}

const documentsNamed = (cluster: Cluster, title: string) =>
  cluster.count(`SELECT count(*) AS n FROM documents WHERE title = '${title}'`)

export const idempotency: Trial = {
  name: 'idempotency',
  title: 'six equal POSTs with one Idempotency-Key over all nodes',
  isForSqlite: true,
  run: context =>
    withCluster(context, {}, async cluster => {
      const { report } = context
      let right = 0
      for (let round = 0; round < QUIET_ROUNDS; round++) {
        const { title, ids } = await sixEqual(cluster)
        if (ids.size === 1 && (await documentsNamed(cluster, title)) === 1) right++
      }
      report.promise('they make one document', right === QUIET_ROUNDS, `${right} of ${QUIET_ROUNDS} rounds`)
      right = 0
      for (let round = 0; round < KILLED_ROUNDS; round++) {
        const node = cluster.node(round % cluster.nodes.length)
        const { title, ids } = await sixEqual(cluster, async () => {
          await Bun.sleep(10 + 30 * round)
          await node.kill()
          node.launch()
        })
        if (ids.size === 1 && (await documentsNamed(cluster, title)) === 1) right++
        await cluster.untilReady()
      }
      report.promise('also when a node is killed between them', right === KILLED_ROUNDS, `${right} of ${KILLED_ROUNDS} rounds`)
    }),
}
