/** E-mails in German. */
import { COPY_DAYS } from '../../core/service-limits.ts'
import type { MailTexts } from '../en/mail.ts'

export const mail: MailTexts = {
  // With an exclamation mark, after which the first sentence begins with a capital.
  greeting: name => `Guten Tag, ${name}!`,
  messageFrom: name => `Nachricht von ${name}:`,
  reasonGiven: 'Die Begründung:',
  open: 'Dokument öffnen',
  opens: {
    signer:
      'Der Link öffnet das Dokument in Ihrem Webbrowser. Dort lesen Sie es und unterschreiben oder lehnen ab. Sie brauchen weder ein Konto noch ein Passwort.',
    approver:
      'Der Link öffnet das Dokument in Ihrem Webbrowser. Dort lesen Sie es und genehmigen es oder lehnen ab. Sie brauchen weder ein Konto noch ein Passwort.',
    viewer:
      'Der Link öffnet das Dokument in Ihrem Webbrowser, damit Sie es lesen können. Sie brauchen weder ein Konto noch ein Passwort.',
  },
  linkHint: 'Falls die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse in Ihrem Webbrowser:',
  doBy: time => `Bitte erledigen Sie dies bis zum ${time}.`,
  handedOverBy: name => `${name} war zuerst gefragt und hat dies an Sie übergeben.`,
  forYouAlone: 'Der Link ist nur für Sie bestimmt. Bitte leiten Sie ihn nicht weiter.',
  invitation: {
    subject: {
      signer: title => `Bitte unterschreiben: ${title}`,
      approver: title => `Bitte genehmigen: ${title}`,
      viewer: title => `Bitte lesen: ${title}`,
    },
    asks: {
      signer: (organisation, title) => `${organisation} bittet Sie, „${title}“ zu unterschreiben.`,
      approver: (organisation, title) => `${organisation} bittet Sie, „${title}“ zu genehmigen.`,
      viewer: (organisation, title) => `${organisation} bittet Sie, „${title}“ zu lesen.`,
    },
  },
  reminder: {
    subject: {
      signer: title => `Erinnerung, bitte unterschreiben: ${title}`,
      approver: title => `Erinnerung, bitte genehmigen: ${title}`,
      viewer: title => `Erinnerung, bitte lesen: ${title}`,
    },
    waits: {
      signer: (organisation, title) => `${organisation} wartet noch darauf, dass Sie „${title}“ unterschreiben.`,
      approver: (organisation, title) => `${organisation} wartet noch darauf, dass Sie „${title}“ genehmigen.`,
      viewer: (organisation, title) => `${organisation} wartet noch darauf, dass Sie „${title}“ lesen.`,
    },
  },
  completed: {
    subject: title => `Abgeschlossen: ${title}`,
    everyone: title => `Alle sind mit „${title}“ fertig. Das Dokument ist jetzt gesiegelt.`,
    sealMeans:
      'Das elektronische Siegel schützt das Dokument, sodass spätere Änderungen festgestellt werden können. Das Audit-Zertifikat am Ende zeigt, wer wann unterschrieben hat.',
    attached: 'Das gesiegelte PDF finden Sie im Anhang. Bitte bewahren Sie es auf.',
    tooLarge: 'Das gesiegelte PDF ist zu groß für einen Anhang. Bitte laden Sie es über den Link herunter.',
    thirtyDays: `Sie können es ${COPY_DAYS} Tage lang über den Link herunterladen.`,
    open: 'Gesiegeltes Dokument öffnen',
  },
  receipt: {
    subject: title => `Ihr Beleg: ${title}`,
    signed: title => `Sie haben „${title}“ unterschrieben.`,
    approved: title => `Sie haben „${title}“ genehmigt.`,
    attached:
      'Ihr Beleg ist angehängt, eine Datei mit der Endung „.eml“. Er beweist, was Sie bestätigt haben und wann. Bitte bewahren Sie ihn auf: Er lässt sich auch ohne diesen Dienst prüfen.',
    whenAll: 'Das gesiegelte Dokument erhalten Sie, sobald alle fertig sind.',
  },
  declined: {
    subject: title => `Abgelehnt: ${title}`,
    has: (name, title) =>
      `${name ?? 'Eine beteiligte Person'} hat „${title}“ abgelehnt. Das Dokument kann nicht mehr unterschrieben werden.`,
  },
  voided: {
    subject: title => `Zurückgezogen: ${title}`,
    toSender: title => `„${title}“ wurde zurückgezogen.`,
    toRecipient: (organisation, title) => `${organisation} hat „${title}“ zurückgezogen. Sie brauchen nichts mehr zu tun.`,
  },
  expired: {
    subject: title => `Abgelaufen: ${title}`,
    inTime: title =>
      `„${title}“ wurde nicht rechtzeitig von allen unterschrieben und ist abgelaufen. Die Links dazu funktionieren nicht mehr.`,
    ask: whom => `Wenn das Dokument noch gebraucht wird, wenden Sie sich bitte an ${whom}.`,
  },
  finishedBefore: {
    signed: 'Sie haben dieses Dokument bereits unterschrieben. Es wird nicht mehr abgeschlossen und nicht gesiegelt.',
    approved: 'Sie haben dieses Dokument bereits genehmigt. Es wird nicht mehr abgeschlossen und nicht gesiegelt.',
  },
  delegated: {
    subject: title => `Übergeben: ${title}`,
    has: (from, to, title) =>
      `${from} hat „${title}“ an ${to} übergeben. Der zuerst zugesandte Link funktioniert nicht mehr; ein neuer ging per E-Mail an ${to}.`,
    notMeant: 'Wenn Sie das nicht möchten, können Sie das Dokument zurückziehen.',
  },
  linkRequested: {
    subject: title => `Bittet um einen neuen Link: ${title}`,
    has: (name, title) => `${name} hat den Link zum abgelaufenen Dokument „${title}“ geöffnet und bittet um einen neuen.`,
    whatToDo: 'Sie können das Dokument auf seiner Seite duplizieren und noch einmal senden.',
  },
  oneTimeCode: {
    subject: organisation => `Ihr Code für das Dokument von ${organisation}`,
    is: code => `Ihr Code lautet ${code}`,
    minutes: minutes =>
      `Geben Sie ihn auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${minutes} Minuten und nur in diesem Browser.`,
    tellNobody:
      'Teilen Sie diesen Code niemandem mit, auch nicht dem Absender. Wenn Sie ihn nicht angefordert haben, müssen Sie nichts tun: Ohne den Code kann niemand das Dokument öffnen.',
  },
  codeLocked: {
    subject: title => `Zu viele falsche Codes: ${title}`,
    has: (name, title) =>
      `Für „${title}“ wurde über den Link von ${name} zu oft ein falscher Code eingegeben. Weitere Versuche sind nicht möglich.`,
    whatToDo: {
      accessCode:
        'Bitte fragen Sie bei dieser Person nach, ob sie es selbst war. Wenn ja, teilen Sie ihr den Zugangscode noch einmal mit und entsperren Sie ihn auf der Seite des Dokuments: Danach sind neue Versuche möglich.',
      oneTimeCode:
        'Bitte fragen Sie bei dieser Person nach, ob sie es selbst war. Wenn ja, entsperren Sie das Dokument für sie auf seiner Seite: Danach kann sie einen neuen Code anfordern.',
      signingLink:
        'Bitte fragen Sie bei dieser Person nach, ob sie es selbst war. Wenn ja, teilen Sie ihr den Zugangscode noch einmal mit. Eine Stunde nach dem letzten Versuch lässt ein neuer Signierlink weitere Versuche zu.',
    },
  },
  mailFailed: {
    subject: title => `E-Mail nicht zustellbar: ${title}`,
    has: (name, title) => `Die E-Mail an ${name} zu „${title}“ konnte nicht zugestellt werden. Es folgt kein weiterer Versuch.`,
    answer: 'Die Antwort des Mailservers:',
    whatToDo:
      'Bitte prüfen Sie die Adresse. Ist sie falsch, berichtigen Sie sie auf der Seite des Dokuments: Die E-Mail wird dann erneut gesendet.',
  },
  sealingFailed: {
    subject: title => `Noch nicht gesiegelt: ${title}`,
    has: title =>
      `Bei „${title}“ sind alle fertig, aber das Dokument konnte noch nicht gesiegelt werden. Niemand muss noch einmal unterschreiben: Das Siegeln wird automatisch wiederholt.`,
    cause: 'Die Ursache:',
  },
  foot: {
    sentFor: organisation => `Gesendet für ${organisation} von Signet, dem Dienst, mit dem dort Dokumente unterschrieben werden.`,
    sent: 'Gesendet von Signet, einem Dienst zum Unterschreiben von Dokumenten.',
    linksLead: host => `Links in dieser E-Mail führen nur zu ${host}.`,
    questions: whom => `Fragen? Antworten Sie auf diese E-Mail, oder schreiben Sie an ${whom}.`,
    notBinding: environment =>
      `Diese E-Mail kommt aus der Umgebung „${environment}“, die nicht dem Echtbetrieb dient. Was dort unterschrieben wird, soll niemanden binden.`,
  },
  sample: {
    document: 'Dienstleistungsvertrag',
    message: 'Das ist der Vertrag, über den wir gesprochen haben.',
  },
}
