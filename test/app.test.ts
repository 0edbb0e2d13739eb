/** Opening a data folder: which process may remove the files of a crash. */
import { beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { type AppOptions, openApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { useFreshFolder } from './support/folders.ts'
import { pdfTools } from './support/pdf-tools.ts'

const folder = useFreshFolder()
let leftOver: string
beforeEach(() => {
  mkdirSync(folder('files', '.making'), { recursive: true })
  leftOver = folder('files', '.making', 'half-written.tmp')
  writeFileSync(leftOver, '%PDF-1.7 half')
})

const open = (exclusive: boolean) => {
  const pdf = { ...pdfTools(), close: async () => {} }
  const means: AppOptions = { command: [], exclusive, lockHolder: 'a test', log: () => {}, pdf }
  return openApp(readConfig({}, { SIGNET_DATA: folder(), SIGNET_SEAL_KEY: 'ec-p256' }), means)
}

test('a start removes temporary files', async () => {
  const { close } = await open(true)
  expect(existsSync(leftOver)).toBe(false)
  await close()
})

test('a verb beside a serving instance does not remove its temporary files', async () => {
  const serving = await open(true)
  writeFileSync(leftOver, '%PDF-1.7 being written')
  const beside = await open(false)
  expect(existsSync(leftOver)).toBe(true)
  await beside.close()
  await serving.close()
})
