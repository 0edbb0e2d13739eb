/** Measures the processor time of the verifier for files with many signatures and many objects. */
import { THIS_MACHINE } from '../src/lib/this-machine.ts'
import { localKey, makeAuthority } from '../src/pki/key.ts'
import { readCertificate } from '../src/pki/x509.ts'
import { verifyBytes } from '../src/verify/verify.ts'
import { makePdf } from '../test/support/make-pdf.ts'
import { cmsBy, signedAgain } from '../test/verify/appended.ts'
import { sealTiny } from '../test/verify/tiny-pdf.ts'

const ROUNDS = 5
const authority = await makeAuthority({
  ...THIS_MACHINE,
  organisation: 'Bench',
  environment: 'test',
  keyType: 'rsa-3072',
  now: new Date(),
})
const key = localKey({ leaf: authority.leaf, issuers: [authority.root.certificateDer] }, THIS_MACHINE.threads)
const trust = [readCertificate(authority.root.certificateDer)]

/** A file of text pages, approved by so many signatures, one revision each. */
async function signedFile(pages: number, signatures: number): Promise<Buffer> {
  const content = 'BT /F1 10 Tf 60 700 Td (The parties agree that this line means what it says.) Tj ET\n'.repeat(40)
  let bytes = await sealTiny({
    base: makePdf({ pages: Array.from({ length: pages }, () => ({ content })) }),
    key,
    dictionary: text => text.replace(/\/Reference \[.*\]/, ''),
    objects: objects => {
      for (const [number, text] of objects) objects.set(number, text.replace(/\/Perms <<.*?>>/, ''))
    },
  })
  for (let i = 1; i < signatures; i++)
    bytes = await signedAgain(bytes, { name: `Signer${i}`, contents: cmsBy(key), contentsBytes: 3500 })
  return bytes
}

function cpuMs(bytes: Uint8Array): number {
  const start = process.cpuUsage()
  const report = verifyBytes(bytes, trust)
  const { user, system } = process.cpuUsage(start)
  if (report.verdict !== 'valid') throw new Error(`a file of this bench is ${report.verdict}`)
  return (user + system) / 1000
}

console.log('Processor time of the verifier, first and least of some rounds in one process')
for (const [pages, signatures] of [
  [1, 1],
  [1, 5],
  [1, 25],
  [1, 50],
  [500, 1],
  [500, 25],
] as const) {
  const bytes = await signedFile(pages, signatures)
  const times = Array.from({ length: ROUNDS }, () => cpuMs(bytes))
  const [first = 0, least] = [times[0], Math.min(...times)]
  const size = `${(bytes.length / 1_000_000).toFixed(1)} MB`
  console.log(`${signatures} signatures, ${pages} pages, ${size}: first ${first.toFixed(0)} ms, least ${least.toFixed(0)} ms`)
}
