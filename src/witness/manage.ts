/** Settings of both sides: who co-signs here, and whose checkpoints are co-signed. */
import { endAlertIn } from '../alerts/alerts.ts'
import { appendInstanceEvent } from '../audit/log.ts'
import { MAX_PERSON_NAME } from '../core/document/document-limits.ts'
import { errorAt, errorsIn, Refusal, refuseIfInvalid, validationRefusal } from '../core/refusal.ts'
import { lineError } from '../core/text.ts'
import { type Violation, violation } from '../core/violation.ts'
import type { Tx } from '../db/open.ts'
import { certificatesOfPem, fingerprint, readSignerTrustFile } from '../pki/x509.ts'
import type { App, Origin } from '../ports.ts'
import { trustedRoots } from '../settings/seal-certificate.ts'
import { changeServiceSettings, readServiceSettings, type SettingChanges } from '../settings/service-settings.ts'
import * as queries from './queries.ts'

/** PEM, of an end-entity certificate or of a root alone. @throws Refusal with an error of `file` */
async function certificatesIn(app: App, file: Uint8Array | undefined): Promise<string> {
  // A form without a chosen file sends one of no bytes.
  const read = file?.length ? readSignerTrustFile(file) : undefined
  if (!read) throw validationRefusal([errorAt('file', violation('witness_without_certificate'))])
  if ('error' in read) throw validationRefusal([errorAt('file', violation('not_certificates'))])
  const own = new Set((await trustedRoots(app.db)).flatMap(certificatesOfPem).map(fingerprint))
  const isOwn = certificatesOfPem(read.pem).some(der => own.has(fingerprint(der)))
  if (isOwn) throw validationRefusal([errorAt('file', violation('witness_is_itself'))])
  return read.pem
}

/** An empty address turns it off. What the environment fixes is left out. @throws Refusal */
export async function saveWitness(
  app: App,
  origin: Origin,
  { url, file }: { url: string; file: Uint8Array | undefined },
): Promise<void> {
  const { witnessUrl, witnessCertificateFile } = await readServiceSettings(app)
  const changes: SettingChanges = {}
  if (witnessUrl.source !== 'environment') changes.witnessUrl = url.trim()
  if (witnessCertificateFile.source !== 'environment') {
    const isNeeded = url.trim() !== '' && witnessCertificateFile.text === ''
    if (file?.length || isNeeded) changes.witnessCertificateFile = await certificatesIn(app, file)
  }
  await app.write(tx => changeServiceSettings(tx, app, origin, changes))
}

function nameError(name: string): Violation | undefined {
  if (name === '') return violation('empty')
  return name.length > MAX_PERSON_NAME ? violation('too_long', { max: MAX_PERSON_NAME }) : lineError(name)
}

/** @throws Refusal with errors by field */
export async function addWitnessed(
  app: App,
  origin: Origin,
  { name, file }: { name: string; file: Uint8Array | undefined },
): Promise<string> {
  refuseIfInvalid(errorsIn([['name', nameError(name.trim())]]))
  const certificates = await certificatesIn(app, file)
  const id = app.newId('wit')
  await app.write(async tx => {
    await queries.insertWitnessed(tx, { id, name: name.trim(), certificates, addedAt: app.now() })
    const data = { witnessed: id, name: name.trim(), certificates: fingerprintsOf(certificates) }
    await appendInstanceEvent(tx, app, { type: 'witness.added', data }, origin)
  })
  return id
}

const fingerprintsOf = (pem: string): string[] => certificatesOfPem(pem).map(fingerprint)

export async function replaceCertificate(app: App, origin: Origin, id: string, file: Uint8Array | undefined): Promise<void> {
  const certificates = await certificatesIn(app, file)
  await app.write(async tx => {
    await requireWitnessed(tx, id)
    await queries.setCertificates(tx, id, certificates)
    const data = { witnessed: id, certificates: fingerprintsOf(certificates) }
    await appendInstanceEvent(tx, app, { type: 'witness.certificate_replaced', data }, origin)
  })
}

/** The next checkpoint is taken as it is, as after a restored backup. What was given is kept. */
export async function beginAnew(app: App, origin: Origin, id: string): Promise<void> {
  await app.write(async tx => {
    const { sequence, treeRoot = '' } = await requireWitnessed(tx, id)
    await queries.forgetSeen(tx, id)
    const data = { witnessed: id, seen: sequence, treeRoot }
    await appendInstanceEvent(tx, app, { type: 'witness.begun_anew', data }, origin)
    await endAlertIn(tx, app, 'witnessed_log_differs', id)
  })
}

/** What was given is kept. */
export async function removeWitnessed(app: App, origin: Origin, id: string): Promise<void> {
  await app.write(async tx => {
    await requireWitnessed(tx, id)
    await queries.setRemoved(tx, id, app.now())
    await appendInstanceEvent(tx, app, { type: 'witness.removed', data: { witnessed: id } }, origin)
    await endAlertIn(tx, app, 'witnessed_log_differs', id)
  })
}

/** @throws Refusal `not_found`, also of one that was removed */
export async function requireWitnessed(tx: Tx | App['db'], id: string): Promise<queries.WitnessedInstance> {
  const found = await queries.witnessedById(tx, id)
  if (found === undefined || found.removedAt) throw new Refusal('not_found', violation('witnessed_unknown'))
  return found
}

const STATEMENTS_AT_ONCE = 200

/** JSON: all that was given to an instance, in order, for `signet audit verify --witness`. */
export async function* exportStatements(app: App, { id, instance }: queries.WitnessedInstance): AsyncGenerator<string, void> {
  const head = { instance: instance ?? null, witness: app.instance.id, exportedAt: app.now().toISOString() }
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "statements": [`
  let separator = '\n'
  for (let after = ''; ; ) {
    const rows = await queries.statementsAfter(app.db, id, after, STATEMENTS_AT_ONCE)
    for (const { statement } of rows) {
      yield `${separator}    ${JSON.stringify(statement)}`
      separator = ',\n'
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < STATEMENTS_AT_ONCE) break
  }
  yield '\n  ]\n}\n'
}
