/** Breaks plain text into lines of 72 columns that programs join again: format=flowed, RFC 3676. */

/** §4.2 recommends at most 78; replies add marks. */
const MAX_COLUMNS = 72
/** §4.3: a line that keeps its space at the end. */
const SIGNATURE_LINE = '-- '
const QUOTE_MARK = '> '

/** With CRLF, as mails have. Addresses stay in one piece. */
export function flowed(text: string): string {
  return text.split(/\r?\n/).flatMap(flowLine).join('\r\n')
}

function flowLine(line: string): string[] {
  if (line === SIGNATURE_LINE) return [line]
  // Not every program joins quoted lines correctly: these stay broken.
  if (line.startsWith(QUOTE_MARK))
    return broken(line.slice(QUOTE_MARK.length), MAX_COLUMNS - QUOTE_MARK.length).map(part => QUOTE_MARK + part)
  const parts = broken(line, MAX_COLUMNS - 1)
  return parts.map((part, i) => stuffed(i < parts.length - 1 ? `${part} ` : part))
}

/** At spaces, the last of each line left out. A longer word has a line of its own. */
function broken(line: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of line.trimEnd().split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** §4.4: a space that programs take away, before what has a meaning at the start of a line. */
function stuffed(line: string): string {
  return /^( |>|From )/.test(line) ? ` ${line}` : line
}
