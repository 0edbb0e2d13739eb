/** What a check has found, and the checks that find it. */
import { errorMessage } from '../lib/log.ts'
import { type Diagnosis, diagnosis, englishOfDiagnosis } from '../locales/diagnoses.ts'

/** Printed by `signet doctor --json`. */
export interface Finding {
  /** Name of the check. */
  name: string
  verdict: 'ok' | 'warning' | 'error'
  message: string
}

/** A text is of another program, or only the command line says it. */
type Found = Diagnosis | string

const findingOf = (name: string, verdict: Finding['verdict'], found: Found): Finding => ({
  name,
  verdict,
  message: typeof found === 'string' ? found : englishOfDiagnosis(found),
})

export const passed = (name: string, found: Found) => findingOf(name, 'ok', found)
export const warning = (name: string, found: Found) => findingOf(name, 'warning', found)
export const failed = (name: string, found: Found) => findingOf(name, 'error', found)

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
      findings.push(failed(name, diagnosis('check_failed', { reason: errorMessage(error) })))
    }
  }
  return findings
}
