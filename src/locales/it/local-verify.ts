/** Texts of the page that verifies files on the reader's device, in Italian. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Veda chi ha firmato un documento, quando, e se da allora è stato modificato.',
  files: 'PDF firmato, pacchetto di prove (ZIP) o ricevuta (EML)',
  choose: 'Scegli i file',
  drop: 'o li trascini qui',
  stays: 'I Suoi file restano su questo dispositivo. Questa pagina funziona senza internet; non invia e non salva nulla.',
  staysHere: organisation => `Il Suo browser verifica da sé il file: non viene inviato a ${organisation}.`,
  keep: 'Salva la pagina di verifica (verify.html), che funziona senza questo servizio e senza internet',
  language: 'Lingua',
  reading: (name, percent) => `Lettura di ${name}: ${percent} %`,
  checking: (name, seconds) => `Verifica di ${name}: ${seconds} s`,
  cancel: 'Annulla',
  cancelled: 'Annullato.',
  clear: 'Svuota',
  print: 'Stampa',
  problems: {
    empty: {
      heading: 'File vuoto',
      sentence: 'Questo file non ha contenuto. Lo scarichi di nuovo, o lo richieda al mittente.',
    },
    tooLarge: {
      heading: 'Troppo grande per questa pagina',
      sentence: 'Questa pagina accetta file fino a 100 MB. Verifichi questo con il programma: signet verify FILE.',
    },
    unknownKind: {
      heading: 'Né un PDF né un pacchetto di prove',
      sentence:
        'Questa pagina verifica PDF firmati, pacchetti di prove (ZIP) e ricevute (EML). Scelga il file che ha ricevuto, non un’immagine o una copia in un altro formato.',
    },
    locked: {
      heading: 'Si apre solo con una password',
      sentence: 'Questo PDF è cifrato e non può essere verificato. Chieda al mittente il file senza password.',
    },
    damagedPack: {
      heading: 'Pacchetto di prove non integro',
      sentence:
        'Questo ZIP è danneggiato o non è un pacchetto di prove. Lo scarichi di nuovo. Se contiene solo un PDF firmato, lo estragga e scelga il PDF.',
    },
    wrongCertificate: {
      heading: 'Non è un certificato',
      sentence: 'Questo file non contiene alcun certificato leggibile. I certificati sono file PEM o DER, per esempio seal.pem.',
    },
    unreadable: {
      heading: 'Impossibile aprirlo',
      sentence:
        'Il browser non riesce a leggere questo file. Forse è stato spostato o modificato da quando lo ha scelto: lo scelga di nuovo.',
    },
    memory: {
      heading: 'Memoria insufficiente',
      sentence:
        'Questo file richiede più memoria di quanta ne abbia il browser. Chiuda altre finestre, o usi un dispositivo più potente.',
    },
    stopped: {
      heading: 'Interrotto',
      sentence:
        'La verifica è terminata in modo imprevisto: di questo file non si sa quindi nulla. Riprovi, o usi un altro browser.',
    },
    tooLong: {
      heading: 'Tempo scaduto',
      sentence:
        'La verifica è stata interrotta dopo 5 minuti: di questo file non si sa quindi nulla. Lo verifichi con il programma: signet verify FILE.',
    },
  },
  trust: {
    label: 'Origine della fiducia',
    given: names => `I certificati che ha fornito: ${names}`,
    pack: 'Il certificato contenuto nel pacchetto stesso. Ne confronti l’impronta con quella che l’organizzazione Le ha dato per altra via.',
    instance: organisation => `I certificati di questo servizio, ${organisation}`,
    none: 'Ancora nulla: non è stato fornito alcun certificato del mittente. Lo scelga insieme al file, per esempio seal.pem.',
    heading: 'Certificati di cui si fida',
    hint: 'I certificati (PEM o DER) che sceglie o trascina qui sono considerati attendibili. Accetti solo quelli di chi conosce.',
    purpose: name => `Per che cosa vale ${name}`,
    signers: 'firme e sigilli',
    timestamps: 'marche temporali',
    remove: name => `Rimuovi ${name}`,
    fingerprint: 'Impronta del certificato del sigillo (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Valido', sentence: title => `Le prove di ${title} sono complete e non modificate.`, advice: [] },
      validByPack: {
        heading: 'Completo e non modificato, secondo il proprio certificato',
        sentence: title => `Le prove di ${title} sono complete e concordano, ma solo il pacchetto dice di chi è il certificato.`,
        advice: [
          'Chiunque può creare un certificato con qualsiasi nome. Confronti l’impronta qui sotto con quella che l’organizzazione Le ha dato, o scelga il suo certificato insieme al pacchetto.',
        ],
      },
      notValid: {
        heading: 'Non valido',
        sentence: title => `Le prove di ${title} sono state modificate, sono incomplete o si contraddicono.`,
        advice: [
          'Non faccia affidamento su questo pacchetto. I dettagli tecnici dicono che cosa non è riuscito. Chieda al mittente un nuovo pacchetto.',
        ],
      },
      unknown: {
        heading: 'Non modificato, ma di origine sconosciuta',
        sentence: title => `Le prove di ${title} concordano, ma il sigillo non è di un certificato di cui Lei si fida.`,
        advice: [
          'Chiunque può creare un certificato con qualsiasi nome. Chieda il certificato al mittente per una via che conosce già.',
        ],
      },
      notChecked: {
        heading: 'Verificato solo in parte',
        sentence: title => `Una parte delle prove di ${title} non può essere verificata qui.`,
        advice: ['Questo non significa che sia stata modificata. I dettagli tecnici dicono quale parte è, e perché.'],
      },
    },
    source:
      'Nomi e orari provengono dal registro di audit del pacchetto, coperto dal sigillo. Gli orari sono quelli dell’orologio del servizio.',
    erased: 'Una persona il cui nome è stato cancellato',
    person: {
      openedFromApp: 'aperto nell’app web dalla persona che ha effettuato l’accesso, non da un link inviato per e-mail',
      from: address => `da ${address}`,
      consent: version => `consenso ${version}`,
      deviceKey: 'e anche con una chiave del proprio dispositivo',
      deviceKeyUnverified: 'e anche con una chiave del proprio dispositivo, il dispositivo non ha verificato chi lo usa',
      sealedEntry: number => `voce ${number} del registro, coperta dal sigillo`,
      entry: number => `voce ${number} del registro`,
    },
    checks: 'Che cosa è stato verificato',
    outcomes: { passed: 'Riuscito', failed: 'Non riuscito', 'not-checked': 'Non verificato', note: 'Nota' },
    sealedFile: 'Il PDF sigillato del pacchetto',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Ricevuta valida',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} ha confermato che ${name} ha firmato ${title} il ${time}.`,
        advice: [
          'Scelga anche il pacchetto di prove del documento: la pagina dirà allora se il registro contiene ancora questa firma.',
        ],
      },
      validWithLog: {
        heading: 'Ricevuta valida, e il registro concorda',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} ha confermato che ${name} ha firmato ${title} il ${time}, e il suo registro contiene ancora questa firma.`,
        advice: [],
      },
      notValid: {
        heading: 'Non valido',
        sentence: () => 'Questa ricevuta è stata modificata, o contraddice se stessa o il file scelto insieme a essa.',
        advice: [
          'I dettagli tecnici dicono che cosa non è riuscito. Se la ricevuta è autentica e il registro la contraddice, il registro è stato modificato: conservi entrambi i file.',
        ],
      },
      unknown: {
        heading: 'Non modificato, ma di origine sconosciuta',
        sentence: ({ organisation, name, title, time }) =>
          `Questa ricevuta dice che ${name} ha firmato ${title} il ${time}, ma qui non si sa se provenga davvero da ${organisation}.`,
        advice: [
          'Chiunque può creare un certificato con qualsiasi nome. Scelga anche il certificato dell’organizzazione, o confronti l’impronta qui sotto con quella che Le ha dato.',
        ],
      },
      notChecked: {
        heading: 'Verificato solo in parte',
        sentence: ({ name, title, time }) =>
          `Questa ricevuta dice che ${name} ha firmato ${title} il ${time}, ma una parte non può essere verificata qui.`,
        advice: ['I dettagli tecnici dicono quale parte è, e perché.'],
      },
    },
    source: 'Lo dice la ricevuta, rilasciata dal servizio al momento della firma.',
    itself: 'La ricevuta',
  },
  validAdvice: 'Chi ha firmato, e quando, è indicato nel certificato di audit alla fine del file.',
  about: {
    heading: 'Questa pagina è autentica?',
    version: version => `Pagina di verifica di Signet ${version}.`,
    check:
      'Una pagina falsificata potrebbe dire valido qualsiasi file. Il certificato di audit di un documento riporta lo SHA-256 della sua pagina di verifica. Lo confronti con ciò che uno di questi comandi mostra per questo file:',
    limits:
      'La pagina non ha bisogno di alcun servizio. Che cosa non può sapere: quali certificati sono stati revocati dopo la creazione del file, e che cosa c’è nelle registrazioni dell’organizzazione.',
  },
  record: {
    ask: organisation => `Chiedi a ${organisation} la registrazione di questo file`,
    sends: 'Viene inviata solo l’impronta del file (SHA-256).',
    known: (organisation, time) =>
      `Nelle registrazioni di ${organisation} c’è esattamente questo file: è stato completato il ${time}.`,
    unknown:
      'Nelle registrazioni questo file non c’è, o non c’è più: vengono cancellate al termine del periodo di conservazione.',
    failed: 'Il servizio non ha risposto. Riprovi più tardi.',
    upload: 'Invia il file per vedere i nomi nelle registrazioni',
  },
}
