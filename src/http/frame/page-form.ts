/** Receives the form of a page. Accepts only forms of our own pages. */
import { Refusal } from '../../core/refusal.ts'
import { localized } from '../../core/signing/message.ts'
import { isStorable } from '../../core/text.ts'
import { violation } from '../../core/violation.ts'
import { isSameSecret } from '../../lib/token.ts'
import { type BodyBudget, withBody } from '../body/body-budget.ts'
import { type SentForm, withFormAndFiles, withMultipart } from '../body/receive-form.ts'
import { mediaType, requireMediaType } from '../request.ts'
import type { PageRoute, Visit } from './page.tsx'

/** Enough for a drawn signature and drawn initials. */
const MAX_FORM_BYTES = 1024 * 1024
/** More than the largest document has fields. */
const MAX_MEMBERS = 5_000
const MULTIPART = 'multipart/form-data'

/** Accepts only forms of our own pages: right type and origin, with the token of the visitor. */
export async function withForm<T>(
  budget: BodyBudget,
  { upload, maxFiles = 1, isToDisk = false, filesInForm, access, admit }: PageRoute,
  visit: Visit,
  work: (sent: SentForm) => Promise<T>,
): Promise<T> {
  const { app, request, csrf } = visit
  const foreign = new Refusal('forbidden', localized('foreignForm'))
  const hasFiles = filesInForm !== undefined && mediaType(request) === MULTIPART
  const type = upload || hasFiles ? MULTIPART : 'application/x-www-form-urlencoded'
  // Another type comes from a foreign page (403); a content coding comes from a program (415).
  if (mediaType(request) !== type) throw foreign
  requireMediaType(request, type)
  if (type !== MULTIPART && access === 'link') await app.disk.requireSpaceForChange()
  const site = request.headers.get('sec-fetch-site')
  const origin = request.headers.get('origin')
  // Under no-referrer, browsers send `Origin: null` with a form. A sandboxed page of a foreign site
  // does too; only Sec-Fetch-Site distinguishes them.
  if (site !== null ? site !== 'same-origin' : origin !== app.config.baseUrl) throw foreign
  await admit?.(visit)
  const checked = (sent: SentForm) => {
    if (!isSameSecret(sent.form.csrf ?? '', csrf)) throw foreign
    requireStorableTexts([...Object.entries(sent.form).flat(), ...sent.files.map(({ name }) => name)])
    return work(sent)
  }
  if (hasFiles) {
    return withFormAndFiles(app, budget, request, { maxKeptBytes: MAX_FORM_BYTES, ...filesInForm }, async sent => checked(sent))
  }
  if (!upload) {
    return withBody(budget, request, MAX_FORM_BYTES, async bytes => {
      const text = new TextDecoder().decode(bytes)
      // Before the form is split: who may not send it costs nothing.
      if (!isSameSecret(csrfIn(text), csrf)) throw foreign
      return checked(urlEncoded(text))
    })
  }
  const expected = { maxKeptBytes: MAX_FORM_BYTES, maxFileBytes: upload(app), maxFiles, isToDisk }
  return withMultipart(app, budget, request, expected, async sent => checked(sent))
}

/** Browsers send no such text: nobody can type it. */
export function requireStorableTexts(texts: readonly string[]): void {
  if (!texts.every(isStorable)) throw new Refusal('validation_failed', localized('unprintable', 'U+0000'))
}

/** Of a name that is sent twice, the last; so it is for all members. */
function csrfIn(text: string): string {
  const at = `&${text}`.lastIndexOf('&csrf=')
  const end = text.indexOf('&', at)
  return at < 0 ? '' : (new URLSearchParams(text.slice(at, end < 0 ? undefined : end)).get('csrf') ?? '')
}

function urlEncoded(text: string): SentForm {
  let members = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) members++
  if (members > MAX_MEMBERS) throw new Refusal('validation_failed', violation('form_with_many_fields'))
  return { form: Object.fromEntries(new URLSearchParams(text)), files: [], file: undefined }
}
