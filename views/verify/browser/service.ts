/** What the page of a service tells its script, and what the script asks the service. */
import type { Language } from '../../../src/core/language.ts'
import type { Trusted } from './order.ts'

/** Is in the page as JSON. */
export interface ServiceData {
  organisation: string
  language: Language
  /** IANA. */
  timeZone: string
  csrf: string
  /** Takes `csrf` and `sha256`, and answers with `ServiceRecord`. */
  recordUrl: string
  trusted: Trusted
}

/** Whether exactly the file of this SHA-256 is in the record. `completedAt`: RFC 3339. */
export type ServiceRecord = { known: true; completedAt: string } | { known: false }

/** Undefined on a page that no service has given. */
export function serviceDataOf(page: Document): ServiceData | undefined {
  const text = page.getElementById('verify-data')?.textContent
  return text ? (JSON.parse(text) as ServiceData) : undefined
}

/** Undefined if the service did not answer, or refused. */
export async function askRecord({ recordUrl, csrf }: ServiceData, sha256: string): Promise<ServiceRecord | undefined> {
  try {
    const response = await fetch(recordUrl, { method: 'POST', body: new URLSearchParams({ csrf, sha256 }) })
    return response.ok ? ((await response.json()) as ServiceRecord) : undefined
  } catch (error) {
    // No connection, or an answer of something between.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** By the form that browsers without a script use: its answer is a page. */
export function sendFile(form: HTMLFormElement, file: File): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]')
  if (!input) return
  const chosen = new DataTransfer()
  chosen.items.add(file)
  input.files = chosen.files
  form.submit()
}
