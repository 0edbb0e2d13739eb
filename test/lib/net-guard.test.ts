import { describe, expect, test } from 'bun:test'
import { isIP } from 'node:net'
import fc from 'fast-check'
import { addressText } from '../../src/lib/failure-texts.ts'
import { lookup } from '../../src/lib/host-addresses.ts'
import {
  ANY_NETWORK,
  addressRefusal,
  checkUrl,
  isWithin,
  METADATA_ADDRESSES,
  parseNetworks,
  resolveChecked,
} from '../../src/lib/net-guard.ts'

const loopback = parseNetworks('127.0.0.0/8, ::1')
const none = { allow: [] }
const toV4 = (value: number) => [24, 16, 8, 0].map(shift => (value >>> shift) & 255).join('.')

/** The neighbours are the addresses before and after, unless they are refused or do not exist. */
const RANGES: [first: string, last: string, neighbours: string[]][] = [
  ['0.0.0.0', '0.255.255.255', ['1.0.0.0']],
  ['10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
  ['100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
  ['127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
  ['168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
  ['169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
  ['172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
  ['192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
  ['192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
  ['192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
  ['192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
  ['198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
  ['198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
  ['203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
  ['224.0.0.0', '239.255.255.255', ['223.255.255.255']],
  ['240.0.0.0', '255.255.255.255', []],
  ['::', '::', []],
  ['::1', '::1', []],
  ['::2', '::ffff:ffff', ['::1:0:0']],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff', ['64:ff9b:0:ffff:ffff:ffff:ffff:ffff', '64:ff9b:2::']],
  ['100::', '100::ffff:ffff:ffff:ffff', ['ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '100:0:0:1::']],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff', ['2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:1::']],
  ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff', ['2001:1:ffff:ffff:ffff:ffff:ffff:ffff', '2001:2:1::']],
  ['2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:f:ffff:ffff:ffff:ffff:ffff:ffff', '2001:20::']],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:db7:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::']],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::']],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', ['3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:1000::']],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '5f01::']],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe00::']],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff']],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
]

describe('addresses', () => {
  test.each(RANGES)('%s to %s is refused at both ends, and its neighbours are not', (first, last, neighbours) => {
    expect(addressRefusal(first, none)).toContain(first)
    expect(addressRefusal(last, none)).toContain(last)
    for (const neighbour of neighbours) expect(addressRefusal(neighbour, none)).toBeUndefined()
  })

  test('an IPv4 address gets the same answer plain, IPv4-mapped and with the NAT64 prefix', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffff_ffff }), value => {
        const plain = toV4(value)
        const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`
        const isBad = addressRefusal(plain, none) !== undefined
        for (const wrapped of [
          `::ffff:${plain}`,
          `::ffff:${hex}`,
          `64:ff9b::${plain}`,
          `64:ff9b::${hex}`,
          `0:0:0:0:0:FFFF:${plain}`,
        ]) {
          expect(addressRefusal(wrapped, none) !== undefined).toBe(isBad)
        }
      }),
    )
  })

  test('an IPv4-compatible address is refused, whatever IPv4 address it contains', () => {
    for (const text of ['::8.8.8.8', '::808:808']) expect(addressRefusal(text, none)).toContain('IPv4-compatible')
  })

  test('an allowed network allows its own addresses and no other', () => {
    const allow = parseNetworks('10.1.0.0/16 fd00:1::/32')
    expect(addressRefusal('10.1.0.0', { allow })).toBeUndefined()
    expect(addressRefusal('10.1.255.255', { allow })).toBeUndefined()
    expect(addressRefusal('::ffff:10.1.2.3', { allow })).toBeUndefined()
    expect(addressRefusal('10.0.255.255', { allow })).toContain('private')
    expect(addressRefusal('10.2.0.0', { allow })).toContain('private')
    expect(addressRefusal('fd00:1:ffff::', { allow })).toBeUndefined()
    expect(addressRefusal('fd00:2::', { allow })).toContain('private')
    expect(addressRefusal('169.254.169.254', { allow })).toContain('metadata')
  })

  test('a metadata address is allowed by an entry for it alone, by no larger network', () => {
    for (const address of METADATA_ADDRESSES) {
      const forms = isIP(address) === 4 ? [address, `::ffff:${address}`, `64:ff9b::${address}`] : [address]
      for (const form of forms) {
        expect([form, addressRefusal(form, { allow: ANY_NETWORK })]).toEqual([form, expect.any(String)])
        expect([form, addressRefusal(form, { allow: parseNetworks(address) })]).toEqual([form, undefined])
      }
    }
    expect(addressRefusal('169.254.169.253', { allow: ANY_NETWORK })).toBeUndefined()
  })

  test('allowing all IPv6 addresses allows no IPv4 address', () => {
    expect(addressRefusal('::ffff:127.0.0.1', { allow: parseNetworks('::/0') })).toContain('loopback')
  })

  test('an address of this host is refused unless it is listed', () => {
    expect(addressRefusal('8.8.4.4', { allow: [], own: ['8.8.4.4'] })).toContain('this host')
    expect(addressRefusal('::ffff:8.8.4.4', { allow: [], own: ['8.8.4.4'] })).toContain('this host')
    expect(addressRefusal('8.8.4.4', { allow: parseNetworks('8.8.4.4'), own: ['8.8.4.4'] })).toBeUndefined()
    expect(addressRefusal('8.8.8.8', { allow: [], own: ['8.8.4.4'] })).toBeUndefined()
  })

  test.each(['', 'x', '127.1', '010.0.0.1', '1.2.3.4.5', 'fe80::1%eth0', ' 8.8.8.8', '[::1]'])(
    '%j is not an address and is refused',
    text => {
      expect(addressRefusal(text, { allow: parseNetworks('0.0.0.0/0 ::/0') })).toContain('not an IP address')
    },
  )
})

describe('networks', () => {
  test('are separated by commas and white space; a single address is a network', () => {
    expect(parseNetworks(' 10.0.0.0/8,192.168.1.7\n fd00::/8 ').map(({ text }) => text)).toEqual([
      '10.0.0.0/8',
      '192.168.1.7',
      'fd00::/8',
    ])
    expect(parseNetworks('')).toEqual([])
    expect(isWithin('192.168.1.7', parseNetworks('192.168.1.7'))).toBe(true)
    expect(isWithin('192.168.1.8', parseNetworks('192.168.1.7'))).toBe(false)
    expect(isWithin('10.9.9.9', parseNetworks('::ffff:10.0.0.0/104'))).toBe(true)
    expect(isWithin('11.0.0.0', parseNetworks('::ffff:10.0.0.0/104'))).toBe(false)
  })

  test.each([
    ['10.0.0.0/33', 'at most 32 bits'],
    ['::1/129', 'at most 128 bits'],
    ['10.1.2.3/8', 'write 10.0.0.0/8'],
    ['fd00::1/8', 'write fd00::/8'],
    ['10.0.0/8', 'write it like'],
    ['10.0.0.0/', 'write it like'],
    ['10.0.0.0/-1', 'write it like'],
    ['example.com', 'write it like'],
    ['10.0.0.0/8/8', 'write it like'],
  ])('%s is refused with its name and the remedy', (bad, hint) => {
    expect(() => parseNetworks(`10.0.0.0/8, ${bad}`)).toThrow(`"${bad}"`)
    expect(() => parseNetworks(bad)).toThrow(hint)
  })
})

describe('URLs', () => {
  test.each([
    ...['127.1', '0x7f.1', '0177.0.0.1', '2130706433', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.1', '127.0.0.1.', '0x7f000001.'],
    ...[
      '[::1]',
      '[::]',
      '0',
      '0.0.0.0',
      '[::ffff:7f00:1]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[::127.0.0.1]',
      '[fe80::1%25eth0]',
      '[fe80::1%eth0]',
    ],
    ...['localhost', 'LOCALHOST', 'localhost.', 'localhost..', 'localhost%2e', 'a.localhost', '.localhost', 'ｌocalhost'],
    ...[
      '169.254.169.254',
      '10.0.0.1',
      '192.168.0.1',
      '1.2.3.4.5',
      '256.1.1.1',
      'a..b',
      '-a.example',
      '[1.2.3.4]',
      'user:pw@8.8.8.8',
      '@8.8.8.8',
      'exa mple.com',
    ],
  ])('http://%s/ is refused', host => {
    const checked = checkUrl(`http://${host}/`, [])
    expect('refusal' in checked && addressText(checked.refusal)).toMatch(/^The URL.*\.$/)
  })

  test.each(
    [
      'ftp://example.com',
      'file:///etc/passwd',
      'javascript:alert(1)',
      '//example.com',
      'http:example.com',
      'http:///example.com',
      'http://example.com\\@x',
    ].concat([
      'https://example.com/#a',
      'https://example.com/#',
      'https://example.com/\r\nx',
      'https://example.com:0/',
      'https://example.com:99999/',
      '',
      'http://',
      `https://example.com/${'a'.repeat(2048)}`,
    ]),
  )('%j is refused', text => {
    expect(checkUrl(text, [])).toHaveProperty('refusal')
  })

  test.each([
    'https://example.com/hook?a=1',
    'http://8.8.8.8:8080/',
    'https://[2606:4700::1]/',
    'HTTPS://Example.COM',
    'http://intranet/x',
    'https://bücher.example/ü',
    'http://my_host.example./',
  ])('%s is accepted', text => {
    expect(checkUrl(text, [])).toHaveProperty('url.href', new URL(text).href)
  })

  test('loopback is accepted in every notation if the caller allows it', () => {
    for (const host of ['127.1', '[::1]', 'localhost', 'localhost.', '[::ffff:7f00:1]'])
      expect(checkUrl(`http://${host}:1/`, loopback)).toHaveProperty('url')
    expect(checkUrl('http://10.0.0.1/', loopback)).toHaveProperty('refusal')
  })
})

describe('names', () => {
  const answering = (...addresses: string[]) => {
    let asked = 0
    const lookup = async () => {
      asked++
      return addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
    return { lookup, asked: () => asked }
  }

  test('are resolved once, and the checked addresses are returned', async () => {
    const { lookup, asked } = answering('8.8.8.8', '2606:4700::1')
    expect(await resolveChecked('example.com', { allow: [], own: [], lookup })).toEqual({
      outcome: 'resolved',
      address: '8.8.8.8',
      family: 4,
      addresses: [
        { address: '8.8.8.8', family: 4 },
        { address: '2606:4700::1', family: 6 },
      ],
    })
    expect(asked()).toBe(1)
  })

  test('are refused if one of their addresses is', async () => {
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['10.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '::ffff:169.254.169.254'],
      ['8.8.8.8', 'fe80::1%2'],
    ]) {
      expect(await resolveChecked('example.com', { allow: [], own: [], ...answering(...addresses) })).toMatchObject({
        outcome: 'refused',
      })
    }
  })

  test('without an address or a reply of the resolver are unresolved', async () => {
    expect(await resolveChecked('example.com', { allow: [], own: [], ...answering() })).toMatchObject({ outcome: 'unresolved' })
    const lookup = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    expect(await resolveChecked('example.com', { allow: [], own: [], lookup })).toEqual({
      outcome: 'unresolved',
      reason: 'example.com could not be resolved (ENOTFOUND)',
    })
  })

  test('an address is not looked up', async () => {
    const { lookup, asked } = answering('8.8.8.8')
    expect(await resolveChecked('[::1]', { allow: [], own: [], lookup })).toMatchObject({ outcome: 'refused' })
    expect(await resolveChecked('127.0.0.1', { allow: loopback, own: [], lookup })).toMatchObject({
      outcome: 'resolved',
      address: '127.0.0.1',
    })
    expect(asked()).toBe(0)
  })

  test('localhost resolves to refused addresses', async () => {
    expect(await resolveChecked('localhost', { allow: [], own: [], lookup })).toMatchObject({ outcome: 'refused' })
    expect(await resolveChecked('localhost', { allow: loopback, own: [], lookup })).toMatchObject({ outcome: 'resolved' })
  })
})
