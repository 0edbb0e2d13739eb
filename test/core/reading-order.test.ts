/** The order in which people read fields: page, line, side. */
import { expect, test } from 'bun:test'
import { inReadingOrder } from '../../src/core/field/geometry.ts'

const box = (name: string, page: number, y: number, x: number, height = 4) => ({ name, page, y, x, height, width: 20 })
type Box = ReturnType<typeof box>

const names = (boxes: Box[], direction?: 'ltr' | 'rtl') => inReadingOrder(boxes, each => each, direction).map(({ name }) => name)

test('is by page, then height, then side', () => {
  const boxes = [
    box('second page', 2, 5, 10),
    box('right', 1, 30, 60),
    box('below', 1, 40, 10),
    box('left', 1, 30, 10),
    box('top', 1, 10, 70),
  ]
  expect(names(boxes)).toEqual(['top', 'left', 'right', 'below', 'second page'])
})

test('is by side on one line, also when heights differ and the boxes are not at exactly the same height', () => {
  const boxes = [box('right', 1, 20, 60, 8), box('left', 1, 22.5, 10, 3), box('below', 1, 31, 10)]
  expect(names(boxes)).toEqual(['left', 'right', 'below'])
})

test('begins a line at the right where the text does; what ends further to the right comes first', () => {
  const boxes = [box('left', 1, 30, 10), box('right', 1, 30.4, 60), box('top', 1, 10, 10)]
  expect(names(boxes, 'rtl')).toEqual(['top', 'right', 'left'])
})
