/** Receipts verified alone, beside pack and PDF, by the command line and against the database. */
import { beforeEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { auditVerify } from '../../src/cli/audit.ts'
import type { Io } from '../../src/cli/verb.ts'
import { verify } from '../../src/cli/verify.ts'
import { canonicalJson, chainHash, GENESIS } from '../../src/core/document/audit-chain.ts'
import { CheckpointError, readCheckpoint } from '../../src/evidence/checkpoint.ts'
import { type Receipt, receiptContent, receiptIn } from '../../src/evidence/receipt.ts'
import { readStatement } from '../../src/evidence/signed-statement.ts'
import { type ReceiptOptions, verifyReceipt } from '../../src/evidence/verify-receipt.ts'
import { makeCheckpoint } from '../../src/health/make-checkpoint.ts'
import { certificatesOfPem, readCertificate } from '../../src/pki/x509.ts'
import { COMMAND_LINE } from '../../src/ports.ts'
import { allSealCertificates } from '../../src/settings/seal-certificate.ts'
import { signStatement } from '../../src/settings/sign-statement.ts'
import { runVerb } from '../cli/run-verb.ts'
import { onSqlite } from '../support/engine.ts'
import { PROGRAM } from '../support/program.ts'
import { ADA, BOB } from '../support/sample.ts'
import { documentOf, sentDocument, signAs } from '../support/story.ts'
import { openTestApp } from '../support/test-app.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
let trust: ReceiptOptions['trust']
beforeEach(async () => {
  trust = certificatesOfPem((await allSealCertificates(t.app.db)).certificates).map(readCertificate)
})

/** A document that Ada has signed and then Bob, with what each of them and the sender holds. */
async function signedByBoth(title = 'Lease', between = async () => {}) {
  const id = await sentDocument(t, { title })
  await signAs(t, ADA.email, ADA.name)
  await t.drain()
  const ada = await receiptOf(id, 0)
  await between()
  await signAs(t, BOB.email, BOB.name)
  await t.drain()
  const bytes = async (path: string) => new Uint8Array((await t.api('GET', `/documents/${id}/${path}`)).body)
  return { id, ada, bob: await receiptOf(id, 1), pack: await bytes('evidence'), sealed: await bytes('file') }
}

async function receiptOf(id: string, n: number): Promise<Uint8Array> {
  const { recipients } = await documentOf(t, id)
  return new Uint8Array((await t.api('GET', `/documents/${id}/recipients/${recipients[n].id}/receipt`)).body)
}

const check = (receipt: Uint8Array, more: Partial<ReceiptOptions> = {}) =>
  verifyReceipt(receipt, { trust, timestampTrust: [], now: t.clock.now, ...more })

/** The verdict, and the codes of all that does not speak for the receipt. */
function found(receipt: Uint8Array, more: Partial<ReceiptOptions> = {}): string[] {
  const report = check(receipt, more)
  if ('reason' in report) return [report.verdict, report.reason.code]
  const { checks, signer } = report
  const against = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'not-checked')
  return [report.verdict, ...against.map(({ remark }) => remark.code), ...signer.reasons.map(({ code }) => code)]
}

const contentIn = (receipt: Uint8Array): Receipt => receiptIn(readStatement(receipt, { timestampTrust: [], now: t.clock.now }))
/** As whoever holds the key of the seal could write it. */
const written = async (content: object, name = 'receipt') =>
  new TextEncoder().encode(await signStatement(t.app, name, JSON.parse(JSON.stringify(content))))

describe('an honest receipt', () => {
  test('is valid alone, beside the pack, and beside the sealed PDF', async () => {
    const { id, ada, bob, pack, sealed } = await signedByBoth()
    for (const [receipt, name] of [
      [ada, ADA.name],
      [bob, BOB.name],
    ] as const) {
      const report = check(receipt, { pack, sealed })
      expect(report).toMatchObject({ verdict: 'valid', receipt: { signer: { name }, document: { id } } })
      const codes = 'checks' in report ? report.checks.map(({ outcome, remark }) => `${outcome} ${remark.code}`) : []
      expect(codes).toEqual([
        'passed receipt_unchanged',
        'passed receipt_agrees',
        'note receipt_without_timestamp',
        'passed receipt_entry_in_log',
        'passed receipt_values_agree',
        'passed receipt_pack_valid',
        'passed receipt_of_file',
        'passed receipt_file_valid',
      ])
    }
    expect(found(ada)).toEqual(['valid'])
    expect(found(ada, { trust: [], pack })).toEqual(['valid'])
    expect(found(ada, { trust: [] })).toEqual(['signer-unknown', 'signer_unknown'])
  })

  test('of another document, or with a file that belongs to nothing, is recognised as such', async () => {
    const [one, other] = [await signedByBoth(), await signedByBoth('Sale')]
    expect(found(one.ada, { pack: other.pack })).toEqual(['not-valid', 'receipt_of_other_document'])
    // Both were sent the same bytes: the PDF alone cannot tell.
    expect(found(one.ada, { sealed: other.sealed })).toEqual(['valid'])
    const another = new TextEncoder().encode('%PDF-1.7\n%%EOF\n')
    expect(found(one.ada, { sealed: another })).toEqual(['not-valid', 'receipt_of_other_file'])
    const changed = one.sealed.slice()
    changed[changed.length - 2000] = (changed.at(-2000) ?? 0) ^ 1
    expect(found(one.ada, { sealed: changed })).toEqual(['not-valid', 'receipt_file_false'])
    expect(found(one.ada, { pack: new Uint8Array(9) })).toEqual(['not-checked', 'receipt_pack_unreadable'])
  })
})

describe('a false one', () => {
  test('that was changed is not valid, and one by another key is of nobody who is known', async () => {
    const { ada, pack } = await signedByBoth()
    const text = new TextDecoder().decode(ada)
    const changed = (from: string, to: string) => new TextEncoder().encode(text.replace(from, to))
    expect(found(changed(ADA.name, 'Eve Lovelace'))).toEqual(['not-valid', 'statement_changed'])
    expect(found(changed('"signedAt": "2026', '"signedAt": "2025'))).toEqual(['not-valid', 'statement_changed'])
    const stranger = await openTestApp()
    const resigned = await signStatement(stranger.app, 'receipt', receiptContent(contentIn(ada)))
    await stranger.close()
    expect(found(new TextEncoder().encode(resigned), { pack })).toEqual(['signer-unknown', 'signer_unknown'])
  })

  test('by the key of the seal contradicts its entry, or the log', async () => {
    const { ada, bob, pack } = await signedByBoth()
    const content = receiptContent(contentIn(ada)) as unknown as Receipt
    const with_ = async (change: object) => found(await written({ ...content, ...change }), { pack })
    expect(await with_({ signedAt: '2026-01-01T00:00:00.000Z' })).toEqual(['not-valid', 'receipt_contradicts'])
    expect(await with_({ document: { ...content.document, sha256: 'a'.repeat(64) } })).toEqual([
      'not-valid',
      'receipt_contradicts',
    ])
    expect(await with_({ valuesSha256: 'a'.repeat(64) })).toEqual(['not-valid', 'receipt_values_differ'])
    const { entry } = contentIn(bob)
    expect(await with_({ entry })).toContain('receipt_contradicts')
    expect(await with_({ entry: { ...content.entry, hash: 'a'.repeat(64) } })).toContain('receipt_hash_wrong')
    expect(await with_({ entry: { ...content.entry, text: '{}' } })).toContain('receipt_hash_wrong')
    const text = '{"type":"recipient.signed"}'
    const hash = chainHash(content.entry.previousHash, text)
    expect(await with_({ entry: { ...content.entry, text, hash } })).toContain('receipt_entry_wrong')
    const moved = { ...content.entry, sequence: content.entry.sequence + 1 }
    expect(await with_({ entry: moved })).toEqual(['not-valid', 'receipt_entry_not_in_log'])
  })

  test('no other statement is taken for a receipt, and no receipt for a checkpoint', async () => {
    const { ada } = await signedByBoth()
    const content = receiptContent(contentIn(ada))
    const { text } = await makeCheckpoint(t.app, COMMAND_LINE)
    expect(found(new TextEncoder().encode(text))).toEqual(['unreadable', 'receipt_of_other_kind'])
    expect(found(await written({ ...content, kind: 'promise' }))).toEqual(['unreadable', 'receipt_of_other_kind'])
    expect(found(await written({ ...content, version: 2 }))).toEqual(['unreadable', 'receipt_of_later_release'])
    expect(found(await written({ ...content, signer: 'Ada' }))).toEqual(['unreadable', 'receipt_malformed'])
    expect(found(new Uint8Array())).toEqual(['unreadable', 'statement_malformed'])
    const context = { timestampTrust: [], now: t.clock.now }
    expect(() => readCheckpoint(ada, context)).toThrow(CheckpointError)
    const { instance, entry } = contentIn(ada)
    const mixed = { ...content, instance: instance.id, sequence: entry.sequence, hash: entry.hash, count: 1, at: '' }
    const forged = await written(mixed, 'audit-checkpoint')
    expect(() => readCheckpoint(forged, context)).toThrow(CheckpointError)
  })
})

/** Changes what Ada agreed to, and makes all hashes anew, as whoever has the database can. */
async function rebuild(): Promise<void> {
  await t.sql('DROP TRIGGER events_never_change')
  const replaced = new Map<string, string>()
  let hash = GENESIS
  const rows = await t.sql<{ sequence: number; entry: string; hash: string }>('SELECT * FROM events ORDER BY sequence')
  for (const { sequence, entry: text, hash: before } of rows) {
    const entry = JSON.parse(text)
    entry.documentPreviousHash = replaced.get(entry.documentPreviousHash) ?? entry.documentPreviousHash
    if (entry.type === 'recipient.signed') entry.data.intent = 'I agree to everything.'
    const made = canonicalJson(entry)
    hash = chainHash(hash, made)
    replaced.set(before, hash)
    await t.sql('UPDATE events SET entry = ?, hash = ? WHERE sequence = ?', made, hash, sequence)
  }
}

describe('a log made anew before the seal, with every hash right', () => {
  onSqlite(test)('is in itself intact, and found by the receipt alone, in the pack and in the database', async () => {
    const { ada, bob, pack } = await signedByBoth('Lease', rebuild)
    expect(found(bob, { pack })).toEqual(['valid'])
    expect(found(ada, { pack })).toEqual(['not-valid', 'receipt_entry_not_in_log'])
    const [hers, his] = [join(t.folder, 'ada.eml'), join(t.folder, 'bob.eml')]
    writeFileSync(hers, ada)
    writeFileSync(his, bob)
    expect((await runVerb(t, auditVerify)).code).toBe(0)
    const intact = await runVerb(t, auditVerify, '--receipt', his)
    expect(intact.code).toBe(0)
    expect(intact.out).toContain(`of the receipt of ${BOB.name}`)
    expect(intact.out).toContain('This certificate sealed here.')
    const { code, out } = await runVerb(t, auditVerify, '--receipt', his, '--receipt', hers)
    expect(code).toBe(1)
    expect(out).toMatch(/^CHANGED: /)
    expect(out).toContain(`- the receipt of ${ADA.name} in ${hers}: the log has another entry`)
  })
})

describe('signet verify', () => {
  async function run(...args: string[]): Promise<{ code: number; out: string }> {
    const lines: string[] = []
    const io = {
      out: text => void lines.push(text),
      err: () => {},
      env: {},
      command: [...PROGRAM, '__pdf-child'],
    } as Partial<Io> as Io
    return { code: await verify.run(args, io), out: lines.join('\n') }
  }

  test('says whose receipt it is, with exit codes and JSON', async () => {
    t.clock.now = new Date()
    const { ada, pack, sealed } = await signedByBoth()
    const put = (name: string, content: Uint8Array | string) => {
      writeFileSync(join(t.folder, name), content)
      return join(t.folder, name)
    }
    const [receipt, zip, pdf] = [put('r.eml', ada), put('p.zip', pack), put('s.pdf', sealed)]
    const pem = put('seal.pem', (await allSealCertificates(t.app.db)).certificates)
    const valid = await run(receipt, '--pack', zip, '--file', pdf, '--trust', pem)
    expect(valid.out).toStartWith('VALID: the receipt for “Lease”')
    expect(valid.out).toContain(`${ADA.name}: “`)
    expect(valid.out).toContain('+ This receipt belongs to the document of the evidence pack')
    expect(valid.code).toBe(0)
    const json = await run(receipt, '--json', '--trust', pem)
    expect(JSON.parse(json.out)).toMatchObject({ verdict: 'valid', receipt: { signer: { name: ADA.name } } })
    const stranger = await openTestApp()
    const other = put('other.pem', (await allSealCertificates(stranger.app.db)).certificates)
    await stranger.close()
    const unknown = await run(receipt, '--trust', other)
    expect([unknown.code, unknown.out.split(':')[0]]).toEqual([4, 'UNCHANGED, SIGNER NOT KNOWN'])
    const changed = put('c.eml', new TextDecoder().decode(ada).replace(ADA.name, 'Eve'))
    expect(await run(changed, '--trust', pem)).toEqual({
      code: 1,
      out: 'NOT VALID: its content was changed after it was signed.',
    })
    await expect(run(pdf, '--pack', zip, '--trust', pem)).rejects.toThrow('is no receipt')
    await expect(run(receipt, '--pack', join(t.folder, 'none'), '--trust', pem)).rejects.toThrow('there is no file')
  }, 60_000)
})
