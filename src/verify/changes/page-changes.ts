/** Checks annotations that an update adds to pages. ISO 32000-2 §12.5, §12.8.2.2, table 257. */
import type { PdfDictionary, PdfValue } from '../../pdf/parser/syntax.ts'
import { drawsNothing } from './added-fields.ts'
import { acceptComment } from './comments.ts'
import { fieldName, inherited, pagesOf } from './form-fields.ts'
import { acceptArray, findAddedItems } from './list-changes.ts'
import { differingKeys, readObject, refersTo } from './object-changes.ts'
import type { UpdateCheck } from './update-check.ts'
import { type NumberedPage, noteSignatureWidget } from './visible-additions.ts'

/** Page entries that draw nothing: time of the last change, data of an application, tab order. */
const SILENT_KEYS = ['Annots', 'LastModified', 'PieceInfo', 'Tabs']
/** §14.7.5.4: the page's key in the structure tree. It may be added. */
const STRUCTURE_KEY = 'StructParents'
/** A page whose annotations changed. */
interface ChangedPage extends NumberedPage {
  /** The page dictionary after the update. */
  now: PdfDictionary
}

/** Finds pages whose dictionary or list of annotations changed. */
function findChangedPages(update: UpdateCheck): ChangedPage[] {
  // Reading all pages is slow, and most updates change nothing that can belong to a page.
  const mayBePage = [...update.pending].some(number => {
    const value = readObject(update.before, number)
    return (
      value?.kind === 'array' || (value?.kind === 'dictionary' && (value.entries.has('Annots') || value.entries.has('Parent')))
    )
  })
  if (!mayBePage) return []
  return pagesOf(update.before).flatMap((page, index) => {
    const old = page.dictionary.value
    const now = update.changed.has(page.number) ? readObject(update.after, page.number) : old
    if (old.kind !== 'dictionary' || now?.kind !== 'dictionary') return []
    const list = now.entries.get('Annots')
    const isTouched = now !== old || (list?.kind === 'reference' && update.changed.has(list.number))
    return isTouched ? [{ page, index, now }] : []
  })
}

/** True if another entry of the page, such as its contents, refers to its list of annotations. */
function isUsedElsewhere({ entries }: PdfDictionary, list: PdfValue | undefined): boolean {
  const isList = (number: number) => list?.kind === 'reference' && number === list.number
  return [...entries].some(([key, value]) => key !== 'Annots' && refersTo(value, isList))
}

function mayChangeKey(update: UpdateCheck, old: PdfDictionary, key: string): boolean {
  if (update.permission === 1) return key === 'Annots'
  return SILENT_KEYS.includes(key) || (key === STRUCTURE_KEY && !old.entries.has(STRUCTURE_KEY))
}

/** Accepts an added annotation: one of the accepted widgets, or an allowed comment. */
function acceptAnnotation(update: UpdateCheck, item: PdfValue, changed: ChangedPage, widgets: ReadonlySet<number>): boolean {
  if (item.kind !== 'reference' || !widgets.has(item.number)) return acceptComment(update, item, changed)
  const { number } = item
  const widget = update.after.dictionary(item)
  const name = widget === undefined ? '' : fieldName(update.after, widget)
  // Readers point at a field that nobody has signed, even if it draws nothing.
  const isSilent = widget !== undefined && inherited(update.after, widget, 'V') !== undefined && drawsNothing(update, number)
  if (widget !== undefined && !isSilent) noteSignatureWidget(update, changed, { number, widget, name, own: new Set([number]) })
  return true
}

/** Accepts pages with additional annotations only: accepted `widgets`, or comments. */
export function checkPages(update: UpdateCheck, widgets: readonly number[]): void {
  const known = new Set(widgets)
  const isStrict = update.permission === 1
  for (const changed of findChangedPages(update)) {
    const { page, now } = changed
    const old = page.dictionary.value
    if (old.kind !== 'dictionary' || now.duplicateKeys.length > 0) continue
    if (!differingKeys(old, now).every(key => mayChangeKey(update, old, key))) continue
    const [oldList, newList] = [old.entries.get('Annots'), now.entries.get('Annots')]
    const added = findAddedItems(update.before.items(oldList), update.after.items(newList), { isStrict })
    if (added === undefined || (isStrict && added.length === 0)) continue
    if (!added.every(item => acceptAnnotation(update, item, changed, known))) continue
    update.accept(page.number)
    if (!isUsedElsewhere(old, newList)) acceptArray(update, oldList, newList, page.number)
  }
}
