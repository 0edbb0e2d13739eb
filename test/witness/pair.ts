/** Two instances on loopback that may witness one another. */
import { appendInstanceEvent } from '../../src/audit/log.ts'
import { SYSTEM } from '../../src/ports.ts'
import { trustedRoots } from '../../src/settings/seal-certificate.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { insertWitnessed } from '../../src/witness/queries.ts'
import { openTestApp, type TestApp, type TestOptions } from '../support/test-app.ts'

export interface Side {
  t: TestApp
  url: string
  /** Refuses connections until `answer`. */
  fallSilent(): Promise<void>
  answer(): void
  add(entries?: number): Promise<void>
  close(): Promise<void>
}

export async function openSide(options: TestOptions = {}): Promise<Side> {
  const t = await openTestApp({ ...options, env: { SIGNET_WEBHOOK_ALLOW: '127.0.0.0/8', ...options.env } })
  const listen = (port: number) => Bun.serve({ hostname: '127.0.0.1', port, fetch: request => t.serve(request) })
  let server = listen(0)
  const port = server.port ?? 0
  return {
    t,
    url: `http://127.0.0.1:${port}`,
    fallSilent: () => server.stop(true),
    answer: () => {
      server = listen(port)
    },
    async add(entries = 1) {
      for (let i = 0; i < entries; i++)
        await t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'organisation.changed' }, SYSTEM))
    },
    async close() {
      await server.stop(true)
      await t.close()
    },
  }
}

export const certificatesOf = async ({ t }: Side): Promise<string> => (await trustedRoots(t.app.db)).join('')

/** `asker` names its witness, which knows it. Returns the id of the row at the witness. */
export async function introduce(asker: Side, witness: Side): Promise<string> {
  const own = await certificatesOf(witness)
  await asker.t.app.write(tx =>
    changeServiceSettings(tx, asker.t.app, SYSTEM, { witnessUrl: witness.url, witnessCertificateFile: own }),
  )
  const { app } = witness.t
  const row = { id: app.newId('wit'), name: 'Example Ltd', certificates: await certificatesOf(asker), addedAt: app.now() }
  await app.write(tx => insertWitnessed(tx, row))
  return row.id
}
