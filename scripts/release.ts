/** Makes the files of a release and tries the executable of this machine. `--only PLATFORM…`. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { version } from '../package.json'
import { compile, PLATFORMS, type Platform } from './compile.ts'
import { sbom } from './sbom.ts'

const FOLDER = 'dist/release'
const ROOT = join(import.meta.dir, '..')

/** What is known of a platform that the trial cannot show. */
const LIMITS: Record<Platform, string> = {
  'linux-x64': '',
  'linux-arm64': '',
  'linux-x64-musl': 'children have no system call filter there; serve and doctor say so',
  'darwin-arm64': 'children have no system call filter there; serve and doctor say so; not notarised by Apple',
  'windows-x64': 'verifies PDFs; signet serve refuses to start there, because it cannot close its files to other users',
}

const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const nameOf = (platform: Platform) => `signet-${version}-${platform}${PLATFORMS[platform].suffix}`

async function make(path: string, platform: Platform): Promise<string> {
  if (!(await compile(path, platform))) throw new Error(`the build for ${platform} failed`)
  return sha256Of(path)
}

/** The time of the commit, so that a second build of it writes the same file. */
function timeOfSource(): string {
  const { exitCode, stdout } = Bun.spawnSync(['git', 'log', '-1', '--format=%cI'], { cwd: ROOT })
  return exitCode === 0 ? new Date(String(stdout).trim()).toISOString() : new Date().toISOString()
}

function platformHere(): Platform | undefined {
  const isMusl = String(Bun.spawnSync(['ldd', process.execPath]).stdout).includes('musl')
  const name = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
  return name in PLATFORMS ? (name as Platform) : undefined
}

/** Serves in an empty folder with an empty environment until it is healthy; what it saw. */
async function tryExecutable(executable: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'signet-release-'))
  const run = (...args: string[]) => Bun.spawnSync([executable, ...args], { cwd, env: {}, stdin: 'ignore' })
  const service = Bun.spawn([executable, 'serve', '--port', '0'], { cwd, env: {}, stdio: ['ignore', 'ignore', 'ignore'] })
  try {
    const deadline = performance.now() + 30_000
    while (run('health').exitCode !== 0) {
      if (performance.now() > deadline) throw new Error(`${executable} did not become healthy in an empty folder`)
      await Bun.sleep(100)
    }
    const examined = String(run('doctor').stdout)
    const findings = examined.trim().split('\n')
    if (findings.some(line => line.startsWith('error'))) throw new Error(`doctor found errors:\n${examined}`)
    service.kill('SIGTERM')
    if ((await service.exited) !== 0) throw new Error('the service did not end in order')
    const warnings = findings.filter(line => line.startsWith('warning')).length
    return `served from an empty folder with an empty environment; doctor: ${findings.length} findings, ${warnings} warnings, no error`
  } finally {
    service.kill('SIGKILL')
    await service.exited
    rmSync(cwd, { recursive: true, force: true })
  }
}

function selected(args: string[]): Platform[] {
  const all = Object.keys(PLATFORMS) as Platform[]
  if (args[0] !== '--only') return all
  const unknown = args.slice(1).filter(name => !(name in PLATFORMS))
  if (unknown.length > 0) throw new Error(`there is no platform ${unknown.join(', ')}; there are ${all.join(', ')}`)
  return all.filter(name => args.includes(name))
}

const platforms = selected(process.argv.slice(2))
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const made: { platform: Platform; name: string; sha256: string }[] = []
for (const platform of platforms) {
  const name = nameOf(platform)
  made.push({ platform, name, sha256: await make(join(FOLDER, name), platform) })
}

const names = [`signet-${version}.cdx.json`, `signet-${version}-licences.txt`]
writeFileSync(join(FOLDER, names[0] ?? ''), `${JSON.stringify(sbom(ROOT, timeOfSource(), made), null, 2)}\n`)
copyFileSync('.built/licences.txt', join(FOLDER, names[1] ?? ''))
const listed = [...made, ...names.map(name => ({ name, sha256: sha256Of(join(FOLDER, name)) }))]
writeFileSync(join(FOLDER, 'SHA256SUMS'), listed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''))

const here = platformHere()
for (const { platform, name } of made) {
  const path = join(FOLDER, name)
  const state = platform === here ? await tryExecutable(join(ROOT, path)) : 'not run: this machine is another platform'
  console.log([`${name}, ${Math.round(statSync(path).size / 1e6)} MB: ${state}`, LIMITS[platform]].filter(Boolean).join('; '))
}
const [first] = made
if (first) {
  // The executable contains its own name.
  const again = join(FOLDER, 'again')
  mkdirSync(again)
  const isSame = (await make(join(again, first.name), first.platform)) === first.sha256
  if (isSame) rmSync(again, { recursive: true })
  console.log(`${first.name} built a second time: ${isSame ? 'the same bytes' : 'OTHER bytes'}`)
}
console.log(`${FOLDER}: ${listed.map(({ name }) => name).join(', ')}, SHA256SUMS`)
