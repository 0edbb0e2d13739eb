/** A PKI on loopback by openssl: a root, a time-stamp authority, revocation lists and OCSP. */
import { afterAll, afterEach } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNetworks } from '../../src/lib/net-guard.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'
import { requestTimestamp } from '../../src/pades/timestamp.ts'
import { temporaryFolder } from './folders.ts'
import { ocspAnswer } from './ocsp-responder.ts'

function openssl(folder: string, ...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: folder, timeout: 30_000 })
  if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr}`)
}

const CONFIG = (url: string) => `[tsa]
default_tsa = one
[one]
serial = tsserial
signer_digest = sha256
digests = sha256
default_policy = 1.3.6.1.4.1.99999.1
accuracy = secs:1
[ca]
default_ca = root_ca
[root_ca]
database = index.txt
serial = serial
certificate = root.pem
private_key = root.key
default_md = sha256
default_days = 30
default_crl_days = 30
crlnumber = crlnumber
new_certs_dir = .
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
prompt = no
[name]
CN = unused
[root]
basicConstraints = critical, CA:true
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[tsa_cert]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
authorityInfoAccess = OCSP;URI:${url}/ocsp, caIssuers;URI:${url}/root.der
crlDistributionPoints = URI:${url}/root.crl
[no_purpose]
keyUsage = critical, digitalSignature
[not_critical]
keyUsage = critical, digitalSignature
extendedKeyUsage = timeStamping
[two_purposes]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping, codeSigning
[wrong_usage]
keyUsage = critical, keyEncipherment
extendedKeyUsage = critical, timeStamping
[below]
basicConstraints = critical, CA:true, pathlen:0
keyUsage = critical, keyCertSign
[bare_tsa]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[asked_ocsp]
keyUsage = critical, digitalSignature
extendedKeyUsage = OCSPSigning
authorityInfoAccess = OCSP;URI:${url}/ocsp
[many]
crlDistributionPoints = ${Array.from({ length: 9 }, (_, n) => `URI:${url}/list-${n}`).join(', ')}
[ldap]
crlDistributionPoints = URI:ldap://127.0.0.1/cn=root
[ocsp_cert]
keyUsage = critical, digitalSignature
extendedKeyUsage = OCSPSigning
noCheck = ignored
`

export type Behaviour = (request: Request, honest: () => Promise<Response>) => Response | Promise<Response>

export interface TestAuthority {
  /** The URL of the time-stamp service. */
  url: string
  /** PEM. */
  root: string
  folder: string
  /** The paths of all requests. */
  requests: string[]
  /** Replaces the answers from now on; `undefined`: honest ones. */
  behave(path: '/tsa' | '/ocsp' | '/root.crl' | '/root.der', behaviour: Behaviour | undefined): void
  /** Revokes the certificate of the time-stamp authority. */
  revokeAuthority(): void
  close(): Promise<void>
}

/** Call once in a test file: an authority for all its tests, honest at the beginning of each. */
export function useTestAuthority(): TestAuthority {
  const authority = openTestAuthority()
  afterEach(() => {
    for (const path of ['/tsa', '/ocsp', '/root.crl', '/root.der'] as const) authority.behave(path, undefined)
  })
  afterAll(() => authority.close())
  return authority
}

/** Its folder is removed when it is closed. */
export function openTestAuthority(): TestAuthority {
  const folder = temporaryFolder()
  const requests: string[] = []
  const behaviours = new Map<string, Behaviour>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async request => {
      const { pathname } = new URL(request.url)
      requests.push(pathname)
      const body = new Uint8Array(await request.clone().arrayBuffer())
      const honest = async () => honestly(folder, pathname, body)
      const behaviour = behaviours.get(pathname)
      return behaviour ? behaviour(request, honest) : honest()
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  make(folder, url)
  return {
    url: `${url}/tsa`,
    root: readFileSync(join(folder, 'root.pem'), 'utf8'),
    folder,
    requests,
    behave(path, behaviour) {
      if (behaviour) behaviours.set(path, behaviour)
      else behaviours.delete(path)
    },
    revokeAuthority() {
      openssl(folder, 'ca', '-config', 'pki.cnf', '-revoke', 'tsa.pem')
      openssl(folder, 'ca', '-config', 'pki.cnf', '-gencrl', '-out', 'crl.pem')
      openssl(folder, 'crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'root.crl')
    },
    async close() {
      await server.stop(true)
      rmSync(folder, { recursive: true })
    },
  }
}

function make(folder: string, url: string): void {
  for (const [name, text] of [
    ['pki.cnf', CONFIG(url).replace('noCheck = ignored', '1.3.6.1.5.5.7.48.1.5 = ASN1:NULL')],
    ['serial', '1000\n'],
    ['tsserial', '01\n'],
    ['crlnumber', '01\n'],
    ['index.txt', ''],
  ] as const) {
    writeFileSync(join(folder, name), text)
  }
  const key = NEW_KEY
  const root = ['-subj', '/CN=Root of tests', '-extensions', 'root', '-keyout', 'root.key', '-out', 'root.pem', '-days', '3000']
  openssl(folder, 'req', '-x509', ...key, ...root)
  openssl(folder, 'x509', '-in', 'root.pem', '-outform', 'DER', '-out', 'root.der')
  issue(folder, 'tsa', 'tsa_cert')
  issue(folder, 'other', 'no_purpose')
  issue(folder, 'ocsp', 'ocsp_cert')
  openssl(folder, 'ca', '-config', 'pki.cnf', '-gencrl', '-out', 'crl.pem')
  openssl(folder, 'crl', '-in', 'crl.pem', '-outform', 'DER', '-out', 'root.crl')
}

/** Asks the authority for a token over a SHA-256, as the service does. */
export const stampBy = ({ url, root }: TestAuthority, digest: Uint8Array) =>
  requestTimestamp({
    digest,
    authority: { url, ca: root },
    allow: parseNetworks('127.0.0.0/8'),
    send: THIS_MACHINE.send,
    now: () => new Date(),
    random: THIS_MACHINE.random,
  })

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-config', 'pki.cnf']

/** Issues `name`.pem with the extensions of `section`; `more`: options of `openssl ca`. */
export function issue(folder: string, name: string, section: string, ...more: string[]): void {
  openssl(folder, 'req', ...NEW_KEY, '-new', '-subj', `/CN=${name} of tests`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
  const how = ['-config', 'pki.cnf', '-batch', '-notext', '-extensions', section, ...more]
  openssl(folder, 'ca', ...how, '-in', `${name}.csr`, '-out', `${name}.pem`)
}

/** Signs any TSTInfo (DER) with any certificate of the folder; includes those of `beside`. */
export function signInfo(
  folder: string,
  info: Uint8Array,
  name: string,
  beside: readonly string[] = ['root'],
  more: readonly string[] = [],
): Uint8Array {
  writeFileSync(join(folder, 'info'), info)
  writeFileSync(join(folder, 'beside.pem'), beside.map(one => readFileSync(join(folder, `${one}.pem`), 'utf8')).join(''))
  const what = ['-sign', '-binary', '-nodetach', '-econtent_type', '1.2.840.113549.1.9.16.1.4', '-in', 'info', '-md', 'sha256']
  const who = ['-signer', `${name}.pem`, '-inkey', `${name}.key`, '-certfile', 'beside.pem', '-cades', '-nosmimecap']
  openssl(folder, 'cms', ...what, ...who, ...more, '-outform', 'DER', '-out', 'signed')
  return new Uint8Array(readFileSync(join(folder, 'signed')))
}

let asked = 0

function honestly(folder: string, path: string, body: Uint8Array): Response {
  const file = (name: string, type: string) =>
    new Response(readFileSync(join(folder, name)), { headers: { 'content-type': type } })
  if (path === '/root.crl') return file('root.crl', 'application/pkix-crl')
  if (path === '/root.der') return file('root.der', 'application/pkix-cert')
  if (path === '/ocsp')
    return new Response(ocspAnswer({ folder, request: body, days: 7 }), {
      headers: { 'content-type': 'application/ocsp-response' },
    })
  if (path !== '/tsa') return new Response('nothing here', { status: 404 })
  const [query, reply] = [`q${++asked}`, `r${asked}`]
  writeFileSync(join(folder, query), body)
  const signer = ['-config', 'pki.cnf', '-section', 'one', '-signer', 'tsa.pem', '-inkey', 'tsa.key', '-chain', 'root.pem']
  openssl(folder, 'ts', '-reply', '-queryfile', query, ...signer, '-out', reply)
  return file(reply, 'application/timestamp-reply')
}
