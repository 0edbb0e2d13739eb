/** Changes to a sealed file after sealing: each makes it not valid, with a reason. */
import { describe, expect, test } from 'bun:test'
import type { KeyType } from '../../src/pki/key.ts'
import { readCertificate } from '../../src/pki/x509.ts'
import type { VerificationReport } from '../../src/verify/report.ts'
import { ofTheTurn } from '../support/long.ts'
import { sharedAuthority } from '../support/test-pki.ts'
import { verifyBytes } from '../support/written-report.ts'
import { allReasons, expectRefused, reportOf } from './reports.ts'
import { plainPdf, sealTiny, withRevision } from './tiny-pdf.ts'

const GAP = { 'rsa-3072': 3200, 'ec-p256': 1600 } as const satisfies Partial<Record<KeyType, number>>

async function sealed(keyType: keyof typeof GAP = 'ec-p256', pages = 1) {
  const authority = await sharedAuthority(keyType)
  const bytes = await sealTiny({ base: await plainPdf({ pages }), key: authority.key, contentsBytes: GAP[keyType] })
  const trust = [readCertificate(authority.root.certificateDer)]
  return { bytes, trust, root: authority.root.certificateDer, text: bytes.toString('latin1') }
}

/** Same length, so that no offset moves. */
function swap(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.lastIndexOf(from)
  expect(at).toBeGreaterThan(0)
  expect(to).toHaveLength(from.length)
  copy.write(to, at, 'latin1')
  return copy
}

describe.each<keyof typeof GAP>(['ec-p256', 'rsa-3072'])('a file sealed by %s', keyType => {
  test('is valid without changes', async () => {
    const { bytes, root } = await sealed(keyType)
    expect(reportOf(bytes, root)).toMatchObject({
      verdict: 'valid',
      reasons: [],
      signatures: [{ integrity: 'intact', trust: 'trusted', reasons: [] }],
    })
  })

  test('is not valid, and never only unknown, after a change of any single byte', async () => {
    const { bytes, trust } = await sealed(keyType)
    const accepted: string[] = []
    for (let at = 0; at < bytes.length; at++) {
      const was = bytes[at] ?? 0
      const others = [was ^ 0x01, was ^ 0x20, 0x20, 0x3e].filter(now => now !== was)
      for (const now of ofTheTurn(others, at)) {
        bytes[at] = now
        const report = verifyBytes(bytes, trust)
        if (report.verdict !== 'not-valid') accepted.push(`${report.verdict}, byte ${at}: ${was} -> ${now}`)
      }
      bytes[at] = was
    }
    expect(accepted).toEqual([])
  }, 120_000)

  test('is not valid, and never only unknown, after a change of any digit of its CMS', async () => {
    const { bytes, trust, text } = await sealed(keyType)
    const accepted: string[] = []
    const start = text.lastIndexOf('/Contents <') + '/Contents <'.length
    for (let at = start; at < bytes.indexOf('>', start); at++) {
      const was = bytes[at] ?? 0
      const digit = Number.parseInt(String.fromCharCode(was), 16)
      // A step of 10 turns 01 into 0b, and so rsaEncryption into sha256WithRSAEncryption.
      for (const step of ofTheTurn([3, 8, 10], at)) {
        bytes.write(((digit + step) % 16).toString(16), at, 'latin1')
        const report = verifyBytes(bytes, trust)
        if (report.verdict !== 'not-valid') accepted.push(`${report.verdict}, digit ${at - start}: ${digit} + ${step}`)
      }
      bytes[at] = was
    }
    expect(accepted).toEqual([])
  }, 60_000)
})

describe('bytes after the seal are refused', () => {
  test.each([' ', '\n', 'x', '%%EOF\n', '\0'])('one appended %j', async tail => {
    const { bytes, root } = await sealed()
    const report = reportOf(Buffer.concat([bytes, Buffer.from(tail)]), root)
    expect(report.verdict).toBe('not-valid')
    expect(report.signatures[0]).toMatchObject({ coversWholeFile: false, integrity: 'broken' })
    expect(allReasons(report)).toContain(`${tail.length} bytes follow the signed revision`)
  })

  test('a valid update that changes a page', async () => {
    const { bytes, root, text } = await sealed()
    const page = Number(/(\d+) 0 obj\s*<<\s*\/Type \/Page\b/.exec(text)?.[1])
    const pages = Number(/\/Parent (\d+) 0 R/.exec(text)?.[1])
    const changed = `<< /Type /Page /Parent ${pages} 0 R /MediaBox [0 0 10 10] /Resources << >> >>`
    // Only the page is replaced; the catalog of the sealed revision stays.
    const report = reportOf(withRevision(bytes, new Map([[page, changed]])), root)
    expect(report).toMatchObject({ verdict: 'not-valid', revisions: 3 })
    expect(allReasons(report)).toContain('bytes follow the signed revision')
  })

  test('an update that removes the form leaves a file without a signature', async () => {
    const { bytes, root, text } = await sealed()
    const catalog = Number(/\/Root (\d+) 0 R/.exec(text)?.[1])
    const pages = Number(/\/Pages (\d+) 0 R/.exec(text)?.[1])
    const report = reportOf(withRevision(bytes, new Map([[catalog, `<< /Type /Catalog /Pages ${pages} 0 R >>`]])), root)
    expect(report).toMatchObject({ verdict: 'not-valid', signatures: [] })
    expect(report.reasons).toContain('The file holds no signature.')
  })
})

describe('moved parts inside the file are refused', () => {
  test('the CMS of another sealed file', async () => {
    const [one, other] = [await sealed(), await sealed('ec-p256', 2)]
    const cms = /\/Contents (<[0-9a-f]+>)/.exec(other.text)?.[1] ?? ''
    const report = reportOf(swap(one.bytes, /\/Contents (<[0-9a-f]+>)/.exec(one.text)?.[1] ?? '', cms), one.root)
    expect(report).toMatchObject({ verdict: 'not-valid', signatures: [{ integrity: 'broken', subIndication: 'HASH_FAILURE' }] })
    expect(allReasons(report)).toContain('The document was changed after it was signed')
  })

  test.each<[string, (range: number[]) => (number | undefined)[], string]>([
    ['that ends before the file', ([, a, b, c]) => [0, a, b, (c ?? 0) - 1], 'bytes follow the signed revision'],
    ['that leaves out more', ([, a, b, c]) => [0, (a ?? 0) - 1, b, c], 'not exactly the /Contents'],
    ['that begins to leave out too late', ([, a, b, c]) => [0, (a ?? 0) + 1, b, c], 'not exactly the /Contents'],
    ['that leaves out too much at the end', ([, a, b, c]) => [0, a, (b ?? 0) + 1, (c ?? 0) - 1], 'not exactly the /Contents'],
    ['that overlaps', ([, a, b, c]) => [0, b, a, (c ?? 0) + 1], 'overlap'],
    ['that omits the beginning', ([, a, b, c]) => [1, a, b, c], 'does not begin at the first byte'],
    ['beyond the end', ([, a, b, c]) => [0, a, b, (c ?? 0) + 1], 'beyond the end'],
    ['that leaves out nothing', ([, a, , c]) => [0, a, a, c], 'overlap'],
    ['with an empty first range', ([, , b, c]) => [0, 0, b, c], 'omits the beginning'],
  ])('a byte range %s', async (_, change, reason) => {
    const { bytes, root, text } = await sealed()
    const written = /\/ByteRange \[([^\]]*)\]/.exec(text)?.[1] ?? ''
    const numbers = change(written.trim().split(/\s+/).map(Number))
    expectRefused(reportOf(swap(bytes, `[${written}]`, `[${numbers.join(' ').padEnd(written.length)}]`), root), reason)
  })

  test('another spelling of the same RSA algorithm, which no signature covers', async () => {
    const { bytes, root } = await sealed('rsa-3072')
    const spelled = (last: string) => `300d06092a864886f70d0101${last}05000482`
    expectRefused(
      reportOf(swap(bytes, spelled('01'), spelled('0b')), root),
      'has a different identifier from that of seals by Signet',
    )
  })

  test.each<[string, (hex: string) => string, string]>([
    ['bytes after the DER end', hex => `${hex.slice(0, -2)}01`, 'other than zeros follows'],
    ['upper case', hex => hex.toUpperCase(), 'lower-case'],
    ['white space', hex => `${hex.slice(0, -2)} 0`, 'other than hexadecimal digits'],
    ['only zeros', hex => hex.replace(/./g, '0'), 'The CMS is invalid'],
  ])('a /Contents with %s', async (_, change, reason) => {
    const { bytes, root, text } = await sealed()
    const hex = /\/Contents <([0-9a-f]+)>/.exec(text)?.[1] ?? ''
    expectRefused(reportOf(swap(bytes, hex, change(hex)), root), reason)
  })
})

describe('an unusual form by the signer is refused too', () => {
  async function odd(order: Partial<Parameters<typeof sealTiny>[0]>): Promise<VerificationReport<string>> {
    const { key, root } = await sharedAuthority()
    const bytes = await sealTiny({ base: await plainPdf(), key, contentsBytes: GAP['ec-p256'], ...order })
    return reportOf(bytes, root.certificateDer)
  }

  test.each<[string, (text: string) => string, string, VerificationReport<string>['verdict']]>([
    ['/Contents twice', text => text.replace('/Reference', '/Contents <00> /Reference'), 'the key /Contents twice', 'not-valid'],
    [
      '/Contents twice, once escaped',
      text => text.replace('/Reference', '/C#6fntents <00> /Reference'),
      'the key /Contents twice',
      'not-valid',
    ],
    [
      '/ByteRange twice',
      text => text.replace('/Reference', '/ByteRange [0 1 2 3] /Reference'),
      'the key /ByteRange twice',
      'not-valid',
    ],
    [
      'different /SubFilter',
      text => text.replace('ETSI.CAdES.detached', 'adbe.x509.rsa_sha1'),
      'is not supported',
      'not-checked',
    ],
    ['no /SubFilter', text => text.replace('/SubFilter /ETSI.CAdES.detached', ''), 'is not supported', 'not-checked'],
    ['no /M', text => text.replace(/\/M \([^)]*\)/, ''), 'claims no time', 'not-valid'],
    ['an /M before the certificate', text => text.replace('D:2031', 'D:2030'), 'not yet valid', 'signer-unknown'],
    ['an /M after the certificate', text => text.replace('D:2031', 'D:2039'), 'had expired', 'signer-unknown'],
    ['different /Type', text => text.replace('/Type /Sig ', '/Type /Foo '), '/Type of the signature dictionary', 'not-valid'],
  ])('%s', async (_, dictionary, reason, verdict) => {
    const report = await odd({ dictionary })
    expect(report.verdict).toBe(verdict)
    expect(allReasons(report)).toContain(reason)
  })

  test('a signature that no field refers to', async () => {
    const report = await odd({ objects: objects => objects.set(90, '<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>') })
    expect(report).toMatchObject({ verdict: 'not-valid', signatures: [{ reasons: [] }] })
    expect(report.reasons).toEqual(['Object 90 is a signature dictionary that no signature field of the form refers to.'])
  })

  test('a certification other than the signature of the form', async () => {
    const report = await odd({
      objects: objects => {
        for (const [number, text] of objects) objects.set(number, text.replace(/\/DocMDP \d+ 0 R/, '/DocMDP 1 0 R'))
      },
    })
    expect(report.verdict).toBe('not-valid')
    expect(report.reasons[0]).toContain('/Perms /DocMDP')
  })

  test('one signature as the value of two fields', async () => {
    const report = await odd({
      objects: objects => {
        const [root = 0, field = 0] = [...objects.keys()]
        objects.set(91, (objects.get(field) ?? '').replace('(Seal)', '(Other)'))
        objects.set(root, (objects.get(root) ?? '').replace('/Fields [', '/Fields [91 0 R '))
      },
    })
    expect(report).toMatchObject({
      verdict: 'not-valid',
      reasons: ['Two signature fields have the same signature dictionary as their value.'],
    })
  })

  test.each(['Fields', 'SigFlags'])('a form with /%s twice', async key => {
    const report = await odd({
      objects: objects => {
        for (const [number, text] of objects) objects.set(number, text.replace('/AcroForm <<', `/AcroForm << /${key} []`))
      },
    })
    expect(report.verdict).toBe('not-valid')
    expect(report.reasons).toContain(`The AcroForm has the key /${key} twice.`)
  })
})

describe('a signed file that can no longer be read is not valid', () => {
  const reasonsOf = async (change: (bytes: Buffer) => Buffer) => {
    const { bytes, trust } = await sealed()
    const report = verifyBytes(change(bytes), trust)
    return report.verdict === 'not-valid' ? report.reasons : report
  }

  test('with a changed page tree', async () => {
    expect(await reasonsOf(bytes => swap(bytes, '/Type /Pages', '/Type )Pages'))).toContain(
      'The document was changed after it was signed: its digest is not the signed one.',
    )
  })

  test('with unreadable bytes at its end', async () => {
    const tail = 'startxref\n99999999\n%%EOF\n'
    expect(await reasonsOf(bytes => Buffer.concat([bytes, Buffer.from(tail)]))).toEqual([
      `${tail.length} bytes follow the signed revision and cannot be read.`,
      expect.stringContaining('The file cannot be read: '),
    ])
  })

  test('without its end', async () => {
    expect(await reasonsOf(bytes => bytes.subarray(0, -200))).toContain('The file ends before the end of the signed bytes.')
  })

  test('but a file that was never signed, or has bytes before its header, stays unreadable', async () => {
    const bytes = Buffer.from('%PDF-1.7\n<< /ByteRange [0 3 5 9] /Contents <00> >>')
    expect(verifyBytes(bytes, [])).toMatchObject({ verdict: 'unreadable' })
    const { bytes: signed, trust } = await sealed()
    const reason = 'it does not begin with “%PDF-”, as every PDF does'
    expect(verifyBytes(Buffer.concat([Buffer.from('\n'), signed]), trust)).toEqual({ verdict: 'unreadable', reason })
  })

  test.each(['g', '>', '<', '(', '\0', ' '])('nor is a /Contents with %j in it', async character => {
    const { bytes, trust, text } = await sealed()
    const from = text.lastIndexOf('/Contents <') + '/Contents <'.length
    for (const at of [from, from + 1, from + 700, bytes.indexOf('>', from) - 1]) {
      const copy = Buffer.from(bytes)
      copy.write(character, at, 'latin1')
      expect([at - from, verifyBytes(copy, trust).verdict]).toEqual([at - from, 'not-valid'])
    }
  })
})
