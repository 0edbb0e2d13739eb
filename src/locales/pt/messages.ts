/** Refusals and validation errors in Portuguese. */
import type { PublicStatus } from '../../core/document/document.ts'
import type { FieldType } from '../../core/field/field.ts'
import { fileSize } from '../../core/field/number.ts'
import { CODE_MINUTES, COPY_DAYS, LINK_MINUTES } from '../../core/service-limits.ts'
import type { MessageCatalogue, NamedField } from '../../core/signing/message.ts'

export const FIELD_NAMES: Record<FieldType, string> = {
  signature: 'Assinatura',
  initials: 'Rubrica',
  date: 'Data',
  name: 'Nome',
  email: 'E-mail',
  text: 'Texto',
  checkbox: 'Caixa de verificação',
  dropdown: 'Escolha',
  number: 'Número',
  paragraph: 'Parágrafo',
  radio: 'Escolha',
  image: 'Imagem',
  attachment: 'Anexo',
}

const name = ({ label, type }: NamedField) => label ?? FIELD_NAMES[type]

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const NOT_OPEN = {
  draft: 'O documento ainda é um rascunho: não pode ser assinado.',
  sent: 'O documento não pode ser assinado.',
  sealing: 'O documento está a ser selado: já não pode ser assinado.',
  completed: 'O documento está concluído: já não pode ser assinado.',
  declined: 'O documento foi recusado: já não pode ser assinado.',
  voided: 'O documento foi anulado: já não pode ser assinado.',
  expired: 'O documento expirou: já não pode ser assinado.',
} satisfies Record<PublicStatus, string> as Record<string, string>

const size = (bytes: number) => fileSize(bytes, 'pt')

export const messages: MessageCatalogue = {
  required: field => `${name(field)}: por favor, preencha este campo`,
  tooLong: (field, most) => `${name(field)}: por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}`,
  tooLongForPlace: (field, about) =>
    `${name(field)}: é demasiado longo para o seu lugar no documento. Por favor, use no máximo cerca de ${counted(about, 'carácter', 'caracteres')}`,
  notAChoice: (field, options) => `${name(field)}: por favor, escolha uma destas opções: ${options.join(', ')}`,
  notANumber: field => `${name(field)}: por favor, introduza um número, por exemplo 1250 ou 12,50`,
  numberUnclear: (field, larger, smaller) =>
    `${name(field)}: podem ser dois números. Por favor, introduza ${larger} ou ${smaller}`,
  tooSmall: (field, min) => `${name(field)}: por favor, introduza no mínimo ${min}`,
  tooLarge: (field, max) => `${name(field)}: por favor, introduza no máximo ${max}`,
  notADate: field => `${name(field)}: por favor, introduza uma data, por exemplo 2026-12-31`,
  notAnEmail: field => `${name(field)}: por favor, introduza um endereço de e-mail, por exemplo ada@example.com`,
  notTrueOrFalse: field => `${name(field)}: o valor tem de ser «true» ou «false»`,
  tickRequired: field => `${name(field)}: por favor, assinale a caixa`,
  fileMissing: field => `${name(field)}: por favor, escolha um ficheiro`,
  fileEmpty: field => `${name(field)}: este ficheiro está vazio. Por favor, escolha outro`,
  fileTooLarge: (field, max) =>
    `${name(field)}: este ficheiro é demasiado grande. Por favor, escolha um de ${size(max)} no máximo`,
  fileWrongType: (field, types) => `${name(field)}: por favor, escolha um ficheiro de um destes tipos: ${types.join(', ')}`,
  fileUnreadable: (field, type) =>
    `${name(field)}: este ficheiro ${type} está danificado ou incompleto. Por favor, escolha outro ou guarde-o de novo`,
  fileNeedsPassword: field => `${name(field)}: este PDF só abre com uma palavra-passe. Por favor, escolha um sem palavra-passe`,
  fileTooManyPixels: (field, megapixels) =>
    `${name(field)}: esta imagem é demasiado grande. Por favor, escolha uma de ${megapixels} megapíxeis no máximo`,
  fileTooComplex: field =>
    `${name(field)}: ler este ficheiro demora demasiado. Por favor, escolha outro ou imprima-o para um novo PDF`,
  tooManyFiles: () => 'Foram enviados demasiados ficheiros em pouco tempo. Por favor, aguarde um minuto e tente de novo.',
  fileChanged: field => `${name(field)}: este ficheiro foi alterado noutra janela. Por favor, verifique-o e conclua de novo`,
  filesTooLarge: (field, max) =>
    `${name(field)}: os seus ficheiros ultrapassam em conjunto ${size(max)}. Por favor, retire um ou escolha um mais pequeno`,
  unprintable: characters =>
    `O texto introduzido contém caracteres que não se podem imprimir: ${characters}. Por favor, elimine-os ou substitua-os.`,
  consentMissing: () => 'Por favor, aceite, assinalando a caixa.',
  deviceKeyMissing: () => 'O remetente pede que assine também com uma chave do seu dispositivo. Assine de novo e use-a.',
  deviceKeyImpossible: () =>
    'O remetente pede uma chave do seu dispositivo que este serviço não pode usar: o endereço não é um nome com https. Avise o remetente.',
  deviceKeyWrong: () =>
    'A assinatura do dispositivo não corresponde: o documento, os seus dados ou a hora mudaram entretanto. Use a chave mais uma vez.',
  signatureMissing: () => 'Por favor, escreva o seu nome completo como assinatura.',
  initialsMissing: () => 'Por favor, escreva a sua rubrica.',
  drawingMissing: () => 'O desenho está vazio. Por favor, desenhe ou escolha outro método.',
  drawingUnreadable: () => 'Não foi possível ler o desenho. Por favor, desenhe de novo.',
  pictureMissing: () => 'Por favor, escolha uma imagem ou outro método.',
  pictureUnreadable: () =>
    'Este ficheiro não pode ser lido como imagem PNG. Por favor, escolha um ficheiro PNG, ou faça uma captura de ecrã da imagem.',
  pictureTooLarge: (megabytes, megapixels) =>
    `Esta imagem é demasiado grande. Por favor, escolha uma de ${megabytes} MB e ${megapixels} megapíxeis no máximo.`,
  pictureEmpty: () =>
    'Não foi encontrada tinta nesta imagem. Por favor, fotografe de novo: mais de perto, em papel branco e com boa luz.',
  markTooLong: most => `Por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}.`,
  documentChanged: () => 'O documento não é o que esta página lhe mostrou. Por favor, volte a carregar a página.',
  consentChanged: () => 'O texto que aceitou mudou entretanto. Por favor, volte a carregar a página e leia-o de novo.',
  receiptLater: () => 'De momento não é possível criar o seu comprovativo. Por favor, tente mais tarde.',
  notOpened: () => 'Por favor, abra o documento antes de terminar.',
  signingPeriodOver: () => 'O prazo para assinar este documento terminou.',
  nothingForViewers: () => 'Recebe uma cópia deste documento. Não tem nada para assinar.',
  notOpen: status => NOT_OPEN[status] ?? 'O documento não pode ser assinado.',
  reasonMissing: () => 'Por favor, diga em poucas palavras por que motivo recusa.',
  reasonTooLong: most => `Por favor, use no máximo ${counted(most, 'carácter', 'caracteres')}.`,
  nothingToDecline: () => 'Já não tem nada para recusar neste documento.',
  nameMissing: () => 'Por favor, introduza o nome da pessoa a quem passa o documento.',
  addressWrong: () => 'Por favor, introduza um endereço de e-mail, por exemplo ada@example.com.',
  sameAddress: () => 'Este é o seu próprio endereço. Por favor, introduza o de outra pessoa.',
  addressInUse: () => 'Esta pessoa já deve assinar este documento. Por favor, escolha outra.',
  delegationForbidden: () =>
    'O remetente não permite passar este documento a outra pessoa. Pode assiná-lo, ou recusá-lo indicando o motivo.',
  nothingToDelegate: () => 'Já não tem nada para passar a outra pessoa neste documento.',
  delegatedOften: () =>
    'Este documento foi passado a outras pessoas demasiadas vezes hoje. Por favor, tente de novo amanhã ou peça ao remetente que indique a pessoa certa.',
  linkUnknown: () => 'Este link não é válido. Por favor, use o link do último e-mail ou pergunte à pessoa que o enviou.',
  linkReplaced: () => 'Este link foi substituído por um mais recente. Por favor, use o link do último e-mail.',
  linkReaddressed: () =>
    'Este link já não funciona: o remetente alterou o destinatário. Se ainda espera o documento, contacte o remetente.',
  linkHandedOver: to =>
    to === undefined
      ? 'Este documento foi passado a outra pessoa. Este link já não funciona e aqui já não há nada para fazer.'
      : `Passou este documento a ${to}. O seu próprio link já não funciona e já não tem de fazer mais nada.`,
  linkAsked: () =>
    'Há pouco já foi pedido um novo link. Por favor, veja a sua caixa de correio, também a pasta de spam. Mais tarde pode pedir de novo.',
  senderAsked: () => 'Há pouco já foi pedido um novo link ao remetente. Mais tarde pode pedir de novo.',
  linkUsed: () =>
    'Este link só pode ser aberto uma vez e já foi aberto, ou existe um mais recente. Por favor, continue na janela em que o abriu, ou volte ao lugar onde o encontrou e peça aí um novo.',
  linkTooOld: () =>
    `Este link expirou: é válido durante ${LINK_MINUTES} minutos. Por favor, volte ao lugar onde o encontrou e abra o documento a partir daí.`,
  sessionOver: () => 'A sua sessão terminou. Por favor, volte ao lugar onde encontrou o link e abra o documento a partir daí.',
  openByLink: () =>
    'A sua sessão terminou, ou esta página pertence a outro navegador. Por favor, abra o documento com o link que recebeu. Se esse link só abre uma vez, peça um novo a quem lho deu.',
  tooManyLinks: () =>
    'Foram abertos demasiados links não válidos a partir da sua rede. Por favor, aguarde um minuto e tente de novo.',
  withdrawn: () => 'O remetente anulou este documento. Já não há nada para assinar.',
  expired: () => 'O prazo para assinar este documento terminou. Por favor, peça ao remetente que o envie de novo.',
  declined: () => 'Este documento foi recusado. Já não há nada para assinar.',
  copyExpired: () =>
    `O documento foi concluído há mais de ${COPY_DAYS} dias e já não pode ser descarregado aqui. A cópia selada foi-lhe enviada por e-mail.`,
  codeMissing: () => 'Por favor, introduza o código de acesso.',
  codeWrong: attemptsLeft =>
    `Este código de acesso não está correto. ${attemptsLeft === 1 ? 'Tem mais uma tentativa' : `Tem mais ${attemptsLeft} tentativas`}.`,
  codePause: seconds =>
    `Por favor, aguarde ${counted(seconds, 'segundo', 'segundos')} antes de tentar de novo o código de acesso.`,
  codeLocked: () =>
    'O código de acesso foi introduzido incorretamente demasiadas vezes. Por favor, peça ao remetente que o desbloqueie: depois pode tentar de novo.',
  oneTimeCodeMissing: () => 'Por favor, introduza os seis algarismos do código.',
  oneTimeCodeWrong: attemptsLeft =>
    `Este código não está correto. ${attemptsLeft === 1 ? 'Resta-lhe uma tentativa' : `Restam-lhe ${attemptsLeft} tentativas`} com ele.`,
  oneTimeCodeDead: () =>
    'Este código foi introduzido incorretamente cinco vezes e já não é válido. Por favor, peça um novo código.',
  oneTimeCodeUsed: () => 'Este código já foi utilizado: cada código só é válido uma vez. Por favor, peça um novo código.',
  oneTimeCodeExpired: () => `Este código expirou: é válido durante ${CODE_MINUTES} minutos. Por favor, peça um novo código.`,
  oneTimeCodeElsewhere: () =>
    'Nenhum código pedido neste navegador é válido aqui. Um código só funciona onde foi pedido. Por favor, peça um novo código.',
  oneTimeCodeWait: seconds =>
    `Por favor, aguarde ${seconds < 90 ? (seconds === 1 ? '1 segundo' : `${seconds} segundos`) : `${Math.ceil(seconds / 60)} minutos`} antes de pedir outro código.`,
  oneTimeCodeLocked: () =>
    'Foram introduzidos códigos errados demasiadas vezes. Por favor, peça ao remetente que lhe desbloqueie o documento: depois pode tentar de novo.',
  oneTimeCodeUndeliverable: () =>
    'De momento não é possível enviar-lhe um código. Por favor, avise o remetente: tem de ligar o programa que transmite os códigos.',
  foreignForm: () =>
    'Este formulário não foi enviado a partir da nossa página. Por favor, volte atrás, recarregue a página e tente de novo.',
  busy: () => 'O serviço está sobrecarregado neste momento. Tente novamente dentro de alguns segundos.',
  notStored: () =>
    'Neste momento não é possível guardar dados. Nada foi guardado. Por favor, tente novamente dentro de um minuto.',
  notReachable: () =>
    'O serviço não consegue aceder aos seus dados neste momento. Nada foi guardado. Por favor, tente novamente dentro de alguns segundos.',
  notConfirmed: () =>
    'A ligação foi interrompida antes de o serviço poder confirmar a alteração. Esta pode ter sido guardada: por favor, verifique antes de a repetir.',
}
