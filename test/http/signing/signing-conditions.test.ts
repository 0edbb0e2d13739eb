/** Conditions of fields: what the signing page asks is what the server validates and stores. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { find } from '../../../src/documents/queries.ts'
import { dateLanguageOf, fieldAppearances, withDrawings } from '../../../src/documents/signing/marks.ts'
import { hiddenIds } from '../../../views/signing/browser/conditions.ts'
import { DATA_ID, type SigningData } from '../../../views/signing/browser/data.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { cookieOf, formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { times } from '../../support/long.ts'
import { ADA, BOB, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let people = 0

const box = (y: number) => ({ page: 1, x: 10, y, width: 30, height: 3 })

/** The JSON that the page passes to its script. */
function dataOf({ html }: Page): SigningData {
  const json = new RegExp(`id="${DATA_ID}"[^>]*>([^<]*)<`).exec(html)?.[1]
  if (!json) throw new Error('the page has no data for its script')
  return JSON.parse(json) as SigningData
}

interface StoredField {
  id: string
  label: string
  value: string | null
}

const fieldsOf = async (id: string, recipient = 0): Promise<StoredField[]> =>
  (await t.api('GET', `/documents/${id}`)).body.recipients[recipient].fields

/** The paths that the error summary of a page leads to. */
const errorsOf = ({ html }: Page): string[] =>
  [...html.matchAll(/<a href="#([^"]+)">/g)].map(([, path]) => path ?? '').filter(path => path.startsWith('fields.'))

/** A field that may control others, or one that only depends on them; each refers to one before. */
const node = fc.record({
  kind: fc.constantFrom('checkbox', 'radio', 'dropdown', 'text', 'paragraph' as const),
  /** `fixed`: of the recipient, read-only. */
  owner: fc.constantFrom('own', 'own', 'fixed', 'sender' as const),
  required: fc.boolean(),
  /** Which of the fields before controls it, if any may. */
  parent: fc.option(fc.nat({ max: 30 }), { nil: undefined, freq: 2 }),
  /** Of the values that the controlling field can have. */
  is: fc.nat({ max: 1 }),
  entered: fc.option(fc.nat({ max: 1 }), { nil: undefined, freq: 1 }),
})

const VALUES: Record<string, [string, string]> = {
  checkbox: ['true', 'false'],
  radio: ['red', 'green'],
  dropdown: ['red', 'green'],
  text: ['red', 'green'],
  paragraph: ['red', 'green'],
}

/** Of the box of each field, in percent of the page. */
const edgeOf = (index: number) => 5 + index * 4
const SIGNATURE_EDGE = 90

interface Planned {
  owner: 'own' | 'fixed' | 'sender'
  field: Record<string, unknown>
  /** What it depends on, with the value of that field that shows it. */
  condition: { on: Planned; is: string } | undefined
  /** Empty: nothing. */
  entered: string
}

function planOf(nodes: (typeof node extends fc.Arbitrary<infer T> ? T : never)[]): Planned[] {
  const controlling: { name: string; kind: string; owner: string; planned: Planned }[] = []
  return nodes.map(({ kind, owner, required, parent, is, entered }, i) => {
    // The sender fills in before anybody else.
    const possible = owner === 'sender' ? controlling.filter(each => each.owner === 'sender') : controlling
    const by = parent === undefined ? undefined : possible[parent % Math.max(1, possible.length)]
    const value = entered === undefined && owner === 'own' ? '' : VALUES[kind]![entered ?? 0]!
    const place = box(edgeOf(i))
    const options = kind === 'radio' ? VALUES.radio!.map((value, k) => ({ ...place, value, x: 10 + 40 * k })) : VALUES[kind]
    const field = {
      type: kind,
      required,
      label: `Field ${i}`,
      name: `f${i}`,
      ...(kind === 'radio' ? {} : place),
      ...(kind === 'radio' || kind === 'dropdown' ? { options } : {}),
      ...(owner === 'own' ? {} : { value }),
      ...(owner === 'fixed' ? { readOnly: true } : {}),
      ...(by ? { showIf: { field: by.name.toUpperCase(), is: VALUES[by.kind]![is] } } : {}),
    }
    const condition = by && { on: by.planned, is: VALUES[by.kind]?.[is] ?? '' }
    const planned: Planned = { owner, field, condition, entered: value }
    if (kind !== 'paragraph') controlling.push({ name: `f${i}`, kind, owner, planned })
    return planned
  })
}

/** The rule in its shortest form: all fields that it depends on are shown and have the value. */
function isShown({ condition }: Planned): boolean {
  if (condition === undefined) return true
  const { on, is } = condition
  return isShown(on) && (on.entered || (on.field.type === 'checkbox' ? 'false' : '')) === is
}

/** Where the sealed file has a value on page 1: the upper edges of the boxes. */
async function edgesOfDrawn(id: string): Promise<number[]> {
  const document = (await find(t.app.db, id))!
  const language = await dateLanguageOf(t.app.db, document)
  const appearances = await withDrawings(t.app, document.recipients, async drawings =>
    fieldAppearances(document, document.recipients, drawings, language),
  )
  return appearances.map(({ box }) => box.y).sort((a, b) => a - b)
}

describe('over random conditions', () => {
  test('the fields that the page shows for the values entered are those that the server validates, stores and draws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 2, maxLength: 12 }), async nodes => {
        const planned = planOf(nodes)
        const fieldsOfOwner = (isSender: boolean) =>
          planned.flatMap(({ owner, field }) => ((owner === 'sender') === isSender ? [field] : []))
        const fields = [...fieldsOfOwner(false), { ...SIGNATURE, y: SIGNATURE_EDGE, height: 4 }]
        // Of their own: a mail about an earlier document must not be taken for the invitation.
        const email = `ada${++people}@example.com`
        const id = await sentDocument(t, { senderFields: fieldsOfOwner(true), recipients: [{ ...ADA, email, fields }] })
        const stored = await fieldsOf(id)
        const enteredBy = new Map(stored.map(({ id, label }) => [id, planned.find(p => p.field.label === label)]))
        const { visitor, page } = await openLinkAs(t, email)
        const data = dataOf(page)
        const hidden = hiddenIds(data, fieldId => enteredBy.get(fieldId)?.entered || undefined)
        const asked = data.fields.filter(field => !hidden.has(field.id))
        const isMissing = ({ id, type }: { id: string; type: string }) => {
          const entered = enteredBy.get(id)?.entered ?? ''
          return type === 'checkbox' ? entered !== 'true' : entered === ''
        }
        const missing = asked.filter(field => field.type !== 'signature' && field.required && isMissing(field))
        // As a browser without a script sends them: also of hidden fields.
        const values = Object.fromEntries(
          stored.flatMap((each): [string, string][] => {
            const { owner, field, entered = '' } = enteredBy.get(each.id) ?? {}
            if (owner === 'fixed') return []
            if (field?.type === 'checkbox') return entered === 'true' ? [[`fields.${each.id}`, 'on']] : []
            return entered === '' && field?.type === 'radio' ? [] : [[`fields.${each.id}`, entered]]
          }),
        )
        const answer = await visitor.submit(page, { signature: 'Ada', consent: 'on', ...values }, '/finish')
        expect(errorsOf(answer).sort()).toEqual(missing.map(({ id }) => `fields.${id}`).sort())
        if (missing.length > 0) return
        for (const each of await fieldsOf(id)) if (hidden.has(each.id)) expect(each.value).toBeNull()
        const isDrawn = ({ field, entered }: Planned) => (field.type === 'checkbox' ? entered === 'true' : entered !== '')
        const drawn = planned.flatMap((each, i) => (isShown(each) && isDrawn(each) ? [edgeOf(i)] : []))
        expect(await edgesOfDrawn(id)).toEqual([...drawn, SIGNATURE_EDGE])
      }),
      { numRuns: times(20, 60) },
    )
  }, 120_000)
})

const PET = {
  type: 'radio',
  name: 'pet',
  label: 'Do you have a pet?',
  options: [
    { ...box(10), value: 'yes', width: 3 },
    { ...box(10), value: 'no', width: 3, x: 20 },
  ],
}
const KIND = { type: 'text', label: 'Kind of pet', showIf: { field: 'pet', is: 'yes' }, ...box(20) }
const one = (fields: unknown[]) => ({ recipients: [{ ...ADA, fields: [...fields, SIGNATURE] }] })
const idOf = async (id: string, label: string) => (await fieldsOf(id)).find(field => field.label === label)?.id ?? ''

describe('without a script', () => {
  test('a conditional field is shown with its condition in words, and the browser does not insist on it', async () => {
    const id = await sentDocument(t, one([PET, KIND]))
    const { page } = await openLinkAs(t, ADA.email)
    expect(textOf(page)).toContain('Only if “Do you have a pet?” is “yes”.')
    const input = new RegExp(`<input[^>]*id="fields.${await idOf(id, 'Kind of pet')}"[^>]*>`).exec(page.html)?.[0]
    expect(input).toBeDefined()
    expect(input).not.toContain('required')
  })

  test('the server asks for it by name when its condition is met, keeps what was entered, and takes it when it is filled in', async () => {
    const id = await sentDocument(t, one([PET, KIND]))
    const [pet, kind] = [await idOf(id, PET.label), await idOf(id, 'Kind of pet')]
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const entered = { signature: 'Ada', consent: 'on', [`fields.${pet}`]: 'yes' }
    const refused = await visitor.submit(page, entered, '/finish')
    expect(refused.status).toBe(422)
    expect(errorsOf(refused)).toEqual([`fields.${kind}`])
    expect(textOf(refused)).toContain('Kind of pet: please fill this in.')
    expect(formsOf(refused.html).find(f => f.action.endsWith('/finish'))?.values[`fields.${pet}`]).toBe('yes')
    await visitor.submit(refused, { ...entered, [`fields.${kind}`]: 'cat' }, '/finish')
    expect((await fieldsOf(id)).map(({ value }) => value)).toEqual(['yes', 'cat', 'Ada'])
  })

  test('a value of a hidden field is neither validated nor stored, even if it could not be printed', async () => {
    const id = await sentDocument(t, one([PET, { ...KIND, maxLength: 5 }]))
    const [pet, kind] = [await idOf(id, PET.label), await idOf(id, 'Kind of pet')]
    const values = { [`fields.${pet}`]: 'no', [`fields.${kind}`]: 'a dragon \u{1F409}' }
    expect((await signAs(t, ADA.email, 'Ada', values)).status).toBe(200)
    const audit = JSON.stringify((await t.api('GET', `/documents/${id}/audit`)).body)
    expect((await fieldsOf(id)).map(({ value }) => value)).toEqual(['no', null, 'Ada'])
    expect(audit).not.toContain('dragon')
  })

  test('what an earlier recipient answered decides for a later one, who is neither asked nor shown a condition', async () => {
    const fields = [KIND, { ...KIND, label: 'Why none', showIf: { field: 'pet', is: 'no' }, ...box(30) }]
    const id = await sentDocument(t, {
      signingOrder: 'sequential',
      recipients: [
        { ...ADA, order: 1, fields: [PET, SIGNATURE] },
        { ...BOB, order: 2, fields: [...fields, { ...SIGNATURE, x: 55 }] },
      ],
    })
    await signAs(t, ADA.email, 'Ada', { [`fields.${await idOf(id, PET.label)}`]: 'no' })
    await t.drain()
    const { page } = await openLinkAs(t, BOB.email)
    const text = textOf(page)
    expect(text).toContain('Why none')
    expect(text).not.toContain('Kind of pet')
    expect(text).not.toContain('Only if')
    const data = dataOf(page)
    expect([...hiddenIds(data, () => undefined)]).toEqual([])
  })
})

describe('the preview of the document', () => {
  test('shows the value of a field while it is asked, and not while it is hidden', async () => {
    const id = await sentDocument(t, one([PET, KIND]))
    const [pet, kind] = [await idOf(id, PET.label), await idOf(id, 'Kind of pet')]
    const { visitor, page } = await openLinkAs(t, ADA.email)
    const { base, csrf } = dataOf(page)
    const cookie = cookieOf(visitor)
    const shown = async () => {
      const response = await t.fetch(`${base}/marks?page=1`, { headers: { cookie } })
      return response.status === 204 ? '' : pdfText(await response.bytes())
    }
    await visitor.post(`${base}/form-values`, { csrf, [`fields.${pet}`]: 'yes', [`fields.${kind}`]: 'crocodile' })
    expect(await shown()).toContain('crocodile')
    await visitor.post(`${base}/form-values`, { csrf, [`fields.${pet}`]: 'no' })
    expect(await shown()).not.toContain('crocodile')
  })
})
