/** Mails the warnings that are due two minutes later. */
import { mailAlerts } from '../../src/alerts/alerts.ts'
import type { TestApp } from './test-app.ts'

export async function mailWarnings({ app, clock, drain }: TestApp): Promise<void> {
  clock.pass({ minutes: 2 })
  await mailAlerts(app)
  await drain()
}
