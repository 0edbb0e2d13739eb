/** Builds the executable of an invented later release: this one with more migrations. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../test/support/executable.ts'
import { runToEnd } from './programs.ts'

export interface AddedMigration {
  name: string
  sql: string
  /** That only this schema and later ones may write from then on. */
  isLastOfOld?: boolean
}

const COPIED = ['src', 'views', 'migrations', 'scripts', '.built', 'package.json', 'tsconfig.json', 'bunfig.toml']

/** Answers the path of the executable. */
export async function buildLaterRelease(folder: string, added: AddedMigration[]): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const path = join(folder, 'migrations/index.ts')
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const newest = Math.max(...lines.map(line => Number(/version: (\d+)/.exec(line)?.[1] ?? 0)))
  if (lines.pop() !== ']') throw new Error('the list of migrations has another form')
  for (const [i, { name, sql, isLastOfOld }] of added.entries()) {
    const version = newest + 1 + i
    const oldest = isLastOfOld ? `, oldestWriter: ${version}` : ''
    lines.push(`  { version: ${version}, name: '${name}', sql: ${JSON.stringify(sql)}${oldest} },`)
  }
  writeFileSync(path, [...lines, ']', ''].join('\n'))
  await runToEnd([process.execPath, 'scripts/build.ts'], { cwd: folder })
  return join(folder, 'dist/signet')
}
