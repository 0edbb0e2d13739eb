/** verify.html as a file: the same bytes for the same sources, nothing of it asks for anything. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { Encodings, Font } from '@pdf-lib/standard-fonts'
import { standardFontsModule } from '../../scripts/standard-fonts.ts'
import { makeVerifyPage } from '../../scripts/verify-page.ts'
import { UsageError } from '../../src/cli/verb.ts'
import { verify } from '../../src/cli/verify.ts'
import { verifyPage, verifyPagePolicy } from '../../src/files/verify-page.ts'
import { useFolder } from '../support/folders.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()
const folder = useFolder()
const sha256 = (bytes: Uint8Array | string, as: 'hex' | 'base64' = 'hex') => createHash('sha256').update(bytes).digest(as)

let html = ''
let script = ''
beforeAll(() => {
  html = new TextDecoder().decode(verifyPage().bytes)
  const [, packed = ''] = /id="verify-packed">([^<]*)</.exec(html) ?? []
  script = inflateRawSync(Buffer.from(packed, 'base64')).toString()
})

test('is what two builds of the sources make, and has at most 400 kB', async () => {
  const [one, two] = [await makeVerifyPage(), await makeVerifyPage()]
  expect(sha256(one.page)).toBe(sha256(two.page))
  expect(sha256(one.page)).toBe(verifyPage().sha256)
  expect(sha256(verifyPage().bytes)).toBe(verifyPage().sha256)
  expect(verifyPage().bytes.length).toBeLessThan(400_000)
})

test('its policy forbids everything but its own style sheet, scripts and worker, by their SHA-256', () => {
  const inline = (name: string) =>
    [...html.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, text = '']) => text)
  const source = (text: string) => `'sha256-${sha256(text, 'base64')}'`
  const [[loader = ''], [style = '']] = [inline('script'), inline('style')]
  expect(verifyPagePolicy().split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${source(loader)} ${source(script)}`,
    `style-src ${source(style)}`,
    'worker-src blob:',
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ])
})

test('names no other file, stores nothing, and needs nothing of the executable', () => {
  const addresses = [...html.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, address]) => address)
  expect(addresses.filter(address => !address?.startsWith('data:'))).toEqual([])
  expect(html).not.toMatch(/url\(|@import/)
  expect(script).not.toMatch(/\b(Buffer|process)\.|localStorage|sessionStorage|indexedDB|XMLHttpRequest|WebSocket|sendBeacon/)
  // One request, which the page of a service makes when its reader asks for the record.
  expect(script.match(/\bfetch\(/g)).toHaveLength(1)
  for (const author of ['@noble/curves', '@noble/hashes', '@noble/ciphers', 'preact', 'lucide-static'])
    expect(html).toContain(`${author} `)
})

test('GET /verify.html sends exactly these bytes, under the same policy and in no frame', async () => {
  const response = await t.fetch('/verify.html')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.get('content-security-policy')).toBe(`${verifyPagePolicy()}; frame-ancestors 'none'`)
  expect(response.headers.get('cache-control')).toBe('public, no-cache')
  expect(sha256(await response.bytes())).toBe(verifyPage().sha256)
  const again = await t.fetch('/verify.html', { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})

describe('signet verify --html', () => {
  const run = async (...args: string[]) => {
    const lines: string[] = []
    const code = await verify.run(args, { out: (line: string) => lines.push(line), env: {} } as never)
    return { code, lines }
  }

  test('writes the page, prints its SHA-256 as sha256sum does, and overwrites nothing', async () => {
    const path = join(folder, 'verify.html')
    expect(await run('--html', path)).toEqual({ code: 0, lines: [`${verifyPage().sha256}  ${path}`] })
    expect(sha256(readFileSync(path))).toBe(verifyPage().sha256)
    const before = statSync(path).mtimeMs
    await expect(run('--html', path)).rejects.toThrow(UsageError)
    expect(statSync(path).mtimeMs).toBe(before)
  })

  test('takes nothing beside it', async () => {
    const path = join(folder, 'other.html')
    for (const more of [['a.pdf'], ['--json'], ['--trust', 'a.pem'], ['--data', folder]])
      await expect(run('--html', path, ...more)).rejects.toThrow('nothing beside it')
    expect(existsSync(path)).toBe(false)
  })
})

test('the tables in place of the package of standard fonts say the same', async () => {
  const path = join(folder, 'standard-fonts.mjs')
  await Bun.write(path, standardFontsModule())
  const replaced = (await import(path)) as typeof import('@pdf-lib/standard-fonts')
  for (const family of ['Courier', 'Courier-Bold', 'Helvetica', 'Helvetica-Bold', 'Times-Roman', 'Times-Bold'] as const) {
    const [own, theirs] = [replaced.Font.load(family as never), Font.load(family as never)]
    for (const { N } of theirs.CharMetrics) expect([N, own.getWidthOfGlyph(N)]).toEqual([N, theirs.getWidthOfGlyph(N)])
    expect(own.getWidthOfGlyph('nothing')).toBeUndefined()
  }
  const [own, theirs] = [replaced.Encodings.WinAnsi, Encodings.WinAnsi]
  expect(own.supportedCodePoints).toEqual(theirs.supportedCodePoints)
  for (const code of theirs.supportedCodePoints)
    expect(own.encodeUnicodeCodePoint(code).name).toBe(theirs.encodeUnicodeCodePoint(code).name)
})
