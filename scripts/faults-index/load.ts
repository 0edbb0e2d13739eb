/** What holds under load, beside slow clients, and for requests that a machine invents. */
import { type Requirement, script, test } from './requirement.ts'

export const LOAD: readonly Requirement[] = [
  {
    id: 'R-LOAD-1',
    promise: 'A release is not slower than the one before.',
    tried: [script('bench', "say('authed GET /documents/{id}")],
    untried: '`scripts/bench` prints figures beside those of an earlier executable, and fails at none of them.',
  },
  {
    id: 'R-LOAD-2',
    promise: 'Under twice the load that it can serve, each request is done or asked to come back, and it is quick again at once.',
    tried: [
      script(
        'faults-overload',
        'each is made, or refused with Retry-After',
        '1,841 made and 1,570 refused of 3,411; the slowest 9.8 s',
      ),
      script(
        'faults-overload',
        'as quick as before within 10 s',
        '5 s at 57 creations a second; 13.4 s at 21 a second, beside other work (load 20)',
      ),
      test('sandbox/task-queue', 'who fills the queue takes no place from others: the newest of the most is refused'),
      test('http/disk', 'a creation gets 503, and its Idempotency-Key works afterwards'),
    ],
    untried:
      'What is accepted under overload waits for up to 25 s, not three times as long as without; a machine that makes fewer than 26 documents a second is quick again only after more than 10 s.',
  },
  {
    id: 'R-LOAD-3',
    promise: 'A long run takes no more and more memory, files or disk.',
    tried: [
      script(
        'soak',
        'console.log(line)',
        '3,601 documents in an hour: 2.6 kB a document over the last third, the heap flat; 27 to 33 open files',
      ),
    ],
    untried: 'A run of a day is not made.',
  },
  {
    id: 'R-LOAD-4',
    promise: 'A million documents slow down neither lists nor single reads.',
    tried: [
      test('db/query-plans', 'no call about one document scans a large table'),
      script('bench-growth/run', 'documents: ${executables'),
    ],
  },
  {
    id: 'R-LOAD-5',
    promise: 'The memory of all bodies that arrive at once is bounded.',
    tried: [
      test('http/body/bodies', 'counts by the bytes that have arrived; an announced length alone blocks no other request'),
      test('http/body/bodies', 'with much JSON is refused while others use the memory, and frees its own'),
      test('http/body/bodies', 'are processed four at a time, part by part, and all complete'),
    ],
    untried: 'The memory of the executable with a hundred uploads of 25 MB at once is not measured.',
  },
  {
    id: 'R-LOAD-6',
    promise: 'Clients that are slow, or silent, hold up nobody and are ended; one that is slow but steady is served.',
    tried: [
      script('faults-clients', 'reads of others', '99 % within 20 ms beside 490 slow connections'),
      script('faults-clients', 'no connection is left', '22 open files before, 556 at most, 23 afterwards'),
      script('faults-clients', 'an upload of 5 MB at 128 kB a second', '201'),
      test('http/body/bodies', 'do not wait for uploads that are slow, fail or are cancelled'),
    ],
    untried: 'Slow clients are tried with 490 connections, not with a thousand.',
  },
  {
    id: 'R-FUZZ-1',
    promise: 'A program that reads the description of the API and invents requests finds no failure.',
    tried: [],
    untried: 'No program that invents requests from the OpenAPI document is run; properties of our own take its place.',
  },
  {
    id: 'R-FUZZ-2',
    promise: 'Random commands, texts, addresses and requests break no rule.',
    tried: [
      test('core/document-model', 'random commands never lose an event and never leave the machine'),
      test('simulation/simulation', 'in the kept run of seed %d'),
      test('http/api/storable', 'property: no body makes it fail, and nothing that cannot be stored is stored'),
      test('lib/content-disposition', 'any name makes a header that can be sent and parsed'),
      test('core/audit-chain', 'finds the first of all edits, moves, insertions and deletions'),
      test('lib/net-guard', 'an IPv4 address gets the same answer plain, IPv4-mapped and with the NAT64 prefix'),
    ],
  },
  {
    id: 'R-FUZZ-3',
    promise: 'Damaged PDFs end no process and are never called sound.',
    tried: [
      test('verify/tamper', 'is not valid, and never only unknown, after a change of any single byte'),
      test('sandbox/hostile', 'after all of them the pool inspects a valid file'),
      script(
        'fuzz',
        'inputs of seed',
        '23,662 altered PDFs of a million inputs; one got a seal that was not valid, which is mended',
      ),
    ],
    untried: 'Altered PDFs are fed to the child and the verifier by the ten thousand, not by the hundred thousand.',
  },
  {
    id: 'R-FUZZ-4',
    promise: 'Requests that are no proper HTTP are refused, and confuse nothing.',
    tried: [
      test('http/api/contract', 'is 400 for pages and API alike: %j'),
      test('http/body/bodies', 'whose connection ends early is a refusal, not an internal error'),
    ],
    untried: 'Requests that a proxy and the runtime could read differently are not tried behind a proxy.',
  },
]
