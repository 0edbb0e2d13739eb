/** The choice of a key of the signer's own device, for senders and administrators. */
import type { DeviceKeyRule } from '../../../core/signing/device-key.ts'

export const deviceKeys = {
  label: 'Key of the signer’s own device',
  hint: 'The device signs in addition, after a fingerprint, a face or a PIN, with a key that this service never has. Anybody can check it in the evidence pack.',
  rules: {
    off: 'Not used',
    offered: 'Offered: each signer decides',
    required: 'Required: nobody signs without one',
  } satisfies Record<DeviceKeyRule, string> as Record<DeviceKeyRule, string>,
  asDocument: 'As set for the document',
  asTemplate: 'As set for the template',
  asOrganisation: 'As set for the organisation',
}
