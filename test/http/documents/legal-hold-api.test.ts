/** The legal hold by the API: for administrators, with a reason, as in the web app. */
import { beforeEach, expect, test } from 'bun:test'
import { createKey } from '../../../src/accounts/keys.ts'
import { addPerson } from '../../support/accounts.ts'
import { newDocument } from '../../support/sample.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let id: string
beforeEach(async () => {
  id = (await t.api('POST', '/documents', await newDocument())).body.id
})

const hold = (reason = 'Claim 17') => t.api('POST', `/documents/${id}/legal-hold`, { reason })
const lift = (reason = 'Settled') => t.api('POST', `/documents/${id}/lift-legal-hold`, { reason })

test('keeps the document from being deleted until it is lifted, and the audit log has both', async () => {
  expect((await hold()).body).toEqual({ id, heldSince: t.clock.now.toISOString() })
  expect((await hold()).body.error.code).toBe('invalid_state')
  expect((await t.api('DELETE', `/documents/${id}`)).body.error.code).toBe('invalid_state')
  expect((await lift()).body).toEqual({ id, heldSince: null })
  expect((await lift()).body.error.code).toBe('invalid_state')
  const types = (
    await t.app.db.selectFrom('events').select('type').where('type', 'like', 'document.legal%').orderBy('sequence').execute()
  ).map(e => e.type)
  expect(types).toEqual(['document.legal_hold_set', 'document.legal_hold_lifted'])
  expect((await t.api('DELETE', `/documents/${id}`)).status).toBe(200)
})

test('needs a reason', async () => {
  expect((await hold('  ')).body.error.details).toEqual([{ path: 'reason', code: 'reason_missing', message: 'must say why' }])
  expect((await t.api('POST', `/documents/${id}/legal-hold`, {})).status).toBe(422)
})

test('is forbidden to members on their own documents, and says nothing of others', async () => {
  const mia = await addPerson(t, 'Mia', 'member')
  const { key } = await createKey(t.app, { userId: mia.id }, { name: 'm', scopes: [], expiresInDays: undefined })
  const own = { authorization: `Bearer ${key}` }
  const { body: theirs } = await t.api('POST', '/documents', await newDocument(), own)
  const code = async (document: string) =>
    (await t.api('POST', `/documents/${document}/legal-hold`, { reason: 'x' }, own)).body.error.code
  expect(await code(theirs.id)).toBe('forbidden')
  expect(await code(id)).toBe('not_found')
})
