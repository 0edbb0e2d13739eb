/** Polish: the mails. No sentence needs the gender of a person, and every name stands in the nominative. */
import type { MailWords } from './mail-en.ts'

export const mailPl: MailWords = {
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
      `Wszyscy zakończyli pracę z dokumentem „${title}”. Podpis cyfrowy pieczętuje teraz dokument, tak że można wykryć późniejsze zmiany. Ostatnie strony podają, kto i kiedy podpisał.`,
    attached: 'Opieczętowany plik PDF jest w załączniku. Proszę go zachować.',
    tooLarge: 'Opieczętowany plik PDF jest za duży, aby wysłać go e-mailem: proszę go pobrać za pomocą poniższego linku.',
    thirtyDays: 'Można go pobrać za pomocą poniższego linku przez 30 dni.',
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
    inTime: title => `Nie wszyscy podpisali dokument „${title}” na czas i jego termin minął. Linki do niego już nie działają.`,
    ask: whom => `W razie dalszej chęci podpisania dokumentu proszę o kontakt: ${whom}.`,
  },
  handedOver: {
    subject: title => `Przekazano innej osobie: ${title}`,
    has: (from, to, title) =>
      `Dokument „${title}” został przekazany innej osobie. Poprzedni odbiorca: ${from}. Nowy odbiorca: ${to}. Link wysłany jako pierwszy już nie działa; nowy wysłano e-mailem do nowego odbiorcy.`,
    notMeant: 'Jeśli to niepożądane, dokument można unieważnić.',
  },
  codeLocked: {
    subject: title => `Kod dostępu zbyt często błędny: ${title}`,
    has: (name, title) =>
      `Kod dostępu do dokumentu „${title}” wpisano błędnie zbyt wiele razy. Użyto linku, który otrzymał odbiorca: ${name}. Dalsze próby nie są przyjmowane.`,
    whatToDo:
      'Proszę zapytać tę osobę, czy próby pochodziły od niej. Jeśli tak, proszę podać jej kod jeszcze raz i wysłać przypomnienie o dokumencie: to daje nowe próby.',
  },
  foot: {
    sentFor: organisation => `Wysłano przez Signet w imieniu organizacji ${organisation}.`,
    questions: contact => `Pytania? Kontakt: ${contact}.`,
    notBinding: environment =>
      `Ta wiadomość pochodzi ze środowiska „${environment}”: nic, co tu zostanie podpisane, nie ma nikogo wiązać.`,
  },
}
