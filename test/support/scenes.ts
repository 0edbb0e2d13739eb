/**
 * Every page and state a person can meet, in one walk through a fresh instance. Whoever calls looks
 * at each: for errors, or to take its picture.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import PostalMime from 'postal-mime'
import { plainPng } from '../evidence/sample.ts'
import { sealTiny } from '../verify/tiny-pdf.ts'
import { press, pressToSee, visit } from './browser.ts'
import { fill } from './fill.ts'
import { makePdf } from './make-pdf.ts'
import { type Client, client, FIELDS, letterTo, linkIn, makeKey, send, setUp } from './people.ts'
import { ADA, BOB, SIGNATURE } from './sample.ts'
import { sendingScenes } from './sending-scenes.ts'
import { sharedAuthority } from './test-pki.ts'

/** A fresh instance, not set up yet. */
export interface Place {
  url: string
  setupLink: string
  dataFolder: string
}

export type Look = (name: string, page: Page) => Promise<void>

const LONG = {
  title: 'Rahmendienstleistungsvertrag über Instandhaltungsarbeiten der Stadtwerke-Betriebsgesellschaft (Fassung 2026/2027)',
  person: {
    name: 'Maximiliane-Katharina von Hohenlohe-Waldenburg',
    email: 'maximiliane-katharina.hohenlohe@waldenburg.example.org',
  },
  message: 'Dear Ada,\n\nplease look at clause 4 before you sign.\n\nThank you!\nGrace',
}

/** The whole walk. `open` gives a new person's window. */
export async function walk(place: Place, open: () => Promise<Page>, look: Look): Promise<void> {
  const admin = await open()
  const api = await settingUp(place, admin, look)
  const full = await documents(place, api, look, open)
  await signedOff(place, open, look)
  await sender(admin, full, look)
  await sendingScenes(admin, api, look)
  await organisation(admin, look)
  await seal(admin, look)
  await verifying(await open(), place, look)
  await unknown(await open(), look)
}

async function settingUp({ url, setupLink }: Place, page: Page, look: Look): Promise<Client> {
  await visit(page, setupLink, 'setup', look)
  await setUp(page, setupLink, 'short')
  await look('setup-errors', page)
  await setUp(page, setupLink)
  await page.goto('/settings/tokens')
  const key = await makeKey(page, 'HR system')
  await visit(page, '/documents', 'documents-empty', look)
  await visit(page, '/outbox', 'outbox-empty', look)
  return client(url, key)
}

/** The first of the documents. */
async function documents(place: Place, api: Client, look: Look, open: () => Promise<Page>): Promise<string> {
  const { dataFolder } = place
  const full = await send(api, {
    title: LONG.title,
    fileName: 'Rahmendienstleistungsvertrag_Stadtwerke_final_final_v12.pdf',
    message: LONG.message,
    recipients: [
      { ...ADA, fields: FIELDS },
      { ...LONG.person, fields: [SIGNATURE] },
    ],
  })
  await signing(place, open, look)
  await send(api, {
    title: 'Letter with a code',
    recipients: [{ email: 'code@example.com', name: 'Cora Code', accessCode: 'tulip-42' }],
  })
  await accessCode(await open(), linkIn(await letterTo(dataFolder, 'code@example.com', 'code')), look)
  const voided = await send(api, { title: 'Letter to nobody', recipients: [{ email: 'void@example.com', name: 'Vera Void' }] })
  const voidedPage = await open()
  const voidedLink = linkIn(await letterTo(dataFolder, 'void@example.com', 'nobody'))
  await api('POST', `/documents/${voided}/void`, { reason: 'Wrong file' })
  await visit(voidedPage, voidedLink, 'link-voided', look)
  await handingOver(place, api, await open(), look)
  await others(place, api, open, look)
  return full
}

async function others({ dataFolder }: Place, api: Client, open: () => Promise<Page>, look: Look): Promise<void> {
  await send(api, { title: 'Order 88', recipients: [{ email: 'no@example.com', name: 'Nora No' }] })
  const page = await open()
  await page.goto(linkIn(await letterTo(dataFolder, 'no@example.com', 'Order 88')))
  await press(page, 'Open the document')
  await page.locator('summary', { hasText: 'I do not want to' }).click()
  await page.getByLabel(/reason/).fill('   ')
  await pressToSee(page, 'Decline', 'decline-errors', look)
  await page.getByLabel(/reason/).fill('The price is too high.')
  await pressToSee(page, 'Decline', 'declined', look)

  await send(api, {
    title: 'Service agreement',
    redirectUrl: 'https://example.com/thanks',
    recipients: [
      { ...BOB, role: 'approver' },
      { email: 'vic@example.com', name: 'Vic Viewer', role: 'viewer' },
    ],
  })
  const viewer = await open()
  await visit(viewer, linkIn(await letterTo(dataFolder, 'vic@example.com', 'Service agreement')), 'landing-viewer', look)
  await pressToSee(viewer, 'Open the document', 'viewer', look)
  const approver = await open()
  await approver.goto(linkIn(await letterTo(dataFolder, BOB.email, 'Service agreement')))
  await pressToSee(approver, 'Open the document', 'form-approver', look)
}

async function handingOver({ dataFolder }: Place, api: Client, page: Page, look: Look): Promise<void> {
  const title = 'Order 89'
  await send(api, { title, recipients: [{ email: 'busy@example.com', name: 'Benno Busy' }] })
  const link = linkIn(await letterTo(dataFolder, 'busy@example.com', title))
  await page.goto(link)
  await press(page, 'Open the document')
  await page.locator('summary', { hasText: 'Hand over to a colleague' }).click()
  await page.getByLabel('Name of your colleague').fill('Faye Free')
  await page.getByLabel('E-mail address of your colleague').fill('busy@example.com')
  await pressToSee(page, 'Hand over', 'delegation-errors', look)
  await page.getByLabel('E-mail address of your colleague').fill('faye@example.com')
  await pressToSee(page, 'Hand over', 'delegated', look)
  await visit(page, link, 'link-handed-over', look)
}

async function accessCode(page: Page, link: string, look: Look): Promise<void> {
  await visit(page, link, 'landing-code', look)
  await page.getByLabel('Access code').fill('rose-41')
  await pressToSee(page, 'Open the document', 'landing-code-error', look)
}

/** The form of a signer who has to fill in every kind of field, up to its end. */
async function signing({ dataFolder }: Place, open: () => Promise<Page>, look: Look): Promise<void> {
  const page = await open()
  await visit(page, linkIn(await letterTo(dataFolder, ADA.email, 'Please sign')), 'landing', look)
  await pressToSee(page, 'Open the document', 'form', look)
  await page.locator('.marker').first().waitFor()
  await look('form-marked', page)
  await page
    .locator('#sign')
    .getByLabel(/^Hours a week/)
    .fill('many')
  await page.getByRole('button', { name: 'Sign and finish' }).click()
  await look('form-errors', page)
  await fill(page)
  await look('form-filled', page)
  await pressToSee(page, 'Sign and finish', 'done-waiting', look)
}

/** The approver finishes; everything is sealed. */
async function signedOff({ dataFolder }: Place, open: () => Promise<Page>, look: Look): Promise<void> {
  const page = await open()
  await page.goto(linkIn(await letterTo(dataFolder, BOB.email, 'Service agreement')))
  await press(page, 'Open the document')
  await page.locator('#sign').getByLabel('I have read this and agree.').check()
  await press(page, 'Approve and finish')
  await visit(page, linkIn(await letterTo(dataFolder, BOB.email, 'Completed')), 'landing-completed', look)
  await pressToSee(page, 'Open the sealed document', 'done-sealed', look)
}

async function sender(page: Page, id: string, look: Look): Promise<void> {
  await visit(page, '/documents', 'documents', look)
  await page.locator('.documents .pick input').nth(1).check()
  await look('documents-ticked', page)
  await page.locator('.filter-panel summary').click()
  await look('documents-filter', page)
  await page.goto(`/documents/${id}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await look('document-menu', page)
  await page.locator('.menu-item', { hasText: 'Void' }).first().click()
  await look('document-void', page)
  await page.keyboard.press('Escape')
  await page.getByText('Correct', { exact: true }).last().click()
  await look('document-correct', page)
  await page.locator('#record summary').click()
  await look('document-record', page)
  await pressToSee(page, 'Remind', 'document-reminded', look)
  await visit(page, '/outbox', 'outbox', look)
  for (const [name, kind] of [
    ['mail', 'Invitation'],
    ['mail-notice', 'Handed over'],
  ] as const) {
    await page.goto('/outbox')
    const arrived = page.waitForEvent('load')
    await page.getByRole('link', { name: kind }).last().click()
    await arrived
    await look(name, page)
  }
  await page.goto('/confirm?next=/settings/tokens')
  await page.getByLabel('Password').fill('wrong')
  await pressToSee(page, 'Continue', 'confirm-error', look)
}

/** Presses the button under the one field for a file. */
async function upload(page: Page, label: string, file: { name: string; buffer: Buffer }, button: string): Promise<void> {
  await page.getByLabel(label).setInputFiles({ ...file, mimeType: 'application/octet-stream' })
  await press(page, button)
}

async function organisation(page: Page, look: Look): Promise<void> {
  await page.goto('/settings/organisation')
  await upload(page, 'Picture', { name: 'logo.svg', buffer: Buffer.from('<svg/>') }, 'Upload logo')
  await look('organisation-logo-error', page)
  await upload(page, 'Picture', { name: 'logo.png', buffer: plainPng(320, 80, [31, 79, 191, 255]) }, 'Upload logo')
  await look('organisation-logo', page)
}

async function seal(page: Page, look: Look): Promise<void> {
  await page.goto('/settings/seal')
  await pressToSee(page, 'Seal a test page', 'seal-test', look)
  await upload(page, 'PKCS#12 file', { name: 'key.p12', buffer: Buffer.from('no key') }, 'Import')
  await look('seal-import-error', page)
  await page.getByText('Renew now', { exact: true }).click()
  await look('seal-renew', page)
  await press(page, 'Renew the certificate')
  await page.getByText('Revoke', { exact: true }).last().click()
  await look('seal-revoke', page)
  await pressToSee(page, /^Revoke the certificate/, 'seal-revoked', look)
}

/** The sealed file as it was mailed. */
async function mailedFile(dataFolder: string): Promise<Buffer> {
  const folder = join(dataFolder, 'outbox')
  for (const name of readdirSync(folder).filter(n => n.endsWith('.eml'))) {
    const [attached] = (await PostalMime.parse(readFileSync(join(folder, name)))).attachments
    if (attached && typeof attached.content !== 'string') return Buffer.from(attached.content as ArrayBuffer)
  }
  throw new Error('no mail has a file')
}

async function verifying(page: Page, { dataFolder }: Place, look: Look): Promise<void> {
  await visit(page, '/verify', 'verify', look)
  const verify = async (name: string, buffer: Buffer) => {
    await page.goto('/verify')
    await page.locator('#local-files').setInputFiles({ name: 'agreement (signed).pdf', mimeType: 'application/pdf', buffer })
    await page.locator('.verdict').waitFor()
    await look(name, page)
  }
  const sealed = await mailedFile(dataFolder)
  await verify('verify-valid', sealed)
  await verify('verify-not-valid', Buffer.concat([sealed, Buffer.from('more')]))
  await verify('verify-unreadable', Buffer.from('no PDF'))
  await verify('verify-not-signed', makePdf())
  const { key } = await sharedAuthority()
  await verify('verify-signer-unknown', await sealTiny({ base: makePdf(), key }))
}

/** Addresses that lead nowhere, and pages without a person. */
async function unknown(page: Page, look: Look): Promise<void> {
  await visit(page, '/nowhere', 'not-found', look)
  await visit(page, '/s/rcp_01h00000000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'link-unknown', look)
  await visit(page, '/setup/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'setup-spent', look)
  await visit(page, '/api/v1/docs', 'reference', look)
  for (const language of ['en', 'de']) {
    await visit(page, `/design?language=${language}`, `design-${language}`, look)
  }
}
