/** The schema of the report on a verified PDF. It describes what `present` answers. */
import Type from 'typebox'
import { SEAL_LEVELS } from '../../../core/document/document.ts'
import type { SignatureReport, Verdict } from '../../../verify/report.ts'
import { component, described, Id, openEnum, optional, orNull, Sha256, Time } from './schema-parts.ts'

const known = <K extends keyof SignatureReport>(
  _member: K,
  values: readonly Extract<SignatureReport[K], string>[],
  description: string,
) => openEnum(values, description)

const SignatureTimes = component('SignatureTimes', {
  claimedAt: optional(described('By the clock of the signer.')),
  provenAt: optional(described('Earliest time that a trusted time-stamp authority proves.')),
  timestamp: optional(
    component(
      'SignatureTimestamp',
      { at: Type.String(), authority: Type.String(), trusted: Type.Boolean() },
      'The time-stamp of the signature (RFC 3161).',
    ),
  ),
})

const SignatureResult = component('SignatureReport', {
  kind: known('kind', ['signature', 'document-timestamp'], ''),
  field: described('Name of the signature field.'),
  subFilter: Type.String(),
  signer: described('Common name of the certificate; empty where none was found.'),
  certificateSha256: described('SHA-256 of the certificate, in hex; empty where none was found.'),
  integrity: known(
    'integrity',
    ['intact', 'broken', 'not-checked'],
    '`broken`: a check failed, or the file was changed in a way the signer did not allow. `not-checked`: the form or algorithm is not supported.',
  ),
  trust: known(
    'trust',
    ['trusted', 'unknown', 'revoked', 'expired'],
    'Whether the certificate leads to one that is trusted here.',
  ),
  indication: known('indication', ['TOTAL-PASSED', 'TOTAL-FAILED', 'INDETERMINATE'], 'ETSI EN 319 102-1 §5.1.3.'),
  subIndication: optional(described('ETSI EN 319 102-1 §5.1.3; absent with `TOTAL-PASSED`.')),
  level: optional(
    known(
      'level',
      SEAL_LEVELS,
      'Highest PAdES baseline level whose parts are present and trusted; absent where the signature is not a PAdES baseline signature.',
    ),
  ),
  partsOf: optional(
    known(
      'partsOf',
      SEAL_LEVELS,
      'The level whose parts (time-stamps, validation data) are present and trusted, whatever the sub-filter; `level` is the same for a PAdES baseline signature.',
    ),
  ),
  levelNotes: Type.Array(Type.String(), { description: 'Why the level is not higher. They do not make the signature invalid.' }),
  time: SignatureTimes,
  coversWholeFile: Type.Boolean(),
  reasons: Type.Array(Type.String(), { description: 'Why the signature is not valid.' }),
})

const VisibleChange = component('VisibleChange', {
  kind: openEnum(['field', 'comment', 'signature', 'property'], '`property`: a property of the document, such as its title.'),
  revision: Type.Integer({ description: 'The revision of the file that made the change, from 1.' }),
  name: described('The name of the field or property, or the type of the comment (ISO 32000-2 table 171).'),
  before: orNull(described('The value of the field or property before; `null` for others.')),
  after: orNull(described('The value after; `null` for others.')),
  page: orNull(Type.Integer({ description: 'From 1; `null` if no page shows it.' })),
})

const VERDICTS: readonly Verdict[] = [
  'valid',
  'valid-changed',
  'not-valid',
  'unreadable',
  'signer-unknown',
  'not-signed',
  'not-checked',
]

export const VerificationReport = component('VerificationReport', {
  verdict: openEnum(
    VERDICTS,
    '`valid-changed`: valid when signed; permitted changes that a reader can see follow, which `changes` lists. `signer-unknown`: no signature failed, but a certificate is not trusted here. `not-signed`: no signature, perhaps a time-stamp. `not-checked`: a part is not supported.',
  ),
  reason: optional(described('Why the file cannot be read. Then only `verdict` and `record` are present beside it.')),
  sha256: optional(Sha256('the file')),
  bytes: optional(Type.Integer()),
  pageCount: optional(Type.Integer()),
  revisions: optional(Type.Integer()),
  signatures: optional(Type.Array(SignatureResult)),
  additions: optional(Type.Array(Type.String(), { description: 'Permitted changes after the signature.' })),
  changes: optional(
    Type.Array(VisibleChange, {
      description: 'Permitted changes after a signature that a reader of the document can see; not empty with `valid-changed`.',
    }),
  ),
  reasons: optional(Type.Array(Type.String(), { description: 'Why the file as a whole is not valid.' })),
  record: component(
    'SealingRecord',
    { known: Type.Boolean(), documentId: optional(Id('doc')), completedAt: optional(Time) },
    'Whether this instance sealed exactly this file.',
  ),
})
