/** Documents in every state that a sender can meet, with names that are hard to show. */
import { existsSync, renameSync } from 'node:fs'
import { ADA, BOB, newDocument, SIGNATURE, samplePdf } from './sample.ts'
import { linkTo, openLinkAs, sentDocument, signAs } from './story.ts'
import type { TestApp } from './test-app.ts'

export const LONG_TITLE =
  'Rahmendienstleistungsvertrag über Instandhaltungsarbeiten der Stadtwerke-Betriebsgesellschaft (Fassung 2026/2027, Entwurf nach der zweiten Lesung)'
export const HOSTILE = '<img src=x onerror=alert(1)>"\'&{{7*7}}'

export type States = Record<
  | 'draft'
  | 'waiting'
  | 'half'
  | 'mailFailed'
  | 'locked'
  | 'sealingTrouble'
  | 'completed'
  | 'declined'
  | 'expired'
  | 'voided'
  | 'many'
  | 'rightToLeft'
  | 'hostile'
  | 'sequential',
  string
>

/** Moves the clock by weeks: the first documents are old, the last just sent. */
export async function makeStates(t: TestApp): Promise<States> {
  const completed = await sentDocument(t, { title: LONG_TITLE, labels: ['Einkauf', 'Vertrag 2026'] })
  t.clock.pass({ hours: 3 })
  await signAs(t, ADA.email, 'Ada Lovelace')
  t.clock.pass({ days: 1 })
  await signAs(t, BOB.email, 'Bob Søndergård')
  await t.drain()
  const expired = await sentDocument(t, { title: 'Offer of the week', expiresInDays: 2 })
  t.clock.pass({ days: 3 })
  const { runSchedule } = await import('../../src/jobs/schedule.ts')
  await runSchedule(t.app)
  await t.drain()
  const declined = await sentDocument(t, { title: 'Order 88', recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  const { visitor, page } = await openLinkAs(t, ADA.email)
  await visitor.submit(page, { reason: 'The price is too high for what is delivered.' }, '/decline')
  const voided = await sentDocument(t, { title: 'Letter with the wrong file' })
  await t.api('POST', `/documents/${voided}/void`, { reason: 'Wrong file' })
  const sealingTrouble = await troubled(t)
  t.clock.pass({ days: 4 })
  const many = await sentDocument(t, { title: 'Minutes of the general meeting', recipients: crowd(30) })
  const rightToLeft = await sentDocument(t, {
    title: 'اتفاقية الخدمة السنوية 2026 (Service)',
    labels: ['عقود'],
    recipients: [
      { email: 'layla@example.com', name: 'ليلى حداد', fields: [SIGNATURE] },
      { email: 'noa@example.com', name: 'נועה לוי (Noa)', fields: [{ ...SIGNATURE, x: 55 }] },
    ],
  })
  const waiting = await sentDocument(t, {
    title: 'Lease, Elm Street 4',
    message: 'Dear both,\n\nplease sign by Friday.\n\nGrace',
  })
  const half = await sentDocument(t, { title: 'Service agreement', labels: ['Sales'] })
  t.clock.pass({ hours: 5 })
  await signAs(t, ADA.email, 'Ada Lovelace')
  t.mailVerdicts.push({ outcome: 'refused', permanent: true, reply: '550 5.1.1 <bo.li@exampel.com>: Recipient address rejected' })
  const mailFailed = await sentDocument(t, {
    title: 'Non-disclosure agreement',
    recipients: [{ email: 'bo.li@exampel.com', name: 'Bo Li', fields: [SIGNATURE] }],
  })
  const locked = await lockedCode(t)
  const sequential = await sentDocument(t, {
    title: 'Power of attorney',
    signingOrder: 'sequential',
    recipients: [
      { email: 'vera@example.com', name: 'Vera Vorstand', fields: [SIGNATURE] },
      { email: 'ben@example.com', name: 'Ben Belegprüfer', role: 'approver' },
      { email: 'mia@example.com', name: 'Mia Mitlesend', role: 'viewer' },
    ],
  })
  const hostile = await sentDocument(t, {
    title: HOSTILE,
    fileName: '../<script>alert(1)</script>.pdf',
    labels: ['<b>label</b>'],
    recipients: [{ email: 'mallory@example.com', name: HOSTILE, fields: [SIGNATURE] }],
  })
  t.clock.pass({ minutes: 20 })
  const draft = (await t.api('POST', '/documents', await newDocument({ title: 'Employment contract', file: await samplePdf(3) })))
    .body.id
  return {
    draft,
    waiting,
    half,
    mailFailed,
    locked,
    sealingTrouble,
    completed,
    declined,
    expired,
    voided,
    many,
    rightToLeft,
    hostile,
    sequential,
  }
}

function crowd(size: number) {
  return Array.from({ length: size }, (_, i) => ({
    email: `member${i + 1}@verein.example.org`,
    name: `Mitglied Nummer ${i + 1}`,
    fields: [{ ...SIGNATURE, x: 5 + (i % 3) * 30, y: 5 + (i % 30) * 3, height: 2 }],
  }))
}

async function lockedCode(t: TestApp): Promise<string> {
  const email = 'cora@example.com'
  const id = await sentDocument(t, {
    title: 'Letter with a code',
    recipients: [{ email, name: 'Cora Code', accessCode: 'tulip-42', fields: [SIGNATURE] }],
  })
  const { openDocument } = await import('../../src/documents/signing/signing.ts')
  const token = linkTo(t, email).replace(/^\/s\//, '')
  for (let i = 0; i < 5; i++) {
    await openDocument(t.app, token, { accessCode: 'rose-41' }, { ip: '192.0.2.1', userAgent: 'test' }).catch(() => {})
    t.clock.pass({ minutes: 6 })
  }
  await t.drain()
  return id
}

/** Signed by all; its file is missing, so that it cannot be sealed. */
async function troubled(t: TestApp): Promise<string> {
  const file = await samplePdf(2)
  const id = await sentDocument(t, { title: 'Amendment 3', file, recipients: [{ ...ADA, fields: [SIGNATURE] }] })
  await signAs(t, ADA.email, 'Ada Lovelace')
  await hideFile(t, id)
  await t.drain()
  return id
}

async function pathOf(t: TestApp, id: string): Promise<string> {
  return t.app.storage.localPath((await t.api('GET', `/documents/${id}`)).body.sha256.original)
}

export async function hideFile(t: TestApp, id: string): Promise<void> {
  const path = await pathOf(t, id)
  renameSync(path, `${path}.hidden`)
}

export async function restoreFile(t: TestApp, id: string): Promise<void> {
  const path = await pathOf(t, id)
  if (existsSync(`${path}.hidden`)) renameSync(`${path}.hidden`, path)
}
