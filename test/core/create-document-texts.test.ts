/** Prefilled values, and how much text a document may have. */
import { describe, expect, test } from 'bun:test'
import { type CreateDeps, createDraft } from '../../src/core/document/create-document.ts'
import {
  type NewDocument,
  type NewRecipient,
  type ValidationDeps,
  validateNewDocument,
} from '../../src/core/document/new-document.ts'
import type { NewField } from '../../src/core/field/new-field.ts'
import { englishOf } from '../../src/locales/violations.ts'
import { NOW, ORIGINAL, pathsOf, refusalOf } from './sample.ts'

type Deps = CreateDeps & ValidationDeps

function depsOf(overrides: Partial<Deps> = {}): Deps {
  let n = 0
  return {
    newId: prefix => `${prefix}_${++n}`,
    hashAccessCode: () => 'unused',
    unprintable: () => [],
    limits: { recipients: 3, fields: 4 },
    now: NOW,
    ...overrides,
  }
}

const FILE = { pageCount: 2, sha256Original: ORIGINAL, sha256Uploaded: undefined }
const FIELD: NewField = { type: 'text', page: 1, x: 10, y: 10, width: 20, height: 5 }
const ADA: NewRecipient = { email: 'ada@example.com', name: 'Ada' }

const withField = (field: Partial<NewField>): NewDocument => ({
  fileName: 'lease.pdf',
  recipients: [{ ...ADA, fields: [{ ...FIELD, ...field }] }],
})
const validate = (input: NewDocument) => validateNewDocument(input, depsOf())

describe('a prefilled value', () => {
  const storedOf = (field: Partial<NewField>) => {
    const input = withField(field)
    validate(input)
    return createDraft(input, undefined, FILE, depsOf()).document.recipients[0]?.fields[0]?.value
  }

  test('is stored as validated, without invisible characters', () => {
    expect(storedOf({ value: '  Flat\u200b 4\u202e ' })).toBe('Flat 4')
    expect(storedOf({ type: 'name', value: 'Ada\tLovelace' })).toBe('Ada Lovelace')
    expect(storedOf({ type: 'dropdown', options: ['Monthly '], value: ' Monthly' })).toBe('Monthly')
  })

  test('of blanks only is no value', () => {
    expect(storedOf({ value: ' ' })).toBeUndefined()
    expect(storedOf({ type: 'number', value: '' })).toBeUndefined()
  })

  test('of a checkbox is `true` or `false`; a required box may be prefilled unticked', () => {
    expect(storedOf({ type: 'checkbox', value: 'true' })).toBe('true')
    expect(storedOf({ type: 'checkbox', value: 'false' })).toBe('false')
    expect(storedOf({ type: 'checkbox', value: 'false', required: true })).toBe('false')
    for (const value of ['on', 'yes', 'True', ' true', '1', '']) {
      expect(pathsOf(() => validate(withField({ type: 'checkbox', value })))).toEqual(['recipients[0].fields[0].value'])
    }
  })

  test.each(['signature', 'initials', 'date'] as const)('of a %s is refused, with the types that can have one', type => {
    const { details } = refusalOf(() => validate(withField({ type, value: 'A' })))
    expect(details.map(englishOf)[0]).toBe(
      `cannot be prefilled in a field of type ${type}, only in one of these types: name, email, text, paragraph, number, checkbox, dropdown, radio`,
    )
  })
})

describe('all texts of a document together', () => {
  /**
   * As many bytes of text as asked for, the fixed ones of the request counted, over members of
   * every kind.
   */
  const weighing = (bytes: number): NewDocument => {
    const parts = { title: 'é'.repeat(1000), metadata: { ['k'.repeat(50)]: 'v'.repeat(50) } }
    const field = { label: 'l'.repeat(100), placeholder: 'p'.repeat(100), value: 'w'.repeat(400) }
    const fixed = 'lease.pdf'.length + 2000 + 100 + 600 + 'text'.length + ADA.email.length + ADA.name.length
    return { ...withField(field), ...parts, message: 'm'.repeat(bytes - fixed) }
  }

  test('may have a megabyte, whatever the members are named', () => {
    validate(weighing(1_000_000))
  })

  test('may not have a byte more; this is the only error and says what to do', () => {
    const refusal = refusalOf(() => validate({ ...weighing(1_000_001), fileName: 'lease\npdf' }))
    expect(refusal.reason).toBe('validation_failed')
    expect(refusal.details.map(error => `${error.path} ${englishOf(error)}`)).toEqual([
      'recipients must hold less text: all texts of a document together may have 1,000,000 bytes in UTF-8, these have 1,000,001. Please put long texts into the PDF',
    ])
  })

  test('are counted before any other check', () => {
    const looked: string[] = []
    const unprintable = (text: string) => {
      looked.push(text)
      return []
    }
    const deps = depsOf({ unprintable })
    refusalOf(() => validateNewDocument(weighing(1_000_001), deps))
    expect(looked).toEqual([])
  })
})
