/** Refusals and validation errors in Italian. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Firma',
  initials: 'Iniziali',
  date: 'Data',
  name: 'Nome',
  email: 'E-mail',
  text: 'Testo',
  checkbox: 'Casella',
  dropdown: 'Scelta',
  number: 'Numero',
  paragraph: 'Paragrafo',
  radio: 'Scelta',
  image: 'Immagine',
  attachment: 'Allegato',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const NOT_OPEN = {
  draft: 'Il documento è ancora una bozza: non può essere firmato.',
  sent: 'Il documento non può essere firmato.',
  sealing: 'Il documento viene sigillato in questo momento: non può più essere firmato.',
  completed: 'Il documento è completato: non può più essere firmato.',
  declined: 'Il documento è stato rifiutato: non può più essere firmato.',
  voided: 'Il documento è stato annullato: non può più essere firmato.',
  expired: 'Il documento è scaduto: non può più essere firmato.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'it')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: compili questo campo`,
  tooLong: (field, most) => `${name(field)}: usi al massimo ${counted(most, 'carattere', 'caratteri')}`,
  tooLongForPlace: (field, about) =>
    `${name(field)}: è troppo lungo per lo spazio previsto nel documento. Usi al massimo circa ${counted(about, 'carattere', 'caratteri')}`,
  notAChoice: (field, options) => `${name(field)}: scelga una di queste opzioni: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: inserisca un numero, ad esempio 1250 o 12,50`,
  numberUnclear: (field, larger, smaller) => `${name(field)}: possono essere due numeri. Inserisca ${larger} o ${smaller}`,
  tooSmall: (field, min) => `${name(field)}: inserisca almeno ${min}`,
  tooLarge: (field, max) => `${name(field)}: inserisca al massimo ${max}`,
  notADate: field => `${name(field)}: inserisca una data, ad esempio 2026-12-31`,
  notAnEmail: field => `${name(field)}: inserisca un indirizzo e-mail, ad esempio ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: il valore deve essere «true» o «false»`,
  tickRequired: field => `${name(field)}: selezioni la casella`,
  fileMissing: field => `${name(field)}: scelga un file`,
  fileEmpty: field => `${name(field)}: questo file è vuoto. Ne scelga un altro`,
  fileTooLarge: (field, max) => `${name(field)}: questo file è troppo grande. Ne scelga uno di al massimo ${size(max)}`,
  fileWrongType: (field, types) => `${name(field)}: scelga un file di uno di questi tipi: ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: questo file ${type} è danneggiato o incompleto. Ne scelga un altro o lo salvi di nuovo`,
  fileNeedsPassword: field => `${name(field)}: questo PDF si apre solo con una password. Ne scelga uno senza password`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: questa immagine è troppo grande. Ne scelga una di al massimo ${megapixels} megapixel`,
  fileTooComplex: field =>
    `${name(field)}: la lettura di questo file richiede troppo tempo. Ne scelga un altro o lo stampi in un nuovo PDF`,
  tooManyFiles: () => 'Sono stati inviati troppi file in poco tempo. Attenda un minuto e riprovi.',
  fileChanged: field => `${name(field)}: questo file è stato cambiato in un’altra finestra. Lo controlli, poi concluda di nuovo`,
  filesTooLarge: (field, max) =>
    `${name(field)}: i Suoi file superano insieme ${size(max)}. Ne rimuova uno o ne scelga uno più piccolo`,
  unprintable: characters =>
    `Il testo inserito contiene caratteri che non si possono stampare: ${characters}. Per favore, li elimini o li sostituisca.`,
  consentMissing: () => 'Per favore, accetti selezionando la casella.',
  deviceKeyMissing: () => 'Il mittente chiede di firmare anche con una chiave del dispositivo. Firmi di nuovo e la usi.',
  deviceKeyImpossible: () =>
    'Il mittente chiede una chiave del dispositivo che questo servizio non può usare: il suo indirizzo non è un nome con https. Lo comunichi al mittente.',
  deviceKeyWrong: () =>
    'La firma del dispositivo non corrisponde: il documento, i dati inseriti o l’ora sono cambiati nel frattempo. Usi la chiave ancora una volta.',
  signatureMissing: () => 'Per favore, scriva il Suo nome completo come firma.',
  initialsMissing: () => 'Per favore, scriva le Sue iniziali.',
  drawingMissing: () => 'Il disegno è vuoto. Per favore, disegni oppure scelga un altro metodo.',
  drawingUnreadable: () => 'Non è stato possibile leggere il disegno. Per favore, disegni di nuovo.',
  pictureMissing: () => 'Per favore, scelga un’immagine oppure un altro metodo.',
  pictureUnreadable: () =>
    'Questo file non può essere letto come immagine PNG. Per favore, scelga un file PNG, oppure faccia uno screenshot dell’immagine.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Questa immagine è troppo grande. Per favore, ne scelga una di al massimo ${megabytes} MB e ${megapixels} megapixel.`,
  pictureEmpty: () =>
    'In questa immagine non è stata trovata alcuna scrittura. Per favore, scatti di nuovo la foto, più da vicino, su carta bianca e con una buona luce.',
  markTooLong: most => `Per favore, usi al massimo ${counted(most, 'carattere', 'caratteri')}.`,
  documentChanged: () => 'Il documento non è quello che questa pagina Le ha mostrato. Per favore, ricarichi la pagina.',
  consentChanged: () =>
    'Nel frattempo il testo che ha accettato è cambiato. Per favore, ricarichi la pagina e lo legga di nuovo.',
  receiptLater: () => 'Al momento non è possibile creare la Sua ricevuta. Per favore, riprovi più tardi.',
  notOpened: () => 'Per favore, apra il documento prima di concludere.',
  signingPeriodOver: () => 'Il termine per firmare questo documento è scaduto.',
  nothingForViewers: () => 'Lei riceve una copia di questo documento. Non ha nulla da firmare.',
  notOpen: status => NOT_OPEN[status] ?? 'Il documento non può essere firmato.',
  reasonMissing: () => 'Per favore, dica in poche parole perché rifiuta.',
  reasonTooLong: most => `Per favore, usi al massimo ${counted(most, 'carattere', 'caratteri')}.`,
  nothingToDecline: () => 'In questo documento non ha più nulla da rifiutare.',
  nameMissing: () => 'Per favore, inserisca il nome della persona a cui passa il documento.',
  addressWrong: () => 'Per favore, inserisca un indirizzo e-mail, ad esempio ada@example.com.',
  sameAddress: () => 'Questo è il Suo indirizzo. Per favore, inserisca quello di un’altra persona.',
  addressInUse: () => 'Questa persona deve già firmare questo documento. Per favore, ne scelga un’altra.',
  delegationForbidden: () =>
    'Il mittente non consente di passare ad altri questo documento. Può firmarlo, oppure rifiutarlo indicando il motivo.',
  nothingToDelegate: () => 'In questo documento non ha più nulla da passare ad altri.',
  delegatedOften: () =>
    'Oggi questo documento è stato passato ad altri troppe volte. Per favore, riprovi domani oppure chieda al mittente di indicare la persona giusta.',
  linkUnknown: () =>
    'Questo link non è valido. Per favore, usi il link dell’ultima e-mail oppure chieda alla persona che Gliel’ha inviato.',
  linkReplaced: () => 'Questo link è stato sostituito da uno più recente. Per favore, usi il link dell’ultima e-mail.',
  linkReaddressed: () =>
    'Questo link non funziona più: il mittente ha cambiato il destinatario. Se aspetta ancora il documento, si rivolga al mittente.',
  linkHandedOver: to =>
    to === undefined
      ? 'Questo documento è stato passato a un’altra persona. Questo link non funziona più e qui non c’è più nulla da fare.'
      : `Ha passato questo documento a ${to}. Il Suo link non funziona più e non deve fare più nulla.`,
  linkAsked: () =>
    'Un nuovo link è stato chiesto poco fa. Per favore, guardi nella Sua casella di posta, anche tra lo spam. Più tardi potrà chiedere di nuovo.',
  senderAsked: () => 'Un nuovo link è stato chiesto al mittente poco fa. Più tardi potrà chiedere di nuovo.',
  linkUsed: () =>
    'Questo link si può aprire una sola volta ed è già stato aperto, oppure ne esiste uno più recente. Per favore, continui nella finestra in cui lo ha aperto, oppure torni dove lo ha trovato e ne chieda uno nuovo.',
  linkTooOld: () =>
    `Questo link è scaduto: è valido per ${LINK_MINUTES} minuti. Per favore, torni dove lo ha trovato e apra il documento da lì.`,
  sessionOver: () => 'La Sua sessione è terminata. Per favore, torni dove ha trovato il link e apra il documento da lì.',
  openByLink: () =>
    'La Sua sessione è terminata, oppure questa pagina appartiene a un altro browser. Per favore, apra il documento con il link che ha ricevuto. Se quel link si apre una sola volta, ne chieda uno nuovo a chi glielo ha dato.',
  tooManyLinks: () => 'Dalla Sua rete sono stati aperti troppi link non validi. Per favore, attenda un minuto e riprovi.',
  withdrawn: () => 'Il mittente ha annullato questo documento. Non c’è più nulla da firmare.',
  expired: () => 'Il termine per firmare questo documento è scaduto. Per favore, chieda al mittente di inviarlo di nuovo.',
  declined: () => 'Questo documento è stato rifiutato. Non c’è più nulla da firmare.',
  copyExpired: () =>
    `Il documento è stato completato più di ${COPY_DAYS} giorni fa e non si può più scaricare qui. La copia sigillata Le è stata inviata per e-mail.`,
  codeMissing: () => 'Per favore, inserisca il codice di accesso.',
  codeWrong: attemptsLeft =>
    `Questo codice di accesso non è corretto. ${attemptsLeft === 1 ? 'Le resta un tentativo' : `Le restano ${attemptsLeft} tentativi`}.`,
  codePause: seconds =>
    `Per favore, attenda ${counted(seconds, 'secondo', 'secondi')} prima di inserire di nuovo il codice di accesso.`,
  codeLocked: () =>
    'È stato inserito troppe volte un codice di accesso errato. Per favore, chieda al mittente di sbloccarlo: poi potrà riprovare.',
  oneTimeCodeMissing: () => 'Per favore, inserisca le sei cifre del codice.',
  oneTimeCodeWrong: attemptsLeft =>
    `Questo codice non è corretto. Le ${attemptsLeft === 1 ? 'resta un tentativo' : `restano ${attemptsLeft} tentativi`}.`,
  oneTimeCodeDead: () =>
    'Questo codice è stato inserito in modo errato cinque volte e non è più valido. Per favore, richieda un nuovo codice.',
  oneTimeCodeUsed: () =>
    'Questo codice è già stato usato: ogni codice vale una sola volta. Per favore, richieda un nuovo codice.',
  oneTimeCodeExpired: () => `Questo codice è scaduto: vale ${CODE_MINUTES} minuti. Per favore, richieda un nuovo codice.`,
  oneTimeCodeElsewhere: () =>
    'Nessun codice richiesto in questo browser è valido qui. Un codice vale solo dove è stato richiesto. Per favore, richieda un nuovo codice.',
  oneTimeCodeWait: seconds =>
    `Per favore, attenda ${seconds < 90 ? (seconds === 1 ? '1 secondo' : `${seconds} secondi`) : `${Math.ceil(seconds / 60)} minuti`} prima di richiedere un altro codice.`,
  oneTimeCodeLocked: () =>
    'Sono stati inseriti codici errati troppe volte. Per favore, chieda al mittente di sbloccarle il documento: dopo potrà riprovare.',
  oneTimeCodeUndeliverable: () =>
    'Al momento non è possibile inviarLe un codice. Per favore, avvisi il mittente: deve collegare il programma che trasmette i codici.',
  foreignForm: () =>
    'Questo modulo non è stato inviato dalla nostra pagina. Per favore, torni indietro, ricarichi la pagina e riprovi.',
  busy: () => 'Al momento il servizio è sovraccarico. Riprovi tra qualche secondo.',
  notStored: () => 'Al momento non è possibile salvare dati. Non è stato salvato nulla. Per favore, riprovi tra un minuto.',
  notReachable: () =>
    'Al momento il servizio non riesce ad accedere ai suoi dati. Non è stato salvato nulla. Per favore, riprovi tra qualche secondo.',
  notConfirmed: () =>
    'La connessione si è interrotta prima che il servizio potesse confermare la modifica. Potrebbe essere stata salvata: per favore, controlli prima di ripeterla.',
}
