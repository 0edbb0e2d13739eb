/** Which column of a file fills which part of a template. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { columnsOf, columnTitle, headerTitle, IGNORED, matchColumns, TITLE } from '../../../src/core/csv/columns.ts'
import { ALONE, formField, LEASE } from './scene.ts'

describe('columns of a template', () => {
  test('are the people, then the fields that have a name or a label', () => {
    expect(columnsOf(LEASE).map(({ key, isRequired }) => `${key}${isRequired ? '!' : ''}`)).toEqual([
      'rol_t.name!',
      'rol_t.email!',
      'rol_l.name!',
      'rol_l.email!',
      'rol_t.fld_iban',
      'rol_t.fld_pets',
      'sender.fld_rent!',
      'sender.fld_start',
      'sender.fld_flat',
    ])
  })

  test('two fields with one label are filled from one column', () => {
    const field = (id: string) => formField(id, { type: 'text', label: 'Rent' })
    const columns = columnsOf({ ...ALONE, senderFields: [field('fld_1'), field('fld_2')] })
    expect(columns.filter(({ role }) => role === undefined).map(({ key }) => key)).toEqual(['sender.fld_1'])
  })

  test('have titles that are found again, in each language of the web app', () => {
    for (const language of ['en', 'de'] as const)
      for (const template of [LEASE, ALONE]) {
        const columns = columnsOf(template)
        const titles = columns.map(column => columnTitle(column, language, template.recipients.length === 1))
        expect(matchColumns(titles, template)).toEqual(columns.map(({ key }) => key))
      }
  })
})

describe('headers', () => {
  test('are found in the languages of recipients', () => {
    const german = ['Tenant Name', 'E-Mail Tenant', 'landlord_name', 'LANDLORD  e-mail-adresse', 'Mietbeginn']
    expect(matchColumns(german, LEASE)).toEqual(['rol_t.name', 'rol_t.email', 'rol_l.name', 'rol_l.email', undefined])
    for (const name of ['Name', 'Nom complet', 'Nombre', 'Nome', 'Naam', 'IMIĘ I NAZWISKO', 'الاسم'])
      expect(matchColumns([name], ALONE)).toEqual(['rol_t.name'])
    for (const address of ['E-Mail', 'Courriel', 'Correo electrónico', 'Posta elettronica', 'e-mailadres', 'البريد الإلكتروني'])
      expect(matchColumns([address], ALONE)).toEqual(['rol_t.email'])
  })

  test('of the title are found in the languages of recipients, unless a field is called so too', () => {
    const words = ['Title', 'Dokumenttitel', 'Titre', 'Título del documento', 'Titolo', 'Título', 'Titel', 'Tytuł', 'العنوان']
    for (const word of [...words, columnTitle(TITLE, 'en', false), columnTitle(TITLE, 'de', true)])
      for (const template of [LEASE, ALONE]) expect(matchColumns([word], template)).toEqual(['title'])
    const own = { ...LEASE, senderFields: [formField('fld_title', { type: 'text', label: 'Title' })] }
    expect(matchColumns(['Document title', 'Title'], own)).toEqual(['title', 'sender.fld_title'])
    expect(columnsOf(LEASE)).not.toContain(TITLE)
  })

  test('without the role are found where only one column can be meant', () => {
    expect(matchColumns(['iban', 'Tenant IBAN', 'Name', 'rent'], LEASE)).toEqual([
      'rol_t.fld_iban',
      undefined,
      undefined,
      'sender.fld_rent',
    ])
  })

  test('that nothing has stay open until somebody leaves them out', () => {
    const header = ['Rent', 'Phone', 'Phone 2']
    expect(matchColumns(header, LEASE)).toEqual(['sender.fld_rent', undefined, undefined])
    expect(matchColumns(header, LEASE, { 1: IGNORED, 2: 'rol_t.name' })).toEqual(['sender.fld_rent', IGNORED, 'rol_t.name'])
  })

  test('a choice takes the column from the header that would have had it', () => {
    expect(matchColumns(['Rent', 'Amount'], LEASE, { 1: 'sender.fld_rent' })).toEqual([undefined, 'sender.fld_rent'])
    expect(matchColumns(['Rent'], LEASE, { 0: 'sender.fld_gone' })).toEqual(['sender.fld_rent'])
  })

  test('the column of errors in a download of ours needs no choice', () => {
    expect(matchColumns(['Rent', 'Error', 'Fehler'], LEASE)).toEqual(['sender.fld_rent', IGNORED, IGNORED])
  })

  test('without text are called as the spreadsheet calls them', () => {
    expect([0, 25, 26, 700].map(index => headerTitle([], index))).toEqual(['A', 'Z', 'AA', 'ZY'])
    expect(headerTitle(['Rent'], 0)).toBe('Rent')
  })

  test('in any order, case and punctuation fill the same columns, each at most once', () => {
    const titles = columnsOf(LEASE).map(column => ({ key: column.key, title: columnTitle(column, 'en', false) }))
    const disguise = fc.constantFrom(
      (text: string) => text.toUpperCase(),
      (text: string) => text.replaceAll(' ', '_'),
      (text: string) => ` ${text.replaceAll('-', '')}: `,
      (text: string) => text.normalize('NFD'),
    )
    const shuffled = fc.shuffledSubarray(titles, { minLength: 1 })
    fc.assert(
      fc.property(shuffled, disguise, (columns, change) => {
        expect(
          matchColumns(
            columns.map(({ title }) => change(title)),
            LEASE,
          ),
        ).toEqual(columns.map(({ key }) => key))
      }),
    )
  })
})
