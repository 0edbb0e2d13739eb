/** The evidence pack: everything needed to verify a completed document without this service. */
import { type AuditEvent, auditHead } from '../../audit/log.ts'
import type { Document, SealSubFilter } from '../../core/document/document.ts'
import { Refusal } from '../../core/refusal.ts'
import { violation } from '../../core/violation.ts'
import { type Commands, formatCheckCommands, formatTrailCommands } from '../../evidence/trail-commands.ts'
import { fileBytes } from '../../files/queries.ts'
import { type EmbeddedPage, verifyPage } from '../../files/verify-page.ts'
import { toUtf8 } from '../../lib/bytes.ts'
import { ArchiveNames } from '../../lib/file-names.ts'
import type { Actor, App } from '../../ports.ts'
import { allSealCertificates } from '../../settings/seal-certificate.ts'
import { FileDamagedError } from '../../storage/file-store.ts'
import { fileNameOf } from '../files/named-file.ts'
import { auditTrail } from '../lifecycle/lifecycle.ts'
import { presentDocument, presentEvent } from '../present.ts'
import { sealedVersion } from '../sealing/sealed-queries.ts'
import { markContent } from '../signing/form-queries.ts'
import { keptVerifyPage } from './page-queries.ts'
import { trustOf } from './verification.ts'

const SEALED = 'sealed.pdf'
const ORIGINAL = 'original.pdf'
const AUTHORITIES = 'timestamp-authorities.pem'
const PAGE = 'verify.html'

interface Entry {
  name: string
  content: string | Uint8Array | { localPath(): Promise<string> }
}

/** Throws `FileDamagedError` now, not while the pack is sent. */
export async function intactFile({ storage }: App, sha256: string): Promise<{ localPath(): Promise<string> }> {
  await storage.intact(sha256)
  return { localPath: () => storage.localPath(sha256) }
}

/**
 * Throws `not_found` before completion, `FileDamagedError` if a file does not match its hash.
 * `present`: the page of this release, for documents whose certificate names none.
 */
export async function evidencePack(
  app: App,
  actor: Actor,
  id: string,
  present: EmbeddedPage = verifyPage(),
): Promise<{ fileName: string; entries: Entry[] }> {
  const { document, events } = await auditTrail(app, actor, id)
  if (document.sha256Sealed === undefined) {
    throw new Refusal('not_found', violation('no_evidence_pack'))
  }
  const sealed = await intactFile(app, document.sha256Sealed)
  const original = await intactFile(app, document.sha256Original)
  const originalByteLength = (await fileBytes(app.db, document.sha256Original)) ?? 0
  const audit = {
    instanceId: app.instance.id,
    environment: app.instance.environment,
    document: presentDocument(document),
    events: events.map(presentEvent),
    eventCount: events.length,
    lastEventHash: events.at(-1)?.hash,
    chainHead: await auditHead(app.db),
  }
  const version = await sealedVersion(app.db, document.sha256Sealed)
  const isTimestamped = version?.timestampChain !== undefined
  const isExtended =
    version?.level === 'B-LT' || version?.level === 'B-LTA' || events.some(({ type }) => type === 'document.seal_augmented')
  const sealCertificates = await allSealCertificates(app.db)
  const certificates = await namesOf(sealCertificates.certificates)
  const attachments = await attachmentEntries(app, document)
  const page = await pageOf(app, events, present)
  const summed = [
    { name: SEALED, sha256: document.sha256Sealed },
    { name: ORIGINAL, sha256: document.sha256Original },
    { name: PAGE, sha256: page.sha256 },
    ...attachments,
  ]
  const sums = summed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('')
  return {
    fileName: await fileNameOf(app.db, document, 'evidence'),
    entries: [
      {
        name: 'README.txt',
        content: readme({
          document,
          originalByteLength,
          events,
          isTimestamped,
          isExtended,
          subFilter: version?.subFilter,
          certificates,
          page,
        }),
      },
      { name: PAGE, content: toUtf8(page.bytes) },
      { name: SEALED, content: sealed },
      { name: ORIGINAL, content: original },
      { name: 'audit.json', content: `${JSON.stringify(audit, null, 2)}\n` },
      ...(await markEntries(app, document)),
      ...attachments.map(({ name, content }) => ({ name, content })),
      { name: 'seal.pem', content: sealCertificates.certificates },
      { name: 'seal-chain.pem', content: sealCertificates.issuers },
      ...(isTimestamped ? [{ name: AUTHORITIES, content: await authoritiesOf(app) }] : []),
      { name: 'SHA256SUMS', content: sums },
    ],
  }
}

interface PageInPack extends EmbeddedPage {
  /** Whether the audit certificate prints the hash: those of releases before do not. */
  isPrinted: boolean
}

/** The version that the audit certificate names; of older documents, the present one. */
async function pageOf(app: App, events: readonly AuditEvent[], present: EmbeddedPage): Promise<PageInPack> {
  const sha256 = events.findLast(({ type }) => type === 'document.completed')?.data.verifyPageSha256
  if (typeof sha256 !== 'string') return { ...present, isPrinted: false }
  if (sha256 === present.sha256) return { ...present, isPrinted: true }
  const bytes = await keptVerifyPage(app.db, sha256)
  if (bytes === undefined) throw new FileDamagedError(`the version ${sha256} of ${PAGE} is missing`)
  return { bytes, sha256, isPrinted: true }
}

/** The certificates of all trusted time-stamp authorities, each once. PEM. */
async function authoritiesOf(app: App): Promise<string> {
  const { certificatePem, certificatesOfPem } = await import('../../pki/x509.ts')
  const { timestampTrust } = await trustOf(app)
  return [...new Set(timestampTrust.flatMap(certificatesOfPem).map(certificatePem))].join('')
}

async function namesOf(pem: string): Promise<string[]> {
  const { certificatesOfPem, certificateSummary } = await import('../../pki/x509.ts')
  return certificatesOfPem(pem)
    .map(certificateSummary)
    .map(({ subject }) => subject)
}

/** Drawn and uploaded marks: the bytes whose hashes the audit certificate prints. */
async function markEntries(app: App, document: Document): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const { id, signature, initials } of document.recipients) {
    for (const [name, mark] of Object.entries({ signature, initials })) {
      if (!mark || mark.kind === 'typed') continue
      const content = await markContent(app.db, id, mark.sha256)
      if (!content) throw new FileDamagedError(`the content of mark ${mark.sha256} is missing`)
      entries.push({ name: `marks/${id}-${name}.${mark.kind === 'drawn' ? 'json' : 'png'}`, content })
    }
  }
  return entries
}

/** Files that signers added, under their names. */
async function attachmentEntries(app: App, document: Document) {
  const files = document.recipients.flatMap(({ fields }) => fields.flatMap(({ file }) => file ?? []))
  const names = new ArchiveNames()
  const entries: { name: string; sha256: string; content: Entry['content'] }[] = []
  for (const { fileName, sha256 } of files) {
    const extension = fileName.split('.').at(-1) ?? ''
    const name = `attachments/${names.unique(fileName, extension)}`
    entries.push({ name, sha256, content: await intactFile(app, sha256) })
  }
  return entries
}

interface Facts {
  document: Document
  originalByteLength: number
  events: AuditEvent[]
  isTimestamped: boolean
  /** Revisions with validation data or time-stamps follow the seal. */
  isExtended: boolean
  subFilter: SealSubFilter | undefined
  /** The subjects of the certificates in seal.pem. */
  certificates: string[]
  page: PageInPack
}

/** Indented, with the name of the sealed file in place of FILE.pdf. */
const commandBlock = (lines: readonly string[]) => lines.map(line => `    ${line.replaceAll('FILE.pdf', SEALED)}`).join('\n')

function fileList({ document, isTimestamped }: Facts): string {
  const isDrawn = document.recipients.some(({ signature, initials }) =>
    [signature, initials].some(mark => mark && mark.kind !== 'typed'),
  )
  const lines: [string, string][] = [
    [PAGE, 'a page for any browser that verifies this pack, and any signed PDF, without a network'],
    [SEALED, 'the document with its signatures, the audit certificate and the seal'],
    [ORIGINAL, 'the document as it was sent and shown to the signers'],
    ['audit.json', 'the events in order, with the hash chain'],
    ['seal.pem', 'the certificates of the seals, without their issuers: who trusts them trusts nobody else'],
    ['seal-chain.pem', 'the authorities that issued them, for other programs; no command below trusts them'],
  ]
  if (isTimestamped) lines.push([AUTHORITIES, 'the certificates of the time-stamp authorities, each with its issuers'])
  if (isDrawn) lines.push(['marks/', 'signatures that were drawn (strokes as JSON) or uploaded as a picture (PNG)'])
  const hasFiles = document.recipients.some(({ fields }) => fields.some(({ file }) => file))
  if (hasFiles)
    lines.push(['attachments/', 'files that signers added; audit.json has their hashes with the signatures (fieldFiles)'])
  lines.push([
    'SHA256SUMS',
    hasFiles ? 'the hashes of both PDFs, of the page and of the attachments' : 'the hashes of both PDFs and of the page',
  ])
  const width = Math.max(...lines.map(([name]) => name.length)) + 2
  return lines.map(([name, text]) => `${name.padEnd(width)}${text}`).join('\n')
}

function sealStep({ isExtended, isTimestamped }: Facts, commands: Commands): string {
  const coverage = isExtended
    ? `Proofs and time-stamps were added behind the sealed revision, so pdfsig says "Not total document signed" of the seal.
   signet lists what was added and allows nothing else.`
    : 'The seal covers the whole file: pdfsig says "Total document signed".'
  const trust = isTimestamped ? ` --trust-time ${AUTHORITIES}` : ''
  return `3. The seal is valid. pdfsig must say "Signature is Valid", signet must begin with VALID.
   ${coverage}

${commandBlock(commands.poppler)}
${commandBlock(commands.signet.map(line => `${line}${trust}`))}`
}

const NOT_AGAINST_THE_FILE = 'This says nothing against the file.'

/** Facts of Firefox's source in 2026; src/pades/README.md says more. */
function whatFirefoxShows({ subFilter, isExtended }: Facts): string {
  if (subFilter !== 'adbe.pkcs7.detached')
    return `Firefox says with a red mark that the signature could not be verified. It verifies the type adbe.pkcs7.detached
alone; the seal is of the type ETSI.CAdES.detached (PAdES), which it calls so for every product. ${NOT_AGAINST_THE_FILE}`
  if (isExtended)
    return `Firefox says that a signature could not be verified, or that the document was changed: it knows neither document
time-stamps nor validation data, which follow the seal. ${NOT_AGAINST_THE_FILE}`
  return `Firefox verifies the seal, and trusts only authorities that it contains itself: of others it says that the certificate is
not trusted. ${NOT_AGAINST_THE_FILE}`
}

const whatReadersShow = (facts: Facts): string => `What programs for reading show:

Acrobat says that the document was not changed and, until it knows the certificate, that the identity of the signer is unknown.
Step 2 says how to know it; in Acrobat: Signature Properties, Show Signer's Certificate, Trust.

${whatFirefoxShows(facts)}`

function certificateStep({ isTimestamped, certificates }: Facts, commands: Commands): string {
  const authorities = `
   ${AUTHORITIES} is what the service collected: compare its roots with what the authorities publish.`
  return `2. The certificates belong to the organisation: compare the fingerprint of the seal's certificate (step 4 prints it) with
   one that you got from the organisation itself. seal.pem contains all seal certificates it has had.${isTimestamped ? authorities : ''}
   The command prints the fingerprints in this order:

${certificates.map((name, i) => `   ${i + 1}. ${name}`).join('\n')}

${commandBlock(commands.fingerprint)}`
}

/** How a forged copy of the page is found out. */
const pageLine = ({ page: { sha256, isPrinted } }: Facts): string =>
  isPrinted
    ? `The audit certificate at the end of sealed.pdf prints its
SHA-256, in the row of verify.html: a copy with another one is not genuine.`
    : `The audit certificate of this document is older than such
pages and names none. SHA-256 of this one: ${sha256}.
Compare it with what "signet verify --html NEW.html" prints on a machine of your own.`

function readme(facts: Facts): string {
  const { document, originalByteLength, events } = facts
  const commands = formatCheckCommands(originalByteLength)
  const trail = formatTrailCommands({
    pageCount: document.pageCount,
    types: events.map(({ entry }) => (JSON.parse(entry) as { type: string }).type),
  })
  const completed = events.findLast(e => e.type === 'document.completed')
  return `Evidence of "${document.title}" (${document.id})
${completed ? `Completed ${completed.at} (UTC)\n` : ''}
${fileList(facts)}

Open verify.html in a browser and drop the file that this one was in on it, the ZIP as you got it. It says who signed, and checks
everything that the steps below do. It needs no network and sends nothing. ${pageLine(facts)}

One command of the program says the same. PACK.zip is that file:

    signet evidence verify PACK.zip

It must begin with VALID. signet is the program of the service: one file, needs no server. It names each person who signed, and all
that it checked. With --trust it takes the certificate of the seal that you got from the organisation itself.

The steps below do it with the tools of others. The commands are for a POSIX shell, in the folder of these files. They use openssl,
xxd, jq, and pdfsig and pdftotext of Poppler; on macOS, shasum -a 256 replaces sha256sum. No step needs the service that made them.

1. The files are the ones listed:

    sha256sum -c SHA256SUMS

${certificateStep(facts, commands)}

${sealStep(facts, commands)}

4. The seal is valid, with OpenSSL alone: it must say "CMS Verification successful".
   The last line is the fingerprint of the seal's certificate; it must be one of those of step 2.
   The first command reads the seal's ByteRange, [0 A B C]: the seal covers the first A bytes and the C bytes from byte B on.
   If xxd is missing, tr a-f A-F | basenc --base16 -d does the same; once the certificate has expired, add -no_check_time.

${commandBlock(commands.openssl)}

5. The first ${originalByteLength} bytes of the sealed file are the document that was sent:

    cmp -n ${originalByteLength} ${SEALED} ${ORIGINAL} && echo same

6. The audit trail is intact. These commands print nothing if it is:

${commandBlock(trail.chain)}

   Each hash is SHA-256 over a zero byte, the hash before it and the entry. The entries between belong to other documents;
   so each entry also contains the hash of the previous one of this document.

7. Personal data, consent texts, the document in audit.json and the PDFs are those of the entries: in each entry, "personal" is
   SHA-256 over the salt and the data as canonical JSON (RFC 8785). These commands print nothing if it is so:

${commandBlock(trail.contents)}

8. The audit certificate, which the seal covers, prints number and hash of the newest entry at that time, in the row "Audit log" of
   the technical record: up to this one no entry can be changed or removed. These commands print nothing if audit.json has it:

${commandBlock(trail.printed)}

   Compare the row with your own eyes if they print something: a sender can make a row that looks like it among the fields.
   The seal does not cover later entries (the completion, mails, time-stamps added to the seal).

${whatReadersShow(facts)}
`
}
