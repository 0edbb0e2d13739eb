/**
 * How each kind of field judges what was entered, and that a person can always meet what is asked.
 */
import { describe, expect, test } from 'bun:test'
import {
  DEFAULT_MAX_LENGTH,
  FIELD_TYPES,
  isFilledByService,
  isMark,
  isPrefillable,
  labelOf,
  validateFieldValue,
} from '../../src/core/field.ts'
import { field } from './sample.ts'

describe('validateFieldValue', () => {
  test.each(['text', 'name', 'email', 'number', 'dropdown'] as const)(
    'an empty required %s field is a error, an optional one is none',
    type => {
      expect(validateFieldValue(field({ type, options: ['Monthly'] }), '  ')).toHaveProperty('error')
      expect(validateFieldValue(field({ type, options: ['Monthly'] }), undefined)).toHaveProperty('error')
      expect(validateFieldValue(field({ type, required: false }), undefined)).toEqual({ value: undefined })
    },
  )

  test('a text keeps its lines, every other field is one line', () => {
    expect(validateFieldValue(field({ type: 'text' }), 'a\r\nb')).toEqual({ value: 'a\nb' })
    for (const type of ['name', 'email', 'signature', 'initials'] as const) {
      const judged = validateFieldValue(field({ type }), 'Ada\r\nada@example.com')
      if ('value' in judged) expect(judged.value).not.toMatch(/[\r\n]/)
    }
  })

  test('an e-mail field holds an address', () => {
    expect(validateFieldValue(field({ type: 'email' }), 'not an address')).toHaveProperty('error')
    expect(validateFieldValue(field({ type: 'email' }), 'ada@example.com')).toEqual({ value: 'ada@example.com' })
  })

  test('length is counted in characters as people count them, up to the field’s own limit or the common one', () => {
    expect(validateFieldValue(field({ type: 'text', maxLength: 3 }), '😀😀😀')).toEqual({ value: '😀😀😀' })
    expect(validateFieldValue(field({ type: 'text', maxLength: 3 }), 'abcd')).toHaveProperty('error')
    expect(validateFieldValue(field({ type: 'text' }), 'a'.repeat(DEFAULT_MAX_LENGTH))).toHaveProperty('value')
    expect(validateFieldValue(field({ type: 'text' }), 'a'.repeat(DEFAULT_MAX_LENGTH + 1))).toHaveProperty('error')
  })

  test('a dropdown takes its own choices only', () => {
    const choice = field({ type: 'dropdown', options: ['Monthly', 'Yearly'] })
    expect(validateFieldValue(choice, ' Yearly ')).toEqual({ value: 'Yearly' })
    expect(validateFieldValue(choice, 'yearly')).toMatchObject({
      error: { message: 'Choice: please choose one of Monthly, Yearly' },
    })
  })

  test.each(['1250', '12.50', '12,50', '-3', '+7', '0.0000000001', '999999999999999'])('%s is a number', text => {
    expect(validateFieldValue(field({ type: 'number' }), text)).toEqual({ value: text })
  })

  test.each(['1e5', '0x10', '1.250,00', '.5', '5.', 'Infinity', '12 000', '--1', '1234567890123456'])('%s is none', text => {
    expect(validateFieldValue(field({ type: 'number' }), text)).toHaveProperty('error')
  })

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

  test('a error names the field as the person reads it', () => {
    expect(validateFieldValue(field({ type: 'text', label: 'Flat number' }), '')).toMatchObject({
      error: { message: 'Flat number: please fill this in', messageRef: { key: 'required' } },
    })
    for (const type of FIELD_TYPES) expect(labelOf({ type, label: undefined })).not.toBe('')
  })
})

test('the service fills dates, people make their marks', () => {
  expect(FIELD_TYPES.filter(isFilledByService)).toEqual(['date'])
  expect(FIELD_TYPES.filter(isMark)).toEqual(['signature', 'initials'])
  expect(FIELD_TYPES.filter(isPrefillable)).toEqual(['name', 'email', 'text', 'checkbox', 'dropdown', 'number'])
})
