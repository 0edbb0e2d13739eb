/** What must survive a kill, a loss of power, a full disk and a wrong clock. */
import { type Requirement, script, test } from './requirement.ts'

export const DURABILITY: readonly Requirement[] = [
  {
    id: 'R-DUR-1',
    promise: 'Every connection to the database syncs what it acknowledges, and is refused if it does not.',
    tried: [
      test('db/open', 'has its pragmas on the %s open'),
      test('db/open', 'is refused if a pragma has no effect'),
      test('db/open', 'is synced, unless its change may be lost; the next one is synced again, also after a failure'),
    ],
  },
  {
    id: 'R-DUR-2',
    promise: 'After a loss of power at any moment, all that was acknowledged is there and intact.',
    tried: [
      script('faults-power', "name: 'signet serve'", '1,244 states of the disk while documents are made, sealed and deleted'),
      script('faults-power', 'restoreTrial(', '167 states of the disk of a restore'),
      test('simulation/simulation', 'in the kept run of seed %d'),
      test('rotate-binary', 'killed at any moment, everything opens with the key that is found, and the next run replaces it'),
    ],
    untried:
      'A loss of power at every system call is not replayed for a move to PostgreSQL, nor one after which a part of the unsynced writes is there.',
  },
  {
    id: 'R-DUR-3',
    promise: 'The bytes of a file are on the disk, under their name, before a row refers to them.',
    tried: [
      test('files/claims', 'the claim is committed before the bytes get their name, and ends with the row'),
      test('storage/folder-store', 'before it is kept, a file has no final name'),
      test('simulation/simulation', 'in the kept run of seed %d'),
      script('faults-power', "name: 'signet serve'", '1,244 states of the disk; without the sync of uploads it is BROKEN'),
    ],
  },
  {
    id: 'R-DUR-4',
    promise: 'Files without a row are removed after a day; rows without a file are reported and never removed.',
    tried: [
      test('files/claims', 'removes old bytes without a row and without a claim'),
      test('files/claims', 'a file that something refers to stays'),
      test('documents/damage', 'a stored file that is missing raises an alert at the first request for it'),
      test('documents/damage', 'names every damaged file and runs all other checks'),
    ],
  },
  {
    id: 'R-DUR-5',
    promise: 'After a kill the next start takes seconds and takes up the work of the one before.',
    tried: [
      test('app', 'a start removes temporary files'),
      test('jobs/worker', 'of an earlier boot are freed by the next start, those of this boot are not'),
      test('binary', 'killed between the last signature and the seal, the document completes at the next start, once'),
    ],
    untried: 'The time of a start after a kill is not measured with 100,000 documents.',
  },
  {
    id: 'R-DUR-6',
    promise: 'A document is sealed once, whoever signs last and whatever is killed.',
    tried: [
      test('documents/sealing', 'twenty last signatures at once make one seal'),
      test('documents/sealing', 'a crash between file and row repeats the work and publishes once'),
      test('jobs/two-nodes', 'and continues while the other is at work: the seal is that of the other'),
      script('cluster/trials/main-trial', 'documents under kill -9', '103 documents, 13 kills, one seal each'),
    ],
  },
  {
    id: 'R-DUR-7',
    promise: 'No mail and no delivery is lost; one that is repeated has the same id.',
    tried: [
      test('jobs/mail', 'an unavailable server is retried until it accepts the mail, with the same Message-ID'),
      test(
        'jobs/two-nodes',
        'while it waited for a webhook: the other delivers it with the same id, and one attempt is recorded',
      ),
      script('cluster/trials/main-trial', 'documents under kill -9', '13 deliveries and 14 mails twice, none lost'),
    ],
  },
  {
    id: 'R-DUR-8',
    promise: 'A signal to end lets running requests finish, and leaves the database in one file.',
    tried: [
      test('binary-stop', 'for SIGNET_STOP_DELAY /readyz answers 503 while requests are served, then the process ends in order'),
      test('jobs/worker', 'waits for running jobs and starts no new ones'),
      test('db/open', 'after work on both connections'),
    ],
    untried: 'A signal to end under a load of requests, none of which may fail, is not measured.',
  },
  {
    id: 'R-DUR-9',
    promise: 'A full disk refuses what it cannot hold, keeps the rest, and needs no restart afterwards.',
    tried: [
      test(
        'http/disk',
        'with only the reserve left changes wait, reads and deletions work, and everything continues by itself afterwards',
      ),
      test('http/disk', 'administrators are notified once each time: mail, log, alert on pages, /readyz'),
      script('faults-disk', 'with free space again it goes on without a restart', 'a creation at once; 0 of 618 lost'),
    ],
  },
  {
    id: 'R-DUR-10',
    promise: 'A sync that failed is never repeated: the process ends, and a new start reads what the disk has.',
    tried: [
      test('writing', '%s is reported, because later commits cannot be trusted'),
      script('faults-disk', 'a sync that fails: the process ends', 'exit 70 after 0.5 s; 0 of 1 lost'),
    ],
  },
  {
    id: 'R-DUR-11',
    promise: 'Too few open files, a disk that cannot be written and a wrong clock do no harm.',
    tried: [
      test('binary-machine', 'that is reached is answered 503, and the service continues when files can be opened again'),
      test(
        'http/disk',
        'a disk that refuses every change takes the instance from its balancer, and the page of administrators says it, until it is writable again',
      ),
      script('faults-disk', '/readyz takes it from a balancer', '503 not-ready, disk read-only; 569 of 569 reads 200'),
      script('faults-disk', 'on a read-only disk it does not start, and says why', 'it names EROFS and what to do'),
      test(
        'jobs/doubted-clock',
        'expires nothing, erases nothing, reminds nobody and sweeps nothing, and raises an alert with both times',
      ),
      test('jobs/time', 'setting the clock back repeats no reminder and reopens nothing'),
      test('documents/long-term', 'also one that was made while the clock was a year ahead, when the clock is right again'),
      test('files/claims', 'a removal that a clock far ahead has noted is over for the next process, whose clock is right'),
      test('accounts/throttle', 'a pause of a year that a clock far ahead has noted is over when the clock is right again'),
      script('faults-clock', 'clock ahead at start', '20 of 20 documents still sent with the clock 400 days ahead'),
    ],
  },
  {
    id: 'R-DUR-12',
    promise: 'One process at a time uses a data folder; the second one names the first.',
    tried: [
      test('binary', 'lets one instance into a data folder and names it to the second'),
      test('db/lock', 'the lock of another process is effective, and ends with that process however it ends'),
      test('backup-binary', 'refuses a folder that is in use, and one of a newer schema with exit code 3'),
    ],
  },
  {
    id: 'R-DUR-13',
    promise: 'A backup that is made while documents are signed is whole, encrypted, and read back.',
    tried: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the title as it is written
      test('backup-binary', 'backs up while ${DOCUMENTS} documents are being signed, and the copy is whole'),
      test('backup-binary', 'makes a backup in a process of its own when an administrator asks for one'),
      test('backups/backup', 'contains a document that is deleted while it is made, whose file goes when it has ended'),
      test('backups/backup', 'leaves nothing unencrypted behind, and shows nothing of its content'),
      script('faults-power', "name: 'signet backup'", '277 states of the disk'),
    ],
  },
  {
    id: 'R-DUR-14',
    promise: 'A restore checks everything before it replaces anything, and sends nothing until somebody says so.',
    tried: [
      test('backups/backup', 'refuses a backup of which one byte is other, wherever it is'),
      test('backups/backup', 'keeps the former folder and pauses sending'),
      test('backups/hostile-archive', 'an entry named %s is no part of a backup, wherever it is'),
      test('backups/crafted', 'a database that is not that of the manifest is refused, though its hash is right'),
      script('backups', '; restore: ', '10,000 documents restored in 3.1 s, every file equal'),
    ],
  },
  {
    id: 'R-DUR-15',
    promise: 'A backup does not hold up requests.',
    tried: [script('backups', 'creations took', '27 ms (median) for a creation during a backup of 10,000 documents')],
    untried: 'The slowest hundredth of reads during a backup is not compared with that before it.',
  },
  {
    id: 'R-DUR-16',
    promise: 'A migration happens whole or not at all, and an older executable leaves a newer schema alone.',
    tried: [
      test('db/migrate', 'keeps its schema if a migration fails'),
      test('db/migrate', 'is copied before the first change, and only missing migrations run'),
      test('binary', 'refuses a schema that is newer than itself with exit 3, and changes nothing'),
      script('faults-power', "'signet migrate, from the release before'", '308 states of the disk'),
      script('cluster/trials/upgrade', 'every journey ends', '100 of 100 journeys with the release before beside this one'),
    ],
  },
  {
    id: 'R-DUR-17',
    promise: 'Bytes that changed on the disk are never handed out, and are reported.',
    tried: [
      test(
        'documents/damage',
        'is never delivered; the download raises an alert, an audit event and one mail that names file and document',
      ),
      test('http/api/contract', 'that was altered is never served, not even with its old timestamps'),
      test('documents/damage', 'is found by the weekly check without a request, and not before a week has passed'),
    ],
  },
  {
    id: 'R-DUR-18',
    promise: 'The write-ahead log stays bounded, also beside a long read.',
    tried: [],
    untried: 'The size of the write-ahead log beside a reader that takes an hour is not measured.',
  },
  {
    id: 'R-OPS-1',
    promise: 'The executable alone in an empty folder, with an empty environment, does the whole job.',
    tried: [
      test('binary', 'from an empty folder to a sealed file that pdfsig, qpdf and openssl accept'),
      test('binary-machine', 'a temporary folder from which nothing can be loaded is named in one sentence'),
    ],
  },
  {
    id: 'R-OPS-2',
    promise: 'An error that nobody expected is logged and ends neither the process nor other work.',
    tried: [
      test('jobs/worker', 'stops neither the worker nor other jobs; its own is postponed by about five minutes'),
      test('jobs/time', 'a failing scheduled job does not stop the others'),
      test('http/api/contract', 'the response is neutral even when logging fails'),
    ],
    untried: 'A rejection that no code awaits is not provoked in the executable.',
  },
  {
    id: 'R-OPS-3',
    promise: 'What is due in months waits in a row, not in a timer.',
    tried: [
      test('jobs/time', 'a document expires at its time, once; its links become invalid and everyone is informed'),
      test('jobs/time', 'after a long downtime each gets one reminder, and the next is planned from then'),
      test('lib/this-machine', 'a timer of more than 24 days does not fire at once, and can be ended'),
    ],
  },
]
