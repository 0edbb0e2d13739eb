/** What holds for webhooks, repeated requests and the answers of the API. */
import { type Requirement, script, test } from './requirement.ts'

export const DELIVERY: readonly Requirement[] = [
  {
    id: 'R-WH-1',
    promise: 'A delivery is signed as Standard Webhooks says, anew at each attempt, under one id.',
    tried: [
      test('lib/webhook-signature', 'is accepted by the public library, whatever its body and secret'),
      test('webhooks/deliver', 'the public library accepts a real delivery and refuses it with one byte changed'),
      test('lib/webhook-signature', 'is refused after one byte of body, id or time has changed'),
    ],
  },
  {
    id: 'R-WH-2',
    promise: 'A delivery holds no link, code, secret or file.',
    tried: [test('webhooks/deliver', 'a body contains the event and the document without fields, links or secrets')],
  },
  {
    id: 'R-WH-3',
    promise: 'A delivery that fails is tried ten times by the published plan; a receiver may only ask for longer pauses.',
    tried: [
      test('webhooks/deliver', 'a failing receiver gets ten attempts by the published schedule, each signed anew'),
      test('webhooks/deliver', 'Retry-After lengthens a pause and never shortens it'),
    ],
  },
  {
    id: 'R-WH-4',
    promise: 'A receiver that never answers does not delay another.',
    tried: [
      test('jobs/hanging', 'a webhook is delivered although 64 receivers never respond, before the first of them times out'),
      test('jobs/lanes', 'a slow receiver delays only itself'),
    ],
    untried: 'How long 1,000 deliveries to a good receiver take beside one that never answers is not measured.',
  },
  {
    id: 'R-WH-5',
    promise: 'A webhook that fails for days is switched off, after a warning, and its owner learns of it.',
    tried: [
      test(
        'webhooks/failing',
        'four days without success cause a warning, five days and a failed last attempt the end, each with a mail',
      ),
      test(
        'webhooks/failing',
        '410 disables the webhook and mails the administrators once, without its URL; deletion ends the alert',
      ),
    ],
  },
  {
    id: 'R-WH-6',
    promise: 'A delivery can be sent again, with a new signature, and each attempt is shown.',
    tried: [
      test('webhooks/manage', 'are repeated with the same event and body, a new signature and a new series of attempts'),
      test('webhooks/manage', 'show every attempt with its time, status, latency, error and the first 2,048 bytes of the answer'),
    ],
  },
  {
    id: 'R-WH-7',
    promise: 'A secret is shown once; after a replacement both sign for a day.',
    tried: [
      test('webhooks/manage', 'is shown once, and for 24 hours a receiver may know either'),
      test('webhooks/manage', 'may follow another within the 24 hours, at most four times, and none remains stored after that'),
      test('settings/sealed', 'every binary column of the database is in the list, or is known to be plain'),
    ],
  },
  {
    id: 'R-WH-8',
    promise: 'No address inside a network is called, however it is written or resolved.',
    tried: [
      test('lib/net-guard', '%s to %s is refused at both ends, and its neighbours are not'),
      test('lib/net-guard', 'an IPv4 address gets the same answer plain, IPv4-mapped and with the NAT64 prefix'),
      test('lib/fetch-limited', 'that was checked is used: a name that resolves to loopback later has no effect'),
      test('lib/fetch-limited', 'is refused if a name has a public and a private one'),
      test('lib/fetch-limited', 'a proxy in the environment is not used'),
      test('lib/net-guard', 'a metadata address is allowed by an entry for it alone, by no larger network'),
      test('http/named-addresses', 'whose name resolves to a metadata address later is not asked'),
    ],
  },
  {
    id: 'R-WH-9',
    promise: 'A redirect is an answer, and nobody follows it.',
    tried: [
      test('webhooks/deliver', 'no redirect is followed'),
      test('lib/fetch-limited', 'a redirect (%i) is a response and is not followed'),
      test('http/named-addresses', 'that redirects a read leads nowhere'),
    ],
  },
  {
    id: 'R-WH-10',
    promise: 'An answer is read to a bound, within a time, and over TLS that is verified.',
    tried: [
      test('lib/fetch-limited', 'without an end is cut at the limit, and the connection is closed'),
      test('lib/fetch-limited', 'that arrives too slowly fails at the deadline, with the status in the reason'),
      test('lib/fetch-limited', 'has lower-case header names and the bytes as sent, not decompressed'),
      test('lib/fetch-limited', 'refuses an unknown authority, whatever the environment sets'),
    ],
  },
  {
    id: 'R-WH-11',
    promise: 'An installation is one environment, with its own webhooks and secrets.',
    tried: [
      test('binary', 'keeps a data folder to its environment'),
      test('backups/backup', 'refuses a backup of another environment'),
    ],
  },
  {
    id: 'R-IDK-1',
    promise: 'An Idempotency-Key belongs to its owner and to one request.',
    tried: [
      test('outbox/idempotency', 'another request with the same key is refused, during and after the first'),
      test('outbox/idempotency', 'another owner’s equal key is another key'),
      test('http/api/idempotency', 'another body under the same key is refused'),
    ],
  },
  {
    id: 'R-IDK-2',
    promise: 'The stored answer and its change are one commit, so that a repeated request makes one document.',
    tried: [
      test('outbox/idempotency', 'is stored with its change: a rollback leaves the key reserved'),
      test('http/api/connection', 'POST /documents answers 503, and under the same Idempotency-Key makes one document'),
      script(
        'cluster/trials/idempotency',
        'also when a node is killed between them',
        'one document in 16 of 16 rounds, 6 with a kill',
      ),
      script('faults-overload', 'works afterwards', '50 of 1,570 refused keys repeated, one document each'),
    ],
  },
  {
    id: 'R-IDK-3',
    promise: 'Of requests under one key at one moment, one runs; a dead process holds no key.',
    tried: [
      test('outbox/idempotency', 'one of twenty concurrent requests runs'),
      test('outbox/idempotency', 'when the process that ran the first request died'),
    ],
  },
  {
    id: 'R-IDK-4',
    promise: 'A token of another environment is refused and touches no record.',
    tried: [test('accounts/keys', 'no key, other text, a typing error, a key of another environment, an unknown key')],
  },
  {
    id: 'R-IDK-5',
    promise: 'A stored answer is encrypted, and goes after a day.',
    tried: [
      test('outbox/idempotency', 'is encrypted: it may contain a secret that is shown once'),
      test('outbox/idempotency', 'deletes expired keys only'),
    ],
  },
  {
    id: 'R-API-1',
    promise: 'Each failure of the API is JSON of one shape.',
    tried: [
      test('http/api/api', 'every failure is an error response'),
      test('http/api/api', 'because it is too large states the limit, with and without Content-Length'),
      test('http/api/api', 'an address with a slash at its end is none: a client without an id does not get a list'),
    ],
  },
  {
    id: 'R-API-2',
    promise: 'No answer shows how the service is built or what went wrong inside.',
    tried: [
      test('http/api/contract', '%s does not reveal why'),
      test('http/api/api', 'an internal error shows one neutral sentence; the log has the cause under the same ID'),
    ],
  },
  {
    id: 'R-API-3',
    promise: 'Requests beyond the quota get 429 with the time to wait, and others are not affected.',
    tried: [
      test(
        'http/limits',
        'wrong API tokens get 429 after at most twenty in a minute, and a right one from the same address is served',
      ),
      test(
        'http/api/api',
        'RateLimit and RateLimit-Policy tell how many requests a token may make at once, and when all are free again',
      ),
    ],
  },
  {
    id: 'R-API-4',
    promise: 'Each answer has an ID, is stored by no cache, and is what its type says.',
    tried: [
      test(
        'http/api/contract',
        'every response of every route and method, and of addresses without a route, has nosniff, the request ID and no-store',
      ),
    ],
  },
  {
    id: 'R-API-5',
    promise: 'What JSON may hold is bounded: depth, lists, texts and size.',
    tried: [
      test('http/body/json-scanner', 'more than 32 levels of objects and arrays are refused'),
      test('http/api/inputs', 'in text besides the file is refused with the bound'),
      test('http/api/inputs', 'is reported alone, without errors of its entries'),
    ],
  },
]
