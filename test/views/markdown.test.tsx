/** CommonMark on pages: the elements that descriptions use; markup and scripts stay text. */
import { expect, test } from 'bun:test'
import { renderToString } from 'preact-render-to-string'
import { InlineMarkdown, Markdown } from '../../views/parts/markdown.tsx'

const render = (source: string) => renderToString(<Markdown source={source} />)

test('blocks become headings with anchors, paragraphs, lists and code', () => {
  expect(render('## Error codes\n\nOne *two* **three** `four`.')).toBe(
    '<h2 id="error-codes">Error codes</h2><p>One <em>two</em> <strong>three</strong> <code>four</code>.</p>',
  )
  expect(render('1. a\n2. b')).toBe('<ol><li>a</li><li>b</li></ol>')
  expect(render('- a\n\n```sh\ncurl <x>\n```')).toBe('<ul><li>a</li></ul><pre><code>curl &lt;x></code></pre>')
  expect(renderToString(<InlineMarkdown source="see `a`" />)).toBe('see <code>a</code>')
})

test('markup stays text, and only http and https become links', () => {
  for (const source of ['<script>alert(1)</script>', 'a <img src=x onerror=alert(1)> b', '<b>bold</b>']) {
    expect(render(source)).not.toMatch(/<(script|img|b)\b/)
  }
  expect(render('[a](https://example.com/)')).toContain('<a href="https://example.com/">a</a>')
  expect(render('[a](javascript:alert(1))')).toContain('<a href="#">a</a>')
})
