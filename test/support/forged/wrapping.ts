/** Signature wrapping: other bytes take the place of signed ones. Mladenov et al., CCS 2019. */
import { FORGED_CONTENT, type Kit, lastStartxref, overwrite, page, refused, swap, update, VALUE } from './document.ts'

const RANGE = /\/ByteRange \[(\d+) (\d+) (\d+) (\d+) *\]/

interface Parts {
  before: string
  contents: string
  after: string
  /** Offset at which `after` begins. */
  second: number
}

function partsOf(bytes: Buffer): Parts {
  const [, , first = 0, second = 0] = (RANGE.exec(bytes.toString('latin1')) ?? []).map(Number)
  const text = bytes.toString('latin1')
  return { before: text.slice(0, first), contents: text.slice(first, second), after: text.slice(second), second }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The signature dictionary with a second range that begins elsewhere. */
function dictionaryFor({ before, contents, after }: Parts, second: number): string {
  const start = before.indexOf('/Type /Sig')
  const head = before.slice(start).replace(RANGE, (_, a, b, __, d) => `/ByteRange [${a} ${b} ${second} ${d}]`)
  return `<< ${head}${contents}${after.slice(0, after.indexOf('endobj')).trimEnd()}`
}

/**
 * Moves the second signed range to the end, and a forged table to the signed startxref's offset.
 * `isCopied`: a copy of the dictionary with the moved range takes the number of the signed one.
 */
function wrapped(kit: Kit, isCopied: boolean): Buffer {
  const signed = kit.sign()
  const parts = partsOf(signed)
  const target = lastStartxref(signed)
  const length = parts.after.length
  const forged: Record<number, string> = { 4: FORGED_CONTENT }
  const space = 20_000
  if (isCopied) forged[VALUE] = dictionaryFor(parts, parts.second + space)
  // The table must be exactly at the old offset: objects follow it.
  const offsets = new Map<number, number>()
  let objects = ''
  const base = target + 2000
  for (const [number, body] of Object.entries(forged)) {
    offsets.set(Number(number), base + objects.length)
    objects += `${number} 0 obj\n${body}\nendobj\n`
  }
  const oldTable = signed.toString('latin1', target, signed.length)
  const rows = [...offsets].map(([number, offset]) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const kept = [...oldTable.matchAll(/^(\d+) 1\n(\d{10} \d{5} n) $/gm)].filter(
    ([, number]) => !offsets.has(Number(number)) && Number(number) !== VALUE,
  )
  const value = isCopied ? '' : `${VALUE} 1\n${String(parts.before.lastIndexOf(`${VALUE} 0 obj`)).padStart(10, '0')} 00000 n \n`
  const table = `xref\n${rows}${value}${kept.map(([, number, entry]) => `${number} 1\n${entry} \n`).join('')}${/trailer[\s\S]*?>>/.exec(oldTable)?.[0]}\n`
  const before = target - parts.second
  const middle = ' >>\nendobj\n'.padEnd(before) + table.padEnd(2000) + objects
  return latin1(parts.before + parts.contents + middle.padEnd(space) + parts.after.padEnd(length))
}

export const WRAPPING = refused('signature wrapping', {
  'second range moved, table in its place': kit => wrapped(kit, false),
  'second range moved, dictionary copied': kit => wrapped(kit, true),
  'update whose dictionary leaves it out': kit => {
    const signed = kit.sign()
    const { second, after } = partsOf(signed)
    const copy = dictionaryFor(partsOf(signed), second)
    return swap(update(signed, { 4: FORGED_CONTENT, [VALUE]: copy }), `${second} ${after.length}`, `${second} ${after.length}`)
  },
  'excluded range wider than /Contents, an object in it': kit => {
    const free = `/Free ${' '.repeat(400)}`
    const signed = kit.sign(undefined, { more: free })
    return overwrite(signed, ' '.repeat(400), `(${FORGED_CONTENT.replaceAll(/[()]/g, '')})`)
  },
  '/Contents closed early, an entry after it': kit => swap(kit.sign(), /0{300}>/, `>/Reason (${'x'.repeat(290)})`),
  'one digit of /Contents in the other case': { verdict: 'not-checked', make: upperCased },
  'field of the form leads to a copy': kit => {
    const signed = kit.sign()
    const parts = partsOf(signed)
    const copy = dictionaryFor(parts, parts.second)
    return update(signed, {
      3: page({ content: 11 }),
      14: '<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature14) /F 132 /Rect [0 0 0 0] /P 3 0 R /V 30 0 R >>',
      30: copy,
    })
  },
  'signed document attached to another one': {
    verdict: 'not-signed',
    make: kit => {
      const inner = kit.sign().toString('latin1')
      const objects = {
        1: '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.pdf) 5 0 R] >> >> >>',
        2: '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
        4: FORGED_CONTENT,
        5: '<< /Type /Filespec /F (a.pdf) /EF << /F 6 0 R >> >>',
        6: `<< /Type /EmbeddedFile /Length ${inner.length} >>\nstream\n${inner}\nendstream`,
        9: '<< /Producer (Writer) >>',
      }
      return update(new Uint8Array(), objects)
    },
  },
})

function upperCased(kit: Kit): Uint8Array {
  const bytes = kit.sign()
  const at = bytes.indexOf('/Contents <3') + 11
  const letter = /[a-f]/.exec(bytes.toString('latin1', at))
  bytes.write(letter?.[0].toUpperCase() ?? '', at + (letter?.index ?? 0), 'latin1')
  return bytes
}
