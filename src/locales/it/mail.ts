/** E-mails in Italian. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Gentile ${name},`,
  messageFrom: name => `Messaggio di ${name}:`,
  reasonGiven: 'Motivo indicato:',
  open: 'Apri il documento',
  opens: {
    signer:
      'Il link apre il documento nel Suo browser web. Lì può leggerlo e poi firmarlo o rifiutare. Non Le servono né un account né una password.',
    approver:
      'Il link apre il documento nel Suo browser web. Lì può leggerlo e poi approvarlo o rifiutare. Non Le servono né un account né una password.',
    viewer: 'Il link apre il documento nel Suo browser web, dove può leggerlo. Non Le servono né un account né una password.',
  },
  linkHint: 'Se il pulsante non funziona, apra questo indirizzo nel Suo browser web:',
  // No article before the time: it would change with the day (il 7, l’8).
  doBy: time => `Per favore, lo faccia entro questo termine: ${time}.`,
  handedOverBy: name => `La richiesta era per ${name}, che l’ha passata a Lei.`,
  forYouAlone: 'Il link è solo per Lei: per favore, non lo inoltri.',
  invitation: {
    subject: {
      signer: title => `Si prega di firmare: ${title}`,
      approver: title => `Si prega di approvare: ${title}`,
      viewer: title => `Si prega di leggere: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} Le chiede di firmare «${title}».`,
      approver: (organisation, title) => `${organisation} Le chiede di approvare «${title}».`,
      viewer: (organisation, title) => `${organisation} Le chiede di leggere «${title}».`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Promemoria per la firma: ${title}`,
      approver: title => `Promemoria per l’approvazione: ${title}`,
      viewer: title => `Promemoria per la lettura: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} attende ancora che Lei firmi «${title}».`,
      approver: (organisation, title) => `${organisation} attende ancora che Lei approvi «${title}».`,
      viewer: (organisation, title) => `${organisation} attende ancora che Lei legga «${title}».`,
    },
  },
  completed: {
    subject: title => `Completato: ${title}`,
    everyone: title => `Tutti hanno concluso la propria parte per «${title}». Il documento è ora sigillato.`,
    sealMeans:
      'Il sigillo elettronico protegge il documento, così che ogni modifica successiva possa essere rilevata. Il certificato di audit, alla fine del documento, indica chi ha firmato e quando.',
    attached: 'Il PDF sigillato è allegato. Per favore, lo conservi.',
    tooLarge: 'Il PDF sigillato è troppo grande per essere allegato. Per favore, lo scarichi con il link.',
    thirtyDays: `Può scaricarlo con il link per ${COPY_DAYS} giorni.`,
    open: 'Apri il documento sigillato',
  },
  receipt: {
    subject: title => `La Sua ricevuta: ${title}`,
    signed: title => `Ha firmato «${title}».`,
    approved: title => `Ha approvato «${title}».`,
    attached:
      'La Sua ricevuta è allegata: un file che termina con «.eml». Prova che cosa ha confermato, e quando. Per favore, la conservi: può essere verificata senza questo servizio.',
    whenAll: 'Riceverà il documento sigillato quando tutti avranno concluso.',
  },
  declined: {
    subject: title => `Rifiutato: ${title}`,
    has: (name, title) => `${name ?? 'Un destinatario'} ha rifiutato «${title}». Il documento non può più essere firmato.`,
  },
  voided: {
    subject: title => `Annullato: ${title}`,
    toSender: title => `Il documento «${title}» è stato annullato.`,
    toRecipient: (organisation, title) => `${organisation} ha annullato «${title}». Non deve fare più nulla.`,
  },
  expired: {
    subject: title => `Scaduto: ${title}`,
    inTime: title =>
      `Non tutti hanno firmato «${title}» in tempo e il documento è scaduto. I relativi link di firma non funzionano più.`,
    ask: whom => `Se il documento serve ancora, si rivolga a ${whom}.`,
  },
  finishedBefore: {
    signed: 'Lei ha già firmato questo documento, che non sarà né completato né sigillato.',
    approved: 'Lei ha già approvato questo documento, che non sarà né completato né sigillato.',
  },
  delegated: {
    subject: title => `Passato a un’altra persona: ${title}`,
    has: (from, to, title) =>
      `${from} ha passato «${title}» a ${to}. Il primo link inviato non funziona più; uno nuovo è stato inviato per e-mail a ${to}.`,
    notMeant: 'Se non è d’accordo, può annullare il documento.',
  },
  linkRequested: {
    subject: title => `Chiede un nuovo link: ${title}`,
    has: (name, title) => `${name} ha aperto il link a «${title}», che è scaduto, e ne chiede uno nuovo.`,
    whatToDo: 'Il documento può essere duplicato nella sua pagina e inviato di nuovo.',
  },
  oneTimeCode: {
    subject: organisation => `Il Suo codice per il documento di ${organisation}`,
    is: code => `Il Suo codice è ${code}`,
    minutes: minutes => `Lo inserisca nella pagina in cui l’ha richiesto. Vale ${minutes} minuti e solo in quel browser.`,
    tellNobody:
      'Non comunichi questo codice a nessuno, nemmeno al mittente. Se non l’ha richiesto, può ignorare questa e-mail: senza il codice nessuno può aprire il documento.',
  },
  codeLocked: {
    subject: title => `Troppi codici errati: ${title}`,
    has: (name, title) =>
      `È stato inserito troppe volte un codice errato per «${title}» con il link di ${name}. Non sono ammessi altri tentativi.`,
    whatToDo: {
      accessCode:
        'Per favore, chieda a quella persona se è stata lei. In tal caso, le comunichi di nuovo il codice di accesso e lo sblocchi nella pagina del documento: così avrà nuovi tentativi.',
      oneTimeCode:
        'Per favore, chieda a quella persona se è stata lei. In tal caso, le sblocchi il documento nella sua pagina: potrà così richiedere un nuovo codice.',
      signingLink:
        'Per favore, chieda a quella persona se è stata lei. In tal caso, le comunichi di nuovo il codice di accesso. Un’ora dopo l’ultimo tentativo, un nuovo link di firma ne consentirà altri.',
    },
  },
  mailFailed: {
    subject: title => `E-mail non recapitata: ${title}`,
    has: (name, title) =>
      `Non è stato possibile recapitare l’e-mail a ${name} relativa a «${title}». Non seguiranno altri tentativi.`,
    answer: 'Risposta del server di posta:',
    whatToDo: 'Controlli l’indirizzo. Se è sbagliato, lo corregga nella pagina del documento: l’e-mail verrà inviata di nuovo.',
  },
  sealingFailed: {
    subject: title => `Non ancora sigillato: ${title}`,
    has: title =>
      `Tutti hanno concluso la propria parte per «${title}», ma non è stato ancora possibile sigillare il documento. Nessuno deve firmare di nuovo: la sigillatura sarà ripetuta automaticamente.`,
    cause: 'Causa:',
  },
  foot: {
    sentFor: organisation => `Inviato per conto di ${organisation} da Signet, il suo servizio per la firma di documenti.`,
    sent: 'Inviato da Signet, un servizio per la firma di documenti.',
    linksLead: host => `I link di questo messaggio portano solo a ${host}.`,
    questions: whom => `Domande? Risponda a questo messaggio o scriva a ${whom}.`,
    notBinding: environment =>
      `Questo messaggio proviene dall’ambiente «${environment}», che non è di produzione. Nulla di ciò che vi si firma è destinato a vincolare qualcuno.`,
  },
  sample: {
    document: 'Contratto di servizi',
    message: 'Questo è il contratto di cui abbiamo parlato.',
  },
}
