/** Italian: the pages of a recipient. */

import type { SignerTexts } from '../catalogue.ts'
import { FIELD_NAMES } from './messages.ts'

export const signer: SignerTexts = {
  skip: 'Vai al contenuto',
  skipToForm: 'Vai ai campi',
  greeting: name => `Gentile ${name},`,
  from: organisation => `Da ${organisation}`,
  questions: contact => `Domande? Si rivolga a ${contact}.`,
  check: 'Per favore, controlli:',
  required: 'obbligatorio',
  optional: 'facoltativo',
  onPage: page => `pagina ${page}`,
  notBinding: environment => `Questo è l’ambiente «${environment}»: nulla di ciò che fa qui è destinato a vincolarLa.`,
  fieldNames: FIELD_NAMES,
  failure: {
    notFound: 'Non trovato',
    notPossible: 'Non possibile',
    over: 'Non più possibile',
    wait: 'Attenda, per favore',
    ask: contact => `Domande? Si rivolga a ${contact}.`,
  },
  finish: {
    signer: 'Firma e concludi',
    approver: 'Approva e concludi',
    viewer: 'Concludi',
  },

  landing: {
    asks: {
      signer: 'Le chiede di firmare questo documento.',
      approver: 'Le chiede di approvare questo documento.',
      viewer: 'Le chiede di leggere questo documento.',
    },
    ended: ['ecco il documento inviato da ', '. Non deve fare più nulla.'],
    theirMessage: 'Messaggio per Lei:',
    howItWorks: 'Ecco come funziona:',
    steps: button => [
      'Legga il documento.',
      'Compili alcuni campi e apponga la Sua firma.',
      `Prema «${button}». Fino ad allora nulla è definitivo.`,
    ],
    noAccount: 'Non Le serve alcun account.',
    binds: 'La firma che appone qui è destinata a vincolarLa come una firma su carta.',
    onlyRead:
      'Deve solo leggerlo; non c’è nulla da firmare. Non Le serve alcun account. Quando tutti avranno concluso, riceverà una copia per e-mail.',
    // No article before the time: it would change with the day (il 7, l’8).
    doBy: ['Per favore, concluda entro questo termine: ', '.'],
    code: 'Codice di accesso',
    codeHint: 'Il mittente Glielo comunica per altra via, ad esempio per telefono.',
    codeWait: seconds =>
      `Potrà riprovare tra ${seconds < 90 ? (seconds === 1 ? 'un secondo' : `${seconds} secondi`) : `${Math.ceil(seconds / 60)} minuti`}.`,
    open: 'Apri il documento',
  },

  form: {
    read: 'Leggere il documento',
    readAll: 'Per favore, lo legga per intero prima di proseguire. Lo riceve come file PDF.',
    download: pages => `Scarica il PDF (${pages === 1 ? '1 pagina' : `${pages} pagine`})`,
    fingerprint: 'Impronta del file',
    fingerprintIs:
      'Chiunque può calcolare questo numero (SHA-256) a partire dal file. Se il numero è lo stesso, il file è lo stesso:',
    fillIn: 'Compilare',
    agree: 'Accettare e concludere',
    sign: 'Firma',
    choose: 'Per favore, scelga',
    ticked: 'selezionato',
    notTicked: 'non selezionato',
    filledByUs: 'sarà compilato alla conclusione',
    fullName: 'Il Suo nome completo, come Sua firma',
    initials: 'Le Sue iniziali',
    initialsHint: 'Le prime lettere del Suo nome e cognome, ad esempio AL per Ada Lovelace.',
    standsOn: (pages, count) =>
      count === 1 ? `Posizione nel documento: pagina ${pages}.` : `Posizioni nel documento: pagine ${pages}.`,
    standsOnCertificate: 'La firma è riportata nelle pagine di certificato alla fine del documento sigillato.',
    consent: 'Ho letto questo testo e lo accetto.',
    refuse: {
      signer: 'Non voglio firmare',
      approver: 'Non voglio approvare',
      viewer: 'Non voglio leggerlo',
    },
    refuseMeans:
      'Se rifiuta, nessuno potrà più firmare questo documento e non sarà possibile tornare indietro. Se ha solo una domanda, per favore, la rivolga prima al mittente.',
    reason: 'Il Suo motivo',
    reasonHint: 'Il mittente lo leggerà.',
    decline: 'Rifiuta',
    delegate: 'Deve farlo un’altra persona',
    delegationMeaning:
      'Invieremo a quella persona un link personale. Il link nella Sua e-mail smetterà di funzionare e ciò che ha inserito qui sarà cancellato. Il mittente potrà vedere entrambi i nomi.',
    colleague: 'Nome dell’altra persona',
    colleagueEmail: 'Indirizzo e-mail dell’altra persona',
    delegateNow: 'Passa il documento',
  },

  done: {
    headline: {
      done: 'Ha concluso',
      completed: 'Il documento è completato',
      declined: 'Ha rifiutato il documento',
    },
    done: {
      signer: 'Grazie. Ha firmato. Il documento sigillato Le sarà inviato per e-mail quando tutti avranno concluso.',
      approver:
        'Grazie. Ha dato la Sua approvazione. Il documento sigillato Le sarà inviato per e-mail quando tutti avranno concluso.',
      viewer: 'Riceverà il documento sigillato per e-mail quando tutti avranno concluso.',
    },
    sealing: 'Grazie. Tutti hanno concluso. Il documento viene ora sigillato; poi ne riceverà una copia per e-mail.',
    completed: 'Tutti hanno concluso. Il documento è sigillato e Lei ne riceve una copia per e-mail.',
    viewer: 'Riceverà il documento sigillato per e-mail quando tutti avranno concluso. Non ha nulla da firmare.',
    declined: 'Nessuno può più firmare questo documento. Il mittente può leggere il Suo motivo.',
    waitingFor: 'Attendiamo ancora:',
    sealedMeans:
      '«Sigillato» significa che un sigillo elettronico protegge il documento, così che ogni modifica successiva possa essere rilevata. Le ultime pagine indicano chi ha firmato e quando. Per favore, ne conservi una copia.',
    copyUntil: moment => `Può scaricarlo qui entro questo termine: ${moment}.`,
    downloadSealed: 'Scarica il documento sigillato',
    downloadUnsealed: 'Scarica il documento, non ancora sigillato',
    goOn: host => `Continua su ${host}`,
    close: 'Può chiudere questa pagina.',
  },

  delegated: {
    headline: 'Passato a un’altra persona',
    to: name => `Abbiamo inviato a ${name} un link personale.`,
    dead: 'Il link nella Sua e-mail non funziona più e ciò che aveva inserito è stato cancellato. Non deve fare più nulla.',
  },

  view: {
    document: 'Il documento',
    tools: 'Dimensione e pagina',
    page: 'Pagina {page} di {pages}',
    goToPage: 'Pagina',
    ofPages: 'di {pages}',
    zoomIn: 'Ingrandisci',
    zoomOut: 'Rimpicciolisci',
    fitWidth: 'Adatta alla larghezza',
    loading: 'Caricamento del documento…',
    failed: 'Non è stato possibile caricare il documento. Per favore, controlli la connessione.',
    pageFailed: 'Non è stato possibile mostrare questa pagina.',
    tryAgain: 'Riprova',
  },

  script: {
    fields: 'I Suoi campi',
    progressBar: 'Avanzamento',
    progress: 'Fatto: {done} di {all}',
    allDone: 'È tutto compilato.',
    next: 'Campo successivo',
    all: 'Tutti i campi',
    close: 'Chiudi',
    sending: 'Invio…',
    saving: 'Salvataggio…',
    saved: 'Salvato',
    notSaved: 'Non salvato: nessuna connessione. Nuovo tentativo…',
    notSent: 'Non è stato inviato nulla: non c’è connessione. Per favore, riprovi.',
    gone: 'Questa pagina non è più aggiornata e non si può più salvare nulla. Per favore, la ricarichi.',
    missing: { one: 'Manca ancora una cosa:', other: 'Mancano ancora {n} cose:' },
    fillThisIn: '{field}: compili questo campo.',
    tickThis: '{field}: selezioni la casella.',
    chooseThis: '{field}: scelga un’opzione.',
    notANumber: '{field}: inserisca un numero, ad esempio 1250 o 12,50.',
    notAnEmail: '{field}: inserisca un indirizzo e-mail, ad esempio ada@example.com.',
    makeSignature: 'Per favore, apponga la Sua firma.',
    makeInitials: 'Per favore, apponga le Sue iniziali.',
    consentField: 'Consenso',
    agree: 'Per favore, accetti di firmare elettronicamente selezionando la casella.',
    marker: '{field}, pagina {page}: {state}',
    states: {
      required: 'obbligatorio, ancora da compilare',
      optional: 'facoltativo, ancora vuoto',
      done: 'compilato',
      error: 'da controllare',
    },
    mark: {
      signature: {
        name: 'La Sua firma',
        use: { one: 'Usa questa firma', other: 'Metti la mia firma in tutte le {n} posizioni' },
        chosen: { one: 'La Sua firma è al suo posto.', other: 'La Sua firma è in tutte le {n} posizioni.' },
        chosenNowhere: 'Questa è la Sua firma.',
        pad: 'Disegni qui la Sua firma',
        picture: 'La Sua firma, dalla Sua immagine',
      },
      initials: {
        name: 'Le Sue iniziali',
        use: { one: 'Usa queste iniziali', other: 'Metti le mie iniziali in tutte le {n} posizioni' },
        chosen: { one: 'Le Sue iniziali sono al loro posto.', other: 'Le Sue iniziali sono in tutte le {n} posizioni.' },
        chosenNowhere: 'Queste sono le Sue iniziali.',
        pad: 'Disegni qui le Sue iniziali',
        picture: 'Le Sue iniziali, dalla Sua immagine',
      },
      how: 'Come desidera procedere?',
      draw: 'Disegna',
      type: 'Scrivi',
      upload: 'Carica',
      padHint: 'Disegni con il dito, una penna o il mouse. Se usa la tastiera, scelga «Scrivi».',
      padFull:
        'Il disegno non accetta altri tratti. Per favore, lo usi così com’è, oppure lo cancelli e ne faccia uno più semplice.',
      undo: 'Annulla',
      clear: 'Cancella',
      tooLittle: 'Per favore, disegni ancora un po’.',
      pictureHint:
        'Una foto o una scansione di quanto scritto su carta bianca, fino a 50 MB. Lo sfondo di carta viene eliminato.',
      choosePicture: 'Scegli un’immagine',
      uploading: 'Caricamento…',
      pictureUnreadable:
        'Questo browser non può leggere questa immagine. Per favore, scelga un file PNG o JPEG, oppure ne faccia uno screenshot.',
      pictureFailed: 'Non è stato possibile inviare l’immagine: non c’è connessione. Per favore, riprovi.',
      later: 'Può ancora fare modifiche finché non conclude.',
    },
  },
}
