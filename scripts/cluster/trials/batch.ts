/** A batch while nodes are killed: each row becomes one document, each person gets one mail. */
import { rowsFor, startBatch, tenancyTemplate, tenant } from '../../../test/support/batches.ts'
import type { Cluster } from '../cluster.ts'
import { checkInvariants, comeToRest } from '../invariants.ts'
import { seconds } from '../report.ts'
import { type Trial, withCluster } from './trial.ts'

const ROWS = 300
const KILLS = 8
const LIMIT_MS = 240_000

const sentRows = (cluster: Cluster) => cluster.count("SELECT count(*) AS n FROM batch_rows WHERE state = 'sent'")

async function untilSent(cluster: Cluster, count: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  while ((await sentRows(cluster)) < count) {
    if (performance.now() > deadline) throw new Error(`${await sentRows(cluster)} of ${ROWS} rows were sent in ${LIMIT_MS} ms`)
    await Bun.sleep(20)
  }
}

export const batch: Trial = {
  name: 'batch',
  title: `a batch of ${ROWS} rows while nodes are killed with -9, ${KILLS} times`,
  isForSqlite: true,
  run: context =>
    withCluster(context, { env: { SIGNET_BULK_MAILS_PER_MINUTE: '3000' } }, async cluster => {
      const { report } = context
      const api = { api: (method: string, path: string, body?: unknown) => cluster.client.call(method, path, { body }) }
      const id = await startBatch(api, await tenancyTemplate(api), rowsFor(ROWS))
      const startedMs = performance.now()
      for (let kill = 1; kill <= KILLS; kill++) {
        await untilSent(cluster, Math.floor((ROWS * kill) / (KILLS + 1)))
        const node = cluster.node(kill % cluster.nodes.length)
        await node.kill()
        node.launch()
        await cluster.untilReady()
      }
      await untilSent(cluster, ROWS)
      report.figure('from the start to the last row', seconds(performance.now() - startedMs))
      const { body } = await cluster.client.call('GET', `/batches/${id}`)
      report.promise('the batch is done', body.state === 'done' && body.counts.sent === ROWS, JSON.stringify(body.counts))
      await comeToRest(cluster, report)
      const documents = await cluster.count("SELECT count(*) AS n FROM documents WHERE status = 'sent'")
      report.promise('one document for each row', documents === ROWS, `${documents} of ${ROWS}`)
      await checkMailedOnce(cluster, context.report)
      await checkInvariants(cluster, report)
    }),
}

/** A mail that was repeated after a kill has the same Message-ID. */
async function checkMailedOnce(cluster: Cluster, report: Parameters<typeof comeToRest>[1]): Promise<void> {
  const mails = await cluster.mails.read()
  const wrong = Array.from({ length: ROWS }, (_, i) => tenant(i + 1)).filter(
    address => new Set(mails.filter(({ to }) => to === address).map(({ messageId }) => messageId)).size !== 1,
  )
  const repeated = mails.length - new Set(mails.map(({ messageId }) => messageId)).size
  report.promise('one mail for each person', wrong.length === 0, `${ROWS - wrong.length} of ${ROWS}; ${repeated} repeated`)
}
