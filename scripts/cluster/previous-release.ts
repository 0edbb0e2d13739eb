/** The real executable of the release before, built from its commit and kept by its hash. */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../test/support/executable.ts'
import { runToEnd } from './programs.ts'

/** Set at each release to the commit of the one before. */
const PREVIOUS = 'e07f629fdd1727348d9c17e5cd439eb9495a7bdc'

const KEPT = join(ROOT, '.tools/releases')

const sha256Of = (path: string) => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex')

/** `PREVIOUS` in the environment names another commit. Answers the path of the executable. */
export async function previousRelease(): Promise<{ executable: string; commit: string }> {
  const commit = await commitOf(process.env.PREVIOUS ?? PREVIOUS)
  const folder = join(KEPT, commit)
  const executable = join(folder, 'signet')
  const hashFile = join(folder, 'signet.sha256')
  const isKept = existsSync(hashFile) && existsSync(executable) && sha256Of(executable) === readFileSync(hashFile, 'utf8')
  if (!isKept) {
    console.log(`building the release of ${commit.slice(0, 10)}`)
    mkdirSync(folder, { recursive: true })
    await build(commit, executable)
    writeFileSync(hashFile, sha256Of(executable))
  }
  return { executable, commit }
}

async function commitOf(name: string): Promise<string> {
  const found = await runToEnd(['git', 'rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: ROOT }).catch(() => '')
  if (found === '') throw new Error(`the commit ${name} is not in this clone: fetch its history (git fetch --unshallow)`)
  return found.trim()
}

/** With the packages of its own lock file. */
async function build(commit: string, to: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-release-'))
  try {
    const archive = join(folder, 'sources.tar')
    await runToEnd(['git', 'archive', '--output', archive, commit], { cwd: ROOT })
    await runToEnd(['tar', '-xf', archive], { cwd: folder })
    const lock = 'bun.lock'
    const hasSamePackages = readFileSync(join(folder, lock), 'utf8') === readFileSync(join(ROOT, lock), 'utf8')
    if (hasSamePackages) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    else await runToEnd([process.execPath, 'install', '--frozen-lockfile', '--silent'], { cwd: folder })
    for (const script of ['assets', 'build']) await runToEnd([process.execPath, `scripts/${script}.ts`], { cwd: folder })
    copyFileSync(join(folder, 'dist/signet'), to, constants.COPYFILE_FICLONE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) console.log((await previousRelease()).executable)
