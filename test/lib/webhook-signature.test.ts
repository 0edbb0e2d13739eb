import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { newSecret, sign } from '../../src/lib/webhook-signature.ts'

const secret = newSecret(new Uint8Array(32).fill(7))
const other = newSecret(new Uint8Array(24).fill(9))
const nowS = () => Math.floor(Date.now() / 1000)

/** The verdict of the public library. */
function isAccepted(withSecret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(withSecret).verify(body, headers, { jsonParse: false })
    return true
  } catch (error) {
    if (error instanceof Error && /signature/i.test(error.message)) return false
    throw error
  }
}

describe('a signed delivery', () => {
  test('is accepted by the public library, whatever its body and secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.uint8Array({ minLength: 24, maxLength: 64 }), (text, random) => {
        const body = JSON.stringify({ text: text.toWellFormed() })
        const own = newSecret(random)
        expect(isAccepted(own, body, { ...sign({ id: 'evt_1', timestamp: nowS(), body, secrets: [own] }) })).toBe(true)
      }),
    )
  })

  test('is refused after one byte of body, id or time has changed', () => {
    const body = '{"id":"evt_1"}'
    const headers = { ...sign({ id: 'evt_1', timestamp: nowS(), body, secrets: [secret] }) }
    expect(isAccepted(secret, body, headers)).toBe(true)
    for (let i = 0; i < body.length; i++) {
      const changed = body.slice(0, i) + String.fromCharCode(body.charCodeAt(i) ^ 1) + body.slice(i + 1)
      expect(isAccepted(secret, changed, headers)).toBe(false)
    }
    expect(isAccepted(secret, body, { ...headers, 'webhook-id': 'evt_2' })).toBe(false)
    expect(isAccepted(secret, body, { ...headers, 'webhook-timestamp': String(nowS() - 9) })).toBe(false)
    expect(isAccepted(other, body, headers)).toBe(false)
  })

  test('is accepted with the old and the new secret while both are valid', () => {
    const headers = { ...sign({ id: 'evt_1', timestamp: nowS(), body: '{}', secrets: [secret, other] }) }
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    expect([secret, other].map(each => isAccepted(each, '{}', headers))).toEqual([true, true])
    expect(isAccepted(newSecret(randomBytes(32)), '{}', headers)).toBe(false)
  })

  test('has the same signature for text and for its UTF-8 bytes', () => {
    const parts = { id: 'evt_1', timestamp: 1_700_000_000, secrets: [secret] }
    expect(sign({ ...parts, body: '{"n":"Ωé"}' })).toEqual(sign({ ...parts, body: new TextEncoder().encode('{"n":"Ωé"}') }))
  })
})

test('input that cannot be signed safely causes an error without a secret', () => {
  const parts = { id: 'evt_1', timestamp: 1, body: '{}', secrets: [secret] }
  expect(() => sign({ ...parts, id: 'evt.1' })).toThrow('without a dot')
  expect(() => sign({ ...parts, id: 'evt\r\nx: y' })).toThrow('printable')
  expect(() => sign({ ...parts, timestamp: 1.5 })).toThrow('whole seconds')
  expect(() => sign({ ...parts, secrets: [] })).toThrow('at least one')
  for (const bad of ['', secret.slice(6), 'whsec_', `whsec_${'!'.repeat(40)}`, `whsec_${'A'.repeat(8)}`]) {
    const thrown = (() => {
      try {
        sign({ ...parts, secrets: [bad] })
      } catch (error) {
        return String(error)
      }
    })()
    expect(thrown).toContain('whsec_ and the base64')
    if (bad.length > 6) expect(thrown).not.toContain(bad)
  }
})

test('a secret has 24 to 64 random bytes', () => {
  expect(newSecret(new Uint8Array(24))).toMatch(/^whsec_[A-Za-z0-9+/]+=*$/)
  expect(() => newSecret(new Uint8Array(23))).toThrow()
  expect(() => newSecret(new Uint8Array(65))).toThrow()
})
