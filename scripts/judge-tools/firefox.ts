/**
 * What Firefox's panel says of a sealed file: pdf.js lists the signatures, NSS verifies those of a
 * type that pdf.js names. The rules are those of web/signature_properties_manager.js of pdf.js.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Listed, listSignatures } from '../../test/support/pdfjs-signatures.ts'
import { isHere, must, run } from '../judge-set/process.ts'
import type { SealedFile } from '../judge-set/seal-set.ts'
import { against, type Judge, OK, oneByOne, type Verdict } from './verdict.ts'

export const FIREFOX = 'pdf.js, NSS'

/** The type that NSS verifies. */
const DETACHED = 0

/** Firefox takes anchors from a list of its own; here the root of the seal is in it. */
async function storeWith(folder: string, rootPath: string): Promise<string> {
  const store = join(folder, `firefox-${Bun.hash(rootPath)}`)
  if ((await run(['certutil', '-L', '-d', `sql:${store}`, '-n', 'root'])).code === 0) return store
  mkdirSync(store, { recursive: true })
  await must(['certutil', '-N', '-d', `sql:${store}`, '--empty-password'])
  await must(['certutil', '-A', '-d', `sql:${store}`, '-n', 'root', '-t', 'C,C,C', '-i', rootPath])
  return store
}

async function verifyByNss(folder: string, { signed, cms }: Listed, rootPath: string): Promise<string | undefined> {
  const store = await storeWith(folder, rootPath)
  const [cmsPath, signedPath] = [join(folder, 'firefox.der'), join(folder, 'firefox.bin')]
  writeFileSync(cmsPath, cms)
  writeFileSync(signedPath, Buffer.concat(signed))
  // 4: mail. NSS takes it for a certificate that names other uses, and has none for documents.
  const { code, text } = await run(['cmsutil', '-D', '-d', `sql:${store}`, '-u', '4', '-n', '-i', cmsPath, '-c', signedPath])
  return code === 0 ? undefined : text
}

/** Fails too when Firefox begins to verify what src/pades/README.md says that it does not. */
async function askFirefox(
  folder: string,
  { path, level, subFilter, documentTimestamps, ownRootPath }: SealedFile,
): Promise<Verdict> {
  const listed = await listSignatures(readFileSync(path))
  const stamps = listed.filter(one => one.subFilter === 'ETSI.RFC3161')
  const [seal, ...more] = listed.filter(one => !stamps.includes(one))
  if (seal === undefined || more.length > 0 || stamps.length !== documentTimestamps)
    return against(`it lists ${listed.map(one => one.subFilter).join(', ')}`)
  if (seal.subFilter !== subFilter) return against(`it reads the sub-filter ${seal.subFilter}`)
  if (stamps.some(one => one.signatureType !== null)) return against('it verifies document time-stamps')
  if (subFilter === 'ETSI.CAdES.detached')
    return seal.signatureType === null ? { kind: 'not asked' } : against('it verifies ETSI.CAdES.detached')
  if (seal.coversWholeDocument !== (level === 'B-B' || level === 'B-T'))
    return against(`it says that the seal covers ${seal.coversWholeDocument ? 'all' : 'not all'}`)
  if (seal.signatureType !== DETACHED) return against(`it does not verify ${subFilter}`)
  const why = await verifyByNss(folder, seal, ownRootPath)
  return why === undefined ? OK : against(why)
}

export function firefox(folder: string): Judge {
  const gone = ['certutil', 'cmsutil'].filter(program => !isHere(program))
  const why = gone.length > 0 ? `${gone.join(', ')} not installed (Debian: libnss3-tools)` : undefined
  return oneByOne(FIREFOX, why, file => askFirefox(folder, file))
}
