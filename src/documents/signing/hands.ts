/** The handwritings that a recipient chooses from, drawn for the page as they are stamped. */
import type { Recipient } from '../../core/document/document.ts'
import { maxLengthOf } from '../../core/field/field.ts'
import { initialsOf } from '../../core/signing/initials.ts'
import { type Hand, type MarkName, markMembers } from '../../core/signing/signature-mark.ts'
import { cleanLine } from '../../core/text.ts'
import type { App } from '../../ports.ts'
import { handsFor } from '../../text/itemize.ts'
import { formValuesOf } from './form-queries.ts'

/** The text that is offered for a mark. */
export function ownText({ name }: Pick<Recipient, 'name'>, mark: MarkName): string {
  return mark === 'signature' ? name : initialsOf(name)
}

/** The hands in which the text of a mark looks different. */
export function offeredHands(mark: MarkName, text: string): Hand[] {
  return handsFor(drawnText(mark, text))
}

/** No more than can be entered. */
function drawnText(mark: MarkName, text: string): string {
  return [...cleanLine(text)].slice(0, maxLengthOf({ type: mark })).join('')
}

export interface DrawnHand {
  hand: Hand
  /** The data of an SVG path in a box of `HAND_AREA`. */
  path: string
}

/** Each hand of a text that is being entered; none for an empty one. */
export async function drawHandsOf(app: App, mark: MarkName, text: string): Promise<DrawnHand[]> {
  const drawn = drawnText(mark, text)
  if (drawn === '') return []
  const hands = handsFor(drawn)
  const paths = await app.pdf.drawHands({ text: drawn, hands })
  return hands.map((hand, i) => ({ hand, path: paths[i] ?? '' }))
}

/** One hand of the text that was saved for a mark, else of the offered one. */
export async function drawSavedHand(app: App, recipient: Recipient, mark: MarkName, hand: Hand): Promise<string> {
  const saved = (await formValuesOf(app.db, recipient.id))[markMembers(mark).text]
  const [path] = await app.pdf.drawHands({ text: drawnText(mark, saved || ownText(recipient, mark)), hands: [hand] })
  return path ?? ''
}
