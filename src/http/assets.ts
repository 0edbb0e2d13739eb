/** Serves the embedded assets under names with a hash, which browsers cache for ever. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { Refusal } from '../core/refusal.ts'
import { violation } from '../core/violation.ts'
import { otherAssetPacks, ownAssetPack } from '../files/asset-packs.ts'
import { verifyPagePolicy } from '../files/verify-page.ts'
import { openPack, type PackedAsset, VERIFY_PAGE } from '../lib/asset-pack.ts'
import type { App } from '../ports.ts'
import { FileDamagedError } from '../storage/file-store.ts'
import { acceptsGzip } from './compression.ts'
import { pathOf } from './request.ts'

let opened: PackedAsset[] | undefined

/** Reads the pack at the first use. */
function assets(): PackedAsset[] {
  opened ??= openPack(ownAssetPack().bytes)
  return opened
}

function findPath(matches: (name: string) => boolean): string {
  const found = assets().find(({ entry }) => matches(entry.name))
  if (!found) throw new Error('an asset is not embedded: add it to scripts/assets.ts')
  return found.entry.path
}

/** The path of an asset, by its name in the source. */
export function assetPath(name: string): string {
  return findPath(each => each === name)
}

/** The icons of every page. */
export function iconAssets() {
  return { svg: assetPath('favicon.svg'), png: assetPath('favicon.png'), touch: assetPath('touch-icon.png') }
}

/** The folder of pdf.js. */
function pdfjsUrl(): string {
  return findPath(name => name.endsWith('/pdf.worker.min.mjs')).replace(/[^/]+$/, '')
}

/** The assets of the page of fields, besides those of all pages. */
export function editorAssets() {
  return { src: assetPath('editor.js'), layoutSrc: assetPath('editor-layout.js'), pdfjsUrl: pdfjsUrl() }
}

/** The assets of the signing page, besides the style sheet of all pages. */
export function signingAssets() {
  return {
    src: assetPath('signing.js'),
    filesUrl: assetPath('signing-files.js'),
    numbersUrl: assetPath('signing-numbers.js'),
    deviceKeySrc: deviceKeyScript(),
    css: assetPath('signing.css'),
    pdfjsUrl: pdfjsUrl(),
  }
}

/** On the signing page, and on the page on which the device of the signer signs. */
export const deviceKeyScript = (): string => assetPath('device-key.js')

/** Of the page after signing, besides the style sheet of all pages. */
export function doneAssets() {
  return { pdfjsUrl: pdfjsUrl() }
}

/** Readers see all pages, others the one that they have signed. */
export function doneScript(mustAct: boolean): string {
  return assetPath(mustAct ? 'done.js' : 'reading.js')
}

/** Also of releases whose pages are still open, or that other nodes serve. Throws `not_found`. */
export async function assetResponse(app: App, request: Request): Promise<Response> {
  return ownAssetResponse(request) ?? immutableResponse(request, await assetOfOthers(app, pathOf(request)))
}

/** Of this release alone; undefined where it has none. */
export function ownAssetResponse(request: Request): Response | undefined {
  const path = pathOf(request)
  const found = assets().find(({ entry }) => entry.path === path)
  return found && immutableResponse(request, found)
}

function immutableResponse(request: Request, asset: PackedAsset | undefined): Response {
  if (!asset) throw new Refusal('not_found', violation('nothing_here'))
  return packedResponse(request, asset, 'public, max-age=31536000, immutable')
}

async function assetOfOthers(app: App, path: string): Promise<PackedAsset | undefined> {
  for (const sha256 of await otherAssetPacks(app)) {
    const found = (await packOf(app, sha256)).find(({ entry }) => entry.path === path)
    if (found) return found
  }
  return undefined
}

/** Damage is reported where files are checked; a page does without an asset. */
async function packOf({ storage, assetPacks }: App, sha256: string): Promise<PackedAsset[]> {
  const known = assetPacks.get(sha256)
  if (known) return known
  try {
    const { path } = await storage.intact(sha256)
    const pack = openPack(await readFile(path))
    assetPacks.set(sha256, pack)
    return pack
  } catch (error) {
    if (error instanceof FileDamagedError) return []
    throw error
  }
}

/** The script for pages of other sites, which name it without a hash. */
export function embedScriptResponse(request: Request): Response {
  const path = assetPath('embed.js')
  const found = assets().find(({ entry }) => entry.path === path)
  if (!found) throw new Refusal('not_found', violation('nothing_here'))
  const response = packedResponse(request, found, 'public, max-age=3600')
  response.headers.set('cross-origin-resource-policy', 'cross-origin')
  response.headers.set('access-control-allow-origin', '*')
  return response
}

/** verify.html, under the policy that it states itself. */
export function verifyPageResponse(request: Request): Response {
  const found = assets().find(({ entry }) => entry.name === VERIFY_PAGE)
  if (!found) throw new Refusal('not_found', violation('nothing_here'))
  const response = packedResponse(request, found, 'public, no-cache')
  response.headers.set('content-security-policy', `${verifyPagePolicy()}; frame-ancestors 'none'`)
  response.headers.set('referrer-policy', 'no-referrer')
  return response
}

function packedResponse(request: Request, { entry, body }: PackedAsset, cacheControl: string): Response {
  const isPlain = entry.coding === 'identity' || !acceptsGzip(request)
  const etag = `"${entry.sha256.slice(0, 32)}${isPlain ? '' : '-gzip'}"`
  const headers = new Headers({
    'content-type': entry.type,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    etag,
  })
  if (request.headers.get('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  if (!isPlain) headers.set('content-encoding', 'gzip')
  const bytes = isPlain && entry.coding === 'gzip' ? gunzipSync(body) : body
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers })
}
