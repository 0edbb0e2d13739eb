/** Archives are read as the service writes them, and refused where programs may differ. */
import { describe, expect, test } from 'bun:test'
import { strFromU8, zipSync } from 'fflate'
import { zipResponse } from '../../src/http/zip-response.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { listZip, readZipMember, ZipError } from '../../src/lib/zip-read.ts'
import { asZip64, type ZipPart, zipOf } from '../support/zip-forms.ts'

const A: ZipPart = { name: 'a.txt', content: Buffer.from('first') }
const B: ZipPart = { name: 'b.txt', content: Buffer.from('second') }

const textsIn = (bytes: Uint8Array) => listZip(bytes).map(member => [member.name, strFromU8(readZipMember(bytes, member))])

function failureOf(bytes: Uint8Array): string {
  try {
    textsIn(bytes)
    return 'none'
  } catch (error) {
    if (error instanceof ZipError) return error.failure
    throw error
  }
}

test('what the service sends is read: texts are unpacked, files are a part of the archive itself', async () => {
  const file = new Uint8Array(100_000).fill(7)
  const entries = [
    { name: 'Zürich/ä.txt', content: 'text '.repeat(10_000) },
    { name: 'empty.txt', content: '' },
    { name: 'file.pdf', content: file },
  ]
  const response = zipResponse({ fileSystem: THIS_FILE_SYSTEM, now: () => new Date() }, { fileName: 'x.zip', entries })
  const zip = new Uint8Array(await response.arrayBuffer())
  const [text, empty, stored] = listZip(zip).map(member => ({ name: member.name, content: readZipMember(zip, member) }))
  expect([text?.name, strFromU8(text?.content ?? file)]).toEqual(['Zürich/ä.txt', 'text '.repeat(10_000)])
  expect(empty?.content.length).toBe(0)
  expect([stored?.content.buffer, stored?.content]).toEqual([zip.buffer, file])
})

test.each<[string, Uint8Array]>([
  ['stored', zipOf([A, B])],
  ['deflated', zipSync({ 'a.txt': A.content, 'b.txt': B.content }, { level: 9 })],
  ['with a data descriptor', zipOf([{ ...A, descriptor: 'signed' }, B])],
  ['with a data descriptor that has no signature', zipOf([A, { ...B, descriptor: 'bare' }])],
  ['with an extra field that changes nothing', zipOf([{ ...A, extra: Buffer.from('5554050001000000ff', 'hex') }, B])],
  ['at another place of its buffer', Buffer.concat([Buffer.alloc(3), zipOf([A, B])]).subarray(3)],
])('an archive %s is read', (_, zip) => {
  expect(textsIn(zip)).toEqual([
    ['a.txt', 'first'],
    ['b.txt', 'second'],
  ])
})

describe('an archive in which programs may see different files is refused', () => {
  const other = Buffer.from('757005000100000000', 'hex')
  test.each<[string, Uint8Array]>([
    ['another name in the local header', zipOf([{ ...A, localName: 'c.txt' }, B])],
    ['a file that only programs find which do not read the directory', zipOf([A, { ...B, isHidden: true }])],
    ['the same between two files', zipOf([{ ...A, isHidden: true }, B])],
    ['something before the first file', zipOf([A], { before: Buffer.from('#!/bin/sh\n') })],
    ['two entries for the same bytes, as bombs have', zipOf([A, { ...B, isHidden: true }, { ...A, isHidden: false, offset: 0 }])],
    ['a name in an extra field', zipOf([{ ...A, extra: other }])],
    ['ZIP64', asZip64(zipOf([A, B]))],
  ])('%s', (_, zip) => expect(failureOf(zip)).toBe('ambiguous'))
})

describe('a damaged archive is refused', () => {
  const zip = zipOf([A, B])
  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['another file', Buffer.from('%PDF-1.7 and so on, long enough')],
    ['cut at the end', zip.subarray(0, -1)],
    ['cut at the start', zip.subarray(1)],
    ['with a comment, in which another end may be', zipOf([A], { comment: Buffer.from('hello') })],
    ['encrypted', zipOf([{ ...A, flags: 1 }])],
    [
      'a name that is not UTF-8',
      Buffer.from(
        zipOf([{ ...A, name: 'ö' }])
          .toString('latin1')
          .replaceAll('\u00c3', '\u00ff'),
        'latin1',
      ),
    ],
  ])('%s', (_, bytes) => expect(failureOf(bytes)).not.toBe('none'))

  test('each single octet that is cut off or changed is noticed, or changes nothing that is read', () => {
    const packed = zipSync({ 'a.txt': Buffer.from('some text, some text, some text') }, { level: 9 })
    const whole = JSON.stringify(textsIn(packed))
    for (let at = 0; at < packed.length; at++) {
      expect(failureOf(packed.subarray(0, at))).toBe('damaged')
      const changed = Buffer.from(packed)
      changed[at] = (changed[at] ?? 0) ^ 0x40
      const isNameOnly = failureOf(changed) === 'none' && JSON.stringify(textsIn(changed)) !== whole
      expect([at, isNameOnly]).toEqual([at, false])
    }
  })
})
