/** Parses `SIGNET_DATABASE_URL`; its parts mean what they mean to libpq. Connects to nothing. */
import { MAX_PORT } from '../../lib/net-guard.ts'

/** What libpq calls them. `allow` and `prefer` are absent: they fall back to no encryption. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const
type SslMode = (typeof SSL_MODES)[number]

export interface PostgresqlServer {
  /** A host name, an IP address without brackets, or the folder of a Unix socket. */
  host: string
  port: number
  database: string
  user: string
  password: string | undefined
  sslmode: SslMode
  /** PEM file with the trusted roots; undefined: those of the system. */
  sslrootcert: string | undefined
  /** Maximum connections of this process for reads. */
  readConnections: number
  /** Maximum connections of this process for transactions. Few: all wait for one row. */
  writeConnections: number
}

const DEFAULT_PORT = 5432
const DEFAULT_READ_CONNECTIONS = 8
/**
 * One writes while the other waits for the writer row. A stopped process keeps the row from all
 * others once for each, until the server ends its transactions.
 */
const DEFAULT_WRITE_CONNECTIONS = 2
const MAX_CONNECTIONS = 1000
const PARAMETERS = ['host', 'sslmode', 'sslrootcert', 'read_connections', 'write_connections'] as const
type Parameter = (typeof PARAMETERS)[number]

const EXAMPLE = 'postgres://signet:password@db.example.com:5432/signet?sslmode=verify-full'
const ESCAPES = 'special characters in the user name or password are written as %XX: @ is %40, : is %3A, / is %2F, % is %25'

/** Throws an `Error` whose message holds neither user name nor password. */
export function parseDatabaseUrl(text: string): PostgresqlServer {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Error(`must begin with postgres:// or postgresql://, as ${EXAMPLE}`)
  if (/[\s\0]/.test(text)) throw new Error(`must not contain spaces or line breaks; ${ESCAPES}`)
  const parts = /^[a-z]+:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^#]*))?$/.exec(text)
  if (!parts) throw new Error(`cannot be read; ${ESCAPES}; it looks like ${EXAMPLE}`)
  const [, login = '', address = '', path = '', query = ''] = parts
  const parameters = parametersOf(query)
  const { user, password } = loginOf(login)
  const { host, port } = addressOf(address, parameters.get('host'))
  const database = decoded(path)
  if (database === '') throw new Error(`must name a database after the host, as ${EXAMPLE}`)
  const sslrootcert = parameters.get('sslrootcert')
  return {
    host,
    port,
    database,
    user,
    password,
    sslmode: sslModeOf(parameters.get('sslmode'), host, sslrootcert),
    // libpq's word for the roots that the system trusts.
    sslrootcert: sslrootcert === 'system' ? undefined : sslrootcert,
    readConnections: countOf(parameters, 'read_connections', DEFAULT_READ_CONNECTIONS),
    writeConnections: countOf(parameters, 'write_connections', DEFAULT_WRITE_CONNECTIONS),
  }
}

/** For messages: where the database is, without the login. */
export function describeServer({ host, port, database }: PostgresqlServer): string {
  return `postgres://${host.includes(':') ? `[${host}]` : encodeURIComponent(host)}:${port}/${encodeURIComponent(database)}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw new Error(`holds a % that begins no escape; ${ESCAPES}`)
  }
}

function parametersOf(query: string): Map<Parameter, string> {
  const found = new Map<Parameter, string>()
  for (const pair of query.split('&').filter(Boolean)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? []
    const known = PARAMETERS.find(parameter => parameter === name)
    // The name is not repeated: it may be the rest of a password with an unescaped ?.
    if (!known) throw new Error(`holds a parameter that is not known; known are ${PARAMETERS.join(', ')}; ${ESCAPES}`)
    if (found.has(known)) throw new Error(`holds ${known} twice`)
    if (value !== '') found.set(known, decoded(value))
  }
  return found
}

function loginOf(login: string): { user: string; password: string | undefined } {
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(login) ?? []
  if (user === '') throw new Error(`must name a user, as ${EXAMPLE}`)
  return { user: decoded(user), password: password === undefined ? undefined : decoded(password) }
}

/** The parameter `host` names the folder of a Unix socket, for which an address has no place. */
function addressOf(address: string, parameter: string | undefined): { host: string; port: number } {
  if (address.includes(',')) throw new Error('must name one host: a name or address that leads to the primary server')
  const [, name, digits] = /^(\[[0-9A-Fa-f:.]+\]|[^[\]:]*)(?::(\d{0,5}))?$/.exec(address) ?? []
  const port = digits ? Number(digits) : DEFAULT_PORT
  if (name === undefined || port < 1 || port > MAX_PORT) throw new Error(`must name host and port, as ${EXAMPLE}; ${ESCAPES}`)
  const host = name === '' ? parameter : decoded(name.replace(/^\[(.*)\]$/, '$1'))
  if (host === undefined) throw new Error(`must name a host, as ${EXAMPLE}, or ?host= with the folder of a Unix socket`)
  if (name !== '' && parameter !== undefined) throw new Error('names a host twice: before the database, and as ?host=')
  return { host, port }
}

/** By default only connections inside the machine are not encrypted. */
function sslModeOf(named: string | undefined, host: string, sslrootcert: string | undefined): SslMode {
  if (named === undefined) return isLocal(host) ? 'disable' : 'verify-full'
  const mode = SSL_MODES.find(known => known === named)
  if (mode === undefined) throw new Error(`holds an sslmode that is not one of ${SSL_MODES.join(', ')}`)
  if (mode !== 'require' || sslrootcert === undefined) return mode
  return sslrootcert === 'system' ? 'verify-full' : 'verify-ca'
}

function isLocal(host: string): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function countOf(parameters: Map<Parameter, string>, name: Parameter, fallback: number): number {
  const text = parameters.get(name)
  if (text === undefined) return fallback
  const count = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MAX_CONNECTIONS) throw new Error(`must have a whole number from 1 to ${MAX_CONNECTIONS} as ${name}`)
  return count
}
