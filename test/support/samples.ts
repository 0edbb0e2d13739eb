/** What a sample of the reference needs before it can run, and how it is run. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SYSTEM } from '../../src/ports.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { openSigner } from './field-files.ts'
import { JPEG } from './jpegs.ts'
import { ownWitnessRequest } from './own-witness.ts'
import { ADA, newDocument, samplePdf } from './sample.ts'
import { sentDocument, signAs } from './story.ts'
import type { TestApp } from './test-app.ts'

/** Real ids, by the resource as `examples.json` names it, and other texts to replace. */
export type Given = Record<string, string>

const post = async (t: TestApp, path: string, body?: unknown) => {
  const { status, body: answer } = await t.api('POST', path, body)
  if (status >= 300) throw new Error(`${path}: ${JSON.stringify(answer)}`)
  return answer
}

async function draft(t: TestApp): Promise<Given> {
  const created = await post(t, '/documents', await newDocument())
  const { body } = await t.api('GET', `/documents/${created.id}`)
  const [recipient] = body.recipients
  return { documents: created.id, recipients: recipient.id, fields: recipient.fields[0].id }
}

async function sent(t: TestApp): Promise<Given> {
  const given = await draft(t)
  await post(t, `/documents/${given.documents}/send`)
  await t.drain()
  return given
}

async function held(t: TestApp): Promise<Given> {
  const given = await sent(t)
  await post(t, `/documents/${given.documents}/legal-hold`, { reason: 'Claim' })
  return given
}

/** Without tries left for the access code. */
export async function locked(t: TestApp): Promise<Given> {
  const created = await post(t, '/documents', await newDocument({ recipients: [{ ...ADA, accessCode: 'tulip-42' }], send: true }))
  const [{ id }] = created.recipients
  await t.app.write(tx => tx.updateTable('recipients').set({ access_code_tries: 5 }).where('id', '=', id).execute())
  // The copy of the document in memory is that of its version.
  await t.api('PATCH', `/documents/${created.id}`, { labels: ['locked'] })
  return { documents: created.id, recipients: id }
}

async function webhook(t: TestApp): Promise<Given> {
  const { id } = await post(t, '/webhooks', { url: 'http://127.0.0.1:9/x', events: ['document.completed'] })
  const delivery = await post(t, `/webhooks/${id}/test`)
  return { webhooks: id, deliveries: delivery.id }
}

/** `example`: the body of the sample that makes a template. */
async function template(t: TestApp, example: object): Promise<Given> {
  const { id } = await post(t, '/templates', example)
  const { body } = await t.api('GET', `/templates/${id}`)
  return { templates: id, senderField: body.senderFields[0].id }
}

async function batch(t: TestApp, templateBody: object, batchBody: object): Promise<Given> {
  const { templates } = await template(t, templateBody)
  return { batches: (await post(t, `/templates/${templates}/batches`, batchBody)).id }
}

/** Made once for all languages. */
async function completedOnce(t: TestApp): Promise<Given> {
  const documents = await sentDocument(t, { recipients: [ADA] })
  await signAs(t, ADA.email, ADA.name)
  await t.drain()
  const { body } = await t.api('GET', `/documents/${documents}`)
  return { documents, recipients: body.recipients[0].id }
}

async function withFileOnce(t: TestApp): Promise<Given> {
  const signer = await openSigner(t)
  await signer.upload('Passport', JPEG)
  await signer.finish()
  return { documents: signer.documentId, fields: signer.idOf('Passport') }
}

/** By operation ID. Operations without an entry need nothing. */
export async function preparations(
  t: TestApp,
  exampleOf: (operationId: string) => object,
): Promise<Record<string, () => Promise<Given>>> {
  await t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, { signingLinks: 'on' }))
  const [completed, withFile] = [await completedOnce(t), await withFileOnce(t)]
  const [aDraft, aSent, aWebhook] = [() => draft(t), () => sent(t), () => webhook(t)]
  const aTemplate = () => template(t, exampleOf('createTemplate'))
  const aBatch = () => batch(t, exampleOf('createTemplate'), exampleOf('createBatch'))
  const isCompleted = ['getDocument', 'getDocumentFile', 'getAuditTrail', 'getEvidencePack', 'getReceipt']
  const ofDraft = ['updateDocument', 'sendDocument', 'duplicateDocument', 'deleteDocument', 'correctRecipient']
  const ofWebhook = ['getWebhook', 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret', 'testWebhook']
  const ofDeliveries = ['listWebhookDeliveries', 'redeliverWebhookDelivery', 'redeliverWebhookFailures']
  const ofTemplate = ['getTemplate', 'updateTemplate', 'deleteTemplate', 'getTemplateFile', 'duplicateTemplate']
  const all = (names: string[], make: () => Promise<Given>) => Object.fromEntries(names.map(name => [name, make]))
  return {
    ...all(isCompleted, async () => completed),
    ...all(ofDraft, aDraft),
    ...all(['createSigningLink', 'voidDocument', 'setLegalHold'], aSent),
    ...all([...ofWebhook, ...ofDeliveries], aWebhook),
    ...all([...ofTemplate, 'createDocumentFromTemplate', 'createBatch'], aTemplate),
    ...all(['getBatch', 'listBatchRows', 'stopBatch'], aBatch),
    createWebhook: async () => ({ url: 'http://127.0.0.1:9/signet' }),
    getFieldFile: async () => withFile,
    witnessCheckpoint: async () => ({ checkpoint: (await ownWitnessRequest(t)).checkpoint }),
    liftLegalHold: () => held(t),
    unlockRecipient: () => locked(t),
    remindDocument: async () => {
      const given = await aSent()
      t.clock.pass({ hours: 2 })
      return given
    },
    retryBatch: async () => {
      const given = await aBatch()
      await post(t, `/batches/${given.batches}/stop`)
      return given
    },
  }
}

/** Samples run in it: it has the PDF that they read, and the packages of this project. */
export async function sampleFolder(parent: string): Promise<string> {
  const folder = join(parent, 'samples')
  mkdirSync(folder)
  writeFileSync(join(folder, 'agreement.pdf'), Buffer.from(await samplePdf(), 'base64'))
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
  return folder
}

export interface Outcome {
  exitCode: number
  output: string
}

/** `output`: what it wrote, errors after the rest. */
export async function runIn(folder: string, command: string[], env: Record<string, string>): Promise<Outcome> {
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 60_000,
  })
  const [out, error] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exitCode: await child.exited, output: out + error }
}

/** Whether the program exists and ends without an error. */
export function works(...command: string[]): boolean {
  if (Bun.which(command[0] ?? '') === null) return false
  return Bun.spawnSync(command, { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0
}
