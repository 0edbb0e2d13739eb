/** What signers and the sender see on the pages before anybody has signed. */
import { beforeEach, expect, test } from 'bun:test'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { cookieOf } from '../../support/browser-less.ts'
import { EVERY_KIND, everyKindPdf, NEVER_ASKED } from '../../support/every-kind.ts'
import type { Labelled } from '../../support/every-kind-story.ts'
import { type FileSigner, openOnceMore } from '../../support/field-files.ts'
import { sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'
import { newAdministrator } from '../../support/visitors.ts'

const t = useTestApp()
let id: string
let ada: FileSigner
beforeEach(async () => {
  id = await sentDocument(t, { ...EVERY_KIND, file: Buffer.from(await everyKindPdf()).toString('base64') })
  ada = await openOnceMore(t, id)
})

async function drawnFor(signer: FileSigner): Promise<string> {
  const response = await t.fetch(`${signer.base}/marks?page=1`, { headers: { cookie: signer.cookie } })
  expect(response.status).toBe(200)
  return pdfText(await response.bytes())
}

async function save(values: Record<string, string>): Promise<void> {
  const { body } = await t.api('GET', `/documents/${id}`)
  const fields: Labelled[] = body.recipients[0].fields
  const members = Object.entries(values).map(([label, value]) => [`fields.${fields.find(f => f.label === label)?.id}`, value])
  const { csrf = '' } = ada.values
  const saved = await ada.visitor.post(`${ada.base}/form-values`, { csrf, ...Object.fromEntries(members) })
  expect(saved.status).toBe(204)
}

test('the sender’s values are drawn from the beginning, for the signer and for the sender, but not those of hidden fields', async () => {
  const office = await newAdministrator(t)
  const cookie = cookieOf(office)
  const ofSender = await t.fetch(`/documents/${id}/marks?page=1`, { headers: { cookie } })
  for (const drawn of [await drawnFor(ada), await pdfText(await ofSender.bytes())]) {
    for (const value of ['No 4711', '1250.00', '1 December 2026', 'From 22:00 to 6:00', 'List of 12 May']) {
      expect(drawn).toContain(value)
    }
    expect(drawn).not.toContain(NEVER_ASKED)
  }
})

test('a field appears and disappears on the page with the entry that decides about it', async () => {
  await save({ Payment: 'Direct debit', IBAN: 'DE02 1203 0000 0000 2020 51' })
  expect(await drawnFor(ada)).toContain('DE02 1203')
  await save({ Payment: 'Transfer' })
  expect(await drawnFor(ada)).not.toContain('DE02 1203')
})
