/** `signet verify`: first line, exit code and JSON of each verdict, and files of certificates. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Io, UsageError } from '../../src/cli/verb.ts'
import { verify } from '../../src/cli/verify.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { createSignedData } from '../../src/pades/cms.ts'
import { issueLeaf, localKey } from '../../src/pki/key.ts'
import { certificatePem } from '../../src/pki/x509.ts'
import { useFolder } from '../support/folders.ts'
import { PROGRAM } from '../support/program.ts'
import { ADA, SIGNATURE } from '../support/sample.ts'
import { sentDocument, signAs, signedDocument } from '../support/story.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { SEAL_TIME, sharedAuthority, testAuthority } from '../support/test-pki.ts'
import { later, sealed, stampedAt, timestamped, tsa } from '../verify/long-term.ts'
import { plainPdf, sealTiny, withRevision } from '../verify/tiny-pdf.ts'
import { testTsa } from '../verify/tokens.ts'

const folder = useFolder()

const put = (name: string, bytes: Uint8Array | string): string => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

async function run(...args: string[]) {
  return runBeside(undefined, {}, args)
}

/** `t`: what the data folder of these settings holds. */
async function runBeside(t: TestApp | undefined, env: Io['env'], args: string[]) {
  const ran = { code: -1, out: '', err: '' }
  const io: Io = {
    out: text => {
      ran.out += text
    },
    err: text => {
      ran.err += text
    },
    env: { SIGNET_DATA: join(folder, 'none'), ...env },
    stdin: async () => '',
    command: [...PROGRAM, '__pdf-child'],
    open: async () => {
      if (!t) throw new Error('the data folder cannot be opened')
      return { app: t.app, close: async () => {} }
    },
    serve: () => Promise.reject(new Error('nothing is served')),
  }
  ran.code = await verify.run(args, io)
  return ran
}

let root: string
let time: string
let plain: string
let seal: Buffer
beforeAll(async () => {
  const authority = await sharedAuthority()
  root = put('root.pem', authority.rootPem)
  time = put('time.pem', certificatePem(tsa.root))
  seal = await sealed(stampedAt(later(1)))
  plain = put('plain.pdf', await plainPdf())
})

const oneByte = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf('/MediaBox [0 0 ') + '/MediaBox [0 0 '.length
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe('a file of certificates with an authority beside the certificate of a signer', () => {
  test('trusts the signer alone, and says so: another customer of the authority is not trusted', async () => {
    const authority = await sharedAuthority()
    const mixed = put('mixed.pem', authority.leafPem + authority.rootPem)
    const own = await run(put('own.pdf', seal), '--trust', mixed)
    expect([own.code, own.out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^VALID: signed by ours /)])
    expect(own.err).toContain('mixed.pem contains authorities beside the certificates of signers: only the latter are trusted')
    const options = { ...THIS_MACHINE, organisation: 'Mallory', keyType: 'ec-p256', now: SEAL_TIME, environment: 'test' } as const
    const leaf = await issueLeaf(authority.root, options)
    const key = localKey({ leaf, issuers: [authority.root.certificateDer] }, THIS_MACHINE.threads)
    const cms = (digest: Uint8Array) => createSignedData({ digest, key })
    const theirs = put('theirs.pdf', await sealTiny({ base: await plainPdf(), key, cms, contentsBytes: 4000 }))
    const { code, out } = await run(theirs, '--trust', mixed)
    expect([code, out]).toEqual([4, expect.stringMatching(/^UNCHANGED, SIGNER NOT KNOWN: /)])
    // A file of authorities alone says that everybody whom they certified is meant.
    const all = await run(theirs, '--trust', root)
    expect([all.code, all.err]).toEqual([0, ''])
  })
})

describe('each verdict has its own first line and exit code', () => {
  test('an untouched file of a trusted signer is VALID, 0', async () => {
    const { code, out } = await run(put('a.pdf', seal), '--trust', root, '--trust-time', time)
    expect([code, out.split('\n')[0]]).toEqual([0, 'VALID: signed by ours Ωμέγα 株式会社 Seal (TEST), unchanged since.'])
  })

  test('one changed byte is NOT VALID, 1, with and without trust', async () => {
    const path = put('b.pdf', oneByte(seal))
    for (const trust of [['--trust', root], []]) {
      const { code, out } = await run(path, ...trust)
      expect([code, out]).toEqual([1, expect.stringMatching(/^NOT VALID: The document was changed after it was signed/)])
    }
  })

  test('a page drawn over the signed one is NOT VALID, 1, and the change is named', async () => {
    const text = seal.toString('latin1')
    const page = Number(/(\d+) 0 obj\s*<<\s*\/Type \/Page\b/.exec(text)?.[1])
    const parent = /\/Parent (\d+) 0 R/.exec(text)?.[1]
    const over = withRevision(
      seal,
      new Map([[page, `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 9 9] /Resources << >> >>`]]),
    )
    const { code, out } = await run(put('c.pdf', over), '--trust', root)
    expect(code).toBe(1)
    expect(out).toStartWith('NOT VALID: ')
    expect(out).toContain('Changed after signing in revision 3: page 1')
  })

  test('an untouched file without --trust is UNCHANGED, SIGNER NOT KNOWN, 4, and the output names the missing option', async () => {
    const { code, out } = await run(put('d.pdf', seal))
    const [first] = out.split('\n')
    expect(code).toBe(4)
    expect(first).toStartWith('UNCHANGED, SIGNER NOT KNOWN: The signer is not known: no path leads from ')
    expect(first).toEndWith('Give the certificate of the signer, or its root, with --trust FILE.')
  })

  test('a file without a signature is NOT SIGNED, 5', async () => {
    const { code, out } = await run(plain)
    expect([code, out]).toEqual([5, expect.stringMatching(/^NOT SIGNED: nothing shows/)])
  })

  test('a file with only a document time-stamp is NOT SIGNED, 5, even with trusted certificates', async () => {
    const path = put('e.pdf', timestamped(Buffer.from(await plainPdf()), later(1)))
    for (const trust of [[], ['--trust-time', time], ['--trust', time], ['--trust', time, '--trust-time', time]]) {
      const { code, out } = await run(path, ...trust)
      expect([code, out]).toEqual([5, expect.stringMatching(/^NOT SIGNED: only time-stamped/)])
    }
  })

  test('a signature of a kind that is not supported is NOT CHECKED, 6', async () => {
    const odd = await sealed(undefined, { dictionary: text => text.replace('ETSI.CAdES.detached', 'adbe.x509.rsa_sha1') })
    const { code, out } = await run(put('f.pdf', odd), '--trust', root)
    expect([code, out]).toEqual([6, expect.stringMatching(/^NOT CHECKED: .*adbe\.x509\.rsa_sha1/)])
  })

  test('a file that is not a PDF or does not exist CANNOT BE READ, 2', async () => {
    expect(await run(root)).toMatchObject({ code: 2, out: expect.stringMatching(/^CANNOT BE READ: /) })
    const missing = await run(join(folder, 'missing.pdf'), '--json')
    expect([missing.code, JSON.parse(missing.out)]).toEqual([2, { verdict: 'unreadable', reason: 'there is no such file' }])
  })

  test('the JSON contains the verdict and its reasons', async () => {
    const { code, out } = await run(put('g.pdf', seal), '--json', '--trust', root)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'valid',
      signatures: [
        {
          kind: 'signature',
          integrity: 'intact',
          trust: 'trusted',
          indication: 'TOTAL-PASSED',
          level: 'B-B',
          levelNotes: [expect.stringContaining('does not count')],
          time: { claimedAt: later(0).toISOString(), timestamp: { at: later(1).toISOString(), trusted: false } },
        },
      ],
    })
  })
})

describe('certificates of --trust and --trust-time', () => {
  test('are never used for each other', async () => {
    const now = new Date()
    const { key, rootPem } = await testAuthority('ec-p256', { now })
    const authority = testTsa(now)
    const root = put('present.pem', rootPem)
    const time = put('present-time.pem', certificatePem(authority.root))
    const cms = async (digest: Uint8Array) => stampedAt(now, authority)(await createSignedData({ digest, key }))
    const path = put('h.pdf', await sealTiny({ base: await plainPdf(), key, cms, contentsBytes: 4000 }))
    const level = async (...args: string[]) => {
      const { verdict, signatures } = JSON.parse((await run(path, '--json', ...args)).out)
      return [verdict, signatures[0].trust, signatures[0].level]
    }
    expect(await level('--trust', root, '--trust-time', time)).toEqual(['valid', 'trusted', 'B-T'])
    expect(await level('--trust', root, '--trust', time)).toEqual(['valid', 'trusted', 'B-B'])
    expect(await level('--trust-time', root, '--trust-time', time)).toEqual(['signer-unknown', 'unknown', 'B-T'])
  })

  test('may be PEM or DER, several in a file, with text between them', async () => {
    const { root: own, leaf } = await sharedAuthority()
    const stranger = (await sharedAuthority('ec-p256', 'theirs')).root.certificateDer
    const path = put('i.pdf', seal)
    const files = [
      put('one.der', own.certificateDer),
      put('many.der', Buffer.concat([stranger, leaf.certificateDer, own.certificateDer])),
      put('many.pem', `Ours\n${certificatePem(stranger)}the root:\r\n${certificatePem(own.certificateDer)}`),
    ]
    for (const file of files) expect(await run(path, '--trust', file)).toMatchObject({ code: 0 })
    expect(await run(path, '--trust', put('other.der', stranger))).toMatchObject({ code: 4 })
  })

  test.each<[string, string | Buffer, string]>([
    ['words', 'hello', 'it holds no certificate in PEM or DER'],
    ['nothing', '', 'it holds no certificate in PEM or DER'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nMC4CAQ==\n-----END PRIVATE KEY-----\n', 'it holds no certificate in PEM or DER'],
    ['another structure in DER', Buffer.from('3003020101', 'hex'), 'certificate 1 in it cannot be read'],
    ['a damaged block', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'certificate 1 in it cannot be read'],
  ])('are refused in a file of %s, which is named', async (what, content, reason) => {
    const file = put(`${what}.pem`, content)
    for (const flag of ['--trust', '--trust-time']) {
      const refused = run(plain, flag, file)
      await expect(refused).rejects.toThrow(UsageError)
      await expect(refused).rejects.toThrow(`${flag}: ${file} cannot be used: ${reason}`)
    }
  })

  test('are refused from a file that does not exist', async () => {
    await expect(run(plain, '--trust', join(folder, 'no.pem'))).rejects.toThrow('--trust: there is no file')
  })
})

describe('beside a data folder', () => {
  let t: TestApp
  let id: string
  let path: string
  const data = join(folder, 'data')
  beforeAll(async () => {
    t = await openTestApp()
    id = await sentDocument(t, {
      recipients: [
        { ...ADA, fields: [SIGNATURE] },
        { name: 'Bob', email: 'bob@example.com', role: 'viewer' },
      ],
    })
    await signAs(t, ADA.email, 'Ada')
    await t.drain()
    path = put('own.pdf', Buffer.from((await t.api('GET', `/documents/${id}/file`)).body))
    mkdirSync(data)
    put('data/signet.db', '')
  })
  afterAll(() => t.close())

  test('a file that it sealed is VALID without --trust; the output names the folder, the document and who signed when', async () => {
    for (const [env, more] of [
      [{ SIGNET_DATA: data }, []],
      [{}, ['--data', data]],
    ] as const) {
      const { code, out } = await runBeside(t, env, [path, ...more])
      expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^VALID: signed by /)])
      expect(out).toContain(
        `RECORD of ${data}/signet.db, whose certificates are trusted here: sealed as ${id}, completed 2026-11-20T17:25`,
      )
      expect(out).toMatch(/^ {2}signed by Ada Lovelace, 2026-11-20T17:25:\S+Z$/m)
      expect(out).not.toContain('Bob')
    }
    const { out } = await runBeside(t, { SIGNET_DATA: data }, [path, '--json'])
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'valid',
      record: { known: true, documentId: id, source: `${data}/signet.db` },
    })
  })

  test('a changed file is NOT VALID, and a file of somebody else is not known to the record', async () => {
    const changed = await runBeside(t, { SIGNET_DATA: data }, [put('changed.pdf', oneByte(readFileSync(path)))])
    expect([changed.code, changed.out]).toEqual([1, expect.stringMatching(/^NOT VALID: /)])
    expect(changed.out).toContain('this instance has not sealed exactly this file')
    const foreign = await runBeside(t, { SIGNET_DATA: data }, [put('theirs.pdf', seal)])
    expect([foreign.code, foreign.out]).toEqual([4, expect.stringMatching(/^UNCHANGED, SIGNER NOT KNOWN: /)])
    expect(foreign.out).toContain('this instance has not sealed exactly this file')
    expect(foreign.out).toContain('/seal-certificate.pem')
  })

  test('of a file whose document was erased it says that it sealed it, and names nobody', async () => {
    const erased = await signedDocument(t)
    const file = put('erased.pdf', Buffer.from((await t.api('GET', `/documents/${erased}/file`)).body))
    expect((await t.api('DELETE', `/documents/${erased}`)).status).toBe(200)
    const { code, out } = await runBeside(t, { SIGNET_DATA: data }, [file])
    expect([code, out.split('\n')[0]]).toEqual([0, expect.stringMatching(/^VALID: signed by /)])
    expect(out).toContain('this instance sealed it for Signet, but its record lacks the file')
    expect(out).not.toContain('Ada')
    expect(JSON.parse((await runBeside(t, { SIGNET_DATA: data }, [file, '--json'])).out).record).toEqual({
      known: false,
      source: `${data}/signet.db`,
    })
  })

  test('with --trust the folder does not count, unless it is named', async () => {
    const alone = await runBeside(t, { SIGNET_DATA: data }, [path, '--trust', root])
    expect([alone.code, alone.out.includes('RECORD')]).toEqual([4, false])
    expect((await runBeside(t, {}, [path, '--trust', root, '--data', data])).code).toBe(0)
  })

  test('elsewhere the output says where the certificates are', async () => {
    const { code, out } = await run(path)
    expect([code, out.split('\n')[0]]).toEqual([4, expect.stringContaining('--trust FILE')])
    for (const words of [
      '/seal-certificate.pem',
      'seal.pem',
      'signet cert show --pem',
      'signet verify FILE.pdf --trust seal.pem',
      '--data DIR',
      'a forged file names the address of its forger',
    ])
      expect(out).toContain(words)
  })

  test('a folder that cannot be opened is named and left aside; one that is asked for and missing is refused', async () => {
    const closed = await runBeside(undefined, { SIGNET_DATA: data }, [path])
    expect([closed.code, closed.err]).toEqual([
      4,
      `signet verify: ${data}/signet.db was not used: the data folder cannot be opened`,
    ])
    expect(runBeside(undefined, {}, [path, '--data', data])).rejects.toThrow('cannot be opened')
    expect(runBeside(t, {}, [path, '--data', folder])).rejects.toThrow(UsageError)
    expect((await runBeside(t, { SIGNET_BASE_URL: 'nonsense' }, [path])).code).toBe(4)
  })
})
