/** JPEGs as files: complete or not, which way is up, and what is removed before one is drawn. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readJpeg, withoutMetadata } from '../../src/image/jpeg.ts'
import { CMYK_JPEG, exifSegment, JPEG, PROGRESSIVE_JPEG, withSegments } from '../support/jpegs.ts'

const END = Buffer.of(0xff, 0xd9)

describe('a JPEG is read', () => {
  test('with its size, its components and Adobe’s marker', () => {
    const size = { width: 48, height: 32, orientation: 1 }
    expect(readJpeg(JPEG)).toEqual({ ...size, components: 3, isAdobe: false })
    expect(readJpeg(CMYK_JPEG)).toEqual({ ...size, components: 4, isAdobe: true })
    expect(readJpeg(PROGRESSIVE_JPEG)).toEqual({ ...size, components: 1, isAdobe: false })
  })

  test.each(['II', 'MM'] as const)('with the orientation of a camera, in the byte order %s', order => {
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      expect(readJpeg(withSegments(JPEG, [exifSegment(orientation, order)]))?.orientation).toBe(orientation)
    }
  })

  test('as upright if its orientation makes no sense', () => {
    const [marker, exif] = exifSegment(6)
    const beyond = Buffer.from(exif)
    beyond.writeUInt32LE(0xffff_fff0, 10)
    for (const segment of [exifSegment(0), exifSegment(9), [marker, beyond], [marker, exif.subarray(0, 9)]] as const) {
      expect(readJpeg(withSegments(JPEG, [[segment[0], segment[1]]]))?.orientation).toBe(1)
    }
  })
})

describe('a JPEG is refused', () => {
  test('if it was cut off anywhere, also inside the data, and also behind a thumbnail with an end of its own', () => {
    for (let length = 0; length < JPEG.length; length++) expect(readJpeg(JPEG.subarray(0, length))).toBeUndefined()
    const thumbnail: [number, Buffer] = [0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), JPEG])]
    const photo = withSegments(PROGRESSIVE_JPEG, [thumbnail])
    expect(readJpeg(photo)).toMatchObject({ width: 48 })
    expect(readJpeg(photo.subarray(0, photo.length - 2))).toBeUndefined()
  })

  test('without a frame, a scan or pixels, with 12 bits a sample, or two components', () => {
    const frame = JPEG.indexOf(Buffer.of(0xff, 0xc0))
    const changed = (offset: number, value: number) => {
      const copy = Buffer.from(JPEG)
      copy[frame + offset] = value
      return copy
    }
    const noWidth = Buffer.from(JPEG)
    noWidth.writeUInt16BE(0, frame + 7)
    const [lossless, twelveBits, twoComponents] = [changed(1, 0xc3), changed(4, 12), changed(9, 2)]
    const noScan = Buffer.concat([JPEG.subarray(0, JPEG.indexOf(Buffer.of(0xff, 0xda))), END])
    for (const bytes of [lossless, twelveBits, twoComponents, noWidth, noScan]) expect(readJpeg(bytes)).toBeUndefined()
  })

  test('and never throws, whatever the bytes are', () => {
    const start = fc.constantFrom(JPEG, CMYK_JPEG, withSegments(JPEG, [exifSegment(6)]))
    const changes = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(start, changes, (jpeg, some) => {
        const bytes = Buffer.from(jpeg)
        for (const [at, value] of some) if (at < bytes.length) bytes[at] = value
        readJpeg(bytes)
        withoutMetadata(bytes)
      }),
      { numRuns: 500 },
    )
  })
})

describe('before it is drawn', () => {
  const place: [number, Buffer] = [0xed, Buffer.from('Photoshop 3.0\0 52.5200 N, 13.4050 E')]
  const comment: [number, Buffer] = [0xfe, Buffer.from('taken at home')]

  test('a JPEG loses what says who, where and when, and all behind its end; the pixels stay as they are', () => {
    const photo = Buffer.concat([withSegments(JPEG, [exifSegment(1), place, comment]), Buffer.from('<script>alert(1)</script>')])
    const clean = withoutMetadata(photo)
    for (const word of ['ACME', 'Photoshop', '52.5200', 'home', 'script', 'Exif']) expect(clean.includes(word)).toBe(false)
    expect(clean.equals(JPEG)).toBe(true)
    expect(clean.subarray(-2).equals(END)).toBe(true)
  })

  test('its orientation stays, without the rest of the camera’s data', () => {
    for (const orientation of [2, 3, 4, 5, 6, 7, 8]) {
      const clean = withoutMetadata(withSegments(JPEG, [exifSegment(orientation, 'MM'), comment]))
      expect(readJpeg(clean)).toMatchObject({ width: 48, height: 32, orientation })
      expect(clean.includes('ACME')).toBe(false)
      expect(withoutMetadata(clean).equals(clean)).toBe(true)
    }
  })

  test('Adobe’s marker stays: without it CMYK has wrong colours', () => {
    expect(readJpeg(withoutMetadata(CMYK_JPEG))).toEqual(readJpeg(CMYK_JPEG))
  })
})
