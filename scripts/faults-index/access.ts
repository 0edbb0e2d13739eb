/** What holds for accounts, pages, API tokens and signing links. */
import { type Requirement, test } from './requirement.ts'

export const ACCESS: readonly Requirement[] = [
  {
    id: 'R-AUTH-1',
    promise: 'A password is long and not a common one; nothing else is asked of it.',
    tried: [
      test('lib/password', 'which passwords are accepted'),
      test('accounts/people', 'has a password that is stored as argon2id and is not a common one'),
    ],
  },
  {
    id: 'R-AUTH-2',
    promise: 'Passwords are stored as Argon2id at the published cost or above.',
    tried: [test('lib/password', 'are argon2id with the promised cost, salted')],
    untried: 'A password is not hashed again at a sign-in when the cost of a release rises; there has been one cost so far.',
  },
  {
    id: 'R-AUTH-3',
    promise: 'Guessing gets slow, nobody is locked out for good, and an unknown address looks like a known one.',
    tried: [
      test('accounts/people', 'demands growing pauses from the fifth failure on'),
      test('accounts/people', 'demands at most fifteen minutes, and never locks an account'),
      test('accounts/throttle', 'many addresses together have a hundred attempts in a row, then one per quarter of an hour'),
      test('accounts/throttle', 'an unknown account gets the same errors and pauses as a known one'),
      test('lib/password', 'of an unknown account are verified too, so that the time reveals nothing'),
      test('lib/password', 'are computed two at a time, and a failing one lets the next one start'),
    ],
    untried: 'The time of a refused sign-in is compared by the work that it does, not by a clock.',
  },
  {
    id: 'R-AUTH-4',
    promise: 'A second factor cannot be guessed, repeated, or gone round by less.',
    tried: [
      test(
        'accounts/second-factor',
        'a code counts once, also for another sign-in and for the step-up, and no older one counts after it',
      ),
      test('accounts/second-factor', 'a recovery code counts once, and its use is mailed with how many are left'),
      test('accounts/second-factor', 'gets five codes before the first pause, however often the password is entered again'),
      test(
        'accounts/passkeys',
        'is refused with a forged challenge, with one of another browser, of another purpose, and too late',
      ),
      test('http/accounts/passkeys', 'a passkey satisfies the rule for everybody: the password alone then opens no session'),
      test('http/accounts/passkeys', 'recovery codes are guessed five times, then not even the right one counts, in any browser'),
      test('http/accounts/passkeys', '%s is not had without a proof'),
    ],
  },
  {
    id: 'R-AUTH-5',
    promise: 'The first administrator is made by a link that works once, for half an hour.',
    tried: [
      test('accounts/people', 'creates the first administrator and the organisation, once'),
      test('accounts/people', 'is valid for thirty minutes'),
      test('accounts/people', 'is replaced by that of a new start'),
    ],
  },
  {
    id: 'R-AUTH-6',
    promise: 'A session is new at each sign-in, ends by time and by a new password, and asks again before what is sensitive.',
    tried: [
      test('accounts/people', 'gives each sign-in its own token'),
      test('accounts/people', 'is kept alive by use, but not beyond twelve hours'),
      test('http/accounts/sessions', 'a session rests for eight hours, and not longer'),
      test('accounts/reset', 'the link sets a password, ends every session, is in the audit log, and the user is mailed'),
      test(
        'http/access',
        '15 minutes after the sign-in, every form of settings and profile asks for a proof first and changes nothing, but these',
      ),
    ],
  },
  {
    id: 'R-WEB-1',
    promise: 'Cookies are bound to the host, hidden from scripts, and sent over TLS alone where there is TLS.',
    tried: [
      test('http/accounts/sessions', 'over https it is bound to this host, hidden from scripts, and valid for 400 days'),
      test('http/accounts/sessions', 'over https the session is bound to this host as well, and browsers stay with https'),
      test('config', 'decides whether cookies can be secure'),
    ],
  },
  {
    id: 'R-WEB-2',
    promise: 'A form counts only with its token and from our own page.',
    tried: [
      test(
        'http/access',
        'a form without Origin and Sec-Fetch-Site is refused, even with the right CSRF token; Origin: null needs same-origin',
      ),
      test('http/signing/signing', 'from a foreign page, without its token, or as another type is refused and changes nothing'),
    ],
  },
  {
    id: 'R-WEB-3',
    promise: 'Looking changes nothing.',
    tried: [test('http/access', 'GET, HEAD and OPTIONS change nothing at any address')],
  },
  {
    id: 'R-WEB-4',
    promise: 'Pages run their own scripts alone, and ask nothing of other hosts.',
    tried: [
      test('http/access', 'every page has a content security policy that allows no other host'),
      test(
        'browser/pages',
        'is accessible in light and dark, fits a phone, runs only its own scripts, and asks nothing of other hosts',
      ),
    ],
  },
  {
    id: 'R-WEB-5',
    promise: 'What people write is text on every page, in mails, in the audit certificate and in lists.',
    tried: [
      test('http/documents/document-page', 'hostile titles, names, file names and labels are text on every page'),
      test('http/signing/signing', 'shows what people wrote as text, never as markup'),
      test('http/audit/audit', 'as CSV is UTF-8 with a mark for Excel, and no title is run as a formula'),
      test('evidence/page', 'hostile values give a valid file with all other values'),
      test('core/text', 'removes invisible characters and bidi controls'),
    ],
  },
  {
    id: 'R-WEB-6',
    promise: 'No text of a person adds a header or a recipient to a mail.',
    tried: [
      test('mailer/message', 'has one recipient, whatever the name or subject contains'),
      test('mailer/message', '%j in any header'),
    ],
    untried: 'There is no limit of mails an hour for the whole service, but for the mails of batches.',
  },
  {
    id: 'R-WEB-7',
    promise: 'The name of a file is data, and never a path.',
    tried: [
      test('lib/file-names', 'a name cannot leave the folder, name a device or break a system'),
      test('storage/folder-store', 'a file is readable only by its hash, and no temporary file stays'),
    ],
    untried: 'Which paths the executable opens for hostile file names is not read from a trace of system calls.',
  },
  {
    id: 'R-WEB-8',
    promise: 'A download has a name that each browser reads, in any script.',
    tried: [
      test('lib/content-disposition', 'any name makes a header that can be sent and parsed'),
      test('lib/content-disposition', 'characters that end a quoted string or a path are replaced'),
    ],
  },
  {
    id: 'R-WEB-9',
    promise: 'A header about the client counts from a trusted proxy alone.',
    tried: [
      test('http/client-address', 'without a trusted proxy the header counts for nothing'),
      test('http/api/contract', 'X-Forwarded-Host counts only from a trusted proxy, and not if it is malformed'),
    ],
  },
  {
    id: 'R-WEB-10',
    promise: 'Pages answer under the configured host alone, and links are made of the setting.',
    tried: [test('http/api/contract', 'shows the right address instead'), test('http/api/contract', 'refuses a form')],
  },
  {
    id: 'R-KEY-1',
    promise: 'An API token is stored as a hash, and a revoked one is refused at once.',
    tried: [
      test('accounts/keys', 'authenticates, and is stored nowhere in clear text'),
      test('accounts/keys', 'a revoked key, at once'),
      test('lib/api-key', 'a new key has prefix, 32 random characters and 6 of checksum'),
    ],
  },
  {
    id: 'R-KEY-2',
    promise: 'What belongs to somebody else does not exist, on any route.',
    tried: [
      test('http/access', 'resources of another member are not_found on every route with an ID'),
      test('http/api/events', 'a member sees the events of their own documents only, and a key needs the scope'),
      test('binary', 'keeps a data folder to its environment'),
    ],
  },
  {
    id: 'R-KEY-3',
    promise: 'A document of a test environment says so, large, and in its words of consent.',
    tried: [
      test('evidence/page', 'prints TEST on every page, large and pale, beneath the text'),
      test(
        'http/signing/signing-consent',
        'in a test environment neither pages nor mails nor the record say that a signature binds',
      ),
    ],
  },
  {
    id: 'R-LNK-1',
    promise: 'A signing link is stored nowhere, and a new version of it ends the old one.',
    tried: [
      test('http/signing/signing', 'is stored nowhere: neither database nor log holds it'),
      test('http/drafting/draft', 'ends the old link, session and form, and invites the new person'),
      test('http/signing/signing-access', 'gives the sealed copy for thirty days after the end, and then nothing'),
      test('documents/link', 'no token of one kind is one of another kind'),
    ],
  },
  {
    id: 'R-LNK-2',
    promise: 'A link leaves no trace in logs, referrers and search engines.',
    tried: [
      test('http/access', 'the token of a link is in no line of the log'),
      test('http/signing/signing-links', 'no address with a secret is logged, none is sent on as a referrer'),
      test(
        'http/signing/signing-access',
        'change nothing when they are looked at, by GET or by HEAD, and take no form of another page',
      ),
    ],
  },
  {
    id: 'R-LNK-3',
    promise: 'A program that follows a link is no person, and uses nothing up.',
    tried: [
      test('http/signing/signing', 'opened a hundred times by a scanner leaves no trace of a person, and still works'),
      test('http/signing/signing-links', 'is not used up by being looked at, and a GET records nothing'),
    ],
  },
  {
    id: 'R-LNK-4',
    promise: 'A signature is for the document and the texts that were shown, and counts once.',
    tried: [
      test('http/signing/signing', 'of a document that is not the one shown is refused'),
      test('http/signing/signing', 'sent twice signs once'),
      test('http/signing/signing-consent', 'a text that no page showed is not agreed to'),
    ],
  },
  {
    id: 'R-LNK-5',
    promise: 'An access code is long enough, hashed, and locks after five wrong tries.',
    tried: [
      test('http/signing/signing', 'is asked before the document is shown and stored nowhere in clear'),
      test(
        'http/signing/signing',
        'an access code wrong has to wait, longer each time; wrong five times locks the link and informs the sender; a reminder unlocks it',
      ),
      test(
        'http/signing/signing',
        'many tries at an access code at the same moment count one by one: no more are checked than in a row, and the right one among the rest gets no further',
      ),
    ],
  },
  {
    id: 'R-LNK-6',
    promise: 'Links that are unknown, old or over reveal neither document nor person to a guess.',
    tried: [
      test('http/signing/signing', 'guessed too often from one address has to wait'),
      test('http/signing/signing-access', 'voided or declined: says so, names the sender, and offers nothing'),
      test('http/signing/signing-access', 'a guessed link of a known recipient says nothing, and is not asked a new one with'),
    ],
  },
]
