/** The evidence pack is verified by the commands of its README, without the service. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { chainHash } from '../../src/core/document/audit-chain.ts'
import { useFolder, useFreshFolder } from '../support/folders.ts'
import { PROGRAM } from '../support/program.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { openTestAuthority } from '../support/tsa.ts'

/** Ends what hangs: each command reads and verifies the pack anew, beside other tests. */
const LIMIT_MS = 120_000
let t: TestApp
/** Contains only the unpacked files. */
const folder = useFreshFolder()
const tools = useFolder()
writeFileSync(join(tools, 'signet'), `#!/bin/sh\nexec ${PROGRAM.map(part => `"${part}"`).join(' ')} "$@"\n`, { mode: 0o755 })
beforeEach(async () => {
  t = await openTestApp()
})
afterEach(() => t.close())

const one = { title: 'Vertrag – Köln', recipients: [{ ...ADA, fields: [SIGNATURE] }] }

async function completed(): Promise<string> {
  const id = await sentDocument(t, one)
  await signAs(t, ADA.email, 'Ada')
  await t.drain()
  return id
}

async function unpacked(id: string): Promise<Record<string, Uint8Array>> {
  const { status, body } = await t.api('GET', `/documents/${id}/evidence`)
  expect(status).toBe(200)
  const files = unzipSync(body)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(folder(name), bytes)
  writeFileSync(folder('PACK.zip'), body)
  return files
}

const sh = (command: string) => {
  const env = { PATH: `${tools}:/usr/local/bin:/usr/bin:/bin`, HOME: folder() }
  const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-c', command], { cwd: folder(), env, timeout: LIMIT_MS })
  return { code: exitCode, text: `${stdout}${stderr}` }
}

/** The indented blocks of the README, in order. */
function commandsOf(readme: string): string[] {
  return [...readme.matchAll(/(?:^ {4}.*\n)+/gm)].map(([block]) => block.replace(/^ {4}/gm, ''))
}

test('contains the sealed file, the original, the audit trail and the certificates as in the API', async () => {
  const id = await completed()
  const files = await unpacked(id)
  const names = [
    'README.txt',
    'SHA256SUMS',
    'audit.json',
    'original.pdf',
    'seal-chain.pem',
    'seal.pem',
    'sealed.pdf',
    'verify.html',
  ]
  expect(Object.keys(files).sort()).toEqual(names)
  const { body } = await t.api('GET', `/documents/${id}`)
  const hash = (name: string) =>
    createHash('sha256')
      .update(files[name] ?? '')
      .digest('hex')
  expect([hash('sealed.pdf'), hash('original.pdf')]).toEqual([body.sha256.sealed, body.sha256.original])
  const audit = JSON.parse(Buffer.from(files['audit.json'] ?? '').toString())
  expect(audit.events).toEqual((await t.api('GET', `/documents/${id}/audit`)).body.events)
  expect(Buffer.from(files['README.txt'] ?? '').toString()).toContain('Vertrag – Köln')
})

const readmeOf = (files: Record<string, Uint8Array>) => Buffer.from(files['README.txt'] ?? '').toString()

describe('is verified by the commands of its README', () => {
  test.each([
    ...['B-B', 'B-T', 'B-LT', 'B-LTA'].map(level => [level, ''] as const),
    ...['B-T', 'B-LTA'].map(level => [level, 'adbe.pkcs7.detached'] as const),
  ])(
    'at %s %s',
    async (level, subFilter) => {
      const tsa = level === 'B-B' ? undefined : openTestAuthority()
      if (tsa !== undefined) {
        await t.close()
        const env = {
          SIGNET_TSA_URL: tsa.url,
          SIGNET_TSA_CA_FILE: join(tsa.folder, 'root.pem'),
          SIGNET_SEAL_LEVEL: level,
          ...(subFilter && { SIGNET_SEAL_SUB_FILTER: subFilter }),
        }
        t = await openTestApp({ env })
      }
      t.clock.now = new Date()
      const id = await completed()
      expect((await t.api('GET', `/documents/${id}`)).body.sealLevel).toBe(subFilter ? null : level)
      const files = await unpacked(id)
      await tsa?.close()
      const readme = readmeOf(files)
      expect(Object.keys(files).includes('timestamp-authorities.pem')).toBe(level !== 'B-B')
      expect(readme.includes('timestamp-authorities.pem')).toBe(level !== 'B-B')
      const firefox = { 'B-T': 'trusts only authorities', 'B-LTA': 'neither document\ntime-stamps' }
      expect(readme).toContain(subFilter ? firefox[level as keyof typeof firefox] : 'which it calls so for every product')
      const commands = commandsOf(readme)
      expect(commands).toHaveLength(9)
      const ran = commands.map(sh)
      expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0))
      const [pack, sums, fingerprints, seal, openssl, original, ...trail] = ran.map(({ text }) => text)
      expect(pack).toStartWith('VALID: the evidence of “Vertrag – Köln” (doc_')
      expect(pack).toContain('Ada Lovelace <ada@example.com> signed it at ')
      expect(sums).toBe('sealed.pdf: OK\noriginal.pdf: OK\nverify.html: OK\n')
      expect(fingerprints).toMatch(/^[0-9a-f]{64} {2}-\n$/)
      expect(readme).toContain('1. CN=Signet Seal (TEST), O=Signet\n')
      expect(seal).toContain('Signature is Valid')
      const said = seal?.includes('Not total document signed') ? 'Not total document signed' : 'Total document signed'
      expect(seal).toContain(said)
      expect(readme).toContain(`"${said}"`)
      expect(seal).toMatch(/^VALID: signed by Signet Seal \(TEST\), unchanged since\.$/m)
      expect(seal).toContain(subFilter ? `Its parts are those of ${level}.` : `level        PAdES ${level}:`)
      expect(openssl).toContain('CMS Verification successful')
      expect(openssl).toContain(fingerprints?.split('\n')[0] ?? 'none')
      expect(original).toBe('same\n')
      expect(trail).toEqual(['', '', ''])
      // The audit certificate prints the command without the authorities: the verdict is the same.
      const printed = 'signet verify FILE.pdf --trust seal.pem'
      expect(sh('pdftotext sealed.pdf -').text).toContain(printed)
      const onPage = sh(`mv sealed.pdf FILE.pdf && ${printed}`)
      expect(onPage).toMatchObject({ code: 0, text: expect.stringMatching(/^VALID: /) })
    },
    LIMIT_MS,
  )
})

describe('the commands for the audit trail', () => {
  interface Trail {
    events: { id: string; hash: string; previousHash: string; entry: string }[]
    eventCount: number
    lastEventHash: string
  }
  /** The output of steps 6 to 8 after a change of audit.json. */
  async function outputAfter(change: (trail: Trail) => void): Promise<string> {
    const files = await unpacked(await completed())
    const trail = JSON.parse(Buffer.from(files['audit.json'] ?? '').toString()) as Trail
    change(trail)
    writeFileSync(folder('audit.json'), JSON.stringify(trail))
    return sh(commandsOf(readmeOf(files)).slice(6).join('\n')).text
  }
  /** Adapts everything outside the entries: the count and the newest hash. */
  const cover = (trail: Trail): void => {
    trail.eventCount = trail.events.length
    trail.lastEventHash = trail.events.at(-1)?.hash ?? ''
  }

  test('print nothing for the unchanged trail', async () => {
    expect(await outputAfter(() => {})).toBe('')
  })

  test('find a changed entry', async () => {
    expect(
      await outputAfter(trail => {
        const signed = trail.events.find(event => event.entry.includes('"recipient.signed"'))
        if (signed) signed.entry = signed.entry.replace('"recipient.signed"', '"recipient.asked"')
      }),
    ).toMatch(/^invalid: [0-9a-f]{64}\nfalse: type of evt_/)
  })

  test.each([0, 1, 2])('find an entry removed from the middle (%p), even if everything else is adapted', async at => {
    expect(
      await outputAfter(trail => {
        trail.events.splice(at, 1)
        cover(trail)
      }),
    ).toContain('missing: the entry before evt_')
  })

  test('find a removed entry even if the next one no longer has its hash', async () => {
    const forged = await outputAfter(trail => {
      const [, gone, next] = trail.events
      if (gone === undefined || next === undefined) return
      next.entry = next.entry
        .replace(/"documentPreviousHash":"[0-9a-f]{64}",/, '')
        .replace('"documentSequence":3', '"documentSequence":2')
      next.hash = chainHash(next.previousHash, next.entry)
      trail.events.splice(1, 1)
      cover(trail)
    })
    expect(forged).toContain('missing: the entry before evt_')
  })

  test('find an entry removed from the end', async () => {
    expect(await outputAfter(trail => void trail.events.pop())).toContain('missing: the last entry\n')
  })

  test('find that the trail was cut before the seal, even if everything else is adapted', async () => {
    const cut = await outputAfter(trail => {
      const sealing = trail.events.findIndex(event => event.entry.includes('"document.sealing"'))
      trail.events.length = sealing
      cover(trail)
    })
    expect(cut).toContain('missing: the entry that sealed.pdf names\n')
  })

  test('find an entry rewritten with all later hashes, up to the entry that the sealed file names', async () => {
    const forged = await outputAfter(trail => {
      const [first] = trail.events
      if (first === undefined) return
      first.entry = first.entry.replace('"type":"', '"type":"x')
      let before: string | null = null
      for (const event of trail.events) {
        if (before !== null)
          event.entry = event.entry.replace(/"documentPreviousHash":"[0-9a-f]{64}"/, `"documentPreviousHash":"${before}"`)
        event.hash = chainHash(event.previousHash, event.entry)
        before = event.hash
      }
      cover(trail)
    })
    expect(forged).toContain('missing: the entry that sealed.pdf names\n')
  })
})

test('does not exist before completion, nor for other users', async () => {
  const id = await sentDocument(t, one)
  expect((await t.api('GET', `/documents/${id}/evidence`)).status).toBe(404)
})

test('is refused if a file is damaged', async () => {
  const id = await completed()
  const { body } = await t.api('GET', `/documents/${id}`)
  writeFileSync(await t.app.storage.localPath(body.sha256.sealed), 'altered')
  const refused = await t.api('GET', `/documents/${id}/evidence`)
  expect(refused.status).toBe(500)
  expect(refused.body.error.message).toStartWith(
    'The stored file is damaged or missing, so it was not sent. An administrator can',
  )
})
