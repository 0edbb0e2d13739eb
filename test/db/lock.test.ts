/** One instance per data folder: a second one is refused with the name of the first. */
import { afterEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { FolderInUseError, lockFolder } from '../../src/db/lock.ts'
import { temporaryFolder, useFreshFolder } from '../support/folders.ts'

const folder = useFreshFolder()
const releases: (() => void)[] = []

afterEach(() => {
  for (const release of releases.splice(0)) release()
})

function refusal(): FolderInUseError {
  try {
    releases.push(lockFolder(folder(), 'the second'))
  } catch (error) {
    if (error instanceof FolderInUseError) return error
    throw error
  }
  throw new Error('the folder was given out twice')
}

/** Another process that locks the folder, reports it, and keeps the lock until its input ends. */
async function holder() {
  const module = join(import.meta.dir, '../../src/db/lock.ts')
  const code = `
    const { lockFolder } = await import(${JSON.stringify(module)})
    lockFolder(${JSON.stringify(folder())}, 'signet serve on http://127.0.0.1:3000')
    process.stdout.write('held')
    await Bun.stdin.text()
    process.kill(process.pid, 'SIGKILL')`
  const child = Bun.spawn([process.execPath, '-e', code], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('held')
  return child
}

test('a second holder in the same process is refused, naming the first', () => {
  releases.push(lockFolder(folder(), 'signet serve on http://127.0.0.1:3000'))
  const { message } = refusal()
  expect(message).toContain('signet serve on http://127.0.0.1:3000')
  expect(message).toContain(String(process.pid))
  expect(message).toContain(folder())
})

test('a released folder can be locked again', () => {
  lockFolder(folder(), 'the first')()
  const release = lockFolder(folder(), 'the second')
  release()
  releases.push(lockFolder(folder(), 'the third'))
  expect(refusal().message).toContain('the third')
})

test('the lock of another process is effective, and ends with that process however it ends', async () => {
  const child = await holder()
  const { message } = refusal()
  expect(message).toContain(`process ${child.pid}`)
  await child.stdin.end()
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  releases.push(lockFolder(folder(), 'the second'))
})

test('a refused second lock does not release the first', async () => {
  const child = await holder()
  refusal()
  refusal()
  expect(refusal().message).toContain(`process ${child.pid}`)
  await child.stdin.end()
  await child.exited
})

test('folders do not lock one another', () => {
  const other = temporaryFolder()
  releases.push(lockFolder(folder(), 'the first'))
  const release = lockFolder(other, 'the second')
  release()
  rmSync(other, { recursive: true, force: true })
})
