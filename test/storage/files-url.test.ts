/** The URL of the bucket: what it may say, and that no message repeats the secret. */
import { describe, expect, test } from 'bun:test'
import { CodedError } from '../../src/locales/violations.ts'
import { parseFilesUrl } from '../../src/storage/files-url.ts'

describe('a files URL', () => {
  test('names host, bucket, prefix, region and keys; TLS is on and the prefix ends with a slash', () => {
    expect(parseFilesUrl('s3://KEY:SECRET@s3.example.com/contracts/signet/eu?region=eu-central-1')).toEqual({
      endpoint: 'https://s3.example.com',
      bucket: 'contracts',
      prefix: 'signet/eu/',
      region: 'eu-central-1',
      accessKeyId: 'KEY',
      secretAccessKey: 'SECRET',
    })
  })

  test('may leave out the prefix, and TLS on a network of its own', () => {
    expect(parseFilesUrl('s3://k:s@127.0.0.1:9000/files?tls=off')).toMatchObject({
      endpoint: 'http://127.0.0.1:9000',
      bucket: 'files',
      prefix: '',
    })
    expect(parseFilesUrl('s3://k:s@[::1]:9000/files/')).toMatchObject({ endpoint: 'https://[::1]:9000', prefix: '' })
  })

  test('has its keys percent-encoded', () => {
    const { accessKeyId, secretAccessKey } = parseFilesUrl('s3://a%3Ab:x%2Fy%40z%25+w@host/files')
    expect([accessKeyId, secretAccessKey]).toEqual(['a:b', 'x/y@z%+w'])
  })

  test.each([
    ['https://k:hidden@host/files', 'must be written as s3://'],
    ['s3://host/files?x=hidden', 'access key'],
    ['s3://hidden@host/files', 'access key'],
    ['s3://k:hidden%zz@host/files', 'percent-encoding'],
    ['s3://k:hidden@host', 'bucket'],
    ['s3://k:hidden@host/Files', 'bucket'],
    ['s3://k:hidden@host/files/a//b', 'prefix'],
    ['s3://k:hidden@host/files/b%3F', 'prefix'],
    ['s3://k:hidden@host/files?tls=no', 'tls=on'],
    ['s3://k:hidden@host/files?acl=public', 'region and tls'],
    ['s3://k:hidden@host/files?tls=on&tls=off', 'region and tls'],
    ['s3://k:hid/den@host/files', 'must'],
  ])('that is wrong is refused with a remedy and without the secret: %s', (url, remedy) => {
    const message = messageOf(() => parseFilesUrl(url))
    expect(message).toContain(remedy)
    expect(message).not.toContain('hid')
  })
})

function messageOf(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    if (error instanceof CodedError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}
