/** La pagina in cui firma anche il dispositivo del firmatario, in italiano. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Firmare anche con una chiave di questo dispositivo',
  offerHint:
    'Il dispositivo chiede l’impronta, il volto o il PIN. È una prova in più che è stato Lei a firmare. Nulla di tutto ciò lascia il dispositivo.',
  asked: 'Il dispositivo chiederà anche l’impronta, il volto o il PIN: il mittente desidera che firmi con una chiave propria.',
  title: 'Ancora un passo: firma il Suo dispositivo',
  text: 'Il dispositivo firma con una chiave che possiede solo esso. Il servizio non riceve mai la chiave, e l’impronta o il volto restano sul dispositivo.',
  notYet: 'Non ha ancora firmato. Avverrà quando il dispositivo avrà firmato.',
  use: 'Firmare con questo dispositivo',
  useKnown: date => `Firmare con la chiave del ${date}`,
  useNew: 'Creare una nuova chiave su questo dispositivo',
  sign: 'Firmare con la nuova chiave',
  made: 'La chiave è stata creata. Ora il dispositivo firma con essa.',
  waiting: 'Segua le indicazioni del dispositivo…',
  without: 'Firmare senza chiave del dispositivo',
  back: 'Torna al documento',
  refused: 'Il dispositivo non ha firmato. Nulla è andato perso: riprovi oppure torni al documento.',
  framed:
    'Questa pagina fa parte di un altro sito, che qui non consente le chiavi del dispositivo. Apra il link dell’e-mail in una finestra separata.',
  unsupported:
    'Questo browser non può usare una chiave del dispositivo. Apra il link in un altro browser o su un altro dispositivo.',
  unscripted: 'Il dispositivo può firmare solo se JavaScript è attivo.',
}
