/** From the rows of a file to uses of a template: values, errors, questions. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { columnsOf, columnTitle, IGNORED, matchColumns } from '../../../src/core/csv/columns.ts'
import { readCsv } from '../../../src/core/csv/read.ts'
import { columnOfPath, mappingOf } from '../../../src/core/csv/rows.ts'
import { csvRow, templateFile } from '../../../src/core/csv/write.ts'
import type { DecimalSeparator } from '../../../src/core/field/number.ts'
import { errorAt, type Found } from '../../../src/core/refusal.ts'
import { violation } from '../../../src/core/violation.ts'
import { englishOf } from '../../../src/locales/violations.ts'
import { ALONE, formField, LEASE, rowsOf } from './scene.ts'

const said = (found: Found) => englishOf(errorAt('', found))

const PEOPLE = 'Tenant name,Tenant e-mail,Landlord name,Landlord e-mail'
const ANNA = 'Anna,anna@a.example,Lea,lea@l.example'
const BO = 'Bo,bo@a.example,Lea,lea@l.example'

/** One sender's value beside the people. */
const withValue = (title: string, ...values: string[]) =>
  [`${PEOPLE},${title}`, ...values.map((value, i) => `${i === 0 ? ANNA : BO.replace('bo@', `bo${i}@`)},${value}`)].join('\n')
const rentless = { ...LEASE, senderFields: LEASE.senderFields.slice(1) }

describe('a row', () => {
  test('becomes the people of the roles and the values of the fields', () => {
    const text = `${PEOPLE},IBAN,Pets,Rent,Begin,Flat\n${ANNA},007,ja,"1250,50",2027-02-01,Left\n`
    expect(rowsOf(text)).toMatchObject({ errors: [], questions: [], missing: [], repeats: [], total: 1 })
    expect(rowsOf(text).uses).toEqual([
      {
        line: 2,
        use: {
          recipients: [
            { role: 'rol_t', name: 'Anna', email: 'anna@a.example', values: { fld_iban: '007', fld_pets: true } },
            { role: 'rol_l', name: 'Lea', email: 'lea@l.example' },
          ],
          values: { fld_rent: '1250.50', fld_start: '2027-02-01', fld_flat: 'Left' },
        },
      },
    ])
  })

  test('keeps leading zeros and line breaks, and leaves out empty cells that need no value', () => {
    const [row] = rowsOf('Name,E-mail,IBAN\nAnna,anna@a.example,"00123\n4"\n', ALONE).uses
    expect(row?.use.recipients[0]?.values).toEqual({ fld_iban: '00123\n4' })
    expect(rowsOf('Name,E-mail,IBAN\nAnna,anna@a.example,\n', ALONE).uses[0]?.use.recipients[0]).not.toHaveProperty('values')
  })

  test('with errors is left out, and each error has its line, its column and what to do', () => {
    const text = `${PEOPLE},Rent,Flat,Pets
${ANNA},100,Left,no
,bo@a.example,Lea,lea@l.example,,left,perhaps

Cy,cy,Lea,lea@l.example,1.23E+12,Right,x,too,many
Di,di,Lea,lea@l.example,1200,Right,x
`
    const { uses, errors, total } = rowsOf(text)
    expect(uses.map(({ line }) => line)).toEqual([2])
    expect(total).toBe(4)
    expect(errors.map(({ line, column, found }) => `${line} ${column}: ${said(found)}`)).toEqual([
      '3 0: must not be empty',
      '3 6: must be yes or no',
      '3 4: must not be empty',
      '3 5: must be exactly one of these choices: Left, Right',
      '5 undefined: has 9 cells, but the file has 7 columns: put a text that contains the delimiter into quotation marks',
      '6 1: must be an e-mail address such as ada@example.com',
    ])
  })

  test('a number that Excel has shortened is refused in any column', () => {
    for (const [title, cell] of [
      ['Pets', '1.23E+12'],
      ['IBAN', '1,23E+12'],
      ['Begin', '4E+10'],
    ] as const)
      expect(rowsOf(withValue(title, `"${cell}"`), rentless).errors[0]?.found).toEqual(violation('lost_digits'))
    expect(rowsOf(withValue('IBAN', '1E5'), rentless).errors).toEqual([])
  })

  test('a number has its bounds, groups of three digits, and no currency', () => {
    const template = { ...LEASE, senderFields: [formField('fld_rent', { type: 'number', label: 'Rent', min: 1, max: 9 })] }
    const errors = rowsOf(withValue('Rent', '0', '"9,5"', '1.00.000', '9', '9 €', 'CHF 9.–', 'nine'), template).errors
    expect(errors.map(({ found }) => said(found))).toEqual([
      'must be 1 or more',
      'must be 9 or less',
      'must be a number such as 1250, 12.50 or 1,250.50',
      'must be the number alone, such as 1250.50: remove the currency',
      'must be the number alone, such as 1250.50: remove the currency',
      'must be a number such as 1250, 12.50 or 1,250.50',
    ])
  })

  test('with a title of its own gives it to the document; an empty one leaves that of the template', () => {
    const { uses, errors } = rowsOf(withValue('Title', 'Lease of flat 4', '""'), rentless)
    expect(errors).toEqual([])
    expect(uses.map(({ use }) => use.title)).toEqual(['Lease of flat 4', undefined])
  })

  test('fills all fields of one label from one column', () => {
    const field = (id: string) => formField(id, { type: 'text', label: 'Rent' })
    const { uses } = rowsOf(withValue('Rent', '100'), { ...LEASE, senderFields: [field('fld_1'), field('fld_2')] })
    expect(uses[0]?.use.values).toEqual({ fld_1: '100', fld_2: '100' })
  })

  test('yes and no are known in the languages of recipients, other words are errors', () => {
    const values = (text: string) => rowsOf(text, rentless).uses.map(({ use }) => use.recipients[0]?.values?.fld_pets)
    expect(values(withValue('Pets', 'Ja', 'sí', 'TAK', '1', 'x', 'نعم', '✓'))).toEqual(Array.from({ length: 7 }, () => true))
    expect(values(withValue('Pets', 'nein', 'não', 'Nie', '0', 'FALSE', 'لا'))).toEqual(Array.from({ length: 6 }, () => false))
    expect(rowsOf(withValue('Pets', 'maybe'), rentless).errors[0]?.found).toEqual(violation('not_yes_or_no'))
  })
})

describe('dates', () => {
  const dates = (...values: string[]) => rowsOf(withValue('Begin', ...values), rentless)
  const read = (...values: string[]) => dates(...values).uses.map(({ use }) => use.values?.fld_start)

  test('that can be one day only are read', () => {
    expect(read('2026-04-03', '2026-4-3', '03.04.2026', '25/04/2026', '04/25/2026', '05/05/2026')).toEqual([
      '2026-04-03',
      '2026-04-03',
      '2026-04-03',
      '2026-04-25',
      '2026-04-25',
      '2026-05-05',
    ])
    expect(read('3 April 2026', '3. März 2026', '3 de mayo de 2026', '3 sie 2026', '"April 3, 2026"', '3 Apr 2026')).toEqual([
      '2026-04-03',
      '2026-03-03',
      '2026-05-03',
      '2026-08-03',
      '2026-04-03',
      '2026-04-03',
    ])
    expect(read('2026/04/03', '2026.4.3', '3-Apr-2026', '1er mai 2026', '1º de maio de 2026')).toEqual([
      '2026-04-03',
      '2026-04-03',
      '2026-04-03',
      '2026-05-01',
      '2026-05-01',
    ])
  })

  test('that do not exist, or have a short year, are errors', () => {
    for (const text of ['2026-02-30', '2026/02/30', '2026-04/03', '31/04/2026', 'soon', '2026', '13/13/2026'])
      expect(dates(text).errors[0]?.found).toEqual(violation('not_a_date'))
    for (const text of ['03/04/26', '3-Apr-26']) expect(dates(text).errors[0]?.found).toEqual(violation('short_year'))
  })

  test('that could be two days are asked about once for the column', () => {
    const { questions, uses, errors } = dates('03/04/2026', '05/06/2026', '25/04/2026')
    expect(questions).toEqual([
      {
        unclear: 'order',
        readings: { 'day-first': '2026-04-03', 'month-first': '2026-03-04' },
        column: 4,
        key: 'sender.fld_start',
        line: 2,
        text: '03/04/2026',
      },
    ])
    expect([uses.length, errors.length]).toEqual([1, 0])
    const answered = rowsOf(withValue('Begin', '03/04/2026', '05/06/2026'), rentless, {
      answers: { 'sender.fld_start': { order: 'month-first' } },
    })
    expect(answered.uses.map(({ use }) => use.values?.fld_start)).toEqual(['2026-03-04', '2026-05-06'])
    expect(answered.questions).toEqual([])
  })

  test("the field's own format answers the question", () => {
    const template = (dateFormat: 'MM/DD/YYYY' | 'DD/MM/YYYY') => ({
      ...rentless,
      senderFields: [formField('fld_start', { type: 'date', label: 'Begin', dateFormat })],
    })
    const first = (format: 'MM/DD/YYYY' | 'DD/MM/YYYY') =>
      rowsOf(withValue('Begin', '03/04/2026'), template(format)).uses[0]?.use.values?.fld_start
    expect([first('MM/DD/YYYY'), first('DD/MM/YYYY')]).toEqual(['2026-03-04', '2026-04-03'])
  })

  test('serial numbers of Excel are asked about', () => {
    expect(dates('46115').questions).toMatchObject([{ unclear: 'serial', iso: '2026-04-03', line: 2, text: '46115' }])
    const answered = (hasSerialNumbers: boolean) =>
      rowsOf(withValue('Begin', '46115'), rentless, { answers: { 'sender.fld_start': { hasSerialNumbers } } })
    expect(answered(true).uses[0]?.use.values?.fld_start).toBe('2026-04-03')
    expect(answered(false).errors[0]?.found).toEqual(violation('not_a_date'))
  })
})

describe('numbers', () => {
  const rents = (values: string[], decimalSeparator?: DecimalSeparator) => {
    const answers = { 'sender.fld_rent': { decimalSeparator } }
    return rowsOf(withValue('Rent', ...values.map(value => `"${value}"`)), LEASE, { answers })
  }
  const read = (...values: string[]) => rents(values).uses.map(({ use }) => use.values?.fld_rent)

  test('that can be one number only lose their thousands separators', () => {
    const points = ['1.250,50', '1,250.50', '1.250.000', '-1,250,000.5', '1.250,500']
    expect(read(...points)).toEqual(['1250.50', '1250.50', '1250000', '-1250000.5', '1250.50'])
    const others = ['1 250', '1\u00a0250,50', '1\u202f250,125', "1'250.50", '1’250’000']
    expect(read(...others)).toEqual(['1250', '1250.50', '1250.1250', '1250.50', '1250000'])
    expect(read('1250.125', '0.125', '12,5', '007')).toEqual(['1250.1250', '0.1250', '12.5', '7'])
  })

  test('that could be two numbers are asked about once for the column', () => {
    const { questions, uses, errors } = rents(['900', '1.250', '2.500'])
    expect(questions).toEqual([
      {
        unclear: 'decimal',
        readings: { comma: '1250', point: '1.25' },
        column: 4,
        key: 'sender.fld_rent',
        line: 3,
        text: '1.250',
      },
    ])
    expect([uses.length, errors.length]).toEqual([1, 0])
    const answered = (separator: DecimalSeparator) =>
      rents(['1.250', '1,250', '1.250,50'], separator).uses.map(({ use }) => use.values?.fld_rent)
    expect(answered('comma')).toEqual(['1250', '1.25', '1250.50'])
    expect(answered('point')).toEqual(['1.25', '1250', '1250.50'])
  })
})

describe('a file', () => {
  test('without a required column gives no rows, and names the column', () => {
    const { missing, uses } = rowsOf(`Tenant name,Tenant e-mail,Landlord name\nAnna,anna@a.example,Lea\n`)
    expect(missing.map(column => columnTitle(column, 'en', false))).toEqual(['Landlord e-mail', 'Rent'])
    expect(uses).toEqual([])
  })

  test('may have unknown columns that are empty in every row; with one value they need a choice', () => {
    const mapping = (last: string) =>
      mappingOf(readCsv(new TextEncoder().encode(`Name,Phone,,E-mail\nA, ,,a@a.example\nB,${last},,b@a.example\n`)), ALONE)
    expect(mapping('')).toEqual(['rol_t.name', IGNORED, IGNORED, 'rol_t.email'])
    expect(mapping('030 1')).toEqual(['rol_t.name', undefined, IGNORED, 'rol_t.email'])
  })

  test('with one address twice says where; the same landlord in every row is no repetition', () => {
    const { repeats } = rowsOf(`${PEOPLE}\n${ANNA}\n${BO}\nAnn,ANNA@a.example,Lea,lea@l.example\n`, rentless)
    expect(repeats).toEqual([{ email: 'ANNA@a.example', line: 4, before: 2 }])
    expect(rowsOf('Name,E-mail\nA,a@a.example\nB,a@a.example\n', ALONE).repeats).toHaveLength(1)
  })

  test('to download is read again as empty: its unchanged example is no row', () => {
    for (const language of ['en', 'de'] as const)
      for (const template of [LEASE, ALONE]) {
        const text = templateFile(template, language)
        expect(rowsOf(text, template)).toMatchObject({ uses: [], errors: [], missing: [], total: 0 })
        const { delimiter } = readCsv(new TextEncoder().encode(text))
        expect(delimiter).toBe(language === 'de' ? ';' : ',')
      }
  })

  test('whose example line was filled in has a row', () => {
    const text = templateFile(LEASE, 'en').replace('Anna Berg', 'Anna Stark')
    const { uses, errors, questions } = rowsOf(text)
    expect({ errors, questions }).toEqual({ errors: [], questions: [] })
    expect(uses.map(({ use }) => use.values)).toEqual([{ fld_rent: '100', fld_start: '2026-12-31', fld_flat: 'Left' }])
  })

  test('every row is a use or has an error or a question, whatever is in the cells', () => {
    const titles = columnsOf(LEASE).map(column => columnTitle(column, 'en', false))
    const cell = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom('', 'a@b.example', '03/04/2026', '46115', '1.2E+12', 'yes', 'Left', '100'),
    )
    const rows = fc.array(fc.array(cell, { minLength: 5, maxLength: titles.length + 1 }), { maxLength: 5 })
    fc.assert(
      fc.property(rows, cells => {
        const table = readCsv(new TextEncoder().encode([titles, ...cells].map(row => csvRow(row)).join('')), { delimiter: ',' })
        const result = rowsOf([titles, ...cells].map(row => csvRow(row)).join(''))
        const lines = new Set([...result.uses, ...result.errors].map(({ line }) => line))
        const open = table.rows.filter(({ line }) => !lines.has(line))
        expect(result.total).toBe(table.rows.length)
        expect(open.length === 0 || result.questions.length > 0).toBe(true)
        for (const { line } of result.uses) expect(result.errors.some(error => error.line === line)).toBe(false)
      }),
    )
  })
})

test('an error of a use is found in the file by its path', () => {
  const mapping = matchColumns(['Rent', 'Tenant IBAN', 'Landlord e-mail'], LEASE)
  expect(columnOfPath('values.Rent', LEASE, mapping)).toBe(0)
  expect(columnOfPath('values.fld_rent', LEASE, mapping)).toBe(0)
  expect(columnOfPath('recipients[0].values.iban', LEASE, mapping)).toBe(1)
  expect(columnOfPath('recipients[1].email', LEASE, mapping)).toBe(2)
  expect(columnOfPath('title', LEASE, matchColumns(['Rent', 'Title'], LEASE))).toBe(1)
  for (const path of ['recipients[0].email', 'recipients[7].email', 'values.IBAN', 'title'])
    expect(columnOfPath(path, LEASE, mapping)).toBeUndefined()
})
