/** Settings → Backups, and the pause of sending after a restore. */
const count = (n: number) => n.toLocaleString('en')
const some = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${count(n)} ${many}`)

export const backups = {
  pause: {
    title: 'Resume sending',
    strip: 'Nothing is sent: this instance was restored from a backup.',
    stripLink: 'See what waits',
    lead: (restored: string, made: string) => `This instance was restored ${restored} from a backup made ${made}.`,
    why: 'What was due when the backup was made may have been sent since. Until you resume sending, e-mails, webhook deliveries, reminders and expiry dates wait. People can sign, and documents are sealed.',
    waits: 'This goes out as soon as you resume',
    nothing: 'Nothing is due at the moment. New e-mails will go out again.',
    mails: (n: number) => some(n, 'e-mail', 'e-mails'),
    webhooks: (n: number) => some(n, 'webhook delivery', 'webhook deliveries'),
    reminders: (n: number) => some(n, 'reminder', 'reminders'),
    expiring: (n: number) => `${some(n, 'document', 'documents')} will expire`,
    seeMails: 'See the e-mails',
    irreversible: 'What has been sent cannot be called back. Someone may receive an e-mail for the second time.',
    reason: 'Resuming sends e-mails to other people.',
    resume: 'Resume sending',
    notPaused: 'Sending is not paused',
    notPausedText: 'E-mails, webhook deliveries and reminders go out as usual.',
  },
}
