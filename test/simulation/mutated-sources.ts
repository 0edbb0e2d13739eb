/** The sources of the product with one mend taken out. */
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLUSTER_MUTATIONS } from './cluster-mutations.ts'
import { type Edit, MUTATIONS, type Mutation } from './mutations.ts'
import { SENDER_MUTATIONS } from './sender-mutations.ts'

const ROOT = join(import.meta.dir, '../..')
const COPIED = ['src', 'views', 'migrations', 'test', 'scripts', '.built', 'package.json', 'tsconfig.json', 'bunfig.toml']

export const ALL_MUTATIONS: readonly Mutation[] = [...MUTATIONS, ...SENDER_MUTATIONS, ...CLUSTER_MUTATIONS]

/**
 * Makes a copy of the sources with the mutation, in which packages are a link. The caller removes
 * the folder.
 */
export function mutatedSources(name: string): string {
  const mutation = ALL_MUTATIONS.find(each => each.name === name)
  if (!mutation) throw new Error(`there is no mutation “${name}”`)
  const folder = mkdtempSync(join(tmpdir(), 'signet-mutation-'))
  for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, text] of mutatedTexts(mutation)) writeFileSync(join(folder, 'src', file), text)
  return folder
}

/** By file. @throws Error if the mutation does not fit the source any more */
export function mutatedTexts(mutation: Mutation): [file: string, text: string][] {
  const { name, also } = mutation
  return [mutation, ...(also ? [also] : [])].map(edit => [edit.file, editedText(name, edit)])
}

function editedText(name: string, { file, find, replace }: Edit): string {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8')
  if (text.split(find).length !== 2) throw new Error(`the mutation “${name}” does not fit ${file} any more`)
  return text.replace(find, () => replace)
}
