/** Fetches the judges from PyPI and Maven Central once, in pinned versions, into one folder. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHere, must } from '../judge-set/process.ts'

const INSTALL_MS = 8 * 60_000
const MAVEN_DEPENDENCY_PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'
const SCRIPTS = join(import.meta.dir, '..')
export const PYHANKO = join(SCRIPTS, 'judge-pyhanko')
const DSS = join(SCRIPTS, 'judge-dss')
const DSS_TOOLS = ['java', 'javac', 'mvn']

/** Runs `install` unless it ran for the same texts. @throws Error with the installer's output */
async function once(mark: string, texts: string, install: () => Promise<void>): Promise<void> {
  // Installed files contain their own path: install again into a folder that was moved.
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

/** Why pyHanko cannot be asked; undefined when it can. */
export async function installPyHanko(folder: string): Promise<string | undefined> {
  if (!isHere('python3')) return 'python3 not installed'
  const [venv, requirements] = [join(folder, 'venv'), join(PYHANKO, 'requirements.txt')]
  return tried(() =>
    once(join(folder, 'venv.installed'), readFileSync(requirements, 'utf8'), async () => {
      await must(['python3', '-m', 'venv', '--clear', venv], { limitMs: INSTALL_MS })
      await must([join(venv, 'bin/pip'), 'install', '--quiet', '--requirement', requirements], { limitMs: INSTALL_MS })
    }),
  )
}

/** A package's unpacked source distribution, pinned. @throws Error with pip's output */
export async function fetchSource(folder: string, name: string): Promise<string> {
  const line = readFileSync(join(PYHANKO, 'requirements.txt'), 'utf8')
    .split('\n')
    .find(one => one.toLowerCase().startsWith(`${name.toLowerCase()}==`))
  const target = join(folder, 'source', name)
  mkdirSync(target, { recursive: true })
  const options = ['--quiet', '--no-deps', '--no-binary', name, '--dest', target]
  await must([join(folder, 'venv/bin/pip'), 'download', ...options, line ?? name], { limitMs: INSTALL_MS })
  for (const archive of readdirSync(target).filter(one => one.endsWith('.tar.gz')))
    await must(['tar', '-xzf', archive], { cwd: target })
  return target
}

const maven = (folder: string, ...args: string[]): string[] => [
  'mvn',
  '-B',
  '-q',
  `-Dmaven.repo.local=${join(folder, 'm2')}`,
  ...args,
]

/** The command that starts a driver of EU DSS, its arguments behind it. */
export function dssCommand(folder: string, driver: string): string[] {
  const classPath = `${join(folder, 'dss')}:${readFileSync(join(folder, 'dss.classpath'), 'utf8').trim()}`
  return ['java', '-Xmx4g', '-cp', classPath, driver]
}

/** Fetches EU DSS and compiles its drivers. Why it cannot be asked; undefined when it can. */
export async function installDss(folder: string): Promise<string | undefined> {
  const gone = DSS_TOOLS.filter(program => !isHere(program))
  if (gone.length > 0) return `${gone.join(', ')} not installed`
  const [classes, pom, path] = [join(folder, 'dss'), join(DSS, 'pom.xml'), join(folder, 'dss.classpath')]
  const sources = readdirSync(DSS)
    .filter(name => name.endsWith('.java'))
    .map(name => join(DSS, name))
  const texts = [MAVEN_DEPENDENCY_PLUGIN, ...[pom, ...sources].map(file => readFileSync(file, 'utf8'))].join('\n')
  return tried(() =>
    once(join(folder, 'dss.installed'), texts, async () => {
      mkdirSync(classes, { recursive: true })
      const options = ['-f', pom, `-Dmdep.outputFile=${path}`]
      await must(maven(folder, ...options, `${MAVEN_DEPENDENCY_PLUGIN}:build-classpath`), { limitMs: INSTALL_MS })
      await must(['javac', '-nowarn', '-cp', readFileSync(path, 'utf8'), '-d', classes, ...sources], { limitMs: INSTALL_MS })
    }),
  )
}

/** Copies `group:name:version:type:classifier` from Maven. @throws Error with Maven's output */
export async function fetchArtifact(folder: string, artifact: string, target: string): Promise<void> {
  const options = [`-Dartifact=${artifact}`, `-DoutputDirectory=${target}`]
  await must(maven(folder, `${MAVEN_DEPENDENCY_PLUGIN}:copy`, ...options), { limitMs: INSTALL_MS })
}
