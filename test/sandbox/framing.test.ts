import { expect, spyOn, test } from 'bun:test'
import { decodeMessages, encodeMessage } from '../../src/sandbox/protocol.ts'

test('values are decoded from a stream cut anywhere', async () => {
  const values = [{ a: 'ä🦊' }, [], 'x'.repeat(70_000)]
  const bytes = Buffer.concat(values.map(encodeMessage))
  for (const size of [1, 3, 4_096, bytes.length]) {
    async function* cut() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const got: unknown[] = []
    for await (const value of decodeMessages(cut())) got.push(value)
    expect(got).toEqual(values)
  }
})

test('a message in a hundred thousand chunks is copied once, not once a chunk', async () => {
  const bytes = encodeMessage('x'.repeat(200_000))
  async function* cut() {
    for (let at = 0; at < bytes.length; at += 2) yield bytes.subarray(at, at + 2)
  }
  const concat = spyOn(Buffer, 'concat')
  try {
    const got: unknown[] = []
    for await (const value of decodeMessages(cut())) got.push(value)
    expect(got).toHaveLength(1)
    expect(concat.mock.calls.length).toBeLessThan(10)
  } finally {
    concat.mockRestore()
  }
})

test('a message longer than 64 MiB or not JSON ends the reading', async () => {
  for (const bytes of [
    [0x04, 0, 0, 0x01],
    [0xff, 0xff, 0xff, 0xff],
    [0, 0, 0, 1, 0x7b],
  ]) {
    let isReadOn = false
    async function* stream() {
      yield new Uint8Array(bytes)
      isReadOn = true
    }
    await expect(decodeMessages(stream()).next()).rejects.toThrow('a message')
    expect(isReadOn).toBe(false)
  }
})
