/** The text of the project's source files, for tests of their rules. */
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')

export interface Source {
  path: string
  text: string
  /** Without comments: the rules of place are about code. */
  code: string
  imports: string[]
}

/** Relative imports as paths from the root, packages by their name. */
export function importsOf(path: string, code: string): string[] {
  const patterns = [
    /\b(?:import|export)\s[^'";]*?\bfrom\s*['"]([^'"]+)['"]/g,
    /\bimport\s*['"]([^'"]+)['"]/g,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
    /\brequire\(\s*['"]([^'"]+)['"]/g,
  ]
  const found = patterns.flatMap(pattern => [...code.matchAll(pattern)].map(match => match[1] ?? ''))
  return found.map(name => (name.startsWith('.') ? normalize(join(dirname(path), name)) : name))
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
}

export function sourcesIn(folder: string): Source[] {
  const paths = [...new Bun.Glob('**/*.{ts,tsx}').scanSync({ cwd: join(ROOT, folder) })].sort()
  return paths.map(name => {
    const path = join(folder, name)
    const text = readFileSync(join(ROOT, path), 'utf8')
    const code = withoutComments(text)
    return { path, text, code, imports: importsOf(path, code) }
  })
}
