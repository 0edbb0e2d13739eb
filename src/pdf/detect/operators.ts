/** Runs the operators of pdf.js on a `ContentReader`. Skips content of hidden layers. */
import type { ContentReader, FontFacts, PathPainting, ShownGlyph } from './content-reader.ts'

/** The codes of pdf.js by name. */
export type OperatorCodes = Readonly<Record<string, number>>
type Arguments = readonly unknown[]
type Handler = (args: Arguments) => void

export interface OperatorDeps {
  fontOf(id: string): FontFacts | undefined
  /** Of an optional content group or membership, §8.11. */
  isVisible(group: unknown): boolean
}

const PAINTING: Readonly<Record<string, PathPainting>> = {
  stroke: { strokes: true, fills: false },
  closeStroke: { strokes: true, fills: false },
  fill: { strokes: false, fills: true },
  eoFill: { strokes: false, fills: true },
  fillStroke: { strokes: true, fills: true },
  eoFillStroke: { strokes: true, fills: true },
  closeFillStroke: { strokes: true, fills: true },
  closeEOFillStroke: { strokes: true, fills: true },
}

const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

export class OperatorRunner {
  readonly #handlers = new Map<number, Handler>()
  readonly #painting = new Map<number, PathPainting>()
  readonly #reader: ContentReader
  readonly #deps: OperatorDeps
  /** Whether each open marked-content sequence is visible. */
  readonly #visible: boolean[] = []
  #hiddenDepth = 0

  constructor(codes: OperatorCodes, reader: ContentReader, deps: OperatorDeps) {
    this.#reader = reader
    this.#deps = deps
    for (const [name, painting] of Object.entries(PAINTING)) this.#painting.set(codes[name] ?? -1, painting)
    for (const [name, handler] of Object.entries({ ...this.#stateHandlers(), ...this.#contentHandlers() })) {
      this.#handlers.set(codes[name] ?? -1, handler)
    }
  }

  run(code: number, args: Arguments): void {
    this.#handlers.get(code)?.(args)
  }

  #stateHandlers(): Record<string, Handler> {
    const reader = this.#reader
    return {
      save: () => reader.save(),
      restore: () => reader.restore(),
      transform: args => reader.transform(args),
      setLineWidth: ([width]) => reader.setLineWidth(number(width)),
      setGState: ([entries]) => this.#setGraphicsState(entries),
      setFont: ([id, size]) => this.#setFont(id, size),
      setCharSpacing: ([value]) => reader.setText({ charSpacing: number(value) }),
      setWordSpacing: ([value]) => reader.setText({ wordSpacing: number(value) }),
      setHScale: ([percent]) => reader.setText({ horizontalScale: number(percent) / 100 }),
      setLeading: ([value]) => reader.setText({ leading: number(value) }),
      setTextRise: ([value]) => reader.setText({ rise: number(value) }),
      paintFormXObjectBegin: ([matrix]) => {
        reader.save()
        reader.transform(matrix)
      },
      paintFormXObjectEnd: () => reader.restore(),
    }
  }

  #contentHandlers(): Record<string, Handler> {
    const reader = this.#reader
    return {
      beginText: () => reader.beginText(),
      setTextMatrix: ([matrix]) => reader.setTextMatrix(matrix),
      moveText: ([x, y]) => reader.moveText(number(x), number(y)),
      setLeadingMoveText: ([x, y]) => {
        reader.setText({ leading: -number(y) })
        reader.moveText(number(x), number(y))
      },
      nextLine: () => reader.moveText(0, -reader.leading),
      showText: ([glyphs]) => reader.showText(Array.isArray(glyphs) ? (glyphs as ShownGlyph[]) : [], this.#isHidden),
      constructPath: ([painting, path]) => this.#paintPath(painting, path),
      beginMarkedContent: () => this.#begin(true),
      beginMarkedContentProps: ([tag, group]) => this.#begin(tag !== 'OC' || this.#deps.isVisible(group ?? null)),
      endMarkedContent: () => {
        if (this.#visible.pop() === false) this.#hiddenDepth--
      },
    }
  }

  get #isHidden(): boolean {
    return this.#hiddenDepth > 0
  }

  #begin(isVisible: boolean): void {
    this.#visible.push(isVisible)
    if (!isVisible) this.#hiddenDepth++
  }

  #setFont(id: unknown, size: unknown): void {
    if (typeof id === 'string') this.#reader.setText({ font: this.#deps.fontOf(id), size: number(size) })
  }

  /** §8.4.5. */
  #setGraphicsState(entries: unknown): void {
    if (!Array.isArray(entries)) return
    for (const entry of entries) {
      const [key, value] = Array.isArray(entry) ? (entry as unknown[]) : []
      if (key === 'LW') this.#reader.setLineWidth(number(value))
      if (key === 'Font' && Array.isArray(value)) this.#setFont(value[0], value[1])
    }
  }

  #paintPath(painting: unknown, path: unknown): void {
    const how = this.#painting.get(number(painting))
    const [steps] = Array.isArray(path) ? (path as unknown[]) : []
    if (how && !this.#isHidden && ArrayBuffer.isView(steps)) this.#reader.paintPath(steps as unknown as ArrayLike<number>, how)
  }
}
