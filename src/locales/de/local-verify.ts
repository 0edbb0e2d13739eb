/** Texts of the page that verifies files on the reader's device, in German. */
import type { LocalVerifyTexts } from '../local-verify.ts'

export const localVerify: LocalVerifyTexts = {
  lead: 'Sehen Sie, wer ein Dokument wann unterschrieben hat und ob es seither verändert wurde.',
  files: 'Unterschriebenes PDF, Nachweispaket (ZIP) oder Quittung (EML)',
  choose: 'Dateien auswählen',
  drop: 'oder hierher ziehen',
  stays: 'Ihre Dateien bleiben auf diesem Gerät. Diese Seite braucht kein Internet; sie sendet und speichert nichts.',
  staysHere: organisation => `Ihr Browser prüft die Datei selbst: Sie wird nicht an ${organisation} gesendet.`,
  keep: 'Prüfseite speichern (verify.html): Sie funktioniert ohne diesen Dienst und ohne Internet',
  language: 'Sprache',
  reading: (name, percent) => `${name} wird gelesen: ${percent} %`,
  checking: (name, seconds) => `${name} wird geprüft: ${seconds} s`,
  cancel: 'Abbrechen',
  cancelled: 'Abgebrochen.',
  clear: 'Leeren',
  print: 'Drucken',
  problems: {
    empty: {
      heading: 'Leere Datei',
      sentence: 'Diese Datei hat keinen Inhalt. Laden Sie sie noch einmal herunter, oder bitten Sie den Absender erneut darum.',
    },
    tooLarge: {
      heading: 'Zu groß für diese Seite',
      sentence: 'Diese Seite nimmt Dateien bis 100 MB. Prüfen Sie diese Datei mit dem Programm: signet verify DATEI.',
    },
    unknownKind: {
      heading: 'Kein PDF und kein Nachweispaket',
      sentence:
        'Diese Seite prüft unterschriebene PDF-Dateien, Nachweispakete (ZIP) und Quittungen (EML). Wählen Sie die Datei, die Sie bekommen haben, kein Bild und keine Kopie in einem anderen Format.',
    },
    locked: {
      heading: 'Öffnet sich nur mit einem Passwort',
      sentence: 'Dieses PDF ist verschlüsselt und kann nicht geprüft werden. Bitten Sie den Absender um die Datei ohne Passwort.',
    },
    damagedPack: {
      heading: 'Kein vollständiges Nachweispaket',
      sentence:
        'Dieses ZIP ist beschädigt oder kein Nachweispaket. Laden Sie es noch einmal herunter. Enthält es nur ein unterschriebenes PDF, entpacken Sie es und wählen Sie das PDF.',
    },
    wrongCertificate: {
      heading: 'Kein Zertifikat',
      sentence: 'Diese Datei enthält kein lesbares Zertifikat. Zertifikate sind Dateien in PEM oder DER, etwa seal.pem.',
    },
    unreadable: {
      heading: 'Lässt sich nicht öffnen',
      sentence:
        'Der Browser kann diese Datei nicht lesen. Vielleicht wurde sie verschoben oder geändert, seit Sie sie gewählt haben: Wählen Sie sie noch einmal.',
    },
    memory: {
      heading: 'Zu wenig Speicher',
      sentence:
        'Diese Datei braucht mehr Speicher, als der Browser hat. Schließen Sie andere Fenster, oder nehmen Sie ein größeres Gerät.',
    },
    stopped: {
      heading: 'Abgebrochen',
      sentence:
        'Die Prüfung endete unerwartet; über diese Datei ist deshalb nichts bekannt. Versuchen Sie es noch einmal oder mit einem anderen Browser.',
    },
    tooLong: {
      heading: 'Dauerte zu lange',
      sentence:
        'Die Prüfung wurde nach 5 Minuten beendet; über diese Datei ist deshalb nichts bekannt. Prüfen Sie sie mit dem Programm: signet verify DATEI.',
    },
  },
  trust: {
    label: 'Grundlage des Vertrauens',
    given: names => `Zertifikate, die Sie angegeben haben: ${names}`,
    pack: 'Das Zertifikat im Paket selbst. Vergleichen Sie seinen Fingerabdruck mit einem, den Sie von der Organisation auf anderem Weg haben.',
    instance: organisation => `Die Zertifikate dieses Dienstes, ${organisation}`,
    none: 'Noch nichts: Ein Zertifikat des Absenders fehlt. Wählen Sie es zusammen mit der Datei, etwa seal.pem.',
    heading: 'Zertifikate, denen Sie vertrauen',
    hint: 'Zertifikate (PEM oder DER), die Sie hier auswählen oder ablegen, gelten als vertrauenswürdig. Nehmen Sie sie nur von jemandem, den Sie kennen.',
    purpose: name => `Wofür ${name} gilt`,
    signers: 'Unterschriften und Siegel',
    timestamps: 'Zeitstempel',
    remove: name => `${name} entfernen`,
    fingerprint: 'Fingerabdruck des Siegelzertifikats (SHA-256)',
  },
  pack: {
    verdicts: {
      valid: { heading: 'Gültig', sentence: title => `Die Nachweise zu ${title} sind vollständig und unverändert.`, advice: [] },
      validByPack: {
        heading: 'Vollständig und unverändert, nach dem eigenen Zertifikat',
        sentence: title =>
          `Die Nachweise zu ${title} sind vollständig und stimmen überein, doch wem das Zertifikat gehört, sagt nur das Paket selbst.`,
        advice: [
          'Jeder kann ein Zertifikat mit jedem Namen herstellen. Vergleichen Sie den Fingerabdruck unten mit einem, den Ihnen die Organisation genannt hat, oder wählen Sie ihr Zertifikat zusammen mit dem Paket.',
        ],
      },
      notValid: {
        heading: 'Nicht gültig',
        sentence: title => `Die Nachweise zu ${title} wurden verändert, sind unvollständig oder widersprechen sich.`,
        advice: [
          'Verlassen Sie sich nicht auf dieses Paket. Was fehlschlug, steht in den technischen Einzelheiten. Bitten Sie den Absender um ein neues Paket.',
        ],
      },
      unknown: {
        heading: 'Unverändert, aber unbekannter Herkunft',
        sentence: title =>
          `Die Nachweise zu ${title} stimmen überein, doch das Siegel ist von keinem Zertifikat, dem Sie vertrauen.`,
        advice: [
          'Jeder kann ein Zertifikat mit jedem Namen herstellen. Bitten Sie den Absender um das Zertifikat, und zwar auf einem Weg, den Sie bereits kennen.',
        ],
      },
      notChecked: {
        heading: 'Nicht vollständig geprüft',
        sentence: title => `Ein Teil der Nachweise zu ${title} kann hier nicht geprüft werden.`,
        advice: [
          'Das bedeutet nicht, dass etwas verändert wurde. Die technischen Einzelheiten sagen, welcher Teil es ist und warum.',
        ],
      },
    },
    source:
      'Namen und Zeiten stammen aus dem Audit-Protokoll im Paket, das vom Siegel gedeckt ist. Die Zeiten sind die der Uhr des Dienstes.',
    erased: 'Eine Person, deren Name gelöscht wurde',
    person: {
      openedFromApp: 'in der Web-App von der angemeldeten Person geöffnet, nicht über einen gemailten Link',
      from: address => `von ${address}`,
      consent: version => `Einwilligung ${version}`,
      deviceKey: 'dazu mit einem Schlüssel des eigenen Geräts',
      deviceKeyUnverified: 'dazu mit einem Schlüssel des eigenen Geräts, das Gerät hat seinen Benutzer nicht geprüft',
      sealedEntry: number => `Eintrag ${number} des Protokolls, den das Siegel umfasst`,
      entry: number => `Eintrag ${number} des Protokolls`,
    },
    checks: 'Was geprüft wurde',
    outcomes: { passed: 'Bestanden', failed: 'Fehlgeschlagen', 'not-checked': 'Nicht geprüft', note: 'Hinweis' },
    sealedFile: 'Das gesiegelte PDF im Paket',
  },
  receipt: {
    verdicts: {
      valid: {
        heading: 'Gültige Quittung',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} hat bestätigt, dass ${name} am ${time} ${title} unterschrieben hat.`,
        advice: [
          'Wählen Sie auch das Nachweispaket des Dokuments: Dann sagt die Seite, ob das Protokoll diese Unterschrift noch enthält.',
        ],
      },
      validWithLog: {
        heading: 'Gültige Quittung, und das Protokoll stimmt überein',
        sentence: ({ organisation, name, title, time }) =>
          `${organisation} hat bestätigt, dass ${name} am ${time} ${title} unterschrieben hat, und das Protokoll enthält diese Unterschrift noch.`,
        advice: [],
      },
      notValid: {
        heading: 'Nicht gültig',
        sentence: () =>
          'Diese Quittung wurde verändert, oder sie widerspricht sich selbst oder der Datei, die mit ihr gewählt wurde.',
        advice: [
          'Was fehlschlug, steht in den technischen Einzelheiten. Ist die Quittung echt und widerspricht ihr das Protokoll, dann wurde das Protokoll verändert: Bewahren Sie beide Dateien auf.',
        ],
      },
      unknown: {
        heading: 'Unverändert, aber unbekannter Herkunft',
        sentence: ({ organisation, name, title, time }) =>
          `Diese Quittung sagt, dass ${name} am ${time} ${title} unterschrieben hat, doch ob sie wirklich von ${organisation} stammt, ist hier nicht bekannt.`,
        advice: [
          'Jeder kann ein Zertifikat mit jedem Namen herstellen. Wählen Sie auch das Zertifikat der Organisation, oder vergleichen Sie den Fingerabdruck unten mit einem, den sie Ihnen genannt hat.',
        ],
      },
      notChecked: {
        heading: 'Nicht vollständig geprüft',
        sentence: ({ name, title, time }) =>
          `Diese Quittung sagt, dass ${name} am ${time} ${title} unterschrieben hat, doch ein Teil von ihr kann hier nicht geprüft werden.`,
        advice: ['Die technischen Einzelheiten sagen, welcher Teil es ist und warum.'],
      },
    },
    source: 'Das sagt die Quittung, die der Dienst beim Unterschreiben ausgestellt hat.',
    itself: 'Die Quittung',
  },
  validAdvice: 'Wer wann unterschrieben hat, steht im Audit-Zertifikat am Ende der Datei.',
  about: {
    heading: 'Ist diese Seite echt?',
    version: version => `Prüfseite von Signet ${version}.`,
    check:
      'Eine gefälschte Seite könnte alles gültig nennen. Das Audit-Zertifikat eines Dokuments druckt den SHA-256-Wert seiner Prüfseite. Vergleichen Sie ihn mit dem, was einer dieser Befehle für diese Datei ausgibt:',
    limits:
      'Die Seite braucht keinen Dienst. Was sie nicht wissen kann: welche Zertifikate widerrufen wurden, nachdem die Datei entstand, und was in den Aufzeichnungen der Organisation steht.',
  },
  record: {
    ask: organisation => `${organisation} nach den Aufzeichnungen zu dieser Datei fragen`,
    sends: 'Gesendet wird nur der Fingerabdruck der Datei (SHA-256).',
    known: (organisation, time) =>
      `In den Aufzeichnungen von ${organisation} ist genau diese Datei: Sie wurde am ${time} abgeschlossen.`,
    unknown:
      'In den Aufzeichnungen ist keine solche Datei, oder keine mehr: Sie werden nach Ablauf ihrer Aufbewahrungsfrist gelöscht.',
    failed: 'Der Dienst hat nicht geantwortet. Versuchen Sie es später noch einmal.',
    upload: 'Datei senden, um die Namen in den Aufzeichnungen zu sehen',
  },
}
