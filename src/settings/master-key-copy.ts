/** Whether somebody has shown a copy of the master key, which backups do not contain. */
import { appendInstanceEvent } from '../audit/log.ts'
import { Refusal } from '../core/refusal.ts'
import { type Violation, violation } from '../core/violation.ts'
import { fingerprintOf } from '../lib/secret-box.ts'
import { keyOfText } from '../master-key.ts'
import type { App, Origin } from '../ports.ts'
import { instanceFact, setInstanceFact } from './queries.ts'

const FACT = 'master-key-copy'

type Deps = Pick<App, 'config' | 'db' | 'secrets'>

/** Whether backups contain the master key: it is then in the data folder. */
export const isKeyInBackups = ({ masterKeyFile }: Deps['config']): boolean => masterKeyFile === undefined

/** Whether a copy is needed, and nobody has tested one of the present key. */
export async function isKeyCopyMissing({ config, db, secrets }: Deps): Promise<boolean> {
  return !isKeyInBackups(config) && (await instanceFact(db, FACT)) !== secrets.fingerprint
}

/**
 * Records that a copy is right. `text`: as `signet key print` writes it, or as in the file; it is
 * not stored. @throws Refusal `validation_failed`
 */
export async function testKeyCopy(app: App, origin: Origin, text: string): Promise<void> {
  const key = keyOfText(text)
  if (key === undefined) {
    throw notACopy(violation('not_a_key_copy'))
  }
  if (fingerprintOf(key) !== app.secrets.fingerprint) {
    throw notACopy(violation('key_copy_differs'))
  }
  await app.write(async tx => {
    await setInstanceFact(tx, FACT, app.secrets.fingerprint)
    const data = { key: app.secrets.fingerprint.slice(0, 8) }
    await appendInstanceEvent(tx, app, { type: 'master_key.copy_tested', data }, origin)
  })
}

const notACopy = (found: Violation) => new Refusal('validation_failed', found, [{ path: 'copy', ...found }])
