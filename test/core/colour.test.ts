/** The organisation's colour is readable in both themes, or refused with one that would be. */
import { expect, test } from 'bun:test'
import { brandColours, colourError, contrast, parseColour } from '../../src/core/colour.ts'

test('contrasts are those of WCAG', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 5)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('three and six digits are read, with and without the sign, and nothing else', () => {
  expect(['#1A5FB4', '1a5fb4', ' #abc '].map(parseColour)).toEqual(['#1a5fb4', '#1a5fb4', '#aabbcc'])
  expect(['red', '#12', '#12345', 'rgb(0,0,0)', '#1a5fb4;}', ''].map(parseColour)).toEqual(Array(6).fill(undefined))
})

test('a colour on which white cannot be read is refused with a darker shade that is accepted', () => {
  for (const colour of ['#ffcc00', '#777777', '#00b4d8', '#ffffff', '#ff5c00']) {
    const found = colourError(colour)
    if (found?.code !== 'colour_too_light') throw new Error(`${colour} was not refused`)
    expect(found.params).toMatchObject({ contrast: expect.stringMatching(/^\d+\.\d$/), min: 4.5 })
    expect(colourError(found.params.darker)).toBeUndefined()
  }
  expect(colourError('#1a5fb4')).toBeUndefined()
})

test('whatever colour is accepted, words on it and in it have a contrast of 4.5 in light and dark', () => {
  let accepted = 0
  for (let r = 0; r < 256; r += 17) {
    for (let g = 0; g < 256; g += 17) {
      for (let b = 0; b < 256; b += 51) {
        const colour = `#${[r, g, b].map(value => value.toString(16).padStart(2, '0')).join('')}`
        if (colourError(colour) !== undefined) continue
        accepted++
        const { light, dark } = brandColours(colour)
        const pairs = [
          [light.action, '#ffffff'],
          [light.action, '#eff2f7'],
          [light.hover, light.on],
          [dark.action, '#0e121b'],
          [dark.action, '#1f2735'],
          [dark.action, dark.on],
          [dark.hover, dark.on],
        ] as const
        for (const [one, other] of pairs) expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5)
      }
    }
  }
  expect(accepted).toBeGreaterThan(300)
})
