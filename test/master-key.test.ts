/** The master key: created once, never replaced, refused if others could read it. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { THIS_MACHINE } from '../src/lib/this-machine.ts'
import { loadMasterKey, MasterKeyError } from '../src/master-key.ts'
import { temporaryFolder, useFreshFolder } from './support/folders.ts'

const folder = useFreshFolder()
let path: string

beforeEach(() => {
  path = folder('keys', 'master.key')
})

function boxError(...args: Parameters<typeof loadMasterKey>): string {
  try {
    loadMasterKey(...args)
  } catch (error) {
    if (error instanceof MasterKeyError) return error.message
    throw error
  }
  throw new Error('the key was accepted')
}

describe('at the first start', () => {
  test('is created: 32 random bytes in a private file, the same from then on', () => {
    const key = loadMasterKey(folder(), undefined, THIS_MACHINE.random)
    expect(key).toHaveLength(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(folder('keys')).mode & 0o777).toBe(0o700)
    expect(Buffer.from(loadMasterKey(folder(), undefined, false))).toEqual(Buffer.from(key))
    expect(Buffer.from(loadMasterKey(folder(), undefined, THIS_MACHINE.random))).toEqual(Buffer.from(key))
  })

  test('differs between folders', () => {
    const other = temporaryFolder()
    expect(Buffer.from(loadMasterKey(folder(), undefined, THIS_MACHINE.random))).not.toEqual(
      Buffer.from(loadMasterKey(other, undefined, THIS_MACHINE.random)),
    )
    rmSync(other, { recursive: true, force: true })
  })

  test('is never created at a configured path', () => {
    const named = folder('elsewhere.key')
    expect(boxError(folder(), named, THIS_MACHINE.random)).toContain('SIGNET_MASTER_KEY_FILE')
    expect(existsSync(named)).toBe(false)
    expect(existsSync(path)).toBe(false)
  })

  test('makes an existing folder for keys private', () => {
    mkdirSync(folder('keys'), { mode: 0o755 })
    chmodSync(folder('keys'), 0o755)
    loadMasterKey(folder(), undefined, THIS_MACHINE.random)
    expect(statSync(folder('keys')).mode & 0o777).toBe(0o700)
  })
})

describe('later', () => {
  test('a missing key is not replaced: the secrets would be lost', () => {
    expect(boxError(folder(), undefined, false)).toContain('backup')
    expect(existsSync(path)).toBe(false)
  })

  test.each([0o640, 0o604, 0o644, 0o660, 0o601])('a key with mode %o is refused with the remedy', mode => {
    loadMasterKey(folder(), undefined, THIS_MACHINE.random)
    chmodSync(path, mode)
    expect(boxError(folder(), undefined, false)).toContain(`chmod 600 ${path}`)
  })

  test.each([0o750, 0o705, 0o755, 0o710])('a folder keys/ with mode %o is refused with the remedy', mode => {
    loadMasterKey(folder(), undefined, THIS_MACHINE.random)
    chmodSync(folder('keys'), mode)
    expect(boxError(folder(), undefined, false)).toContain(`run chmod 700 ${folder('keys')}`)
    chmodSync(folder('keys'), 0o700)
    expect(loadMasterKey(folder(), undefined, false)).toHaveLength(32)
  })

  test.each(['', 'short', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64')])(
    'a damaged key %j is refused and left as it is',
    text => {
      loadMasterKey(folder(), undefined, THIS_MACHINE.random)
      writeFileSync(path, text)
      expect(boxError(folder(), undefined, false)).toContain('damaged')
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  test('a key at a configured path is read, with or without a line break', () => {
    const named = folder('elsewhere.key')
    for (const end of ['', '\n', '\r\n']) {
      writeFileSync(named, Buffer.alloc(32, 5).toString('base64') + end, { mode: 0o600 })
      expect(Buffer.from(loadMasterKey(folder(), named, false))).toEqual(Buffer.alloc(32, 5))
    }
  })

  test('for a link, as containers mount secrets, the mode of the file decides', () => {
    const real = folder('real.key')
    const named = folder('link.key')
    writeFileSync(real, Buffer.alloc(32, 5).toString('base64'), { mode: 0o600 })
    symlinkSync(real, named)
    expect(Buffer.from(loadMasterKey(folder(), named, false))).toEqual(Buffer.alloc(32, 5))
    chmodSync(real, 0o644)
    expect(boxError(folder(), named, false)).toContain('chmod 600')
  })
})
