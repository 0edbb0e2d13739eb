/**
 * The public page that verifies a PDF and explains the result in the reader's language. The file is
 * not kept.
 */

import type { ServiceData, ServiceRecord } from '../../../../views/verify/browser/service.ts'
import { type VerificationView, verificationView } from '../../../../views/verify/report-view.ts'
import { VerifyPage } from '../../../../views/verify/verify.tsx'
import { type AppLanguage, chooseAppLanguage, LANGUAGES } from '../../../core/language.ts'
import { VERIFY_PATH, VERIFY_RECORD_PATH } from '../../../core/page-paths.ts'
import { busyRefusal, errorsOfRefusal, Refusal } from '../../../core/refusal.ts'
import { localized } from '../../../core/signing/message.ts'
import { violation } from '../../../core/violation.ts'
import { ownTrust, recordOf, verifiableBytes, verifyUpload } from '../../../documents/evidence/verification.ts'
import { readableTime } from '../../../lib/clock-format.ts'
import { isSha256Hex } from '../../../lib/sha256.ts'
import { appTextsOf } from '../../../locales/app.ts'
import { LANGUAGE_NAMES } from '../../../locales/language-names.ts'
import { errorHeaders, toProblem } from '../../errors.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { PRIVATE } from '../../version-headers.ts'
import { SignerVisit } from '../signing/signer-visit.tsx'

/** The language in the link. It does not count for whoever is signed in, and has one already. */
function chosenTag({ session, query }: Visit): string | undefined {
  return session ? undefined : query.lang
}

/** In the language of the web app, else in that of the link, else in that of the browser. */
export function readerOf(visit: Visit): SignerVisit {
  return new SignerVisit(visit, [visit.session ? visit.language : chosenTag(visit)])
}

/** The verifier has words in the languages of the web app. */
const remarkLanguageOf = (language: string): AppLanguage => chooseAppLanguage(language, null)

interface Shown {
  refusal?: Refusal
  verification?: VerificationView
}

export async function page(reader: SignerVisit, { refusal, verification }: Shown = {}): Promise<PageResponse> {
  const { visit, language, catalogue } = reader
  const texts = catalogue.verify
  const query = chosenTag(visit) === undefined ? '' : `?lang=${language}`
  const problem = refusal && toProblem(refusal, visit.app, '')
  const service = verification ? undefined : await serviceData(reader)
  return {
    isScripted: service !== undefined,
    ...(problem ? { status: problem.status, headers: errorHeaders(problem) } : {}),
    html: (
      <VerifyPage
        reader={reader.context(texts.title, refusal && errorsOfRefusal(refusal, 'file'))}
        texts={texts}
        address={VERIFY_PATH + query}
        languages={LANGUAGES.map(tag => ({ tag, name: LANGUAGE_NAMES[tag], address: `${VERIFY_PATH}?lang=${tag}` }))}
        organisation={visit.organisation.name}
        verification={verification}
        service={service}
        remarkLanguage={remarkLanguageOf(language)}
      />
    ),
  }
}

async function serviceData({ visit, language }: SignerVisit): Promise<ServiceData> {
  const { name, timeZone } = visit.organisation
  return {
    organisation: name,
    language,
    timeZone,
    csrf: visit.csrf,
    recordUrl: VERIFY_RECORD_PATH,
    trusted: await ownTrust(visit.app),
  }
}

/**
 * Whether exactly the file of this SHA-256 is in the record. The SHA-256 is in evidence packs,
 * receipts and logs, whose holders may not know the file: they learn no title and no name by it.
 */
export async function record({ app, form }: Visit): Promise<PageResponse> {
  const { sha256 = '' } = form
  if (!isSha256Hex(sha256)) throw new Refusal('not_found', violation('nothing_here'))
  const found = await recordOf(app, sha256, undefined)
  const answer: ServiceRecord = found.known ? { known: true, completedAt: found.completedAt.toISOString() } : { known: false }
  return { response: Response.json(answer, { headers: PRIVATE }) }
}

/** The input for the file, as messages name it. */
const fileField = ({ catalogue }: SignerVisit) => ({ label: catalogue.verify.file, type: 'attachment' }) as const

export async function verify(visit: Visit): Promise<PageResponse> {
  const { app, file } = visit
  const reader = readerOf(visit)
  const texts = reader.catalogue.verify
  const field = fileField(reader)
  if (!file) throw new Refusal('validation_failed', localized('fileMissing', field))
  if (!file.onDisk || file.onDisk.bytes === 0) throw new Refusal('validation_failed', localized('fileEmpty', field))
  const verification = await verifyUpload(app, file.onDisk, undefined)
  const { timeZone } = visit.organisation
  const { language } = reader
  const time = (moment: Date) => readableTime(moment, timeZone, language)
  const remarkTexts = appTextsOf(remarkLanguageOf(language)).remarks
  return page(reader, { verification: verificationView(verification, file.name, { language, texts, remarkTexts, time }) })
}

/** Shows beside the form what the reader can mend by another file or another try. */
export async function refused(visit: Visit, refusal: Refusal): Promise<PageResponse> {
  const reader = readerOf(visit)
  switch (refusal.reason) {
    case 'payload_too_large': {
      const message = localized('fileTooLarge', fileField(reader), verifiableBytes(visit.app))
      return page(reader, { refusal: new Refusal('validation_failed', message) })
    }
    case 'validation_failed':
    case 'rate_limited':
      return page(reader, { refusal })
    case 'overloaded':
      return page(reader, { refusal: busyRefusal() })
    default:
      return reader.refusalPage(refusal)
  }
}
