/** Texts of the page that verifies a PDF, in Italian. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Questo file non è stato modificato dopo la firma o il sigillo'
const CHANGED = 'Questo file è stato modificato dopo la firma o il sigillo solo come consentito dal suo autore'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK = 'Chieda al mittente se il file è autentico, a un numero di telefono o a un indirizzo che conosce già.'

export const verify: VerifyTexts = {
  title: 'Verificare un PDF firmato',
  lead: 'Verifichi se un PDF è stato modificato dopo essere stato firmato o sigillato, e chi lo ha firmato.',
  file: 'File PDF',
  choose: 'Scegli un file',
  drop: 'o trascinalo qui',
  notKept: organisation => `${organisation} verifica il file e non lo conserva.`,
  submit: 'Verifica',
  another: 'Verifica un altro file',
  languages: 'Lingue',
  documentTitle: 'Documento',
  fileName: 'File',
  sealedBy: 'Sigillato da',
  people: 'Chi ha firmato',
  signedOn: time => `ha firmato il ${time}`,
  approvedOn: time => `ha approvato il ${time}`,
  fromRecord:
    'Nomi e orari provengono dalle registrazioni di questo servizio. Li riporta anche il certificato di audit alla fine del file.',
  isInRecord: ({ sealer, time }) =>
    `Le registrazioni di questo servizio contengono esattamente questo file: ${sealer} lo ha sigillato il ${time} e da allora non è stato modificato.`,
  quoted: name => `«${name}»`,
  verdicts: {
    validHere: {
      heading: 'Valido',
      sentence: ({ sealer, time }) => `Questo è esattamente il file che ${sealer} ha sigillato il ${time}.`,
      advice: [],
    },
    valid: {
      heading: 'Valido',
      sentence: ({ sealer }) => `Questo file non è stato modificato da quando ${sealer} lo ha sigillato.`,
      advice: [
        'Questo servizio non ha, o non ha più, registrazioni su questo file: vengono cancellate al termine del periodo di conservazione. Chi ha firmato, e quando, è indicato nel certificato di audit alla fine del file.',
      ],
    },
    validChanged: {
      heading: 'Valido alla firma, poi modificato',
      sentence: ({ signer }) =>
        `Questo file è stato firmato validamente da ${signer} e in seguito modificato in modo visibile, come consentito dal suo autore.`,
      advice: ['Legga ogni modifica nell’elenco: chi ha firmato prima non l’ha firmata.'],
    },
    notValid: {
      heading: 'Non valido',
      sentence: () =>
        'Questo file è stato modificato dopo essere stato firmato o sigillato, oppure contiene una firma non autentica.',
      advice: ['Non faccia affidamento su questo file. Chieda l’originale al mittente.'],
    },
    notChecked: {
      heading: 'Non verificato',
      sentence: () => 'Una firma in questo file non può essere verificata qui, oppure usa un metodo troppo debole.',
      advice: [
        'Questo non significa che il file sia stato modificato. Forse un altro programma può verificarla: i dettagli tecnici indicano perché qui non è possibile.',
      ],
    },
    unreadable: {
      heading: 'Illeggibile',
      sentence: () => 'Questo file non è un PDF, è danneggiato oppure si apre solo con una password.',
      advice: [
        'Scarichi di nuovo il file, o chieda al mittente di inviarlo di nuovo. Se si apre solo con una password, chieda l’originale senza password.',
      ],
    },
    unknown: {
      heading: 'Non modificato, ma di origine sconosciuta',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, ma qui non è noto se provenga davvero da ${signer}.`,
      advice: [
        'Chiunque può creare un certificato con qualsiasi nome.',
        'Se il certificato di audit alla fine del file indica l’indirizzo di un altro servizio, verifichi il file lì, purché sappia a chi appartiene quell’indirizzo.',
        'Oppure chieda al mittente, a un numero di telefono che conosce già, l’impronta del certificato e la confronti con quella nei dettagli tecnici.',
      ],
    },
    revoked: {
      heading: 'Non modificato, ma il certificato è stato revocato',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, ma il certificato di ${signer} è stato revocato e nulla prova che in quel momento fosse ancora valido.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Non modificato, ma il certificato è scaduto',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, ma il certificato di ${signer} è scaduto e nessuna marca temporale attendibile prova che in quel momento fosse ancora valido.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Non firmato',
      sentence: () =>
        'Questo file non contiene né una firma elettronica né un sigillo: nulla indica chi lo ha creato, né se è stato modificato.',
      advice: [
        'Né l’immagine di una firma né una pagina che sembra un certificato di audit proteggono un file. Una copia stampata, scansionata o salvata di nuovo ha perso il suo sigillo: chieda al mittente proprio il file sigillato.',
      ],
    },
    onlyTimestamped: {
      heading: 'Non firmato, solo con marca temporale',
      sentence: () => 'Una marca temporale indica quando esisteva questo file, ma non chi lo ha creato.',
      advice: [],
    },
  },
  changes: {
    heading: 'Modifiche dopo la firma',
    field: (name, before, after) => `Campo ${name}: prima ${before}, ora ${after}`,
    comment: type => `Commento (${type})`,
    signature: name => `Firma visibile ${name}`,
    property: (name, before, after) => `Proprietà del documento ${name}: prima ${before}, ora ${after}`,
    empty: 'vuoto',
    page: n => `pagina ${n}`,
    noPage: 'su nessuna pagina',
  },
  details: {
    heading: 'Dettagli tecnici',
    sha256: 'Impronta del file (SHA-256)',
    remarks: 'Osservazioni',
    additions: 'Modifiche successive consentite',
    signature: n => `Firma o sigillo ${n}`,
    timestamp: n => `Marca temporale del documento ${n}`,
    name: 'Nome nel certificato',
    unknown: 'sconosciuto',
    content: 'Contenuto firmato',
    certificate: 'Certificato',
    time: 'Marca temporale',
    timeBy: (time, authority) => `${time}, di ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, di ${authority}, qui non attendibile`,
    claimedTime: 'Ora indicata nella firma, senza prova',
    fingerprint: 'Impronta del certificato (SHA-256)',
    result: 'Esito (ETSI EN 319 102-1)',
    level: 'Livello',
    noLevel: 'non è una firma PAdES di base',
    field: 'Campo',
    none: 'nessuno',
    integrity: {
      intact: 'Non modificato',
      broken: 'Modificato, o diverso da quello firmato',
      'not-checked': 'Non è stato possibile verificarlo',
    },
    trust: {
      trusted: 'Attendibile qui',
      unknown: 'Non attendibile qui',
      revoked: 'Revocato',
      expired: 'Scaduto',
    },
    certificates: 'Certificati di questo servizio, per verificarne i file senza rete',
    otherPrograms:
      'Altri programmi possono dire qualcosa di diverso. Firefox dice di ogni firma PAdES che non è stato possibile verificarla, perché non conosce questo formato. Acrobat considera sconosciuto il firmatario finché non riceve il certificato. Nessuna delle due cose è contraria al file.',
  },
}
