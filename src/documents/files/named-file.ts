/** The files of a document with the names under which they are downloaded and mailed. */
import type { Document } from '../../core/document/document.ts'
import { languageOf } from '../../core/language.ts'
import type { Db } from '../../db/open.ts'
import type { FileKind } from '../../locales/evidence.ts'
import { catalogueOf } from '../../locales/index.ts'
import { readOrganisation } from '../../settings/organisation.ts'

export interface NamedFile {
  /** Undefined before there is such a file. */
  sha256: string | undefined
  fileName: string
}

const stemOf = ({ fileName }: Pick<Document, 'fileName'>) => fileName.replace(/\.pdf$/i, '')

const EXTENSIONS: Record<FileKind, string> = { signed: 'pdf', unsealed: 'pdf', evidence: 'zip', receipt: 'eml' }

/** `Lease (signed).pdf` or `Lease (evidence).zip`, in the language of the document. */
export async function fileNameOf(db: Db, document: Document, kind: FileKind): Promise<string> {
  const language = languageOf(document.locale, (await readOrganisation(db)).language)
  const word = catalogueOf(language).evidence.fileNames[kind]
  return `${stemOf(document)} (${word}).${EXTENSIONS[kind]}`
}

export function originalOf(document: Pick<Document, 'fileName' | 'sha256Original'>): NamedFile {
  return { sha256: document.sha256Original, fileName: `${stemOf(document)}.pdf` }
}

export async function sealedOf(db: Db, document: Document): Promise<NamedFile> {
  return { sha256: document.sha256Sealed, fileName: await fileNameOf(db, document, 'signed') }
}

/** The sealed file, else the original. */
export async function newestOf(db: Db, document: Document): Promise<NamedFile> {
  return document.sha256Sealed === undefined ? originalOf(document) : sealedOf(db, document)
}
