/** A move between two folders: everything arrives as it was, and an interrupted move goes on. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../migrations/index.ts'
import { openApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { migrate, NO_CLOCK } from '../../src/db/migrate.ts'
import { openRaw } from '../../src/db/sqlite.ts'
import { secretBox } from '../../src/lib/secret-box.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { loadMasterKey } from '../../src/master-key.ts'
import { openSourceFolder, openTargetFolder, undoMarkOfFolder } from '../../src/move/folder-end.ts'
import { type MoveOptions, type MoveReport, moveInstallation, surveyInstallation } from '../../src/move/move.ts'
import type { MoveEnd } from '../../src/move/rows.ts'
import { onSqlite } from '../support/engine.ts'
import { temporaryFolder } from '../support/folders.ts'
import { filesOf, makeInstallation, rowsOf, schemaOf, withRaw } from '../support/moved-installation.ts'
import { PROGRAM } from '../support/program.ts'
import { START } from '../support/test-app.ts'

let installation: string
let folder: string
let source: string
let target: string
let said: string[]

onSqlite(describe)('an installation that begins in a folder', () => {
  beforeAll(async () => {
    installation = await makeInstallation()
  })
  afterAll(() => rmSync(installation, { recursive: true }))

  beforeEach(() => {
    folder = temporaryFolder()
    source = join(folder, 'source')
    target = join(folder, 'target')
    said = []
    cpSync(installation, source, { recursive: true })
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const now = () => START
  const ENDS = { ...THIS_MACHINE, exclusive: true, now }

  function options(changes: Partial<MoveOptions> = {}): MoveOptions {
    const secrets = secretBox(loadMasterKey(source, undefined, false), THIS_MACHINE.random)
    return { dryRun: false, allowDamaged: false, secrets, say: line => void said.push(line), now, ...changes }
  }

  /** `change`: of the ends, to let something fail. */
  async function move(
    changes: Partial<MoveOptions> = {},
    change: (ends: { from: MoveEnd; to: MoveEnd }) => void = () => {},
  ): Promise<MoveReport> {
    const from = await openSourceFolder(source, ENDS)
    try {
      const to = await openTargetFolder(target, ENDS)
      try {
        change({ from, to })
        return await moveInstallation(from, to, options(changes))
      } finally {
        await to.close()
      }
    } finally {
      await from.close()
    }
  }

  const errorOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'no error',
      (error: Error) => error.message,
    )

  const serve = (path: string) =>
    openApp(readConfig({}, { SIGNET_DATA: path, SIGNET_MASTER_KEY_FILE: join(source, 'keys', 'master.key') }), {
      command: [],
      exclusive: true,
      lockHolder: 'a test',
      log: () => {},
    })

  /** What a refused start prints; in a process of its own, which holds the lock until it ends. */
  function refusalOf(path: string): string {
    const command = [...PROGRAM, 'migrate', '--data', path]
    const env = { SIGNET_MASTER_KEY_FILE: join(source, 'keys', 'master.key') }
    const { exitCode, stderr } = Bun.spawnSync(command, { env })
    expect(exitCode).toBe(1)
    return stderr
      .toString()
      .trim()
      .replace(/^signet migrate: /, '')
  }

  /** Fails at the n-th change of the target: a page of rows, a file, the triggers, the end. */
  function failAt(n: number) {
    let changes = 0
    return ({ to }: { to: MoveEnd }) => {
      const { write } = to.database
      to.database.write = work => (++changes === n ? Promise.reject(new Error('killed')) : write(work))
      const { copyFrom } = to.files
      to.files.copyFrom = (files, sha256) => (++changes === n ? Promise.reject(new Error('killed')) : copyFrom(files, sha256))
    }
  }

  describe('a move', () => {
    test('brings every row and file as it was, with the same schema, and a search that finds', async () => {
      const [rows, files] = [rowsOf(source), filesOf(source)]
      expect(Object.entries(rows).filter(([, list]) => list.length > 0).length).toBeGreaterThan(15)
      const report = await move()
      expect(rowsOf(target)).toEqual(rows)
      expect(filesOf(target)).toEqual(files)
      expect(schemaOf(target)).toEqual(schemaOf(source))
      // Compares the index with the rows that it was made from.
      withRaw(target, raw => raw.exec("INSERT INTO document_trigrams (document_trigrams, rank) VALUES ('integrity-check', 1)"))
      expect(report).toMatchObject({
        documents: 4,
        files: { count: files.length, copied: files.length, arrived: 0, damaged: [] },
      })
      expect(report.verification?.events).toBe(rows.events?.length as number)
      expect(report.verification?.documentId).toStartWith('doc_')
    })

    test('leaves the rows and files of the source, and marks it as moved', async () => {
      const [rows, files] = [rowsOf(source), filesOf(source)]
      await move()
      expect([rowsOf(source), filesOf(source)]).toEqual([rows, files])
      expect(refusalOf(source)).toBe(
        `${source} was moved to ${target} on 2026-11-20: serve from there. If that was never used, signet move --undo-mark --data ${source} makes this one serve again.`,
      )
      const { app, close } = await serve(target)
      expect((await app.db.selectFrom('documents').select('id').execute()).length).toBe(5)
      await close()
    })

    test('can be undone as long as the target is not used', async () => {
      await move()
      const undo = () => undoMarkOfFolder(source, ENDS)
      expect(await undo()).toBe(target)
      await (await serve(source)).close()
      expect(await errorOf(undo())).toBe(`${source} is not marked as moved: there is nothing to undo.`)
    })

    test('that only reports reads the source beside a serving instance and changes nothing', async () => {
      const serving = await serve(source)
      const end = await openSourceFolder(source, { ...ENDS, exclusive: false })
      const report = await surveyInstallation(end, undefined, options({ dryRun: true }))
      await end.close()
      await serving.close()
      expect(report).toMatchObject({ documents: 4, environment: 'test' })
      expect(existsSync(target)).toBe(false)
    })
  })

  describe('an interrupted move', () => {
    test('goes on at whichever change it ended, and ends with the same', async () => {
      const [rows, files] = [rowsOf(source), filesOf(source)]
      let interruptions = 0
      for (;;) {
        const message = await errorOf(move({}, failAt(2 + (interruptions % 3))))
        if (message === 'no error') break
        expect(message).toBe('killed')
        interruptions++
        if (interruptions % 5 > 0) continue
        expect(refusalOf(target)).toBe(
          `${target} is the incomplete target of a move from ${source}, begun on 2026-11-20: run signet move again to complete it.`,
        )
      }
      expect(interruptions).toBeGreaterThan(8)
      expect([rowsOf(target), filesOf(target)]).toEqual([rows, files])
      expect(schemaOf(target)).toEqual(schemaOf(source))
      expect(said).toEqual([])
    })

    test('that was killed while it made the tables makes the others', async () => {
      mkdirSync(target, { mode: 0o700 })
      const raw = openRaw(join(target, 'signet.db'))
      migrate(raw, NO_CLOCK, { list: migrations.slice(0, 9) })
      raw.close()
      await move()
      expect(schemaOf(target)).toEqual(schemaOf(source))
    })

    test('whose source was marked is completed: at no time could both be served', async () => {
      const isMarked = () => withRaw(source, raw => raw.prepare("SELECT 1 FROM instance WHERE name = 'move'").pluck().get()) === 1
      let marked = false
      const failAfterMark = ({ to }: { to: MoveEnd }) => {
        const { write } = to.database
        to.database.write = work => {
          marked = isMarked()
          return marked ? Promise.reject(new Error('killed')) : write(work)
        }
      }
      expect(await errorOf(move({}, failAfterMark))).toBe('killed')
      expect(refusalOf(source)).toContain('was moved to')
      expect(refusalOf(target)).toContain('is the incomplete target')
      await move()
      await (await serve(target)).close()
      expect(refusalOf(source)).toContain('was moved to')
    })

    test('whose source was served meanwhile copies its rows again', async () => {
      expect(await errorOf(move({}, failAt(20)))).toBe('killed')
      withRaw(source, raw => raw.exec("UPDATE users SET name = 'Changed'; INSERT INTO settings VALUES ('added', 'later')"))
      const rows = rowsOf(source)
      await move()
      expect(said).toEqual(['The source has changed since the move began: its rows are copied again.'])
      expect(rowsOf(target)).toEqual(rows)
      expect(schemaOf(target)).toEqual(schemaOf(source))
    })

    test('whose rows did not arrive as they were is not completed, and the source serves on', async () => {
      const tamper = ({ to }: { to: MoveEnd }) => {
        const { write } = to.database
        to.database.write = async (work, how) => {
          const result = await write(work, how)
          await write(tx => tx.updateTable('documents').set({ message: 'Sign today.' }).execute())
          return result
        }
      }
      expect(await errorOf(move({}, tamper))).toBe(
        `The rows of documents, document_sequence at ${target} differ from the source. The source is unchanged: serve it, or empty the target and move again.`,
      )
      expect(refusalOf(target)).toContain('is the incomplete target')
      await (await serve(source)).close()
    })

    test('does not trust a file that it finds at the target', async () => {
      const files = filesOf(source)
      expect(await errorOf(move({}, failAt(5)))).toBe('killed')
      const [name = ''] = readdirSync(join(target, 'files')).filter(one => one.endsWith('.pdf'))
      truncateSync(join(target, 'files', name), 100)
      const report = await move()
      expect(filesOf(target)).toEqual(files)
      expect(report.files.arrived + report.files.copied).toBe(files.length)
      expect(report.files.arrived).toBeGreaterThan(0)
    })
  })

  describe('a move is refused before anything is changed', () => {
    const untouched = () => {
      expect(existsSync(join(target, 'files')) ? filesOf(target) : []).toEqual([])
      expect(withRaw(source, raw => raw.prepare("SELECT 1 FROM instance WHERE name LIKE 'move%'").get())).toBeUndefined()
    }

    test('with another master key', async () => {
      const secrets = secretBox(Buffer.alloc(32, 1), THIS_MACHINE.random)
      expect(await errorOf(move({ secrets }))).toContain('The master key is not that of')
      untouched()
    })

    test('with files that are missing or damaged, each by name', async () => {
      const [missing = '', changed = ''] = filesOf(source).map(([name]) => String(name))
      unlinkSync(join(source, 'files', missing))
      writeFileSync(join(source, 'files', changed), 'other bytes')
      const message = await errorOf(move())
      expect(message).toStartWith('2 files of the source are missing or damaged')
      expect(message).toContain(`${missing} is missing`)
      expect(message).toContain(`${changed} has changed`)
      untouched()
      const report = await move({ allowDamaged: true })
      expect(report.files.damaged.length).toBe(2)
      expect(filesOf(target).map(([name]) => name)).toEqual(
        filesOf(source)
          .map(([name]) => name)
          .filter(name => name !== changed),
      )
    })

    test('with values that cannot be stored, each by table and row', async () => {
      withRaw(source, raw => {
        raw.exec("INSERT INTO settings VALUES ('nul', 'a' || char(0) || 'b'), ('surrogate', CAST(x'61EDA08062' AS TEXT))")
        raw.exec("INSERT INTO settings VALUES ('replacement', char(65533))")
        raw.exec("INSERT INTO alert_mails VALUES ('disk', 'a@example.com', '', 9007199254740993)")
      })
      const message = await errorOf(move())
      expect(message.split('\n').slice(1).sort()).toEqual([
        '  table alert_mails, row ["disk","a@example.com"]: count is a number beyond 2^53',
        '  table settings, row ["nul"]: value contains a NUL character',
        '  table settings, row ["surrogate"]: value is not valid UTF-8',
      ])
      untouched()
    })

    test('while an instance serves from the source', async () => {
      const serving = await serve(source)
      expect(await errorOf(move())).toContain('is in use by a test')
      await serving.close()
      untouched()
    })

    test('to a folder in use, to one with files, and to one that another installation is moved to', async () => {
      await (await serve(target)).close()
      expect(await errorOf(move())).toContain(`The database of ${target} is in use`)
      rmSync(target, { recursive: true })
      cpSync(join(source, 'files'), join(target, 'files'), { recursive: true })
      chmodSync(target, 0o700)
      expect(await errorOf(move())).toContain(`The file store of ${target} contains files`)
      rmSync(target, { recursive: true })
      await errorOf(move({}, failAt(2)))
      withRaw(source, raw => raw.exec("UPDATE instance SET value = 'ins_other' WHERE name = 'id'"))
      expect(await errorOf(move())).toEndWith('Name an empty target.')
    })

    test('from a folder that was moved elsewhere, or is itself incomplete', async () => {
      await move()
      expect(await errorOf(move())).toContain(`${source} was moved to ${target}`)
      target = join(folder, 'second')
      expect(await errorOf(move())).toContain(`${source} was moved to`)
    })

    test('from a schema that is not the newest', async () => {
      withRaw(source, raw => raw.exec('PRAGMA user_version = 5'))
      expect(await errorOf(move())).toContain(`has schema 5, not`)
    })
  })
})
