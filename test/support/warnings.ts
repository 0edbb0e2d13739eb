/** A warning to raise, and the mails of warnings, which are due two minutes later. */
import { mailAlerts } from '../../src/alerts/alerts.ts'
import { diagnosis } from '../../src/locales/diagnoses.ts'
import type { TestApp } from './test-app.ts'

const SPACE = { isOfNode: false, node: '', free: '400 MB', low: '1,000 MB', reserve: '200 MB' }

export const LOW_DISK = { kind: 'disk_low', found: diagnosis('disk_low', SPACE) } as const

export async function mailWarnings({ app, clock, drain }: TestApp): Promise<void> {
  clock.pass({ minutes: 2 })
  await mailAlerts(app)
  await drain()
}
