/** What pages load: embedded, served under a name that holds its hash, kept by browsers for good. */
import css from '../../views/static/app.css' with { type: 'text' }
import { sha256Hex } from '../lib/token.ts'

export interface Asset {
  path: string
  type: string
  content: string
}

function named(stem: string, extension: string, type: string, content: string): Asset {
  return { path: `/static/${stem}.${sha256Hex(content).slice(0, 16)}.${extension}`, type, content }
}

export const CSS = named('app', 'css', 'text/css; charset=utf-8', String(css))
export const ASSETS: Asset[] = [CSS]

export function assetAnswer({ type, content }: Asset): Response {
  return new Response(content, {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
    },
  })
}
