/** Tokens of links, sessions and frames: what each of them is bound to. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Recipient } from '../../src/core/document/document.ts'
import {
  frameToken,
  handedOutAddress,
  linkToken,
  requireUnchangedLink,
  signingSessionToken,
} from '../../src/documents/signing/link.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

type State = Pick<Recipient, 'id' | 'linkVersion' | 'accessCodeHash' | 'verify'>
const LINK = 'lnk_01m7wztxf00000000000000000'
const ADA: State = { id: 'rcp_01m7wztxf00000000000000000', linkVersion: 1, accessCodeHash: undefined, verify: undefined }
const OTHERS: State[] = [
  { ...ADA, id: 'rcp_01m7wztxf00000000000000001' },
  { ...ADA, linkVersion: 2 },
  { ...ADA, accessCodeHash: 'a hash' },
  { ...ADA, verify: 'email_code' },
  { ...ADA, verify: 'webhook_code' },
]

test.each([
  ['session', (state: State) => signingSessionToken(t.app, state)],
  ['frame', (state: State) => frameToken(t.app, state, LINK)],
])('a %s ends with another person, link, access code or way to prove', (_, token) => {
  expect(new Set([ADA, ...OTHERS].map(token)).size).toBe(6)
})

test('no token of one kind is one of another kind', () => {
  const secrets = [
    linkToken(t.app, ADA),
    signingSessionToken(t.app, ADA),
    frameToken(t.app, ADA, LINK),
    handedOutAddress(t.app, ADA, LINK),
  ].map(text => text.split('.').at(-1))
  expect(new Set(secrets).size).toBe(4)
})

test('a change is refused when link, access code or way to prove changed since the request began', () => {
  const holding = (state: State) => ({ recipients: [state as Recipient] }) as Parameters<typeof requireUnchangedLink>[0]
  expect(requireUnchangedLink(holding(ADA), ADA)).toMatchObject(ADA)
  for (const other of OTHERS) expect(() => requireUnchangedLink(holding(other), ADA)).toThrow('link')
})
