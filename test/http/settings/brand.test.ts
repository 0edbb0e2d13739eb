/** The organisation's face on the pages of recipients: name, logo, colour and icon. */
import { beforeEach, expect, test } from 'bun:test'
import { SYSTEM } from '../../../src/ports.ts'
import { changeLogo } from '../../../src/settings/logo.ts'
import { changeOrganisation } from '../../../src/settings/organisation.ts'
import { plainPng } from '../../evidence/sample.ts'
import { openVisitor } from '../../support/browser-less.ts'
import { ADA, ONE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
beforeEach(async () => {
  await sentDocument(t, ONE)
})

const change = (name: string, colour = '') =>
  changeOrganisation(t.app, SYSTEM, { name, contact: '', timeZone: 'UTC', language: 'en', colour })

/** What a recipient sees before, while and after signing. */
async function pages(): Promise<string[]> {
  const landing = await openVisitor(t.fetch).get(linkTo(t, ADA.email))
  const { page } = await openLinkAs(t, ADA.email)
  return [landing.html, page.html, (await signAs(t, ADA.email, 'Ada')).html]
}

test('an organisation that has set nothing leaves ours in place', async () => {
  for (const html of await pages()) {
    expect(html).toMatch(/<span class="brand"><svg.*?<\/svg>Signet<\/span>/s)
    expect(html).toMatch(/<link rel="icon" href="\/static\/favicon/)
    expect(html).not.toContain('/brand.css')
  }
  expect((await t.fetch('/brand.css')).status).toBe(404)
})

test('its name takes the place of ours, in the title and as an icon too', async () => {
  await change('Äcme <Ltd>')
  for (const html of await pages()) {
    expect(html).toContain('<span class="brand-name" dir="auto">Äcme &lt;Ltd></span>')
    expect(html).toContain('· Äcme &lt;Ltd></title>')
    const [icon = '', ...more] = [...html.matchAll(/<link rel="icon" href="([^"]*)"/g)].map(([, href]) => href)
    expect(more).toEqual([])
    expect(decodeURIComponent(icon.replace('data:image/svg+xml,', ''))).toContain('>Ä</text>')
  }
})

test('its logo and colour are on each page, and change their address with their content', async () => {
  await change('Acme Ltd', '#0b6e4f')
  await changeLogo(t.app, SYSTEM, plainPng(64, 16, [200, 30, 30, 255]))
  for (const html of await pages()) {
    expect(html).toMatch(/<img class="brand-logo" src="\/logo\?[0-9a-f]{16}" alt="Acme Ltd"/)
    expect(html).toContain('<link rel="stylesheet" href="/brand.css?0b6e4f" nonce=')
    expect(html).toContain('class="branded"')
  }
  const css = await t.fetch('/brand.css?0b6e4f')
  expect(css.headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(await css.text()).toStartWith('.branded,.mail-paper{--action:light-dark(#0b6e4f,#')
})

test('the pages of the web app keep ours', async () => {
  await change('Acme Ltd', '#0b6e4f')
  const { html } = await openVisitor(t.fetch).get('/sign-in')
  expect(html).not.toContain('brand.css')
  expect(html).toContain('Signet</title>')
})
