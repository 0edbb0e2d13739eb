/** Signed checkpoints: what they prove, who else verifies them, and what is refused. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendInstanceEvent, auditHead, verifyChain } from '../../src/audit/log.ts'
import { canonicalJson, chainHash, GENESIS } from '../../src/core/document/audit-chain.ts'
import { CheckpointError, readCheckpoint } from '../../src/evidence/checkpoint.ts'
import { leafHash, rootOfLeaves } from '../../src/evidence/merkle-tree.ts'
import { makeCheckpoint } from '../../src/health/make-checkpoint.ts'
import { COMMAND_LINE, SYSTEM } from '../../src/ports.ts'
import { allSealCertificates, describeSealCertificate } from '../../src/settings/seal-certificate.ts'
import { onSqlite } from '../support/engine.ts'
import { useTestApp } from '../support/use-app.ts'
import { hasOpenssl } from '../verify/tools.ts'

const t = useTestApp()
beforeEach(async () => {
  for (let i = 0; i < 5; i++) await add()
})

const add = () => t.app.write(tx => appendInstanceEvent(tx, t.app, { type: 'organisation.changed' }, SYSTEM))
const read = (text: string) => readCheckpoint(Buffer.from(text), { timestampTrust: [], now: t.clock.now })
const made = () => makeCheckpoint(t.app, COMMAND_LINE)

async function rootOfLog(): Promise<string> {
  const entries = await t.app.db.selectFrom('events').select('hash').orderBy('sequence').execute()
  return rootOfLeaves(entries.map(({ hash }) => leafHash(hash)))
}

test('names the newest entry, is signed by the seal key, and is an entry of its own', async () => {
  const head = await auditHead(t.app.db)
  const treeRoot = await rootOfLog()
  const { text, fileName } = await made()
  const { checkpoint, signer } = read(text)
  expect(checkpoint).toEqual({
    ...{ instance: t.app.instance.id, ...head, count: head.sequence, at: t.clock.now.toISOString() },
    treeRoot,
  })
  expect(signer.sha256).toBe((await describeSealCertificate(t.app.db)).sha256)
  expect(fileName).toBe(`audit-checkpoint-2026-11-20-${head.sequence}.eml`)
  expect((await auditHead(t.app.db)).sequence).toBe(head.sequence + 1)
})

test.skipIf(!hasOpenssl)('openssl verifies it with the certificates of the seal', async () => {
  const [file, roots] = [join(t.folder, 'checkpoint.eml'), join(t.folder, 'seal.pem')]
  const { text } = await made()
  writeFileSync(roots, (await allSealCertificates(t.app.db)).certificates)
  const verify = (content: string) => {
    writeFileSync(file, content)
    const options = ['-CAfile', roots, '-partial_chain', '-purpose', 'any', '-no_check_time']
    const command = ['openssl', 'cms', '-verify', '-in', file, ...options]
    const { exitCode, stdout } = Bun.spawnSync(command, { stderr: 'ignore' })
    return { exitCode, content: stdout.toString() }
  }
  expect(verify(text)).toMatchObject({ exitCode: 0, content: expect.stringContaining('"instance"') })
  expect(verify(text.replaceAll('\r\n', '\n')).exitCode).toBe(0)
  expect(verify(text.replace('"sequence": 5', '"sequence": 4')).exitCode).not.toBe(0)
})

test('one of a release before is read as it was', () => {
  const text = readFileSync(join(import.meta.dir, 'checkpoint-of-former-release.eml'), 'utf8')
  const { checkpoint, timestamp } = read(text)
  expect(checkpoint).toMatchObject({ instance: 'ins_01m7wztxf01xynjfnnw3m5bcmv', sequence: 0, at: '2026-11-20T17:25:00.000Z' })
  expect(timestamp).toBeUndefined()
})

describe('an older checkpoint', () => {
  const against = async (text: string) => verifyChain(t.app.db, { known: read(text).checkpoint })

  test('shows that nothing before it was changed, whatever follows', async () => {
    const { text } = await made()
    await add()
    expect(await against(text)).toMatchObject({ count: 7 })
  })

  onSqlite(test)('shows that the newest entries were removed, which the chain alone does not', async () => {
    await add()
    const { text } = await made()
    await t.sql('DROP TRIGGER events_never_go')
    await t.sql('DELETE FROM event_details WHERE sequence > 3')
    await t.sql('DELETE FROM events WHERE sequence > 3')
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 3 })
    expect(await against(text)).toEqual({ endsAt: 3 })
  })

  onSqlite(test)('shows that the whole log was made anew, with every hash right', async () => {
    const { text } = await made()
    await t.sql('DROP TRIGGER events_never_change')
    let hash = GENESIS
    for (const row of await t.sql<{ sequence: number; entry: string }>('SELECT sequence, entry FROM events ORDER BY sequence')) {
      const entry = canonicalJson({ ...JSON.parse(row.entry), data: { forged: true } })
      hash = chainHash(hash, entry)
      await t.sql('UPDATE events SET entry = ?, hash = ? WHERE sequence = ?', entry, hash, row.sequence)
    }
    expect(await verifyChain(t.app.db)).toMatchObject({ count: 6 })
    expect(await against(text)).toEqual({ rewrittenUpTo: 5 })
  })
})

describe('refused', () => {
  const why = (text: string) => {
    try {
      read(text)
      return 'accepted'
    } catch (error) {
      expect(error).toBeInstanceOf(CheckpointError)
      return (error as Error).message
    }
  }

  test('another file, a changed content, a changed or missing signature', async () => {
    const { text } = await made()
    expect(why('')).toBe('it is no checkpoint of an audit log')
    expect(why('%PDF-1.7')).toBe('it is no checkpoint of an audit log')
    expect(why(text.slice(0, 300))).toBe('it is no checkpoint of an audit log')
    expect(why(text.replace('"sequence": 5', '"sequence": 4'))).toBe('its content was changed after it was signed')
    expect(why(text.replace(/\r\n\r\nMI/, '\r\n\r\nMJ'))).toContain('its signature cannot be read')
  })
})
