/** Texts of set-up, sign-in, a new password, and the password asked again, in German. */
import { CONFIRMED_MINUTES, MIN_PASSWORD_LENGTH, SIGN_IN_CODE_MINUTES } from '../../../core/service-limits.ts'
import type { account as English } from '../../en/app/account.ts'

export const account: typeof English = {
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  passwordHint: `Mindestens ${MIN_PASSWORD_LENGTH} Zeichen. Einige zufällige Wörter ergeben ein gutes Passwort.`,
  setup: {
    title: 'Signet einrichten',
    lead: 'Geben Sie Ihre Organisation und Ihr eigenes Konto an. Sie übernehmen damit die Administration.',
    yourOrganisation: 'Ihre Organisation',
    yourAccount: 'Ihr Konto',
    organisation: 'Organisation',
    organisationHint: 'Alle, die Sie um eine Unterschrift bitten, sehen diesen Namen.',
    timeZone: 'Zeitzone',
    timeZoneHint: 'In dieser Zeitzone werden Uhrzeiten angezeigt.',
    language: 'Sprache der Organisation',
    languageHint:
      'E-Mails, Seiten zum Unterschreiben und Audit-Zertifikate sind in dieser Sprache, wenn ein Dokument oder eine Person keine andere hat.',
    name: 'Ihr Name',
    email: 'Ihre E-Mail-Adresse',
    emailHint:
      'Mit ihr melden Sie sich an. Unterzeichnende sehen sie als Kontakt für Fragen; den Kontakt können Sie unter „Einstellungen“ ändern.',
    submit: 'Einrichten',
  },
  signIn: {
    title: 'Anmelden',
    submit: 'Anmelden',
    notices: {
      password: 'Ihr neues Passwort ist gespeichert. Bitte melden Sie sich an.',
      provider: 'In Ihrer Organisation melden Sie sich mit dem Identitätsanbieter an: Bitte verwenden Sie dessen Schaltfläche.',
      'code-expired': `Für die Eingabe des Codes haben Sie ${SIGN_IN_CODE_MINUTES} Minuten. Bitte melden Sie sich noch einmal an.`,
    },
    help: 'Brauchen Sie Hilfe?',
    helpSigners:
      'Sie sollen ein Dokument unterschreiben? Dafür brauchen Sie kein Konto: Verwenden Sie den Link in der E-Mail, die Sie erhalten haben.',
    helpVerify: 'Ein unterschriebenes PDF prüfen',
    helpVerifyNote: 'auch ohne Konto',
    helpPassword: 'Keine E-Mail für ein neues Passwort? Wer den Server betreibt, kann einen Link dafür erstellen:',
    helpSetup: 'Sie richten Signet zum ersten Mal ein? Der Link dafür erscheint beim Start:',
  },
  reset: {
    title: 'Neues Passwort wählen',
    pageTitle: 'Neues Passwort',
    forAccount: 'Konto:',
    ends: 'Alle Sitzungen dieses Kontos werden beendet.',
    label: 'Neues Passwort',
    submit: 'Passwort speichern',
  },
  confirm: {
    title: 'Bitte geben Sie noch einmal Ihr Passwort ein',
    pageTitle: 'Bestätigen',
    lead: `Sie sind dabei, etwas Wichtiges zu ändern, und Ihre letzte Bestätigung ist mehr als ${CONFIRMED_MINUTES} Minuten her.`,
    label: 'Ihr Passwort',
    hint: 'Oder einen Code Ihrer Authenticator-App.',
    submit: 'Weiter',
  },
}
