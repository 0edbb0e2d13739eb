/**
 * The POSIX shell commands of the evidence pack that check `audit.json` and the files against it
 * without Signet: with jq, xxd, base64, sha256sum and pdftotext. They print nothing if all is
 * right.
 */
import { presentType } from '../core/document/event.ts'
import { CERTIFICATE_ROWS } from '../locales/certificate-rows.ts'

export interface TrailFacts {
  /** Of the original: the audit certificate follows. */
  pageCount: number
  /** The types of the entries. */
  types: readonly string[]
}

export interface TrailCommands {
  /** Each event is its entry, and the chain is whole. */
  chain: string[]
  /** Personal data, consent texts, the document and the files are those of the entries. */
  contents: string[]
  /** The sealed file prints the newest entry before the seal. */
  printed: string[]
}

export function formatTrailCommands(facts: TrailFacts): TrailCommands {
  return { chain: chainCommands(facts), contents: CONTENTS, printed: printedCommands(facts) }
}

/** Entries from before schema 12 have other names of some types. */
function typeOf(types: readonly string[]): string {
  const former = [...new Set(types)].filter(type => presentType(type) !== type).map(type => [type, presentType(type)])
  return former.length === 0 ? '' : ` | .type = (${JSON.stringify(Object.fromEntries(former))}[.type] // .type)`
}

const chainCommands = ({ types }: TrailFacts): string[] => [
  // Each hash is that of its entry.
  `jq -r '.events[] | [.previousHash, .hash, (.entry | @base64)] | @tsv' audit.json |`,
  'while read -r before hash entry; do',
  `  { printf '00%s' "$before" | xxd -r -p; printf '%s' "$entry" | base64 -d; } | sha256sum | grep -q "^$hash" || echo "invalid: $hash"`,
  'done',
  // Each member beside an entry is that of the entry.
  `jq -r '.document.id as $document | .events[] | . as $event | (.entry | fromjson${typeOf(types)}) as $entry`,
  '  | ("id", "type", "at", "recipientId", "actor", "data") | select($event[.] != $entry[.] or $entry.documentId != $document)',
  `  | "false: \\(.) of \\($event.id)"' audit.json`,
  // Each entry has the hash of the previous one of this document, and its number.
  `jq -r '[.events[] | {hash} + (.entry | fromjson)] as $e | range($e | length) as $i | $e[$i]`,
  '  | (if $i == 0 then null else $e[$i - 1].hash end) as $before',
  // Old entries lack the previous hash. Removing it from an entry would change the entry's hash.
  '  | select(.documentSequence != $i + 1 or (has("documentPreviousHash") and .documentPreviousHash != $before))',
  `  | "missing: the entry before \\(.id)"' audit.json`,
  `jq -r 'select((.events | length) != .eventCount or .events[-1].hash != .lastEventHash) | "missing: the last entry"' audit.json`,
]

/** jq -S sorts members as canonical JSON does (RFC 8785). */
const CONTENTS = [
  `jq -S . audit.json | jq -r '.events[] | [.id, .salt // "-", (.entry | fromjson | .personal // "-"), (.personal | tojson | @base64)] | @tsv' |`,
  'while read -r id salt sum personal; do',
  '  if [ "$sum" = - ]; then [ "$personal" = bnVsbA== ] || echo "false: personal of $id"; else',
  `    { printf '%s' "$salt" | xxd -r -p; printf '%s' "$personal" | base64 -d; } | sha256sum | grep -q "^$sum" || echo "false: personal of $id"`,
  '  fi',
  'done',
  `jq -r '.events[] | select(.personal.consentText) | [.id, .data.consentSha256, (.personal.consentText | @base64)] | @tsv' audit.json |`,
  'while read -r id sum text; do',
  `  printf '%s' "$text" | base64 -d | sha256sum | grep -q "^$sum" || echo "false: consent of $id"`,
  'done',
  `jq -r 'def s: sub("\\\\.[0-9]+Z$"; "Z") | fromdate; def far($at): . == null or ((s - ($at | s)) | fabs) > 60;`,
  '  .document as $d | .events as $all | ([$all[] | select(.type == "document.sent")] | last.personal) as $sent',
  '  | (reduce ($all[] | select(.type == "recipient.corrected" or .type == "recipient.delegated")) as $e ($sent.recipients;',
  '    map(if .id == $e.recipientId then . + $e.personal.to else . end))) as $people',
  '  | ([$all[] | select(.type == "document.completed")] | last) as $completed | [$all[] | select(.type == "recipient.signed")] as $signed',
  '  | (if $d.title != $sent.title then "title" else empty end),',
  '    (if [$d.recipients[] | {id, name, email, role, order}] != $people then "recipients" else empty end),',
  '    (if $d.status != "completed" or ($d.completedAt | far($completed.at)) then "completion" else empty end),',
  '    (if $d.sha256 != {original: $completed.data.originalSha256, sealed: ([$all[].data.sealedSha256 // empty] | last)} then "files" else empty end),',
  '    (if [$d.recipients[] | select(.signedAt) | .id] - [$signed[].recipientId] != [] then "who signed" else empty end),',
  '    ($signed[] as $e | $d.recipients[] | select(.id == $e.recipientId and ((.signedAt | far($e.at))',
  `      or ([.fields[] | {(.id): .value}] | add // {}) != $e.personal.fieldValues)) | "signature of \\(.id)")`,
  `  | "false: \\(.) in the document of audit.json"' audit.json`,
  `jq -r '([.events[].data.sealedSha256 // empty] | last) + "  sealed.pdf", ([.events[].data.originalSha256 // empty] | last) + "  original.pdf"' audit.json |`,
  `  sha256sum -c 2> /dev/null | grep -v ': OK$' | sed 's/^/false: /'`,
]

/** The label of the row in every language. In Arabic it follows the hash. */
function rowPattern(): string {
  const of = (direction: 'ltr' | 'rtl') =>
    CERTIFICATE_ROWS.filter(words => words.direction === direction)
      .map(({ auditLog }) => auditLog)
      .join('|')
  return `^ *(${of('ltr')}) +[0-9a-f]{64} *$|[0-9a-f]{64}[^0-9A-Za-z]+(${of('rtl')})`
}

/**
 * Only pages behind the original, only the row of this label with nothing behind the hash, and the
 * sentence below it. A second row like it prints "missing": no text of a sender is taken for it.
 */
const printedCommands = ({ pageCount }: TrailFacts): string[] => [
  `printed=$(pdftotext -f ${pageCount + 1} -layout sealed.pdf - | tr '\\f' '\\n' |`,
  `  LC_ALL=C grep -a -A 1 -E '${rowPattern()}' |`,
  `  LC_ALL=C grep -a -o -E '[0-9a-f]{64}|[0-9]+' | tr '\\n' ' ')`,
  `jq -r '.events[] | "\\(.hash) \\(.sequence) "' audit.json | grep -Fxq -e "$printed" || echo "missing: the entry that sealed.pdf names"`,
  `jq -r --arg hash "\${printed%% *}" '(.events | map(.hash == $hash) | index(true)) as $i | select($i) | .events[$i + 1:][]`,
  '  | select(.type | test("^(recipient[.](signed|consented|delegated|corrected)|document[.](created|updated|sent|sealing|declined|voided|expired))$"))',
  `  | "false: \\(.id), after the seal"' audit.json`,
]

// Formats the POSIX shell commands of the evidence pack that check a sealed file without
// Signet. FILE.pdf is the sealed file, seal.pem the seal certificates without their issuers.

/** A continued line ends with a backslash. */
export interface Commands {
  fingerprint: string[]
  signet: string[]
  poppler: string[]
  openssl: string[]
}

/** The seal's dictionary is the first after the original (§12.8.1): signed uploads are refused. */
export function formatCheckCommands(originalByteLength: number): Commands {
  return {
    // openssl x509 reads only the first certificate of a file, so awk runs it for each.
    fingerprint: [`awk '/-BEGIN/,/-END/{print | c} /-END/{close(c)}' c='openssl x509 -outform DER | sha256sum' seal.pem`],
    signet: ['signet verify FILE.pdf --trust seal.pem'],
    poppler: ['pdfsig FILE.pdf'],
    openssl: [
      `set -- $(tail -c +${originalByteLength + 1} FILE.pdf | LC_ALL=C grep -a -o '/ByteRange *\\[[0-9 ]*\\]' \\`,
      "  | head -n 1 | LC_ALL=C tr -dc '0-9 ')",
      '(head -c $2 FILE.pdf; tail -c +$(($3+1)) FILE.pdf | head -c $4) > sealed.bin',
      'tail -c +$(($2+2)) FILE.pdf | head -c $(($3-$2-2)) | xxd -r -p > seal.der',
      'openssl cms -verify -binary -inform DER -in seal.der -content sealed.bin -CAfile seal.pem \\',
      '  -partial_chain -purpose any -signer signer.pem -out checked.bin',
      'openssl x509 -in signer.pem -outform DER | sha256sum',
    ],
  }
}
