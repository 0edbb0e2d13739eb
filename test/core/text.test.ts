/** Names, titles and addresses: what is cleaned, what is refused, what is accepted. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cleanLine, cleanText, emailError, lineError, sameMailbox } from '../../src/core/text.ts'

describe('cleanLine', () => {
  test('removes invisible characters and bidi controls', () => {
    expect(cleanLine('in\u202evoice\u202c.pdf')).toBe('invoice.pdf')
    expect(cleanLine('\ufeff\u2066Ada\u2069\u200f')).toBe('Ada')
    expect(cleanLine('a\u0007b\u0085c\u007fd')).toBe('abcd')
  })

  test('replaces tabs, trims and composes', () => {
    expect(cleanLine(' \u00a0Ada\tLovelace ')).toBe('Ada Lovelace')
    expect(cleanLine('Zoe\u0308')).toBe('Zo\u00eb')
  })

  test('has one line, also where a separator of lines or paragraphs was', () => {
    expect(cleanLine('Eve\u20287. Bob Smith\u2029signed')).toBe('Eve 7. Bob Smith signed')
  })

  test('has no row of blanks, of whatever kind, that moves a word elsewhere', () => {
    expect(cleanLine(`Eve${'\u00a0'.repeat(60)}signed${'\u3000'.repeat(40)}by  Bob`)).toBe('Eve signed by  Bob')
    expect(cleanLine('山田\u3000太郎')).toBe('山田\u3000太郎')
  })

  test('has no stack of marks that reaches over the lines around it', () => {
    const cut = `Z${'\u0334'.repeat(10)}oe`
    for (const between of ['', '\u200d', '\u{e0041}', '\u034f'])
      expect([...cleanLine(`Z${`\u0334${between}`.repeat(90)}oe`)]).toHaveLength(13)
    expect(cleanLine(`Z${'\u0334'.repeat(90)}oe`)).toBe(cut)
    for (const kept of [
      'בְּרֵאשִׁ֖ית',
      'བསྒྲུབས་',
      'ကျြွှေါ့်း',
      'Nguyễn',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
      '👩🏽‍🚀',
    ])
      expect(cleanLine(kept)).toBe(kept.normalize('NFC'))
  })

  test('of a megabyte of marks is made at once: sorting them would take hours', () => {
    expect(cleanLine(`Z${'\u0301\u0316'.repeat(250_000)}`)).toBe(cleanLine(`Z${'\u0301\u0316'.repeat(15)}`))
  })

  test('keeps joiners that shape letters, and all visible characters', () => {
    expect(cleanLine('نامه\u200cای')).toBe('نامه\u200cای')
    expect(cleanLine("O'Brien-Łódź, 3rd “x” 😀")).toBe("O'Brien-Łódź, 3rd “x” 😀")
  })

  test('is empty for invisible characters, so that a name is never invisible', () => {
    for (const nothing of ['\u034f', '\u200d\u200c', '\u3164 \uffa0', '\u{e0041}\u{e007f}', '\ufe0f', ' \u2003 ']) {
      expect([cleanLine(nothing), cleanText(nothing)]).toEqual(['', ''])
    }
    expect(cleanLine('\u3164홍')).toBe('\u3164홍')
  })

  test('never returns a lone surrogate', () => {
    expect(cleanLine('a\ud83d').isWellFormed()).toBe(true)
    expect(cleanText('a\ud83d').isWellFormed()).toBe(true)
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(cleanLine(cleanLine(text))).toBe(cleanLine(text))
        expect(cleanText(cleanText(text))).toBe(cleanText(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('cleanText', () => {
  test('keeps lines, with one kind of line break', () => {
    expect(cleanText('a\r\nb\rc\u2028d\u2029e\n')).toBe('a\nb\nc\nd\ne')
  })

  test('keeps no control characters except line break and tab', () => {
    for (let code = 0; code < 0xa0; code++) {
      const char = String.fromCharCode(code)
      const isControl = code < 0x20 || code >= 0x7f
      if (!isControl || char === '\n' || char === '\r' || char === '\t') continue
      expect([code, cleanText(`a${char}b`)]).toEqual([code, 'ab'])
    }
  })
})

describe('lineError', () => {
  test.each(['Ada\r\nBcc: eve@example.com', 'Ada\n', 'Ada\0'])('refuses %j: it would break a header', text => {
    expect(lineError(text)?.code).toBe('several_lines')
  })

  test.each(['', '   ', '\u202e', '\ufeff\u200e', '\u200b', '\u2060\u00ad'])('refuses %j: it is invisible', text => {
    expect(lineError(text)?.code).toBe('empty')
  })

  test('accepts a name', () => {
    expect(lineError('Ada Lovelace')).toBeUndefined()
  })
})

describe('emailError', () => {
  test.each([
    'ada@example.com',
    'ada.lovelace+lease@mail.example.co.uk',
    "tim.o'brien@example.com",
    'ada@bücher.example',
    'ada@例え.テスト',
    'ada@xn--bcher-kva.example',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s', email => {
    expect(emailError(email)).toBeUndefined()
  })

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@@example.com',
    'ada lovelace@example.com',
    'ada@example.com ',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com,eve@example.com',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    'ada@example',
    'ada@localhost',
    'ada@192.0.2.7',
    'ada@example.c',
    'ada@-example.com',
    'ada@example-.com',
    'ada@example..com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@[127.0.0.1]',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'example.'.repeat(32)}com`,
    'ada\0@example.com',
    'ada\u0007@example.com',
    'ada\u202e@example.com',
    `ada${'\u0301'.repeat(12)}@example.com`,
    `ada@ex${'\u0332'.repeat(11)}ample.com`,
    'ada\u200b@example.com',
  ])('refuses %j', email => {
    expect(emailError(email)?.code).toBe('not_an_email')
  })
})

test('an address in two spellings is the same person', () => {
  expect(sameMailbox('Ada@Example.com', 'ada@example.COM')).toBe(true)
  expect(sameMailbox('ada@example.com', 'ada@example.org')).toBe(false)
})
