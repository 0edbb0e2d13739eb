/** `signet audit verify` and `signet audit checkpoint`: what they print, and their exit codes. */
import { beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendInstanceEvent } from '../../src/audit/log.ts'
import { auditCheckpoint, auditVerify } from '../../src/cli/audit.ts'
import { UsageError, type Verb } from '../../src/cli/verb.ts'
import { SYSTEM } from '../../src/ports.ts'
import { onSqlite } from '../support/engine.ts'
import { useTestApp } from '../support/use-app.ts'
import { runVerb } from './run-verb.ts'

const t = useTestApp()
beforeEach(async () => {
  for (let i = 0; i < 4; i++) await t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'organisation.changed' }, SYSTEM))
})

const run = (verb: Verb, ...args: string[]) => runVerb(t, verb, ...args)

onSqlite(test)('an intact log is exit code 0, and says what only a checkpoint shows', async () => {
  const { code, out } = await run(auditVerify)
  expect(code).toBe(0)
  expect(out).toMatch(/^INTACT: 4 entries, hash [0-9a-f]{64}; 0 documents and templates are as it says\nWithout --checkpoint/)
})

onSqlite(test)('a changed entry is exit code 1, and is named', async () => {
  await t.sql('DROP TRIGGER events_never_change')
  await t.sql("UPDATE events SET entry = replace(entry, 'organisation', 'organization') WHERE sequence = 3")
  expect(await run(auditVerify)).toEqual({
    code: 1,
    out: 'CHANGED: entry 3 does not follow from the one before: the log was changed',
  })
})

onSqlite(test)('a checkpoint is written once, and verified against the log', async () => {
  const file = join(t.folder, 'checkpoint.eml')
  expect((await run(auditCheckpoint, file)).out).toContain('entry 4')
  await expect(run(auditCheckpoint, file)).rejects.toThrow('EEXIST')
  const { code, out } = await run(auditVerify, '--checkpoint', file)
  expect(code).toBe(0)
  expect(out).toContain('Nothing up to entry 4 was changed')
  expect(out).toContain('This certificate sealed here.')
  expect((await run(auditCheckpoint)).out.replaceAll('\r\n', '\n')).toContain('multipart/signed')
  expect(readFileSync(file, 'utf8')).toContain('"sequence": 4')
})

onSqlite(test)('a file that is no checkpoint, or one of another instance, is refused', async () => {
  const file = join(t.folder, 'checkpoint.eml')
  await run(auditCheckpoint, file)
  const instance = t.app.instance.id
  t.app.instance.id = 'ins_other'
  await expect(run(auditVerify, '--checkpoint', file)).rejects.toThrow(`the checkpoint is of the instance ${instance}`)
  await expect(run(auditVerify, '--checkpoint', join(t.folder, 'master.key'))).rejects.toThrow('ENOENT')
  await Bun.write(file, 'Dear Ada')
  await expect(run(auditVerify, '--checkpoint', file)).rejects.toBeInstanceOf(UsageError)
})
