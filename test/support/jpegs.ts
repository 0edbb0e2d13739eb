/** Small JPEGs of 48 × 32 pixels: red and green above blue and yellow. */

export const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0o' +
    'MCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAgADAD' +
    'ASIAAhEBAxEB/8QAGAABAQEBAQAAAAAAAAAAAAAAAAUIBgf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAGAEBAAMBAAAAAAAAAAAAAAAABwIFBgj/' +
    'xAAeEQEAAAUFAAAAAAAAAAAAAAAAAgUHRMJCgYKDwf/aAAwDAQACEQMRAD8A4gBmjaK6QroxCaqFrzwAERM8/AdGNeNiMdtiBOsVl2YLqUa9vQAJ' +
    'Lp//2Q==',
  'base64',
)

/** Inverted, with Adobe’s marker. */
export const CMYK_JPEG = Buffer.from(
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykqKRkfLTAtKDAl' +
    'KCko/8AAFAgAIAAwBEMRAE0RAFkRAEsRAP/EABgAAQEBAQEAAAAAAAAAAAAAAAAICQQH/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAA4EQwBNAFkA' +
    'SwAAPwD3tPifFUgAAz0Vc7gAAGhaUXCAAAz0Vc7gAAHal9cQAADRheCAgAAGc6D1+gAANGF4ICAAAf/Z',
  'base64',
)

/** Grey, in several scans. */
export const PROGRESSIVE_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0o' +
    'MCUoKSj/wgALCAAgADABAREA/8QAGAABAQEBAQAAAAAAAAAAAAAAAAQHBQb/2gAIAQEAAAAB4ZYRlh582Ix02I//xAAUEAEAAAAAAAAAAAAAAAAA' +
    'AABA/9oACAEBAAEFAkf/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oACAEBAAY/Akf/xAAUEAEAAAAAAAAAAAAAAAAAAABA/9oACAEBAAE/IUf/2gAI' +
    'AQEAAAAQ44AA/8QAFBABAAAAAAAAAAAAAAAAAAAAQP/aAAgBAQABPxBH/9k=',
  'base64',
)

/** With these segments at the beginning. */
export function withSegments(jpeg: Buffer, segments: readonly [marker: number, content: Uint8Array][]): Buffer {
  const inserted = segments.map(([marker, content]) => {
    const head = Buffer.of(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff)
    return Buffer.concat([head, content])
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...inserted, jpeg.subarray(2)])
}

/** An Exif segment of a camera: its name, the orientation, and where it was. */
export function exifSegment(orientation: number, order: 'II' | 'MM' = 'II'): [number, Buffer] {
  const tiff = Buffer.alloc(8 + 2 + 3 * 12 + 4)
  tiff.write(order, 'latin1')
  const short = (value: number, at: number) => (order === 'II' ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at))
  const long = (value: number, at: number) => (order === 'II' ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  short(42, 2)
  long(8, 4)
  short(3, 8)
  const entries = [
    [0x010f, 2, 4],
    [0x0112, 3, 1],
    [0x8825, 4, 1],
  ] as const
  entries.forEach(([tag, type, count], i) => {
    short(tag, 10 + i * 12)
    short(type, 12 + i * 12)
    long(count, 14 + i * 12)
  })
  tiff.write('ACME', 18, 'latin1')
  short(orientation, 30)
  return [0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])]
}
