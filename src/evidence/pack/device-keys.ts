/** Verifies the signatures of signers' own devices that the entries of an evidence pack have. */
import { isJsonObject } from '../../core/document/logged-facts.ts'
import { remark } from '../../locales/remarks.ts'
import { type DeviceKeyResult, deviceKeyProofIn, verifyDeviceKey } from '../device-key.ts'
import type { AuditFile, PackEvent } from './audit-file.ts'
import type { PackCheck } from './report.ts'

/** By the number of the entry. Entries without one, and erased ones, are left out. */
export function deviceKeysIn({ instanceId, document, events }: AuditFile): Map<number, DeviceKeyResult> {
  const earlier = new Set<string>()
  const found = new Map<number, DeviceKeyResult>()
  for (const event of events) {
    const result = resultOf(event, { instance: instanceId, documentId: String(document.id), earlier })
    if (result !== undefined) found.set(event.sequence, result)
    earlier.add(event.hash)
  }
  return found
}

type Around = { instance: string; documentId: string; earlier: ReadonlySet<string> }

function resultOf({ type, at, recipientId, data, personal }: PackEvent, around: Around): DeviceKeyResult | undefined {
  if (type !== 'recipient.signed' || personal === null) return undefined
  const proof = deviceKeyProofIn(personal)
  // The entry itself says that there was one.
  if (proof === undefined) return isJsonObject(data.deviceKey) ? { problem: remark('device_key_unreadable') } : undefined
  if ('problem' in proof) return proof
  return verifyDeviceKey({ ...around, at, recipientId: recipientId ?? '', data, personal }, proof)
}

export function deviceKeyChecks(results: ReadonlyMap<number, DeviceKeyResult>): PackCheck[] {
  if (results.size === 0) return []
  const problems = [...results].flatMap(([number, result]): PackCheck[] =>
    'problem' in result ? [{ outcome: 'failed', remark: remark('device_key_false', { number, why: result.problem }) }] : [],
  )
  return problems.length > 0 ? problems : [{ outcome: 'passed', remark: remark('device_keys_right', { count: results.size }) }]
}
