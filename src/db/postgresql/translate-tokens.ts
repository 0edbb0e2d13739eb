/** Tokens of SQL text as SQLite reads it, and scripts split into statements. */

export interface Token {
  kind: 'word' | 'text' | 'number' | 'sign'
  /** A word is in its own letter case, without the quotation marks of a quoted name. */
  text: string
  /** White space or a comment comes before it. */
  spaced: boolean
}

const SPACE = String.raw`(?<space>\s+|--[^\n]*|/\*[\s\S]*?\*/)`
const TOKEN = new RegExp(
  String.raw`${SPACE}|(?<text>'(?:[^']|'')*')|"(?<quoted>[^"]+)"|(?<number>\d+(?:\.\d+)?)|(?<word>[A-Za-z_]\w*)|(?<sign>->>?|\|\||<>|<=|>=|!=|[-+*/%=<>(),;.?])`,
  'y',
)

/** @throws Error at text that is none of these */
function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let spaced = false
  let at = 0
  while (at < sql.length) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(sql)
    if (!match) throw new Error(`not understood: ${sql.slice(at, at + 60)}`)
    at = TOKEN.lastIndex
    const { text, quoted, number, word, sign } = match.groups as Record<string, string | undefined>
    const found = text ?? quoted ?? number ?? word ?? sign
    if (found === undefined) {
      spaced = true
      continue
    }
    const kind = text ? 'text' : number ? 'number' : sign ? 'sign' : 'word'
    tokens.push({ kind, text: found, spaced })
    spaced = false
  }
  return tokens
}

export function textOf(tokens: readonly Token[]): string {
  return tokens.map((token, i) => (i > 0 && token.spaced ? ' ' : '') + token.text).join('')
}

/** A trigger ends at `END`, every other statement at `;`. */
export function statementsOf(sql: string): Token[][] {
  const statements: Token[][] = []
  let current: Token[] = []
  for (const token of tokensOf(sql)) {
    if (token.text === ';' && token.kind === 'sign' && !isInsideTrigger(current)) {
      if (current.length > 0) statements.push(current)
      current = []
    } else current.push(token)
  }
  if (current.length > 0) statements.push(current)
  return statements
}

function isInsideTrigger(tokens: Token[]): boolean {
  if (!(isWord(tokens[0], 'CREATE') && isWord(tokens[1], 'TRIGGER'))) return false
  const last = tokens.at(-1)
  // An END after a semicolon is that of the trigger, any other that of a CASE.
  return !(isWord(last, 'END') && tokens.at(-2)?.text === ';')
}

export function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word
}

/** Splits at a sign outside of brackets. */
export function splitAt(tokens: readonly Token[], sign: string): Token[][] {
  const parts: Token[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'sign' && token.text === '(') depth++
    if (token.kind === 'sign' && token.text === ')') depth--
    if (depth === 0 && token.kind === 'sign' && token.text === sign) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts.filter(part => part.length > 0)
}

/** Reads tokens one after another. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  /** The tokens that are left. */
  rest(): Token[] {
    const rest = this.#tokens.slice(this.#at)
    this.#at = this.#tokens.length
    return rest
  }

  /** Takes these words, all or none. */
  take(words: string): boolean {
    const list = words.split(' ')
    if (!list.every((word, i) => isWord(this.#tokens[this.#at + i], word))) return false
    this.#at += list.length
    return true
  }

  expect(words: string): void {
    if (!this.take(words)) throw this.unknown()
  }

  name(): string {
    const token = this.#tokens[this.#at]
    if (token?.kind !== 'word') throw this.unknown()
    this.#at++
    return token.text.toLowerCase()
  }

  token(): Token {
    const token = this.#tokens[this.#at]
    if (!token) throw this.unknown()
    this.#at++
    return token
  }

  /** The tokens between an opening bracket, which comes next, and its closing one. */
  bracket(): Token[] {
    const start = this.#at
    if (this.#tokens[start]?.text !== '(') throw this.unknown()
    let depth = 0
    for (let i = start; i < this.#tokens.length; i++) {
      const token = this.#tokens[i]
      if (token?.kind !== 'sign') continue
      if (token.text === '(') depth++
      if (token.text === ')' && --depth === 0) {
        this.#at = i + 1
        return this.#tokens.slice(start + 1, i)
      }
    }
    throw this.unknown()
  }

  /** The tokens before the next of these words outside of brackets, or all. */
  until(...words: string[]): Token[] {
    const start = this.#at
    let depth = 0
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at]
      if (token?.text === '(') depth++
      if (token?.text === ')') depth--
      if (depth === 0 && words.some(word => isWord(token, word))) break
      this.#at++
    }
    return this.#tokens.slice(start, this.#at)
  }

  unknown(): Error {
    return new Error(`not understood: ${textOf(this.#tokens.slice(this.#at)).slice(0, 80) || 'the end'}`)
  }
}
