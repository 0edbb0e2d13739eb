/** What seals should reach, and the authorities whose time-stamps they get. */
import type { Authority, TrustedRoots } from '../config/service-rows.ts'
import type { SealLevel } from '../core/document.ts'
import type { Db, Tx } from '../db/open.ts'
import type { App } from '../ports.ts'
import { readServiceSettings } from './service-settings.ts'

export interface TimestampSettings {
  /** Requested in this order. */
  authorities: Authority[]
  roots: TrustedRoots | undefined
  level: SealLevel
  /** When no authority responds: `wait`, or seal now and augment `later`. */
  fallback: 'wait' | 'later'
}

type Deps = Pick<App, 'config' | 'db' | 'secrets'>

export async function readTimestampSettings(app: Deps, db: Db | Tx = app.db): Promise<TimestampSettings> {
  const { tsaUrl, tsaCaFile, sealLevel, tsaFallback } = await readServiceSettings(app, db)
  const authorities = tsaUrl.value
  const level = sealLevel.value ?? (authorities.length > 0 ? 'B-LTA' : 'B-B')
  return { authorities, roots: tsaCaFile.value, level, fallback: tsaFallback.value }
}
