/** The owner migrates, a login with data rights serves, one that may only read examines. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { ROOT } from '../../../test/support/executable.ts'
import type { Cluster } from '../cluster.ts'
import { PASSWORD } from '../postgres-server.ts'
import { runToEnd } from '../programs.ts'
import { disturbed, type Trial, type TrialContext, withPrepared } from './trial.ts'

/** As printed in the README of the database. */
function printedRoles(): string {
  const text = readFileSync(join(ROOT, 'src/db/README.md'), 'utf8')
  const sql = /### Three logins[\s\S]*?```sql\n([\s\S]*?)```/.exec(text)?.[1]
  if (sql === undefined) throw new Error('src/db/README.md prints no roles')
  return sql.replace(/'example-\d'/g, `'${PASSWORD}'`)
}

const LOGINS = { serve: 'signet_serve', read: 'signet_read', owner: 'signet' } as const
type Login = keyof typeof LOGINS

const addressOf = ({ site, database }: Cluster, login: Login) =>
  site.postgres.address(database).replace('//signet:', `//${LOGINS[login]}:`)

async function verbAs({ site }: TrialContext, cluster: Cluster, login: Login, args: string[]): Promise<string> {
  const env = { ...cluster.node(0).env, SIGNET_DATA: site.newFolder('verb-'), SIGNET_DATABASE_URL: addressOf(cluster, login) }
  return runToEnd([site.executable, ...args], { env }).catch((error: Error) => error.message)
}

/** The answer of the server to each statement. */
async function attempt(cluster: Cluster, login: Login, statements: string[]): Promise<string[]> {
  const client = new Client(addressOf(cluster, login))
  await client.connect()
  const answers: string[] = []
  for (const sql of statements) {
    answers.push(
      await client.query(sql).then(
        () => `done: ${sql}`,
        (error: Error) => error.message,
      ),
    )
  }
  await client.end()
  return answers
}

const CHANGES = [
  'DROP TRIGGER events_never_change ON events',
  'ALTER TABLE events DISABLE TRIGGER ALL',
  "UPDATE events SET type = 'document.created'",
  'DELETE FROM events',
  'TRUNCATE events',
  'SET session_replication_role = replica',
  'DROP TABLE events',
  'CREATE TABLE own (one int)',
]

const lines = (text: string) => text.trim().split('\n')

export const roles: Trial = {
  name: 'roles',
  title: 'three logins: one migrates, one serves, one examines',
  async run(context) {
    const { site, report } = context
    await withPrepared(context, { nodes: 2 }, async cluster => {
      const sql = printedRoles()
      await site.postgres.rows(cluster.database, sql)
      const early = await verbAs(context, cluster, 'serve', ['serve', '--port', '0'])
      report.promise(
        'without tables, a login that serves ends with the advice to migrate as the owner',
        /run signet migrate with the login that owns them/.test(early),
        lines(early).at(-1) ?? '',
      )
      const migrated = await verbAs(context, cluster, 'owner', ['migrate'])
      report.promise('the owner migrates', /has schema \d+/.test(migrated), lines(migrated).at(-1) ?? '')
      cluster.login = LOGINS.serve
      await cluster.start()
      await disturbed(context, cluster, 2, async () => void (await Bun.sleep(8_000)))

      for (const login of ['serve', 'read'] as const) {
        const done = (await attempt(cluster, login, CHANGES)).filter(answer => answer.startsWith('done'))
        report.promise(
          `${LOGINS[login]} can neither change the audit log nor a table`,
          done.length === 0,
          done.join('; ') || `${CHANGES.length} refused`,
        )
      }
      const audit = await verbAs(context, cluster, 'read', ['audit', 'verify'])
      report.promise('audit verify with the login that may only read', /^INTACT/.test(audit), lines(audit)[0] ?? '')
      const { ok, findings } = JSON.parse(
        lines(await verbAs(context, cluster, 'read', ['doctor', '--json'])).findLast(line => line.startsWith('{')) ?? '{}',
      )
      const errors = (findings ?? []).filter(({ verdict }: { verdict: string }) => verdict === 'error')
      const login = (findings ?? []).find(({ name }: { name: string }) => name === 'login')?.message
      report.promise('doctor with the login that may only read', ok === true, `${login}; ${JSON.stringify(errors)}`)
    })
  },
}
