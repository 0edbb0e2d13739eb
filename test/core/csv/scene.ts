/** A template with two roles and fields of the sender, and files for it. */
import type { TemplateForm } from '../../../src/core/csv/columns.ts'
import { matchColumns } from '../../../src/core/csv/columns.ts'
import { readCsv } from '../../../src/core/csv/read.ts'
import { type FileRows, type RowsOptions, rowsToUses } from '../../../src/core/csv/rows.ts'
import type { Field } from '../../../src/core/field/field.ts'
import { fieldOf, type NewField } from '../../../src/core/field/new-field.ts'

export function formField(id: string, members: Partial<NewField> & { type: NewField['type'] }): Field {
  return fieldOf(id, { page: 1, x: 10, y: 10, width: 20, height: 5, ...members } as NewField)
}

export const LEASE: TemplateForm = {
  recipients: [
    {
      id: 'rol_t',
      name: 'Tenant',
      fields: [
        formField('fld_sign', { type: 'signature' }),
        formField('fld_iban', { type: 'text', label: 'IBAN', name: 'iban' }),
        formField('fld_pets', { type: 'checkbox', label: 'Pets' }),
        formField('fld_nameless', { type: 'text' }),
      ],
    },
    { id: 'rol_l', name: 'Landlord', fields: [formField('fld_l', { type: 'signature' })] },
  ],
  senderFields: [
    formField('fld_rent', { type: 'number', label: 'Rent' }),
    formField('fld_start', { type: 'date', label: 'Begin', required: false }),
    formField('fld_flat', { type: 'dropdown', label: 'Flat', options: ['Left', 'Right'], required: false }),
  ],
}

export const ALONE: TemplateForm = { ...LEASE, recipients: LEASE.recipients.slice(0, 1), senderFields: [] }

export function rowsOf(text: string, template: TemplateForm = LEASE, options: Partial<RowsOptions> = {}): FileRows {
  const table = readCsv(new TextEncoder().encode(text))
  return rowsToUses(table, template, { mapping: matchColumns(table.header, template), ...options })
}
