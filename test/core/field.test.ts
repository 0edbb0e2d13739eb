/** The validation of each field type, and that every required field can be completed. */
import { describe, expect, test } from 'bun:test'
import {
  DEFAULT_MAX_LENGTH,
  FIELD_TYPES,
  isFilledByService,
  isMark,
  isPrefillable,
  validateFieldValue,
} from '../../src/core/field/field.ts'
import { field } from './sample.ts'

describe('validateFieldValue', () => {
  test.each(['text', 'name', 'email', 'number', 'dropdown'] as const)(
    'an empty required %s field is an error, an optional one is not',
    type => {
      expect(validateFieldValue(field({ type, options: ['Monthly'] }), '  ')).toHaveProperty('error')
      expect(validateFieldValue(field({ type, options: ['Monthly'] }), undefined)).toHaveProperty('error')
      expect(validateFieldValue(field({ type, required: false }), undefined)).toEqual({ value: undefined })
    },
  )

  test('a text keeps its lines, other values are one line', () => {
    expect(validateFieldValue(field({ type: 'text' }), 'a\r\nb')).toEqual({ value: 'a\nb' })
    for (const type of ['name', 'email', 'signature', 'initials'] as const) {
      const result = validateFieldValue(field({ type }), 'Ada\r\nada@example.com')
      if ('value' in result) expect(result.value).not.toMatch(/[\r\n]/)
    }
  })

  test('an e-mail field accepts an address only', () => {
    expect(validateFieldValue(field({ type: 'email' }), 'not an address')).toHaveProperty('error')
    expect(validateFieldValue(field({ type: 'email' }), 'ada@example.com')).toEqual({ value: 'ada@example.com' })
  })

  test('length is counted in code points, up to the field’s own limit or the default', () => {
    expect(validateFieldValue(field({ type: 'text', maxLength: 3 }), '😀😀😀')).toEqual({ value: '😀😀😀' })
    expect(validateFieldValue(field({ type: 'text', maxLength: 3 }), 'abcd')).toHaveProperty('error')
    expect(validateFieldValue(field({ type: 'text' }), 'a'.repeat(DEFAULT_MAX_LENGTH))).toHaveProperty('value')
    expect(validateFieldValue(field({ type: 'text' }), 'a'.repeat(DEFAULT_MAX_LENGTH + 1))).toHaveProperty('error')
  })

  test('a dropdown accepts its own choices only', () => {
    const choice = field({ type: 'dropdown', options: ['Monthly', 'Yearly'] })
    expect(validateFieldValue(choice, ' Yearly ')).toEqual({ value: 'Yearly' })
    expect(validateFieldValue(choice, 'yearly')).toMatchObject({
      error: { message: 'Choice: please choose one of Monthly, Yearly' },
    })
  })

  test.each([
    ['1250', '1250'],
    ['12.50', '12.50'],
    ['12,50', '12.50'],
    ['-3', '-3'],
    ['+7', '7'],
    ['0.0000000001', '0.0000000001'],
    ['999999999999999', '999999999999999'],
  ])('%s is the number %s', (text, value) => {
    expect(validateFieldValue(field({ type: 'number' }), text)).toEqual({ value })
  })

  test.each(['1e5', '0x10', '1.250,00', '.5', '5.', 'Infinity', '12 000', '--1', '1234567890123456'])(
    '%s is not a number',
    text => {
      expect(validateFieldValue(field({ type: 'number' }), text)).toHaveProperty('error')
    },
  )

  test('a checkbox is true or false, and a required one must be ticked', () => {
    const box = field({ type: 'checkbox', required: false })
    expect(['true', 'false', undefined].map(text => validateFieldValue(box, text))).toEqual(
      ['true', 'false', 'false'].map(value => ({ value })),
    )
    for (const text of ['on', 'yes', 'TRUE', ' true', '1', '']) {
      expect([text, validateFieldValue(box, text)]).toMatchObject([
        text,
        { error: { message: 'Checkbox: must be true or false' } },
      ])
    }
    for (const text of ['false', undefined]) {
      expect(validateFieldValue(field({ type: 'checkbox' }), text)).toMatchObject({
        error: { message: 'Checkbox: please tick the box' },
      })
    }
  })

  test('an error names the field as the person sees it', () => {
    expect(validateFieldValue(field({ type: 'text', label: 'Flat number' }), '')).toMatchObject({
      error: { message: 'Flat number: please fill this in', messageRef: { key: 'required' } },
    })
  })
})

test('the service fills in dates, people make marks', () => {
  expect(FIELD_TYPES.filter(isFilledByService)).toEqual(['date'])
  expect(FIELD_TYPES.filter(isMark)).toEqual(['signature', 'initials'])
  expect(FIELD_TYPES.filter(isPrefillable)).toEqual([
    'name',
    'email',
    'text',
    'paragraph',
    'number',
    'checkbox',
    'dropdown',
    'radio',
  ])
})
