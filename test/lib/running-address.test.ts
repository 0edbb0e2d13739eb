/** The file that says where the instance of a data folder is reached lives as long as its lock. */
import { expect, test } from 'bun:test'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { lockFolder } from '../../src/db/lock.ts'
import { localOrigin, readRunningAddress, writeRunningAddress } from '../../src/lib/running-address.ts'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import { useFreshFolder } from '../support/folders.ts'

const folder = useFreshFolder()

const ADDRESS = { baseUrl: 'https://sign.example.com', local: 'http://127.0.0.1:3000' }

test('is read as it was written, for its owner alone, and leaves nothing beside it', async () => {
  await writeRunningAddress(THIS_FILE_SYSTEM, folder(), ADDRESS)
  expect(await readRunningAddress(THIS_FILE_SYSTEM, folder())).toEqual(ADDRESS)
  expect(statSync(folder('signet.address')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder())).toEqual(['signet.address'])
})

test('is gone when the instance ends', async () => {
  const release = lockFolder(folder(), 'signet serve')
  await writeRunningAddress(THIS_FILE_SYSTEM, folder(), ADDRESS)
  release()
  expect(await readRunningAddress(THIS_FILE_SYSTEM, folder())).toBeUndefined()
})

test('of a killed instance is removed by the next process that gets the lock', async () => {
  await writeRunningAddress(THIS_FILE_SYSTEM, folder(), ADDRESS)
  lockFolder(folder(), 'signet doctor')
  expect(await readRunningAddress(THIS_FILE_SYSTEM, folder())).toBeUndefined()
})

test.each(['', '{', '[]', '{"baseUrl":"x","local":"y"}', '{"baseUrl":"https://a.example"}'])(
  'damaged (%j) counts as absent',
  async text => {
    writeFileSync(folder('signet.address'), text)
    expect(await readRunningAddress(THIS_FILE_SYSTEM, folder())).toBeUndefined()
  },
)

test('names an address that this machine can dial', () => {
  const origins = ['127.0.0.1', '0.0.0.0', '::', '::1', '10.0.0.7'].map(host => localOrigin(host, 80))
  expect(origins).toEqual([
    'http://127.0.0.1:80',
    'http://127.0.0.1:80',
    'http://[::1]:80',
    'http://[::1]:80',
    'http://10.0.0.7:80',
  ])
})
