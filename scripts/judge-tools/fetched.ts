/**
 * The judges from PyPI and Maven Central: pyHanko and EU DSS. Without their registry, Python or
 * Java they cannot be asked, and the reason is printed.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../judge-set/process.ts'
import type { SealedFile } from '../judge-set/seal-set.ts'
import { dssCommand, installDss, installPyHanko, PYHANKO } from './install.ts'
import { against, type Judge, OK, type Verdict } from './verdict.ts'

const notHere = (files: readonly SealedFile[], why: string): Verdict[] => files.map(() => ({ kind: 'not here', why }))

/** A minute, and ten seconds for each file and each 10 MB: ten times what a judge has needed. */
const limitFor = (files: readonly SealedFile[]): number =>
  60_000 + files.reduce((sum, { path }) => sum + 10_000 + Bun.file(path).size / 1000, 0)

/** The last output of a program that ended before it had answered about every file. */
const cutShort = (text: string): Verdict => against(`it ended early: ${text.slice(-300)}`)

async function askPyHanko(folder: string, files: readonly SealedFile[], later?: Date): Promise<Verdict[]> {
  const list = join(folder, 'pyhanko.list')
  writeFileSync(list, files.map(file => `${JSON.stringify(file)}\n`).join(''))
  const command = `exec "$0" "$@" < '${list}'`
  const driver = [join(folder, 'venv/bin/python'), join(PYHANKO, 'judge.py'), ...(later ? [String(later.getTime())] : [])]
  const { out, text } = await run(['sh', '-c', command, ...driver], { limitMs: limitFor(files) })
  const lines = out.split('\n').filter(line => line !== '')
  return files.map((_, i) => {
    const line = lines[i]
    if (line === undefined) return cutShort(text)
    const words: string[] = JSON.parse(line)
    return words.length === 0 ? OK : against(words.join('; '))
  })
}

/** `bottom_line`, coverage and what followed the seal. */
export function pyHanko(folder: string): Judge {
  return {
    name: 'pyHanko',
    async judge(files) {
      const why = await installPyHanko(folder)
      return why === undefined ? askPyHanko(folder, files) : notHere(files, why)
    },
  }
}

async function askDss(folder: string, files: readonly SealedFile[], at: Date, log: string): Promise<Verdict[]> {
  const row = (file: SealedFile) =>
    [file.path, file.level, file.subFilter, file.ownRootPath, file.timeRootPath, file.ownListPath, file.timeListPath].join('\t')
  const list = join(folder, 'dss.list')
  writeFileSync(list, files.map(file => `${row(file)}\n`).join(''))
  const command = [...dssCommand(folder, 'Judge'), list, String(at.getTime())]
  const { out, text } = await run(command, { limitMs: limitFor(files) })
  writeFileSync(join(folder, log), text)
  const verdicts = [...out.matchAll(/^verdict\t(.*)$/gm)].map(([, words = '']) => words)
  return files.map((_, i) => {
    const words = verdicts[i]
    if (words === undefined) return cutShort(text)
    return words === '' ? OK : against(words)
  })
}

/** DSS's own policy; its warnings are kept in `dss.log`. */
export function euDss(folder: string): Judge {
  return {
    name: 'EU DSS',
    async judge(files) {
      const why = await installDss(folder)
      return why === undefined ? askDss(folder, files, new Date(), 'dss.log') : notHere(files, why)
    },
  }
}

/** Longer than the sealing certificate is valid, and less long than the time-stamps' is. */
const LATER_YEARS = 6

/** Asks about a day after the sealing certificate has expired: long-term levels must still pass. */
function later({ name, judge }: Judge, ask: (files: readonly SealedFile[], at: Date) => Promise<Verdict[]>): Judge {
  return {
    name: `${name} in ${LATER_YEARS} years`,
    async judge(files) {
      const asked = files.filter(({ level }) => level === 'B-LT' || level === 'B-LTA')
      const [first] = await judge(asked.slice(0, 1))
      const at = new Date()
      at.setUTCFullYear(at.getUTCFullYear() + LATER_YEARS)
      const verdicts = first === undefined || first.kind === 'not here' ? asked.map(() => first) : await ask(asked, at)
      return files.map(file => verdicts[asked.indexOf(file)] ?? { kind: 'not asked' })
    },
  }
}

export const pyHankoLater = (folder: string): Judge => later(pyHanko(folder), (files, at) => askPyHanko(folder, files, at))
export const euDssLater = (folder: string): Judge =>
  later(euDss(folder), (files, at) => askDss(folder, files, at, 'dss-later.log'))
