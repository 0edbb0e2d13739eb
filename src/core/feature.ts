/** What executables of the release before would ignore, and its feature level. */
import { Refusal } from './refusal.ts'
import { violation } from './violation.ts'

/** Used when its level is finished: src/README.md, A change that an older release would ignore. */
export const FEATURES = {
  approvalWithoutMark: 1,
  sharedAddress: 1,
  signNow: 1,
  sessionEnd: 1,
  consentEntry: 2,
  pkcs7Seal: 2,
  receiptMail: 2,
  deviceKeyRequired: 2,
} as const satisfies Record<string, number>

export type Feature = keyof typeof FEATURES

export const FEATURE_NAMES = Object.keys(FEATURES) as Feature[]

/** Those that the finished level does not allow yet. */
export function unusableFeatures(finishedLevel: number): Feature[] {
  return FEATURE_NAMES.filter(feature => FEATURES[feature] > finishedLevel)
}

export function upgradeUnfinished(feature: Feature): Refusal {
  return new Refusal('upgrade_unfinished', violation('upgrade_unfinished', { feature }))
}
