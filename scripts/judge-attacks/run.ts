/**
 * Prints the verdicts of EU DSS, pyHanko and our verifier on the manipulated files of the tests.
 * Fails when ours is `valid` for one of them, or differs from the verdict that the tests require.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Forgery, Kit } from '../../test/support/forged/document.ts'
import { FORGERIES, TOLERATED, UNFORGED } from '../../test/support/forged-files.ts'
import { installDss, installPyHanko } from '../judge-tools/install.ts'
import { type Opinion, type SurveyedFile, surveyByDss, surveyByOurselves, surveyByPyHanko } from '../judge-tools/survey.ts'
import { table } from '../judge-tools/table.ts'

export interface AttackOptions {
  /** Folder of everything fetched and made. */
  here: string
  /** Starts a child of the product that reads PDFs. */
  command: string[]
  /** Only forgeries whose source or name holds one of these; empty: all. */
  names: readonly string[]
}

interface Row {
  forgery: Forgery
  dss: Opinion
  pyHanko: Opinion
  ours: Opinion
}

const NO_OPINION: Opinion = { kind: 'no answer', words: '' }
/** Verdicts of the others that let a reader trust the file. */
const ACCEPTS = new Set(['passed', 'intact'])

function write(folder: string, kit: Kit, { make, trust }: Forgery, index: number): SurveyedFile {
  const stem = join(folder, String(index).padStart(3, '0'))
  const file = { name: String(index), path: `${stem}.pdf`, trustPath: `${stem}.signers.pem`, timeTrustPath: `${stem}.times.pem` }
  const { signers, times } = trust?.(kit) ?? kit.trust
  writeFileSync(file.path, make(kit))
  writeFileSync(file.trustPath, signers)
  writeFileSync(file.timeTrustPath, times)
  return file
}

const isAccepted = ({ dss, pyHanko }: Row): boolean => ACCEPTS.has(dss.kind) || ACCEPTS.has(pyHanko.kind)

function details({ forgery, dss, pyHanko, ours }: Row): string {
  const why = forgery.note ?? ours.words
  const says = (who: string, { kind, words }: Opinion) =>
    ACCEPTS.has(kind) ? `    ${who}: ${kind}: ${words.slice(0, 200)}\n` : ''
  return `${forgery.source}: ${forgery.name}\n${says('EU DSS', dss)}${says('pyHanko', pyHanko)}    ours: ${ours.kind}: ${why.slice(0, 300)}`
}

const count = (rows: readonly Row[], is: (row: Row) => boolean): number => rows.filter(is).length

function report(rows: readonly Row[], errors: readonly string[]): string {
  const cells = rows.map(({ forgery, dss, pyHanko, ours }) => [forgery.source, forgery.name, dss.kind, pyHanko.kind, ours.kind])
  const forged = rows.filter(({ forgery }) => FORGERIES.includes(forgery))
  const isTold = ({ forgery, ours }: Row) => !UNFORGED.includes(forgery) && ours.kind !== 'signer-unknown'
  const accepted = rows.filter(row => isAccepted(row) && isTold(row))
  return [
    table(['source', 'what was done', 'EU DSS', 'pyHanko', 'ours'], cells),
    `${forged.length} manipulated files that must not be valid. Bytes and form accepted by EU DSS without a warning: ${count(forged, ({ dss }) => ACCEPTS.has(dss.kind))}, by ` +
      `pyHanko: ${count(forged, ({ pyHanko }) => ACCEPTS.has(pyHanko.kind))}; valid here, also if changed: ${count(forged, ({ ours }) => ours.kind.startsWith('valid'))}.`,
    '\nWhere one of them accepts bytes and form, and our reason:',
    ...accepted.map(details),
    ...(errors.length > 0 ? ['\nNot as the tests expect:', ...errors] : []),
  ].join('\n')
}

/** True when every judge was available and our verdict on each file is the required one. */
export async function judgeAttacks({ here, command, names }: AttackOptions): Promise<boolean> {
  for (const why of [await installDss(here), await installPyHanko(here)]) if (why !== undefined) throw new Error(why)
  const folder = join(here, 'attacks')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isWanted = ({ source, name }: Forgery) => names.length === 0 || names.some(part => `${source}: ${name}`.includes(part))
  const forgeries = [...UNFORGED, ...FORGERIES, ...TOLERATED].filter(isWanted)
  const kit = new Kit()
  const files = forgeries.map((forgery, i) => write(folder, kit, forgery, i + 1))
  console.error(`${files.length} files in ${folder}`)
  const [dss, pyHanko] = [await surveyByDss(here, files), await surveyByPyHanko(here, files)]
  const ours = await surveyByOurselves(files, { command, isThenToo: false })
  const rows = forgeries.map((forgery, i) => ({
    forgery,
    dss: dss[i] ?? NO_OPINION,
    pyHanko: pyHanko[i] ?? NO_OPINION,
    ours: ours[i] ?? NO_OPINION,
  }))
  const unexpected = rows.filter(({ forgery, ours }) => ours.kind !== forgery.verdict)
  const errors = unexpected.map(({ forgery, ours }) => `${forgery.source}: ${forgery.name}: ${ours.kind}, not ${forgery.verdict}`)
  const text = report(rows, errors)
  writeFileSync(join(here, 'attacks.txt'), `${text}\n`)
  console.log(text)
  return errors.length === 0
}
