/** The nodes reach PostgreSQL through PgBouncer in transaction mode. */
import { startPgbouncer } from '../pgbouncer.ts'
import { seconds } from '../report.ts'
import { disturbed, type Trial, untilServed, withCluster } from './trial.ts'

const WORK_MS = 8_000

export const pooler: Trial = {
  name: 'pooler',
  title: 'PgBouncer in transaction mode between nodes and PostgreSQL, and its end under work',
  async run(context) {
    const { site, report } = context
    const { port, program, restart } = await startPgbouncer(site.programs, site.postgres, site.folder)
    await withCluster(context, { databasePort: port }, async cluster => {
      await disturbed(context, cluster, 4, async () => {
        await Bun.sleep(WORK_MS)
        await program.end('SIGKILL')
        await Bun.sleep(1_000)
        await restart()
        report.figure('until a write is served after the pooler was killed and started', seconds(await untilServed(cluster)))
      })
    })
  },
}
