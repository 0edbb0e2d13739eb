/** `signet verify`: verifies a signed PDF offline, with what the data folder beside it knows. */
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'
import { PACK_EXIT_CODES } from '../evidence/pack/report.ts'
import { errorMessage } from '../lib/log.ts'
import { remark } from '../locales/remarks.ts'
import { openPdfTools } from '../sandbox/pdf-tools.ts'
import type { InstanceRecord } from '../verify/describe.ts'
import type { UnreadableReport, VerificationReport, VerifyFileRequest } from '../verify/report.ts'
import { databaseName, dataFolderError, withApp } from './data-folder.ts'
import { configFrom, DATA_FLAG, type Io, type ParsedFlags, parseFlags, UsageError, type Verb } from './verb.ts'

// `signet evidence verify`: verifies an evidence pack offline, without the service that made it.

export const evidenceVerify: Verb = {
  name: 'evidence verify',
  usage: 'signet evidence verify PACK.zip [--json] [--trust CERTIFICATES]… [--trust-time CERTIFICATES]…',
  summary:
    'verifies an evidence pack offline: audit trail, files, audit certificate, seal and time-stamps, without --trust by the certificate in it: exit 0 valid, 1 not valid, 2 unreadable, 4 signer unknown, 6 not all could be checked',
  failureCode: 2,
  async run(args, io) {
    const parsed = parseFlags(args, { '--json': 'switch', '--trust': 'list', '--trust-time': 'list' })
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageError('name one evidence pack, a ZIP')
    if (!isFile(path)) throw new UsageError(`there is no file ${path}`)
    const { trust, timestampTrust } = await givenTrust(parsed, io, 'evidence verify')
    const tools = openPdfTools({ command: io.command, size: 1, limits: LIMITS })
    try {
      const report = await tools.verifyPack({ path, trust, timestampTrust })
      const { describePack, writePackReport } = await import('../evidence/pack/report.ts')
      const written = writePackReport(report)
      io.out(parsed.switches.has('--json') ? JSON.stringify(written) : describePack(written).trimEnd())
      return PACK_EXIT_CODES[report.verdict]
    } finally {
      await tools.close()
    }
  },
}

/** Wider than those of a server: the machine is the user's own, and a large file may take long. */
export const LIMITS = { cpuMs: 60_000, wallMs: 600_000, rssBytes: 1024 * 1024 * 1024 }

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true

/** The certificates of each file, PEM. @throws UsageError that names the flag and the file */
function readTrust<T extends { pem: string }>(
  flag: string,
  paths: readonly string[],
  read: (bytes: Uint8Array) => T | { error: string },
): (T & { path: string })[] {
  return paths.map(path => {
    if (!isFile(path)) throw new UsageError(`${flag}: there is no file ${path}`)
    const result = read(readFileSync(path))
    if ('error' in result) throw new UsageError(`${flag}: ${path} cannot be used: ${result.error}`)
    return { ...result, path }
  })
}

/** What the flags name; says which certificates of a mixed file are left aside. */
async function givenTrust({ lists }: ParsedFlags, io: Io, verb = 'verify'): Promise<Trust> {
  const { readSignerTrustFile, readTrustFile } = await import('../pki/x509.ts')
  const signers = readTrust('--trust', lists['--trust'] ?? [], readSignerTrustFile)
  for (const { path } of signers.filter(({ leftAside }) => leftAside > 0)) io.err(`signet ${verb}: ${path} ${MIXED}`)
  const authorities = readTrust('--trust-time', lists['--trust-time'] ?? [], readTrustFile)
  return { trust: signers.map(({ pem }) => pem), timestampTrust: authorities.map(({ pem }) => pem) }
}

const MIXED =
  'contains authorities beside the certificates of signers: only the latter are trusted. To trust everybody whom an authority certified, give its certificate in a file of its own.'

type Trust = Required<Pick<VerifyFileRequest, 'trust' | 'timestampTrust'>> & Pick<VerifyFileRequest, 'revocationLists'>

async function reportOf(io: Io, path: string, trust: Trust): Promise<VerificationReport | UnreadableReport> {
  if (!isFile(path)) return { verdict: 'unreadable', reason: remark('no_such_file') }
  const tools = openPdfTools({ command: io.command, size: 1, limits: LIMITS })
  try {
    return await tools.verify({ path, ...trust, originalPath: undefined })
  } finally {
    await tools.close()
  }
}

interface Verified {
  report: VerificationReport | UnreadableReport
  /** Of the instance whose data folder was read. */
  record?: InstanceRecord
}

/**
 * The installation whose certificates count: the one that is named, or without `--trust` the one in
 * the usual place. @throws UsageError if the named one does not exist
 */
function installationOf(parsed: ParsedFlags, io: Io): Config | undefined {
  const isNamed = '--data' in parsed.values
  if (!isNamed && parsed.lists['--trust'] !== undefined) return undefined
  try {
    const config = configFrom(parsed, io.env)
    const error = dataFolderError(config)
    if (error === undefined) return config
    if (isNamed) throw new UsageError(error)
  } catch (error) {
    // A setting that only a server needs must not keep anybody from verifying a file.
    if (isNamed || !(error instanceof ConfigError)) throw error
  }
  return undefined
}

/** Undefined if the installation cannot be opened and nobody named it. */
async function verifyBeside(config: Config, io: Io, path: string, given: Trust, isNamed: boolean): Promise<Verified | undefined> {
  let isOpen = false
  try {
    return await withApp(config, io, 'verify', async app => {
      isOpen = true
      const { ownTrust, recordOf, sealerIn } = await import('../documents/evidence/verification.ts')
      const own = await ownTrust(app)
      const report = await reportOf(io, path, {
        ...own,
        trust: [...own.trust, ...given.trust],
        timestampTrust: [...own.timestampTrust, ...given.timestampTrust],
      })
      if (report.verdict === 'unreadable') return { report }
      const sealed = await recordOf(app, report.sha256, undefined)
      const sealer = await sealerIn(app.db, report)
      return { report, record: { source: databaseName(config), sealer, sealed: sealed.known ? sealed : undefined } }
    })
  } catch (error) {
    if (isOpen || isNamed) throw error
    io.err(`signet verify: ${databaseName(config)} was not used: ${errorMessage(error)}`)
    return undefined
  }
}

function recordJson({ source, sealed }: InstanceRecord) {
  if (!sealed) return { known: false, source }
  return { known: true, source, documentId: sealed.documentId, completedAt: sealed.completedAt.toISOString() }
}

/** The form of `sha256sum`. */
async function writeVerifyPage(path: string, parsed: ParsedFlags, io: Io): Promise<number> {
  const isAlone = Object.keys({ ...parsed.values, ...parsed.lists }).length === 1 && parsed.switches.size === 0
  if (!isAlone || parsed.positionals.length > 0)
    throw new UsageError('--html takes the name of a new file, and nothing beside it')
  const { verifyPage } = await import('../files/verify-page.ts')
  const { bytes, sha256 } = verifyPage()
  try {
    writeFileSync(path, bytes, { flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      throw new UsageError(`--html: there is a file ${path} already`)
    throw error
  }
  io.out(`${sha256}  ${path}`)
  return 0
}

export const verify: Verb = {
  name: 'verify',
  usage:
    'signet verify FILE.pdf|RECEIPT.eml [--pack PACK.zip] [--file SEALED.pdf] [--json] [--trust CERTIFICATES]… [--trust-time CERTIFICATES]… [--data DIR], or signet verify --html FILE.html',
  summary:
    'verifies a signed PDF, or the receipt of somebody who signed, offline, without --trust by the certificates of the data folder: exit 0 valid, 1 not valid, 2 unreadable, 3 valid when signed and then visibly changed, 4 signer unknown, 5 not signed, 6 not checked; --html writes the page that does the same in a browser, without a service, and prints its SHA-256',
  flags: {
    '--pack': 'of a receipt: the evidence pack of its document, whose log must contain the entry of the receipt',
    '--file': 'of a receipt: the sealed PDF, which must begin with what the person was shown',
  },
  failureCode: 2,
  async run(args, io) {
    const parsed = parseFlags(args, {
      ...{ '--json': 'switch', '--trust': 'list', '--trust-time': 'list', '--html': 'value', ...DATA_FLAG },
      ...{ '--pack': 'value', '--file': 'value' },
    })
    const html = parsed.values['--html']
    if (html !== undefined) return writeVerifyPage(html, parsed, io)
    const [path, another] = parsed.positionals
    if (path === undefined || another !== undefined) throw new UsageError('name one PDF file, or one receipt')
    const given = await givenTrust(parsed, io)
    if (isReceiptFile(path)) return verifyReceipt(parsed, io, path, given)
    if ('--pack' in parsed.values || '--file' in parsed.values) throw new UsageError(`${path} is no receipt`)
    const config = installationOf(parsed, io)
    const beside = config && (await verifyBeside(config, io, path, given, '--data' in parsed.values))
    const { report, record }: Verified = beside ?? { report: await reportOf(io, path, given) }
    const { describeReport } = await import('../verify/describe.ts')
    const { EXIT_CODES } = await import('../verify/verdict.ts')
    const { writeReport } = await import('../verify/report.ts')
    const written = writeReport(report)
    const json = record ? { ...written, record: recordJson(record) } : written
    io.out(parsed.switches.has('--json') ? JSON.stringify(json) : describeReport(written, record))
    return EXIT_CODES[report.verdict]
  },
}

// The receipt of somebody who signed, with the files beside it.

/** An S/MIME message; a PDF begins with another octet. Reads no more: a PDF may be large. */
function isReceiptFile(path: string): boolean {
  if (!isFile(path)) return false
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(MAX_HEADER_BYTES)
    return header.subarray(0, readSync(file, header)).includes('multipart/signed')
  } finally {
    closeSync(file)
  }
}

const MAX_HEADER_BYTES = 1024

async function verifyReceipt(parsed: ParsedFlags, io: Io, path: string, given: Trust): Promise<number> {
  const { '--pack': packPath, '--file': sealedPath } = parsed.values
  for (const beside of [packPath, sealedPath]) {
    if (beside !== undefined && !isFile(beside)) throw new UsageError(`there is no file ${beside}`)
  }
  const config = installationOf(parsed, io)
  const own = config && (await trustBeside(config, io, '--data' in parsed.values))
  const trust = [...(own?.trust ?? []), ...given.trust]
  const timestampTrust = [...(own?.timestampTrust ?? []), ...given.timestampTrust]
  const tools = openPdfTools({ command: io.command, size: 1, limits: LIMITS })
  try {
    const report = await tools.verifyReceipt({ path, packPath, sealedPath, trust, timestampTrust })
    const { describeReceipt, RECEIPT_EXIT_CODES, writeReceiptReport } = await import('../evidence/receipt-report.ts')
    const written = writeReceiptReport(report)
    io.out(parsed.switches.has('--json') ? JSON.stringify(written) : describeReceipt(written).trimEnd())
    return RECEIPT_EXIT_CODES[report.verdict]
  } finally {
    await tools.close()
  }
}

/** Undefined if the installation cannot be opened and nobody named it. */
async function trustBeside(config: Config, io: Io, isNamed: boolean) {
  try {
    return await withApp(config, io, 'verify', async app => {
      const { trustOf } = await import('../documents/evidence/verification.ts')
      return trustOf(app)
    })
  } catch (error) {
    if (isNamed) throw error
    io.err(`signet verify: ${databaseName(config)} was not used: ${errorMessage(error)}`)
    return undefined
  }
}
