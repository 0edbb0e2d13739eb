/** Properties of the document and texts for screen readers that an update adds. ISO 32000-2 §14. */
import { expect, test } from 'bun:test'
import { certificatesOfPem, readCertificate } from '../../../src/pki/x509.ts'
import { readXmp } from '../../../src/verify/changes/xmp.ts'
import { describeReport } from '../../../src/verify/describe.ts'
import type { VisibleChange } from '../../../src/verify/report.ts'
import { Kit } from '../../support/forged/document.ts'
import { LISTED_CHANGES } from '../../support/forged/unseen.ts'
import { verifyBytes } from '../../support/written-report.ts'

const kit = new Kit()

function reportOf(name: string) {
  const change = LISTED_CHANGES.find(one => one.name === name)
  if (change === undefined) throw new Error(`there is no change ${name}`)
  const report = verifyBytes(change.make(kit), certificatesOfPem(kit.trust.signers).map(readCertificate))
  if (report.verdict === 'unreadable') throw new Error(report.reason)
  return report
}

const property = (name: string, after: string): VisibleChange => ({
  kind: 'property',
  revision: 3,
  name,
  before: '',
  after,
  page: null,
})

test('a title that was added is listed with its text, and the first line never says "unchanged"', () => {
  for (const name of ['title added to the information', 'title added as an attribute', 'title added with another prefix']) {
    const report = reportOf(name)
    expect(report).toMatchObject({ verdict: 'valid-changed', changes: [property('Title', 'Receipt')] })
    const [first] = describeReport(report).split('\n')
    expect(first).toStartWith('VALID WHEN SIGNED, THEN CHANGED AS ITS AUTHOR PERMITTED: 1 change')
    expect(describeReport(report)).toContain('! document property Title: before empty, now "Receipt" (revision 3)')
  }
})

test('each property that was added is listed', () => {
  expect(reportOf('author and keywords added').changes).toEqual([property('Author', 'Eve'), property('Keywords', 'paid')])
})

test('what a screen reader reads of the field of a new signature is listed', () => {
  const { changes } = reportOf('alternate description of the field of a signature')
  expect(changes).toEqual([property('Alt', 'Signed by Bob')])
})

const xmp = (text: string) => readXmp(Buffer.from(text))

test('metadata give their properties under every notation of a name', () => {
  const title = new Map([['Title', ['A & B']]])
  expect(xmp('<dc:title>A &amp; B</dc:title>')).toEqual(title)
  expect(xmp('<dc:title><![CDATA[A & B]]></dc:title>')).toEqual(title)
  expect(xmp("<rdf:Description dc:title = 'A &#38; B'/>")).toEqual(title)
  expect(xmp('<title xmlns="http://purl.org/dc/elements/1.1/">A &#x26; B</title>')).toEqual(title)
  expect(xmp('<title>A</title><!-- <dc:title>B</dc:title> --><?x <dc:title>?>')).toEqual(new Map())
})

test('metadata that programs may read differently are not read', () => {
  expect(xmp('<!DOCTYPE x><dc:title>A</dc:title>')).toBeUndefined()
  expect(xmp('<dc:title>A</dc:title><!-- ')).toBeUndefined()
  expect(xmp('<dc:title x="A>')).toBeUndefined()
  expect(xmp('<a xmlns:q="urn:a"/><a xmlns:q="urn:b"/>')).toBeUndefined()
})

test('hostile metadata cost no more than their size', () => {
  const texts = [
    '<'.repeat(2_000_000),
    `<a ${'b'.repeat(2_000_000)}>`,
    `<a ${'b '.repeat(1_000_000)}>`,
    '<dc:title>a<b/>'.repeat(200_000),
  ]
  const start = process.cpuUsage()
  for (const text of texts) xmp(text)
  expect((process.cpuUsage(start).user + process.cpuUsage(start).system) / 1000).toBeLessThan(7_000)
})
