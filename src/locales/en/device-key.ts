/** The page on which a signer’s own device signs too, in English. */

export const deviceKey = {
  offer: 'Also sign with a key of this device',
  offerHint:
    'Your device asks for your fingerprint, face or PIN. It proves in addition that you signed. None of that leaves your device.',
  asked: 'Your device will ask for your fingerprint, face or PIN as well: the sender wants it to sign with a key of its own.',
  title: 'One more step: your device signs',
  text: 'Your device makes a signature with a key that only it has. The service never gets the key, and your fingerprint or face stays on the device.',
  notYet: 'You have not signed yet. That happens when your device has.',
  use: 'Sign with this device',
  useKnown: (date: string) => `Sign with the key of ${date}`,
  useNew: 'Make a new key on this device',
  sign: 'Sign with the new key',
  made: 'The key is made. Now your device signs with it.',
  waiting: 'Please follow your device …',
  without: 'Sign without a key of the device',
  back: 'Back to the document',
  refused: 'Your device has not signed. Nothing is lost: try again, or go back to the document.',
  framed:
    'This page is part of another site, which does not allow keys of your device here. Please open the link from your e-mail in a window of its own.',
  unsupported: 'This browser cannot use a key of your device. Please open the link in another browser, or on another device.',
  unscripted: 'Your device can sign only where JavaScript is switched on.',
}
