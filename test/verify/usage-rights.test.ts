/** Usage rights, by which a form may be filled in and saved, are no signature of the document. */
import { expect, test } from 'bun:test'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { newPlaceholder, writeByteRange } from '../../src/pades/placeholder.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { plainPdf, rootOf, sealTiny, withRevision } from './tiny-pdf.ts'

const RIGHTS = 90

/** A dictionary that is written like a signature; the transform says what it is for. */
function dictionaryFor(transforms: readonly string[], { byteRange, contentsHex }: ReturnType<typeof newPlaceholder>): string {
  const references = transforms.map(name => `<< /Type /SigRef /TransformMethod /${name} >>`).join(' ')
  return `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [${byteRange.join(' ')}] /Contents <${contentsHex}> /Reference [${references}] >>`
}

/** A file with nothing but that dictionary, under the key of /Perms. */
async function unsigned(transforms: readonly string[], key = 'UR3'): Promise<Uint8Array> {
  const base = await plainPdf()
  const { root, catalog } = rootOf(base)
  const placeholder = newPlaceholder(100, THIS_MACHINE.random)
  const objects = new Map([
    [root, `${catalog} /Perms << /${key} ${RIGHTS} 0 R >> >>`],
    [RIGHTS, dictionaryFor(transforms, placeholder)],
  ])
  const bytes = withRevision(base, objects)
  writeByteRange(bytes, placeholder)
  return bytes
}

test('a form with usage rights that nobody signed is not signed; it was not changed either', async () => {
  expect(verifyBytes(await unsigned(['UR3']), [])).toMatchObject({
    verdict: 'not-signed',
    signatures: [],
    reasons: ['The file holds no signature.'],
  })
})

test.each([
  ['of another purpose', ['DocMDP'], 'UR3'],
  ['of a second purpose', ['UR3', 'DocMDP'], 'UR3'],
  ['that the catalog does not name as usage rights', ['UR3'], 'Other'],
])('a dictionary %s is a signature that the form lacks', async (_, transforms, key) => {
  expect(verifyBytes(await unsigned(transforms, key), [])).toMatchObject({ verdict: 'not-valid' })
})

test('usage rights in a signed file do not make it invalid; another signature without a field does', async () => {
  const { key, root } = await sharedAuthority()
  const placeholder = newPlaceholder(100, THIS_MACHINE.random)
  const verdictWith = async (transform: string) => {
    const bytes = await sealTiny({
      base: await plainPdf(),
      key,
      objects: objects => {
        for (const [number, text] of objects) objects.set(number, text.replace('/Perms <<', `/Perms << /UR3 ${RIGHTS} 0 R`))
        objects.set(RIGHTS, dictionaryFor([transform], placeholder))
      },
    })
    return verifyBytes(bytes, [readCertificate(root.certificateDer)]).verdict
  }
  expect([await verdictWith('UR3'), await verdictWith('DocMDP')]).toEqual(['valid', 'not-valid'])
})
