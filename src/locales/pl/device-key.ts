/** Strona, na której podpisuje także urządzenie osoby podpisującej, po polsku. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Podpisz dodatkowo kluczem tego urządzenia',
  offerHint:
    'Urządzenie prosi o odcisk palca, twarz lub PIN. To dodatkowy dowód, że podpis pochodzi od Państwa. Nic z tego nie opuszcza urządzenia.',
  asked: 'Urządzenie poprosi też o odcisk palca, twarz lub PIN: nadawca chce, aby podpisało własnym kluczem.',
  title: 'Jeszcze jeden krok: podpisuje urządzenie',
  text: 'Urządzenie podpisuje kluczem, który ma tylko ono. Usługa nigdy nie otrzymuje tego klucza, a odcisk palca lub twarz pozostają na urządzeniu.',
  notYet: 'Dokument nie jest jeszcze podpisany. Stanie się to, gdy podpisze urządzenie.',
  use: 'Podpisz tym urządzeniem',
  useKnown: date => `Podpisz kluczem z dnia ${date}`,
  useNew: 'Utwórz nowy klucz na tym urządzeniu',
  sign: 'Podpisz nowym kluczem',
  made: 'Klucz jest gotowy. Teraz urządzenie nim podpisuje.',
  waiting: 'Proszę postępować zgodnie z urządzeniem…',
  without: 'Podpisz bez klucza urządzenia',
  back: 'Wróć do dokumentu',
  refused: 'Urządzenie nie podpisało. Nic nie przepadło: proszę spróbować ponownie lub wrócić do dokumentu.',
  framed:
    'Ta strona jest częścią innej witryny, która nie pozwala tu używać kluczy urządzenia. Proszę otworzyć link z wiadomości w osobnym oknie.',
  unsupported:
    'Ta przeglądarka nie może użyć klucza urządzenia. Proszę otworzyć link w innej przeglądarce lub na innym urządzeniu.',
  unscripted: 'Urządzenie może podpisać tylko przy włączonym JavaScripcie.',
}
