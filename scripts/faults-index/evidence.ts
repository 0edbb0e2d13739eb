/** What holds for keys, secrets and logs, and what a sealed document proves. */
import { type Requirement, script, test } from './requirement.ts'

export const EVIDENCE: readonly Requirement[] = [
  {
    id: 'R-SEC-1',
    promise: 'The keys that seal are encrypted under a master key that its owner alone can read.',
    tried: [
      test('master-key', 'a key with mode %o is refused with the remedy'),
      test('binary', 'no secret lies in clear in the data folder'),
      test('settings/master-key-match', 'the first key is recorded, another one is refused and changes nothing'),
      test('lib/secret-box', 'with any one byte changed'),
    ],
  },
  {
    id: 'R-SEC-2',
    promise: 'Every secret is encrypted, and a new master key is put in place whole or not at all.',
    tried: [
      test('settings/sealed', 'every binary column of the database is in the list, or is known to be plain'),
      test('rotate-binary', 'killed at any moment, everything opens with the key that is found, and the next run replaces it'),
      test('health/watch', 'is warned of 30, 14, 7 and 1 days before its end and at its end, by one mail each'),
    ],
  },
  {
    id: 'R-SEC-3',
    promise: 'No secret is in logs, errors, the command line or a core file.',
    tried: [
      test('config', 'no error shows a password'),
      test('http/access', 'the token of a link is in no line of the log'),
      test('http/accounts/oidc', 'a refused identity is in the audit log, without the token'),
      test('binary-machine', 'is raised to what the system allows'),
    ],
    untried: 'No run has marked secrets everywhere, for which its log, database and backup are then searched.',
  },
  {
    id: 'R-SEC-4',
    promise: 'The log is one line of JSON for each entry, whatever it contains.',
    tried: [
      test('lib/log', 'stays one line whatever it contains'),
      test('lib/log', 'is one line of JSON with time, level, what and its facts'),
    ],
  },
  {
    id: 'R-SEC-5',
    promise: 'The installed service may do little on its machine.',
    tried: [
      test('cli/service', 'is rated at most 2.0 by systemd-analyze security, and systemd knows each line'),
      test('sandbox/confinement', 'a child cannot connect to a listener on this machine by any means of the runtime'),
      test('sandbox/confinement', 'a child cannot start a program or dump its memory, and reads and writes files as before'),
    ],
  },
  {
    id: 'R-SEC-6',
    promise: 'A release lists what it contains, and can be built again.',
    tried: [
      test('release', 'names every dependency with its version, a licence and the hash of its archive'),
      test('release', 'refers to each component once, and is the same for the same source'),
      script('release', 'built a second time'),
    ],
    untried: 'A release is not signed, and no script asks for known weaknesses of its packages.',
  },
  {
    id: 'R-EV-1',
    promise: 'The audit certificate says what was signed, by whom, how they were identified, when, and who sealed it.',
    tried: [
      test('evidence/page', 'contains every value of the record'),
      test('evidence/page', 'states every means by which a recipient was identified, beside the name'),
      test('evidence/page', 'has one line for each act, in time order, and ends with the seal'),
    ],
  },
  {
    id: 'R-EV-2',
    promise: 'Nobody signs without consent to a text that is kept.',
    tried: [
      test('core/document-finish', 'a signature without consent'),
      test('http/signing/signing-consent', 'each text is stored once, when it is first shown, however often it is'),
      test('documents/evidence', 'has the words of the consent that was given, once for all who gave the same'),
    ],
  },
  {
    id: 'R-EV-3',
    promise: 'Each party gets the sealed file, and can load it for thirty days.',
    tried: [
      test('jobs/mail', 'all recipients get the sealed copy, and no one else'),
      test('http/signing/signing-access', 'gives the sealed copy for thirty days after the end, and then nothing'),
      test(
        'http/api/events',
        'a deleted draft and a deleted ended document are reported with id, reason and time, the same in feed and webhook',
      ),
    ],
  },
  {
    id: 'R-EV-4',
    promise: 'Any change of the audit log is found.',
    tried: [
      test('core/audit-chain', 'finds the first of all edits, moves, insertions and deletions'),
      test('audit/log', 'any edit of any byte of any entry or hash'),
      test('audit/log', 'a truncated log is noticed by comparing the count with a kept head'),
      test('audit/checkpoint', 'names the newest entry, is signed by the seal key, and is an entry of its own'),
      test('audit/log', 'to change an event'),
      test('audit/log', 'to delete an event'),
    ],
  },
  {
    id: 'R-EV-5',
    promise: 'Personal data can be erased, and the chain stays whole.',
    tried: [
      test('audit/log', 'removes data and salts of one document, and the chain stays valid'),
      test('documents/erasure', 'after its retention no row and no file has a word that somebody wrote in a document'),
      script('faults-power', "name: 'what retention erases'", '755 states of the disk of a night in which it erases'),
      script('retention', 'no byte of the word'),
    ],
  },
  {
    id: 'R-EV-6',
    promise: 'Times are the clock of the service, in UTC and in the zone of the organisation.',
    tried: [
      test('evidence/time', 'are right in zones with odd offsets'),
      test('evidence/time', 'are right at a change of offset: the missing hour and the repeated hour'),
      test('evidence/time', 'do not depend on the time zone of the machine: all bytes are the same'),
      test('health/watch', 'a clock that differs from the authority’s by more than a minute is an alert'),
    ],
    untried: 'The state of the time service of the machine is not recorded with a seal.',
  },
  {
    id: 'R-EV-7',
    promise: 'The record claims what the service knows, and no more.',
    tried: [
      test('jobs/mail', 'an accepted mail is recorded with the reply of the server'),
      test('evidence/page', 'says of a mail in the outbox folder that it was not sent'),
      test(
        'documents/evidence',
        'a link and a code that were written to the folder are not said to be e-mailed, whatever is set later',
      ),
    ],
  },
  {
    id: 'R-EV-8',
    promise: 'The sealed file and the printed commands suffice to verify it, without this service.',
    tried: [
      test('evidence/commands', 'verify the seal with OpenSSL only in %s, and print the certificate on the page'),
      test('documents/evidence-pack', 'is verified by the commands of its README'),
    ],
    untried: 'The printed commands that verify a file are not run in a system that has nothing else.',
  },
]
