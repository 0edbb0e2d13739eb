/** A página em que o dispositivo do signatário também assina, em português. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Assinar também com uma chave deste dispositivo',
  offerHint:
    'O dispositivo pede a sua impressão digital, o seu rosto ou o seu PIN. É mais uma prova de que foi você quem assinou. Nada disso sai do dispositivo.',
  asked:
    'O dispositivo pedirá também a sua impressão digital, o seu rosto ou o seu PIN: o remetente deseja que assine com uma chave própria.',
  title: 'Mais um passo: o seu dispositivo assina',
  text: 'O dispositivo assina com uma chave que só ele tem. O serviço nunca recebe a chave, e a sua impressão digital ou o seu rosto ficam no dispositivo.',
  notYet: 'Ainda não assinou. Isso acontece quando o dispositivo tiver assinado.',
  use: 'Assinar com este dispositivo',
  useKnown: date => `Assinar com a chave de ${date}`,
  useNew: 'Criar uma chave nova neste dispositivo',
  sign: 'Assinar com a chave nova',
  made: 'A chave foi criada. Agora o dispositivo assina com ela.',
  waiting: 'Siga as indicações do dispositivo…',
  without: 'Assinar sem chave do dispositivo',
  back: 'Voltar ao documento',
  refused: 'O dispositivo não assinou. Nada se perdeu: tente de novo ou volte ao documento.',
  framed:
    'Esta página faz parte de outro site, que não permite aqui chaves do dispositivo. Abra o link do e-mail numa janela própria.',
  unsupported: 'Este navegador não pode usar uma chave do dispositivo. Abra o link noutro navegador ou noutro dispositivo.',
  unscripted: 'O dispositivo só pode assinar se o JavaScript estiver ativado.',
}
