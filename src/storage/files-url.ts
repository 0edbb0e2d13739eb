/** Reads the address of an S3 bucket. No message repeats any part of it: it contains the secret. */
import { violation } from '../core/violation.ts'
import { CodedError } from '../locales/violations.ts'

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

const DEFAULT_REGION = 'us-east-1'
const PARAMETERS: ReadonlySet<string> = new Set(['region', 'tls'])
const SHAPE = 's3://KEY:SECRET@HOST[:PORT]/BUCKET[/PREFIX]?region=REGION'

/** `s3://KEY:SECRET@host[:port]/bucket[/prefix]?region=…&tls=on|off`. @throws CodedError */
export function parseFilesUrl(text: string): S3Location {
  const url = URL.parse(text.trim())
  if (url?.protocol !== 's3:' || url.host === '' || url.hash !== '')
    throw new CodedError(violation('s3_url_malformed', { shape: SHAPE }))
  const accessKeyId = decode(url.username)
  const secretAccessKey = decode(url.password)
  if (accessKeyId === '' || secretAccessKey === '') {
    throw new CodedError(violation('s3_url_without_key', { shape: SHAPE }))
  }
  const [bucket = '', ...folders] = url.pathname.slice(1).replace(/\/+$/, '').split('/').map(decode)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new CodedError(violation('s3_url_without_bucket'))
  }
  if (folders.some(folder => !/^[A-Za-z0-9!_.*'()-]+$/.test(folder) || /^\.+$/.test(folder))) {
    throw new CodedError(violation('s3_url_prefix'))
  }
  for (const name of url.searchParams.keys()) {
    if (!PARAMETERS.has(name) || url.searchParams.getAll(name).length > 1) {
      throw new CodedError(violation('s3_url_parameters'))
    }
  }
  const tls = url.searchParams.get('tls') ?? 'on'
  if (tls !== 'on' && tls !== 'off') throw new CodedError(violation('s3_url_tls'))
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
    throw new CodedError(violation('s3_url_escapes'))
  }
}
