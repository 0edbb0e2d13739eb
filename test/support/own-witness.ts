/** An instance that witnesses itself: a checkpoint that its own route co-signs. */
import { makeCheckpoint } from '../../src/health/make-checkpoint.ts'
import { diagnosis, englishOfDiagnosis } from '../../src/locales/diagnoses.ts'
import { SYSTEM } from '../../src/ports.ts'
import { saveSetting } from '../../src/settings/queries.ts'
import { trustedRoots } from '../../src/settings/seal-certificate.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { insertWitnessed, setRemoved, storeRefusal, storeStatement } from '../../src/witness/queries.ts'
import type { TestApp } from './test-app.ts'

export async function witnessItself({ app }: TestApp): Promise<string> {
  const id = app.newId('wit')
  const certificates = (await trustedRoots(app.db)).join('')
  await app.write(tx => insertWitnessed(tx, { id, name: 'Example Ltd', certificates, addedAt: app.now() }))
  return id
}

/** The body of a request, as the first one of this instance. */
export async function ownWitnessRequest(t: TestApp): Promise<{ checkpoint: string; from: number; proof: string[] }> {
  await witnessItself(t)
  return { checkpoint: (await makeCheckpoint(t.app, SYSTEM)).text, from: 0, proof: [] }
}

/** A witness that disagrees; witnessed instances in every state, and which of them differs. */
export async function witnessInEveryState(t: TestApp): Promise<{ differing: string }> {
  const { app } = t
  const own = (await trustedRoots(app.db)).join('')
  const ids: string[] = []
  for (let i = 0; i < 4; i++) ids.push(await witnessItself(t))
  const [, agreeing = '', differing = '', removed = ''] = ids
  const at = app.now()
  const treeRoot = '5f'.repeat(32)
  await app.write(async tx => {
    const made = { instance: app.instance.id, sequence: 1204, treeRoot, receivedAt: at, statement: 'of a test' }
    for (const witnessedId of [agreeing, differing, removed])
      await storeStatement(tx, { ...made, id: app.newId('wst'), witnessedId })
    await storeRefusal(tx, differing, { at, sequence: 812, treeRoot })
    await setRemoved(tx, removed, at)
    await changeServiceSettings(tx, app, SYSTEM, { witnessUrl: 'https://sign.example.com', witnessCertificateFile: own })
    const failure = englishOfDiagnosis(diagnosis('witness_saw_more', { sequence: 1204 }))
    const state = { url: 'https://sign.example.com', at: at.toISOString(), failure, disagrees: true, pauseMs: 600_000 }
    await saveSetting(tx, 'witness.state', JSON.stringify(state))
  })
  return { differing }
}
