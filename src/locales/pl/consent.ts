/** The consent to sign electronically and the sentence of intent, in Polish. */
import type { ConsentTexts } from '../en/consent.ts'

export const consent: ConsentTexts = {
  signing: (ask, environment) => [
    `Zgadzam się na otrzymanie, podpisanie i przechowywanie tego dokumentu w postaci elektronicznej zamiast papierowej. ${
      environment === undefined
        ? 'Mój podpis elektroniczny ma mnie wiązać tak samo jak podpis własnoręczny.'
        : `To jest test w środowisku „${environment}”: mój podpis elektroniczny nie ma mnie wiązać.`
    }`,
    `Mogę poprosić organizację ${ask} o kopię papierową albo o możliwość podpisania go na papierze; jedno i drugie jest bezpłatne. Do chwili zakończenia mogę wycofać tę zgodę, wybierając odmowę. Zgoda dotyczy tylko tego dokumentu.`,
    'Aby przeczytać i przechowywać dokument, potrzebuję adresu e-mail, przeglądarki internetowej i programu wyświetlającego pliki PDF. Gdy wszyscy skończą, będę mieć dostęp do kopii opieczętowanego dokumentu.',
  ],
  /** Of an approver, who places no signature. */
  approval: (ask, environment) => [
    `Zgadzam się na otrzymanie, zatwierdzenie i przechowywanie tego dokumentu w postaci elektronicznej zamiast papierowej. Nie składam podpisu. ${
      environment === undefined
        ? 'Moje zatwierdzenie, udzielone pod moim imieniem i nazwiskiem, ma mnie wiązać.'
        : `To jest test w środowisku „${environment}”: moje zatwierdzenie nie ma mnie wiązać.`
    }`,
    `Mogę poprosić organizację ${ask} o kopię papierową albo o możliwość zatwierdzenia go na papierze; jedno i drugie jest bezpłatne. Do chwili zakończenia mogę wycofać tę zgodę, wybierając odmowę. Zgoda dotyczy tylko tego dokumentu.`,
    'Aby przeczytać i przechowywać dokument, potrzebuję adresu e-mail, przeglądarki internetowej i programu wyświetlającego pliki PDF. Gdy wszyscy skończą, będę mieć dostęp do kopii opieczętowanego dokumentu.',
  ],
  intent: {
    signer: 'Naciskając przycisk, podpisuję ten dokument.',
    approver: 'Naciskając przycisk, zatwierdzam ten dokument.',
    viewer: 'Naciskając przycisk, potwierdzam, że ten dokument został przeze mnie przeczytany.',
  },
}
