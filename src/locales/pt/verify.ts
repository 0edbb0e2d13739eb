/** Texts of the page that verifies a PDF, in Portuguese. */
import type { VerifyTexts } from '../verify.ts'

const UNCHANGED = 'Este ficheiro não foi alterado desde que foi assinado ou selado'
const CHANGED = 'Este ficheiro só foi alterado, desde que foi assinado ou selado, como o seu autor permite'
/** What became of the file since. */
const since = (isChanged: boolean): string => (isChanged ? CHANGED : UNCHANGED)
const ASK = 'Pergunte ao remetente se o ficheiro é autêntico, através de um número de telefone ou endereço que já conheça.'

export const verify: VerifyTexts = {
  title: 'Verificar um PDF assinado',
  lead: 'Verifique se um PDF foi alterado depois de ter sido assinado ou selado, e quem o assinou.',
  file: 'Ficheiro PDF',
  choose: 'Escolher um ficheiro',
  drop: 'ou largá-lo aqui',
  notKept: organisation => `${organisation} verifica o ficheiro e não o conserva.`,
  submit: 'Verificar',
  another: 'Verificar outro ficheiro',
  languages: 'Idiomas',
  documentTitle: 'Documento',
  fileName: 'Ficheiro',
  sealedBy: 'Selado por',
  people: 'Quem assinou',
  signedOn: time => `assinou em ${time}`,
  approvedOn: time => `aprovou em ${time}`,
  fromRecord:
    'Os nomes e as horas provêm dos registos deste serviço. O certificado de auditoria no fim do ficheiro também os indica.',
  isInRecord: ({ sealer, time }) =>
    `Os registos deste serviço contêm exatamente este ficheiro: ${sealer} selou-o em ${time} e não foi alterado desde então.`,
  quoted: name => `«${name}»`,
  verdicts: {
    validHere: {
      heading: 'Válido',
      sentence: ({ sealer, time }) => `Este é exatamente o ficheiro que ${sealer} selou em ${time}.`,
      advice: [],
    },
    valid: {
      heading: 'Válido',
      sentence: ({ sealer }) => `Este ficheiro não foi alterado desde que ${sealer} o selou.`,
      advice: [
        'Este serviço não tem, ou já não tem, registos deste ficheiro: os registos são eliminados no fim do prazo de conservação. O certificado de auditoria no fim do ficheiro indica quem assinou e quando.',
      ],
    },
    validChanged: {
      heading: 'Válido quando assinado, alterado depois',
      sentence: ({ signer }) =>
        `Este ficheiro foi validamente assinado por ${signer} e depois alterado de forma visível, como o seu autor permite.`,
      advice: ['Leia cada alteração da lista: quem assinou antes não a assinou.'],
    },
    notValid: {
      heading: 'Não válido',
      sentence: () =>
        'Este ficheiro foi alterado depois de ter sido assinado ou selado, ou contém uma assinatura que não é autêntica.',
      advice: ['Não confie neste ficheiro. Peça o original ao remetente.'],
    },
    notChecked: {
      heading: 'Não verificado',
      sentence: () => 'Uma assinatura deste ficheiro não pode ser verificada aqui, ou usa um método demasiado fraco.',
      advice: [
        'Isto não significa que o ficheiro tenha sido alterado. Talvez outro programa a possa verificar: os detalhes técnicos indicam por que motivo não é possível aqui.',
      ],
    },
    unreadable: {
      heading: 'Ilegível',
      sentence: () => 'Este ficheiro não é um PDF, está danificado ou só se abre com uma palavra-passe.',
      advice: [
        'Descarregue o ficheiro de novo ou peça ao remetente que o envie outra vez. Se só se abrir com uma palavra-passe, peça o original sem ela.',
      ],
    },
    unknown: {
      heading: 'Não alterado, mas de origem desconhecida',
      sentence: ({ signer, isChanged }) => `${since(isChanged)}, mas aqui não se sabe se provém realmente de ${signer}.`,
      advice: [
        'Qualquer pessoa pode criar um certificado com qualquer nome.',
        'Se o certificado de auditoria no fim do ficheiro indicar o endereço de outro serviço, verifique lá o ficheiro, desde que saiba a quem pertence esse endereço.',
        'Ou peça ao remetente, através de um número de telefone que já conheça, a impressão digital do certificado e compare-a com a dos detalhes técnicos.',
      ],
    },
    revoked: {
      heading: 'Não alterado, mas o certificado foi revogado',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, mas o certificado de ${signer} foi revogado e nada prova que nessa altura ainda fosse válido.`,
      advice: [ASK],
    },
    expired: {
      heading: 'Não alterado, mas o certificado expirou',
      sentence: ({ signer, isChanged }) =>
        `${since(isChanged)}, mas o certificado de ${signer} expirou e nenhum selo temporal de confiança prova que nessa altura ainda fosse válido.`,
      advice: [ASK],
    },
    notSigned: {
      heading: 'Não assinado',
      sentence: () =>
        'Este ficheiro não contém nenhuma assinatura eletrónica nem nenhum selo: nada indica quem o fez, nem se foi alterado.',
      advice: [
        'Nem a imagem de uma assinatura nem uma página que parece um certificado de auditoria protegem um ficheiro. Uma cópia impressa, digitalizada ou guardada de novo perdeu o seu selo: peça ao remetente o próprio ficheiro selado.',
      ],
    },
    onlyTimestamped: {
      heading: 'Não assinado, apenas com selo temporal',
      sentence: () => 'Um selo temporal indica quando este ficheiro existia, mas não quem o fez.',
      advice: [],
    },
  },
  changes: {
    heading: 'Alterações após a assinatura',
    field: (name, before, after) => `Campo ${name}: antes ${before}, agora ${after}`,
    comment: type => `Comentário (${type})`,
    signature: name => `Assinatura visível ${name}`,
    property: (name, before, after) => `Propriedade do documento ${name}: antes ${before}, agora ${after}`,
    empty: 'vazio',
    page: n => `página ${n}`,
    noPage: 'em nenhuma página',
  },
  details: {
    heading: 'Detalhes técnicos',
    sha256: 'Impressão digital do ficheiro (SHA-256)',
    remarks: 'Observações',
    additions: 'Alterações posteriores permitidas',
    signature: n => `Assinatura ou selo ${n}`,
    timestamp: n => `Selo temporal do documento ${n}`,
    name: 'Nome no certificado',
    unknown: 'desconhecido',
    content: 'Conteúdo assinado',
    certificate: 'Certificado',
    time: 'Selo temporal',
    timeBy: (time, authority) => `${time}, de ${authority}`,
    untrustedTimeBy: (time, authority) => `${time}, de ${authority}, sem confiança aqui`,
    claimedTime: 'Hora indicada na assinatura, sem prova',
    fingerprint: 'Impressão digital do certificado (SHA-256)',
    result: 'Resultado (ETSI EN 319 102-1)',
    level: 'Nível',
    noLevel: 'não é uma assinatura PAdES de base',
    field: 'Campo',
    none: 'nenhum',
    integrity: {
      intact: 'Não alterado',
      broken: 'Alterado, ou diferente do que foi assinado',
      'not-checked': 'Não foi possível verificar',
    },
    trust: {
      trusted: 'De confiança aqui',
      unknown: 'Sem confiança aqui',
      revoked: 'Revogado',
      expired: 'Expirado',
    },
    certificates: 'Certificados deste serviço, para verificar os seus ficheiros sem rede',
    otherPrograms:
      'Outros programas podem dizer outra coisa. O Firefox diz de qualquer assinatura PAdES que não foi possível verificá-la, porque não conhece este formato. O Acrobat considera o signatário desconhecido até receber o certificado. Nada disto é contra o ficheiro.',
  },
}
