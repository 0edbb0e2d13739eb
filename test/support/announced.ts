/**
 * An organisation that mails reach: nothing is erased before its announcement has reached
 * somebody.
 */
import { saveOrganisation } from '../../src/settings/organisation.ts'
import type { TestApp } from './test-app.ts'

/** For tests without administrators, whom the announcement would reach. */
export async function withContact({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await app.write(tx => saveOrganisation(tx, { name: 'Signet', contact: 'office@example.com', timeZone: 'UTC' }))
}
