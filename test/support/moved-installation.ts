/** An installation to be moved, and all that a folder contains. */
import { expect } from 'bun:test'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDraftBatch } from '../../src/batches/batches.ts'
import { openRaw, type Raw } from '../../src/db/sqlite.ts'
import { SYSTEM } from '../../src/ports.ts'
import { rounds, rowsFor, startBatch, tenancyTemplate } from './batches.ts'
import { openSigner, withFiles } from './field-files.ts'
import { temporaryFolder } from './folders.ts'
import { JPEG } from './jpegs.ts'
import { ADA, BOB } from './sample.ts'
import { sentDocument, signAs } from './story.ts'
import { openTestApp } from './test-app.ts'

/** Sealed documents, one that is out with a file of its signer, batches, and a webhook. */
export async function makeInstallation(): Promise<string> {
  const installation = temporaryFolder()
  const t = await openTestApp()
  for (let i = 0; i < 2; i++) {
    await sentDocument(t, { title: `Lease ${i} – Grüße`, metadata: { customer: `c${i}` } })
    await signAs(t, ADA.email, 'Ada Lovelace')
    await signAs(t, BOB.email, 'Bob Søndergård')
    await t.drain()
  }
  const ada = await openSigner(t, { title: 'Still out', ...withFiles() })
  await ada.upload('Passport', JPEG)
  const templateId = await tenancyTemplate(t)
  const batch = await startBatch(t, templateId, rowsFor(3))
  await rounds(t, 1)
  expect((await t.api('POST', `/batches/${batch}/stop`)).status).toBe(200)
  const draft = { title: 'people.csv', source: Buffer.from([0, 59, 228, 255]), reading: { delimiter: ';' }, total: 1 }
  await createDraftBatch(t.app, templateId, draft, SYSTEM)
  const webhook = await t.api('POST', '/webhooks', { url: 'https://hooks.example.com/signet', events: ['document.completed'] })
  expect(webhook.status).toBe(201)
  cpSync(join(t.folder, 'data'), installation, { recursive: true })
  await t.close()
  return installation
}

export function withRaw<T>(path: string, work: (raw: Raw) => T): T {
  const raw = openRaw(join(path, 'signet.db'))
  try {
    return work(raw)
  } finally {
    raw.close()
  }
}

const STAY = ['migrations', 'cluster', 'nodes', 'leases', 'file_claims', 'file_holds']

/** All rows of all tables, as SQLite prints them, without what a move records. */
export function rowsOf(path: string): Record<string, string[]> {
  return withRaw(path, raw => {
    const names = raw
      .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
      .pluck()
      .all()
    const tables = (names as string[]).filter(name => !name.startsWith('sqlite_') && !STAY.includes(name))
    return Object.fromEntries(
      tables.map(name => {
        const columns = (raw.pragma(`table_info(${name})`) as { name: string }[]).map(column => `quote("${column.name}")`)
        const where = name === 'instance' ? " WHERE name NOT LIKE 'move%'" : ''
        const rows = raw
          .prepare(`SELECT concat_ws('|', ${columns.join(', ')}) FROM ${name}${where}`)
          .pluck()
          .all() as string[]
        return [name, rows.sort()]
      }),
    )
  })
}

/** Tables, indexes and triggers. */
export const schemaOf = (path: string) =>
  withRaw(path, raw => raw.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all())

export const filesOf = (path: string) =>
  readdirSync(join(path, 'files'))
    .filter(name => name.endsWith('.pdf'))
    .sort()
    .map(name => [name, readFileSync(join(path, 'files', name)).toString('base64')])
