/** The files of the corpus: seeds, what readers need beside them, and inputs that were found. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../src/lib/sha256.ts'
import type { Target } from './target.ts'

export const CORPUS = join(import.meta.dir, 'corpus')
/** Real PDFs, which are not part of the repository. */
export const SHARED_CORPUS = join(import.meta.dir, '../../../shared/corpus')
const MAX_SHARED_BYTES = 40_000

export interface CorpusFile {
  /** Below the folder of the corpus. */
  name: string
  bytes: Uint8Array
}

function filesIn(folder: string): CorpusFile[] {
  const path = join(CORPUS, folder)
  if (!existsSync(path)) return []
  const names = readdirSync(path).sort()
  return names.map(name => ({ name: `${folder}/${name}`, bytes: new Uint8Array(readFileSync(join(path, name))) }))
}

const FOUND = 'found-'

/** The files of these folders that nobody has changed. */
export const seedsIn = (...folders: string[]): CorpusFile[] =>
  folders.flatMap(filesIn).filter(({ name }) => !name.includes(`/${FOUND}`))

/** Those that the repository keeps: its seeds, and what was found earlier. */
export function keptInputs({ name, seeds }: Pick<Target, 'name' | 'seeds'>): CorpusFile[] {
  return [...new Set([...seeds, name])].flatMap(filesIn)
}

/** Small ones, in the order of their names. */
export function sharedPdfs(): CorpusFile[] {
  if (!existsSync(SHARED_CORPUS)) return []
  const names = readdirSync(SHARED_CORPUS).filter(name => name.endsWith('.pdf'))
  const small = names.filter(name => statSync(join(SHARED_CORPUS, name)).size <= MAX_SHARED_BYTES).sort()
  return small.map(name => ({ name: `shared/${name}`, bytes: new Uint8Array(readFileSync(join(SHARED_CORPUS, name))) }))
}

/** Returns the path of the new file. */
export function keep(target: string, bytes: Uint8Array): string {
  const folder = join(CORPUS, target)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${FOUND}${sha256Hex(bytes).slice(0, 12)}`)
  writeFileSync(path, bytes)
  return path
}

/** What readers need beside their input: a key, a certificate, the bytes that were signed. */
export const besides = (name: string): Buffer => readFileSync(join(CORPUS, 'besides', name))

/** At this time all certificates of the corpus are valid. */
export const CORPUS_TIME = new Date('2026-11-27T12:00:00Z')
