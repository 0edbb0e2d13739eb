/** All that proves a completed document, in one pack that needs nobody: whoever holds it can show what was sent, who signed it and when. */
import { type AuditEvent, auditHead } from '../audit/log.ts'
import type { Document } from '../core/document.ts'
import { Refusal } from '../core/refusal.ts'
import { fileBytes } from '../files/queries.ts'
import { checkCommands } from '../pdf/evidence-commands.ts'
import type { Actor, App } from '../ports.ts'
import { allSealCertificates } from '../settings/seal-certificate.ts'
import { FileDamaged } from '../storage/files.ts'
import { auditTrail } from './lifecycle.ts'
import { markContent } from './mark-queries.ts'
import { presentDocument, presentEvent } from './present.ts'

interface Entry {
  name: string
  content: string | Uint8Array | { path: string }
}

/** Throws `not_found` before the document is completed, and `FileDamaged` when a file is not the one its row names. */
export async function evidencePack(app: App, actor: Actor, id: string): Promise<{ fileName: string; entries: Entry[] }> {
  const { document, events } = await auditTrail(app, actor, id)
  if (document.sha256Sealed === undefined) {
    throw new Refusal('not_found', 'There is no evidence pack yet: it exists once the document is completed.')
  }
  for (const sha256 of [document.sha256Sealed, document.sha256Original]) {
    if ((await app.storage.hashOf(sha256)) !== sha256) throw new FileDamaged(`file ${sha256} is missing or has changed on disk`)
  }
  const originalBytes = (await fileBytes(app.db, document.sha256Original)) ?? 0
  const audit = {
    instanceId: app.instance.id,
    environment: app.instance.environment,
    document: presentDocument(document),
    events: events.map(presentEvent),
    head: await auditHead(app.db),
  }
  const fileNames = { sealed: 'sealed.pdf', original: 'original.pdf' }
  const sums = `${document.sha256Sealed}  ${fileNames.sealed}\n${document.sha256Original}  ${fileNames.original}\n`
  return {
    fileName: `${document.fileName.replace(/\.pdf$/i, '')} (evidence).zip`,
    entries: [
      { name: 'README.txt', content: readme(document.title, document.id, originalBytes, events) },
      { name: fileNames.sealed, content: { path: app.storage.pathOf(document.sha256Sealed) } },
      { name: fileNames.original, content: { path: app.storage.pathOf(document.sha256Original) } },
      { name: 'audit.json', content: `${JSON.stringify(audit, null, 2)}\n` },
      ...(await markEntries(app, document)),
      { name: 'seal.pem', content: await allSealCertificates(app.db) },
      { name: 'SHA256SUMS', content: sums },
    ],
  }
}

/** What the marks are made of that were drawn or taken from a picture: the bytes whose hashes the certificate pages print. */
async function markEntries(app: App, document: Document): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const { id, signature, initials } of document.recipients) {
    for (const [name, mark] of Object.entries({ signature, initials })) {
      if (!mark || mark.kind === 'typed') continue
      const content = await markContent(app.db, id, mark.sha256)
      if (!content) throw new FileDamaged(`what the mark ${mark.sha256} is made of is missing`)
      entries.push({ name: `marks/${id}-${name}.${mark.kind === 'drawn' ? 'json' : 'png'}`, content })
    }
  }
  return entries
}

/** Recomputes every link of the trail with tools that are not ours. */
export const CHAIN_COMMANDS = [
  `jq -r '.events[] | [.previousHash, .hash, (.entry | @base64)] | @tsv' audit.json |`,
  'while read -r before hash entry; do',
  `  { printf '00%s' "$before" | xxd -r -p; printf '%s' "$entry" | base64 -d; } | sha256sum | grep -q "^$hash" || echo "broken: $hash"`,
  'done',
]

function readme(title: string, id: string, originalBytes: number, events: AuditEvent[]): string {
  const commands = checkCommands(originalBytes)
  const shown = (lines: string[]) => lines.map(line => `    ${line.replaceAll('FILE.pdf', 'sealed.pdf')}`).join('\n')
  const completed = events.findLast(e => e.type === 'document.completed')
  return `Evidence of "${title}" (${id})
${completed ? `Completed ${completed.at} (UTC)\n` : ''}
sealed.pdf    the document with the marks of its signers, certificate pages and the seal
original.pdf  the document as it was sent and shown to the signers
audit.json    what happened, in order, with the hash chain
seal.pem      the certificates of the seals, each with its issuers
marks/        signatures that were drawn (strokes as JSON) or taken from a picture (PNG), where there are any
SHA256SUMS    the hashes of both PDFs

Nothing here needs the service that made it. The commands are for a POSIX shell.

1. The files are the ones listed:

    sha256sum -c SHA256SUMS

2. The root is the organisation's: compare its fingerprint with one you have from the organisation itself.

${shown(commands.fingerprint)}

3. The seal holds and covers the whole file:

${shown(commands.poppler)}
${shown(commands.signet)}

4. The seal holds, with OpenSSL alone:

${shown(commands.openssl)}

5. The first ${originalBytes} bytes of the sealed file are the document that was sent:

    cmp -n ${originalBytes} sealed.pdf original.pdf && echo same

6. The audit trail is whole: each hash is SHA-256 over a zero byte, the hash before it and the entry. These lines print nothing when all hold.

${shown(CHAIN_COMMANDS)}

7. Personal details were not exchanged: in each entry, "personal" is SHA-256 over the salt and the details as canonical JSON (RFC 8785).
`
}
