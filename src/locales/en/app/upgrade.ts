/** Settings → Health → Upgrade, in English. */
import type { Feature } from '../../../core/feature.ts'

const hours = (n: number) => (n === 1 ? '1 hour' : `${n} hours`)

export const upgrade = {
  title: 'Finish the upgrade',
  lead: 'Nodes of two releases can serve together. What is new waits until only nodes of the new release are left, because the older ones would ignore it.',
  waiting: 'This cannot be used yet',
  features: {
    approvalWithoutMark: 'Approvers who confirm without a signature',
    sharedAddress: 'Two people who sign with one e-mail address',
    signNow: '“Sign now” for those who are signed in here',
    sessionEnd: 'Sessions that end when somebody has signed',
    consentEntry: 'The consent as an event of its own',
    pkcs7Seal: 'Seals with the sub-filter adbe.pkcs7.detached',
    receiptMail: 'The receipt by e-mail for who has signed',
    deviceKeyRequired: 'A key of the signer’s device that is required',
  } satisfies Record<Feature, string> as Record<Feature, string>,
  older: 'Replace the executable of these nodes first',
  node: (name: string, version: string) => `${name}, version ${version}`,
  byItself: (left: number) =>
    `All nodes have the new release. The upgrade finishes by itself when only such nodes have served for ${hours(left)} more.`,
  irreversible:
    'After that the release before can no longer serve from this database: to go back, a backup of the time before must be restored, and what came after it is lost.',
  reason: 'Finishing the upgrade cannot be undone.',
  finish: 'Finish the upgrade',
  finished: 'The upgrade is finished',
  finishedText: 'Everything that this release can do can be used. Older releases can no longer serve from this database.',
  row: 'Upgrade',
  rowFinished: 'Finished: everything that this release can do can be used.',
  rowOpen: 'Not finished: what is new cannot be used yet, and the release before can still be put back.',
}
