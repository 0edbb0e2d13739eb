/** CSV for spreadsheets: no cell is run as a formula. */
import { expect, test } from 'bun:test'
import { csvRow } from '../../src/lib/csv.ts'

test('quotation marks, commas and line breaks stay in their cell', () => {
  expect(csvRow(['a', 'b,c', 'say "no"', 'two\nlines', ''])).toBe('"a","b,c","say ""no""","two\nlines",""\r\n')
})

test('a cell that begins like a formula becomes text', () => {
  const cells = ['=1+1', '+49 30', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', "it's =1"]
  expect(csvRow(cells)).toBe(`"'=1+1","'+49 30","'-2","'@SUM(A1)","'\t=1","'\r=1","'\n=1","it's =1"\r\n`)
})
