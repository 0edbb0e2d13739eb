/**
 * Why a file store, another server, a mail server or the kernel fails, in English: clauses, but
 * whole sentences of mail servers. It types the parameters.
 */
import { HOST_TEXTS, LIBC_TEXTS, SERVER_TEXTS, SPECIAL_TEXTS } from '../../lib/failure-texts.ts'

interface Mailing {
  /** Host and port. */
  server: string
}
interface Answered extends Mailing {
  /** In the words of the server. */
  said: string
}
interface Waited extends Mailing {
  time: string
}
/** What to change, for the security that is set. */
interface Hinted extends Mailing {
  hint: string
}

export const reasons = {
  ...SERVER_TEXTS,
  ...SPECIAL_TEXTS,
  ...HOST_TEXTS,
  // A file store.
  store_silent: () => 'the file store does not answer',
  store_unreached: ({ errno }: { errno: string }) => `the file store does not answer (${errno})`,
  store_untrusted: ({ errno }: { errno: string }) =>
    `the file store does not answer (${errno}): trust the authority of its certificate by SSL_CERT_FILE`,
  store_answers: ({ answer }: { answer: string }) => `the file store answers ${answer}`,
  store_refuses: ({ answer, reason }: { answer: string; reason: string }) => `the file store answers ${answer}: ${reason}`,
  store_cut_off: () => 'the connection to the file store ended',
  bucket_missing: () => 'the bucket does not exist: create it, or correct its name',
  bucket_elsewhere: () => 'the bucket is at another address or region: correct the URL',
  key_without_right: () => 'the access key lacks the right to do this: allow it to get, put, delete and list objects',
  key_unknown: () => 'the access key is unknown to the store: correct it',
  key_of_other_secret: () => 'the secret does not belong to the access key: correct it',
  store_clock_differs: () => 'the clock of this machine differs from that of the store: set it',
  region_wrong: () => 'the region is wrong: correct region= in the URL',
  // A mail server.
  mail_refuses_sender: ({ server, said }: Answered) => `The mail server ${server} refused the sender: ${said}`,
  mail_refuses_recipient: ({ server, said }: Answered) => `The mail server ${server} refused the recipient: ${said}`,
  mail_refuses_mail: ({ server, said }: Answered) => `The mail server ${server} refused the mail: ${said}`,
  mail_refuses_connection: ({ server, said }: Answered) => `The mail server ${server} refused the connection: ${said}`,
  mail_refuses_login: ({ server, said }: Answered) =>
    `The mail server ${server} refused the login; check user name and password. It said: ${said}`,
  mail_without_login: ({ server }: Mailing) =>
    `The mail server ${server} offers no login on this connection; remove the user name or choose another security or port.`,
  mail_without_starttls: ({ server, hint, said }: Hinted & Answered) =>
    `The mail server ${server} offers no STARTTLS; ${hint}. It said: ${said}`,
  mail_not_tls: ({ server, hint }: Hinted) =>
    `The mail server ${server} does not begin with TLS on this port (wrong version number); ${hint}.`,
  mail_tls_failed: ({ server, words, name }: Mailing & { words: string; name: string }) =>
    `The mail server ${server} could not establish TLS: ${words}; check that its certificate is valid for ${name}.`,
  mail_not_found: ({ server, name, errno }: Mailing & { name: string; errno: string }) =>
    `The mail server ${server} could not be found: ${name} does not resolve (${errno}); check the host name.`,
  mail_connection_refused: ({ server, errno }: Mailing & { errno: string }) =>
    `The mail server ${server} refused the connection (${errno}); check host and port.`,
  mail_closed: ({ server, hint }: Hinted) => `The mail server ${server} closed the connection; ${hint}.`,
  mail_unreachable: ({ server, time }: Waited) =>
    `The mail server ${server} could not be reached within ${time}; check host, port and firewall.`,
  mail_without_greeting: ({ server, time, hint }: Waited & Hinted) =>
    `The mail server ${server} sent no greeting within ${time}; ${hint}.`,
  mail_silent: ({ server, time }: Waited) => `The mail server ${server} did not answer within ${time}.`,
  mail_slow: ({ server, time }: Waited) => `The mail server ${server} took longer than ${time}.`,
  mail_stopped: ({ server }: Mailing) => `The mail server ${server} was not waited for: sending has been stopped.`,
  mail_unusable: ({ server, words }: Mailing & { words: string }) => `The mail server ${server} could not be used: ${words}.`,
  // Measures of the kernel for processes that read PDFs, in a list.
  no_new_privileges: () => 'no new privileges',
  no_network: () => 'no network',
  no_programs: () => 'no other programs',
  no_core_dumps: () => 'no core dumps',
  bounded_files: () => 'few and bounded files',
  ended_with_service: () => 'ended with the service',
  without_effect: () => 'the kernel accepted it without effect',
  ...LIBC_TEXTS,
}

export type ReasonTexts = { readonly [C in keyof typeof reasons]: (...params: Parameters<(typeof reasons)[C]>) => string }
