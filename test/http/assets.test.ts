/** The embedded assets: complete, compressed, and served under names with their hash. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { assetPath, signingAssets } from '../../src/http/assets.ts'
import { openPack, packBytes } from '../../src/lib/asset-pack.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const PDFJS = join(import.meta.dir, '../../node_modules/pdfjs-dist')
const { src, css, pdfjsUrl } = signingAssets()
const GZIP = { headers: { 'accept-encoding': 'gzip, br' } }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('an asset', () => {
  test('has a name with its hash, is cached for ever, has its content type, and is sent compressed', async () => {
    for (const [path, type] of [
      [assetPath('app.css'), 'text/css; charset=utf-8'],
      [css, 'text/css; charset=utf-8'],
      [src, 'text/javascript; charset=utf-8'],
    ] as const) {
      const { status, headers, ...answer } = await t.fetch(path, GZIP).then(async r => ({
        status: r.status,
        headers: r.headers,
        bytes: await r.bytes(),
      }))
      expect(status).toBe(200)
      expect(headers.get('content-type')).toBe(type)
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'accept-encoding'])
      expect(path).toContain(sha256(gunzipSync(answer.bytes)).slice(0, 16))
    }
  })

  test('is sent uncompressed to clients without gzip, with another ETag', async () => {
    const packed = await t.fetch(src, GZIP)
    for (const coding of ['identity', 'br', 'gzip;q=0', 'br, gzip; q=0.0', 'x-gzip-like', '']) {
      const plain = await t.fetch(src, { headers: { 'accept-encoding': coding } })
      expect([coding, plain.headers.get('content-encoding')]).toEqual([coding, null])
      expect(src).toContain(sha256(await plain.bytes()).slice(0, 16))
      expect(plain.headers.get('etag')).not.toBe(packed.headers.get('etag'))
    }
    expect((await t.fetch(src, { headers: { 'accept-encoding': 'br;q=1, gzip;q=0.8' } })).headers.get('content-encoding')).toBe(
      'gzip',
    )
  })

  test('is not sent to a client that has it; HEAD gets its length', async () => {
    const etag = (await t.fetch(src, GZIP)).headers.get('etag') ?? ''
    const again = await t.fetch(src, { headers: { ...GZIP.headers, 'if-none-match': `"other", ${etag}` } })
    expect([again.status, (await again.bytes()).length, again.headers.get('etag')]).toEqual([304, 0, etag])
    const other = await t.fetch(src, { headers: { ...GZIP.headers, 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
    const head = await t.fetch(src, { method: 'HEAD', ...GZIP })
    expect([head.status, (await head.bytes()).length]).toEqual([200, 0])
    expect(Number(head.headers.get('content-length'))).toBe((await other.bytes()).length)
  })

  test('no other file is served', async () => {
    for (const path of [
      '/static/signing.js',
      '/static/',
      '/static/../package.json',
      `${pdfjsUrl}pdf.sandbox.min.mjs`,
      `${pdfjsUrl}cmaps/`,
    ])
      expect([path, (await t.fetch(path)).status]).toEqual([path, 404])
    expect((await t.fetch(src, { method: 'POST' })).status).toBe(405)
  })
})

describe('pdf.js', () => {
  test('is served under its version with every part it may load, byte for byte', async () => {
    expect(pdfjsUrl).toMatch(/^\/static\/pdfjs\/\d+\.\d+\.\d+\/$/)
    const types: Record<string, string> = { wasm: 'application/wasm', js: 'text/javascript; charset=utf-8' }
    const meant = ['cmaps', 'standard_fonts', 'wasm', 'iccs'].flatMap(folder =>
      readdirSync(join(PDFJS, folder))
        .filter(name => !/LICENSE|quickjs/.test(name))
        .map(name => `${folder}/${name}`),
    )
    expect(meant.length).toBeGreaterThan(180)
    for (const name of meant) {
      const answer = await t.fetch(pdfjsUrl + name)
      expect([name, answer.status]).toEqual([name, 200])
      const type = types[name.split('.').at(-1) ?? '']
      if (type) expect([name, answer.headers.get('content-type')]).toEqual([name, type])
      expect([name, sha256(await answer.bytes())]).toEqual([name, sha256(await Bun.file(join(PDFJS, name)).bytes())])
    }
  })

  test('and the page’s script transfer at most 600 kB before a document can be read', async () => {
    const paths = [src, `${pdfjsUrl}pdf.min.mjs`, `${pdfjsUrl}pdf.worker.min.mjs`]
    const lengths = await Promise.all(paths.map(async path => (await (await t.fetch(path, GZIP)).bytes()).length))
    expect(lengths.every(length => length > 5000)).toBe(true)
    expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(600_000)
  })
})

test('a pack returns its entries in order', () => {
  const entry = (name: string, length: number) =>
    ({ name, path: `/static/${name}`, type: 'text/css', sha256: '', length, coding: 'identity' }) as const
  const bodies = [Buffer.from('ä'), Buffer.alloc(0), Buffer.from('three')]
  const entries = bodies.map((body, i) => entry(`ü${i}.css`, body.length))
  const opened = openPack(Buffer.from(packBytes(entries, bodies)))
  expect(opened.map(({ entry }) => entry)).toEqual(entries)
  expect(opened.map(({ body }) => String(body))).toEqual(['ä', '', 'three'])
})
