/** What is remembered of files that no child could read: bounded in time and number. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PdfChildError } from '../../src/sandbox/errors.ts'
import { RefusedFiles } from '../../src/sandbox/refused-files.ts'
import { useFolder } from '../support/folders.ts'

const folder = useFolder()

function fileOf(text: string, owner = 'a') {
  const path = join(folder, text)
  writeFileSync(path, text)
  return { kind: 'inspect', owner, path }
}

test('a refused file is forgotten after ten minutes', async () => {
  let ms = 0
  const files = new RefusedFiles(() => ms)
  const error = new PdfChildError('cpu')
  await files.add(fileOf('one'), error)
  ms = 10 * 60_000 - 1
  expect(await files.find(fileOf('one'))).toBe(error)
  ms++
  expect(await files.find(fileOf('one'))).toBeUndefined()
})

test('the oldest of a thousand are forgotten', async () => {
  const files = new RefusedFiles()
  const error = new PdfChildError('cpu')
  for (let i = 0; i <= 1_000; i++) await files.add(fileOf('one', `owner ${i}`), error)
  expect(await files.find(fileOf('one', 'owner 0'))).toBeUndefined()
  expect(await files.find(fileOf('one', 'owner 1'))).toBe(error)
})

test('another file of that size, another task and a file that is gone are not confused with it', async () => {
  const files = new RefusedFiles()
  await files.add(fileOf('one'), new PdfChildError('cpu'))
  expect(await files.find(fileOf('two'))).toBeUndefined()
  expect(await files.find({ ...fileOf('one'), kind: 'verify' })).toBeUndefined()
  expect(await files.find({ ...fileOf('one'), path: join(folder, 'none') })).toBeUndefined()
})
