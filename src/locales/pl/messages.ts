/** Refusals and validation errors in Polish. No sentence needs the gender of the reader. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Podpis',
  initials: 'Inicjały',
  date: 'Data',
  name: 'Imię i nazwisko',
  email: 'Adres e-mail',
  text: 'Tekst',
  checkbox: 'Pole wyboru',
  dropdown: 'Wybór',
  number: 'Liczba',
  paragraph: 'Akapit',
  radio: 'Wybór',
  image: 'Obraz',
  attachment: 'Załącznik',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const RULES = new Intl.PluralRules('pl')

/** The number with the form of its noun: 1 znak, 3 znaki, 5 znaków. */
export function counted(count: number, one: string, few: string, many: string): string {
  const category = RULES.select(count)
  return `${count} ${category === 'one' ? one : category === 'few' ? few : many}`
}

const characters = (most: number) => counted(most, 'znak', 'znaki', 'znaków')

const NOT_OPEN = {
  draft: 'Dokument jest jeszcze wersją roboczą: nie można go podpisać.',
  sent: 'Dokumentu nie można podpisać.',
  sealing: 'Trwa pieczętowanie dokumentu: nie można go już podpisać.',
  completed: 'Dokument jest zakończony: nie można go już podpisać.',
  declined: 'Jeden z odbiorców odmówił: dokumentu nie można już podpisać.',
  voided: 'Dokument został unieważniony: nie można go już podpisać.',
  expired: 'Termin podpisania dokumentu minął: nie można go już podpisać.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'pl')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: proszę wypełnić to pole`,
  tooLong: (field, most) => `${name(field)}: proszę użyć nie więcej niż ${characters(most)}`,
  tooLongForPlace: (field, about) =>
    `${name(field)}: tekst jest za długi na swoje miejsce w dokumencie. Proszę użyć najwyżej około ${about === 1 ? '1 znaku' : `${about} znaków`}`,
  notAChoice: (field, options) => `${name(field)}: proszę wybrać jedną z tych możliwości: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: proszę podać liczbę, na przykład 1250 lub 12,50`,
  numberUnclear: (field, larger, smaller) => `${name(field)}: to mogą być dwie liczby. Proszę podać ${larger} lub ${smaller}`,
  tooSmall: (field, min) => `${name(field)}: proszę podać co najmniej ${min}`,
  tooLarge: (field, max) => `${name(field)}: proszę podać najwyżej ${max}`,
  notADate: field => `${name(field)}: proszę podać datę, na przykład 2026-12-31`,
  notAnEmail: field => `${name(field)}: proszę podać adres e-mail, na przykład ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: wartością musi być „true” lub „false”`,
  tickRequired: field => `${name(field)}: proszę zaznaczyć to pole`,
  fileMissing: field => `${name(field)}: proszę wybrać plik`,
  fileEmpty: field => `${name(field)}: ten plik jest pusty. Proszę wybrać inny`,
  fileTooLarge: (field, max) => `${name(field)}: ten plik jest za duży. Proszę wybrać plik o wielkości do ${size(max)}`,
  fileWrongType: (field, types) => `${name(field)}: proszę wybrać plik jednego z tych typów: ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: ten plik ${type} jest uszkodzony lub niekompletny. Proszę wybrać inny lub zapisać go ponownie`,
  fileNeedsPassword: field => `${name(field)}: ten plik PDF można otworzyć tylko z hasłem. Proszę wybrać plik bez hasła`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: ten obraz jest za duży. Proszę wybrać obraz o wielkości do ${megapixels} megapikseli`,
  fileTooComplex: field =>
    `${name(field)}: odczyt tego pliku trwa zbyt długo. Proszę wybrać inny lub wydrukować go do nowego pliku PDF`,
  tooManyFiles: () => 'W krótkim czasie wysłano zbyt wiele plików. Proszę poczekać minutę i spróbować ponownie.',
  fileChanged: field => `${name(field)}: ten plik zmieniono w innym oknie. Proszę go sprawdzić i zakończyć ponownie`,
  filesTooLarge: (field, max) =>
    `${name(field)}: Państwa pliki mają razem ponad ${size(max)}. Proszę usunąć jeden z nich lub wybrać mniejszy`,
  unprintable: letters =>
    `Wpisany tekst zawiera znaki, których nie można wydrukować: ${letters}. Proszę je usunąć lub zastąpić innymi.`,
  consentMissing: () => 'Proszę wyrazić zgodę, zaznaczając pole.',
  deviceKeyMissing: () => 'Nadawca prosi o podpis także kluczem urządzenia. Proszę podpisać jeszcze raz i go użyć.',
  deviceKeyImpossible: () =>
    'Nadawca wymaga klucza urządzenia, którego ta usługa nie może użyć: jej adres nie jest nazwą z https. Proszę powiadomić nadawcę.',
  deviceKeyWrong: () =>
    'Podpis urządzenia nie pasuje: dokument, wpisy lub czas zmieniły się od tej chwili. Proszę użyć klucza jeszcze raz.',
  signatureMissing: () => 'Proszę wpisać swoje pełne imię i nazwisko jako podpis.',
  initialsMissing: () => 'Proszę wpisać swoje inicjały.',
  drawingMissing: () => 'Rysunek jest pusty. Proszę narysować lub wybrać inną metodę.',
  drawingUnreadable: () => 'Nie udało się odczytać rysunku. Proszę narysować go jeszcze raz.',
  pictureMissing: () => 'Proszę wybrać obraz lub inną metodę.',
  pictureUnreadable: () =>
    'Tego pliku nie można odczytać jako obrazu PNG. Proszę wybrać plik PNG albo zrobić zrzut ekranu obrazu.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Ten obraz jest za duży. Proszę wybrać obraz o wielkości do ${megabytes} MB i ${megapixels} megapikseli.`,
  pictureEmpty: () =>
    'Na tym obrazie nie znaleziono pisma. Proszę zrobić zdjęcie jeszcze raz: z bliższej odległości, na białym papierze, w dobrym świetle.',
  markTooLong: most => `Proszę użyć nie więcej niż ${characters(most)}.`,
  documentChanged: () => 'Dokument nie jest tym, który pokazała ta strona. Proszę wczytać stronę ponownie.',
  consentChanged: () =>
    'Tekst, którego dotyczyła zgoda, zmienił się od tego czasu. Proszę wczytać stronę ponownie i przeczytać go jeszcze raz.',
  receiptLater: () => 'Potwierdzenia nie można teraz utworzyć. Proszę spróbować później.',
  notOpened: () => 'Przed zakończeniem proszę otworzyć dokument.',
  signingPeriodOver: () => 'Termin podpisania tego dokumentu minął.',
  nothingForViewers: () => 'Ten dokument przesłano jako kopię; nie ma tu nic do podpisania.',
  notOpen: status => NOT_OPEN[status] ?? 'Dokumentu nie można podpisać.',
  reasonMissing: () => 'Proszę w kilku słowach podać powód odmowy.',
  reasonTooLong: most => `Proszę użyć nie więcej niż ${characters(most)}.`,
  nothingToDecline: () => 'W tym dokumencie nie można już niczego odmówić.',
  nameMissing: () => 'Proszę podać imię i nazwisko osoby, której dokument ma zostać przekazany.',
  addressWrong: () => 'Proszę podać adres e-mail, na przykład ada@example.com.',
  sameAddress: () => 'To adres osoby, która przekazuje dokument. Proszę podać adres innej osoby.',
  addressInUse: () => 'Ta osoba już podpisuje ten dokument. Proszę wskazać kogoś innego.',
  delegationForbidden: () => 'Nadawca nie pozwala przekazać tego dokumentu. Można go podpisać albo odmówić, podając powód.',
  nothingToDelegate: () => 'W tym dokumencie nie ma już nic, co można by przekazać innej osobie.',
  delegatedOften: () =>
    'Ten dokument przekazano dziś zbyt wiele razy. Proszę spróbować ponownie jutro albo poprosić nadawcę o wpisanie właściwej osoby.',
  linkUnknown: () =>
    'Ten link jest nieprawidłowy. Proszę użyć linku z ostatniej wiadomości lub zapytać osobę, która go przysłała.',
  linkReplaced: () => 'Ten link został zastąpiony nowszym. Proszę użyć linku z ostatniej wiadomości.',
  linkReaddressed: () =>
    'Ten link już nie działa: nadawca zmienił osobę, dla której jest przeznaczony. Kto nadal oczekuje dokumentu, powinien zwrócić się do nadawcy.',
  linkHandedOver: to =>
    to === undefined
      ? 'Dokument przekazano innej osobie. Ten link już nie działa i nie trzeba tu już nic robić.'
      : `Dokument przekazano innej osobie. Nowy odbiorca: ${to}. Dotychczasowy link już nie działa i nie trzeba już nic robić.`,
  linkAsked: () =>
    'O nowy link poproszono już niedawno. Proszę zajrzeć do skrzynki, także do folderu ze spamem. Później można poprosić ponownie.',
  senderAsked: () => 'Nadawcę poproszono już niedawno o nowy link. Później można poprosić ponownie.',
  linkUsed: () =>
    'Ten link można otworzyć tylko raz i został już otwarty albo istnieje nowszy. Proszę kontynuować w oknie, w którym został otwarty, albo wrócić do miejsca, w którym się znajdował, i poprosić tam o nowy.',
  linkTooOld: () =>
    `Ten link wygasł: jest ważny przez ${LINK_MINUTES} minut. Proszę wrócić do miejsca, w którym się znajdował, i otworzyć dokument stamtąd.`,
  sessionOver: () => 'Sesja wygasła. Proszę wrócić do miejsca, w którym znajdował się link, i otworzyć dokument stamtąd.',
  openByLink: () =>
    'Sesja wygasła albo ta strona należy do innej przeglądarki. Proszę otworzyć dokument za pomocą otrzymanego linku. Jeśli link otwiera się tylko raz, proszę poprosić o nowy osobę, która go przekazała.',
  tooManyLinks: () => 'Z tej sieci otwarto zbyt wiele nieprawidłowych linków. Proszę zaczekać minutę i spróbować ponownie.',
  withdrawn: () => 'Nadawca unieważnił ten dokument. Nie ma już nic do podpisania.',
  expired: () => 'Termin podpisania tego dokumentu minął. Proszę zwrócić się do nadawcy, aby wysłał go ponownie.',
  declined: () => 'Jeden z odbiorców tego dokumentu odmówił. Nie ma już nic do podpisania.',
  copyExpired: () =>
    `Dokument zakończono ponad ${COPY_DAYS} dni temu i nie można go już tutaj pobrać. Opieczętowaną kopię wysłano e-mailem.`,
  codeMissing: () => 'Proszę wpisać kod dostępu.',
  codeWrong: attemptsLeft => {
    const left = RULES.select(attemptsLeft) === 'few' ? 'Pozostały' : 'Pozostało'
    const tries = `${left} jeszcze ${counted(attemptsLeft, 'próba', 'próby', 'prób')}`
    return `Ten kod dostępu jest błędny. ${attemptsLeft === 1 ? 'Pozostała jeszcze jedna próba' : tries}.`
  },
  codePause: seconds =>
    `Przed ponownym wpisaniem kodu dostępu proszę odczekać ${counted(seconds, 'sekundę', 'sekundy', 'sekund')}.`,
  codeLocked: () =>
    'Kod dostępu wpisano błędnie zbyt wiele razy. Proszę poprosić nadawcę o jego odblokowanie: po nim można spróbować ponownie.',
  oneTimeCodeMissing: () => 'Proszę wpisać sześć cyfr kodu.',
  oneTimeCodeWrong: attemptsLeft =>
    `Ten kod jest nieprawidłowy. ${attemptsLeft === 1 ? 'Została jeszcze jedna próba' : `Pozostałe próby: ${attemptsLeft}`}.`,
  oneTimeCodeDead: () => 'Ten kod wpisano błędnie pięć razy i nie jest już ważny. Proszę poprosić o nowy kod.',
  oneTimeCodeUsed: () => 'Ten kod został już użyty: każdy kod jest jednorazowy. Proszę poprosić o nowy kod.',
  oneTimeCodeExpired: () => `Ten kod wygasł: jest ważny ${CODE_MINUTES} minut. Proszę poprosić o nowy kod.`,
  oneTimeCodeElsewhere: () =>
    'Żaden kod zamówiony w tej przeglądarce nie jest tu ważny. Kod działa tylko tam, gdzie go zamówiono. Proszę poprosić o nowy kod.',
  oneTimeCodeWait: seconds =>
    `Następny kod można zamówić za ${seconds < 90 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}.`,
  oneTimeCodeLocked: () =>
    'Błędny kod wpisano zbyt wiele razy. Proszę poprosić nadawcę o odblokowanie dokumentu: po nim można spróbować ponownie.',
  oneTimeCodeUndeliverable: () =>
    'W tej chwili nie można wysłać kodu. Proszę powiadomić nadawcę: musi podłączyć program, który przekazuje kody.',
  foreignForm: () =>
    'Tego formularza nie wysłano z naszej strony. Proszę wrócić, wczytać stronę ponownie i spróbować jeszcze raz.',
  busy: () => 'Usługa jest w tej chwili przeciążona. Proszę spróbować ponownie za kilka sekund.',
  notStored: () => 'W tej chwili nie można zapisać danych. Niczego nie zapisano. Proszę spróbować ponownie za minutę.',
  notReachable: () =>
    'Usługa nie ma w tej chwili dostępu do swoich danych. Niczego nie zapisano. Proszę spróbować ponownie za kilka sekund.',
  notConfirmed: () =>
    'Połączenie zostało przerwane, zanim usługa mogła potwierdzić zmianę. Mogła ona zostać zapisana: proszę to sprawdzić przed ponowieniem.',
}
