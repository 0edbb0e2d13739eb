/** La página en la que firma también el dispositivo del firmante, en español. */
import type { deviceKey as English } from '../en/device-key.ts'

export const deviceKey: typeof English = {
  offer: 'Firmar además con una clave de este dispositivo',
  offerHint:
    'Su dispositivo pide su huella, su rostro o su PIN. Es una prueba más de que firmó usted. Nada de eso sale de su dispositivo.',
  asked: 'Su dispositivo le pedirá además su huella, su rostro o su PIN: el remitente desea que firme con una clave propia.',
  title: 'Un paso más: firma su dispositivo',
  text: 'Su dispositivo firma con una clave que solo él tiene. El servicio nunca recibe la clave, y su huella o su rostro no salen del dispositivo.',
  notYet: 'Todavía no ha firmado. Lo habrá hecho en cuanto firme su dispositivo.',
  use: 'Firmar con este dispositivo',
  useKnown: date => `Firmar con la clave del ${date}`,
  useNew: 'Crear una clave nueva en este dispositivo',
  sign: 'Firmar con la clave nueva',
  made: 'La clave está creada. Ahora su dispositivo firma con ella.',
  waiting: 'Siga las indicaciones de su dispositivo…',
  without: 'Firmar sin clave del dispositivo',
  back: 'Volver al documento',
  refused: 'Su dispositivo no ha firmado. No se ha perdido nada: inténtelo de nuevo o vuelva al documento.',
  framed:
    'Esta página forma parte de otro sitio, que no permite aquí claves de su dispositivo. Abra el enlace de su correo en una ventana propia.',
  unsupported:
    'Este navegador no puede usar una clave de su dispositivo. Abra el enlace en otro navegador o en otro dispositivo.',
  unscripted: 'Su dispositivo solo puede firmar si JavaScript está activado.',
}
