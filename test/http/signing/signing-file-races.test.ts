/** Files in two windows, and files that arrive while something else happens to the document. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { addFieldFile } from '../../../src/documents/signing/field-files.ts'
import { resolveSigningSession, type SigningContext } from '../../../src/documents/signing/link.ts'
import { delegate, finish, type SigningForm } from '../../../src/documents/signing/signing.ts'
import { sha256Hex } from '../../../src/lib/token.ts'
import type { App } from '../../../src/ports.ts'
import { plainPng } from '../../evidence/sample.ts'
import { type FileSigner, openOnceMore, openSigner, SCAN, storedFiles, withFiles } from '../../support/field-files.ts'
import { JPEG } from '../../support/jpegs.ts'
import { SIGNATURE } from '../../support/sample.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

let t: TestApp
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const CLIENT = { ip: '127.0.0.1', userAgent: 'test' }
const RED = plainPng(40, 30, [200, 30, 30, 255])

/** The same App, with something done between what an action reads and what it writes. */
function meanwhile(work: () => Promise<unknown>): App {
  let isDone = false
  const write: App['write'] = async (change, how) => {
    if (!isDone) {
      isDone = true
      await work()
    }
    return t.app.write(change, how)
  }
  return { ...t.app, write }
}

const contextOf = ({ cookie }: FileSigner): Promise<SigningContext> =>
  resolveSigningSession(t.app, /signet_link_\w+=([^;]+)/.exec(cookie)?.[1] ?? '')

function formOf({ values, shown }: FileSigner): SigningForm {
  const none = { kind: 'typed' as const, text: '', ink: '' }
  const { consentVersion = '', sha256 = '' } = values
  const marks = { signature: { ...none, text: 'Ada' }, initials: none }
  const files = { shownFiles: { ...shown }, changedFiles: [] }
  return { values: {}, marks, consent: true, consentId: consentVersion, shownSha256: sha256, language: 'en', ...files }
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    error => [error.reason, error.details?.[0]?.message].join(' '),
  )
const rows = async () => (await t.app.db.selectFrom('field_files').select('sha256').execute()).map(row => row.sha256)
const claims = () => t.app.db.selectFrom('file_claims').selectAll().execute()

async function add(ada: FileSigner, app: App, bytes: Uint8Array): Promise<string> {
  const upload = await t.app.storage.writeTemporary(bytes)
  return reasonOf(addFieldFile(app, await contextOf(ada), ada.idOf('Passport'), { fileName: 'late.png', upload }))
}

test('a file that another window has added, replaced or removed is not signed unseen', async () => {
  const ada = await openSigner(t)
  const other = await openOnceMore(t, ada.documentId)
  const refused = 'this file was changed in another window. Please check it, then finish again'
  await other.upload('Passport', RED, 'a.png')
  await other.upload('Photo', RED, 'b.png')
  const page = await (await ada.finish()).text()
  expect([page.includes(`Passport: ${refused}`), page.includes(`Photo: ${refused}`)]).toEqual([true, true])
  await ada.upload('Passport', JPEG)
  await ada.upload('Photo', JPEG)
  await other.remove('Photo')
  expect(await (await ada.finish()).text()).toContain(`Photo: ${refused}`)
  // The page that was sent back shows what there is now.
  const again = await openOnceMore(t, ada.documentId)
  expect((await again.finish()).status).toBe(303)
  expect(await rows()).toEqual([sha256Hex(JPEG)])
})

test('a file that is replaced at the moment of the signature is not signed unseen', async () => {
  const ada = await openSigner(t)
  await ada.upload('Passport', RED, 'seen.png')
  const app = meanwhile(() => ada.upload('Passport', JPEG, 'unseen.jpg'))
  expect(await reasonOf(finish(app, await contextOf(ada), formOf(ada), CLIENT))).toBe(
    'validation_failed Passport: this file was changed in another window. Please check it, then finish again',
  )
  expect((await t.api('GET', `/documents/${ada.documentId}`)).body.recipients[0].status).toBe('viewed')
  expect(await rows()).toEqual([sha256Hex(JPEG)])
  expect(await reasonOf(finish(t.app, await contextOf(ada), formOf(ada), CLIENT))).toBe('done')
  expect(await rows()).toEqual([sha256Hex(JPEG)])
})

test('a file that arrives after the signature is refused, and changes nothing of what was signed', async () => {
  const ada = await openSigner(t)
  await ada.upload('Passport', RED)
  expect(
    await add(
      ada,
      meanwhile(() => ada.finish()),
      JPEG,
    ),
  ).toStartWith('invalid_state')
  expect([await rows(), await claims()]).toEqual([[sha256Hex(RED)], []])
  expect(storedFiles(t)).not.toContain(sha256Hex(JPEG))
})

test('a file that arrives after the document was handed over is not the next person’s', async () => {
  const ada = await openSigner(t, { ...withFiles(), allowDelegation: true })
  const context = await contextOf(ada)
  const to = { name: 'Carol King', email: 'carol@example.com' }
  expect(
    await add(
      ada,
      meanwhile(() => delegate(t.app, context, to, CLIENT)),
      RED,
    ),
  ).toStartWith('not_found')
  expect([await rows(), await claims()]).toEqual([[], []])
  expect(storedFiles(t)).not.toContain(sha256Hex(RED))
})

test('of two files for one field at once one is kept, with its bytes', async () => {
  const ada = await openSigner(t)
  const before = storedFiles(t)
  const answers = await Promise.all([ada.upload('Passport', RED), ada.upload('Passport', JPEG)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const kept = await rows()
  expect(kept).toHaveLength(1)
  expect(storedFiles(t).filter(name => !before.includes(name))).toEqual(kept)
  expect(await claims()).toEqual([])
})

test('when the disk runs low, files get 503, the form stays, and who needs no file can still sign', async () => {
  await t.close()
  const disk = { freeBytes: 50e9, totalBytes: 100e9 }
  t = await openTestApp({ disk })
  const ada = await openSigner(t, withFiles([{ ...SCAN, required: false }, SIGNATURE]))
  disk.freeBytes = 400e6
  expect((await ada.upload('Passport', RED)).status).toBe(503)
  const refused = await ada.finish([['Passport', RED, 'pass.png']], { signature: 'Ada L.' })
  expect([refused.status, (await refused.text()).includes('value="Ada L."')]).toEqual([503, true])
  expect((await ada.finish()).status).toBe(303)
})
