/** Creates elements. Texts are never parsed as markup. */

type Attributes = Record<string, string | boolean | undefined>

/** `true` sets an attribute without a value; `false` and `undefined` leave it out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name)
  setAttributes(made, attributes)
  made.append(...children)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

export function svgElement<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, name)
  setAttributes(made, attributes)
  made.append(...children)
  return made
}

function setAttributes(made: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '')
    else if (value !== false && value !== undefined) made.setAttribute(name, value)
  }
}

/** A button that does not submit a form. */
export function button(text: string, attributes: Attributes, press: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', ...attributes, class: `button ${attributes.class ?? ''}`.trim() }, text)
  made.addEventListener('click', press)
  return made
}

/** An element that the page must contain. */
export function requireElement<T extends Element>(selector: string, kind: new () => T, within: ParentNode = document): T {
  const found = within.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`the page has no ${selector}`)
  return found
}
