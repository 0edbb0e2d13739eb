/** The verifying core in Chromium: the whole report on each file is that of the executable. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { oid, sequence } from '../../../src/pki/der.ts'
import { certificatesOfPem } from '../../../src/pki/x509.ts'
import { NO_BROWSER, openBrowser } from '../../support/browser.ts'
import { type BrowserCore, type CoreFile, findDifferences, openBrowserCore } from '../../support/browser-core.ts'
import { ENTRY_CHANGES, KEY_ORIGIN, newDevice, packWithKey, withEntry } from '../../support/device-key-packs.ts'
import { Kit } from '../../support/forged/document.ts'
import { FORGERIES, TOLERATED, UNFORGED } from '../../support/forged-files.ts'
import { PACK_TIME, packsOfTests } from '../../support/packs.ts'
import { ROOT } from '../../support/sources.ts'
import { openTestApp } from '../../support/test-app.ts'
import { sharedAuthority } from '../../support/test-pki.ts'
import { encrypted, KINDS, signedBehind } from '../../verify/encrypted-fixture.ts'
import {
  cmsByOpenssl,
  type ForeignSigner,
  foreignSigner,
  handmadeCms,
  removeForeignSigners,
  signatureByOpenssl,
} from '../../verify/foreign-signer.ts'
import { plainPdf, sealTiny } from '../../verify/tiny-pdf.ts'
import { hasOpenssl, hasQpdf } from '../../verify/tools.ts'

const NOW = new Date()
/** One of so many manipulated files; a script of `scripts/README.md` asks about all. */
const PART = 12

/** Of each source at least one. */
function forgedFiles(): CoreFile[] {
  const kit = new Kit()
  const all = [...UNFORGED, ...FORGERIES, ...TOLERATED]
  const chosen = all.filter(({ source }, i) => i % PART === 0 || source !== all[i - 1]?.source)
  return chosen.map(({ source, name, make, trust }) => {
    const { signers, times } = trust?.(kit) ?? kit.trust
    const [own, timestampTrust] = [signers, times].map(certificatesOfPem) as [Uint8Array[], Uint8Array[]]
    return { name: `${source}: ${name}`, bytes: make(kit), trust: own, timestampTrust, now: NOW }
  })
}

const CORPUS = join(ROOT, '../shared/corpus/forgeries')

function corpusFiles(): CoreFile[] {
  const names = existsSync(CORPUS) ? readdirSync(CORPUS).filter(name => name.endsWith('.pdf')) : []
  const certificates = (path: string) => (existsSync(path) ? certificatesOfPem(readFileSync(path, 'utf8')) : [])
  return names.map(name => {
    const stem = join(CORPUS, name.slice(0, -'.pdf'.length))
    const [trust, timestampTrust] = [certificates(`${stem}.trust.pem`), certificates(`${stem}.time.pem`)]
    return { name, bytes: new Uint8Array(readFileSync(`${stem}.pdf`)), trust, timestampTrust, now: NOW }
  })
}

async function encryptedFiles(): Promise<CoreFile[]> {
  const { root } = await sharedAuthority()
  const base = await plainPdf()
  return Promise.all(
    KINDS.map(async ([name, options, cipher]) => {
      const bytes = await signedBehind(encrypted(base, options), cipher)
      return { name, bytes, trust: [root.certificateDer], timestampTrust: [], now: NOW }
    }),
  )
}

type MakeCms = (signer: ForeignSigner, signed: Uint8Array) => Uint8Array

const byOpenssl =
  (...options: string[]): MakeCms =>
  (signer, signed) =>
    cmsByOpenssl(signer, signed, ...options)

const byEdDsa =
  (algorithm: string): MakeCms =>
  (signer, signed) =>
    handmadeCms({
      signed,
      signer,
      signatureAlgorithm: sequence(oid(algorithm)),
      sign: data => signatureByOpenssl(signer, data),
    })

const RSA = ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048']
const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`]

const ALGORITHMS: readonly (readonly [name: string, key: readonly string[], make: MakeCms])[] = [
  ['RSA with SHA-1', RSA, byOpenssl('-md', 'sha1')],
  ['RSA with SHA3-512', RSA, byOpenssl('-md', 'sha3-512')],
  ['RSASSA-PSS', RSA, byOpenssl('-md', 'sha384', '-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:digest')],
  ['P-256', ec('P-256'), byOpenssl('-md', 'sha256')],
  ['P-384 with SHA-512', ec('P-384'), byOpenssl('-md', 'sha512')],
  ['P-521', ec('P-521'), byOpenssl('-md', 'sha512')],
  ['brainpoolP384r1', ec('brainpoolP384r1'), byOpenssl('-md', 'sha384')],
  ['secp256k1, which is not supported', ec('secp256k1'), byOpenssl('-md', 'sha256')],
  ['Ed25519', ['-algorithm', 'ed25519'], byEdDsa('1.3.101.112')],
  ['Ed448', ['-algorithm', 'ed448'], byEdDsa('1.3.101.113')],
]

/** Each as it is, and with a changed octet of the signature value, which ends the CMS. */
async function foreignFiles(): Promise<CoreFile[]> {
  const { key: own } = await sharedAuthority()
  const files: CoreFile[] = []
  for (const [name, key, make] of ALGORITHMS) {
    const signer = foreignSigner(key)
    for (const change of [0, 0x10]) {
      const cms = async (_digest: Uint8Array, signed: Uint8Array) =>
        make(signer, signed).map((octet, i, all) => (i === all.length - 5 ? octet ^ change : octet))
      const order = { base: await plainPdf(), key: own, subFilter: 'adbe.pkcs7.detached', contentsBytes: 12_000, cms }
      const bytes = await sealTiny(order)
      files.push({ name: `${name}, changed by ${change}`, bytes, trust: [signer.certificate], timestampTrust: [], now: NOW })
    }
  }
  return files
}

describe.skipIf(NO_BROWSER)('the core in a page from a file, offline, reports as the executable does:', () => {
  let browser: Browser
  let core: BrowserCore
  beforeAll(async () => {
    browser = await openBrowser()
    core = await openBrowserCore(browser)
  })
  afterAll(async () => {
    await core.close()
    await browser.close()
    removeForeignSigners()
  })

  test('manipulated files and those of the corpus', async () => {
    const files = [...forgedFiles(), ...corpusFiles()]
    expect(files.length).toBeGreaterThan(60)
    expect(await findDifferences(core, files)).toEqual([])
  })

  test.skipIf(!hasOpenssl)('keys and hashes of other products, and a changed signature value', async () => {
    expect(await findDifferences(core, await foreignFiles())).toEqual([])
  })

  test.skipIf(!hasQpdf)('encrypted files', async () => {
    expect(await findDifferences(core, await encryptedFiles())).toEqual([])
  })

  test('evidence packs, genuine and false', async () => {
    const packs = packsOfTests().map(pack => ({ ...pack, trust: [], timestampTrust: [], now: PACK_TIME }))
    expect(packs.length).toBeGreaterThan(30)
    expect(await findDifferences(core, packs)).toEqual([])
  })

  test('evidence packs with the signature of a device, genuine and rewritten', async () => {
    const t = await openTestApp({ env: { SIGNET_BASE_URL: KEY_ORIGIN } })
    t.clock.now = NOW
    const pack = await packWithKey(t, newDevice(), 'ada@example.com').finally(() => t.close())
    const all = [pack, ...ENTRY_CHANGES.map(([, change]) => withEntry(pack, change))]
    const packs = all.map((files, i) => ({
      ...{ name: String(i), bytes: new Uint8Array(zipSync(files, { level: 0 })), trust: [], timestampTrust: [], now: NOW },
    }))
    expect(await findDifferences(core, packs)).toEqual([])
  })

  test('what is no PDF, and no certificate', async () => {
    const of = (bytes: Uint8Array, trust: Uint8Array[] = []) => ({ name: 'x', bytes, trust, timestampTrust: [], now: NOW })
    expect(await findDifferences(core, [of(new Uint8Array()), of(new TextEncoder().encode('%PDF-1.7'))])).toEqual([])
    const [answer] = await core.ask([of(new Uint8Array(), [Uint8Array.of(1)])])
    expect(answer?.failure).toStartWith('DerError: ')
  })
})
