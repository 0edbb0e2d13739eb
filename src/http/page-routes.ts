/**
 * Every page: method, path, who may open it, and the function that answers, by the folders of
 * `pages/`. The routes of the API are in `api/`.
 */
import { PERSON_VERBS } from '../../views/accounts/person.tsx'
import { MAX_CSV_BYTES } from '../core/csv/read.ts'
import { localized } from '../core/signing/message.ts'
import { MAX_PICTURE_BYTES } from '../core/signing/signature-mark.ts'
import { verifiableBytes } from '../documents/evidence/verification.ts'
import { liftLegalHold, setLegalHold } from '../documents/lifecycle/bulk.ts'
import { finishUpgrade } from '../health/upgrade.ts'
import { renewSealCertificate } from '../settings/seal-certificate.ts'
import { resumeSending } from '../settings/sending-pause.ts'
import { embedScriptResponse, verifyPageResponse } from './assets.ts'
import { ERROR_CODES } from './error-codes.ts'
import { confirmedRoute } from './frame/confirmed-route.tsx'
import type { PageRoute } from './frame/page.tsx'
import { countAttempt } from './limits.ts'
import * as account from './pages/accounts/account.tsx'
import * as emailChange from './pages/accounts/email-change.tsx'
import * as oidc from './pages/accounts/oidc.tsx'
import * as passkeys from './pages/accounts/passkeys.tsx'
import * as people from './pages/accounts/people.tsx'
import * as person from './pages/accounts/person.tsx'
import * as profile from './pages/accounts/profile.tsx'
import * as secondFactor from './pages/accounts/second-factor.tsx'
import * as signInCode from './pages/accounts/sign-in-code.tsx'
import * as audit from './pages/audit/audit.tsx'
import * as checkpoints from './pages/audit/checkpoints.tsx'
import * as witness from './pages/audit/witness.tsx'
import * as backups from './pages/backups/backups.tsx'
import * as batch from './pages/batches/batch.tsx'
import * as batchDraft from './pages/batches/batch-draft.tsx'
import * as batchLive from './pages/batches/batch-live.ts'
import * as bulk from './pages/batches/bulk.tsx'
import * as contacts from './pages/contacts/contacts.tsx'
import * as document from './pages/documents/document.tsx'
import * as documentActions from './pages/documents/document-actions.tsx'
import * as documentList from './pages/documents/document-list.tsx'
import * as documentView from './pages/documents/document-view.ts'
import * as live from './pages/documents/live.ts'
import * as senderVisit from './pages/documents/sender-visit.ts'
import * as draft from './pages/drafting/draft.ts'
import * as draftAccess from './pages/drafting/draft-access.ts'
import * as draftFields from './pages/drafting/draft-fields.tsx'
import * as draftKind from './pages/drafting/draft-kind.ts'
import * as draftPeople from './pages/drafting/draft-people.tsx'
import * as draftReview from './pages/drafting/draft-review.tsx'
import * as newDocument from './pages/drafting/new-document.tsx'
import * as uploadRoutes from './pages/drafting/upload-routes.ts'
import * as health from './pages/health/health.tsx'
import * as outbox from './pages/outbox/outbox.tsx'
import * as reference from './pages/reference/reference.tsx'
import * as mailSettings from './pages/settings/mail-settings.tsx'
import * as oidcSettings from './pages/settings/oidc-settings.tsx'
import * as organisation from './pages/settings/organisation.tsx'
import * as retention from './pages/settings/retention.tsx'
import * as seal from './pages/settings/seal.tsx'
import * as sealForm from './pages/settings/seal-form.tsx'
import * as settings from './pages/settings/settings.ts'
import * as settingsAccess from './pages/settings/settings-access.ts'
import * as signInSettings from './pages/settings/sign-in-settings.tsx'
import * as timestamps from './pages/settings/timestamps.tsx'
import * as tokens from './pages/settings/tokens.tsx'
import * as signNow from './pages/signing/sign-now.tsx'
import * as signing from './pages/signing/signing.tsx'
import * as signingEnded from './pages/signing/signing-ended.ts'
import * as signingFiles from './pages/signing/signing-files.ts'
import * as signingLinks from './pages/signing/signing-links.ts'
import * as signingLive from './pages/signing/signing-live.ts'
import * as template from './pages/templates/template.tsx'
import * as templateSettings from './pages/templates/template-settings.tsx'
import * as templateUse from './pages/templates/template-use.tsx'
import * as templates from './pages/templates/templates.tsx'
import * as verify from './pages/verify/verify.tsx'
import * as webhookDeliveries from './pages/webhooks/webhook-deliveries.tsx'
import * as webhookQuestions from './pages/webhooks/webhook-questions.tsx'
import * as webhooks from './pages/webhooks/webhooks.tsx'

/** The recipient's pages. Those under `/sign` have a second address for frames. */
const SIGNER_PAGES: PageRoute[] = [
  signing.signerRoute('GET', '/s/:token', signing.getLanding),
  signing.signerRoute('POST', '/s/:token', signing.postLanding),
  signing.signerRoute('POST', '/s/:token/code', signing.postCode),
  signing.signerRoute('POST', '/s/:token/new-link', signingEnded.postNewLink),
  signing.signerRoute('GET', '/sign/:recipient', signing.getSigning),
  signing.signerRoute('GET', '/sign/:recipient/file', signing.getFile),
  signing.signerRoute('GET', '/sign/:recipient/receipt', signing.getReceipt),
  signing.signerRoute('GET', '/sign/:recipient/pages', signing.getPages),
  signing.signerRoute('GET', '/sign/:recipient/marks', signing.getMarks),
  signing.signerRoute('GET', '/sign/:recipient/picture', signing.getPicture),
  { ...signing.signerRoute('POST', '/sign/:recipient/picture', signing.postPicture), upload: () => MAX_PICTURE_BYTES },
  signing.signerRoute('POST', '/sign/:recipient/form-values', signing.postFormValues),
  {
    ...signing.signerRoute('POST', '/sign/:recipient/finish', signing.postFinish),
    filesInForm: signing.FIELD_FILES,
    admit: signing.admitFiles,
  },
  signing.signerRoute('POST', '/sign/:recipient/decline', signing.postDecline),
  signing.signerRoute('POST', '/sign/:recipient/delegate', signing.postDelegate),
  { ...signing.signerRoute('GET', '/sign/:recipient/live', signingLive.getLive), isBackground: true },
  signing.signerRoute('GET', '/sign/:recipient/files/:field', signingFiles.getFile),
  {
    ...signing.signerRoute('POST', '/sign/:recipient/files/:field', signingFiles.postFile),
    filesInForm: signingFiles.ONE_FILE,
    admit: signing.admitFiles,
  },
  signing.signerRoute('POST', '/sign/:recipient/files/:field/remove', signingFiles.postRemove),
  signing.signerRoute('GET', '/sign/:recipient/hand', signingLive.getHand),
  signing.signerRoute('POST', '/sign/:recipient/hands', signingLive.postHands),
]

export const PAGES: PageRoute[] = [
  // accounts
  { method: 'GET', path: '/', access: 'public', run: async ({ session }) => ({ redirect: session ? '/documents' : '/sign-in' }) },
  {
    method: 'GET',
    path: '/setup/:token',
    access: 'link',
    run: async visit => ({ html: account.setupPage(visit, await account.demandSetupLink(visit), []) }),
  },
  { method: 'POST', path: '/setup/:token', access: 'link', run: account.postSetup },
  { method: 'GET', path: '/sign-in', access: 'public', run: async visit => ({ html: await account.signInPage(visit, [], '') }) },
  { method: 'POST', path: '/sign-in', access: 'public', run: account.postSignIn },
  {
    method: 'GET',
    path: '/reset/:token',
    access: 'link',
    run: async visit => ({ html: await account.newPasswordPage(visit, []) }),
  },
  { method: 'POST', path: '/reset/:token', access: 'link', run: account.postReset },
  { method: 'POST', path: '/language', access: 'session', isForSecondFactor: true, run: account.postLanguage },
  { method: 'POST', path: '/sign-out', access: 'session', isForSecondFactor: true, run: account.postSignOut },
  { method: 'GET', path: '/confirm', access: 'session', isForSecondFactor: true, run: account.getConfirm },
  { method: 'POST', path: '/confirm', access: 'session', isForSecondFactor: true, run: account.postConfirm },
  {
    method: 'GET',
    path: '/sign-in/code',
    access: 'public',
    refused: signInCode.toSignIn,
    run: visit => signInCode.codePage(visit),
  },
  { method: 'POST', path: '/sign-in/code', access: 'public', refused: signInCode.toSignIn, run: signInCode.enterCode },
  { method: 'POST', path: '/sign-in/code/passkey', access: 'public', refused: signInCode.toSignIn, run: signInCode.usePasskey },
  { method: 'GET', path: '/forgot', access: 'public', run: async visit => signInCode.forgotPage(visit) },
  { method: 'POST', path: '/forgot', access: 'public', run: signInCode.askForLink },
  { method: 'GET', path: '/profile', access: 'session', run: visit => profile.profilePage(visit) },
  { method: 'POST', path: '/profile', access: 'session', run: profile.save },
  { method: 'POST', path: '/profile/password', access: 'session', run: profile.savePassword },
  { method: 'POST', path: '/profile/sessions/end', access: 'session', run: profile.endSession },
  { method: 'POST', path: '/profile/sessions/end-others', access: 'session', run: profile.endOtherSessions },
  { method: 'GET', path: '/profile/email', access: 'session', run: visit => emailChange.formPage(visit) },
  { method: 'POST', path: '/profile/email', access: 'session', run: emailChange.request },
  { method: 'POST', path: '/profile/email/withdraw', access: 'session', run: emailChange.withdraw },
  { method: 'GET', path: '/email/confirm/:token', access: 'link', run: visit => emailChange.confirmPage(visit) },
  { method: 'POST', path: '/email/confirm/:token', access: 'link', run: emailChange.confirm },
  { method: 'GET', path: '/email/stop/:token', access: 'link', run: visit => emailChange.stopPage(visit) },
  { method: 'POST', path: '/email/stop/:token', access: 'link', run: emailChange.stop },
  { method: 'GET', path: '/profile/passkeys/add', ...secondFactor.FACTOR_ACCESS, run: visit => passkeys.addPage(visit) },
  { method: 'POST', path: '/profile/passkeys/add', ...secondFactor.FACTOR_ACCESS, run: passkeys.add },
  { method: 'POST', path: '/profile/passkeys/options', ...secondFactor.FACTOR_ACCESS, run: passkeys.creationOptions },
  { method: 'GET', path: '/profile/passkeys/:id/rename', access: 'session', run: visit => passkeys.renamePage(visit) },
  { method: 'POST', path: '/profile/passkeys/:id/rename', access: 'session', run: passkeys.rename },
  { method: 'GET', path: '/profile/passkeys/:id/remove', access: 'session', run: visit => passkeys.removePage(visit) },
  { method: 'POST', path: '/profile/passkeys/:id/remove', access: 'session', run: passkeys.remove },
  { method: 'POST', path: '/sign-in/passkey/options', access: 'public', run: passkeys.signInOptions },
  { method: 'POST', path: '/sign-in/passkey', access: 'public', run: passkeys.signIn },
  { method: 'POST', path: '/confirm/passkey', ...secondFactor.FACTOR_ACCESS, run: passkeys.confirmationOptions },
  {
    method: 'GET',
    path: '/sign-in/oidc',
    access: 'public',
    refused: oidc.toSignIn,
    run: visit => oidc.leave(visit, 'sign-in', signInCode.nextOf(visit)),
  },
  { method: 'GET', path: '/sign-in/oidc/callback', access: 'public', refused: oidc.toSignIn, run: oidc.callback },
  {
    method: 'GET',
    path: '/confirm/oidc',
    access: 'session',
    isForSecondFactor: true,
    refused: oidc.toConfirm,
    run: visit => oidc.leave(visit, 'confirmation', signInCode.nextOf(visit)),
  },
  { method: 'GET', path: '/profile/identity/link', access: 'session', refused: oidc.toProfile, run: oidc.link },
  { method: 'GET', path: '/profile/identity/unlink', access: 'session', run: visit => oidc.unlinkPage(visit) },
  { method: 'POST', path: '/profile/identity/unlink', access: 'session', run: oidc.unlink },
  { method: 'GET', path: '/profile/second-factor', ...secondFactor.FACTOR_ACCESS, run: visit => secondFactor.startPage(visit) },
  { method: 'POST', path: '/profile/second-factor', ...secondFactor.FACTOR_ACCESS, run: secondFactor.start },
  {
    method: 'GET',
    path: '/profile/second-factor/set-up',
    ...secondFactor.FACTOR_ACCESS,
    run: visit => secondFactor.setUpPage(visit),
  },
  {
    method: 'POST',
    path: '/profile/second-factor/set-up',
    ...secondFactor.FACTOR_ACCESS,
    refused: secondFactor.refusedSetUp,
    run: secondFactor.setUp,
  },
  {
    method: 'GET',
    path: '/profile/second-factor/codes',
    access: 'session',
    run: visit => secondFactor.questionPage(visit, 'codes'),
  },
  { method: 'POST', path: '/profile/second-factor/codes', access: 'session', run: secondFactor.renewCodes },
  {
    method: 'GET',
    path: '/profile/second-factor/remove',
    access: 'session',
    run: visit => secondFactor.questionPage(visit, 'remove'),
  },
  { method: 'POST', path: '/profile/second-factor/remove', access: 'session', run: secondFactor.remove },
  { method: 'GET', path: '/settings/people', access: 'admin', run: people.list },
  { method: 'GET', path: '/settings/people/invite', access: 'admin', run: visit => people.invitePage(visit) },
  { method: 'POST', path: '/settings/people/invite', access: 'admin', run: people.postInvite },
  { method: 'GET', path: '/settings/people/invitations/:id/resend', access: 'admin', run: visit => people.resendPage(visit) },
  { method: 'POST', path: '/settings/people/invitations/:id/resend', access: 'admin', run: people.postResend },
  { method: 'GET', path: '/settings/people/invitations/:id/withdraw', access: 'admin', run: visit => people.withdrawPage(visit) },
  { method: 'POST', path: '/settings/people/invitations/:id/withdraw', access: 'admin', run: people.postWithdraw },
  { method: 'GET', path: '/invitation/:token', access: 'link', run: visit => people.acceptPage(visit) },
  { method: 'POST', path: '/invitation/:token', access: 'link', run: people.postAccept },
  { method: 'GET', path: '/settings/people/:id', access: 'admin', run: person.personPage },
  ...PERSON_VERBS.flatMap((verb): PageRoute[] => {
    const path = `/settings/people/:id/${verb}`
    return [
      { method: 'GET', path, access: 'admin', run: visit => person.questionPage(visit, person.ACTIONS[verb]) },
      { method: 'POST', path, access: 'admin', run: visit => person.runAction(visit, verb) },
    ]
  }),

  // settings
  { method: 'GET', path: '/settings/sign-in', access: 'admin', run: signInSettings.page },
  { method: 'GET', path: '/settings/sign-in/second-factor', access: 'admin', run: visit => signInSettings.rulePage(visit) },
  { method: 'POST', path: '/settings/sign-in/second-factor', access: 'admin', run: signInSettings.saveRule },
  { method: 'GET', path: '/settings/sign-in/sessions', access: 'admin', run: visit => signInSettings.sessionsPage(visit) },
  { method: 'POST', path: '/settings/sign-in/sessions', access: 'admin', run: signInSettings.saveSessions },
  { method: 'GET', path: '/settings/sign-in/openid-connect', access: 'admin', run: visit => oidcSettings.page(visit) },
  { method: 'POST', path: '/settings/sign-in/openid-connect', access: 'admin', run: oidcSettings.save },
  { method: 'POST', path: '/settings/sign-in/openid-connect/test', access: 'admin', run: oidcSettings.test },
  {
    method: 'GET',
    path: '/settings/sign-in/openid-connect/remove',
    access: 'admin',
    run: visit => oidcSettings.removePage(visit),
  },
  { method: 'POST', path: '/settings/sign-in/openid-connect/remove', access: 'admin', run: oidcSettings.remove },
  { method: 'GET', path: '/settings', access: 'session', run: settings.getSettings },
  { method: 'GET', path: '/settings/retention', access: 'admin', run: visit => retention.page(visit) },
  { method: 'POST', path: '/settings/retention', access: 'admin', run: retention.save },
  {
    method: 'GET',
    path: '/settings/retention/preview',
    access: 'admin',
    run: visit => retention.preview(visit, retention.enteredIn(visit.query)),
  },
  { method: 'GET', path: '/settings/retention/preview.csv', access: 'admin', run: retention.getCsv },
  { method: 'POST', path: '/settings/retention/call-off', access: 'admin', run: retention.callOff },
  { method: 'GET', path: '/settings/tokens', access: 'session', run: visit => tokens.page(visit) },
  { method: 'POST', path: '/settings/tokens', access: 'session', run: tokens.create },
  { method: 'GET', path: '/settings/tokens/:id', access: 'session', run: tokens.tokenPage },
  { method: 'GET', path: '/settings/tokens/:id/revoke', access: 'session', run: visit => tokens.revokePage(visit, []) },
  { method: 'POST', path: '/settings/tokens/:id/revoke', access: 'session', run: tokens.revoke },
  { method: 'GET', path: '/settings/organisation/mail', access: 'admin', run: organisation.sampleMail },
  { method: 'GET', path: '/settings/organisation', access: 'admin', run: visit => organisation.page(visit) },
  confirmedRoute(
    { method: 'POST', path: '/settings/organisation', access: 'admin', run: organisation.save },
    '/settings/organisation',
  ),
  confirmedRoute(
    { method: 'POST', path: '/settings/organisation/documents', access: 'admin', run: organisation.saveHabits },
    '/settings/organisation',
  ),
  { method: 'GET', path: '/logo', access: 'public', run: organisation.getLogo },
  { method: 'GET', path: '/brand.css', access: 'public', run: organisation.getBrandStyleSheet },
  confirmedRoute(
    {
      method: 'POST',
      path: '/settings/organisation/logo',
      access: 'admin',
      upload: () => organisation.MAX_UPLOAD_BYTES,
      run: organisation.postLogo,
    },
    '/settings/organisation',
  ),
  confirmedRoute(
    {
      method: 'POST',
      path: '/settings/organisation/logo/remove',
      access: 'admin',
      run: organisation.postRemoveLogo,
    },
    '/settings/organisation',
  ),
  { method: 'GET', path: '/settings/seal', access: 'admin', run: visit => seal.page(visit) },
  { method: 'POST', path: '/settings/seal/test', access: 'admin', run: seal.runSealTest },
  {
    method: 'POST',
    path: '/settings/seal/renew',
    access: 'admin',
    run: visit => seal.confirmedChange(visit, 'renewed', () => renewSealCertificate(visit.app, senderVisit.originOf(visit))),
  },
  {
    method: 'POST',
    path: '/settings/seal/import',
    access: 'admin',
    upload: () => seal.MAX_UPLOAD_BYTES,
    run: seal.importCertificate,
  },
  { method: 'POST', path: '/settings/seal/:id/revoke', access: 'admin', run: seal.revoke },
  { method: 'GET', path: '/settings/seal/form', access: 'admin', run: visit => sealForm.page(visit) },
  { method: 'POST', path: '/settings/seal/form', access: 'admin', run: sealForm.save },
  { method: 'GET', path: '/settings/seal/time-stamps', access: 'admin', run: visit => timestamps.page(visit) },
  {
    method: 'POST',
    path: '/settings/seal/time-stamps',
    access: 'admin',
    upload: () => timestamps.MAX_UPLOAD_BYTES,
    run: timestamps.save,
  },
  { method: 'POST', path: '/settings/seal/time-stamps/test', access: 'admin', run: timestamps.test },
  { method: 'GET', path: '/settings/seal/root.cer', access: 'admin', run: timestamps.rootFile },
  { method: 'GET', path: '/settings/email', access: 'admin', run: visit => mailSettings.page(visit) },
  { method: 'POST', path: '/settings/email', access: 'admin', run: mailSettings.save },
  { method: 'POST', path: '/settings/email/test', access: 'admin', run: mailSettings.test },
  {
    method: 'GET',
    path: '/settings/organisation/signing-links',
    access: 'admin',
    run: visit => organisation.signingLinkSettingsPage(visit),
  },
  { method: 'POST', path: '/settings/organisation/signing-links', access: 'admin', run: organisation.saveSigningLinkSettings },

  // documents
  { method: 'GET', path: '/documents', access: 'session', run: documentList.listPage },
  documentList.bulkRoute('remind', documentList.remindPicked),
  documentList.bulkRoute('void', documentList.voidPicked, form => documentList.textIn(form, 'reason') !== ''),
  documentList.bulkRoute('label', documentList.labelPicked, form => documentList.textIn(form, 'label') !== ''),
  { method: 'POST', path: '/documents/bulk/download', access: 'session', run: documentList.postDownload },
  { method: 'GET', path: '/documents/:id', access: 'session', run: visit => document.documentPage(visit) },
  { method: 'GET', path: '/documents/:id/file', access: 'session', run: documentActions.getFile },
  { method: 'GET', path: '/documents/:id/fields/:field/file', access: 'session', run: documentActions.getFieldFile },
  { method: 'GET', path: '/documents/:id/evidence', access: 'session', run: documentActions.getEvidence },
  documentActions.action('remind', documentActions.postRemind),
  documentActions.action('void', documentActions.postVoid),
  documentActions.action('delete', documentActions.postDelete),
  documentActions.action('labels', documentActions.postLabels),
  documentActions.holdAction('hold', 'held', setLegalHold),
  documentActions.holdAction('lift-hold', 'hold-lifted', liftLegalHold),
  documentActions.action('duplicate', documentActions.postDuplicate),
  documentActions.action('seal', documentActions.postSeal),
  documentActions.action('recipients/:recipient/correct', documentActions.postCorrect),
  documentActions.action('recipients/:recipient/signing-link', documentActions.postSigningLink),
  documentActions.action('recipients/:recipient/unlock', documentActions.postUnlock),
  ...draftKind.DRAFT_KINDS.flatMap((kind): PageRoute[] => [
    { method: 'GET', path: `${kind.root}/:id/pages`, access: 'session', run: visit => documentView.getPages(visit, kind) },
    { method: 'GET', path: `${kind.root}/:id/marks`, access: 'session', run: visit => documentView.getMarks(visit, kind) },
  ]),
  {
    method: 'GET',
    path: '/documents/live',
    access: 'session',
    isBackground: true,
    run: async visit => live.changesOf(visit, undefined),
  },
  { method: 'GET', path: '/documents/:id/live', access: 'session', isBackground: true, run: live.documentStream },
  { method: 'GET', path: '/templates/:id/live', access: 'session', isBackground: true, run: live.templateStream },

  // drafting
  { method: 'GET', path: '/documents/new', access: 'sender', run: async visit => newDocument.show(visit) },
  uploadRoutes.uploadRoute({
    path: '/documents/new',
    make: newDocument.make,
    show: async (visit, { reason }, text) =>
      newDocument.show(visit, [{ path: 'file', message: text }], ERROR_CODES[reason].status),
  }),
  ...draftKind.DRAFT_KINDS.flatMap((kind): PageRoute[] => {
    const shared = { path: `${kind.root}/:id/draft`, access: 'sender', refused: draft.refused } as const
    return [
      { ...shared, method: 'GET', run: visit => draft.getDraft(visit, kind) },
      { ...shared, method: 'POST', run: visit => draft.postDraft(visit, kind) },
      { method: 'GET', path: `${kind.root}/:id/proposals`, access: 'sender', run: visit => draft.getProposals(visit, kind) },
    ]
  }),
  ...draftAccess.draftPages('people', draftPeople.get, draftPeople.post),
  ...draftAccess.draftPages('fields', draftFields.get, draftFields.post),
  ...draftAccess.draftPages('review', draftReview.show, draftReview.post, [draftKind.DOCUMENT]),

  // templates
  { method: 'GET', path: '/templates', access: 'session', run: templates.list },
  { method: 'GET', path: '/templates/new', access: 'sender', run: visit => templates.newTemplatePage(visit) },
  uploadRoutes.uploadRoute({
    path: '/templates/new',
    make: templates.makeTemplate,
    show: (visit, { reason }, text) =>
      templates.newTemplatePage(visit, [{ path: 'file', message: text }], ERROR_CODES[reason].status),
  }),
  { method: 'GET', path: '/templates/:id', access: 'session', run: visit => template.show(visit) },
  { method: 'GET', path: '/templates/:id/file', access: 'session', run: template.getFile },
  template.action('/templates/:id/share', template.postShare),
  template.action('/templates/:id/duplicate', template.postDuplicate),
  template.action('/templates/:id/delete', template.postDelete),
  template.action('/documents/:id/template', template.postFromDocument),
  uploadRoutes.uploadRoute({ path: '/templates/:id/replace', make: template.replace, show: template.replaceRefused }),
  ...draftAccess.draftPages('settings', templateSettings.show, templateSettings.post, [draftKind.TEMPLATE]),
  { method: 'GET', path: '/templates/:id/use', access: 'sender', run: templateUse.get },
  { method: 'POST', path: '/templates/:id/use', access: 'sender', run: templateUse.post },

  // contacts
  { method: 'GET', path: '/contacts', access: 'sender', run: contacts.list },
  { method: 'GET', path: '/contacts/new', access: 'sender', run: contacts.getNew },
  { method: 'POST', path: '/contacts/new', access: 'sender', run: contacts.postNew },
  { method: 'GET', path: '/contacts/:id', access: 'sender', run: contacts.getContact },
  { method: 'POST', path: '/contacts/:id', access: 'sender', run: contacts.postContact },
  { method: 'GET', path: '/contacts/:id/forget', access: 'sender', run: contacts.getForget },
  { method: 'POST', path: '/contacts/:id/forget', access: 'sender', run: contacts.postForget },

  // batches
  { method: 'GET', path: '/templates/:id/bulk', access: 'sender', run: visit => bulk.page(visit) },
  { method: 'GET', path: '/templates/:id/bulk/list.csv', access: 'sender', run: bulk.getList },
  {
    method: 'POST',
    path: '/templates/:id/bulk',
    access: 'sender',
    upload: () => MAX_CSV_BYTES,
    run: bulk.upload,
    refused: bulk.refused,
  },
  batchDraft.action('reading', batchDraft.postReading),
  batchDraft.action('send', batchDraft.postSend),
  batchDraft.action('discard', batchDraft.postDiscard),
  { method: 'GET', path: '/batches/:id/errors.csv', access: 'sender', run: batchDraft.getErrors },
  { method: 'GET', path: '/batches/:id', access: 'session', run: batch.page },
  { method: 'GET', path: '/batches/:id/results.csv', access: 'session', run: batch.getResults },
  { method: 'POST', path: '/batches/:id/stop', access: 'sender', run: batch.postStop },
  { method: 'POST', path: '/batches/:id/retry', access: 'sender', run: batch.postRetry },
  { method: 'GET', path: '/batches/:id/live', access: 'session', isBackground: true, run: batchLive.getLive },

  // backups
  { method: 'GET', path: '/settings/backups', access: 'admin', run: visit => backups.page(visit) },
  { method: 'POST', path: '/settings/backups', access: 'admin', run: backups.save },
  { method: 'POST', path: '/settings/backups/run', access: 'admin', run: backups.runNow },
  { method: 'POST', path: '/settings/backups/key-copy', access: 'admin', run: backups.testCopy },
  { method: 'POST', path: '/settings/backups/later', access: 'admin', run: backups.postKeyCopyLater },
  { method: 'GET', path: '/settings/backups/:id/file', access: 'admin', run: visit => backups.backupDownloadPage(visit) },
  { method: 'POST', path: '/settings/backups/:id/file', access: 'admin', run: backups.downloadFile },
  ...settingsAccess.questionRoutes('/settings/backups/resume', backups.sendingPausePage, visit =>
    resumeSending(visit.app, senderVisit.originOf(visit)),
  ),

  // health
  ...settingsAccess.questionRoutes('/settings/clock', health.clockPage, health.postClockAnswer),
  ...settingsAccess.questionRoutes('/settings/health/upgrade', health.upgradePage, visit =>
    finishUpgrade(visit.app, senderVisit.originOf(visit)),
  ),
  { method: 'GET', path: '/settings/health', access: 'auditor', run: health.healthPage },
  { method: 'POST', path: '/settings/health/check', access: 'auditor', run: health.postCheck },
  { method: 'POST', path: '/settings/health/retry', access: 'admin', run: health.postRetry },

  // webhooks
  { method: 'GET', path: '/settings/webhooks', access: 'session', run: webhooks.listPage },
  {
    method: 'GET',
    path: '/settings/webhooks/new',
    access: 'sender',
    run: visit => webhooks.formPage(visit, undefined, { values: webhooks.NO_VALUES }),
  },
  { method: 'POST', path: '/settings/webhooks', access: 'sender', run: webhooks.create },
  {
    method: 'GET',
    path: '/settings/webhooks/:id',
    access: 'session',
    run: async visit => webhooks.webhookPage(visit, await webhooks.chosenWebhook(visit)),
  },
  { method: 'GET', path: '/settings/webhooks/:id/edit', access: 'sender', run: webhooks.editPage },
  { method: 'POST', path: '/settings/webhooks/:id/edit', access: 'sender', run: webhooks.edit },
  confirmedRoute(
    { method: 'POST', path: '/settings/webhooks/:id/enable', access: 'sender', run: visit => webhooks.setEnabled(visit, true) },
    '/settings/webhooks',
  ),
  confirmedRoute(
    { method: 'POST', path: '/settings/webhooks/:id/disable', access: 'sender', run: visit => webhooks.setEnabled(visit, false) },
    '/settings/webhooks',
  ),
  { method: 'POST', path: '/settings/webhooks/:id/test', access: 'sender', run: webhooks.sendTest },
  {
    method: 'GET',
    path: '/settings/webhooks/:id/rotate',
    access: 'sender',
    run: visit => webhookQuestions.questionPage(visit, 'rotate'),
  },
  { method: 'POST', path: '/settings/webhooks/:id/rotate', access: 'sender', run: webhookQuestions.postRotate },
  {
    method: 'GET',
    path: '/settings/webhooks/:id/delete',
    access: 'sender',
    run: visit => webhookQuestions.questionPage(visit, 'delete'),
  },
  { method: 'POST', path: '/settings/webhooks/:id/delete', access: 'sender', run: webhookQuestions.postDelete },
  { method: 'GET', path: '/settings/webhooks/:id/redeliver', access: 'sender', run: visit => webhookQuestions.resendPage(visit) },
  { method: 'POST', path: '/settings/webhooks/:id/redeliver', access: 'sender', run: webhookQuestions.postResend },
  { method: 'GET', path: '/settings/webhooks/:id/deliveries', access: 'session', run: webhookDeliveries.listPage },
  {
    method: 'GET',
    path: '/settings/webhooks/:id/deliveries/:deliveryId',
    access: 'session',
    run: webhookDeliveries.deliveryPage,
  },
  {
    method: 'POST',
    path: '/settings/webhooks/:id/deliveries/:deliveryId/redeliver',
    access: 'sender',
    run: webhookDeliveries.sendAgain,
  },
  { method: 'GET', path: '/settings/webhooks/networks', access: 'admin', run: visit => webhooks.networksPage(visit) },
  { method: 'POST', path: '/settings/webhooks/networks', access: 'admin', run: webhooks.saveNetworks },

  // outbox
  { method: 'GET', path: '/outbox', access: 'admin', run: outbox.listPage },
  { method: 'GET', path: '/outbox/:id', access: 'admin', run: outbox.guarded(outbox.mailPage) },
  { method: 'GET', path: '/outbox/:id/html', access: 'admin', run: outbox.guarded(outbox.htmlPart) },
  { method: 'GET', path: '/outbox/:id/attachments/:number', access: 'admin', run: outbox.guarded(outbox.attachmentPart) },
  { method: 'POST', path: '/outbox/:id/retry', access: 'admin', run: outbox.retry },
  { method: 'GET', path: '/outbox/:id/fail', access: 'admin', run: visit => outbox.failPage(visit) },
  { method: 'POST', path: '/outbox/:id/fail', access: 'admin', run: outbox.fail },

  // audit
  { method: 'GET', path: '/settings/audit/checkpoints', access: 'admin', run: visit => checkpoints.page(visit) },
  { method: 'POST', path: '/settings/audit/checkpoints', access: 'admin', run: checkpoints.save },
  { method: 'POST', path: '/settings/audit/checkpoints/run', access: 'admin', run: checkpoints.runNow },
  { method: 'GET', path: '/settings/audit/checkpoints/:id', access: 'admin', run: checkpoints.download },
  ...witness.formRoutes('/settings/audit/witness', witness.page, witness.save),
  { method: 'POST', path: '/settings/audit/witness/ask', access: 'admin', run: witness.ask },
  { method: 'GET', path: '/settings/audit/witness/certificate.pem', access: 'admin', run: witness.certificateFile },
  ...witness.formRoutes('/settings/audit/witnessed', witness.listPage, witness.add),
  ...witness.instanceRoutes('/settings/audit/witnessed/:id'),
  { method: 'GET', path: '/settings/audit', access: 'auditor', run: audit.listPage },
  { method: 'GET', path: '/settings/audit/:sequence', access: 'auditor', run: audit.entryPage },
  confirmedRoute({ method: 'POST', path: '/settings/audit/export', access: 'auditor', run: audit.postExport }, '/settings/audit'),
  { method: 'POST', path: '/settings/audit/check', access: 'auditor', run: audit.startCheck },
  { method: 'POST', path: '/settings/audit/checkpoint', access: 'auditor', run: audit.postCheckpoint },

  // signing
  ...SIGNER_PAGES,
  ...SIGNER_PAGES.flatMap(signingLinks.framed),
  { ...signing.signerRoute('GET', '/s/once/:token', signingLinks.orGoOn(signingLinks.getLanding)), isFramable: true },
  { ...signing.signerRoute('POST', '/s/once/:token', signingLinks.orGoOn(signingLinks.postLanding)), isFramable: true },
  {
    method: 'GET',
    path: '/embed.js',
    access: 'public',
    run: async ({ request }) => ({ response: embedScriptResponse(request) }),
  },
  signNow.ofAccount(signing.signerRoute('GET', '/sign-now/:recipient', signNow.getLanding)),
  confirmedRoute(
    signNow.ofAccount(signing.signerRoute('POST', '/sign-now/:recipient', signNow.postOpen)),
    '/documents?view=attention',
  ),
  confirmedRoute(
    signNow.ofAccount(signing.signerRoute('POST', '/sign-now/:recipient/code', signNow.postCode)),
    '/documents?view=attention',
  ),

  // verify
  { method: 'GET', path: '/verify', access: 'public', isForOutsiders: true, run: visit => verify.page(verify.readerOf(visit)) },
  {
    method: 'POST',
    path: '/verify',
    access: 'public',
    isForOutsiders: true,
    upload: verifiableBytes,
    isToDisk: true,
    admit: ({ app, client }) => countAttempt(app, 'verify', client.ip, localized('tooManyFiles')),
    refused: verify.refused,
    run: verify.verify,
  },

  {
    method: 'POST',
    path: '/verify/record',
    access: 'public',
    isForOutsiders: true,
    isBackground: true,
    admit: ({ app, client }) => countAttempt(app, 'verify', client.ip, localized('tooManyFiles')),
    run: verify.record,
  },
  {
    method: 'GET',
    path: '/verify.html',
    access: 'public',
    run: async ({ request }) => ({ response: verifyPageResponse(request) }),
  },

  // reference
  { method: 'GET', path: '/design', access: 'public', run: reference.getDesign },
]
