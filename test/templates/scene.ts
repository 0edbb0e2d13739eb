/** A template with two roles, fields of the sender and placeholders, and people for it. */
import { SIGNATURE, samplePdf } from '../support/sample.ts'
import type { TestApp } from '../support/test-app.ts'

export const box = (y: number, x = 10) => ({ page: 1, x, y, width: 30, height: 4 })

export async function newTemplate(overrides: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return {
    fileName: 'lease.pdf',
    file: await samplePdf(2),
    title: 'Lease of {{Tenant}}',
    message: 'Dear {{tenant}} ({{Tenant.email}}), the rent is {{Rent}}.',
    signingOrder: 'sequential',
    expiresInDays: 14,
    reminders: { firstAfterDays: 2, everyDays: 4, max: 3 },
    labels: ['lease'],
    metadata: { kind: 'lease' },
    senderFields: [
      { type: 'number', name: 'Rent', min: 1, ...box(10) },
      { type: 'date', name: 'Begin', ...box(15) },
      { type: 'text', label: 'Remark', required: false, ...box(20) },
    ],
    roles: [
      {
        name: 'Tenant',
        fields: [SIGNATURE, { type: 'text', name: 'City', ...box(30) }, { type: 'checkbox', name: 'Pets', ...box(35) }],
      },
      {
        name: 'Landlord',
        fields: [
          { ...SIGNATURE, x: 55 },
          { type: 'text', label: 'Unit', readOnly: true, ...box(40) },
        ],
      },
    ],
    ...overrides,
  }
}

export const ANNA = { role: 'Tenant', email: 'anna@example.com', name: 'Anna Berg' }
export const BO = { role: 'landlord', email: 'bo@example.com', name: 'Bo Chen', values: { Unit: '4b' } }
export const VALUES = { Rent: 1200, Begin: '2027-01-01' }

/** What makes a document from the template above. */
export const use = (overrides: Record<string, unknown> = {}) => ({ recipients: [ANNA, BO], values: VALUES, ...overrides })

export async function createdTemplate(t: TestApp, overrides: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await t.api('POST', '/templates', await newTemplate(overrides))
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.id
}

/** The messages of a refusal by their paths. */
export function detailsOf({ body }: { body: { error: { details?: { path: string; message: string }[] } } }) {
  return Object.fromEntries((body.error.details ?? []).map(({ path, message }) => [path, message]))
}
