/** Texts of the page that verifies a PDF, in Polish. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Tego pliku nie zmieniono od czasu jego podpisania lub opieczętowania'
const CHANGED = 'Ten plik zmieniono od czasu jego podpisania lub opieczętowania tylko tak, jak pozwala jego autor'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK =
  'Proszę zapytać nadawcę, czy plik jest autentyczny, dzwoniąc pod znany już Państwu numer telefonu lub pisząc na znany już adres.'

export const verify: VerifyTexts = {
  title: 'Sprawdzanie podpisanego pliku PDF',
  lead: 'Tutaj można sprawdzić, czy plik PDF zmieniono po jego podpisaniu lub opieczętowaniu i kto go podpisał.',
  file: 'Plik PDF',
  choose: 'Wybierz plik',
  drop: 'lub upuść go tutaj',
  notKept: organisation => `Sprawdzenia dokonuje ${organisation}. Plik nie jest przechowywany.`,
  submit: 'Sprawdź',
  another: 'Sprawdź inny plik',
  languages: 'Języki',
  documentTitle: 'Dokument',
  fileName: 'Plik',
  sealedBy: 'Opieczętowane przez',
  people: 'Kto podpisał',
  signedOn: time => `podpisano ${time}`,
  approvedOn: time => `zatwierdzono ${time}`,
  fromRecord: 'Nazwiska i czasy pochodzą z zapisów tej usługi. Podaje je także certyfikat audytu na końcu pliku.',
  isInRecord: ({ sealer, time }) =>
    `Zapisy tej usługi zawierają dokładnie ten plik: opieczętowano go ${time} (${sealer}) i od tego czasu go nie zmieniono.`,
  quoted: name => `„${name}”`,
  verdicts: {
    validHere: {
      heading: 'Ważny',
      sentence: ({ sealer, time }) => `To dokładnie ten plik, który opieczętowano ${time} (${sealer}).`,
      advice: [],
    },
    valid: {
      heading: 'Ważny',
      sentence: ({ sealer }) => `Tego pliku nie zmieniono od czasu jego opieczętowania (${sealer}).`,
      advice: [
        'Ta usługa nie ma zapisów dotyczących tego pliku albo już ich nie ma: po upływie okresu przechowywania są usuwane. Kto i kiedy podpisał, podaje certyfikat audytu na końcu pliku.',
      ],
    },
    validChanged: {
      heading: 'Ważny przy podpisaniu, potem zmieniony',
      sentence: ({ signer }) =>
        `Ten plik podpisano w sposób ważny (${signer}), a potem zmieniono go w widoczny sposób, tak jak pozwala jego autor.`,
      advice: ['Proszę przeczytać każdą zmianę na liście: osoby, które podpisały wcześniej, jej nie podpisały.'],
    },
    notValid: {
      heading: 'Nieważny',
      sentence: () => 'Ten plik zmieniono po jego podpisaniu lub opieczętowaniu albo zawarty w nim podpis nie jest autentyczny.',
      advice: ['Nie należy polegać na tym pliku. Proszę poprosić nadawcę o oryginał.'],
    },
    notChecked: {
      heading: 'Nie sprawdzono',
      sentence: () => 'Podpisu w tym pliku nie można tutaj sprawdzić albo użyto w nim zbyt słabej metody.',
      advice: [
        'Nie oznacza to, że plik zmieniono. Być może sprawdzi go inny program: szczegóły techniczne podają, dlaczego tutaj nie jest to możliwe.',
      ],
    },
    unreadable: {
      heading: 'Nie można odczytać',
      sentence: () => 'Ten plik nie jest plikiem PDF, jest uszkodzony albo można go otworzyć tylko za pomocą hasła.',
      advice: [
        'Proszę pobrać plik ponownie lub poprosić nadawcę o ponowne przesłanie. Jeśli plik otwiera się tylko za pomocą hasła, proszę poprosić o oryginał bez hasła.',
      ],
    },
    unknown: {
      heading: 'Niezmieniony, ale nieznanego pochodzenia',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, ale nie wiadomo tutaj, czy rzeczywiście pochodzi od: ${signer}.`,
      advice: [
        'Każdy może utworzyć certyfikat na dowolną nazwę.',
        'Jeśli certyfikat audytu na końcu pliku podaje adres innej usługi, proszę sprawdzić plik pod tym adresem, o ile wiadomo, do kogo on należy.',
        'Można też poprosić nadawcę, pod znanym już Państwu numerem telefonu, o odcisk certyfikatu i porównać go z odciskiem w szczegółach technicznych.',
      ],
    },
    revoked: {
      heading: 'Niezmieniony, ale certyfikat unieważniono',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, ale certyfikat ${signer} unieważniono i nic nie dowodzi, że był wtedy jeszcze ważny.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Niezmieniony, ale certyfikat wygasł',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, ale certyfikat ${signer} wygasł i żaden zaufany znacznik czasu nie dowodzi, że był wtedy jeszcze ważny.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Niepodpisany',
      sentence: () =>
        'Ten plik nie zawiera ani podpisu elektronicznego, ani pieczęci: nic nie wskazuje, od kogo pochodzi ani czy go zmieniono.',
      advice: [
        'Ani obraz podpisu, ani strona wyglądająca jak certyfikat audytu nie chronią pliku. Kopia wydrukowana, zeskanowana lub zapisana na nowo utraciła pieczęć: proszę poprosić nadawcę o sam opieczętowany plik.',
      ],
    },
    onlyTimestamped: {
      heading: 'Niepodpisany, tylko ze znacznikiem czasu',
      sentence: () => 'Znacznik czasu pokazuje, kiedy ten plik istniał, ale nie od kogo pochodzi.',
      advice: [],
    },
  },
  changes: {
    heading: 'Zmiany po podpisaniu',
    field: (name, before, after) => `Pole ${name}: wcześniej ${before}, teraz ${after}`,
    comment: type => `Komentarz (${type})`,
    signature: name => `Widoczny podpis ${name}`,
    property: (name, before, after) => `Właściwość dokumentu ${name}: wcześniej ${before}, teraz ${after}`,
    empty: 'puste',
    page: n => `strona ${n}`,
    noPage: 'na żadnej stronie',
  },
  details: {
    heading: 'Szczegóły techniczne',
    sha256: 'Odcisk pliku (SHA-256)',
    remarks: 'Uwagi',
    additions: 'Dozwolone późniejsze zmiany',
    signature: n => `Podpis lub pieczęć ${n}`,
    timestamp: n => `Znacznik czasu dokumentu ${n}`,
    name: 'Nazwa w certyfikacie',
    unknown: 'nieznana',
    content: 'Podpisana treść',
    certificate: 'Certyfikat',
    time: 'Znacznik czasu',
    timeBy: (time, authority) => `${time}, wystawca: ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, wystawca: ${authority}, tutaj niezaufany`,
    claimedTime: 'Czas podany w podpisie, bez dowodu',
    fingerprint: 'Odcisk certyfikatu (SHA-256)',
    result: 'Wynik (ETSI EN 319 102-1)',
    level: 'Poziom',
    noLevel: 'nie jest to podstawowy podpis PAdES',
    field: 'Pole',
    none: 'brak',
    integrity: {
      intact: 'Niezmieniona',
      broken: 'Zmieniona albo inna niż podpisana',
      'not-checked': 'Nie można było sprawdzić',
    },
    trust: { trusted: 'Tutaj zaufany', unknown: 'Tutaj niezaufany', revoked: 'Unieważniony', expired: 'Wygasł' },
    certificates: 'Certyfikaty tej usługi, do sprawdzania jej plików bez sieci',
    otherPrograms:
      'Inne programy mogą podawać coś innego. Firefox przy każdym podpisie PAdES podaje, że nie można go było zweryfikować, ponieważ nie zna tego formatu. Acrobat uznaje podpisującego za nieznanego, dopóki nie otrzyma certyfikatu. Żadne z tych nie świadczy przeciwko plikowi.',
  },
}
