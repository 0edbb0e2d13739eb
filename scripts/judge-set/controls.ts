/** Invalid files: a judge that accepts one of them proves nothing by accepting the others. */
import { readFileSync, writeFileSync } from 'node:fs'
import { FIREFOX } from '../judge-tools/firefox.ts'
import type { SealedFile } from './seal-set.ts'

export interface Control {
  file: SealedFile
  /** Judges by name, who have to see it. */
  refusedBy: readonly string[]
  /** What is wrong is the trust alone: judges that are not asked about certificates let it pass. */
  isTrustAlone?: boolean
}

const OF_SIGNATURES = ['pdfsig', 'openssl cms', 'signet verify', 'pyHanko', 'EU DSS']

/** The file with other bytes, beside it. */
function changed(file: SealedFile, name: string, change: (bytes: Buffer) => Buffer): SealedFile {
  const path = file.path.replace(/\.pdf$/, `.${name.replaceAll(' ', '-')}.pdf`)
  writeFileSync(path, change(readFileSync(file.path)))
  return { ...file, name, path }
}

/** One bit of the last byte before the end of what was sent is another. */
function withOtherByte(file: SealedFile): SealedFile {
  const at = readFileSync(file.originalPath).lastIndexOf('%%EOF') - 2
  return changed(file, 'changed byte', bytes => {
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    return bytes
  })
}

/** Made from files of the set; without one at each level there are none. */
export function makeControls(files: readonly SealedFile[]): Control[] {
  const at = (level: SealedFile['level']) => files.find(file => file.level === level && file.subFilter === 'ETSI.CAdES.detached')
  const pkcs7 = files.find(file => file.subFilter === 'adbe.pkcs7.detached')
  const [plain, stamped, archived] = [at('B-B'), at('B-T'), at('B-LTA')]
  if (plain === undefined || stamped === undefined || archived === undefined) return []
  const foreign = files.find(file => file.ownRootPath !== plain.ownRootPath)
  return [
    { file: withOtherByte(plain), refusedBy: OF_SIGNATURES },
    ...(pkcs7 === undefined ? [] : [{ file: withOtherByte(pkcs7), refusedBy: [...OF_SIGNATURES, FIREFOX] }]),
    { file: withOtherByte(archived), refusedBy: [...OF_SIGNATURES, 'openssl ts'] },
    {
      file: changed(plain, 'bytes behind', bytes => Buffer.concat([bytes, Buffer.from('%\n')])),
      refusedBy: ['pdfsig', 'signet verify', 'pyHanko'],
    },
    { file: { ...stamped, name: 'claims more', level: 'B-LT' }, refusedBy: ['signet verify', 'pyHanko', 'EU DSS'] },
    ...(foreign === undefined
      ? []
      : [
          {
            file: { ...plain, name: 'foreign root', ownRootPath: foreign.ownRootPath },
            refusedBy: OF_SIGNATURES,
            isTrustAlone: true,
          },
        ]),
    {
      file: { ...archived, name: 'foreign time', timeRootPath: archived.ownRootPath },
      refusedBy: ['openssl ts', 'signet verify', 'pyHanko', 'EU DSS'],
    },
  ]
}
