/**
 * Changes an element into another one in place, so that focus, typed text, scroll positions and
 * what a person has opened stay as they are.
 */

/** Set by the person or by scripts, never by the server. */
const KEPT_ATTRIBUTES = new Set(['open', 'style', 'nonce', 'aria-expanded'])

/** Scripts move the content of these. */
const KEPT = '[data-live-keep], [data-dialog], dialog'

export interface Changes {
  isChanged: boolean
  /** Elements that are new on the page. */
  added: Element[]
}

/** Elements with `data-live-keep` and dialogs stay untouched. */
export function morph(from: Element, to: Element, changes: Changes = { isChanged: false, added: [] }): Changes {
  if (from.isEqualNode(to) || from.matches(KEPT)) return changes
  morphAttributes(from, to, changes)
  if (!hasUnsavedChoice(from)) morphChildren(from, to, changes)
  return changes
}

function morphAttributes(from: Element, to: Element, changes: Changes): void {
  for (const { name } of [...from.attributes]) {
    if (KEPT_ATTRIBUTES.has(name) || to.hasAttribute(name)) continue
    from.removeAttribute(name)
    changes.isChanged = true
  }
  for (const { name, value } of to.attributes) {
    if (KEPT_ATTRIBUTES.has(name) || from.getAttribute(name) === value) continue
    from.setAttribute(name, value)
    changes.isChanged = true
  }
}

/** Attributes do not change what was typed into an input, but children of these controls do. */
function hasUnsavedChoice(element: Element): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== element.defaultValue
  if (element instanceof HTMLSelectElement) return [...element.options].some(o => o.selected !== o.defaultSelected)
  return false
}

function keyOf(node: Node): string | undefined {
  return node instanceof Element && node.id !== '' ? node.id : undefined
}

function morphChildren(from: Element, to: Element, changes: Changes): void {
  removeMissing(from, to, changes)
  const keyed = new Map([...from.childNodes].map(node => [keyOf(node), node]))
  let next = from.firstChild
  for (const wanted of to.childNodes) {
    const key = keyOf(wanted)
    next = afterOwnDialogs(next, wanted)
    const match = key === undefined ? next : keyed.get(key)
    if (!match || keyOf(match) !== key || match.nodeName !== wanted.nodeName) {
      insert(from, document.importNode(wanted, true), next, changes)
      continue
    }
    if (match === next) next = match.nextSibling
    else {
      from.insertBefore(match, next)
      changes.isChanged = true
    }
    morphNode(match, wanted, changes)
  }
  removeFrom(next, changes)
}

/** Skips dialogs that a script has added. */
function afterOwnDialogs(node: ChildNode | null, wanted: Node): ChildNode | null {
  let next = node
  while (next?.nodeName === 'DIALOG' && wanted.nodeName !== 'DIALOG') next = next.nextSibling
  return next
}

function insert(parent: Element, node: Node, before: ChildNode | null, changes: Changes): void {
  parent.insertBefore(node, before)
  changes.isChanged = true
  if (node instanceof Element) changes.added.push(node)
}

/** Before the comparison: otherwise each element after a removed one would be moved. */
function removeMissing(from: Element, to: Element, changes: Changes): void {
  const wanted = new Set([...to.childNodes].map(keyOf))
  for (const node of [...from.childNodes]) {
    const key = keyOf(node)
    if (key === undefined || wanted.has(key) || node.nodeName === 'DIALOG') continue
    node.remove()
    changes.isChanged = true
  }
}

function removeFrom(first: ChildNode | null, changes: Changes): void {
  for (let node = first; node; ) {
    const after: ChildNode | null = node.nextSibling
    if (node.nodeName !== 'DIALOG') {
      node.remove()
      changes.isChanged = true
    }
    node = after
  }
}

function morphNode(from: Node, to: Node, changes: Changes): void {
  if (from instanceof Element && to instanceof Element) morph(from, to, changes)
  else if (from.nodeValue !== to.nodeValue) {
    from.nodeValue = to.nodeValue
    changes.isChanged = true
  }
}
