/** E-mails in Polish. No sentence needs a person's gender; names are in the nominative. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Dzień dobry, ${name}!`,
  messageFrom: name => `Wiadomość od nadawcy (${name}):`,
  reasonGiven: 'Podany powód:',
  open: 'Otwórz dokument',
  opens: {
    signer:
      'Link otwiera dokument w przeglądarce internetowej. Tam można go przeczytać, a następnie podpisać lub odmówić. Konto ani hasło nie są potrzebne.',
    approver:
      'Link otwiera dokument w przeglądarce internetowej. Tam można go przeczytać, a następnie zatwierdzić lub odmówić. Konto ani hasło nie są potrzebne.',
    viewer: 'Link otwiera dokument w przeglądarce internetowej, gdzie można go przeczytać. Konto ani hasło nie są potrzebne.',
  },
  linkHint: 'Jeśli przycisk nie działa, proszę otworzyć ten adres w przeglądarce internetowej:',
  doBy: time => `Proszę to zrobić najpóźniej ${time}.`,
  handedOverBy: name => `Prośba trafiła najpierw do innej osoby (${name}), która przekazała ją dalej.`,
  forYouAlone: 'Link jest przeznaczony tylko dla adresata tej wiadomości: proszę go nikomu nie przekazywać.',
  invitation: {
    subject: {
      signer: title => `Prośba o podpisanie: ${title}`,
      approver: title => `Prośba o zatwierdzenie: ${title}`,
      viewer: title => `Prośba o przeczytanie: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} prosi o podpisanie dokumentu „${title}”.`,
      approver: (organisation, title) => `${organisation} prosi o zatwierdzenie dokumentu „${title}”.`,
      viewer: (organisation, title) => `${organisation} prosi o przeczytanie dokumentu „${title}”.`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Przypomnienie o podpisaniu: ${title}`,
      approver: title => `Przypomnienie o zatwierdzeniu: ${title}`,
      viewer: title => `Przypomnienie o przeczytaniu: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} nadal czeka na podpisanie dokumentu „${title}”.`,
      approver: (organisation, title) => `${organisation} nadal czeka na zatwierdzenie dokumentu „${title}”.`,
      viewer: (organisation, title) => `${organisation} nadal czeka na przeczytanie dokumentu „${title}”.`,
    },
  },
  completed: {
    subject: title => `Zakończono: ${title}`,
    everyone: title => `Wszyscy zakończyli pracę z dokumentem „${title}”. Dokument jest już opieczętowany.`,
    sealMeans:
      'Pieczęć elektroniczna chroni dokument: dzięki niej można wykryć późniejsze zmiany. Certyfikat audytu na końcu dokumentu podaje, kto i kiedy podpisał.',
    attached: 'Opieczętowany plik PDF jest w załączniku. Proszę go zachować.',
    tooLarge: 'Opieczętowany plik PDF jest za duży, aby wysłać go e-mailem: proszę go pobrać za pomocą linku.',
    thirtyDays: `Można go pobrać za pomocą linku przez ${COPY_DAYS} dni.`,
    open: 'Otwórz opieczętowany dokument',
  },
  receipt: {
    subject: title => `Potwierdzenie: ${title}`,
    signed: title => `Dokument „${title}” został podpisany.`,
    approved: title => `Dokument „${title}” został zatwierdzony.`,
    attached:
      'Potwierdzenie jest w załączniku: to plik z rozszerzeniem „.eml”. Dowodzi, co i kiedy zostało zatwierdzone. Proszę je zachować: można je sprawdzić bez tego serwisu.',
    whenAll: 'Gdy wszyscy skończą, wyślemy opieczętowany dokument.',
  },
  declined: {
    subject: title => `Odmowa: ${title}`,
    // Agrees with the word for a recipient, so that the name may be anybody's.
    has: (name, title) =>
      `Odbiorca${name === undefined ? '' : ` (${name})`} odmówił podpisania lub zatwierdzenia dokumentu „${title}”. Nikt nie musi go już podpisywać.`,
  },
  voided: {
    subject: title => `Unieważniono: ${title}`,
    toSender: title => `Dokument „${title}” został unieważniony.`,
    toRecipient: (organisation, title) =>
      `Organizacja ${organisation} unieważniła dokument „${title}”. Nie trzeba już nic robić.`,
  },
  expired: {
    subject: title => `Termin minął: ${title}`,
    inTime: title =>
      `Nie wszyscy podpisali dokument „${title}” na czas i termin minął. Linki do tego dokumentu już nie działają.`,
    ask: whom => `Jeśli dokument jest nadal potrzebny, proszę o kontakt: ${whom}.`,
  },
  finishedBefore: {
    signed: 'Państwa podpis został już złożony. Dokument nie zostanie jednak ukończony ani opieczętowany.',
    approved: 'Państwa zatwierdzenie zostało już zapisane. Dokument nie zostanie jednak ukończony ani opieczętowany.',
  },
  delegated: {
    subject: title => `Przekazano innej osobie: ${title}`,
    has: (from, to, title) =>
      `Dokument „${title}” został przekazany innej osobie. Poprzedni odbiorca: ${from}. Nowy odbiorca: ${to}. Link wysłany jako pierwszy już nie działa; nowy wysłano e-mailem do nowego odbiorcy.`,
    notMeant: 'Jeśli to niepożądane, dokument można unieważnić.',
  },
  linkRequested: {
    subject: title => `Prośba o nowy link: ${title}`,
    has: (name, title) =>
      `Odbiorca otworzył link do dokumentu „${title}”, którego termin minął, i prosi o nowy. Odbiorca: ${name}.`,
    whatToDo: 'Dokument można powielić na jego stronie i wysłać ponownie.',
  },
  oneTimeCode: {
    subject: organisation => `Kod do dokumentu od: ${organisation}`,
    is: code => `Kod: ${code}`,
    minutes: minutes =>
      `Proszę wpisać go na stronie, na której został zamówiony. Jest ważny ${minutes} minut i tylko w tej przeglądarce.`,
    tellNobody:
      'Proszę nikomu nie podawać tego kodu, także nadawcy. Jeśli kod nie został przez Państwa zamówiony, można zignorować tę wiadomość: bez kodu nikt nie otworzy dokumentu.',
  },
  codeLocked: {
    subject: title => `Zbyt wiele błędnych kodów: ${title}`,
    has: (name, title) =>
      `Do dokumentu „${title}” zbyt wiele razy wpisano błędny kod. Użyto linku, który otrzymał odbiorca: ${name}. Dalsze próby nie są możliwe.`,
    whatToDo: {
      accessCode:
        'Proszę zapytać tę osobę, czy próby pochodziły od niej. Jeśli tak, proszę podać jej kod dostępu jeszcze raz i odblokować go na stronie dokumentu: potem można próbować ponownie.',
      oneTimeCode:
        'Proszę zapytać tę osobę, czy próby pochodziły od niej. Jeśli tak, proszę odblokować dla niej dokument na jego stronie: potem można zamówić nowy kod.',
      signingLink:
        'Proszę zapytać tę osobę, czy próby pochodziły od niej. Jeśli tak, proszę podać jej kod dostępu jeszcze raz. Godzinę po ostatniej próbie nowy link do podpisania umożliwi kolejne.',
    },
  },
  mailFailed: {
    subject: title => `Nie dostarczono wiadomości: ${title}`,
    has: (name, title) =>
      `Wiadomości do: ${name} w sprawie dokumentu „${title}” nie udało się dostarczyć. Nie będzie kolejnych prób.`,
    answer: 'Odpowiedź serwera poczty:',
    whatToDo:
      'Proszę sprawdzić adres. Jeśli jest błędny, proszę poprawić go na stronie dokumentu: wiadomość zostanie wtedy wysłana ponownie.',
  },
  sealingFailed: {
    subject: title => `Jeszcze nieopieczętowany: ${title}`,
    has: title =>
      `Wszyscy zakończyli pracę z dokumentem „${title}”, ale nie udało się go jeszcze opieczętować. Nikt nie musi podpisywać ponownie: usługa spróbuje znowu sama.`,
    cause: 'Przyczyna:',
  },
  foot: {
    sentFor: organisation => `Wysłano w imieniu organizacji ${organisation} przez Signet, jej usługę podpisywania dokumentów.`,
    sent: 'Wysłano przez Signet, usługę podpisywania dokumentów.',
    linksLead: host => `Linki w tej wiadomości prowadzą wyłącznie do ${host}.`,
    questions: whom => `Pytania? Proszę odpowiedzieć na tę wiadomość lub napisać na adres: ${whom}.`,
    notBinding: environment =>
      `Ta wiadomość pochodzi ze środowiska „${environment}”, które nie służy do pracy produkcyjnej. Złożone tam podpisy z założenia nikogo nie wiążą.`,
  },
  sample: {
    document: 'Umowa o świadczenie usług',
    message: 'Oto umowa, o której rozmawialiśmy.',
  },
}
