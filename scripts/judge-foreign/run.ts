/**
 * Prints the verdicts of EU DSS, pyHanko and our verifier on files of other products. All trust the
 * topmost certificates in the file; most have expired, so bytes and form are compared.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { Glob } from 'bun'
import { must } from '../judge-set/process.ts'
import { dssCommand, fetchArtifact, fetchSource, installDss, installPyHanko, PYHANKO } from '../judge-tools/install.ts'
import {
  type Opinion,
  type SurveyedFile,
  surveyByDss,
  surveyByOurselves,
  surveyByPyHanko,
  writeAnchors,
} from '../judge-tools/survey.ts'
import { table } from '../judge-tools/table.ts'
import { COVERAGE_PATH, describeCoverage, findGaps } from './coverage.ts'
import { NOT_VALID_HERE, reasonFor, VALID_HERE } from './reasons.ts'

const ROOT = join(import.meta.dir, '../..')
const TEST_FILES = { group: 'eu.europa.ec.joinup.sd-dss', name: 'dss-pades', version: '6.4' }
const CORPUS = join(ROOT, '../shared/corpus')
const NO_OPINION: Opinion = { kind: 'no answer', words: '' }
const MAKE_MS = 5 * 60_000
const VALID = new Set(['valid', 'valid then', 'valid-changed', 'valid-changed then'])
const ACCEPTED = new Set(['passed', 'intact', 'warns'])

async function fetchTestFiles(here: string, folder: string): Promise<void> {
  const { group, name, version } = TEST_FILES
  const jar = join(folder, `${name}-${version}-tests.jar`)
  if (!existsSync(jar)) await fetchArtifact(here, `${group}:${name}:${version}:jar:tests`, folder)
  const target = join(folder, 'dss-tests')
  mkdirSync(target, { recursive: true })
  await must(['jar', '-xf', jar], { cwd: target })
}

/** The test files of pyHanko, which its source distribution contains: those that are signed. */
async function fetchPyHankoFiles(here: string, folder: string): Promise<void> {
  const target = join(folder, 'pyhanko-tests')
  if (existsSync(target)) return
  const source = await fetchSource(here, 'pyHanko')
  mkdirSync(target, { recursive: true })
  for (const path of new Glob('**/*.pdf').scanSync({ cwd: source, absolute: true })) {
    const bytes = readFileSync(path)
    if (bytes.includes('/ByteRange')) writeFileSync(join(target, basename(path)), bytes)
  }
}

/** The signed files among those of pdf.js. */
const corpusFiles = (): string[] =>
  [...new Glob('*.pdf').scanSync({ cwd: CORPUS, absolute: true })].filter(path => readFileSync(path).includes('/ByteRange'))

/** Has pyHanko and EU DSS sign documents, each in its own folder. Prints what they cannot make. */
async function makeSigned(here: string, folder: string): Promise<void> {
  const makers: Record<string, string[]> = {
    pyhanko: [join(here, 'venv/bin/python'), join(PYHANKO, 'make.py')],
    dss: dssCommand(here, 'Make'),
  }
  for (const [name, command] of Object.entries(makers)) {
    const target = join(folder, name)
    rmSync(target, { recursive: true, force: true })
    const env = { PYTHONDONTWRITEBYTECODE: '1' }
    const { out } = await must([...command, target], { limitMs: MAKE_MS, env })
    if (out !== '') console.error(`Not made by ${name}: ${out.trim()}`)
  }
}

function filesOf(folder: string): SurveyedFile[] {
  const paths = [...new Glob('**/*.pdf').scanSync({ cwd: folder, absolute: true })].sort()
  const anchors = join(folder, 'anchors')
  mkdirSync(anchors, { recursive: true })
  const all = [...paths, ...(existsSync(CORPUS) ? corpusFiles().sort() : [])]
  return all.map(path => {
    const name = path.startsWith(folder) ? relative(folder, path) : relative(join(ROOT, '..'), path)
    const stem = join(anchors, name.replaceAll('/', '_'))
    return { name, path, trustPath: `${stem}.signers.pem`, timeTrustPath: `${stem}.times.pem` }
  })
}

interface Row {
  name: string
  dss: Opinion
  pyHanko: Opinion
  ours: Opinion
}

const isAccepted = ({ dss, pyHanko }: Row): boolean => ACCEPTED.has(dss.kind) && ACCEPTED.has(pyHanko.kind)
const isRefused = ({ dss, pyHanko }: Row): boolean => dss.kind === 'against' || pyHanko.kind === 'against'
const isValid = ({ ours }: Row): boolean => VALID.has(ours.kind)
/** A series of one file in 63 layouts: it counts like one file. */
const isOfSeries = ({ name }: Row): boolean => name.includes('visualSignature/check/')

const wordsOf = (who: string, { kind, words }: Opinion, most: number): string => `    ${who}: ${kind}: ${words.slice(0, most)}`
const details = ({ name, dss, pyHanko, ours }: Row): string =>
  [name, wordsOf('ours', ours, 600), wordsOf('EU DSS', dss, 300), wordsOf('pyHanko', pyHanko, 300)].join('\n')
const NO_REASON = 'NO REASON GIVEN'
const explained = (row: Row, reasons: Readonly<Record<string, string>>): string =>
  `${details(row)}\n    reason: ${reasonFor(row.name, reasons) ?? NO_REASON}`

function count(rows: readonly Row[]): string {
  const [series, others] = [rows.filter(isOfSeries), rows.filter(row => !isOfSeries(row))]
  return `${others.filter(isValid).length} of ${others.length}, and ${series.filter(isValid).length} of ${series.length} of one series`
}

function report(rows: readonly Row[]): string {
  const signed = rows.filter(({ dss, pyHanko }) => dss.kind !== 'none' && pyHanko.kind !== 'none')
  const accepted = signed.filter(isAccepted)
  const others = signed.filter(row => !isAccepted(row))
  const refused = others.filter(row => isValid(row) && isRefused(row))
  return [
    table(
      ['file', 'EU DSS', 'pyHanko', 'ours'],
      signed.map(({ name, dss, pyHanko, ours }) => [name, dss.kind, pyHanko.kind, ours.kind]),
    ),
    `${rows.length - signed.length} more files hold no signature. "then": at the time of signing, for a certificate has expired since.`,
    `\nValid here of the files whose bytes and form EU DSS and pyHanko both accept: ${count(accepted)}. The others:`,
    ...accepted.filter(row => !isValid(row)).map(row => explained(row, NOT_VALID_HERE)),
    `\nValid here though one of them speaks against it: ${refused.length}`,
    ...refused.map(row => explained(row, VALID_HERE)),
    '\nAll others that are not accepted by both:',
    ...others.filter(row => !refused.includes(row)).map(details),
  ].join('\n')
}

/** What the outside judges said of each file. @throws Error with the words of an installer */
async function askOthers(
  here: string,
  names: readonly string[],
): Promise<{ file: SurveyedFile; dss: Opinion; pyHanko: Opinion }[]> {
  const folder = join(here, 'foreign')
  mkdirSync(folder, { recursive: true })
  for (const why of [await installDss(here), await installPyHanko(here)]) if (why !== undefined) throw new Error(why)
  await fetchTestFiles(here, folder)
  await fetchPyHankoFiles(here, folder)
  await makeSigned(here, folder)
  const files = filesOf(folder).filter(({ name }) => names.length === 0 || names.some(part => name.includes(part)))
  console.error(`${files.length} files`)
  await writeAnchors(here, files)
  const [dss, pyHanko] = [await surveyByDss(here, files), await surveyByPyHanko(here, files)]
  return files.map((file, i) => ({ file, dss: dss[i] ?? NO_OPINION, pyHanko: pyHanko[i] ?? NO_OPINION }))
}

function checkCoverage(text: string, isWritten: boolean): boolean {
  if (isWritten) writeFileSync(COVERAGE_PATH, text)
  const isTrue = existsSync(COVERAGE_PATH) && readFileSync(COVERAGE_PATH, 'utf8') === text
  if (!isTrue) console.log(`${COVERAGE_PATH} is not true any more: --coverage writes it`)
  const gaps = findGaps()
  for (const gap of gaps) console.log(gap)
  return isTrue && gaps.length === 0
}

export interface ForeignOptions {
  /** Folder of everything fetched and made. */
  here: string
  /** Starts a child of the product that reads PDFs. */
  command: string[]
  /** Only files whose name holds one of these; empty: all. */
  names: readonly string[]
  /** Takes the outside judges' answers of the last run. */
  isOursAlone: boolean
  /** Writes COVERAGE.md instead of comparing it. */
  writesCoverage: boolean
}

/** True when every judge was available, every file has a verdict and every difference a reason. */
export async function judgeForeign({ here, command, names, isOursAlone, writesCoverage }: ForeignOptions): Promise<boolean> {
  const answersPath = join(here, 'foreign.json')
  const answers: Awaited<ReturnType<typeof askOthers>> = isOursAlone
    ? JSON.parse(readFileSync(answersPath, 'utf8'))
    : await askOthers(here, names)
  if (!isOursAlone) writeFileSync(answersPath, JSON.stringify(answers))
  const ours = await surveyByOurselves(
    answers.map(({ file }) => file),
    { command, isThenToo: true },
  )
  const rows = answers.map(({ file, dss, pyHanko }, i) => ({ name: file.name, dss, pyHanko, ours: ours[i] ?? NO_OPINION }))
  const text = report(rows)
  writeFileSync(join(here, 'foreign.txt'), `${text}\n`)
  console.log(text)
  const isCovered =
    names.length > 0 ||
    checkCoverage(describeCoverage(answers.map(({ file }, i) => ({ ...file, ours: ours[i] ?? NO_OPINION }))), writesCoverage)
  return isCovered && rows.every(one => one.ours.kind !== 'FAILED') && !text.includes(NO_REASON)
}
