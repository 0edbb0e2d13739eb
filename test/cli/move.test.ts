/** `signet move`: one sentence for each misuse, before anything is opened. */
import { beforeEach, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { move } from '../../src/cli/move.ts'
import type { Io } from '../../src/cli/verb.ts'
import { useFreshFolder } from '../support/folders.ts'

const DATABASE = 'postgres://signet:secret-1@127.0.0.1:1/signet'
const FILES = 's3://KEY:secret-2@127.0.0.1:1/bucket?tls=off'

const folder = useFreshFolder()
beforeEach(() => {
  mkdirSync(folder('keys'), { mode: 0o700 })
  writeFileSync(folder('keys', 'master.key'), Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
})

/** Prints nothing when it is refused. */
async function refusalOf(args: string[], env: Record<string, string> = {}): Promise<string> {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const io = { out: print, err: print, env } as unknown as Io
  const message = await move.run(args, io).then(
    () => 'done',
    (error: Error) => error.message,
  )
  expect(printed).toEqual([])
  return message
}

const TO = ['--to-database', DATABASE, '--to-files', FILES]
const FROM = ['--from-database', DATABASE, '--from-files', FILES]

test.each([
  [[], 'name the folder: --data to move to PostgreSQL and S3, --to-data to move back'],
  [['--data', 'a', '--to-data', 'b'], 'to move a folder to another folder, copy it while nothing serves from it'],
  [['--data', 'a', ...FROM], '--from-database is not expected with --data'],
  [['--to-data', 'a', ...TO], '--to-database is not expected with --to-data'],
  [['--data', 'a'], '--to-database is needed, or SIGNET_DATABASE_URL'],
  [['--to-data', 'a', '--from-database', DATABASE], '--from-files is needed, or SIGNET_FILES_URL'],
  [['--to-data', 'a', ...FROM], 'SIGNET_MASTER_KEY_FILE is needed: the file with the master key of the nodes'],
  [['--undo-mark'], 'name what was moved: --data for a folder, --from-database for a database'],
  [['--undo-mark', '--data', 'a', '--dry-run'], '--dry-run is not expected with --undo-mark'],
  [['a'], '"a" is not expected here'],
])('%j: %s', async (args, sentence) => {
  expect(await refusalOf(args)).toBe(sentence)
})

test('a folder without a database is refused, and the settings may name the servers', async () => {
  const env = { SIGNET_DATABASE_URL: DATABASE, SIGNET_FILES_URL: FILES }
  expect(await refusalOf(['--data', folder()], env)).toBe(`${folder()} contains no signet.db: name the data folder with --data.`)
})

test('a server that does not answer is named without its password', async () => {
  const message = await refusalOf(['--to-data', folder(), ...FROM])
  expect(message).toStartWith('The database postgres://127.0.0.1:1/signet cannot be used (')
  expect(message).not.toContain('secret')
  const wrong = await refusalOf(['--to-data', folder(), '--from-database', 'mysql://u:secret-3@h/d', '--from-files', FILES])
  expect(wrong).toStartWith('The URL of the database must begin with postgres://')
  expect(wrong).not.toContain('secret-3')
})
