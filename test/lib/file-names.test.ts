/** Names inside an archive: safe on every system, and each once. */
import { expect, test } from 'bun:test'
import { ArchiveNames, cleanFileName } from '../../src/lib/file-names.ts'

const nameOf = (name: string) => new ArchiveNames().unique(name, 'pdf')

test('a name cannot leave the folder, name a device or break a system', () => {
  expect(nameOf('../../etc/passwd')).toBe('_.._etc_passwd.pdf')
  expect(nameOf('C:\\Windows\\x.PDF')).toBe('C__Windows_x.pdf')
  expect(nameOf('CON')).toBe('_CON.pdf')
  expect(nameOf('nul.tar')).toBe('_nul.tar.pdf')
  expect(nameOf('a\u202egpj.exe')).toBe('a_gpj.exe.pdf')
  expect(nameOf('line\nbreak\0')).toBe('line_break_.pdf')
  expect(nameOf(' . ')).toBe('document.pdf')
  expect(nameOf('')).toBe('document.pdf')
  expect(nameOf('Verträge „2026" 契約.pdf')).toBe('Verträge „2026_ 契約.pdf')
})

test('a long name is cut between characters and keeps its extension', () => {
  const name = nameOf(`${'😀'.repeat(300)}.pdf`)
  expect(name).toBe(`${'😀'.repeat(50)}.pdf`)
  expect(nameOf('契'.repeat(400))).toBe(`${'契'.repeat(66)}.pdf`)
})

test('equal names are numbered, whatever their case', () => {
  const names = new ArchiveNames()
  expect(['Lease.pdf', 'lease', 'LEASE.PDF', 'lease (2)'].map(name => names.unique(name, 'pdf'))).toEqual([
    'Lease.pdf',
    'lease (2).pdf',
    'LEASE (3).pdf',
    'lease (2) (2).pdf',
  ])
})

test('a file from a stranger gets a name without folders, with the extension of what it is', () => {
  const pdf = (name: string) => cleanFileName(name, ['pdf'])
  expect(pdf('C:\\Users\\Ada\\pass.PDF')).toBe('pass.pdf')
  expect(pdf('../../etc/passwd')).toBe('passwd.pdf')
  expect(pdf('invoice.pdf.exe')).toBe('invoice.pdf.exe.pdf')
  expect(pdf('\u202Efdp.exe')).toBe('_fdp.exe.pdf')
  expect(pdf('con.pdf')).toBe('_con.pdf')
  expect(pdf('')).toBe('document.pdf')
  expect(pdf('x'.repeat(300))).toBe(`${'x'.repeat(100)}.pdf`)
  expect(cleanFileName('me.JPEG', ['jpg', 'jpeg'])).toBe('me.jpeg')
  expect(cleanFileName('me', ['jpg', 'jpeg'])).toBe('me.jpg')
})
