/** A new master key: everything is read with it, nothing with the former one, killed or not. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openApp } from '../../src/app.ts'
import { verifyChain } from '../../src/audit/log.ts'
import { readConfig } from '../../src/config.ts'
import { healthFacts } from '../../src/health/facts.ts'
import { secretBox } from '../../src/lib/secret-box.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { loadMasterKey, MasterKeyError, type NewKeyFile, replacingFile, separateFile } from '../../src/master-key.ts'
import { type AppHandle, COMMAND_LINE } from '../../src/ports.ts'
import { isRotationUnfinished, type Rotation, rotateMasterKey } from '../../src/settings/master-key-rotation.ts'
import { SEALED } from '../../src/settings/sealed.ts'
import { ENGINE, onSqlite } from '../support/engine.ts'
import { useFreshFolder } from '../support/folders.ts'
import { addOneOfEach, expectAllInUse, type OneOfEach, openedBy } from '../support/one-of-each-secret.ts'
import { pdfTools } from '../support/pdf-tools.ts'
import { connectionsTo, giveBack, migratedSchema } from '../support/pglite.ts'
import { START } from '../support/small-app.ts'
import { asTested } from '../support/write-twice.ts'

const isPostgresql = ENGINE === 'postgresql'

const folder = useFreshFolder()
let keyFile: string
let schema: string
let opened: AppHandle[]
let logged: string[]

beforeEach(async () => {
  keyFile = folder('keys', 'master.key')
  opened = []
  logged = []
  if (!isPostgresql) return
  schema = await migratedSchema()
  mkdirSync(dirname(keyFile), { mode: 0o700 })
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
})
afterEach(async () => {
  for (const { close } of opened.splice(0)) await close()
  if (isPostgresql) await giveBack(schema)
})

interface Means {
  /** False: as a verb that may run beside others. */
  serves?: boolean
  at?: string
}

async function open({ serves = true, at }: Means = {}): Promise<AppHandle> {
  const env = at === undefined ? {} : { SIGNET_MASTER_KEY_FILE: at }
  const handle = await openApp(readConfig({}, { SIGNET_DATA: folder(), SIGNET_SEAL_KEY: 'ec-p256', ...env }), {
    command: [],
    connections: isPostgresql ? await connectionsTo(schema) : undefined,
    exclusive: serves,
    lockHolder: 'a test',
    machine: { now: () => START },
    log: (_level, what) => void logged.push(what),
    pdf: { ...pdfTools(), close: async () => {} },
    withDatabase: asTested,
  })
  const close = async () => {
    opened = opened.filter(each => each !== own)
    await handle.close()
  }
  const own = { app: handle.app, close }
  opened.push(own)
  return own
}

async function using<T>(work: (app: AppHandle['app']) => Promise<T>, means?: Means): Promise<T> {
  const { app, close } = await open(means)
  try {
    return await work(app)
  } finally {
    await close()
  }
}

const keyIn = (path = keyFile) => secretBox(loadMasterKey(folder(), path, false), THIS_MACHINE.random)

/** As the verb. A database on a server has no lock that the verb could take. */
function rotate(fileFor: (key: Uint8Array) => NewKeyFile = key => replacingFile(keyFile, key), at?: string): Promise<Rotation> {
  return using(app => rotateMasterKey(app, { found: keyIn(at), fileFor, origin: COMMAND_LINE }), {
    serves: !isPostgresql,
    ...(at === undefined ? {} : { at }),
  })
}

const all = Object.fromEntries(Object.keys(SEALED).map(kind => [kind, kind === 'stored' ? '3 of 3' : '1 of 1']))
const none = Object.fromEntries(Object.entries(all).map(([kind, count]) => [kind, count.replace(/^\d/, '0')]))

async function prepare(): Promise<OneOfEach> {
  return using(async app => {
    const things = await addOneOfEach(app)
    expect(await openedBy(app, app.secrets)).toEqual(all)
    return things
  })
}

/** With the key of the file alone, as after a restart. */
async function expectWhole(things: OneOfEach, { former, step = 1 }: { former: ReturnType<typeof keyIn>; step?: number }) {
  await using(async app => {
    await expectAllInUse(app, things, step)
    expect(await openedBy(app, app.secrets)).toEqual(all)
    expect(await openedBy(app, former)).toEqual(none)
    expect(await isRotationUnfinished(app.db)).toBe(false)
    expect(await verifyChain(app.db)).toHaveProperty('head')
  })
  expect(readdirSync(dirname(keyFile)).filter(name => /new|tmp/.test(name))).toEqual([])
}

describe('after a rotation', () => {
  test('everything works, the former key is kept and opens nothing, and the audit log tells of it', async () => {
    const things = await prepare()
    const former = keyIn()
    const { secrets, from, to, formerKeyFile } = await rotate()
    expect(secrets).toBe(10)
    expect([from, to]).toEqual([former.fingerprint, keyIn().fingerprint])
    expect(from).not.toBe(to)
    expect(formerKeyFile).toBe(`${keyFile}.former-${from.slice(0, 8)}`)
    expect(keyIn(formerKeyFile).fingerprint).toBe(from)
    await expectWhole(things, { former })
    const entries = await using(app =>
      app.db.selectFrom('events').select('entry').where('type', '=', 'master_key.rotated').execute(),
    )
    expect(entries.map(({ entry }) => JSON.parse(entry))).toMatchObject([
      { actor: 'command-line', data: { from, to, secrets: 10 } },
    ])
    await expect(open({ at: formerKeyFile ?? '' })).rejects.toThrow('The master key is not the one')
  })

  test('another one replaces that key too, and each former key is kept', async () => {
    const things = await prepare()
    const keys = [keyIn()]
    for (let i = 0; i < 2; i++) {
      await rotate()
      await using(async () => {})
      keys.push(keyIn())
    }
    await expectWhole(things, { former: keys[1] as never })
    expect(readdirSync(dirname(keyFile))).toHaveLength(3)
  })

  onSqlite(test)('no byte of the database is left that the former key opens', async () => {
    await prepare()
    const sealed = await using(
      async app => (await app.db.selectFrom('webhooks').select('sealed_secret').execute())[0]?.sealed_secret,
    )
    await rotate()
    await using(async () => {})
    for (const name of readdirSync(folder()).filter(each => each.startsWith('signet.db')))
      expect(readFileSync(folder(name)).includes(sealed ?? Buffer.of())).toBe(false)
  })
})

class KilledError extends Error {}

/** Where the process dies: between two steps, whose effects are on the disk. */
const DEATHS: Record<string, (file: NewKeyFile) => NewKeyFile> = {
  'when the new key is beside the old one': file => ({
    ...file,
    prepare() {
      file.prepare()
      throw new KilledError()
    },
  }),
  'when the secrets are encrypted anew': file => ({
    ...file,
    finish() {
      throw new KilledError()
    },
  }),
  'when the former key is kept': file => ({
    ...file,
    finish(former) {
      writeFileSync(`${keyFile}.former-${former.slice(0, 8)}`, readFileSync(keyFile), { mode: 0o600 })
      throw new KilledError()
    },
  }),
  'when the file has the new key': file => ({
    ...file,
    finish(former) {
      file.finish(former)
      throw new KilledError()
    },
  }),
}

describe('killed', () => {
  test.each(Object.keys(DEATHS))('%s, it starts with the key that it finds, and the next run ends it', async moment => {
    const things = await prepare()
    const first = keyIn()
    const dying = DEATHS[moment] as (file: NewKeyFile) => NewKeyFile
    await expect(rotate(key => dying(replacingFile(keyFile, key)))).rejects.toThrow(KilledError)
    const isDone = moment !== 'when the new key is beside the old one'
    await using(async app => {
      await expectAllInUse(app, things, 1)
      expect(await openedBy(app, app.secrets)).toEqual(all)
      expect(await openedBy(app, first)).toEqual(isDone ? none : all)
    })
    await rotate()
    await expectWhole(things, { former: first, step: 2 })
    expect(keyIn().fingerprint).not.toBe(first.fingerprint)
  })

  test('the start finishes it, and forgets what the former key opens', async () => {
    const things = await prepare()
    const former = keyIn()
    const dying = DEATHS['when the secrets are encrypted anew'] as (file: NewKeyFile) => NewKeyFile
    await expect(rotate(key => dying(replacingFile(keyFile, key)))).rejects.toThrow(KilledError)
    expect(keyIn().fingerprint).toBe(former.fingerprint)
    await using(async () => {})
    expect(logged).toContain('an interrupted rotation of the master key was finished')
    expect(keyIn().fingerprint).not.toBe(former.fingerprint)
    await expectWhole(things, { former })
  })
})

describe('where the file of the key cannot be replaced', () => {
  test('the new key goes to another file, and the service starts with either meanwhile', async () => {
    const things = await prepare()
    const former = keyIn()
    // A name that cannot be written, as on a disk that is read-only.
    mkdirSync(join(`${keyFile}.new`, 'x'), { recursive: true })
    await expect(rotate()).rejects.toThrow(
      /cannot be written beside .* name a file for the new key with --to.*Nothing was changed/,
    )
    const other = folder('made.key')
    const { formerKeyFile, newKeyFile } = await rotate(key => separateFile(other, key))
    expect([formerKeyFile, newKeyFile]).toEqual([undefined, other])
    await using(async app => {
      await expectAllInUse(app, things, 1)
      expect((await healthFacts(app)).masterKey).toBe('former')
      expect(await openedBy(app, former)).toEqual(none)
    })
    expect(keyIn().fingerprint).toBe(former.fingerprint)
    // The same command says where the new key is.
    expect(await rotate(key => separateFile(other, key))).toMatchObject({ secrets: undefined, newKeyFile: other })
    await using(async app => expect((await healthFacts(app)).masterKey).not.toBe('former'), { at: other })
    rmSync(`${keyFile}.new`, { recursive: true })
    const copy = folder('former.key')
    writeFileSync(copy, readFileSync(keyFile), { mode: 0o600 })
    writeFileSync(keyFile, readFileSync(other))
    await expectWhole(things, { former, step: 2 })
    await expect(open({ at: copy })).rejects.toThrow('The master key is not the one')
  })

  test('a file that exists is never overwritten', async () => {
    await prepare()
    const other = folder('made.key')
    writeFileSync(other, 'something else')
    await expect(rotate(key => separateFile(other, key))).rejects.toThrow('exists: name a file that does not')
    expect(readFileSync(other, 'utf8')).toBe('something else')
  })

  test('of a link, the target is replaced', async () => {
    await prepare()
    const linked = folder('linked.key')
    symlinkSync(keyFile, linked)
    const former = keyIn()
    await rotate(key => replacingFile(linked, key), linked)
    expect(keyIn(linked).fingerprint).toBe(keyIn().fingerprint)
    expect(keyIn().fingerprint).not.toBe(former.fingerprint)
  })

  const asRoot = process.getuid?.() === 0 ? test : test.skip
  asRoot('the key of another user is refused: the service could not read a new one', async () => {
    await prepare()
    chownSync(keyFile, 12_345, 12_345)
    await expect(rotate()).rejects.toThrow('belongs to another user (12345)')
  })
})

describe('is refused, and changes nothing,', () => {
  test('while a process serves', async () => {
    await prepare()
    const before = keyIn().fingerprint
    const { close } = await open()
    await expect(rotate()).rejects.toThrow(
      isPostgresql ? /These nodes serve the database: \S+. Stop them/ : /is in use by a test/,
    )
    await close()
    expect(keyIn().fingerprint).toBe(before)
    expect(existsSync(`${keyFile}.new`)).toBe(false)
    await rotate()
    expect(keyIn().fingerprint).not.toBe(before)
  })

  test('when a secret cannot be decrypted, which is named', async () => {
    await prepare()
    const former = keyIn()
    await using(app =>
      app.write(tx =>
        tx
          .updateTable('totp_secrets')
          .set({ sealed_secret: Buffer.alloc(60) })
          .execute(),
      ),
    )
    await expect(rotate()).rejects.toThrow(/in the table totp_secrets \(user_id usr_\w+\) cannot be decrypted/)
    await using(async app => expect(await openedBy(app, former)).toEqual({ ...all, totp: '0 of 1' }))
    expect(readdirSync(dirname(keyFile))).toEqual(['master.key'])
  })

  test('with the wrong key', async () => {
    await prepare()
    const wrong = folder('wrong.key')
    writeFileSync(wrong, Buffer.alloc(32, 3).toString('base64'), { mode: 0o600 })
    await expect(rotate(key => replacingFile(wrong, key), wrong)).rejects.toThrow(MasterKeyError)
    expect(readFileSync(wrong, 'utf8')).toBe(Buffer.alloc(32, 3).toString('base64'))
  })
})

test('a verb that was opened before writes nothing with the former key', async () => {
  await prepare()
  const rotating = await open({ serves: !isPostgresql })
  const { app } = await open({ serves: false })
  await rotateMasterKey(rotating.app, { found: keyIn(), fileFor: key => replacingFile(keyFile, key), origin: COMMAND_LINE })
  let ran = 0
  const written = app.write(async () => {
    ran++
  })
  await expect(written).rejects.toThrow('The master key was replaced while this process ran')
  expect(ran).toBe(0)
})
