/** CSV for spreadsheets: no cell is run as a formula. */
import { expect, test } from 'bun:test'
import { csvRow } from '../../../src/core/csv/write.ts'

test('quotation marks, commas and line breaks stay in their cell', () => {
  expect(csvRow(['a', 'b,c', 'say "no"', 'two\nlines', ''])).toBe('"a","b,c","say ""no""","two\nlines",""\r\n')
})

test('a cell that begins like a formula becomes text, also where semicolons separate cells', () => {
  const inert = (cell: string) => csvRow([cell]).slice(1, -3)
  for (const cell of ['=1+1', '+49 30', '-2', '@SUM(A1)', '＝1+1']) expect(inert(cell)).toBe(`'${cell}`)
  for (const start of ['\t', '\r', '\n', 'Ada;']) expect(inert(`${start}=1;`)).toBe(`${start}'=1;`)
  for (const cell of ["it's =1", 'X11; Linux', '1 - 2']) expect(inert(cell)).toBe(cell)
})
