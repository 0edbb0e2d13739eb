/** E-mails in Polish. No sentence needs a person's gender; names are in the nominative. */
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Dzień dobry, ${name}!`,
  theirMessage: 'Wiadomość od nadawcy:',
  reasonGiven: 'Podany powód:',
  open: 'Otwórz dokument',
  noAccount: 'Link otwiera dokument w przeglądarce internetowej. Konto nie jest potrzebne.',
  doBy: time => `Proszę to zrobić najpóźniej ${time}.`,
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
    everyone: title =>
      `Wszyscy zakończyli pracę z dokumentem „${title}”. Dokument chroni teraz pieczęć elektroniczna, dzięki której można wykryć późniejsze zmiany. Certyfikat audytu na końcu dokumentu podaje, kto i kiedy podpisał.`,
    attached: 'Opieczętowany plik PDF jest w załączniku. Proszę go zachować.',
    tooLarge: 'Opieczętowany plik PDF jest za duży, aby wysłać go e-mailem: proszę go pobrać za pomocą poniższego linku.',
    thirtyDays: 'Można go pobrać za pomocą poniższego linku przez 30 dni.',
    open: 'Otwórz opieczętowany dokument',
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
    ask: whom => `Jeśli dokument ma być jeszcze podpisany, proszę o kontakt: ${whom}.`,
  },
  delegated: {
    subject: title => `Przekazano innej osobie: ${title}`,
    has: (from, to, title) =>
      `Dokument „${title}” został przekazany innej osobie. Poprzedni odbiorca: ${from}. Nowy odbiorca: ${to}. Link wysłany jako pierwszy już nie działa; nowy wysłano e-mailem do nowego odbiorcy.`,
    notMeant: 'Jeśli to niepożądane, dokument można unieważnić.',
  },
  codeLocked: {
    subject: title => `Zablokowany kod dostępu: ${title}`,
    has: (name, title) =>
      `Kod dostępu do dokumentu „${title}” wpisano błędnie zbyt wiele razy. Użyto linku, który otrzymał odbiorca: ${name}. Dalsze próby nie są możliwe.`,
    whatToDo:
      'Proszę zapytać tę osobę, czy próby pochodziły od niej. Jeśli tak, proszę podać jej kod jeszcze raz i wysłać przypomnienie o dokumencie: po nim można próbować ponownie.',
  },
  mailFailed: {
    subject: title => `Nie dostarczono wiadomości: ${title}`,
    has: (name, title) =>
      `Wiadomości do: ${name} w sprawie dokumentu „${title}” nie udało się dostarczyć. Nie będzie kolejnych prób.`,
    answer: 'Odpowiedź serwera poczty:',
    whatToDo: 'Proszę sprawdzić adres. Jeśli jest błędny, proszę wycofać dokument i wysłać go ponownie na właściwy.',
  },
  sealingFailed: {
    subject: title => `Jeszcze nieopieczętowany: ${title}`,
    has: title =>
      `Wszyscy zakończyli pracę z dokumentem „${title}”, ale nie udało się go jeszcze opieczętować. Nikt nie musi podpisywać ponownie: usługa spróbuje znowu sama.`,
    cause: 'Przyczyna:',
  },
  foot: {
    sentFor: organisation => `Wysłano przez Signet w imieniu organizacji ${organisation}.`,
    questions: contact => `Pytania? Kontakt: ${contact}.`,
    notBinding: environment =>
      `Ta wiadomość pochodzi ze środowiska „${environment}”, które nie służy do pracy produkcyjnej. Złożone tam podpisy z założenia nikogo nie wiążą.`,
  },
}
