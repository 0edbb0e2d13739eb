/**
 * Seals documents at every level and asks other products about them. Prints a table.
 * Connects to loopback, and to PyPI and Maven Central to fetch two judges.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { KEY_TYPES } from '../../src/pki/key.ts'
import { euDss, euDssLater, pyHanko, pyHankoLater } from '../judge-tools/fetched.ts'
import { firefox } from '../judge-tools/firefox.ts'
import { localJudges } from '../judge-tools/local.ts'
import type { Judge, Verdict } from '../judge-tools/verdict.ts'
import { type Control, makeControls } from './controls.ts'
import { openAuthority, type SealedFile, sealSource } from './seal-set.ts'
import { LARGE, SOURCES } from './sources.ts'
import { openTimestampAuthorityServer } from './time-stamp-authorities.ts'

export interface SealedOptions {
  /** Folder of everything fetched and made. */
  here: string
  /** The product. */
  command: string[]
  /** Only documents whose name holds one of these; empty: all. */
  names: readonly string[]
  /** Also a document of 100 MB. */
  isLarge: boolean
  /** Each document at each level with each key. */
  isEvery: boolean
  /** Prints what is said of the files that must not pass. */
  showsWords: boolean
}

/** Files that were sealed, and documents that could not be. */
interface MadeSet {
  files: SealedFile[]
  failures: string[]
}

async function makeSet(folder: string, { names, isLarge, isEvery }: SealedOptions): Promise<MadeSet> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const authorityServer = await openTimestampAuthorityServer(join(folder, 'time'))
  try {
    const authorities = await Promise.all(KEY_TYPES.map(keyType => openAuthority(folder, keyType, authorityServer)))
    const sources = [...SOURCES, ...(isLarge ? [LARGE] : [])].filter(
      ({ name }) => names.length === 0 || names.some(part => name.includes(part)),
    )
    const made: MadeSet = { files: [], failures: [] }
    for (const [turn, source] of sources.entries()) {
      try {
        const setting = { folder, authorityServer, authorities, isEvery }
        made.files.push(...(await sealSource(source, turn, setting)))
      } catch (error) {
        if (!(error instanceof Error)) throw error
        made.failures.push(`${source.name}: ${error.message}`)
      }
    }
    return made
  } finally {
    await authorityServer.close()
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
  return controls.flatMap(({ file, refusedBy, isTrustAlone = false }, i) =>
    columns
      .filter(({ judge }) => !isTrustAlone || judge.withoutTrust === undefined)
      .filter(({ judge, verdicts }) => refusedBy.includes(judge.name) && verdicts[i]?.kind === 'ok')
      .map(({ judge }) => `${judge.name} lets pass what must not: ${file.name} ${file.level} ${file.keyType}`),
  )
}

/** The judges that cannot be asked here, each named once, as sentences. */
const missingJudges = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ judge, verdicts }) => {
    const absent = verdicts.find(verdict => verdict.kind === 'not here')
    return absent === undefined ? [] : [`${judge.name} was not asked: ${absent.why}`]
  })

/** Prints the tables. True when every judge was asked and none disagrees. */
export async function judgeSealed(options: SealedOptions): Promise<boolean> {
  const { here, command, showsWords } = options
  const folder = join(here, 'set')
  const { files, failures } = await makeSet(folder, options)
  console.error(`${files.length} files sealed in ${folder}`)
  const controls = makeControls(files)
  const judges = [
    ...localJudges({ folder: join(folder, 'work'), command }),
    firefox(join(folder, 'work')),
    pyHanko(here),
    pyHankoLater(here),
    euDss(here),
    euDssLater(here),
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
  for (const { withoutTrust } of judges) if (withoutTrust !== undefined) console.log(withoutTrust)
  printWords(files, columns)
  console.log('Controls, which must not pass:\n')
  const broken = controls.map(({ file }) => file)
  print(broken, controlColumns)
  if (showsWords) printWords(broken, controlColumns)
  const errors = [
    ...failures.map(failure => `Could not be sealed: ${failure}`),
    ...blindJudges(controls, controlColumns),
    ...missingJudges(columns),
  ]
  for (const error of errors) console.log(error)
  const isAgainst = columns.some(({ verdicts }) => verdicts.some(verdict => verdict.kind === 'against'))
  return !isAgainst && errors.length === 0 && files.length > 0
}
