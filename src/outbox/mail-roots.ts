/** The root certificates of the mail server; a file of the environment may be missing. */
import { errorMessage } from '../lib/error-message.ts'
import type { MailVerdict } from '../mailer/message.ts'
import type { App } from '../ports.ts'
import { pemOf } from '../settings/service-settings.ts'

type Roots = Parameters<typeof pemOf>[1]

/** `refusal`: why no mail can be sent now. It waits, so that nothing is sent without the check. */
export async function mailRoots(app: Pick<App, 'fileSystem'>, roots: Roots): Promise<{ ca?: string } | { refusal: MailVerdict }> {
  try {
    const ca = await pemOf(app, roots)
    if (ca === undefined) return {}
    return ca.includes('-----BEGIN CERTIFICATE-----') ? { ca } : { refusal: unusable(roots, 'contains no certificate in PEM') }
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : errorMessage(error)
    return { refusal: unusable(roots, `cannot be read (${why})`) }
  }
}

function unusable(roots: Roots, what: string): MailVerdict {
  const file = roots && 'file' in roots ? `${roots.file}, named by SIGNET_SMTP_CA_FILE,` : 'The text of root certificates'
  return { outcome: 'refused', permanent: false, problem: 'roots', reply: `${file} ${what}.` }
}
