/** E-mails in Dutch. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  greeting: name => `Goedendag ${name},`,
  messageFrom: name => `Bericht van ${name}:`,
  reasonGiven: 'Opgegeven reden:',
  open: 'Document openen',
  opens: {
    signer:
      'De link opent het document in uw webbrowser. U leest het daar en ondertekent of weigert. U hebt geen account en geen wachtwoord nodig.',
    approver:
      'De link opent het document in uw webbrowser. U leest het daar en keurt het goed of weigert. U hebt geen account en geen wachtwoord nodig.',
    viewer: 'De link opent het document in uw webbrowser, zodat u het kunt lezen. U hebt geen account en geen wachtwoord nodig.',
  },
  linkHint: 'Werkt de knop niet? Open dan dit adres in uw webbrowser:',
  doBy: time => `Wilt u dit uiterlijk op ${time} doen?`,
  handedOverBy: name => `Dit verzoek was eerst aan ${name} gericht, die het aan u heeft overgedragen.`,
  forYouAlone: 'Deze link is alleen voor u bestemd. Stuur hem niet door.',
  invitation: {
    subject: {
      signer: title => `Graag ondertekenen: ${title}`,
      approver: title => `Graag goedkeuren: ${title}`,
      viewer: title => `Graag lezen: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} vraagt u “${title}” te ondertekenen.`,
      approver: (organisation, title) => `${organisation} vraagt u “${title}” goed te keuren.`,
      viewer: (organisation, title) => `${organisation} vraagt u “${title}” te lezen.`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Herinnering om te ondertekenen: ${title}`,
      approver: title => `Herinnering om goed te keuren: ${title}`,
      viewer: title => `Herinnering om te lezen: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} wacht er nog op dat u “${title}” ondertekent.`,
      approver: (organisation, title) => `${organisation} wacht er nog op dat u “${title}” goedkeurt.`,
      viewer: (organisation, title) => `${organisation} wacht er nog op dat u “${title}” leest.`,
    },
  },
  completed: {
    subject: title => `Voltooid: ${title}`,
    everyone: title => `Iedereen is klaar met “${title}”. Het document is nu verzegeld.`,
    sealMeans:
      'Het elektronische zegel beschermt het document, zodat latere wijzigingen kunnen worden vastgesteld. Het auditcertificaat aan het einde laat zien wie wanneer heeft ondertekend.',
    attached: 'De verzegelde pdf is bijgevoegd. Bewaar deze goed.',
    tooLarge: 'De verzegelde pdf is te groot om bij te voegen. Download deze met de link.',
    thirtyDays: `U kunt de pdf ${COPY_DAYS} dagen lang met de link downloaden.`,
    open: 'Verzegeld document openen',
  },
  receipt: {
    subject: title => `Uw bewijs: ${title}`,
    signed: title => `U hebt “${title}” ondertekend.`,
    approved: title => `U hebt “${title}” goedgekeurd.`,
    attached:
      'Uw bewijs is bijgevoegd: een bestand dat eindigt op “.eml”. Het toont aan wat u hebt bevestigd en wanneer. Bewaar het goed: het kan zonder deze dienst worden gecontroleerd.',
    whenAll: 'U krijgt het verzegelde document als iedereen klaar is.',
  },
  declined: {
    subject: title => `Geweigerd: ${title}`,
    has: (name, title) =>
      `${name ?? 'Een ontvanger'} heeft “${title}” geweigerd. Niemand hoeft het document nog te ondertekenen.`,
  },
  voided: {
    subject: title => `Ingetrokken: ${title}`,
    toSender: title => `Het document “${title}” is ingetrokken.`,
    toRecipient: (organisation, title) => `${organisation} heeft “${title}” ingetrokken. U hoeft niets meer te doen.`,
  },
  expired: {
    subject: title => `Verlopen: ${title}`,
    inTime: title =>
      `Het document “${title}” is niet op tijd door iedereen ondertekend en is verlopen. De links ernaartoe werken niet meer.`,
    ask: whom => `Is het document nog nodig, neem dan contact op met ${whom}.`,
  },
  finishedBefore: {
    signed: 'U hebt dit document al ondertekend. Het wordt niet meer voltooid en niet verzegeld.',
    approved: 'U hebt dit document al goedgekeurd. Het wordt niet meer voltooid en niet verzegeld.',
  },
  delegated: {
    subject: title => `Overgedragen: ${title}`,
    has: (from, to, title) =>
      `${from} heeft “${title}” overgedragen aan ${to}. De eerste link werkt niet meer; ${to} heeft per e-mail een nieuwe link gekregen.`,
    notMeant: 'Als u dit niet wilt, kunt u het document intrekken.',
  },
  linkRequested: {
    subject: title => `Vraagt om een nieuwe link: ${title}`,
    has: (name, title) => `${name} heeft de verlopen link naar “${title}” geopend en vraagt om een nieuwe.`,
    whatToDo: 'Het document kan op zijn pagina worden gedupliceerd en opnieuw worden verzonden.',
  },
  oneTimeCode: {
    subject: organisation => `Uw code voor het document van ${organisation}`,
    is: code => `Uw code is ${code}`,
    minutes: minutes =>
      `Voer de code in op de pagina waar u die hebt aangevraagd. De code is ${minutes} minuten geldig en alleen in die browser.`,
    tellNobody:
      'Geef deze code aan niemand door, ook niet aan de afzender. Hebt u de code niet aangevraagd, dan kunt u deze e-mail negeren: zonder de code kan niemand het document openen.',
  },
  codeLocked: {
    subject: title => `Te veel onjuiste codes: ${title}`,
    has: (name, title) =>
      `Voor “${title}” is met de link van ${name} te vaak een onjuiste code ingevoerd. Verdere pogingen zijn niet mogelijk.`,
    whatToDo: {
      accessCode:
        'Vraag deze persoon of de pogingen van hem of haar kwamen. Zo ja, geef de toegangscode dan nogmaals door en geef hem vrij op de pagina van het document: daarna zijn nieuwe pogingen mogelijk.',
      oneTimeCode:
        'Vraag deze persoon of de pogingen van hem of haar kwamen. Zo ja, geef het document dan vrij op zijn pagina: daarna kan een nieuwe code worden aangevraagd.',
      signingLink:
        'Vraag deze persoon of de pogingen van hem of haar kwamen. Zo ja, geef de toegangscode dan nogmaals door. Een uur na de laatste poging maakt een nieuwe ondertekenlink weer pogingen mogelijk.',
    },
  },
  mailFailed: {
    subject: title => `E-mail niet bezorgd: ${title}`,
    has: (name, title) => `De e-mail aan ${name} over “${title}” kon niet worden bezorgd. Er volgt geen nieuwe poging.`,
    answer: 'Het antwoord van de mailserver:',
    whatToDo:
      'Controleer het adres. Als het niet klopt, verbeter het dan op de pagina van het document: de e-mail wordt dan opnieuw verstuurd.',
  },
  sealingFailed: {
    subject: title => `Nog niet verzegeld: ${title}`,
    has: title =>
      `Iedereen is klaar met “${title}”, maar het document kon nog niet worden verzegeld. Niemand hoeft opnieuw te ondertekenen: de dienst probeert het vanzelf opnieuw.`,
    cause: 'De oorzaak:',
  },
  foot: {
    sentFor: organisation =>
      `Verzonden namens ${organisation} door Signet, de dienst waarmee deze organisatie documenten laat ondertekenen.`,
    sent: 'Verzonden door Signet, een dienst voor het ondertekenen van documenten.',
    linksLead: host => `Links in dit bericht leiden alleen naar ${host}.`,
    questions: whom => `Hebt u vragen? Beantwoord dit bericht of schrijf naar ${whom}.`,
    notBinding: environment =>
      `Dit bericht komt uit de omgeving “${environment}”, die niet voor productie is. Niets wat daar wordt ondertekend, is bedoeld om iemand te binden.`,
  },
  sample: {
    document: 'Dienstverleningsovereenkomst',
    message: 'Dit is de overeenkomst die we hebben besproken.',
  },
}
