/** The table of error codes: complete, consistent, and the source of every list of codes. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { ERRORS_FILE, errorsFile } from '../../../scripts/error-catalogue.ts'
import { REASONS } from '../../../src/core/refusal.ts'
import { CODES, ERROR_CODES, errorCatalogue } from '../../../src/http/error-codes.ts'
import { API_PREFIX } from '../../../src/http/server.ts'
import { openTestApp } from '../../support/test-app.ts'

test('it has every reason of a refusal, and internal', () => {
  expect(new Set<string>(CODES)).toEqual(new Set([...REASONS, 'internal']))
})

test('each code has a failure status, a meaning and a remedy in whole sentences', () => {
  for (const code of CODES) {
    const { status, meaning, remedy } = ERROR_CODES[code]
    expect(status).toBeWithin(400, 600)
    for (const text of [meaning, remedy]) expect([code, text]).toEqual([code, expect.stringMatching(/^[`A-Z].*\.$/)])
  }
})

test('what can succeed later unchanged is a server error, a rate limit or a running request', () => {
  for (const code of CODES) {
    const { status, isRetryable = false } = ERROR_CODES[code]
    expect([code, isRetryable]).toEqual([code, status >= 500 || status === 429 || code === 'idempotency_in_progress'])
  }
})

test('ERRORS.md, the OpenAPI document and the reference page list every code', async () => {
  expect(readFileSync(ERRORS_FILE, 'utf8')).toBe(errorsFile())
  const t = await openTestApp()
  try {
    const { info, components } = await (await t.fetch(`${API_PREFIX}/openapi.json`)).json()
    expect(info.description).toContain(errorCatalogue())
    expect(components.schemas.Error.properties.code.description).toContain(errorCatalogue())
    expect(components.schemas.Error.properties.code['x-extensible-enum']).toEqual(CODES)
    const page = await (await t.fetch(`${API_PREFIX}/docs`)).text()
    for (const code of CODES) expect(page).toContain(`<code>${code}</code> (${ERROR_CODES[code].status}`)
  } finally {
    await t.close()
  }
})
