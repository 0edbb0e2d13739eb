/**
 * From the last signature to the sealed file: prepared in a child, signed here, judged in a child, kept, and only then completed. Stages may be
 * repeated after a crash; what is published stands in one transaction and cannot be published twice.
 */
import { type AuditEvent, auditHead, auditOf } from '../audit/log.ts'
import * as core from '../core/document.ts'
import { eventWords } from '../core/event.ts'
import { isFilledByService, labelOf } from '../core/field.ts'
import { Refusal } from '../core/refusal.ts'
import { ROLE_WORDS } from '../core/routing.ts'
import { isDiskFull } from '../lib/disk.ts'
import { sha256Hex } from '../lib/token.ts'
import { later, SEAL_PAUSES_S } from '../outbox/outbox.ts'
import { finishJob, type Job, postponeJob } from '../outbox/queries.ts'
import type { Evidence, EvidenceRecipient, Mark } from '../pdf/order.ts'
import { type App, SYSTEM } from '../ports.ts'
import { organisation } from '../settings/organisation.ts'
import { describeSealCertificate } from '../settings/seal-certificate.ts'
import { judgeOwn } from './judge-own.ts'
import * as queries from './queries.ts'
import { record } from './record.ts'

/** Room for the CMS in the file: more than any chain of ours needs. */
const CONTENTS_BYTES = 16_384

/** A file that was made and is not sound: never published. */
class SealUnsound extends Error {}
/** The bytes that were signed are not there any more: a seal over anything else would be a lie. */
class OriginalLost extends Error {}

export async function sealDocument(app: App, job: Job): Promise<void> {
  const document = await queries.find(app.db, job.subject)
  if (document?.status !== 'sealing') {
    await app.write(tx => finishJob(tx, job.id, 'done'))
    return
  }
  try {
    const made = await makeSealedFile(app, document)
    try {
      await publish(app, job, document.id, made)
    } finally {
      app.storage.settle(made.sha256)
    }
  } catch (error) {
    await postpone(app, job, document.id, error)
  }
}

interface Made {
  sha256: string
  bytes: number
  certificateSha256: string
}

/** Prepared update → CMS → sealed bytes → judged → kept under their hash. */
async function makeSealedFile(app: App, document: core.Document): Promise<Made> {
  const sourcePath = app.storage.pathOf(document.sha256Original)
  const outPath = app.storage.temporaryPath()
  const key = await app.sealKey()
  const stored = await app.storage.hashOf(document.sha256Original)
  if (stored !== document.sha256Original) throw new OriginalLost(stored === undefined ? 'is missing' : 'has changed')
  const { seal } = await import('../seal/seal.ts')
  try {
    const prepared = await app.pdf.prepare({
      sourcePath,
      outPath,
      marks: marksOf(document),
      evidence: await evidenceOf(app, document),
      signature: await signatureOf(app, document),
    })
    await seal({ prepared, key })
    // Read back from disk before anybody is told.
    const { reasons, sha256, bytes } = await judgeOwn(app, key, prepared.path, sourcePath)
    if (reasons.length > 0) throw new SealUnsound(reasons.join('; '))
    await app.storage.keep(outPath, sha256)
    return { sha256, bytes, certificateSha256: sha256Hex(key.certificate) }
  } finally {
    await app.storage.discard(outPath)
  }
}

async function signatureOf(app: App, document: core.Document) {
  const { name } = await organisation(app.db)
  return {
    name,
    reason: `Sealed after all had signed: ${document.title} (${document.id})`,
    location: undefined,
    at: app.now().toISOString(),
    contentsBytes: CONTENTS_BYTES,
  }
}

async function publish(app: App, job: Job, id: string, made: Made): Promise<void> {
  await app.write(async tx => {
    const document = await queries.find(tx, id)
    if (document?.status !== 'sealing') return finishJob(tx, job.id, 'done')
    const now = app.now()
    await queries.addFile(tx, made.sha256, made.bytes, now)
    await record(tx, app, document, core.sealed(document, made.sha256, made.certificateSha256, now), SYSTEM)
    await finishJob(tx, job.id, 'done')
  })
}

/** The cause stands on the document, and the seal is tried again for as long as it takes. */
async function postpone(app: App, job: Job, id: string, error: unknown): Promise<void> {
  const cause = causeOf(error)
  const pauseS = SEAL_PAUSES_S[Math.min(job.attempts, SEAL_PAUSES_S.length - 1)] ?? 3600
  app.log('error', 'sealing failed', {
    documentId: id,
    attempt: job.attempts + 1,
    error: error instanceof Error ? error.message : String(error),
  })
  await app.write(async tx => {
    const document = await queries.find(tx, id)
    if (document) await record(tx, app, document, core.sealingFailed(document, cause), SYSTEM)
    await postponeJob(tx, job.id, later(app.now(), pauseS), cause)
  })
}

/** A cause a person can act on; details stay in the log. */
function causeOf(error: unknown): string {
  if (error instanceof SealUnsound)
    return `The sealed file did not pass the check before publishing: ${error.message}. Support needs the log of this time.`
  if (isDiskFull(error) || (error instanceof Refusal && error.reason === 'storage_unavailable'))
    return 'The disk is full or failing: make room in the data folder. Sealing goes on by itself.'
  if (error instanceof OriginalLost) return `The original file ${error.message} in the data folder: restore it from a backup.`
  if (error instanceof Error && error.name === 'SealKeyError') return `The seal certificate cannot be used: ${error.message}`
  if (error instanceof Error && error.name === 'PdfChildFailure') return `The PDF took too much time or memory: ${error.message}`
  return 'Sealing failed for an unexpected reason; the log of this time names it. It is tried again by itself.'
}

function marksOf(document: core.Document): Mark[] {
  return document.recipients.flatMap(recipient =>
    recipient.fields.flatMap((field): Mark[] => {
      const { page, x, y, width, height, value } = field
      const box = { x, y, width, height }
      if (value === undefined || value === '') return []
      if (field.type === 'signature' || field.type === 'initials')
        return [{ page, box, content: { kind: 'signature', text: value } }]
      if (field.type === 'checkbox') return value === 'true' ? [{ page, box, content: { kind: 'check' } }] : []
      return [{ page, box, content: { kind: 'text', text: value } }]
    }),
  )
}

export async function evidenceOf(app: App, document: core.Document): Promise<Evidence> {
  const events = await auditOf(app.db, document.id)
  const { name, contact, timeZone } = await organisation(app.db)
  const certificate = await describeSealCertificate(app.db)
  return {
    organisation: name,
    contact,
    environment: app.instance.environment,
    test: !app.instance.isProduction,
    instanceId: app.instance.id,
    software: `Signet ${app.instance.version}`,
    timeZone,
    document: {
      id: document.id,
      title: document.title,
      fileName: document.fileName,
      pageCount: document.pageCount,
      originalSha256: document.sha256Original,
      uploadedSha256: document.sha256Uploaded,
    },
    recipients: document.recipients.map(r => recipientEvidence(r, events)),
    events: events.map(event => ({
      at: event.at,
      what: eventWords(event.type, recipientOf(document, event)?.role),
      who: nameOf(document, event),
      ip: event.ip,
    })),
    audit: await auditHead(app.db),
    sealCertificate: certificate,
    verifyUrl: app.config.baseUrl,
  }
}

function recipientOf(document: core.Document, event: AuditEvent): core.Recipient | undefined {
  return document.recipients.find(r => r.id === event.recipientId || event.actor === `recipient:${r.id}`)
}

function nameOf(document: core.Document, event: AuditEvent): string {
  const recipient = recipientOf(document, event)
  return recipient ? recipient.name : event.actor === 'system' ? 'the service' : 'the sender'
}

function recipientEvidence(recipient: core.Recipient, events: AuditEvent[]): EvidenceRecipient {
  const own = events.filter(e => e.recipientId === recipient.id && e.actor === `recipient:${recipient.id}`)
  const signed = own.find(e => e.type === 'recipient.signed')
  const seen = signed ?? own.at(-1)
  const intent = signed?.data.intent
  const times: [string, Date | undefined][] = [
    ['Sent', recipient.sentAt],
    ['Opened', recipient.viewedAt],
    ['Consented and signed', recipient.signedAt],
  ]
  const identified = 'Link mailed to this address'
  return {
    name: recipient.name,
    email: recipient.email,
    role: ROLE_WORDS[recipient.role].noun,
    status: recipient.signedAt ? ROLE_WORDS[recipient.role].done : recipient.status,
    identifiedBy: recipient.accessCodeHash ? `${identified}, and an access code given by the sender` : identified,
    signature: recipient.signature,
    times: times.flatMap(([label, at]) => (at ? [{ label, at: at.toISOString() }] : [])),
    ip: seen?.ip,
    userAgent: seen?.userAgent,
    consent:
      recipient.consentVersion && recipient.consentSha256
        ? { version: recipient.consentVersion, sha256: recipient.consentSha256 }
        : undefined,
    intent: typeof intent === 'string' ? intent : undefined,
    values: recipient.fields
      .filter(f => f.type !== 'signature' && f.value !== undefined && !(isFilledByService(f.type) && !recipient.signedAt))
      .map(f => ({
        label: labelOf(f),
        value: f.type === 'checkbox' ? (f.value === 'true' ? 'ticked' : 'not ticked') : (f.value ?? ''),
      })),
  }
}
