/**
 * Seals with the sub-filter adbe.pkcs7.detached: sealed, augmented, verified, explained, and kept
 * apart from PAdES seals.
 */
import { afterEach, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FeatureLevels } from '../../src/db/feature-level.ts'
import { compareWithLog, describeRowProblem } from '../../src/documents/evidence/compare-with-log.ts'
import { augmentAllDue } from '../../src/documents/sealing/augment.ts'
import { readTimestampSettings } from '../../src/settings/timestamp-settings.ts'
import { listSignatures } from '../support/pdfjs-signatures.ts'
import { configure, documentOf, eventsOf, signedDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { openTestAuthority, type TestAuthority } from '../support/tsa.ts'
import { run } from '../verify/tools.ts'

const PKCS7 = 'adbe.pkcs7.detached'
let t: TestApp
let authority: TestAuthority | undefined

async function open({ env = {}, isStamped = false }: { env?: Record<string, string>; isStamped?: boolean } = {}): Promise<void> {
  authority = isStamped ? openTestAuthority() : undefined
  const stamped = authority && { SIGNET_TSA_URL: authority.url, SIGNET_TSA_CA_FILE: join(authority.folder, 'root.pem') }
  t = await openTestApp({ env: { ...stamped, ...env } })
  // The authority uses the machine's clock.
  t.clock.now = new Date()
}
afterEach(async () => {
  await t.close()
  await authority?.close()
})

const fileOf = async (id: string): Promise<Buffer> => Buffer.from((await t.api('GET', `/documents/${id}/file`)).body)
const verified = async (file: Buffer) => (await t.api('POST', '/verify', { file: file.toString('base64') })).body

/** All that waits is due: the authority's clock is the machine's, so the test's cannot pass. */
async function augmentNow(): Promise<void> {
  const past = new Date(t.clock.now.getTime() - 2 * 86_400_000).toISOString()
  await t.app.write(tx =>
    tx.updateTable('sealed_versions').set({ augment_at: past, made_at: past }).where('augment_at', 'is not', null).execute(),
  )
  await augmentAllDue(t.app)
  await t.drain()
}

describe('a document sealed in it', () => {
  test('has no PAdES level, says so in its record, and is valid here, in poppler and for pdf.js', async () => {
    await open({ env: { SIGNET_SEAL_SUB_FILTER: PKCS7 } })
    const id = await signedDocument(t)
    expect(await documentOf(t, id)).toMatchObject({ status: 'completed', sealLevel: null })
    const [completed] = await eventsOf(t, id, 'document.completed')
    expect(completed.data).toMatchObject({ sealLevel: null, sealSubFilter: PKCS7 })
    const file = await fileOf(id)
    const report = await verified(file)
    expect(report).toMatchObject({ verdict: 'valid', record: { known: true, documentId: id } })
    expect(report.signatures).toMatchObject([{ subFilter: PKCS7, integrity: 'intact', partsOf: 'B-B', coversWholeFile: true }])
    expect(report.signatures[0]).not.toHaveProperty('level')
    expect(report.signatures[0].levelNotes).toEqual([
      'Its sub-filter is adbe.pkcs7.detached, so it has no PAdES baseline level. Its parts are those of B-B.',
    ])
    expect(await listSignatures(file)).toMatchObject([{ subFilter: PKCS7, signatureType: 0, coversWholeDocument: true }])
    const path = join(t.folder, 'sealed.pdf')
    writeFileSync(path, file)
    expect(run(['pdfsig', path]).text).toMatch(
      /Total document signed[\s\S]*Signature is Valid|Signature is Valid[\s\S]*Total document signed/,
    )
    const printed = run(['pdftotext', '-layout', path, '-']).text.replace(/\s+/g, ' ')
    expect(printed).toContain('in the format PKCS#7 (ISO 32000-2, 12.8.3.3)')
    expect(printed).not.toContain('PAdES')
    expect(await versions()).toEqual([{ level: 'B-B', sub_filter: PKCS7, isPlanned: false }])
  })

  test('gets the time-stamp and nothing behind the seal, unless a higher level is chosen', async () => {
    await open({ env: { SIGNET_SEAL_SUB_FILTER: PKCS7 }, isStamped: true })
    const id = await signedDocument(t)
    const file = await fileOf(id)
    const { signatures } = await verified(file)
    expect(signatures).toMatchObject([{ partsOf: 'B-T', coversWholeFile: true, time: { timestamp: { trusted: true } } }])
    expect(await listSignatures(file)).toMatchObject([{ signatureType: 0, coversWholeDocument: true }])
    expect(await versions()).toEqual([{ level: 'B-T', sub_filter: PKCS7, isPlanned: false }])
    await configure(t, { sealLevel: 'B-LTA' })
    const archived = await fileOf(await signedDocument(t))
    const report = await verified(archived)
    expect(report.verdict).toBe('valid')
    expect(report.signatures).toMatchObject([
      { kind: 'signature', partsOf: 'B-LTA', coversWholeFile: false },
      { kind: 'document-timestamp' },
    ])
    // What Settings → Seal → Form says of Firefox: the time-stamp is of no type that it verifies.
    expect((await listSignatures(archived)).map(one => [one.signatureType, one.coversWholeDocument])).toEqual([
      [null, true],
      [0, false],
    ])
  })

  test('is augmented and renewed as a PAdES seal is, and stays what it is when the setting changes', async () => {
    await open({ isStamped: true })
    authority?.behave('/tsa', () => new Response('', { status: 503 }))
    await configure(t, { sealSubFilter: PKCS7, sealLevel: 'B-LTA' })
    const id = await signedDocument(t)
    expect(await versions()).toEqual([{ level: 'B-B', sub_filter: PKCS7, isPlanned: true }])
    const before = await fileOf(id)
    authority?.behave('/tsa', undefined)
    await configure(t, { sealSubFilter: '', sealLevel: '' })
    await augmentNow()
    // The level of its own form is B-T now.
    const after = await fileOf(id)
    expect(after.subarray(0, before.length).equals(before)).toBe(true)
    expect((await verified(after)).signatures).toMatchObject([
      { subFilter: PKCS7, partsOf: 'B-T' },
      { kind: 'document-timestamp' },
    ])
    expect(await documentOf(t, id)).toMatchObject({ sealLevel: null })
    const [augmented] = await eventsOf(t, id, 'document.seal_augmented')
    expect(augmented.data).toMatchObject({ sealLevel: null, sealSubFilter: PKCS7 })
    expect((await compareWithLog(t.app.db)).problems.map(describeRowProblem)).toEqual([])
    const pades = await signedDocument(t)
    expect(await documentOf(t, pades)).toMatchObject({ sealLevel: 'B-LTA' })
  })

  test('has no byte that may change: its own form is checked as strictly', async () => {
    await open({ env: { SIGNET_SEAL_SUB_FILTER: PKCS7 } })
    const file = await fileOf(await signedDocument(t))
    const text = file.toString('latin1')
    const start = text.lastIndexOf('/Contents <') + '/Contents <'.length
    const end = text.indexOf('>', start)
    const changed = (change: (hex: string) => string) =>
      Buffer.from(text.slice(0, start) + change(text.slice(start, end)) + text.slice(end), 'latin1')
    const last = (hex: string) => `${hex.slice(0, -1)}1`
    for (const change of [last, (hex: string) => hex.toUpperCase()])
      expect((await verified(changed(change))).verdict).toBe('not-valid')
    expect((await verified(file)).verdict).toBe('valid')
    expect((await verified(Buffer.concat([file, Buffer.from('%\n')]))).verdict).toBe('not-valid')
  })
})

test('a PAdES seal stays one, and is brought to the level of its form, after the setting changed', async () => {
  await open({ isStamped: true })
  authority?.behave('/tsa', () => new Response('', { status: 503 }))
  const id = await signedDocument(t)
  expect(await documentOf(t, id)).toMatchObject({ sealLevel: 'B-B' })
  await configure(t, { sealSubFilter: PKCS7 })
  authority?.behave('/tsa', undefined)
  await augmentNow()
  expect(await documentOf(t, id)).toMatchObject({ sealLevel: 'B-LTA' })
  expect((await readTimestampSettings(t.app)).level).toBe('B-T')
})

describe('while nodes of the release before may serve', () => {
  test('the environment asks for it in vain: an older node would take it for a seal that lost its level', async () => {
    await open({ env: { SIGNET_SEAL_SUB_FILTER: PKCS7 } })
    await t.sql('UPDATE cluster SET feature_level = 1')
    t.app.features = new FeatureLevels()
    expect((await readTimestampSettings(t.app)).subFilter).toBe('ETSI.CAdES.detached')
    expect(await documentOf(t, await signedDocument(t))).toMatchObject({ sealLevel: 'B-B' })
  })
})

async function versions() {
  const rows = await t.app.db.selectFrom('sealed_versions').selectAll().orderBy('made_at').execute()
  return rows.map(({ level, sub_filter, augment_at }) => ({ level, sub_filter, isPlanned: augment_at !== null }))
}
