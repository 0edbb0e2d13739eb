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

/** Imports of types disappear when the code is built. */
function withoutTypes(code: string): string {
  return code
    .replace(/\b(import|export) type\s[^'"=]*?\bfrom\s*['"][^'"]+['"]/g, '')
    .replace(/\b(?:import|export)\s*\{(\s*type \w+( as \w+)?,?)+\s*\}\s*from\s*['"][^'"]+['"]/g, '')
}

/** Imports of values that are made when the file is loaded. */
export function valueImports({ path, code }: Source): string[] {
  return importsOf(path, withoutTypes(code).replace(/\bimport\(\s*['"][^'"]+['"]\s*\)/g, ''))
}

/** Imports of values, also those that wait until they are needed. */
export const loadedImports = ({ path, code }: Source): string[] => importsOf(path, withoutTypes(code))

/** The file and all that it may ever load. */
export function loadedFrom(start: string, sources: readonly Source[]): Set<string> {
  const byPath = new Map(sources.map(source => [source.path, source]))
  const found = new Set<string>()
  const visit = (path: string) => {
    const source = byPath.get(path)
    if (!source || found.has(path)) return
    found.add(path)
    loadedImports(source).forEach(visit)
  }
  visit(start)
  return found
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
