/**
 * Incremental saving attacks: updates that PDF readers show and a careless verifier ignores.
 * Mladenov et al., CCS 2019; ISO 32000-2 §7.5.
 */
import {
  document,
  FORGED_CONTENT,
  type Kit,
  lastStartxref,
  overwrite,
  page,
  refused,
  streamOf,
  swap,
  update,
} from './document.ts'

const FORGED = { 4: FORGED_CONTENT }
const behind = (bytes: Uint8Array, text: string): Buffer => Buffer.concat([bytes, Buffer.from(text, 'latin1')])
const OBJECT = `4 0 obj\n${FORGED_CONTENT}\nendobj\n`

/** The signed revision's trailer by itself. */
const trailerOf = (bytes: Buffer): string => bytes.toString('latin1').slice(bytes.lastIndexOf('trailer'))

/** An update with an object stream and a cross-reference stream (§7.5.7, §7.5.8). */
function compressed(bytes: Buffer, numbers: readonly number[], bodies: readonly string[]): Buffer {
  const offsets = bodies.map((_, i) => bodies.slice(0, i).reduce((sum, body) => sum + body.length + 1, 0))
  const head = numbers.map((number, i) => `${number} ${offsets[i]}`).join(' ')
  const start = bytes.length + 1
  const objects = `20 0 obj\n${streamOf(`${head} ${bodies.join(' ')}`, `/Type /ObjStm /N ${numbers.length} /First ${head.length + 1}`)}\nendobj\n`
  const at = start + objects.length
  const rows = Buffer.alloc(3 * 7)
  const put = (index: number, kind: number, second: number, third: number) => {
    rows.writeUInt8(kind, index * 7)
    rows.writeUInt32BE(second, index * 7 + 1)
    rows.writeUInt16BE(third, index * 7 + 5)
  }
  put(0, 2, 20, 0)
  put(1, 1, start, 0)
  put(2, 1, at, 0)
  const index = `/Index [${numbers[0]} 1 20 2]`
  const table = `/Type /XRef /W [1 4 2] ${index} /Size 60 /Root 1 0 R /Info 9 0 R /Prev ${lastStartxref(bytes)}`
  return behind(bytes, `\n${objects}21 0 obj\n${streamOf(rows.toString('latin1'), table)}\nendobj\nstartxref\n${at}\n%%EOF\n`)
}

/** An update whose table says one thing and whose /XRefStm says another (§7.5.8.4). */
function hybrid(kit: Kit): Buffer {
  const bytes = kit.sign()
  const hidden = bytes.length + 1
  const object = `4 0 obj\n${FORGED_CONTENT}\nendobj\n`
  const at = hidden + object.length
  const rows = Buffer.from([1, ...[24, 16, 8, 0].map(shift => (hidden >> shift) & 0xff), 0, 0])
  const stream = `21 0 obj\n${streamOf(rows.toString('latin1'), '/Type /XRef /W [1 4 2] /Index [4 1] /Size 60 /Root 1 0 R')}\nendobj\n`
  return update(behind(bytes, `\n${object}${stream}`), {}, { prev: lastStartxref(bytes), trailer: `/XRefStm ${at}` })
}

/** An update whose table frees the content, and whose /XRefStm leads to it where it was. */
function hybridFree(kit: Kit): Buffer {
  const bytes = kit.sign()
  const signed = bytes.indexOf('\n4 0 obj') + 1
  const rows = Buffer.from([1, ...[24, 16, 8, 0].map(shift => (signed >> shift) & 0xff), 0, 0])
  const stream = streamOf(rows.toString('latin1'), '/Type /XRef /W [1 4 2] /Index [4 1] /Size 60 /Root 1 0 R')
  return update(bytes, { 21: stream }, { rows: { 4: '0000000000 00001 f' }, trailer: `/XRefStm ${bytes.length + 1}` })
}

export const INCREMENTAL = refused('incremental saving', {
  'update with other content': kit => update(kit.sign(), FORGED),
  'objects behind the end, no table': kit => behind(kit.sign(), OBJECT),
  'objects and the old trailer again': kit => behind(kit.sign(), `${OBJECT}${trailerOf(kit.sign())}`),
  'objects and a startxref to the signed table': kit =>
    behind(kit.sign(), `\n${OBJECT}startxref\n${lastStartxref(kit.sign())}\n%%EOF\n`),
  'update without startxref': kit => update(kit.sign(), FORGED, { startxref: undefined }),
  'update without %%EOF': kit => update(kit.sign(), FORGED, { eof: '' }),
  'update with startxref 0': kit => update(kit.sign(), FORGED, { startxref: 0 }),
  'update with a startxref beyond the end': kit => update(kit.sign(), FORGED, { startxref: 9_999_999 }),
  '/Prev 0': kit => update(kit.sign(), FORGED, { prev: 0 }),
  '/Prev beyond the end': kit => update(kit.sign(), FORGED, { prev: 9_999_999 }),
  '/Prev negative': kit => update(kit.sign(), FORGED, { prev: -1 }),
  '/Prev no number': kit => update(kit.sign(), FORGED, { prev: '/Nowhere' }),
  '/Prev into the middle of an object': kit => update(kit.sign(), FORGED, { prev: 100 }),
  '/Prev past the signed revision': kit => update(kit.sign(), { 4: FORGED_CONTENT }, { prev: lastStartxref(document()) }),
  '/Prev to itself': kit => update(kit.sign(), FORGED, { prev: kit.sign().length }),
  '/Prev missing': kit => update(kit.sign(), FORGED, { prev: undefined }),
  '/Prev 0 in the signed revision': kit => kit.sign(undefined, { options: { prev: 0 } }),
  '/Prev twice': kit => update(kit.sign(), FORGED, { trailer: '/Prev 0' }),
  'a startxref more than there are tables': kit => behind(kit.sign(), 'startxref\n0\n%%EOF\n'),
  'another startxref before the signed end': kit => kit.sign(document({}, { eof: '%%EOF\nstartxref\n0\n%%EOF\n' })),
  'update with another catalog': kit =>
    update(
      kit.sign(),
      { 20: '<< /Type /Catalog /Pages 21 0 R >>', 21: '<< /Type /Pages /Count 1 /Kids [13 0 R] >>' },
      { root: 20 },
    ),
  'update with another generation': kit =>
    swap(
      update(kit.sign(), FORGED, { rows: { 4: `${String(kit.sign().length + 1).padStart(10, '0')} 00001 n` } }),
      '4 0 obj',
      '4 1 obj',
      true,
    ),
  'update that frees the text field': kit => update(kit.sign(), {}, { rows: { 7: '0000000000 00001 f' } }),
  'update that frees the content': kit => update(kit.sign(), {}, { rows: { 4: '0000000000 00001 f' } }),
  'table alone that leads to signed bytes not shown before': kit =>
    update(kit.sign(), {}, { rows: { 4: `${String(kit.sign().indexOf('11 0 obj')).padStart(10, '0')} 00000 n` } }),
  'table with two rows for one object': kit =>
    swap(update(kit.sign(), { ...FORGED, 30: FORGED_CONTENT }), '30 1\n', '4 1\n ', true),
  'object that a stream doubles': kit => compressed(kit.sign(), [3, 3], [page(), page({ content: 11 })]),
  'page in an object stream': kit => compressed(kit.sign(), [3, 22], [page({ content: 11 }), 'null']),
  'hybrid table with two meanings': hybrid,
  'hybrid table that frees the content for some readers': hybridFree,
  'one byte behind the end': kit => behind(kit.sign(), 'x'),
  'a comment behind the end': kit => behind(kit.sign(), '% a comment\n'),
  'megabytes of blanks behind the end': kit => behind(kit.sign(), ' '.repeat(3000)),
  'another document behind the end': kit => behind(kit.sign(), document({ 4: FORGED_CONTENT }).toString('latin1')),
  'garbage between the objects of an update': kit =>
    update(kit.sign(), { 30: '(x)' }, { between: '31 0 obj (never listed) endobj garbage\n' }),
  'update that encrypts': kit =>
    update(
      kit.sign(),
      { 30: '<< /Filter /Standard /V 1 /R 2 /O (0) /U (0) /P -4 >>' },
      { trailer: '/Encrypt 30 0 R /ID [<00> <00>]' },
    ),
  'update that takes the signature out': kit => update(kit.sign(), { ...FORGED, 1: '<< /Type /Catalog /Pages 2 0 R >>' }),
  'update that copies the signature': copied,
  'signed file cut in its second half': kit => kit.sign().subarray(0, -60),
  'bytes before the header': { verdict: 'unreadable', make: kit => Buffer.concat([Buffer.from('junk\n'), kit.sign()]) },
  'one byte of the text changed': kit => overwrite(kit.sign(), 'Pay 100', 'Pay 900'),
  'version in the header changed': kit => overwrite(kit.sign(), '%PDF-1.7', '%PDF-1.3'),
  'another document before the signed one': { verdict: 'unreadable', make: kit => Buffer.concat([document(FORGED), kit.sign()]) },
  'update with an object beyond the size': kit =>
    update(kit.sign(), { 3: page({ content: 70 }), 70: FORGED_CONTENT }, { size: 17 }),
  'update of object 0': kit => update(kit.sign(), { 0: FORGED_CONTENT, 3: page({ content: 0 }) }),
  'freed object used again with a generation': kit =>
    swap(
      swap(
        update(update(kit.sign(), {}, { rows: { 4: '0000000000 00001 f' } }), { 4: FORGED_CONTENT }),
        '4 0 obj',
        '4 1 obj',
        true,
      ),
      /00000 n \ntrailer(?![\s\S]*trailer)/,
      '00001 n \ntrailer',
    ),
  'startxref with a comment before its number': kit => swap(update(kit.sign(), FORGED), 'startxref\n', 'startxref\n%1\n', true),
  'update with a table in two parts, one of them empty': kit =>
    swap(update(kit.sign(), FORGED), 'xref\n4 1', 'xref\n0 0\n4 1', true),
  'update with another document information': kit =>
    swap(update(kit.sign(), { 30: '<< /Title (Receipt) >>' }), '/Info 9 0 R', '/Info 30 0 R', true),
  'update behind a second signature': kit => update(kit.sign(kit.sign(), { field: 16 }), FORGED),
  'second signature on a changed revision, changed back': kit =>
    kit.sign(update(update(kit.sign(), FORGED), { 4: 'null' }), { field: 16, changes: { 4: FORGED_CONTENT } }),
})

/** The signature's dictionary again, under its number, behind new content. */
function copied(kit: Kit): Buffer {
  const bytes = kit.sign()
  const text = bytes.toString('latin1')
  const dictionary = text.slice(text.indexOf('15 0 obj\n') + 9, text.indexOf('\nendobj', text.indexOf('15 0 obj')))
  return update(bytes, { ...FORGED, 15: dictionary })
}
