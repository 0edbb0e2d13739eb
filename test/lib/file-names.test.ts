/** Names inside an archive: safe on every system, and each once. */
import { expect, test } from 'bun:test'
import { ArchiveNames } from '../../src/lib/file-names.ts'

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
