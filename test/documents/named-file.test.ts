/** Names of the files of a document: on downloads and in mails, in its language. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { LANGUAGES } from '../../src/core/language.ts'
import { catalogueOf } from '../../src/locales/index.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { useTestApp } from '../support/use-app.ts'

const t = useTestApp()

const people = [{ ...ADA, fields: [SIGNATURE] }]

async function signedDocument(more: Record<string, unknown>): Promise<string> {
  const id = await sentDocument(t, { recipients: people, ...more })
  await signAs(t, ADA.email, 'Ada Lovelace')
  await t.drain()
  return id
}

async function nameOf(path: string): Promise<string> {
  const { headers } = await t.api('GET', path)
  const encoded = /filename\*=UTF-8''(\S+)$/.exec(headers.get('content-disposition') ?? '')?.[1]
  return decodeURIComponent(encoded ?? '')
}

test('the sealed file and the evidence pack are called so in the language of the document', async () => {
  const id = await signedDocument({ fileName: 'Mietvertrag.PDF', locale: 'de-AT' })
  expect(await nameOf(`/documents/${id}/file`)).toBe('Mietvertrag (unterschrieben).pdf')
  expect(await nameOf(`/documents/${id}/file?version=sealed`)).toBe('Mietvertrag (unterschrieben).pdf')
  expect(await nameOf(`/documents/${id}/file?version=original`)).toBe('Mietvertrag.pdf')
  expect(await nameOf(`/documents/${id}/evidence`)).toBe('Mietvertrag (Beweispaket).zip')
  const copy = t.mails.findLast(mail => mail.to.address === ADA.email)
  expect(copy?.attachments?.map(({ fileName }) => fileName)).toEqual([
    'Mietvertrag (unterschrieben).pdf',
    'Mietvertrag (Beleg).eml',
  ])
})

test('without a supported language, in that of the organisation', async () => {
  const id = await signedDocument({ fileName: 'Lease.pdf', locale: 'ja' })
  expect(await nameOf(`/documents/${id}/file`)).toBe('Lease (signed).pdf')
})

test('no language has a word that a file system refuses, or one name for two files', () => {
  for (const language of LANGUAGES) {
    const words = Object.values(catalogueOf(language).evidence.fileNames)
    expect(new Set(words).size).toBe(4)
    for (const word of words) expect(join('folder', word)).toMatch(/^folder\/[\p{L} ]+$/u)
  }
})
