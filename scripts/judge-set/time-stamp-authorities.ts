/**
 * Two time-stamp authorities behind one loopback server, one with a CRL and one with OCSP.
 * openssl makes every answer: the seal is tested with another implementation. RFC 3161, 5280, 6960.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from 'bun'
import { must } from './process.ts'

export interface TimestampAuthorityServer {
  /** Addresses of the two authorities: `list` and `ocsp`. */
  urls: Readonly<Record<'list' | 'ocsp', string>>
  rootPath: string
  rootPem: string
  /** Where the own authority's revocation list can be had. */
  ownListUrl: string
  setOwnList(name: string, list: Uint8Array): void
  /** DER file of the root's own list. */
  listPath: string
  close(): Promise<void>
}

const config = (url: string): string => `[tsa]
default_tsa = one
[one]
serial = serial
signer_digest = sha256
digests = sha256
default_policy = 1.3.6.1.4.1.99999.1
accuracy = secs:1
ess_cert_id_alg = sha256
[req]
distinguished_name = name
prompt = no
[name]
O = Time of judges
CN = Time Root
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[common]
basicConstraints = critical, CA:false
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[list]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:${url}/time.crl
[ocsp]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
authorityInfoAccess = OCSP;URI:${url}/ocsp
[responder]
basicConstraints = critical, CA:false
keyUsage = critical, digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[ca]
default_ca = here
[here]
database = index.txt
new_certs_dir = .
serial = ca-serial
crlnumber = crl-number
certificate = root.pem
private_key = root.key
default_md = sha256
default_days = 3285
default_crl_days = 30
policy = any
copy_extensions = none
[any]
organizationName = optional
commonName = supplied
`

async function makeAuthorities(folder: string, url: string): Promise<void> {
  const openssl = (...args: string[]) => must(['openssl', ...args], { cwd: folder })
  writeFileSync(join(folder, 'authorities.cnf'), config(url))
  for (const [name, text] of [
    ['serial', '01\n'],
    ['ca-serial', '1001\n'],
    ['crl-number', '01\n'],
    ['index.txt', ''],
    ['index.txt.attr', 'unique_subject = no\n'],
  ] as const)
    writeFileSync(join(folder, name), text)
  const newKey = ['-newkey', 'rsa:3072', '-noenc', '-config', 'authorities.cnf']
  await openssl('req', '-x509', ...newKey, '-extensions', 'root', '-keyout', 'root.key', '-out', 'root.pem', '-days', '3650')
  for (const name of ['list', 'ocsp', 'responder']) {
    await openssl(
      'req',
      '-new',
      ...newKey,
      '-subj',
      `/O=Time of judges/CN=Time ${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    )
    const signed = ['-in', `${name}.csr`, '-extensions', name, '-out', `${name}.pem`, '-notext', '-batch']
    await openssl('ca', '-config', 'authorities.cnf', ...signed)
  }
  await openssl('ca', '-config', 'authorities.cnf', '-gencrl', '-out', 'time.crl.pem')
  await openssl('crl', '-in', 'time.crl.pem', '-outform', 'DER', '-out', 'time.crl')
}

/** One request at a time: openssl keeps its serial in a file. */
function inTurn() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }
}

const REPLY = ['-queryfile', 'question', '-config', 'authorities.cnf', '-section', 'one', '-chain', 'root.pem', '-out', 'reply']
const stampBy = (name: string): string[] => ['ts', '-reply', ...REPLY, '-signer', `${name}.pem`, '-inkey', `${name}.key`]
const RESPONDER = ['-CA', 'root.pem', '-rsigner', 'responder.pem', '-rkey', 'responder.key', '-rmd', 'sha256']
const STATUS = ['ocsp', '-index', 'index.txt', ...RESPONDER, '-reqin', 'question', '-ndays', '7', '-respout', 'reply']

/** Starts the server with its files in `folder`, which must not exist yet. */
export async function openTimestampAuthorityServer(folder: string): Promise<TimestampAuthorityServer> {
  mkdirSync(folder, { recursive: true })
  const turn = inTurn()
  const ownLists = new Map<string, Uint8Array>()
  const answer = async (request: Request, command: readonly string[], type: string) => {
    writeFileSync(join(folder, 'question'), new Uint8Array(await request.arrayBuffer()))
    await must(['openssl', ...command], { cwd: folder })
    return new Response(readFileSync(join(folder, 'reply')), { headers: { 'content-type': type } })
  }
  const server: Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const own = ownLists.get(pathname.slice(1))
      if (own !== undefined) return new Response(Buffer.from(own))
      if (pathname === '/time.crl') return new Response(readFileSync(join(folder, 'time.crl')))
      const name = /^\/stamp\/(list|ocsp)$/.exec(pathname)?.[1]
      if (name !== undefined) return turn(() => answer(request, stampBy(name), 'application/timestamp-reply'))
      if (pathname === '/ocsp') return turn(() => answer(request, STATUS, 'application/ocsp-response'))
      return new Response('', { status: 404 })
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  await makeAuthorities(folder, url)
  const rootPath = join(folder, 'root.pem')
  return {
    urls: { list: `${url}/stamp/list`, ocsp: `${url}/stamp/ocsp` },
    rootPath,
    rootPem: readFileSync(rootPath, 'utf8'),
    ownListUrl: `${url}/own`,
    setOwnList: (name, list) => void ownLists.set(name, list),
    listPath: join(folder, 'time.crl'),
    close: () => server.stop(true),
  }
}
