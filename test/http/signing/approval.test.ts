/** An approver confirms by consent alone; what a condition hides is neither asked nor stored. */
import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { unzipSync } from 'fflate'
import { LANGUAGES } from '../../../src/core/language.ts'
import { find } from '../../../src/documents/queries.ts'
import { dateLanguageOf, fieldAppearances, withDrawings } from '../../../src/documents/signing/marks.ts'
import { sha256Hex } from '../../../src/lib/sha256.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { hiddenIds } from '../../../views/signing/browser/conditions.ts'
import { DATA_ID, type SigningData } from '../../../views/signing/browser/data.ts'
import { textOf as pdfText } from '../../evidence/pdf-programs.ts'
import { cookieOf, finishForm, formsOf, openVisitor, type Page, textOf } from '../../support/browser-less.ts'
import { times } from '../../support/long.ts'
import { ADA, BOB, SIGNATURE } from '../../support/sample.ts'
import { eventsOf, linkTo, openedDocument, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()

const BEN = { email: 'ben@example.com', name: 'Ben Belegprüfer', role: 'approver' }
const TOWN = { type: 'text', label: 'Town', page: 1, x: 10, y: 20, width: 30, height: 4 }
const signedEntry = async (id: string) => (await eventsOf(t, id, 'recipient.signed')).at(-1)

async function sealedText(id: string): Promise<string> {
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}/file?version=sealed`)
  return (await pdfText(body, '-layout')).replace(/\s+/g, ' ')
}

describe('a person who approves', () => {
  test.each(LANGUAGES)(
    'is asked for consent alone, and reads whose approval it is and that nothing is signed: %s',
    async locale => {
      const id = await sentDocument(t, { locale, recipients: [BEN] })
      const { signer, consent } = catalogueOf(locale)
      const landing = await openVisitor(t.fetch).get(linkTo(t, BEN.email))
      expect(textOf(landing)).toContain(signer.landing.act.approver)
      const { visitor, page } = await openLinkAs(t, BEN.email)
      const text = textOf(page)
      expect(text).toContain(signer.form.approvesAs)
      expect(text).toContain(signer.form.noSignature)
      expect(text).toContain(BEN.name)
      for (const wrong of [signer.form.fullName, signer.form.shownInCertificate]) expect(text).not.toContain(wrong)
      expect(Object.keys(finishForm(page).values).filter(name => /signature|initials/.test(name))).toEqual([])
      const paragraphs = consent.approval('Signet', t.app.instance.isProduction ? undefined : t.app.instance.environment)
      expect(text).toContain(paragraphs[0]!.replace(/\s+/g, ' '))
      expect(await visitor.submit(page, { consent: 'on' }, '/finish')).toMatchObject({ status: 200 })
      expect((await find(t.app.db, id))?.recipients[0]).toMatchObject({
        status: 'signed',
        signature: undefined,
        initials: undefined,
      })
    },
  )

  test('does not approve without consent', async () => {
    await sentDocument(t, { recipients: [BEN] })
    const { visitor, page } = await openLinkAs(t, BEN.email)
    const refused = await visitor.submit(page, {}, '/finish')
    const summary = textOf({ ...refused, html: /<div id="summary".*?<\/div>/s.exec(refused.html)?.[0] ?? refused.html })
    expect([refused.status, summary.includes('Please agree by ticking the box.')]).toEqual([422, true])
    expect(summary).not.toContain('signature')
  })

  test('fills in fields that are theirs, and signs nothing by it', async () => {
    const id = await sentDocument(t, { recipients: [{ ...BEN, fields: [TOWN] }] })
    const { visitor, page } = await openLinkAs(t, BEN.email)
    expect((await visitor.submit(page, { consent: 'on' }, '/finish')).status).toBe(422)
    const field = Object.keys(finishForm(page).values).find(name => name.startsWith('fields.'))!
    expect((await visitor.submit(page, { consent: 'on', [field]: 'Köln' }, '/finish')).status).toBe(200)
    const [ben] = (await find(t.app.db, id))!.recipients
    expect([ben?.signature, ben?.fields[0]?.value]).toEqual([undefined, 'Köln'])
  })

  test('may send what a page of the release before asked for: it is not kept', async () => {
    const id = await sentDocument(t, { recipients: [BEN] })
    const { visitor, page } = await openLinkAs(t, BEN.email)
    // A character that no font has would be refused where a signature is asked for.
    const old = { consent: 'on', signature: 'Ben \u{10ffff}', signatureKind: 'typed' }
    expect((await visitor.submit(page, old, '/finish')).status).toBe(200)
    expect((await signedEntry(id)).personal).toMatchObject({ signature: null, initials: null, confirmedAs: BEN.name })
  })

  test('who has a place for initials, from an earlier release, is asked for them alone', async () => {
    const id = await sentDocument(t, { recipients: [{ ...BEN, fields: [TOWN] }] })
    await t.sql("UPDATE fields SET type = 'initials' WHERE document_id = ?", id)
    const { visitor, page } = await openLinkAs(t, BEN.email)
    expect(Object.keys(finishForm(page).values).filter(name => /^(signature|initials)$/.test(name))).toEqual(['initials'])
    expect((await visitor.submit(page, { consent: 'on', initials: 'BB' }, '/finish')).status).toBe(200)
    const [ben] = (await find(t.app.db, id))!.recipients
    expect([ben?.signature, ben?.initials]).toEqual([undefined, { kind: 'typed', text: 'BB', hand: 1 }])
  })
})

test('the certificate, the audit trail and the evidence pack show an approval with name and consent, and no signature', async () => {
  const id = await sentDocument(t, { recipients: [{ ...ADA, fields: [SIGNATURE] }, { ...BEN }, { ...BOB, role: 'viewer' }] })
  const { visitor, page } = await openLinkAs(t, BEN.email)
  await visitor.submit(page, { consent: 'on' }, '/finish')
  const entry = await signedEntry(id)
  expect(entry.data.intent).toBe('By pressing the button I approve this document.')
  expect(entry.personal).toMatchObject({ signature: null, initials: null, confirmedAs: BEN.name })
  expect(sha256Hex(entry.personal.consentText)).toBe(entry.data.consentSha256)
  expect(entry.personal.consentText).toContain('I place no signature.')
  await signAs(t, ADA.email, 'Ada King')
  const text = await sealedText(id)
  expect(text).toContain('With name and consent, without a signature')
  expect(text).toContain('I place no signature.')
  // Of Ada, who signs, alone.
  expect([text.match(/Name as typed/g)?.length, text.includes('“Ben')]).toEqual([1, false])
  const { body } = await t.api('GET', `/documents/${id}/evidence`)
  const audit = JSON.parse(new TextDecoder().decode(unzipSync(body)['audit.json']))
  const approved = audit.events.find((e: { personal?: { confirmedAs?: string } }) => e.personal?.confirmedAs !== undefined)
  expect(approved.personal).toMatchObject({ signature: null, confirmedAs: BEN.name })
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  expect(recipients[1]).toMatchObject({ role: 'approver', status: 'signed' })
})

describe('before the upgrade is finished, while the release before may serve', () => {
  beforeEach(() => t.sql('UPDATE cluster SET feature_level = 0'))

  test('an approver is asked for a signature and consents to sign, as there', async () => {
    const id = await sentDocument(t, { recipients: [BEN] })
    const { visitor, page } = await openLinkAs(t, BEN.email)
    const { action, values } = finishForm(page)
    expect(Object.keys(values)).toContain('signature')
    const [first = '-'] = catalogueOf('en').consent.signing('Signet', 'test')
    expect(textOf(page).replaceAll('"test"', '“test”')).toContain(first)
    expect((await visitor.post(action, { ...values, consent: 'on', signature: '' })).status).toBe(422)
    expect((await visitor.post(action, { ...values, consent: 'on', signature: 'Ben B' })).status).toBe(200)
    const { data, personal } = await signedEntry(id)
    expect([personal.signature.text, personal.confirmedAs, data.consentVersion]).toEqual(['Ben B', undefined, '2026-11-5'])
  })

  test('when it is finished meanwhile, the page that asked for the signature is read again', async () => {
    const id = await sentDocument(t, { recipients: [BEN] })
    const { visitor, page } = await openLinkAs(t, BEN.email)
    await t.sql('UPDATE cluster SET feature_level = 1')
    expect((await visitor.submit(page, { consent: 'on', signature: 'Ben B' }, '/finish')).status).toBe(409)
    expect((await visitor.submit(await visitor.get(page.url), { consent: 'on' }, '/finish')).status).toBe(200)
    expect((await signedEntry(id)).personal.confirmedAs).toBe(BEN.name)
  })
})

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

test('over random conditions the fields that the page shows for the values entered are those that the server validates, stores and draws', async () => {
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
    const { id, page } = await openedDocument(t, one([PET, KIND]))
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

test('the preview of the document shows the value of a field while it is asked, and not while it is hidden', async () => {
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
