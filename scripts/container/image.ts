/** Builds the image with the first builder that answers, or runs its layout without one. */
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../../package.json'
import { readRecipe } from './recipe.ts'
import { tryLayout } from './try-layout.ts'

const CONTEXT = 'dist/container'
const RECIPE = 'scripts/container/Containerfile'
const UID = 65_532

/** A command that exits 0 where the builder works, and the one that builds. */
const BUILDERS = [
  { name: 'docker', ask: ['docker', 'info'], build: ['docker', 'build'] },
  // The OCI format has no health check.
  { name: 'podman', ask: ['podman', 'info'], build: ['podman', 'build', '--format=docker'] },
  { name: 'buildah', ask: ['buildah', 'info'], build: ['buildah', 'build', '--format=docker'] },
]

const answers = ([program = '', ...args]: string[]) =>
  Bun.which(program) !== null && Bun.spawnSync([program, ...args], { stdout: 'ignore', stderr: 'ignore' }).exitCode === 0

function stage(): void {
  rmSync(CONTEXT, { recursive: true, force: true })
  mkdirSync(join(CONTEXT, 'data'), { recursive: true })
  copyFileSync('dist/signet', join(CONTEXT, 'signet'))
  copyFileSync(RECIPE, join(CONTEXT, 'Containerfile'))
}

stage()
const builder = BUILDERS.find(({ ask }) => answers(ask))
if (builder) {
  const tag = `signet:${version}`
  const command = [...builder.build, '--tag', tag, '--file', join(CONTEXT, 'Containerfile'), CONTEXT]
  const { exitCode } = Bun.spawnSync(command, { stdio: ['ignore', 'inherit', 'inherit'] })
  if (exitCode === 0) console.log(`${tag}, made by ${builder.name}`)
  process.exit(exitCode)
}
console.log(`No builder answers here (${BUILDERS.map(({ name }) => name).join(', ')}): the image was not built.`)
if (process.getuid?.() !== 0) {
  console.log('Its layout was not tried either: that needs root.')
  process.exit(1)
}
const data = join(CONTEXT, 'data')
chownSync(data, UID, UID)
chmodSync(data, 0o700)
process.exit((await tryLayout(readRecipe(readFileSync(RECIPE, 'utf8')), CONTEXT, UID)) ? 0 : 1)
