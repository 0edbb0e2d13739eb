/** One sentence for each kind of entry of the audit log, in English, and a name for the filter. */
import type { EventType, InstanceEvent } from '../../../core/document/event.ts'

/** What a sentence may name. Texts that the entry does not have are empty. */
export interface EntryFacts {
  /** The actor: a person, an API token, Signet or the command line. */
  who: string
  /** The title in quotation marks, words if it was deleted; of a template with that word. */
  document: string
  /** The recipient whom the entry is about. */
  recipient: string
  /** They approve the document rather than sign it. */
  isApproval: boolean
  /** The user whom `data.userId` names. */
  user: string
  /** Of a hand-over: who had it before, empty if nobody had; and who has it now. */
  giver: string
  receiver: string
  /** The name of the API token that `data.keyId` names. */
  key: string
  /** How somebody signed in. */
  methods: string
  /** The browser and the system of the request. */
  device: string
  /** A member of the entry's data or of its personal data. */
  text(member: string): string
}

type Texts = Record<EventType | InstanceEvent, [name: string, sentence: (facts: EntryFacts) => string]>

/** With its article. */
const ROLES: Record<string, string> = { admin: 'an administrator', member: 'a member', auditor: 'an auditor' }
const roleOf = (role: string) => ROLES[role] ?? role

const handedOver = ({ who, document, giver, receiver }: EntryFacts) =>
  `${who} handed ${document} over${giver && ` from ${giver}`} to ${receiver}.`

export const auditEvents: Texts = {
  'document.created': ['Document created', f => `${f.who} created ${f.document}.`],
  'document.updated': ['Draft edited', f => `${f.who} edited the draft ${f.document}.`],
  'document.sent': ['Document sent', f => `${f.who} sent ${f.document} for signature.`],
  'document.viewed': ['Document opened', f => `${f.who} opened ${f.document}.`],
  'document.sealing': ['Sealing started', f => `Everyone has finished: sealing of ${f.document} started.`],
  'document.sealing_failed': ['Sealing failed', f => `${f.document} could not be sealed: ${f.text('cause')}`],
  'document.completed': ['Document completed', f => `${f.document} was completed and sealed.`],
  'document.seal_augmented': ['Seal augmented', f => `Time-stamps or revocation data were added to the seal of ${f.document}.`],
  'document.declined': ['Document declined', f => `${f.who} declined ${f.document}.`],
  'document.voided': ['Document voided', f => `${f.who} voided ${f.document}.`],
  'document.expired': ['Document expired', f => `${f.document} expired before everyone had finished.`],
  'document.deleted': ['Document deleted', f => `${f.who} deleted a document with its files and personal data.`],
  'document.erased': ['Document erased', f => `${f.who} erased a document with its files and personal data.`],
  'document.legal_hold_set': ['Legal hold set', f => `${f.who} set a legal hold on ${f.document}.`],
  'document.legal_hold_lifted': ['Legal hold lifted', f => `${f.who} lifted the legal hold on ${f.document}.`],
  'document.owner_changed': ['Document handed over', f => handedOver(f)],
  'template.created': ['Template created', f => `${f.who} created ${f.document}.`],
  'template.updated': ['Template changed', f => `${f.who} changed ${f.document}.`],
  'template.deleted': ['Template deleted', f => `${f.who} deleted a template. Documents made from it stay.`],
  'template.owner_changed': ['Template handed over', f => handedOver(f)],
  'recipient.notified': ['Recipient invited', f => `${f.who} invited ${f.recipient} to ${f.document}.`],
  'recipient.reminded': ['Recipient reminded', f => `${f.who} reminded ${f.recipient} of ${f.document}.`],
  'recipient.consented': [
    'Consent given',
    f => `${f.recipient} agreed to version ${f.text('consentVersion')} of the consent text for ${f.document}.`,
  ],
  'recipient.signed': ['Signed or approved', f => `${f.recipient} ${f.isApproval ? 'approved' : 'signed'} ${f.document}.`],
  'recipient.corrected': [
    'Recipient corrected',
    f => `${f.who} corrected the name or address of ${f.recipient} in ${f.document}.`,
  ],
  'recipient.delegated': ['Handed over to a colleague', f => `${f.who} handed ${f.document} over to a colleague.`],
  'recipient.email_accepted': ['E-mail sent', f => `The mail server accepted the e-mail to ${f.recipient} about ${f.document}.`],
  'recipient.email_written': [
    'E-mail written to the outbox',
    f =>
      f.text('mail') === 'one_time_code'
        ? `The one-time code of ${f.recipient} for ${f.document} was written to the outbox folder.`
        : `The e-mail to ${f.recipient} about ${f.document} was written to the outbox folder.`,
  ],
  'recipient.email_failed': ['E-mail failed', f => `The e-mail to ${f.recipient} about ${f.document} could not be delivered.`],
  'recipient.access_code_failed': ['Wrong access code', f => `${f.recipient} entered a wrong access code for ${f.document}.`],
  'recipient.link_created': [
    'Signing link handed out',
    f => `${f.who} had a signing link made for ${f.recipient}: ${f.document}.`,
  ],
  'recipient.link_opened': [
    'Handed-out link opened',
    f => `${f.recipient} opened ${f.document} by the link that had been handed out.`,
  ],
  'recipient.link_requested': ['New link asked for', f => `${f.recipient} asked for a new link to ${f.document}.`],
  'recipient.opened_from_app': [
    'Opened from the web app',
    f => `${f.recipient} was signed in to the web app and opened ${f.document} there, not by a mailed link.`,
  ],
  'recipient.access_code_accepted': ['Access code entered', f => `${f.recipient} entered the access code for ${f.document}.`],
  'recipient.code_sent': ['One-time code requested', f => `${f.recipient} asked for a one-time code for ${f.document}.`],
  'recipient.code_failed': ['Wrong one-time code', f => `${f.recipient} entered a wrong one-time code for ${f.document}.`],
  'recipient.identified': ['One-time code entered', f => `${f.recipient} entered the one-time code for ${f.document}.`],
  'recipient.access_code_locked': [
    'Access code locked',
    f => `${f.recipient} entered a wrong access code too often: ${f.document} is locked for them.`,
  ],
  'recipient.access_code_unlocked': [
    'Access code unlocked',
    f => `${f.who} gave ${f.recipient} new tries for the code of ${f.document}.`,
  ],
  'organisation.changed': ['Organisation changed', f => `${f.who} changed the organisation’s details.`],
  'settings.changed': ['Settings changed', f => `${f.who} changed a setting of the service.`],
  'retention.changed': ['Retention changed', f => `${f.who} changed how long ended documents are kept.`],
  'retention.announced': [
    'Erasure announced',
    f => `The administrators were informed that ${f.text('count')} documents are to be erased.`,
  ],
  'seal_certificate.created': ['Seal certificate made', f => `${f.who} had the first seal certificate of the organisation made.`],
  'seal_certificate.renewed': ['Seal certificate renewed', f => `${f.who} renewed the seal certificate.`],
  'seal_certificate.imported': ['Seal certificate imported', f => `${f.who} imported a seal certificate.`],
  'seal_certificate.revoked': ['Seal certificate revoked', f => `${f.who} revoked a seal certificate.`],
  'user.created': ['User added', f => `${f.who} added the user ${f.user}.`],
  'user.password_reset_link_issued': [
    'Password reset link issued',
    f => `${f.who} issued a link to reset the password of ${f.user}.`,
  ],
  'user.password_changed': ['Password changed', f => `${f.who} changed their password.`],
  'user.sessions_ended': ['Sessions ended', f => `${f.who} ended ${f.text('sessions')} of their sessions.`],
  'user.second_factor_added': ['Second factor set up', f => `${f.who} set up an authenticator app.`],
  'user.second_factor_removed': ['Second factor removed', f => `${f.who} removed the second factor of ${f.user}.`],
  'user.recovery_codes_renewed': ['Recovery codes renewed', f => `${f.who} created new recovery codes.`],
  'user.recovery_code_used': ['Recovery code used', f => `${f.who} signed in with a recovery code; ${f.text('left')} are left.`],
  'user.passkey_added': ['Passkey added', f => `${f.who} added the passkey “${f.text('name')}”.`],
  'user.passkey_renamed': ['Passkey renamed', f => `${f.who} renamed the passkey “${f.text('from')}” to “${f.text('to')}”.`],
  'user.passkey_removed': ['Passkey removed', f => `${f.who} removed the passkey “${f.text('name')}”.`],
  'user.passkey_refused': [
    'Passkey refused',
    f => `The passkey “${f.text('name')}” of ${f.user} was refused: its counter went back, as after a copy.`,
  ],
  'user.identity_linked': ['Identity linked', f => `${f.who} linked the account ${f.text('email')} at the identity provider.`],
  'user.identity_unlinked': [
    'Identity unlinked',
    f => `${f.who} unlinked the account ${f.text('email')} at the identity provider.`,
  ],
  'sign_in.refused': ['Sign-in refused', f => `A sign-in by the identity provider was refused. ${f.text('reason')}`],
  'user.signed_in': ['Signed in', f => `${f.who} signed in (${f.methods}; ${f.device}).`],
  'user.signed_out': ['Signed out', f => `${f.who} signed out.`],
  'user.sign_in_delayed': [
    'Sign-in delayed',
    f => `After several wrong ${f.text('guessed') === 'code' ? 'codes' : 'passwords'}, sign-ins of ${f.user} have to wait.`,
  ],
  'sign_in.changed': [
    'Sign-in settings changed',
    f => `${f.who} made the second factor ${f.text('secondFactor') === 'required' ? 'required of everybody' : 'optional'}.`,
  ],
  'user.password_reset': ['Password reset', f => `The password of ${f.user} was reset.`],
  'user.invited': ['User invited', f => `${f.who} invited ${f.user} as ${roleOf(f.text('role'))}.`],
  'user.invitation_renewed': ['Invitation renewed', f => `${f.who} sent ${f.user} a new invitation.`],
  'user.invitation_withdrawn': ['Invitation withdrawn', f => `${f.who} withdrew the invitation of ${f.user}.`],
  'user.email_change_requested': ['Address to be changed', f => `${f.who} asked for another e-mail address of ${f.user}.`],
  'user.email_changed': ['Address changed', f => `The e-mail address of ${f.user} was changed: the new one confirmed it.`],
  'user.email_change_stopped': [
    'Change of address stopped',
    f =>
      f.text('takenBack') === 'true'
        ? `The old e-mail address of ${f.user} took the change back.`
        : `The change of the e-mail address of ${f.user} was stopped.`,
  ],
  'user.renamed': ['User renamed', f => `${f.who} changed the name of ${f.user}.`],
  'user.role_changed': ['Role changed', f => `${f.who} made ${f.user} ${roleOf(f.text('to'))}.`],
  'user.disabled': ['User disabled', f => `${f.who} disabled the account of ${f.user}.`],
  'user.enabled': ['User enabled', f => `${f.who} enabled the account of ${f.user}.`],
  'user.removed': ['User removed', f => `${f.who} removed the account of ${f.user}.`],
  'user.documents_handed_over': [
    'Documents handed over',
    f => `${f.who} handed the documents of ${f.giver} over to ${f.receiver}.`,
  ],
  'api_key.created': ['API token created', f => `${f.who} created an API token${f.key && ` “${f.key}”`}.`],
  'api_key.revoked': ['API token revoked', f => `${f.who} revoked an API token${f.key && ` “${f.key}”`}.`],
  'webhook.created': ['Webhook added', f => `${f.who} added a webhook to ${f.text('host')}.`],
  'webhook.changed': ['Webhook changed', f => `${f.who} changed the webhook to ${f.text('host')}.`],
  'webhook.enabled': ['Webhook enabled', f => `${f.who} enabled the webhook to ${f.text('host')}.`],
  'webhook.disabled': [
    'Webhook disabled',
    f => `${f.who} disabled the webhook to ${f.text('host')}${f.text('reason') && `: ${f.text('reason')}`}.`,
  ],
  'webhook.secret_replaced': [
    'Webhook secret replaced',
    f => `${f.who} replaced the secret of the webhook to ${f.text('host')}.`,
  ],
  'webhook.deleted': ['Webhook deleted', f => `${f.who} deleted the webhook to ${f.text('host')}.`],
  'webhook.redelivered': [
    'Events sent again',
    f => `${f.who} sent ${f.text('queued')} failed events to ${f.text('host')} again.`,
  ],
  'master_key.rotated': [
    'Master key replaced',
    f => `${f.who} replaced the master key and encrypted ${f.text('secrets')} secrets anew.`,
  ],
  'master_key.copy_tested': ['Copy of the master key tested', f => `${f.who} tested a copy of the master key ${f.text('key')}.`],
  'alert.raised': ['Warning', f => `Warning: ${f.text('message')}`],
  'alert.ended': ['Warning ended', f => `The warning “${f.text('kind')}” ended.`],
  'instance.set_up': ['Signet set up', f => `${f.who} set up Signet with the link that was printed at its start.`],
  'instance.restored': ['Restored from a backup', f => `${f.who} restored this installation from a backup.`],
  'clock.confirmed': ['Clock confirmed', f => `${f.who} said that the clock is right again.`],
  'sending.resumed': ['Sending resumed', f => `${f.who} resumed sending after a restore.`],
  'upgrade.finished': [
    'Upgrade finished',
    f => `${f.who} finished the upgrade to version ${f.text('version')}: older releases can no longer serve.`,
  ],
  'backups.changed': ['Backups set up', f => `${f.who} changed when and where backups are made.`],
  'backup.downloaded': ['Backup downloaded', f => `${f.who} downloaded the backup ${f.text('file')}.`],
  'batch.created': ['Batch started', f => `${f.who} started the batch “${f.text('title')}” with ${f.text('total')} documents.`],
  'batch.resumed': ['Batch resumed', f => `${f.who} sent the ${f.text('waiting')} remaining documents of a batch again.`],
  'batch.stopped': [
    'Batch stopped',
    f => `${f.who} stopped a batch: ${f.text('sent')} documents were sent, ${f.text('stopped')} were not.`,
  ],
  'batch.finished': [
    'Batch finished',
    f => `A batch was finished: ${f.text('sent')} documents were sent, ${f.text('failed')} failed.`,
  ],
  'audit.exported': ['Audit log exported', f => `${f.who} exported entries of the audit log (${f.text('format')}).`],
  'audit.checked': [
    'Audit log checked',
    f =>
      f.text('firstInvalid') === ''
        ? `${f.who} checked the audit log: ${f.text('entries')} entries, all intact.`
        : `${f.who} checked the audit log: entry ${f.text('firstInvalid')} was changed.`,
  ],
  'audit.checkpoint_made': ['Checkpoint made', f => `${f.who} made a signed checkpoint of the audit log.`],
  'witness.refused': [
    'Checkpoint not co-signed',
    f => `A checkpoint of the instance ${f.text('instance')} did not continue the log that was seen before.`,
  ],
  'witness.added': ['Witnessed instance added', f => `${f.who} added an instance whose checkpoints are co-signed here.`],
  'witness.certificate_replaced': [
    'Certificate of a witnessed instance replaced',
    f => `${f.who} replaced the certificate of an instance whose checkpoints are co-signed here.`,
  ],
  'witness.begun_anew': [
    'Witnessed log begun anew',
    f => `${f.who} allowed an instance whose checkpoints are co-signed here to begin anew after ${f.text('seen')} entries.`,
  ],
  'witness.removed': ['Witnessed instance removed', f => `${f.who} ended the co-signing of another instance’s checkpoints.`],
}
