/** De pagina waarop ook het apparaat van de ondertekenaar tekent, in het Nederlands. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Ook tekenen met een sleutel van dit apparaat',
  offerHint:
    'Uw apparaat vraagt om uw vingerafdruk, gezicht of pincode. Dat bewijst extra dat u hebt getekend. Niets daarvan verlaat uw apparaat.',
  asked: 'Uw apparaat vraagt ook om uw vingerafdruk, gezicht of pincode: de afzender wil dat het met een eigen sleutel tekent.',
  title: 'Nog één stap: uw apparaat tekent',
  text: 'Uw apparaat tekent met een sleutel die alleen het apparaat zelf heeft. De dienst krijgt de sleutel nooit, en uw vingerafdruk of gezicht blijft op het apparaat.',
  notYet: 'U hebt nog niet getekend. Dat gebeurt zodra uw apparaat heeft getekend.',
  use: 'Tekenen met dit apparaat',
  useKnown: date => `Tekenen met de sleutel van ${date}`,
  useNew: 'Nieuwe sleutel op dit apparaat maken',
  sign: 'Tekenen met de nieuwe sleutel',
  made: 'De sleutel is gemaakt. Nu tekent uw apparaat ermee.',
  waiting: 'Volg uw apparaat…',
  without: 'Tekenen zonder sleutel van het apparaat',
  back: 'Terug naar het document',
  refused: 'Uw apparaat heeft niet getekend. Er is niets verloren: probeer het opnieuw of ga terug naar het document.',
  framed:
    'Deze pagina is onderdeel van een andere website, die hier geen sleutels van uw apparaat toestaat. Open de link uit uw e-mail in een eigen venster.',
  unsupported:
    'Deze browser kan geen sleutel van uw apparaat gebruiken. Open de link in een andere browser of op een ander apparaat.',
  unscripted: 'Uw apparaat kan alleen tekenen als JavaScript is ingeschakeld.',
}
