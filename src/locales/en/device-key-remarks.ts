/** What is said of the signature of a signer's device key, in English; sentences. */
import type { Said } from '../remarks.ts'

export const deviceKeyRemarks = {
  device_keys_right: ({ count }: { count: number }) =>
    `Each signature of a signer’s own device (${count}) fits the entry, the original file, the values and the consent.`,
  device_key_false: ({ number, why }: { number: number; why: Said }) =>
    `The signature of the signer’s own device in entry ${number} proves nothing. ${why}`,
  device_key_unreadable: () => 'The signature of the device key cannot be read.',
  device_key_of_other_document: () => 'The device key signed another document.',
  device_key_of_other_log: () => 'The device key signed for an audit log that is not this one.',
  device_key_of_other_time: () => 'The device key signed at another time than the person.',
  device_key_of_other_use: () => 'The device key did not sign, it was used for something else.',
  device_key_of_other_origin: ({ found, origin }: { found: string; origin: string }) =>
    `The device key signed on the pages of ${found}, not of ${origin}.`,
  device_key_of_other_site: ({ host }: { host: string }) => `The device key is not one for ${host}.`,
  device_key_of_other_statement: () =>
    'The device key signed something else: another file, other values, another consent or for another person.',
  device_key_without_presence: () => 'Nobody was present when the device key signed.',
  device_key_without_verification: () =>
    'The device did not ask for a finger, a face or a PIN when its key signed, as the sender requires.',
  device_key_unsupported: () => 'The device key is of a kind that is not accepted.',
  device_key_signature_wrong: () => 'The signature of the device key is wrong.',
}
