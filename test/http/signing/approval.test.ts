/** An approver confirms with name and consent alone, and the record shows that. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { LANGUAGES } from '../../../src/core/language.ts'
import { find } from '../../../src/documents/queries.ts'
import { sha256Hex } from '../../../src/lib/token.ts'
import { catalogueOf } from '../../../src/locales/index.ts'
import { formsOf, openVisitor, type Page, textOf } from '../../support/browser-less.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { ADA, BOB, SIGNATURE } from '../../support/sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from '../../support/story.ts'
import { useTestApp } from '../../support/use-app.ts'

const t = useTestApp()
let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

const BEN = { email: 'ben@example.com', name: 'Ben Belegprüfer', role: 'approver' }
const TOWN = { type: 'text', label: 'Town', page: 1, x: 10, y: 20, width: 30, height: 4 }

const finishForm = ({ html }: Page) => formsOf(html).find(({ action }) => action.endsWith('/finish'))?.values ?? {}

async function signedEntry(id: string) {
  const { events } = (await t.api('GET', `/documents/${id}/audit`)).body
  return events.findLast((e: { type: string }) => e.type === 'recipient.signed')
}

async function sealedText(id: string): Promise<string> {
  await t.drain()
  const { body } = await t.api('GET', `/documents/${id}/file?version=sealed`)
  const path = join(folder, `${id}.pdf`)
  writeFileSync(path, body)
  const { stdout } = Bun.spawnSync(['pdftotext', '-layout', path, '-'])
  return stdout.toString().replace(/\s+/g, ' ')
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
      expect(Object.keys(finishForm(page)).filter(name => /signature|initials/.test(name))).toEqual([])
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
    const field = Object.keys(finishForm(page)).find(name => name.startsWith('fields.'))!
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
    await t.app.write(
      tx =>
        tx
          .updateTable('fields')
          .set({ type: 'initials' })
          .where('document_id', '=', id)
          .execute()
          .then(() => undefined),
      { wake: false },
    )
    const { visitor, page } = await openLinkAs(t, BEN.email)
    expect(Object.keys(finishForm(page)).filter(name => /^(signature|initials)$/.test(name))).toEqual(['initials'])
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
    const { action = '', values = {} } = formsOf(page.html).find(each => each.action.endsWith('/finish')) ?? {}
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
