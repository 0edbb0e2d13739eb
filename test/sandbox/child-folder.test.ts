/**
 * Temporary folders of children: removed with their process, or by the next process if theirs was
 * killed.
 */
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { useFreshFolder } from '../support/folders.ts'

const folder = useFreshFolder()

const OWNER = `import { PoolFolder } from ${JSON.stringify(join(import.meta.dir, '../../src/sandbox/child-folder.ts'))}
const folder = new PoolFolder()
console.log(folder.makeFolder())
process.stdin.on('data', () => { folder.close(); process.exit(0) })`

/** A process with a pool folder; resolves once its child's folder exists. */
async function startOwner() {
  const path = folder('..', `owner-${process.pid}.ts`)
  writeFileSync(path, OWNER)
  const child = Bun.spawn([process.execPath, path], {
    env: { TMPDIR: folder() },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { value } = await child.stdout.getReader().read()
  rmSync(path, { force: true })
  return {
    childFolder: new TextDecoder().decode(value).trim(),
    async end(how: 'kill' | 'close') {
      if (how === 'kill') child.kill('SIGKILL')
      else await child.stdin.write('close\n')
      await child.exited
    },
  }
}

/** Makes everything look an hour old. */
function age(): void {
  const then = new Date(Date.now() - 3_600_000)
  for (const name of readdirSync(folder())) utimesSync(folder(name), then, then)
}

test('a process that closes its pool removes its folder', async () => {
  const owner = await startOwner()
  expect(existsSync(owner.childFolder)).toBe(true)
  await owner.end('close')
  expect(readdirSync(folder())).toEqual([])
})

test('the folder of a killed process is removed by the next one, that of a living one stays', async () => {
  const [living, dead] = [await startOwner(), await startOwner()]
  await dead.end('kill')
  writeFileSync(join(dead.childFolder, 'left'), 'x')
  age()
  const next = await startOwner()
  expect([living, dead, next].map(({ childFolder }) => existsSync(childFolder))).toEqual([true, false, true])
  await living.end('close')
  await next.end('close')
  expect(readdirSync(folder())).toEqual([])
})

test('young folders, links and other names are left alone', async () => {
  const others = ['other', 'signet-other', 'signet-pdf-young']
  for (const name of others) mkdirSync(folder(name))
  symlinkSync(folder('other'), folder('signet-pdf-link'))
  age()
  utimesSync(folder('signet-pdf-young'), new Date(), new Date())
  const owner = await startOwner()
  await owner.end('close')
  expect(readdirSync(folder()).sort()).toEqual([...others, 'signet-pdf-link'].sort())
})
