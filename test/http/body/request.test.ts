/** What is read from the headers of a request. */
import { expect, test } from 'bun:test'
import { userAgentOf } from '../../../src/http/request.ts'

const agentOf = (sent: string) => userAgentOf(new Request('http://127.0.0.1', { headers: { 'user-agent': sent } }))

test('the client’s program is one line, so that the audit certificate shows no line that the client made up', () => {
  expect(agentOf('Mozilla/5.0\u0085Signed by Bob\u00a0\u00a0\u00a0\u00a0\u00ad192.0.2.7')).toBe(
    'Mozilla/5.0Signed by Bob 192.0.2.7',
  )
  expect(agentOf('x'.repeat(9000))).toHaveLength(500)
  expect(agentOf('\u00ad')).toBeUndefined()
})
