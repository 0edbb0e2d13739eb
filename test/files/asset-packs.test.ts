/** Pages of another release find their assets: for a day after its last node has served. */
import { describe, expect, test } from 'bun:test'
import { keepAssets, ownAssetPack } from '../../src/files/asset-packs.ts'
import { assetPath } from '../../src/http/assets.ts'
import { packBytes } from '../../src/lib/asset-pack.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const SCRIPT = Buffer.from('console.log("of the release before")')
const PATH = '/static/0123456789abcdef/signing.js'

/** As the keeping of its own assets by an executable of another release leaves it. */
async function keepOther(): Promise<string> {
  const entry = { name: 'signing.js', path: PATH, type: 'text/javascript; charset=utf-8', sha256: sha256Hex(SCRIPT) }
  const bytes = packBytes([{ ...entry, length: SCRIPT.length, coding: 'identity' }], [SCRIPT])
  const sha256 = sha256Hex(bytes)
  const upload = await t.app.storage.writeTemporary(bytes)
  await upload.synced
  await t.app.storage.keep(upload.path, sha256)
  const at = t.clock.now.toISOString()
  await t.sql('INSERT INTO files (sha256, bytes, created_at) VALUES (?, ?, ?)', sha256, bytes.length, at)
  await t.sql('INSERT INTO asset_packs (sha256, used_at) VALUES (?, ?)', sha256, at)
  return sha256
}

const packs = async () => (await t.sql<{ sha256: string }>('SELECT sha256 FROM asset_packs')).map(({ sha256 }) => sha256).sort()
const files = async () => (await t.sql<{ sha256: string }>('SELECT sha256 FROM files')).map(({ sha256 }) => sha256).sort()
const stored = (sha256: string) => t.app.storage.hashOf(sha256)

describe('assets of another release', () => {
  test('are served as its own nodes serve them', async () => {
    expect((await t.fetch(PATH)).status).toBe(404)
    await keepOther()
    const found = await t.fetch(PATH)
    expect([found.status, await found.text()]).toEqual([200, SCRIPT.toString()])
    expect(found.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(found.headers.get('cache-control')).toContain('immutable')
    expect((await t.fetch(PATH.replace('signing', 'editor'))).status).toBe(404)
  })

  test('are kept for a day after its last node has served, and removed then with their row', async () => {
    const other = await keepOther()
    t.clock.pass({ hours: 25 })
    await keepAssets(t.app)
    expect(await packs()).toEqual([other, ownAssetPack().sha256].sort())
    t.clock.pass({ hours: 2 })
    await keepAssets(t.app)
    expect(await packs()).toEqual([ownAssetPack().sha256])
    expect([await files(), await stored(other)]).toEqual([[ownAssetPack().sha256], undefined])
  })

  test('whose file is damaged are not served, and no page fails for it', async () => {
    await t.app.storage.remove(await keepOther())
    expect((await t.fetch(PATH)).status).toBe(404)
    expect((await t.fetch(assetPath('app.css'))).status).toBe(200)
  })
})

describe('the assets of this release', () => {
  test('are stored once, however many nodes start, and survive the sweep of files', async () => {
    await Promise.all([keepAssets(t.app), keepAssets(t.app)])
    await keepAssets(t.app)
    const { sha256 } = ownAssetPack()
    expect([await packs(), await files(), await stored(sha256)]).toEqual([[sha256], [sha256], sha256])
    t.clock.pass({ days: 3 })
    await keepAssets(t.app)
    expect([await packs(), await stored(sha256)]).toEqual([[sha256], sha256])
  })

  test('are noted as used while it serves, less than once an hour', async () => {
    const usedAt = async () => (await t.sql<{ used_at: string }>('SELECT used_at FROM asset_packs'))[0]?.used_at
    await keepAssets(t.app)
    const first = await usedAt()
    t.clock.pass({ minutes: 30 })
    await keepAssets(t.app)
    expect(await usedAt()).toBe(first)
    t.clock.pass({ minutes: 30 })
    await keepAssets(t.app)
    expect(await usedAt()).toBe(t.clock.now.toISOString())
  })
})
