/** Remarks on a PDF have words in each language of the web app, with all that their codes have. */
import { expect, test } from 'bun:test'
import { paramsOf, storedTranslator } from '../../src/locales/coded-text.ts'
import { remarks as german } from '../../src/locales/de/remarks.ts'
import { remarks as english } from '../../src/locales/en/remarks.ts'
import {
  distinctRemarks,
  englishOfRemark,
  type RemarkCode,
  type RemarkTexts,
  remark,
  remarkText,
} from '../../src/locales/remarks.ts'

const CODES = Object.keys(english) as RemarkCode[]

/** In place of each parameter is its name. */
function sampleOf(texts: RemarkTexts, code: RemarkCode, flag: boolean) {
  const read = new Set<string>()
  const partOf = (name: string) => {
    read.add(name)
    return `‹${name}›`
  }
  const text = (texts[code] as (params: never) => string)(paramsOf(partOf, { flag, isOne: false }))
  return { code, text, read: [...read].sort().join() }
}

const samples = (texts: RemarkTexts, flag = true) => CODES.map(code => sampleOf(texts, code, flag))

/** German leaves out the size of what was added. */
const WITHOUT_SIZE = ['added_comment', 'added_visible_field']

test('every remark is German too, in words of its own and with the same parameters', () => {
  const [said, inGerman] = [samples(english), samples(german)]
  expect(said.length).toBeGreaterThan(400)
  expect(inGerman.filter(({ text }, i) => text === said[i]?.text)).toEqual([])
  expect(inGerman.filter(({ text }) => /\b(the|must|cannot|please|already|has|again|which)\b/.test(text))).toEqual([])
  const incomplete = inGerman.filter(({ read }, i) => read !== said[i]?.read).map(({ code }): string => code)
  expect(incomplete.sort()).toEqual(WITHOUT_SIZE)
})

test('sentences that were stored in English are found, whatever is inside them', () => {
  const find = storedTranslator([[english, german]], text => text)
  for (const flag of [true, false]) {
    const inGerman = samples(german, flag)
    const sentences = samples(english, flag).flatMap((one, i) =>
      /^[A-Z].*\.$/.test(one.text) ? [[one.text, inGerman[i]?.text]] : [],
    )
    expect(sentences.length).toBeGreaterThan(120)
    expect(sentences.filter(([text = '', translated]) => find(text) !== translated)).toEqual([])
  }
})

test('a clause that begins with a name is not taken for one: others end so too', () => {
  const find = storedTranslator([[english, german]], text => text)
  expect(['The webhook was removed', 'A key was added', 'Ada was replaced'].filter(text => find(text) !== undefined)).toEqual([])
})

test('a remark inside another is in the language of the outer one', () => {
  const clause = remark('object_changed', { object: remark('object_number', { number: 7 }), keys: ['/Kids', '/Count'] })
  const changed = remark('changed_in_revision', { revision: 2, clause })
  expect(englishOfRemark(changed)).toBe('Changed after signing in revision 2: object 7 was changed: /Kids, /Count.')
  expect(remarkText(german, changed)).toBe(
    'Nach dem Unterschreiben geändert, in Fassung 2: Geändert wurde: Objekt 7, und zwar /Kids, /Count.',
  )
  const incomplete = remark('dss_incomplete', { missing: [remark('lacks_issuer', { name: 'CN=A' }), remark('lacks_everything')] })
  expect(remarkText(german, incomplete)).toBe(
    'Die Prüfdaten (DSS) sind unvollständig. Es fehlen: das Zertifikat des Ausstellers von CN=A; alle, denn es gibt kein /DSS.',
  )
})

test('a remark is the same after a child process has sent it as JSON', () => {
  const sent = JSON.parse(JSON.stringify([remark('no_signature'), remark('expired', { name: 'CN=A', at: '2031' })]))
  expect(sent.map(englishOfRemark)).toEqual([
    'The file holds no signature.',
    'The certificate CN=A expired on 2031, and no trusted time-stamp shows that the signature was made before.',
  ])
  expect(distinctRemarks([...sent, remark('no_signature')])).toHaveLength(2)
})
