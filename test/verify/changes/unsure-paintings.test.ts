/** The reasons for which what an update paints beside or over signed content is refused. */
import { expect, test } from 'bun:test'
import { certificatesOfPem, readCertificate } from '../../../src/pki/x509.ts'
import { Kit } from '../../support/forged/document.ts'
import { FORGERIES } from '../../support/forged-files.ts'
import { verifyBytes } from '../../support/written-report.ts'

const REASONS: readonly (readonly [source: string, name: string, reason: string])[] = [
  ['run of one glyph that is filled over', 'digits without a mapping', 'covers signed content: text on page 1'],
  ['run of one glyph that is filled over', 'digits that are mapped to dots', 'covers signed content: text on page 1'],
  ['comment beside signed text', 'note that draws a digit behind an amount', 'could be read as a part of it'],
  ['comment beside signed text', 'note with a ground, close behind an amount', 'close beside signed text'],
  ['comment beside signed text', 'note that shows a text', 'has an appearance with a text'],
  ['comment beside signed text', 'caret as narrow as a digit', 'is as narrow as a letter'],
  ['comment beside signed text', 'line that begins before the amount, as a minus sign', 'lies beside the content that it marks'],
  ['comment beside signed text', 'short line between two words', 'is as short as a letter and has a colour of text'],
  ['comment beside signed text', 'line whose appearance is shorter than what it marks', 'a shorter line than what it marks'],
  ['resource that an appearance lacks', 'font added to the form, of a signed field', 'has a different /DR'],
  ['resource that an appearance lacks', 'filled in with a font of the form', 'its resources lack Font/F1'],
  ['resource that an appearance lacks', 'note with a picture of the page', 'its resources lack XObject/X1'],
]

const kit = new Kit()
const certificates = (pem: string) => certificatesOfPem(pem).map(readCertificate)

test.each(REASONS)('%s: %s', (source, name, reason) => {
  const forgery = FORGERIES.find(one => one.source === source && one.name === name)
  const report = verifyBytes(forgery?.make(kit) ?? new Uint8Array(), certificates(kit.trust.signers))
  if (report.verdict === 'unreadable') throw new Error(report.reason)
  expect(report.verdict).toBe('not-valid')
  expect(report.signatures.flatMap(one => one.reasons).join('\n')).toContain(reason)
})
