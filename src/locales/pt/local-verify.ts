/** Texts of the page that verifies files on the reader's device, in Portuguese. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Veja quem assinou um documento, quando, e se foi alterado desde então.',
  files: 'PDF assinado, pacote de provas (ZIP) ou recibo (EML)',
  choose: 'Escolher ficheiros',
  drop: 'ou largue-os aqui',
  stays: 'Os seus ficheiros ficam neste dispositivo. Esta página funciona sem internet, e não envia nem guarda nada.',
  staysHere: organisation => `O seu navegador verifica ele próprio o ficheiro: não é enviado a ${organisation}.`,
  keep: 'Guardar a página de verificação (verify.html), que funciona sem este serviço e sem internet',
  language: 'Idioma',
  reading: (name, percent) => `A ler ${name}: ${percent} %`,
  checking: (name, seconds) => `A verificar ${name}: ${seconds} s`,
  cancel: 'Cancelar',
  cancelled: 'Cancelado.',
  clear: 'Limpar',
  print: 'Imprimir',
  problems: {
    empty: {
      heading: 'Ficheiro vazio',
      sentence: 'Este ficheiro não tem conteúdo. Descarregue-o de novo, ou peça-o outra vez ao remetente.',
    },
    tooLarge: {
      heading: 'Demasiado grande para esta página',
      sentence: 'Esta página aceita ficheiros até 100 MB. Verifique este com o programa: signet verify FICHEIRO.',
    },
    unknownKind: {
      heading: 'Nem um PDF nem um pacote de provas',
      sentence:
        'Esta página verifica PDF assinados, pacotes de provas (ZIP) e recibos (EML). Escolha o ficheiro que recebeu, não uma imagem nem uma cópia noutro formato.',
    },
    locked: {
      heading: 'Só abre com uma palavra-passe',
      sentence: 'Este PDF está cifrado e não pode ser verificado. Peça ao remetente o ficheiro sem palavra-passe.',
    },
    damagedPack: {
      heading: 'Pacote de provas incompleto',
      sentence:
        'Este ZIP está danificado ou não é um pacote de provas. Descarregue-o de novo. Se contiver apenas um PDF assinado, extraia-o e escolha o PDF.',
    },
    wrongCertificate: {
      heading: 'Não é um certificado',
      sentence:
        'Este ficheiro não contém nenhum certificado legível. Os certificados são ficheiros PEM ou DER, por exemplo seal.pem.',
    },
    unreadable: {
      heading: 'Não é possível abrir',
      sentence:
        'O navegador não consegue ler este ficheiro. Talvez tenha sido movido ou alterado desde que o escolheu: escolha-o de novo.',
    },
    memory: {
      heading: 'Memória insuficiente',
      sentence:
        'Este ficheiro precisa de mais memória do que o navegador tem. Feche outras janelas, ou use um dispositivo mais potente.',
    },
    stopped: {
      heading: 'Interrompido',
      sentence:
        'A verificação terminou de forma inesperada, por isso nada se sabe deste ficheiro. Tente de novo, ou use outro navegador.',
    },
    tooLong: {
      heading: 'Demorou demasiado',
      sentence:
        'A verificação foi interrompida ao fim de 5 minutos, por isso nada se sabe deste ficheiro. Verifique-o com o programa: signet verify FICHEIRO.',
    },
  },
  trust: {
    label: 'Origem da confiança',
    given: names => `Os certificados que indicou: ${names}`,
    pack: 'O certificado do próprio pacote. Compare a sua impressão digital com a que a organização lhe deu por outra via.',
    instance: organisation => `Os certificados deste serviço, ${organisation}`,
    none: 'Ainda nada: não foi indicado nenhum certificado do remetente. Escolha-o juntamente com o ficheiro, por exemplo seal.pem.',
    heading: 'Certificados em que confia',
    hint: 'Os certificados (PEM ou DER) que escolher ou largar aqui são considerados de confiança. Aceite apenas os de alguém que conheça.',
    purpose: name => `Para que serve ${name}`,
    signers: 'assinaturas e selos',
    timestamps: 'selos temporais',
    remove: name => `Remover ${name}`,
    fingerprint: 'Impressão digital do certificado do selo (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Válido', sentence: title => `As provas de ${title} estão completas e inalteradas.`, advice: [] },
      validByPack: {
        heading: 'Completo e inalterado, segundo o seu próprio certificado',
        sentence: title =>
          `As provas de ${title} estão completas e concordam entre si, mas só o pacote diz de quem é o certificado.`,
        advice: [
          'Qualquer pessoa pode criar um certificado com qualquer nome. Compare a impressão digital abaixo com a que a organização lhe deu, ou escolha o certificado dela juntamente com o pacote.',
        ],
      },
      notValid: {
        heading: 'Não válido',
        sentence: title => `As provas de ${title} foram alteradas, estão incompletas ou contradizem-se.`,
        advice: ['Não confie neste pacote. Os detalhes técnicos indicam o que falhou. Peça um novo pacote ao remetente.'],
      },
      unknown: {
        heading: 'Inalterado, mas de origem desconhecida',
        sentence: title => `As provas de ${title} concordam, mas o selo não é de um certificado em que confie.`,
        advice: [
          'Qualquer pessoa pode criar um certificado com qualquer nome. Peça o certificado ao remetente por uma via que já conheça.',
        ],
      },
      notChecked: {
        heading: 'Verificado apenas em parte',
        sentence: title => `Uma parte das provas de ${title} não pode ser verificada aqui.`,
        advice: ['Isto não significa que tenha sido alterada. Os detalhes técnicos indicam qual é a parte, e porquê.'],
      },
    },
    source:
      'Os nomes e as horas provêm do registo de auditoria do pacote, que o selo abrange. As horas são as do relógio do serviço.',
    erased: 'Uma pessoa cujo nome foi apagado',
    person: {
      openedFromApp: 'aberto na aplicação web pela pessoa com sessão iniciada, não por um link enviado por e-mail',
      from: address => `a partir de ${address}`,
      consent: version => `consentimento ${version}`,
      deviceKey: 'e também com uma chave do próprio dispositivo',
      deviceKeyUnverified: 'e também com uma chave do próprio dispositivo, o dispositivo não verificou quem o usa',
      sealedEntry: number => `entrada ${number} do registo, abrangida pelo selo`,
      entry: number => `entrada ${number} do registo`,
    },
    checks: 'O que foi verificado',
    outcomes: { passed: 'Passou', failed: 'Falhou', 'not-checked': 'Não verificado', note: 'Nota' },
    sealedFile: 'O PDF selado do pacote',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Recibo válido',
        sentence: ({ organisation, name, title, time }) => `${organisation} confirmou que ${name} assinou ${title} em ${time}.`,
        advice: [
          'Escolha também o pacote de provas do documento: a página dirá então se o registo ainda contém esta assinatura.',
        ],
      },
      validWithLog: {
        heading: 'Recibo válido, e o registo concorda',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} confirmou que ${name} assinou ${title} em ${time}, e o seu registo ainda contém esta assinatura.`,
        advice: [],
      },
      notValid: {
        heading: 'Não válido',
        sentence: () => 'Este recibo foi alterado, ou contradiz-se ou contradiz o ficheiro escolhido com ele.',
        advice: [
          'Os detalhes técnicos indicam o que falhou. Se o recibo é autêntico e o registo o contradiz, o registo foi alterado: conserve ambos os ficheiros.',
        ],
      },
      unknown: {
        heading: 'Inalterado, mas de origem desconhecida',
        sentence: ({ organisation, name, title, time }) =>
          `Este recibo diz que ${name} assinou ${title} em ${time}, mas aqui não se sabe se provém realmente de ${organisation}.`,
        advice: [
          'Qualquer pessoa pode criar um certificado com qualquer nome. Escolha também o certificado da organização, ou compare a impressão digital abaixo com a que ela lhe deu.',
        ],
      },
      notChecked: {
        heading: 'Verificado apenas em parte',
        sentence: ({ name, title, time }) =>
          `Este recibo diz que ${name} assinou ${title} em ${time}, mas uma parte não pode ser verificada aqui.`,
        advice: ['Os detalhes técnicos indicam qual é a parte, e porquê.'],
      },
    },
    source: 'É o que diz o recibo, emitido pelo serviço no momento da assinatura.',
    itself: 'O recibo',
  },
  validAdvice: 'O certificado de auditoria no fim do ficheiro indica quem assinou e quando.',
  about: {
    heading: 'Esta página é autêntica?',
    version: version => `Página de verificação do Signet ${version}.`,
    check:
      'Uma página falsificada poderia declarar válido qualquer ficheiro. O certificado de auditoria de um documento imprime o SHA-256 da sua página de verificação. Compare-o com o que um destes comandos mostra para este ficheiro:',
    limits:
      'A página não precisa de nenhum serviço. O que não pode saber: que certificados foram revogados depois de o ficheiro ser criado, e o que está nos registos da organização.',
  },
  record: {
    ask: organisation => `Perguntar a ${organisation} pelo seu registo deste ficheiro`,
    sends: 'Só é enviada a impressão digital do ficheiro (SHA-256).',
    known: (organisation, time) => `O registo de ${organisation} contém exatamente este ficheiro: foi concluído em ${time}.`,
    unknown: 'O registo não contém este ficheiro, ou já não o contém: os registos são eliminados no fim do prazo de conservação.',
    failed: 'O serviço não respondeu. Tente mais tarde.',
    upload: 'Enviar o ficheiro para ver os nomes no registo',
  },
}
