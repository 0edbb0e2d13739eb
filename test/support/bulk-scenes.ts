/** A lease as a template with two roles and fields of the sender, and lists of tenants for it. */
import { SIGNATURE, samplePdf } from './sample.ts'
import type { TestApp } from './test-app.ts'

const BOX = { page: 1, x: 10, width: 30, height: 4 }

export async function leaseTemplate(t: Pick<TestApp, 'api'>, overrides: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await t.api('POST', '/templates', {
    title: 'Lease of {{Tenant}}',
    fileName: 'lease.pdf',
    file: await samplePdf(),
    roles: [
      { name: 'Tenant', fields: [SIGNATURE, { ...BOX, type: 'text', y: 20, label: 'IBAN', required: false }] },
      { name: 'Landlord', fields: [{ ...SIGNATURE, y: 60 }] },
    ],
    senderFields: [
      { ...BOX, type: 'number', y: 30, label: 'Rent' },
      { ...BOX, type: 'date', y: 35, label: 'Begin', required: false },
      { ...BOX, type: 'checkbox', y: 40, label: 'Pets allowed', required: false },
    ],
    ...overrides,
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return (body as { id: string }).id
}

export const LEASE_HEADER = ['Tenant name', 'Tenant e-mail', 'Landlord name', 'Landlord e-mail', 'Rent']
const LANDLORD = ['Lea Löwe', 'lea@landlord.example']
const NAMES = ['Jörg Müller', 'Anna Berg', 'Zoë Šimek', 'Bo Lind', 'Émile Noël', 'Carla Rossi', 'Øystein Dahl']

export function tenantRow(i: number): string[] {
  return [NAMES[i % NAMES.length] ?? '', `tenant-${i + 1}@example.org`, ...LANDLORD, String(700 + i)]
}

export function tenantRows(count: number): string[][] {
  return Array.from({ length: count }, (_, i) => tenantRow(i))
}

/** As Excel saves it in Western Europe. */
export function westernCsv(rows: readonly (readonly string[])[]): Uint8Array {
  const table = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, i) => i))
  const text = rows
    .map(row => `${row.join(';')}\r\n`)
    .join('')
    .replace(/[^\0-\xff€Šš]/g, '?')
  return Uint8Array.from([...text], character => table.indexOf(character))
}

export const utf8Csv = (rows: readonly (readonly string[])[]): Uint8Array =>
  new TextEncoder().encode(rows.map(row => `${row.join(',')}\n`).join(''))
