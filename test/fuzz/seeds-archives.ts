/** Seeds of pictures and archives: PNG, JPEG, evidence pack, tar, backup. */
import { deflateSync } from 'node:zlib'
import { Encrypter } from 'age-encryption'
import { zipSync } from 'fflate'
import { FileSummer, FORMAT } from '../../src/backups/manifest.ts'
import { latestVersion } from '../../src/db/migrate.ts'
import { sha256Hex } from '../../src/lib/sha256.ts'
import { TAR_END, tarHeader, tarPadding } from '../../src/lib/tar.ts'
import { encodeMessage } from '../../src/sandbox/protocol.ts'
import { pngChunk } from '../evidence/sample.ts'
import { greyPng, pngOf } from '../image/signature-photo.ts'
import { recipient } from '../support/backup-file.ts'
import { CMYK_JPEG, exifSegment, JPEG, PROGRESSIVE_JPEG, withSegments } from '../support/jpegs.ts'
import { makePdf } from '../support/make-pdf.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp } from '../support/test-app.ts'
import { CORPUS_TIME } from './corpus.ts'
import type { Put } from './make-seeds.ts'

function pictureSeeds(put: Put): void {
  put(
    'png',
    'ink.png',
    greyPng(60, 30, (x, y) => (Math.abs(x / 2 - y) < 3 ? 10 : 250)),
  )
  const rows = Buffer.from(
    Array.from({ length: 8 }, (_, y) => [y % 5, ...Array.from({ length: 8 * 4 }, (_, i) => (i * y * 7) % 256)]).flat(),
  )
  put('png', 'rgba.png', pngOf([8, 6, 0, 0, 0], 8, 8, rows))
  put('png', 'wide.png', pngOf([16, 2, 0, 0, 0], 2, 2, Buffer.from([0, ...Array(12).fill(9), 1, ...Array(12).fill(200)])))
  put('png', 'interlaced.png', pngOf([1, 0, 0, 0, 1], 8, 8, Buffer.from(Array.from({ length: 15 }, () => [0, 0xaa]).flat())))
  const head = Buffer.from('0000000400000002080300000000'.slice(0, 26), 'hex')
  const palette = [pngChunk('PLTE', Buffer.from([1, 2, 3, 9, 9, 9])), pngChunk('tRNS', Buffer.from([0]))]
  const data = pngChunk('IDAT', deflateSync(Buffer.from([0, 0, 1, 0, 1, 0, 1, 0, 1, 0])))
  const start = Buffer.from('89504e470d0a1a0a', 'hex')
  put('png', 'palette.png', Buffer.concat([start, pngChunk('IHDR', head), ...palette, data, pngChunk('IEND', Buffer.alloc(0))]))
  put('jpeg', 'usual.jpg', JPEG)
  put('jpeg', 'cmyk.jpg', CMYK_JPEG)
  put('jpeg', 'progressive.jpg', PROGRESSIVE_JPEG)
  put('jpeg', 'turned.jpg', withSegments(JPEG, [exifSegment(6), [0xfe, Buffer.from('a comment')]]))
}

/** The pack of a document that one person signed, and her receipt. */
async function packSeeds(put: Put): Promise<void> {
  const t = await openTestApp()
  t.clock.now = new Date('2026-11-26T10:00:00Z')
  const file = makePdf({ pages: [{ media: [0, 0, 300, 300] }] }).toString('base64')
  const id = await sentDocument(t, { title: 'Pack', recipients: [{ ...ADA, fields: [SIGNATURE] }], file })
  await signAs(t, ADA.email, 'Ada Lovelace')
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}/evidence`)
  put('evidence-pack', 'usual.zip', body)
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  put('receipt', 'usual.eml', (await t.api('GET', `/documents/${id}/recipients/${recipients[0].id}/receipt`)).body)
  await t.close()
}

function tarOf(parts: readonly (readonly [string, Uint8Array])[]): Buffer {
  const blocks = parts.flatMap(([name, content]) => [
    tarHeader({ name, bytes: content.length }),
    content,
    tarPadding(content.length),
  ])
  return Buffer.concat([...blocks, TAR_END])
}

/** A backup whose database is some text: the database is examined after all of it was read. */
async function backupSeeds(put: Put): Promise<void> {
  const database = Buffer.from('a database')
  const files = ['one', 'two'].map(text => Buffer.from(text)).toSorted((a, b) => (sha256Hex(a) < sha256Hex(b) ? -1 : 1))
  const summer = new FileSummer()
  for (const content of files) summer.add({ sha256: sha256Hex(content), bytes: content.length })
  const manifest = {
    format: FORMAT,
    signet: '0.1.0',
    schema: latestVersion(),
    environment: 'test',
    instance: 'i',
    madeAt: CORPUS_TIME.toISOString(),
    documents: 2,
    audit: { entries: 1, head: '0'.repeat(64) },
    database: { bytes: database.length, sha256: sha256Hex(database) },
    files: summer.sum(),
    masterKey: { fingerprint: 'f', isIncluded: true },
  }
  const plain = tarOf([
    ['manifest.json', Buffer.from(JSON.stringify(manifest))],
    ['signet.db', database],
    ['keys/master.key', Buffer.from(Buffer.alloc(32, 7).toString('base64'))],
    ...files.map(content => [`files/${sha256Hex(content)}.pdf`, content] as const),
    ['damaged.json', Buffer.from('[]')],
  ])
  put('tar', 'backup.tar', plain)
  put(
    'tar',
    'small.tar',
    tarOf([
      ['a', Buffer.from('x')],
      ['b/c', Buffer.alloc(600, 1)],
    ]),
  )
  const encrypter = new Encrypter()
  encrypter.addRecipient(await recipient())
  put('backup-file', 'usual.age', await encrypter.encrypt(new Uint8Array(plain)))
}

export async function archiveSeeds(put: Put): Promise<void> {
  pictureSeeds(put)
  await packSeeds(put)
  await backupSeeds(put)
  put('evidence-pack', 'empty.zip', zipSync({ 'audit.json': Buffer.from('{}') }, { mtime: '2026-11-27' }))
  put('child-message', 'two', Buffer.concat([encodeMessage({ number: 'a', content: { value: [1, null] } }), encodeMessage('x')]))
}
