import { expect, test } from 'bun:test'
import { safeHref } from '../../src/lib/safe-text.ts'

test.each(['https://example.com/thanks?a=b#c', 'http://127.0.0.1:3000/', 'HTTPS://EXAMPLE.COM'])('%s may be in a link', url => {
  expect(safeHref(url)).toBe(url)
})

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://example.com/1',
  '//example.com',
  '/relative',
  'example.com',
  '',
  undefined,
])('%j may not', url => {
  expect(safeHref(url)).toBeUndefined()
})
