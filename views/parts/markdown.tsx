/** CommonMark as elements. Markup inside a text is shown as text, so it is safe. */
import { Lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren, VNode } from 'preact'
import { safeHref } from '../../src/lib/safe-text.ts'

const text = (token: Token): ComponentChildren =>
  'tokens' in token && token.tokens ? <Parts tokens={token.tokens} /> : 'text' in token ? token.text : token.raw

/** `Error codes` becomes `error-codes`. */
export function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}

function List({ token }: { token: Tokens.List }) {
  const items = token.items.map((item, i) => (
    <li key={i}>
      <Parts tokens={item.tokens} />
    </li>
  ))
  return token.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
}

function Heading({ token }: { token: Tokens.Heading }) {
  const Tag = token.depth <= 2 ? 'h2' : 'h3'
  return <Tag id={anchorOf(token.text)}>{text(token)}</Tag>
}

const ELEMENTS: Record<string, (token: Token) => VNode> = {
  paragraph: token => <p>{text(token)}</p>,
  heading: token => <Heading token={token as Tokens.Heading} />,
  list: token => <List token={token as Tokens.List} />,
  code: token => (
    <pre>
      <code>{(token as Tokens.Code).text}</code>
    </pre>
  ),
  codespan: token => <code>{(token as Tokens.Codespan).text}</code>,
  strong: token => <strong>{text(token)}</strong>,
  em: token => <em>{text(token)}</em>,
  link: token => <a href={safeHref((token as Tokens.Link).href) ?? '#'}>{text(token)}</a>,
}

function Parts({ tokens }: { tokens: Token[] }) {
  return <>{tokens.filter(({ type }) => type !== 'space').map(token => ELEMENTS[token.type]?.(token) ?? text(token))}</>
}

export function Markdown({ source }: { source: string }) {
  return <Parts tokens={new Lexer().lex(source)} />
}

export function InlineMarkdown({ source }: { source: string }) {
  return <Parts tokens={new Lexer().inlineTokens(source)} />
}

export function headingsOf(source: string): string[] {
  return new Lexer()
    .lex(source)
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map(token => token.text)
}
