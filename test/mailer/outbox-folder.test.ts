import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { THIS_FILE_SYSTEM } from '../../src/lib/this-file-system.ts'
import type { MailMessage } from '../../src/mailer/message.ts'
import { fileNameOf, folderMailer } from '../../src/mailer/outbox-folder.ts'
import { useFreshFolder } from '../support/folders.ts'

const root = useFreshFolder()
let folder: string
beforeEach(() => {
  folder = root('outbox')
})
afterEach(() => chmodSync(root(), 0o700))

function mail(id: string, date = '2031-03-04T05:06:07.008Z'): MailMessage {
  return {
    messageId: `<${id}@sign.example.com>`,
    from: { name: 'Signet', address: 'sign@example.com' },
    to: { name: 'Zoë', address: 'zoe@example.org' },
    subject: 'Secret merger',
    text: 'text',
    html: '<p>html</p>',
    date: new Date(date),
  }
}

describe('the outbox folder', () => {
  test('contains one private file per mail, which parses back', async () => {
    const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
    const verdict = await mailer.send(mail('out_1'))
    const names = readdirSync(folder)
    expect(names).toEqual([fileNameOf(mail('out_1'))])
    expect(verdict).toEqual({
      outcome: 'accepted',
      reply: expect.stringContaining(names[0]!),
      queueId: names[0]!,
      isWrittenToFolder: true,
    })
    expect(statSync(join(folder, names[0]!)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(await PostalMime.parse(readFileSync(join(folder, names[0]!)))).toMatchObject({
      subject: 'Secret merger',
      to: [{ address: 'zoe@example.org' }],
    })
  })

  test('sorts by the time of the mail, and its names reveal nothing else', async () => {
    const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
    for (const [id, date] of [
      ['b', '2031-03-04T05:06:08.000Z'],
      ['c', '2031-03-04T05:06:07.999Z'],
      ['a', '2032-01-01T00:00:00.000Z'],
    ] as const)
      await mailer.send(mail(id, date))
    const names = readdirSync(folder).sort()
    expect(names).toEqual(
      ['c', 'b', 'a'].map((id, i) =>
        fileNameOf(mail(id, ['2031-03-04T05:06:07.999Z', '2031-03-04T05:06:08.000Z', '2032-01-01T00:00:00.000Z'][i])),
      ),
    )
    for (const name of names) expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_[0-9a-f]{32}\.eml$/)
  })

  test('contains one file for a mail, however often it is sent', async () => {
    const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
    const verdicts = await Promise.all([mail('out_1'), mail('out_1'), mail('out_2')].map(each => mailer.send(each)))
    verdicts.push(await folderMailer(THIS_FILE_SYSTEM, folder).send(mail('out_1')))
    expect(readdirSync(folder)).toHaveLength(2)
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(Array(4).fill('accepted'))
    expect(new Set(verdicts.map(verdict => verdict.outcome === 'accepted' && verdict.queueId)).size).toBe(2)
  })

  test('does not treat an incomplete file as a mail, and leaves none behind', async () => {
    const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
    await mailer.send(mail('out_0'))
    writeFileSync(join(folder, `.${fileNameOf(mail('out_1'))}.tmp`), 'half')
    await mailer.send(mail('out_1'))
    expect(readdirSync(folder).sort()).toEqual([mail('out_0'), mail('out_1')].map(fileNameOf).sort())
    expect(readFileSync(join(folder, fileNameOf(mail('out_1'))), 'latin1')).toContain('Message-ID: <out_1@')
  })

  test('refuses a name with a line break and writes nothing', async () => {
    const evil = { ...mail('out_1'), to: { name: 'x\r\nBcc: y@example.com', address: 'zoe@example.org' } }
    await expect(folderMailer(THIS_FILE_SYSTEM, folder).send(evil)).rejects.toThrow('to.name')
    expect(readdirSync(root())).toEqual([])
  })

  test.skipIf(process.getuid?.() === 0)(
    'that cannot be written causes a temporary refusal, and the next mail is not lost',
    async () => {
      const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
      chmodSync(root(), 0o500)
      expect(await mailer.send(mail('out_1'))).toEqual({
        outcome: 'refused',
        permanent: false,
        reply: 'The outbox folder cannot be written: permission denied.',
      })
      chmodSync(root(), 0o700)
      expect(await mailer.send(mail('out_1'))).toMatchObject({ outcome: 'accepted' })
    },
  )

  test('that is a file instead causes an error, and the next mail works once it is gone', async () => {
    writeFileSync(folder, '')
    const mailer = folderMailer(THIS_FILE_SYSTEM, folder)
    await expect(mailer.send(mail('out_1'))).rejects.toThrow(/EEXIST|ENOTDIR/)
    rmSync(folder)
    expect(await mailer.send(mail('out_1'))).toMatchObject({ outcome: 'accepted' })
  })
})
