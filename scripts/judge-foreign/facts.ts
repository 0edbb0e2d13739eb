/** Finds the features of `features.ts` in a signed file. Says nothing of whether they are valid. */
import { toLatin1 } from '../../src/lib/bytes.ts'
import { findSigner, readAlgorithms, readAttributes, readSignedData, type SignedData } from '../../src/pades/signed-data.ts'
import { openPdf, type PdfFile } from '../../src/pdf/parser/file.ts'
import {
  findSignatureFields,
  findUsageRights,
  readCertificationLevel,
  readFieldLock,
  type SignatureField,
} from '../../src/pdf/parser/signature-fields.ts'
import { type PdfDictionary, PdfSyntaxError } from '../../src/pdf/parser/syntax.ts'
import type { SignatureScheme } from '../../src/pki/algorithm.ts'
import { readBerPrefix } from '../../src/pki/ber.ts'
import { DerError, type DerNode, readOid } from '../../src/pki/der.ts'
import { CMS_OID } from '../../src/pki/oid.ts'
import type { PublicKey } from '../../src/pki/public-key.ts'
import { readSignatureTimestamps, readSignedCms } from '../../src/verify/cms.ts'

export interface Facts {
  /** Of the file. */
  file: ReadonlySet<string>
  /** By the name of the signature field. */
  signatures: ReadonlyMap<string, ReadonlySet<string>>
}

const KEY_IDENTIFIER_TAG = 0x80
const MIN_RSA_BITS = 2048
const NONE: Facts = { file: new Set(), signatures: new Map() }

const schemeName = (scheme: SignatureScheme): string =>
  scheme.kind === 'ecdsa' && scheme.encoding === 'plain' ? 'ecdsa-plain' : scheme.kind

function keyName(key: PublicKey): string {
  if (key.kind === 'ec') return key.curve
  return key.kind === 'rsa' && key.modulusBits < MIN_RSA_BITS ? 'rsa-short' : key.kind
}

const attributeTypes = (nodes: readonly DerNode[]): string[] =>
  nodes.map(node => `cms:${readOid(node.children[0], 'the type of an attribute')}`)

function tokenFeatures(der: Uint8Array): string[] {
  const { node, isDer } = readBerPrefix(der)
  const { hash, scheme } = readAlgorithms(readSignedData({ node, isDer }, CMS_OID.tstInfo))
  return [`token:${scheme.kind}`, `token:${hash}`]
}

function cmsFeatures(cms: SignedData): string[] {
  const { signer } = cms
  const key = findSigner(cms)?.publicKey
  const { hash, scheme } = readAlgorithms(cms)
  const tokens = readSignatureTimestamps(cms)
  return [
    `hash:${hash}`,
    `scheme:${schemeName(scheme)}`,
    ...(key === undefined ? [] : [`key:${keyName(key)}`]),
    ...(cms.isDer ? [] : ['cms:ber']),
    ...(cms.hasRevocationLists ? ['cms:lists'] : []),
    ...(signer.identifier.tag === KEY_IDENTIFIER_TAG ? ['cms:ski'] : []),
    ...(signer.signedAttributes === undefined ? ['cms:without-attributes'] : []),
    ...(signer.signedAttributes === undefined ? [] : [...readAttributes(signer.signedAttributes).keys()].map(id => `cms:${id}`)),
    ...attributeTypes(signer.unsignedAttributes),
    ...(tokens.length > 0 ? ['token:signature'] : []),
    ...tokens.flatMap(tokenFeatures),
  ]
}

const nameOf = (dictionary: PdfDictionary, key: string): string => {
  const value = dictionary.entries.get(key)
  return value?.kind === 'name' ? value.value : ''
}

function signatureFeatures(file: PdfFile, { value, lockLevel }: SignatureField): string[] {
  const filter = nameOf(value, 'SubFilter')
  const contents = value.entries.get('Contents')
  const permission = readCertificationLevel(file, value)
  const found = [
    `filter:${filter}`,
    ...(permission === undefined ? [] : [`mdp:${permission}`]),
    ...(readFieldLock(file, value) === undefined ? [] : ['mdp:fields']),
    ...(lockLevel === undefined ? [] : ['mdp:lock']),
  ]
  if (contents?.kind !== 'string') return found
  try {
    const more = filter === 'ETSI.RFC3161' ? ['token:document', ...tokenFeatures(contents.value)] : []
    return [...found, ...(more.length > 0 ? more : cmsFeatures(readSignedCms(contents.value)))]
  } catch (error) {
    if (error instanceof DerError) return found
    throw error
  }
}

/** Numbers of the dictionary /Encrypt of the trailer. */
function encryptionOf(bytes: Uint8Array): string[] {
  const file = openPdf(bytes)
  const dictionary = file.dictionary(file.crossReference.trailer.entries.get('Encrypt'))
  const revision = dictionary?.entries.get('R')
  return revision?.kind === 'number' ? [`crypt:${revision.value}`] : []
}

function fileFeatures(file: PdfFile, catalog: PdfDictionary, fields: readonly SignatureField[]): string[] {
  const text = toLatin1(file.bytes)
  const store = file.dictionary(catalog.entries.get('DSS'))
  const stamps = fields.filter(({ value }) => nameOf(value, 'SubFilter') === 'ETSI.RFC3161').length
  const first = text.indexOf('/ByteRange')
  return [
    ...(/(^|[\r\n])xref[\r\n ]/.test(text) ? ['file:table'] : []),
    ...(/\/Type\s*\/XRef\b/.test(text) ? ['file:stream'] : []),
    ...(/\/XRefStm\b/.test(text) ? ['file:hybrid'] : []),
    ...(/\/Type\s*\/ObjStm\b/.test(text) ? ['file:objects'] : []),
    ...(text.slice(0, Math.max(0, first)).includes('%%EOF') ? ['file:update'] : []),
    ...(text.startsWith('%PDF-2.') ? ['file:2.0'] : []),
    ...encryptionOf(file.bytes),
    ...['Certs', 'OCSPs', 'CRLs', 'VRI'].filter(key => store?.entries.has(key)).map(key => `dss:${key}`),
    ...(findUsageRights(file, catalog) === undefined ? [] : ['mdp:ur3']),
    ...(fields.length - stamps > 1 ? ['later:several'] : []),
    ...(stamps > 1 ? ['token:several'] : []),
  ]
}

/** Empty for a file that cannot be read. */
export function factsOf(bytes: Uint8Array): Facts {
  try {
    const file = openPdf(bytes, { decrypts: true })
    const catalog = file.dictionary(file.crossReference.trailer.entries.get('Root'))
    if (catalog === undefined) return NONE
    const fields = findSignatureFields(file, catalog)
    const signatures = new Map(fields.map(field => [field.name, new Set(signatureFeatures(file, field))]))
    return { file: new Set(fileFeatures(file, catalog, fields)), signatures }
  } catch (error) {
    if (error instanceof PdfSyntaxError) return NONE
    throw error
  }
}
