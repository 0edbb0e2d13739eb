/**
 * The judges that come from PyPI and Maven Central, in versions that stand fixed beside their drivers: pyHanko and EU DSS. Where their registry, Python or
 * Java is missing they are not here, and say why. Everything of theirs lies in one folder.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, must, run } from '../judge-set/process.ts'
import type { SealedFile } from '../judge-set/seal-set.ts'
import { against, type Judge, OK, type Verdict } from './verdict.ts'

const INSTALL_MS = 8 * 60_000
const MAVEN_DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const SCRIPTS = join(import.meta.dir, '..')

const notHere = (files: readonly SealedFile[], why: string): Verdict[] => files.map(() => ({ kind: 'not here', why }))

/** A minute, and ten seconds for each file and for each 10 MB: no judge has needed a tenth of it. */
const limitFor = (files: readonly SealedFile[]): number =>
  60_000 + files.reduce((sum, { path }) => sum + 10_000 + Bun.file(path).size / 1000, 0)

/** Runs `install` unless it ran for these very texts before. @throws Error with the installer's words */
async function once(mark: string, texts: string, install: () => Promise<void>): Promise<void> {
  // What is installed holds its own path: a folder that was moved is installed anew.
  const installed = `${mark}\n${texts}`
  if (existsSync(mark) && readFileSync(mark, 'utf8') === installed) return
  await install()
  writeFileSync(mark, installed)
}

/** Installs where it can. Answers why not, where it cannot. */
async function tried(install: () => Promise<void>): Promise<string | undefined> {
  try {
    await install()
    return undefined
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return error.message
  }
}

/** The last words of a program that ended before it had judged everything. */
const cutShort = (text: string): Verdict => against(`it ended early: ${text.slice(-300)}`)

const PYHANKO = join(SCRIPTS, 'judge-pyhanko')

async function installPyHanko(folder: string): Promise<void> {
  const [venv, requirements] = [join(folder, 'venv'), join(PYHANKO, 'requirements.txt')]
  await once(join(folder, 'venv.installed'), readFileSync(requirements, 'utf8'), async () => {
    await must(['python3', '-m', 'venv', '--clear', venv], { limitMs: INSTALL_MS })
    await must([join(venv, 'bin/pip'), 'install', '--quiet', '--requirement', requirements], { limitMs: INSTALL_MS })
  })
}

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
      const why = isHere('python3') ? await tried(() => installPyHanko(folder)) : 'python3 not installed'
      return why === undefined ? askPyHanko(folder, files) : notHere(files, why)
    },
  }
}

/** The class path of the driver and its libraries, fetched and compiled once. */
async function installDss(folder: string): Promise<void> {
  const [driver, classes] = [join(SCRIPTS, 'judge-dss'), join(folder, 'dss')]
  const [pom, source, path] = [join(driver, 'pom.xml'), join(driver, 'Judge.java'), join(folder, 'dss.classpath')]
  const texts = MAVEN_DEPENDENCY_PLUGIN + readFileSync(pom, 'utf8') + readFileSync(source, 'utf8')
  await once(join(folder, 'dss.installed'), texts, async () => {
    mkdirSync(classes, { recursive: true })
    const options = ['-B', '-q', '-f', pom, `-Dmaven.repo.local=${join(folder, 'm2')}`, `-Dmdep.outputFile=${path}`]
    await must(['mvn', ...options, `${MAVEN_DEPENDENCY_PLUGIN}:build-classpath`], { limitMs: INSTALL_MS })
    await must(['javac', '-nowarn', '-cp', readFileSync(path, 'utf8'), '-d', classes, source], { limitMs: INSTALL_MS })
  })
}

const DSS_TOOLS = ['java', 'javac', 'mvn']

async function askDss(folder: string, files: readonly SealedFile[], at: Date, log: string): Promise<Verdict[]> {
  const row = (file: SealedFile) =>
    [file.path, file.level, file.ownRootPath, file.timeRootPath, file.ownListPath, file.timeListPath].join('\t')
  const list = join(folder, 'dss.list')
  writeFileSync(list, files.map(file => `${row(file)}\n`).join(''))
  const classPath = `${join(folder, 'dss')}:${readFileSync(join(folder, 'dss.classpath'), 'utf8').trim()}`
  const command = ['java', '-Xmx4g', '-cp', classPath, 'Judge', list, String(at.getTime())]
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
      const gone = DSS_TOOLS.filter(program => !isHere(program))
      const why = gone.length > 0 ? `${gone.join(', ')} not installed` : await tried(() => installDss(folder))
      return why === undefined ? askDss(folder, files, new Date(), 'dss.log') : notHere(files, why)
    },
  }
}

/** Longer than the sealing certificate is valid, and less long than the time-stamps' is. */
const LATER_YEARS = 6

/** Asks a judge about the day when the sealing certificate is long over: the long-term levels have to pass from what they hold. */
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
