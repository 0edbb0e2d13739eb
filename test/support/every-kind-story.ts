/** Sends the document with every kind of field and signs it for both people. */
import { expect } from 'bun:test'
import { join } from 'node:path'
import { ENTRIES, EVERY_KIND, everyKindPdf } from './every-kind.ts'
import { openOnceMore } from './field-files.ts'
import { JPEG } from './jpegs.ts'
import { ADA, BOB, samplePdf } from './sample.ts'
import { sentDocument } from './story.ts'
import type { TestApp } from './test-app.ts'

export interface Labelled {
  id: string
  label: string
}

type Files = Record<string, { bytes: Uint8Array; name: string }>

export const FILES: Files = {
  'Photo of the meter': { bytes: JPEG, name: 'Zähler.jpg' },
  'Proof of income': { bytes: Buffer.from(await samplePdf(2), 'base64'), name: 'Gehalt Mai.pdf' },
}

/** `entries` and `files`: by the labels of fields. */
export async function signWith(
  t: TestApp,
  id: string,
  { email, name }: { email: string; name: string },
  entries: Record<string, string>,
  files: Files = {},
): Promise<void> {
  const { body } = await t.api('GET', `/documents/${id}`)
  const fields: Labelled[] = body.recipients.find((r: { email: string }) => r.email === email).fields
  const values = fields.flatMap(({ id: fieldId, label }) => {
    const value = entries[label]
    return value === undefined ? [] : [[`fields.${fieldId}`, value]]
  })
  const signer = await openOnceMore(t, id, email)
  for (const [label, file] of Object.entries(files)) {
    expect((await signer.upload(label, file.bytes, file.name)).status).toBe(200)
  }
  const marks = { signature: name, initials: name.replace(/[^A-ZØ]/g, '') }
  const done = await signer.finish([], { ...marks, ...Object.fromEntries(values) })
  expect(done.status).toBe(303)
}

/** Its id and the path of the sealed file. */
export async function everyKindCompleted(t: TestApp, overrides: object = {}): Promise<{ id: string; path: string }> {
  const file = Buffer.from(await everyKindPdf()).toString('base64')
  const id = await sentDocument(t, { ...EVERY_KIND, file, ...overrides })
  await signWith(t, id, ADA, ENTRIES.ada, FILES)
  await t.drain()
  await signWith(t, id, BOB, ENTRIES.bob)
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}`)
  expect([body.status, body.sealingError]).toEqual(['completed', null])
  return { id, path: join(t.folder, 'data', 'files', `${body.sha256.sealed}.pdf`) }
}
