/**
 * What the master key encrypts: a closed list, so that a new key replaces the old one everywhere.
 * Nothing can be encrypted under a name that is not made here.
 */
import type { SecretName } from '../lib/secret-box.ts'

/** Encrypted bytes in a column, one secret in each row. */
export interface SealedColumn {
  table: string
  column: string
  /** What the name of the secret is made of. */
  keys: readonly string[]
  /** Bound by the encryption: the secret of one row does not work in another. */
  nameOf(...keys: string[]): string
}

const webhookName = (id: string) => `webhook:${id}`
const totpName = (userId: string) => `totp ${userId}`

export const SEALED = {
  /** The link key, settings such as the password of the mail server, and what backups need. */
  stored: { table: 'secrets', column: 'sealed', keys: ['name'], nameOf: (name: string) => name },
  sealRoot: { table: 'seal_roots', column: 'sealed_key', keys: ['id'], nameOf: (id: string) => `seal-root:${id}` },
  sealCertificate: {
    table: 'seal_certificates',
    column: 'sealed_key',
    keys: ['id'],
    nameOf: (id: string) => `seal-certificate:${id}`,
  },
  totp: { table: 'totp_secrets', column: 'sealed_secret', keys: ['user_id'], nameOf: totpName },
  totpEnrolment: { table: 'totp_enrolments', column: 'sealed_secret', keys: ['user_id'], nameOf: totpName },
  webhook: { table: 'webhooks', column: 'sealed_secret', keys: ['id'], nameOf: webhookName },
  formerWebhook: { table: 'webhook_former_secrets', column: 'sealed_secret', keys: ['webhook_id'], nameOf: webhookName },
  answer: {
    table: 'idempotency_keys',
    column: 'sealed_body',
    keys: ['owner', 'value'],
    nameOf: (owner: string, value: string) => `idempotency:${owner}:${value}`,
  },
} as const satisfies Record<string, SealedColumn>

export type Sealed = keyof typeof SEALED

/** The name under which a secret is encrypted, from the keys of its row. */
export function secretName<Kind extends Sealed>(kind: Kind, ...keys: Parameters<(typeof SEALED)[Kind]['nameOf']>): SecretName {
  return nameOfRow(SEALED[kind], keys)
}

export const nameOfRow = ({ nameOf }: SealedColumn, keys: readonly string[]): SecretName => nameOf(...keys) as SecretName
