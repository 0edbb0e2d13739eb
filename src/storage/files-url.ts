/** Reads the address of an S3 bucket. No message repeats any part of it: it contains the secret. */

export interface S3Location {
  /** Scheme, host and port. */
  endpoint: string
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The message is a clause that says what to write. */
export class FilesUrlError extends Error {}

const DEFAULT_REGION = 'us-east-1'
const PARAMETERS: ReadonlySet<string> = new Set(['region', 'tls'])
const SHAPE = 's3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX]?region=REGION'

/** `s3://KEY:SECRET@host[:port]/bucket[/prefix]?region=…&tls=on|off`. @throws FilesUrlError */
export function parseFilesUrl(text: string): S3Location {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 's3:' || url.host === '' || url.hash !== '') throw new FilesUrlError(`must be written as ${SHAPE}`)
  const accessKeyId = decode(url.username)
  const secretAccessKey = decode(url.password)
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new FilesUrlError(`must contain the access key and its secret, percent-encoded: ${SHAPE}`)
  }
  const [bucket = '', ...folders] = url.pathname.slice(1).replace(/\/+$/, '').split('/').map(decode)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new FilesUrlError('must name a bucket after the host: 3 to 63 lower-case letters, digits, dots or hyphens')
  }
  if (folders.some(folder => !/^[A-Za-z0-9!_.*'()-]+$/.test(folder) || /^\.+$/.test(folder))) {
    throw new FilesUrlError('must have a prefix of letters, digits, dots, hyphens and underscores, with single slashes')
  }
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name) || url.searchParams.getAll(name).length > 1) {
      throw new FilesUrlError('may have the parameters region and tls after the question mark, each once')
    }
  }
  const tls = url.searchParams.get('tls') ?? 'on'
  if (tls !== 'on' && tls !== 'off') throw new FilesUrlError('must have tls=on or tls=off')
  return {
    endpoint: `${tls === 'on' ? 'https' : 'http'}://${url.host}`,
    bucket,
    prefix: folders.map(folder => `${folder}/`).join(''),
    region: url.searchParams.get('region') || DEFAULT_REGION,
    accessKeyId,
    secretAccessKey,
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new FilesUrlError('must have % only as a percent-encoding of two hexadecimal digits')
  }
}
