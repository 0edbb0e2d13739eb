/** What executables of the release before would ignore, and its feature level. */
import { Refusal } from './refusal.ts'

/** Used when its level is finished: src/README.md, A change that an older release would ignore. */
export const FEATURES = {
  approvalWithoutMark: 1,
  sharedAddress: 1,
  signNow: 1,
  sessionEnd: 1,
} as const satisfies Record<string, number>

export type Feature = keyof typeof FEATURES

export const FEATURE_NAMES = Object.keys(FEATURES) as Feature[]

/** Those that the finished level does not allow yet. */
export function unusableFeatures(finishedLevel: number): Feature[] {
  return FEATURE_NAMES.filter(feature => FEATURES[feature] > finishedLevel)
}

/** The sentences are translated by `locales/de/app/service-errors.ts`. */
const WHAT: Record<Feature, string> = {
  approvalWithoutMark: 'An approver without a signature field',
  sharedAddress: 'One address for two people who sign',
  signNow: '“Sign now” in the web app',
  sessionEnd: 'The end of a session with the signature',
}

export function upgradeUnfinished(feature: Feature): Refusal {
  return new Refusal(
    'upgrade_unfinished',
    `${WHAT[feature]} can be used when the upgrade is finished, because nodes of the release before would ignore it: ask an administrator (Settings → Health).`,
  )
}
