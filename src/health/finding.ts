/** What a check has found, and the checks that find it. */
import { errorMessage } from '../lib/log.ts'

/** Printed by `signet doctor --json`. */
export interface Finding {
  /** Name of the check. */
  name: string
  verdict: 'ok' | 'warning' | 'error'
  message: string
}

export const passed = (name: string, message: string): Finding => ({ name, verdict: 'ok', message })
export const warning = (name: string, message: string): Finding => ({ name, verdict: 'warning', message })
export const failed = (name: string, message: string): Finding => ({ name, verdict: 'error', message })

/** Doctor, the Health page and the warnings begin so many days before a certificate ends. */
export const CERTIFICATE_WARN_DAYS = 30

export type Check = [name: string, run: () => Finding[] | Promise<Finding[]>]

/** A check that fails to run is a finding, too. It does not stop the others. */
export async function runChecks(checks: Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, run] of checks) {
    try {
      findings.push(...(await run()))
    } catch (error) {
      findings.push(failed(name, `could not be checked: ${errorMessage(error)}`))
    }
  }
  return findings
}
