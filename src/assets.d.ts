/** Files the bundler embeds as text or as paths. */
declare module '*.sql' {
  const text: string
  export default text
}
declare module '*.md' {
  const text: string
  export default text
}
declare module '*.pack' {
  const path: string
  export default path
}
declare module '*.txt' {
  const path: string
  export default path
}
declare module '*.css' {
  const path: string
  export default path
}
declare module '*.ttf' {
  const path: string
  export default path
}
declare module '*.wasm' {
  const path: string
  export default path
}
declare module '*.svg' {
  const text: string
  export default text
}
/** pdf.js publishes no types for these. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs'
declare module 'pdfjs-dist/legacy/build/pdf.min.mjs'
declare module 'pdfjs-dist/image_decoders/pdf.image_decoders.min.mjs' {
  export class JpegImage {
    constructor(options?: { decodeTransform?: readonly number[] })
    readonly width: number
    readonly height: number
    parse(bytes: Uint8Array): void
    getData(options: { width: number; height: number; forceRGB: true }): Uint8ClampedArray<ArrayBuffer>
  }
  export function setVerbosityLevel(level: number): void
}
