/** Templates, rows and rounds of batches. */
import { sendBatches } from '../../src/batches/send.ts'
import type { TemplateUse } from '../../src/core/template/template-draft.ts'
import { SIGNATURE, samplePdf } from './sample.ts'
import type { ApiAnswer, TestApp } from './test-app.ts'

interface Caller {
  api(method: string, path: string, body?: unknown): Promise<Pick<ApiAnswer, 'status' | 'body'>>
}

/** Returns the id of a template with a tenant, whose rent the sender fills in. */
export async function tenancyTemplate(t: Caller, overrides: Record<string, unknown> = {}): Promise<string> {
  const rent = { type: 'text', page: 1, x: 10, y: 20, width: 30, height: 4, label: 'Rent', readOnly: true }
  const { status, body } = await t.api('POST', '/templates', {
    fileName: 'tenancy.pdf',
    file: await samplePdf(),
    title: 'Tenancy of {{Tenant}}',
    roles: [{ name: 'Tenant', fields: [SIGNATURE, rent] }],
    ...overrides,
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.id
}

export const tenant = (i: number) => `tenant-${i}@example.com`

export function rowFor(i: number, more: Partial<TemplateUse> = {}): TemplateUse {
  return { recipients: [{ role: 'Tenant', name: `Tenant ${i}`, email: tenant(i), values: { Rent: `${900 + i} EUR` } }], ...more }
}

export const rowsFor = (count: number) => Array.from({ length: count }, (_, i) => rowFor(i + 1))

/** Starts a batch; returns its id. */
export async function startBatch(
  t: Caller,
  templateId: string,
  rows: unknown[],
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await t.api('POST', `/templates/${templateId}/batches`, { rows, ...more })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.id
}

/** As the schedule does, once a second. The mails leave at once. */
export async function rounds(t: TestApp, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await sendBatches(t.app)
    await t.drain()
    t.clock.pass({ seconds: 1 })
  }
}

/** Until every batch has ended. */
export async function sendAll(t: TestApp): Promise<void> {
  for (let i = 0; i < 1000; i++) {
    const running = await t.sql("SELECT id FROM batches WHERE state = 'running'")
    if (running.length === 0) return
    await rounds(t, 1)
  }
  throw new Error('batches without end')
}
