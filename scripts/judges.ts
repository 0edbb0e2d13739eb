/**
 * Asks other products and our verifier about files sealed here, with `--foreign` about files of
 * other products, with `--attacks` about manipulated files; with `--browser` our verifier in
 * Chromium. Exit 1: one disagrees or is missing.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
const HERE = join(ROOT, '.judges')
const PRODUCT = [process.execPath, join(ROOT, 'src/main.ts')]
const CHILD = [...PRODUCT, '__pdf-child']

const words = process.argv.slice(2)
const names = words.filter(word => !word.startsWith('--'))
const USAGE = '[--large] [--every] [--words] | --foreign [--ours] [--coverage] | --attacks | --browser, then [PART OF A NAME]…'
const SWITCHES = ['--large', '--every', '--words', '--foreign', '--ours', '--coverage', '--attacks', '--browser']
const unknown = words.find(word => word.startsWith('--') && !SWITCHES.includes(word))
if (unknown !== undefined) {
  console.error(`${unknown} is not known: ${USAGE}`)
  process.exit(2)
}

async function judge(): Promise<boolean> {
  if (words.includes('--foreign')) {
    const { judgeForeign } = await import('./judge-foreign/run.ts')
    return judgeForeign({
      here: HERE,
      command: CHILD,
      names,
      isOursAlone: words.includes('--ours'),
      writesCoverage: words.includes('--coverage'),
    })
  }
  if (words.includes('--attacks')) {
    const { judgeAttacks } = await import('./judge-attacks/run.ts')
    return judgeAttacks({ here: HERE, command: CHILD, names })
  }
  if (words.includes('--browser')) {
    const { judgeBrowser } = await import('./judge-browser/run.ts')
    return judgeBrowser({ here: HERE, names })
  }
  const { judgeSealed } = await import('./judge-set/judge-sealed.ts')
  return judgeSealed({
    here: HERE,
    command: PRODUCT,
    names,
    isLarge: words.includes('--large'),
    isEvery: words.includes('--every'),
    showsWords: words.includes('--words'),
  })
}

mkdirSync(HERE, { recursive: true })
// Temporary keys and fetched programs: never commit them.
writeFileSync(join(HERE, '.gitignore'), '*\n')
if (!(await judge())) process.exit(1)
