/** Numbers with separators of thousands, from the entry to the sealed document. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formsOf, type Page, textOf } from '../../support/browser-less.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { ADA, newDocument, SIGNATURE } from '../../support/sample.ts'
import { openLinkAs, sentDocument } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

const RENT = { type: 'number', label: 'Rent', max: 100_000, page: 1, x: 10, y: 20, width: 30, height: 4 }
const signed = { signature: 'Ada', consent: 'on' }

async function asked(locale: string, field: Record<string, unknown> = {}): Promise<string> {
  return sentDocument(t, { locale, recipients: [{ ...ADA, fields: [{ ...RENT, ...field }, SIGNATURE] }] })
}

const nameIn = ({ html }: Page) =>
  Object.keys(formsOf(html).find(({ action }) => action.endsWith('/finish'))?.values ?? {}).find(each =>
    each.startsWith('fields.'),
  )!

async function enter(text: string) {
  const { visitor, page } = await openLinkAs(t, ADA.email)
  return { visitor, page, after: await visitor.submit(page, { ...signed, [nameIn(page)]: text }, '/finish') }
}

async function storedValue(id: string): Promise<string | null> {
  const { recipients } = (await t.api('GET', `/documents/${id}`)).body
  return recipients[0].fields.find((f: { type: string }) => f.type === 'number').value
}

async function sealedText(id: string): Promise<string> {
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}/file?version=sealed`)
  const path = join(folder, 'sealed.pdf')
  writeFileSync(path, body)
  return Bun.spawnSync(['pdftotext', '-layout', path, '-']).stdout.toString().replace(/\s+/g, ' ')
}

test.each([
  ['de', '1.250', '1250', '1250'],
  ['de', '1.250,50', '1250.50', '1250,50'],
  ['en', '1,250', '1250', '1250'],
  ['en', '1,250.50', '1250.50', '1250.50'],
  ['fr', '1 250,50', '1250.50', '1250,50'],
] as const)('in %s, %p is stored as %s and sealed as %s', async (locale, text, stored, printed) => {
  const id = await asked(locale)
  const { after } = await enter(text)
  expect([after.status, await storedValue(id)]).toEqual([200, stored])
  const sealed = await sealedText(id)
  expect(sealed).toContain(`Rent ${printed}`)
  if (!text.startsWith(printed)) expect(sealed).not.toContain(`Rent ${text} `)
})

test('250.000 is more than 100,000 in German', async () => {
  const id = await asked('de')
  const { after } = await enter('250.000')
  expect([after.status, textOf(after).includes('höchstens 100000')]).toEqual([422, true])
  expect(after.html).toContain('value="250.000"')
  expect(await storedValue(id)).toBeNull()
})

test.each([
  ['en', '250.000', ['250000', '250.00']],
  ['de', '1,250', ['1250', '1,25']],
] as const)('in %s, %p could be two numbers: it is asked, and nothing is signed', async (locale, text, choices) => {
  const id = await asked(locale)
  const { visitor, after } = await enter(text)
  const shown = textOf(after)
  expect([after.status, ...choices.map(choice => shown.includes(choice))]).toEqual([422, true, true])
  expect(await storedValue(id)).toBeNull()
  const again = await visitor.submit(after, { ...signed, [nameIn(after)]: choices[1] }, '/finish')
  expect([again.status, await storedValue(id)]).toEqual([200, choices[1].replace(',', '.')])
})

test('what is saved in one language is the same number in a window of another', async () => {
  await asked('de')
  const { visitor, page } = await openLinkAs(t, ADA.email)
  const [name, csrf] = [nameIn(page), formsOf(page.html)[0]?.values.csrf ?? '']
  for (const [text, again] of [
    ['1.250', '1250'],
    ['1.250,5', '1250,5'],
    ['1,2345', '1,2345'],
  ] as const) {
    expect((await visitor.post(`${page.url}/form-values`, { csrf, [name]: text })).status).toBe(204)
    expect((await visitor.get(page.url)).html).toContain(`value="${again}"`)
  }
})

test('a condition compares numbers, not their spelling', async () => {
  const id = await sentDocument(t, {
    locale: 'de',
    recipients: [
      {
        ...ADA,
        fields: [
          { ...RENT, name: 'rent' },
          { ...RENT, type: 'text', label: 'Why', y: 30, max: undefined, showIf: { field: 'rent', is: '1250' } },
          SIGNATURE,
        ],
      },
    ],
  })
  const { after } = await enter('1.250,00')
  expect([after.status, textOf(after).includes('Why')]).toEqual([422, true])
  expect(await storedValue(id)).toBeNull()
})

test('a program gives JSON number text: 1,250 is refused, and 1.250 has decimals', async () => {
  const made = async (value: string) => {
    const recipients = [{ ...ADA, fields: [{ ...RENT, value, readOnly: true }, SIGNATURE] }]
    return t.api('POST', '/documents', await newDocument({ recipients }))
  }
  const refused = await made('1,250')
  expect([refused.status, refused.body.error.details[0].path]).toEqual([422, 'recipients[0].fields[0].value'])
  const { body } = await made('1.250')
  expect(await storedValue(body.id)).toBe('1.25')
})

test('a value that an earlier release stored is shown, signed and sealed as it is', async () => {
  const id = await asked('de', { value: '1250', readOnly: true })
  await t.app.write(tx =>
    tx
      .updateTable('fields')
      .set({ value: '1.250' })
      .where('type', '=', 'number')
      .execute()
      .then(() => undefined),
  )
  const { visitor, page } = await openLinkAs(t, ADA.email)
  expect(textOf(page)).toContain('1.250')
  expect((await visitor.submit(page, signed, '/finish')).status).toBe(200)
  expect(await storedValue(id)).toBe('1.250')
  expect(await sealedText(id)).toContain('Rent 1.250')
})
