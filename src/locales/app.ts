/** The texts of the web app: one object for each language, with one member for each area. */
import type { AppLanguage } from '../core/language.ts'
import { InvalidInputError, type Refusal, type ValidationError } from '../core/refusal.ts'
import { ENGLISH as messages, translate } from '../core/signing/message.ts'
import type { Violation } from '../core/violation.ts'
import { textOf } from './coded-text.ts'
import { account as accountDe } from './de/app/account.ts'
import { alerts as alertsDe } from './de/app/alerts.ts'
import { audit as auditDe } from './de/app/audit.ts'
import { backups as backupsDe } from './de/app/backups.ts'
import { batchMail as batchMailDe } from './de/app/batch-mail.ts'
import { batches as batchesDe } from './de/app/batches.ts'
import { checkpoints as checkpointsDe } from './de/app/checkpoints.ts'
import { deviceKeys as deviceKeysDe } from './de/app/device-keys.ts'
import { documents as documentsDe } from './de/app/documents.ts'
import { editor as editorDe } from './de/app/editor.ts'
import { emailChange as emailChangeDe } from './de/app/email-change.ts'
import { frame as frameDe } from './de/app/frame.ts'
import { health as healthDe } from './de/app/health.ts'
import { mail as mailDe } from './de/app/mail.ts'
import { openIdConnect as openIdConnectDe } from './de/app/openid-connect.ts'
import { passkeys as passkeysDe } from './de/app/passkeys.ts'
import { people as peopleDe } from './de/app/people.ts'
import { retention as retentionDe } from './de/app/retention.ts'
import { sealForm as sealFormDe } from './de/app/seal-form.ts'
import { sending as sendingDe } from './de/app/sending.ts'
import { settings as settingsDe } from './de/app/settings.ts'
import { signIn as signInDe } from './de/app/sign-in.ts'
import { storedText as storedTextDe } from './de/app/stored-text.ts'
import { templates as templatesDe } from './de/app/templates.ts'
import { timestamps as timestampsDe } from './de/app/timestamps.ts'
import { upgrade as upgradeDe } from './de/app/upgrade.ts'
import { webhooks as webhooksDe } from './de/app/webhooks.ts'
import { witness as witnessDe } from './de/app/witness.ts'
import { diagnoses as diagnosesDe } from './de/diagnoses.ts'
import { messages as messagesDe } from './de/messages.ts'
import { remarks as remarksDe } from './de/remarks.ts'
import { standingAlone as standingAloneDe, violations as violationsDe } from './de/violations.ts'
import type { Diagnosis, DiagnosisTexts } from './diagnoses.ts'
import { account } from './en/app/account.ts'
import { alerts } from './en/app/alerts.ts'
import { audit } from './en/app/audit.ts'
import { backups } from './en/app/backups.ts'
import { batchMail } from './en/app/batch-mail.ts'
import { batches } from './en/app/batches.ts'
import { checkpoints } from './en/app/checkpoints.ts'
import { deviceKeys } from './en/app/device-keys.ts'
import { documents } from './en/app/documents.ts'
import { editor } from './en/app/editor.ts'
import { emailChange } from './en/app/email-change.ts'
import { frame } from './en/app/frame.ts'
import { health } from './en/app/health.ts'
import { mail } from './en/app/mail.ts'
import { openIdConnect } from './en/app/openid-connect.ts'
import { passkeys } from './en/app/passkeys.ts'
import { people } from './en/app/people.ts'
import { retention } from './en/app/retention.ts'
import { sealForm } from './en/app/seal-form.ts'
import { sending } from './en/app/sending.ts'
import { settings } from './en/app/settings.ts'
import { signIn } from './en/app/sign-in.ts'
import { templates } from './en/app/templates.ts'
import { timestamps } from './en/app/timestamps.ts'
import { upgrade } from './en/app/upgrade.ts'
import { webhooks } from './en/app/webhooks.ts'
import { witness } from './en/app/witness.ts'
import { diagnoses } from './en/diagnoses.ts'
import { remarks } from './en/remarks.ts'
import { standingAlone, violations } from './en/violations.ts'
import type { RemarkTexts } from './remarks.ts'
import { firstOf } from './violations.ts'

// biome-ignore format: one line for each area
const en = {
  frame,
  /** What is stored in English. */
  storedText: (text: string): string => text,
  violations,
  diagnoses: diagnoses as DiagnosisTexts,
  standingAlone,
  remarks: remarks as RemarkTexts,
  messages,
  account, audit, health, upgrade, alerts, checkpoints, witness,
  documents,
  deviceKeys,
  sending,
  batches,
  templates,
  editor,
  settings,
  people,
  retention,
  mail,
  backups,
  signIn,
  passkeys,
  emailChange,
  batchMail,
  openIdConnect,
  sealForm,
  timestamps,
  webhooks,
}

export type AppTexts = typeof en

const de: AppTexts = {
  frame: frameDe,
  storedText: storedTextDe,
  violations: violationsDe,
  diagnoses: diagnosesDe,
  standingAlone: standingAloneDe,
  remarks: remarksDe,
  messages: messagesDe,
  account: accountDe,
  audit: auditDe,
  health: healthDe,
  upgrade: upgradeDe,
  alerts: alertsDe,
  checkpoints: checkpointsDe,
  witness: witnessDe,
  backups: backupsDe,
  documents: documentsDe,
  deviceKeys: deviceKeysDe,
  sending: sendingDe,
  batches: batchesDe,
  templates: templatesDe,
  editor: editorDe,
  settings: settingsDe,
  people: peopleDe,
  retention: retentionDe,
  mail: mailDe,
  signIn: signInDe,
  passkeys: passkeysDe,
  emailChange: emailChangeDe,
  batchMail: batchMailDe,
  openIdConnect: openIdConnectDe,
  sealForm: sealFormDe,
  timestamps: timestampsDe,
  webhooks: webhooksDe,
}

const TEXTS: Record<AppLanguage, AppTexts> = { en, de }

export function appTextsOf(language: AppLanguage): AppTexts {
  return TEXTS[language]
}

/** A `reason` is the text of an adapter or another program, in English where it is not known. */
function withKnownReason<Found extends Violation | Diagnosis>(texts: AppTexts, { code, params }: Found): Found {
  const known = params !== undefined && 'reason' in params ? { ...params, reason: texts.storedText(params.reason) } : params
  return { code, params: known } as Found
}

const wordsOf = (texts: AppTexts, found: Violation) => textOf(texts.violations, withKnownReason(texts, found))

export const diagnosisText = (texts: AppTexts, found: Diagnosis) => textOf(texts.diagnoses, withKnownReason(texts, found))

/** What a page shows: what a rule has found, or words of its own in the language of the person. */
export type ShownError = ValidationError | { path: string; code?: undefined; messageRef?: undefined; message: string }

/** What is wrong, in the language of the person. */
export function errorText(texts: AppTexts, error: ShownError): string {
  if (error.code !== undefined) return wordsOf(texts, error)
  return error.messageRef ? translate(texts.messages, error.messageRef) : error.message
}

/** Whether the name of the field comes before the text, which then makes a sentence of both. */
export function followsName(texts: AppTexts, error: ShownError): boolean {
  const standsAlone = error.code !== undefined && texts.standingAlone.has(error.code)
  return !standsAlone && /^\p{Ll}/u.test(errorText(texts, error))
}

/** What a refusal says, in the language of the person. */
export function refusalText(texts: AppTexts, refusal: Refusal): string {
  if (refusal instanceof InvalidInputError) return firstOf(texts.violations, refusal, error => errorText(texts, error))
  const { violation, messageRef, message } = refusal
  if (violation !== undefined) return wordsOf(texts, violation)
  return messageRef ? translate(texts.messages, messageRef) : message
}
