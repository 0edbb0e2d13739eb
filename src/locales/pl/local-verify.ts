/** Texts of the page that verifies files on the reader's device, in Polish. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Tutaj można zobaczyć, kto i kiedy podpisał dokument oraz czy od tego czasu go zmieniono.',
  files: 'Podpisany plik PDF, pakiet dowodowy (ZIP) lub pokwitowanie (EML)',
  choose: 'Wybierz pliki',
  drop: 'lub upuść je tutaj',
  stays: 'Pliki pozostają na tym urządzeniu. Ta strona działa bez internetu; niczego nie wysyła i nie zapisuje.',
  staysHere: organisation => `Plik sprawdza sama przeglądarka: nie jest wysyłany (${organisation}).`,
  keep: 'Zapisz stronę sprawdzania (verify.html), która działa bez tej usługi i bez internetu',
  language: 'Język',
  reading: (name, percent) => `Odczyt ${name}: ${percent} %`,
  checking: (name, seconds) => `Sprawdzanie ${name}: ${seconds} s`,
  cancel: 'Anuluj',
  cancelled: 'Anulowano.',
  clear: 'Wyczyść',
  print: 'Drukuj',
  problems: {
    empty: {
      heading: 'Pusty plik',
      sentence: 'Ten plik nie ma zawartości. Proszę pobrać go ponownie lub jeszcze raz poprosić o niego nadawcę.',
    },
    tooLarge: {
      heading: 'Za duży dla tej strony',
      sentence: 'Ta strona przyjmuje pliki do 100 MB. Ten plik można sprawdzić programem: signet verify PLIK.',
    },
    unknownKind: {
      heading: 'Ani plik PDF, ani pakiet dowodowy',
      sentence:
        'Ta strona sprawdza podpisane pliki PDF, pakiety dowodowe (ZIP) i pokwitowania (EML). Proszę wybrać otrzymany plik, a nie obraz ani kopię w innym formacie.',
    },
    locked: {
      heading: 'Otwiera się tylko z hasłem',
      sentence: 'Ten plik PDF jest zaszyfrowany i nie można go sprawdzić. Proszę poprosić nadawcę o plik bez hasła.',
    },
    damagedPack: {
      heading: 'Niepełny pakiet dowodowy',
      sentence:
        'Ten plik ZIP jest uszkodzony lub nie jest pakietem dowodowym. Proszę pobrać go ponownie. Jeśli zawiera tylko podpisany plik PDF, proszę go rozpakować i wybrać plik PDF.',
    },
    wrongCertificate: {
      heading: 'To nie certyfikat',
      sentence: 'Ten plik nie zawiera czytelnego certyfikatu. Certyfikaty to pliki PEM lub DER, na przykład seal.pem.',
    },
    unreadable: {
      heading: 'Nie można otworzyć',
      sentence:
        'Przeglądarka nie może odczytać tego pliku. Być może został przeniesiony lub zmieniony po wybraniu: proszę wybrać go ponownie.',
    },
    memory: {
      heading: 'Za mało pamięci',
      sentence: 'Ten plik wymaga więcej pamięci, niż ma przeglądarka. Proszę zamknąć inne okna lub użyć większego urządzenia.',
    },
    stopped: {
      heading: 'Przerwano',
      sentence:
        'Sprawdzanie nieoczekiwanie się zakończyło, więc o tym pliku nic nie wiadomo. Proszę spróbować ponownie lub użyć innej przeglądarki.',
    },
    tooLong: {
      heading: 'Trwało zbyt długo',
      sentence:
        'Sprawdzanie zatrzymano po 5 minutach, więc o tym pliku nic nie wiadomo. Można go sprawdzić programem: signet verify PLIK.',
    },
  },
  trust: {
    label: 'Podstawa zaufania',
    given: names => `Podane certyfikaty: ${names}`,
    pack: 'Certyfikat z samego pakietu. Proszę porównać jego odcisk z otrzymanym od organizacji inną drogą.',
    instance: organisation => `Certyfikaty tej usługi (${organisation})`,
    none: 'Na razie brak: nie podano certyfikatu nadawcy. Proszę wybrać go razem z plikiem, na przykład seal.pem.',
    heading: 'Zaufane certyfikaty',
    hint: 'Certyfikaty (PEM lub DER) wybrane lub upuszczone tutaj są uznawane za zaufane. Proszę przyjmować je tylko od znanych osób.',
    purpose: name => `Do czego służy ${name}`,
    signers: 'podpisy i pieczęcie',
    timestamps: 'znaczniki czasu',
    remove: name => `Usuń ${name}`,
    fingerprint: 'Odcisk certyfikatu pieczęci (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Ważny', sentence: title => `Dowody dotyczące ${title} są pełne i niezmienione.`, advice: [] },
      validByPack: {
        heading: 'Pełny i niezmieniony, według własnego certyfikatu',
        sentence: title => `Dowody dotyczące ${title} są pełne i zgodne, ale tylko pakiet mówi, czyj jest certyfikat.`,
        advice: [
          'Każdy może utworzyć certyfikat na dowolne nazwisko. Proszę porównać odcisk poniżej z podanym przez organizację lub wybrać jej certyfikat razem z pakietem.',
        ],
      },
      notValid: {
        heading: 'Nieważny',
        sentence: title => `Dowody dotyczące ${title} zmieniono, są niepełne lub wzajemnie sprzeczne.`,
        advice: [
          'Proszę nie polegać na tym pakiecie. Szczegóły techniczne podają, co się nie powiodło. Proszę poprosić nadawcę o nowy pakiet.',
        ],
      },
      unknown: {
        heading: 'Niezmieniony, ale nieznanego pochodzenia',
        sentence: title => `Dowody dotyczące ${title} są zgodne, ale pieczęć nie pochodzi od zaufanego certyfikatu.`,
        advice: ['Każdy może utworzyć certyfikat na dowolne nazwisko. Proszę poprosić nadawcę o certyfikat znaną już drogą.'],
      },
      notChecked: {
        heading: 'Sprawdzono tylko częściowo',
        sentence: title => `Części dowodów dotyczących ${title} nie można tutaj sprawdzić.`,
        advice: ['Nie oznacza to, że ją zmieniono. Szczegóły techniczne podają, która to część i dlaczego.'],
      },
    },
    source: 'Nazwiska i czasy pochodzą z dziennika audytu w pakiecie, objętego pieczęcią. Czasy są według zegara usługi.',
    erased: 'Osoba, której nazwisko usunięto',
    person: {
      openedFromApp: 'otwarto w aplikacji internetowej przez zalogowaną osobę, nie z linku wysłanego e-mailem',
      from: address => `z ${address}`,
      consent: version => `zgoda ${version}`,
      deviceKey: 'a także kluczem własnego urządzenia',
      deviceKeyUnverified: 'a także kluczem własnego urządzenia, urządzenie nie sprawdziło użytkownika',
      sealedEntry: number => `wpis ${number} dziennika, objęty pieczęcią`,
      entry: number => `wpis ${number} dziennika`,
    },
    checks: 'Co sprawdzono',
    outcomes: { passed: 'W porządku', failed: 'Niepowodzenie', 'not-checked': 'Nie sprawdzono', note: 'Uwaga' },
    sealedFile: 'Opieczętowany plik PDF z pakietu',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Ważne pokwitowanie',
        sentence: ({ organisation, name, title, time }) =>
          `Potwierdzono, że ${title} podpisano ${time} (${name}). Wystawca: ${organisation}.`,
        advice: ['Proszę wybrać także pakiet dowodowy dokumentu: strona powie wtedy, czy dziennik nadal zawiera ten podpis.'],
      },
      validWithLog: {
        heading: 'Ważne pokwitowanie, zgodne z dziennikiem',
        sentence: ({ organisation, name, title, time }) =>
          `Potwierdzono, że ${title} podpisano ${time} (${name}), a dziennik nadal zawiera ten podpis. Wystawca: ${organisation}.`,
        advice: [],
      },
      notValid: {
        heading: 'Nieważne',
        sentence: () => 'To pokwitowanie zmieniono albo jest sprzeczne ze sobą lub z wybranym razem z nim plikiem.',
        advice: [
          'Szczegóły techniczne podają, co się nie powiodło. Jeśli pokwitowanie jest autentyczne, a dziennik mu przeczy, dziennik zmieniono: proszę zachować oba pliki.',
        ],
      },
      unknown: {
        heading: 'Niezmienione, ale nieznanego pochodzenia',
        sentence: ({ organisation, name, title, time }) =>
          `Według tego pokwitowania ${title} podpisano ${time} (${name}), ale nie wiadomo tutaj, czy naprawdę pochodzi od: ${organisation}.`,
        advice: [
          'Każdy może utworzyć certyfikat na dowolne nazwisko. Proszę wybrać także certyfikat organizacji lub porównać odcisk poniżej z podanym przez nią.',
        ],
      },
      notChecked: {
        heading: 'Sprawdzono tylko częściowo',
        sentence: ({ name, title, time }) =>
          `Według tego pokwitowania ${title} podpisano ${time} (${name}), ale jego części nie można tutaj sprawdzić.`,
        advice: ['Szczegóły techniczne podają, która to część i dlaczego.'],
      },
    },
    source: 'Podaje to pokwitowanie, które usługa wystawiła przy podpisaniu.',
    itself: 'Pokwitowanie',
  },
  validAdvice: 'Kto i kiedy podpisał, podaje certyfikat audytu na końcu pliku.',
  about: {
    heading: 'Czy ta strona jest autentyczna?',
    version: version => `Strona sprawdzania Signet ${version}.`,
    check:
      'Sfałszowana strona mogłaby uznać za ważny każdy plik. Certyfikat audytu dokumentu podaje SHA-256 jego strony sprawdzania. Proszę porównać go z tym, co dla tego pliku wypisuje jedno z tych poleceń:',
    limits:
      'Strona nie potrzebuje żadnej usługi. Czego nie może wiedzieć: które certyfikaty unieważniono po utworzeniu pliku i co jest w zapisach organizacji.',
  },
  record: {
    ask: organisation => `Zapytaj o zapis dotyczący tego pliku (${organisation})`,
    sends: 'Wysyłany jest tylko odcisk pliku (SHA-256).',
    known: (organisation, time) => `W zapisach (${organisation}) jest dokładnie ten plik: ukończono go ${time}.`,
    unknown: 'W zapisach nie ma takiego pliku albo już go nie ma: po upływie okresu przechowywania zapisy są usuwane.',
    failed: 'Usługa nie odpowiedziała. Proszę spróbować później.',
    upload: 'Wyślij plik, aby zobaczyć nazwiska z zapisów',
  },
}
