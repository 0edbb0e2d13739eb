/** An organisation with people in every state, for browser tests and screenshots. */
import { openChangeOf } from '../../src/accounts/address-queries.ts'
import { requestEmailChange } from '../../src/accounts/email-change.ts'
import { invitePerson } from '../../src/accounts/invitations.ts'
import { disablePerson } from '../../src/accounts/manage.ts'
import { listInvitations } from '../../src/accounts/people-queries.ts'
import { handOver } from '../../src/documents/lifecycle/hand-over.ts'
import { keyedToken } from '../../src/lib/token.ts'
import { addPerson, type TestPerson } from './accounts.ts'
import { type AppServer, openAppServer } from './app-server.ts'
import { newDocument } from './sample.ts'
import { withSecondFactor } from './second-factor.ts'

export interface PeopleScene {
  server: AppServer
  /** Active, with documents. */
  mia: TestPerson
  disabled: TestPerson
  /** Mailed because of a change of Mia's address. */
  email: { confirm: string; stop: string }
  /** Of an open invitation. */
  invitation: string
  link: string
}

/** The addresses of the pages, by what they show. */
export const PEOPLE_PAGES: Record<string, (scene: PeopleScene) => string> = {
  list: () => '/settings/people',
  filtered: () => '/settings/people?q=a&role=member&order=newest',
  nobody: () => '/settings/people?q=nobody',
  invite: () => '/settings/people/invite',
  resend: ({ invitation }) => `/settings/people/invitations/${invitation}/resend`,
  withdraw: ({ invitation }) => `/settings/people/invitations/${invitation}/withdraw`,
  person: ({ mia }) => `/settings/people/${mia.id}`,
  disabled: ({ disabled }) => `/settings/people/${disabled.id}`,
  name: ({ mia }) => `/settings/people/${mia.id}/name`,
  email: ({ mia }) => `/settings/people/${mia.id}/email`,
  'withdraw-email': ({ mia }) => `/settings/people/${mia.id}/withdraw-email`,
  'own-email': () => '/profile/email',
  'email-confirm': ({ email }) => email.confirm,
  'email-stop': ({ email }) => email.stop,
  role: ({ mia }) => `/settings/people/${mia.id}/role`,
  'hand-over': ({ mia }) => `/settings/people/${mia.id}/hand-over`,
  disable: ({ mia }) => `/settings/people/${mia.id}/disable`,
  enable: ({ disabled }) => `/settings/people/${disabled.id}/enable`,
  'second-factor': ({ disabled }) => `/settings/people/${disabled.id}/second-factor`,
  remove: ({ mia }) => `/settings/people/${mia.id}/remove`,
  accept: ({ link }) => new URL(link).pathname,
}

/** On this server, or one of its own. */
export async function openPeopleScene(given?: AppServer): Promise<PeopleScene> {
  const server = given ?? (await openAppServer())
  const { t } = server
  const ada = await addPerson(t, 'Ada', 'admin')
  const invite = (name: string, role: string) => {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
    return invitePerson(t.app, { name, email, role, language: 'en' }, 'link', ada.origin)
  }
  await invite('Alan Turing', 'member')
  t.clock.pass({ days: 8 })
  const mia = await addPerson(t, 'Mia', 'member', { signsIn: true })
  const disabled = await addPerson(t, 'Theo', 'member')
  await addPerson(t, 'Charles', 'auditor')
  for (const title of ['Lease', 'Price list']) await t.api('POST', '/documents', await newDocument({ title }))
  await t.app.write(tx => tx.updateTable('documents').set({ owner_id: disabled.id }).execute())
  await handOver(t.app, disabled.id, mia.id, ada.origin)
  await disablePerson(t.app, disabled.id, ada.origin)
  await withSecondFactor(t.app, disabled.email)
  await requestEmailChange(t.app, mia.id, 'mia@new.example', ada.origin)
  const change = await openChangeOf(t.app.db, mia.id, t.clock.now)
  const email = (kind: string) => `/email/${kind}/${keyedToken(t.app.linkKey, 'e-mail change', kind, change?.id ?? '')}`
  const link = (await invite('Katherine Johnson', 'auditor')) ?? ''
  const invitation = (await listInvitations(t.app.db)).at(-1)?.id ?? ''
  return { server, mia, disabled, email: { confirm: email('confirm'), stop: email('stop') }, invitation, link }
}
