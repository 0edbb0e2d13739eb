/**
 * Seals a set of documents at every level and has it judged by who did not make it: `sh scripts/judges [--large] [--every] [--words] [PART OF A NAME]…`. Prints a
 * table. Nobody needs it to build, run or test the product; a judge that is missing is named. Talks to loopback, and to PyPI and Maven Central to fetch two judges.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_TYPES } from '../src/seal/key.ts'
import { type Control, makeControls } from './judge-set/controls.ts'
import { openAuthority, type SealedFile, sealSource } from './judge-set/seal-set.ts'
import { LARGE, SOURCES } from './judge-set/sources.ts'
import { openTimeStampHouse } from './judge-set/time-stamp-authorities.ts'
import { euDss, euDssLater, pyHanko, pyHankoLater } from './judge-tools/fetched.ts'
import { localJudges } from './judge-tools/local.ts'
import type { Judge, Verdict } from './judge-tools/verdict.ts'

const ROOT = join(import.meta.dir, '..')
const HERE = join(ROOT, '.judges')
const SET = join(HERE, 'set')

const words = process.argv.slice(2)
const names = words.filter(word => !word.startsWith('--'))
const SWITCHES = ['--large', '--every', '--words']
const unknown = words.find(word => word.startsWith('--') && !SWITCHES.includes(word))
if (unknown !== undefined) {
  console.error(`${unknown} is not known: [--large] [--every] [--words] [PART OF A NAME]…`)
  process.exit(2)
}

/** Files that were sealed, and documents that could not be. */
interface MadeSet {
  files: SealedFile[]
  failures: string[]
}

async function makeSet(): Promise<MadeSet> {
  rmSync(SET, { recursive: true, force: true })
  mkdirSync(SET, { recursive: true })
  // Keys of a day and other people's programs: never for a commit.
  writeFileSync(join(HERE, '.gitignore'), '*\n')
  const house = await openTimeStampHouse(join(SET, 'time'))
  try {
    const authorities = await Promise.all(KEY_TYPES.map(keyType => openAuthority(SET, keyType, house)))
    const sources = [...SOURCES, ...(words.includes('--large') ? [LARGE] : [])].filter(
      ({ name }) => names.length === 0 || names.some(part => name.includes(part)),
    )
    const made: MadeSet = { files: [], failures: [] }
    for (const [turn, source] of sources.entries()) {
      try {
        const setting = { folder: SET, house, authorities, isEvery: words.includes('--every') }
        made.files.push(...(await sealSource(source, turn, setting)))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        made.failures.push(`${source.name}: ${error.message}`)
      }
    }
    return made
  } finally {
    await house.close()
  }
}

const CELLS: Readonly<Record<Verdict['kind'], string>> = { ok: 'ok', against: 'NO', 'not here': 'not here', 'not asked': '-' }
const cell = (verdict: Verdict | undefined): string => (verdict === undefined ? '' : CELLS[verdict.kind])

interface Column {
  judge: Judge
  verdicts: readonly Verdict[]
}

function print(files: readonly SealedFile[], columns: readonly Column[]): void {
  const head = ['document', 'level', 'key', ...columns.map(({ judge }) => judge.name)]
  const rows = files.map((file, i) => [file.name, file.level, file.keyType, ...columns.map(({ verdicts }) => cell(verdicts[i]))])
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (row: string[]) => row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ')
  console.log(`${[head, widths.map(width => '-'.repeat(width)), ...rows].map(line).join('\n')}\n`)
}

/** What judges said against files, each sentence once. */
function printWords(files: readonly SealedFile[], columns: readonly Column[]): void {
  for (const { judge, verdicts } of columns) {
    const absent = verdicts.find(verdict => verdict.kind === 'not here')
    if (absent !== undefined) console.log(`${judge.name} is not here: ${absent.why}`)
    const said = new Map<string, string[]>()
    for (const [i, verdict] of verdicts.entries()) {
      const file = files[i]
      if (verdict.kind !== 'against' || file === undefined) continue
      said.set(verdict.words, [...(said.get(verdict.words) ?? []), `${file.name} ${file.level} ${file.keyType}`])
    }
    for (const [text, where] of said) console.log(`${judge.name}: ${text}\n    on ${where.join(', ')}`)
  }
}

/** Judges that are here and let a file pass that must not, as sentences. */
function blindJudges(controls: readonly Control[], columns: readonly Column[]): string[] {
  return controls.flatMap(({ file, refusedBy }, i) =>
    columns
      .filter(({ judge, verdicts }) => refusedBy.includes(judge.name) && verdicts[i]?.kind === 'ok')
      .map(({ judge }) => `${judge.name} lets pass what must not: ${file.name} ${file.level} ${file.keyType}`),
  )
}

const { files, failures } = await makeSet()
console.error(`${files.length} files sealed in ${SET}`)
const controls = makeControls(files)
const judges = [
  ...localJudges({ folder: join(SET, 'work'), command: [process.execPath, join(ROOT, 'src/main.ts')] }),
  pyHanko(HERE),
  pyHankoLater(HERE),
  euDss(HERE),
  euDssLater(HERE),
]
const columns: Column[] = []
const controlColumns: Column[] = []
for (const judge of judges) {
  console.error(judge.name)
  const verdicts = await judge.judge([...files, ...controls.map(({ file }) => file)])
  columns.push({ judge, verdicts: verdicts.slice(0, files.length) })
  controlColumns.push({ judge, verdicts: verdicts.slice(files.length) })
}
print(files, columns)
printWords(files, columns)
console.log('Controls, which must not pass:\n')
const broken = controls.map(({ file }) => file)
print(broken, controlColumns)
if (words.includes('--words')) printWords(broken, controlColumns)
const faults = [...failures.map(failure => `Could not be sealed: ${failure}`), ...blindJudges(controls, controlColumns)]
for (const fault of faults) console.log(fault)
const isAgainst = columns.some(({ verdicts }) => verdicts.some(verdict => verdict.kind === 'against'))
if (isAgainst || faults.length > 0 || files.length === 0) process.exit(1)
