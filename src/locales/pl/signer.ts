/** The recipient’s pages in Polish. No sentence needs the gender of the reader. */

import type { SignerTexts } from '../catalogue.ts'
import { counted, FIELD_NAMES } from './messages.ts'

/** How long from now, in the accusative. */
const waiting = (seconds: number) =>
  seconds < 90 ? counted(seconds, 'sekundę', 'sekundy', 'sekund') : counted(Math.ceil(seconds / 60), 'minutę', 'minuty', 'minut')

export const signer: SignerTexts = {
  skip: 'Przejdź do treści',
  skipToForm: 'Przejdź do pól',
  greeting: name => `Dzień dobry, ${name}!`,
  from: organisation => `Od: ${organisation}`,
  questions: contact => `Pytania? Kontakt: ${contact}.`,
  check: 'Proszę sprawdzić:',
  required: 'wymagane',
  optional: 'nieobowiązkowe',
  onPage: page => `strona ${page}`,
  notBinding: environment =>
    `To jest środowisko „${environment}”, które nie służy do pracy produkcyjnej. Złożone tu podpisy z założenia nie są wiążące.`,
  fieldNames: FIELD_NAMES,
  failure: {
    notFound: 'Nie znaleziono',
    notPossible: 'To niemożliwe',
    over: 'To już niemożliwe',
    wait: 'Proszę zaczekać',
    ask: contact => `Pytania? Kontakt: ${contact}.`,
  },
  finish: {
    signer: 'Podpisz i zakończ',
    approver: 'Zatwierdź i zakończ',
    viewer: 'Zakończ',
  },

  landing: {
    asks: {
      signer: 'prosi o podpisanie tego dokumentu.',
      approver: 'prosi o zatwierdzenie tego dokumentu.',
      viewer: 'prosi o przeczytanie tego dokumentu.',
    },
    ended: ['Oto dokument od organizacji ', '. Nie trzeba już nic robić.'],
    theirMessage: 'Wiadomość od nadawcy:',
    howItWorks: 'Jak to działa:',
    steps: button => [
      'Przeczytanie dokumentu.',
      'Wypełnienie pól i złożenie podpisu.',
      `Naciśnięcie przycisku „${button}”. Do tej chwili nic nie jest ostateczne.`,
    ],
    noAccount: 'Konto nie jest potrzebne.',
    binds: 'Podpis elektroniczny ma wiązać tak samo jak podpis odręczny.',
    onlyRead:
      'Dokument wystarczy przeczytać; nie ma nic do podpisania. Konto nie jest potrzebne. Gdy wszyscy skończą, wyślemy kopię e-mailem.',
    doBy: ['Proszę zakończyć najpóźniej ', '.'],
    code: 'Kod dostępu',
    codeHint: 'Nadawca podaje ten kod osobno, na przykład przez telefon.',
    codeWait: seconds => `Można spróbować ponownie za ${waiting(seconds)}.`,
    open: 'Otwórz dokument',
  },

  form: {
    read: 'Przeczytaj dokument',
    readAll: 'Przed przejściem dalej proszę pobrać plik PDF i przeczytać całość.',
    download: pages => `Pobierz PDF (${counted(pages, 'strona', 'strony', 'stron')})`,
    fingerprint: 'Odcisk cyfrowy pliku (SHA-256)',
    fingerprintIs:
      'Ten odcisk można obliczyć na podstawie pobranej kopii. Jeśli oba są takie same, kopia jest podpisywanym dokumentem:',
    fillIn: 'Wypełnij pola',
    agree: 'Wyraź zgodę i zakończ',
    sign: 'Podpisz',
    choose: 'Proszę wybrać',
    ticked: 'zaznaczone',
    notTicked: 'niezaznaczone',
    filledByUs: 'wypełniane w chwili zakończenia',
    fullName: 'Pełne imię i nazwisko jako podpis',
    initials: 'Inicjały',
    initialsHint: 'Pierwsze litery imienia i nazwiska, na przykład AL dla Ady Lovelace.',
    placedOn: (pages, count) =>
      count === 1 ? `Miejsce w dokumencie: strona ${pages}.` : `Miejsca w dokumencie: strony ${pages}.`,
    shownInCertificate: 'Podpis znajdzie się w certyfikacie audytu na końcu opieczętowanego dokumentu.',
    consent: 'Potwierdzam przeczytanie tego tekstu i wyrażam zgodę.',
    declineHeading: {
      signer: 'Nie chcę podpisać',
      approver: 'Nie chcę zatwierdzić',
      viewer: 'Nie chcę czytać',
    },
    declineMeaning:
      'Po odmowie nikt nie będzie już mógł podpisać tego dokumentu. Tego nie da się cofnąć. W razie pytań proszę najpierw zwrócić się do nadawcy.',
    reason: 'Powód odmowy',
    reasonHint: 'Nadawca może przeczytać powód.',
    decline: 'Odmów',
    delegate: 'Przekaż innej osobie',
    delegationMeaning:
      'Wskazana osoba otrzyma e-mailem własny link. Dotychczasowy link przestanie działać, a to, co tutaj wpisano, zostanie usunięte. Nadawca będzie widzieć oba nazwiska.',
    colleague: 'Imię i nazwisko tej osoby',
    colleagueEmail: 'Adres e-mail tej osoby',
    delegateNow: 'Przekaż',
  },

  done: {
    headline: {
      done: 'Gotowe',
      completed: 'Dokument jest zakończony',
      declined: 'Odmowa została zapisana',
    },
    done: {
      signer: 'Dziękujemy. Podpis został złożony. Gdy wszyscy skończą, opieczętowany dokument wyślemy e-mailem.',
      approver: 'Dziękujemy. Dokument został zatwierdzony. Gdy wszyscy skończą, opieczętowany dokument wyślemy e-mailem.',
      viewer: 'Gdy wszyscy skończą, opieczętowany dokument wyślemy e-mailem.',
    },
    sealing: 'Dziękujemy. Wszyscy skończyli. Dokument jest właśnie pieczętowany; potem wyślemy jego kopię e-mailem.',
    completed: 'Wszyscy skończyli. Dokument jest opieczętowany, a jego kopia zostanie wysłana e-mailem.',
    viewer: 'Gdy wszyscy skończą, opieczętowany dokument wyślemy e-mailem. Nie ma tu nic do podpisania.',
    declined: 'Nikt nie może już podpisać tego dokumentu. Nadawca może przeczytać podany powód.',
    waitingFor: 'Czekamy jeszcze na te osoby:',
    sealedMeaning:
      'Dokument chroni pieczęć elektroniczna, dzięki której można wykryć późniejsze zmiany. Certyfikat audytu na końcu dokumentu podaje, kto i kiedy podpisał. Proszę zachować kopię.',
    copyUntil: moment => `Dokument można tutaj pobrać do ${moment}.`,
    downloadSealed: 'Pobierz opieczętowany dokument',
    downloadUnsealed: 'Pobierz dokument (jeszcze nieopieczętowany)',
    continueTo: host => `Przejdź do ${host}`,
    close: 'Można zamknąć tę stronę.',
  },

  delegated: {
    headline: 'Przekazano innej osobie',
    to: name => `Nowy odbiorca: ${name}. Wysłaliśmy tej osobie jej własny link.`,
    linkEnded: 'Dotychczasowy link już nie działa, a to, co wpisano, zostało usunięte. Nie trzeba już nic robić.',
  },

  view: {
    document: 'Dokument',
    tools: 'Powiększenie i strona',
    page: 'Strona {page} z {pages}',
    goToPage: 'Strona',
    ofPages: 'z {pages}',
    zoomIn: 'Powiększ',
    zoomOut: 'Pomniejsz',
    fitWidth: 'Dopasuj do szerokości',
    loading: 'Wczytywanie dokumentu…',
    failed: 'Nie udało się wczytać dokumentu. Proszę sprawdzić połączenie.',
    pageFailed: 'Nie udało się pokazać tej strony.',
    tryAgain: 'Spróbuj ponownie',
  },

  script: {
    fields: 'Pola do wypełnienia',
    progressBar: 'Postęp',
    progress: 'Gotowe: {done} z {all}',
    allDone: 'Wszystko jest wypełnione.',
    next: 'Następne pole',
    all: 'Wszystkie pola',
    close: 'Zamknij',
    sending: 'Wysyłanie…',
    saving: 'Zapisywanie…',
    saved: 'Zapisano',
    notSaved: 'Nie zapisano: brak połączenia. Ponowna próba…',
    notSent: 'Nie wysłano: brak połączenia. Proszę spróbować ponownie.',
    gone: 'Ta strona jest nieaktualna i nie może już zapisywać danych. Proszę wczytać ją ponownie.',
    missing: { one: 'Brakuje jednej informacji lub jest ona błędna:', other: 'Brakuje {n} informacji lub są one błędne:' },
    fillThisIn: '{field}: proszę wypełnić to pole.',
    tickThis: '{field}: proszę zaznaczyć to pole.',
    chooseThis: '{field}: proszę wybrać.',
    notANumber: '{field}: proszę podać liczbę, na przykład 1250 lub 12,50.',
    notAnEmail: '{field}: proszę podać adres e-mail, na przykład ada@example.com.',
    makeSignature: 'Proszę złożyć podpis.',
    makeInitials: 'Proszę podać inicjały.',
    consentField: 'Zgoda',
    agree: 'Proszę wyrazić zgodę na podpisanie elektroniczne, zaznaczając pole.',
    marker: '{field}, strona {page}: {state}',
    states: {
      required: 'wymagane, jeszcze niewypełnione',
      optional: 'nieobowiązkowe, jeszcze niewypełnione',
      done: 'wypełnione',
      error: 'proszę sprawdzić',
    },
    mark: {
      signature: {
        name: 'Podpis',
        use: { one: 'Użyj tego podpisu', other: 'Użyj tego podpisu w {n} miejscach' },
        chosen: { one: 'Podpis został wstawiony.', other: 'Podpis został wstawiony w {n} miejscach.' },
        chosenNowhere: 'To jest wybrany podpis.',
        pad: 'Tutaj proszę narysować podpis',
        picture: 'Podpis z przesłanego obrazu',
      },
      initials: {
        name: 'Inicjały',
        use: { one: 'Użyj tych inicjałów', other: 'Użyj tych inicjałów w {n} miejscach' },
        chosen: { one: 'Inicjały zostały wstawione.', other: 'Inicjały zostały wstawione w {n} miejscach.' },
        chosenNowhere: 'To są wybrane inicjały.',
        pad: 'Tutaj proszę narysować inicjały',
        picture: 'Inicjały z przesłanego obrazu',
      },
      how: 'W jaki sposób?',
      draw: 'Narysuj',
      type: 'Wpisz',
      upload: 'Prześlij',
      padHint: 'Proszę pisać palcem, rysikiem lub myszą. Przy użyciu klawiatury proszę wybrać „Wpisz”.',
      padFull: 'Na rysunku nie ma już miejsca. Proszę użyć go w tej postaci albo go wyczyścić i narysować prostszy.',
      undo: 'Cofnij',
      clear: 'Wyczyść',
      tooLittle: 'Proszę narysować trochę więcej.',
      pictureHint: 'Zdjęcie lub skan odręcznego pisma na białym papierze, do 50 MB. Papier zostanie usunięty z obrazu.',
      choosePicture: 'Wybierz obraz',
      uploading: 'Przesyłanie…',
      pictureUnreadable:
        'Ta przeglądarka nie może odczytać tego obrazu. Proszę wybrać plik PNG lub JPEG albo zrobić jego zrzut ekranu.',
      pictureFailed: 'Nie udało się wysłać obrazu: brak połączenia. Proszę spróbować ponownie.',
      later: 'Można to jeszcze zmienić aż do zakończenia.',
    },
  },
}
