/** Folders of any size are listed in slices. */
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { listNames } from '../../src/lib/this-file-system.ts'
import { useFreshFolder } from '../support/folders.ts'

const folder = useFreshFolder()

async function slices(): Promise<string[][]> {
  return Array.fromAsync(listNames(folder()))
}

test('every name is listed once, in slices of some hundreds', async () => {
  mkdirSync(folder('a folder'))
  for (let i = 0; i < 3000; i++) writeFileSync(folder(`${'x'.repeat(60)}${i} é日`), '')
  const all = await slices()
  expect(all.flat().sort()).toEqual(readdirSync(folder()).sort())
  expect(Math.max(...all.map(names => names.length))).toBeLessThan(700)
})

test('an empty folder has no names', async () => {
  expect((await slices()).flat()).toEqual([])
})

test('a missing folder is an error', async () => {
  rmSync(folder(), { recursive: true })
  expect(slices()).rejects.toThrow('ENOENT')
})
