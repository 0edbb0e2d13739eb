/** The examples of the OpenAPI document fit the schemas and the responses of the service. */
import { describe, expect, test } from 'bun:test'
import { sendBatches } from '../../../src/batches/send.ts'
import { PUBLIC_EVENTS, TEST_EVENT } from '../../../src/core/document/event.ts'
import { API_PREFIX, API_ROUTES } from '../../../src/http/server.ts'
import { SYSTEM } from '../../../src/ports.ts'
import { changeServiceSettings } from '../../../src/settings/service-settings.ts'
import { openSigner } from '../../support/field-files.ts'
import { JPEG } from '../../support/jpegs.ts'
import { type Json, resolveReferences, schemaErrors } from '../../support/openapi.ts'
import { ADA, BOB, newDocument, samplePdf } from '../../support/sample.ts'
import { locked } from '../../support/samples.ts'
import { sentDocument, signAs } from '../../support/story.ts'
import type { ApiAnswer } from '../../support/test-app.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const specOf = async () => resolveReferences(await (await t.fetch(`${API_PREFIX}/openapi.json`)).json())

async function operationsOf(): Promise<Json[]> {
  return Object.values<Json>((await specOf()).paths).flatMap(methods => Object.values<Json>(methods))
}

/** Names of the members of a value, with their paths; items of an array count once. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap(item => membersOf(item, `${path}[]`)))]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, member]) => [`${path}.${name}`, ...membersOf(member, `${path}.${name}`)])
}

/** Members of maps, and members that only some responses have. */
const NOT_SHOWN = /\.(data|personal|metadata|timestamp)\.|^\.reason$/

describe('every operation', () => {
  test('has an example of each JSON body, which fits the schema', async () => {
    const operations = await operationsOf()
    expect(operations).toHaveLength(API_ROUTES.length)
    for (const { operationId, requestBody, responses } of operations) {
      const isShown = !requestBody?.required || 'example' in requestBody.content['application/json']
      expect([operationId, isShown]).toEqual([operationId, true])
      for (const { content } of [requestBody ?? {}, ...Object.values<Json>(responses)]) {
        const { schema, example, examples = {} } = content?.['application/json'] ?? {}
        const values = Object.values<Json>(examples).map(({ value }) => value)
        for (const value of example === undefined ? values : [example, ...values]) {
          expect([operationId, schemaErrors(schema, value)]).toEqual([operationId, []])
        }
      }
      for (const { content } of Object.values<Json>(responses)) {
        const json = content?.['application/json']
        expect([operationId, !json || 'example' in json || 'examples' in json]).toEqual([operationId, true])
      }
    }
  })

  test('has a sample request in curl, TypeScript and Python', async () => {
    for (const { operationId, 'x-codeSamples': samples } of await operationsOf()) {
      const [curl, typescript, python] = samples.map(({ source }: { source: string }) => source)
      expect([operationId, samples.length]).toEqual([operationId, 3])
      expect(curl).toStartWith('curl ')
      expect(() => new Bun.Transpiler({ loader: 'ts' }).transformSync(typescript)).not.toThrow()
      expect(python).toContain('requests.')
      expect(python).not.toMatch(/\b(true|false|null)\b/)
      for (const source of [curl, typescript, python]) expect(source).toContain('http://127.0.0.1:3000/api/v1/')
    }
  })
})

test('every event type has a body that fits the schema, and the headers of a signed delivery', async () => {
  const { webhooks } = await specOf()
  expect(Object.keys(webhooks)).toEqual([...PUBLIC_EVENTS, TEST_EVENT])
  for (const [type, { post }] of Object.entries<Json>(webhooks)) {
    const { schema, example } = post.requestBody.content['application/json']
    expect([type, schemaErrors(schema, example)]).toEqual([type, []])
    expect(example.type).toBe(type)
    const names = post.parameters.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  }
})

test('the running service answers every call as its schema and its example show', async () => {
  const operations = new Map((await operationsOf()).map(operation => [operation.operationId, operation]))
  const called = new Set<string>()
  const check = (operationId: string, { status, body }: ApiAnswer) => {
    const response = operations.get(operationId)?.responses[status]
    called.add(operationId)
    expect([operationId, status, response !== undefined]).toEqual([operationId, status, true])
    const json = response.content['application/json']
    if (!json) return
    expect([operationId, schemaErrors(json.schema, body)]).toEqual([operationId, []])
    const shown = new Set(membersOf(json.example))
    const missing = membersOf(body).filter(member => !shown.has(member) && !NOT_SHOWN.test(member))
    expect([operationId, missing]).toEqual([operationId, []])
  }
  /** A POST is repeated under its key: the stored response must be the one that was sent. */
  let calls = 0
  const call: typeof t.api = async (method, path, body) => {
    const key = { 'idempotency-key': `call ${++calls}` }
    const first = await t.api(method, path, body, key)
    if (method !== 'POST' || path === '/verify') return first
    const again = await t.api(method, path, body, key)
    expect([path, again.status, again.body]).toEqual([path, first.status, first.body])
    expect([path, again.headers.get('idempotency-replayed')]).toEqual([path, 'true'])
    return first
  }
  const example = (operationId: string) => operations.get(operationId)?.requestBody.content['application/json'].example

  check('createDocument', await call('POST', '/documents', example('createDocument')))
  const { body: created } = await call('POST', '/documents', await newDocument())
  check('updateDocument', await call('PATCH', `/documents/${created.id}`, { title: 'Lease 2027' }))
  check('duplicateDocument', await call('POST', `/documents/${created.id}/duplicate`))
  check(
    'correctRecipient',
    await call('PATCH', `/documents/${created.id}/recipients/${created.recipients[0].id}`, { name: 'Ada' }),
  )
  const anybody = await locked(t)
  check('unlockRecipient', await call('POST', `/documents/${anybody.documents}/recipients/${anybody.recipients}/unlock`))
  check('sendDocument', await call('POST', `/documents/${created.id}/send`))
  await t.app.write(tx => changeServiceSettings(tx, t.app, SYSTEM, { signingLinks: 'on' }))
  check('createSigningLink', await call('POST', `/documents/${created.id}/recipients/${created.recipients[0].id}/signing-link`))
  await t.drain()
  t.clock.pass({ days: 1 })
  check('remindDocument', await call('POST', `/documents/${created.id}/remind`))
  check('setLegalHold', await call('POST', `/documents/${created.id}/legal-hold`, example('setLegalHold')))
  check('liftLegalHold', await call('POST', `/documents/${created.id}/lift-legal-hold`, example('liftLegalHold')))
  check('voidDocument', await call('POST', `/documents/${created.id}/void`, example('voidDocument')))
  check('deleteDocument', await call('DELETE', `/documents/${created.id}`))
  const sealed = await sentDocument(t)
  for (const { email, name } of [ADA, BOB]) await signAs(t, email, name)
  await t.drain()
  check('getDocument', await call('GET', `/documents/${sealed}`))
  check('listDocuments', await call('GET', '/documents?status=completed&limit=10'))
  check('listEvents', await call('GET', '/events?type=recipient.signed'))
  check('getAuditTrail', await call('GET', `/documents/${sealed}/audit`))
  const file = await call('GET', `/documents/${sealed}/file?version=sealed`)
  check('getDocumentFile', file)
  const withFile = await openSigner(t)
  await withFile.upload('Passport', JPEG)
  await withFile.finish()
  check('getFieldFile', await call('GET', `/documents/${withFile.documentId}/fields/${withFile.idOf('Passport')}/file`))
  const pack = await call('GET', `/documents/${sealed}/evidence`)
  check('getEvidencePack', pack)
  expect(pack.headers.get('content-type')).toBe('application/zip')
  check('verifyPdf', await call('POST', '/verify', { file: Buffer.from(file.body).toString('base64') }))
  check('verifyPdf', await call('POST', '/verify', { file: await samplePdf() }))
  check('verifyPdf', await call('POST', '/verify', { file: Buffer.from('no PDF').toString('base64') }))
  check('createWebhook', await call('POST', '/webhooks', { ...example('createWebhook'), url: 'http://127.0.0.1:9/x' }))
  const { body: webhooks, ...listed } = await call('GET', '/webhooks')
  check('listWebhooks', { ...listed, body: webhooks })
  const hook = `/webhooks/${webhooks[0].id}`
  check('getWebhook', await call('GET', hook))
  check('updateWebhook', await call('PATCH', hook, example('updateWebhook')))
  check('rotateWebhookSecret', await call('POST', `${hook}/rotate-secret`))
  const tested = await call('POST', `${hook}/test`)
  check('testWebhook', tested)
  await t.drain()
  check('listWebhookDeliveries', await call('GET', `${hook}/deliveries`))
  check('redeliverWebhookDelivery', await call('POST', `${hook}/deliveries/${tested.body.id}/redeliver`))
  check('redeliverWebhookFailures', await call('POST', `${hook}/redeliver`, example('redeliverWebhookFailures')))
  check('deleteWebhook', await call('DELETE', `/webhooks/${webhooks[0].id}`))
  check('createTemplate', await call('POST', '/templates', example('createTemplate')))
  const { body: listedTemplates, ...answered } = await call('GET', '/templates?q=lease&limit=10')
  check('listTemplates', { ...answered, body: listedTemplates })
  const template = `/templates/${listedTemplates.data[0].id}`
  check('getTemplate', await call('GET', template))
  check('updateTemplate', await call('PATCH', template, { title: 'Lease 2027 of {{Tenant}}', shared: true }))
  check('getTemplateFile', await call('GET', `${template}/file`))
  check('createDocumentFromTemplate', await call('POST', `${template}/documents`, example('createDocumentFromTemplate')))
  const started = await call('POST', `${template}/batches`, example('createBatch'))
  check('createBatch', started)
  check('listBatches', await call('GET', '/batches'))
  const batch = `/batches/${started.body.id}`
  await sendBatches(t.app)
  check('getBatch', await call('GET', batch))
  check('listBatchRows', await call('GET', `${batch}/rows`))
  check('stopBatch', await call('POST', `${batch}/stop`))
  check('retryBatch', await call('POST', `${batch}/retry`))
  check('duplicateTemplate', await call('POST', `${template}/duplicate`))
  check('deleteTemplate', await call('DELETE', template))
  check('getMe', await call('GET', '/me'))
  expect([...operations.keys()].filter(operationId => !called.has(operationId))).toEqual([])
})
