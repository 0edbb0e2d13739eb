/** The address of a client behind a proxy: always an address, whatever the header contains. */
import { expect, test } from 'bun:test'
import { ipAddressOf } from '../../src/http/request.ts'
import { parseNetworks } from '../../src/lib/net-guard.ts'

const SOCKET = '127.0.0.1'
const TRUSTED = parseNetworks('127.0.0.0/8 10.0.0.0/8')
const behind = (forwarded: string) =>
  ipAddressOf(new Request('http://localhost/', { headers: { 'x-forwarded-for': forwarded } }), SOCKET, TRUSTED)

const CASES: [forwarded: string, address: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['198.51.100.1, 192.0.2.7', '192.0.2.7'],
  ['192.0.2.7, 10.0.0.4', '192.0.2.7'],
  ['10.0.0.9, 10.0.0.4', '10.0.0.9'],
  ['2001:DB8:0:0::7', '2001:db8::7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ["=cmd|'/c calc'!A1", SOCKET],
  ['<script>', SOCKET],
  ['unknown', SOCKET],
  ['', SOCKET],
  ['1.2.3', SOCKET],
  ['0x7f.1', SOCKET],
  ['fe80::1%eth0', SOCKET],
  // What comes before it was not written by a proxy that is trusted.
  ['192.0.2.7, =cmd', SOCKET],
  ['192.0.2.7, =cmd, 10.0.0.4', '10.0.0.4'],
]

for (const [forwarded, address] of CASES) {
  test(`X-Forwarded-For "${forwarded}" is ${address}`, () => {
    expect(behind(forwarded)).toBe(address)
  })
}

test('without a trusted proxy the header counts for nothing', () => {
  const request = new Request('http://localhost/', { headers: { 'x-forwarded-for': '192.0.2.7' } })
  expect(ipAddressOf(request, '203.0.113.5', TRUSTED)).toBe('203.0.113.5')
})
