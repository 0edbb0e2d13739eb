/** The lease of the README’s pictures: in the editor, while it is signed, and sealed. */
import type { Page } from 'playwright-core'
import { press } from './browser.ts'
import { captioned, page as contractPage, leader } from './contracts/contracts.ts'
import { printContract } from './contracts/print.ts'
import { typeMark } from './fill.ts'
import { type Client, client, letterTo, linkIn, makeKey, setUp } from './people.ts'
import type { Look, Place } from './scenes.ts'

const LANDLORD = { name: 'Charles Babbage', email: 'charles@example.com' }
const TENANT = { name: 'Ada Lovelace', email: 'ada@example.com' }

const LEASE = contractPage(
  'en',
  `<h1>Lease of an office</h1>
  <p>Between <b>Acme Ltd</b>, 12 Harbour Road (the landlord) and <b>Ada Lovelace</b> (the tenant).</p>
  <h2>1. The office</h2><p>The landlord lets to the tenant the office on the second floor, 84 square metres, with the furniture listed in Annex A.</p>
  <h2>2. Rent</h2><p>The rent is 1,240 € a month, due on the third working day. It includes heating and water. Telephone of the tenant: ${leader('_', 24, 'text')}</p>
  <h2>3. Term</h2><p>The lease begins on 1 January 2027 and runs for two years. It is renewed by one year unless one party gives notice three months before its end.</p>
  <div class="two">${captioned('Signature of the landlord', 'signature')}${captioned('Signature of the tenant', 'signature')}</div>
  <div class="two" style="margin-top:44px">${captioned('Date', 'date')}${captioned('Date', 'date')}</div>`,
)

const A4 = { width: 595, height: 842 }
const HEIGHTS: Record<string, number> = { signature: 34, date: 16, text: 16 }

/** Looks at `fields` and `signing`. Returns the sealed file. */
export async function walkReadme(
  { url, setupLink, dataFolder }: Place,
  open: () => Promise<Page>,
  look: Look,
): Promise<Uint8Array> {
  const sender = await open()
  await setUp(sender, setupLink)
  const key = await makeKey(sender, 'pictures')
  const api = client(url, key)
  const id = await draftLease(sender, api)
  await sender.goto(`/documents/${id}/fields`)
  await sender.locator('.page canvas').first().waitFor()
  await sender.locator('nav.thumbnails canvas').first().waitFor()
  await sender.waitForLoadState('networkidle')
  await look('fields', sender)
  await api('POST', `/documents/${id}/send`)
  const tenant = await opened(await open(), dataFolder, TENANT.email)
  await tenant.getByRole('textbox', { name: 'Telephone' }).fill('+44 20 7946 0018')
  await sign(tenant, TENANT.name)
  await tenant.locator('#sign [data-mark]').evaluate(mark => mark.scrollIntoView({ block: 'start' }))
  await look('signing', tenant)
  await finish(tenant)
  const landlord = await opened(await open(), dataFolder, LANDLORD.email)
  await sign(landlord, LANDLORD.name)
  await finish(landlord)
  await letterTo(dataFolder, TENANT.email, 'Completed')
  return (await fetch(`${url}/api/v1/documents/${id}/file`, { headers: { authorization: `Bearer ${key}` } })).bytes()
}

async function draftLease(page: Page, api: Client): Promise<string> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  const { pdf, blanks } = await printContract(browser, { name: 'lease', html: LEASE })
  const fields = blanks.map(({ types: [type = 'text'], left, right, bottom }) => {
    const height = HEIGHTS[type] ?? 0
    const box = {
      x: left / A4.width,
      y: (bottom - height) / A4.height,
      width: (right - left) / A4.width,
      height: height / A4.height,
    }
    const place = Object.fromEntries(Object.entries(box).map(([name, part]) => [name, 100 * part]))
    return { type, page: 1, ...place, ...(type === 'text' ? { label: 'Telephone' } : {}) }
  })
  const [telephone, first, second, third, fourth] = fields
  const recipients = [
    { ...LANDLORD, fields: [first, third] },
    { ...TENANT, fields: [telephone, second, fourth] },
  ]
  const file = Buffer.from(pdf).toString('base64')
  return (await api('POST', '/documents', { title: 'Lease of an office', fileName: 'lease.pdf', file, recipients })).id
}

async function opened(page: Page, dataFolder: string, email: string): Promise<Page> {
  await page.goto(linkIn(await letterTo(dataFolder, email, 'Lease of an office')))
  await press(page, 'Open the document')
  await page.locator('.page canvas').first().waitFor()
  return page
}

async function sign(page: Page, name: string): Promise<void> {
  await typeMark(page, /^Your full name/, name)
  await page.getByLabel(/^Your full name/).blur()
  await page.locator('#bar').getByText('Saved', { exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
}

async function finish(page: Page): Promise<void> {
  await page.getByLabel('I have read this and agree.').check()
  await Promise.all([page.waitForEvent('load'), page.locator('#bar .end').click()])
}
