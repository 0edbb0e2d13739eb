/** A text of the catalogue in which names between backticks are shown as code. */
export function CodeText({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code class="break">{part}</code> : part))}</>
}
