/** Pages before and around a session: set-up, sign-in, sign-out, the password asked again. */

import { ConfirmPage, SetupPage, SignInPage } from '../../../views/pages/account.tsx'
import {
  confirmPassword,
  openSession,
  SESSION_ABSOLUTE_MS,
  setUp,
  setupTokenHolds,
  signIn,
  signOut,
} from '../../accounts/people.ts'
import { Refusal } from '../../core/refusal.ts'
import { countAttempt } from '../limits.ts'
import { orFaults, type PageRoute, SESSION, userOf, type Visit } from '../page.tsx'

const SESSION_S = SESSION_ABSOLUTE_MS / 1000

async function demandSetupLink({ app, params }: Visit): Promise<string> {
  const token = params.token ?? ''
  if (await setupTokenHolds(app, token)) return token
  throw new Refusal('not_found', 'This set-up link is spent or has expired. Restart signet to get a new one.')
}

function setupPage(visit: Visit, token: string, faults: { path: string; message: string }[]) {
  return (
    <SetupPage
      frame={visit.frame('Set up')}
      csrf={visit.csrf}
      action={`/setup/${token}`}
      faults={faults}
      values={visit.form}
      timeZones={['UTC', ...Intl.supportedValuesOf('timeZone')]}
    />
  )
}

/** Only addresses of our own, so that a link cannot lead elsewhere after sign-in. */
function ownPath(next: string | null | undefined): string {
  return next && /^\/(?![/\\])[\w/.-]*$/.test(next) ? next : '/documents'
}

/** The form carries on where the person wanted to go. */
function signInPage(visit: Visit, faults: { path: string; message: string }[], email: string) {
  const next = ownPath(visit.url.searchParams.get('next'))
  const action = next === '/documents' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`
  return <SignInPage frame={visit.frame('Sign in')} csrf={visit.csrf} action={action} faults={faults} email={email} />
}

export const accountPages: PageRoute[] = [
  {
    method: 'GET',
    path: '/',
    access: 'public',
    run: async ({ session }) => ({ redirect: session ? '/documents' : '/sign-in' }),
  },
  {
    method: 'GET',
    path: '/setup/:token',
    access: 'link',
    run: async visit => ({ html: setupPage(visit, await demandSetupLink(visit), []) }),
  },
  {
    method: 'POST',
    path: '/setup/:token',
    access: 'link',
    run: async visit => {
      const { app, form, whence } = visit
      const token = await demandSetupLink(visit)
      const { organisation = '', timeZone = 'UTC', name = '', email = '', password = '' } = form
      const result = await orFaults(() => setUp(app, token, { organisation, timeZone, name, email, password }))
      if ('faults' in result) return { html: setupPage(visit, token, result.faults), status: result.status }
      const session = await openSession(app, result.done, whence)
      return { redirect: '/settings/tokens', cookies: [visit.setCookie(SESSION, session, SESSION_S)] }
    },
  },
  {
    method: 'GET',
    path: '/sign-in',
    access: 'public',
    run: async visit => ({ html: signInPage(visit, [], '') }),
  },
  {
    method: 'POST',
    path: '/sign-in',
    access: 'public',
    run: async visit => {
      const { app, form, whence, url } = visit
      const result = await orFaults(async () => {
        countAttempt(app, 'sign-in', whence.ip, 'Too many sign-ins from this address. Please wait a minute.')
        return signIn(app, form.email ?? '', form.password ?? '', whence)
      })
      if ('faults' in result) {
        return { html: signInPage(visit, result.faults, form.email ?? ''), status: result.status }
      }
      return { redirect: ownPath(url.searchParams.get('next')), cookies: [visit.setCookie(SESSION, result.done, SESSION_S)] }
    },
  },
  {
    method: 'POST',
    path: '/sign-out',
    access: 'session',
    run: async visit => {
      if (visit.session) await signOut(visit.app, visit.session.token)
      return { redirect: '/sign-in', cookies: [visit.setCookie(SESSION, '', 0)] }
    },
  },
  {
    method: 'GET',
    path: '/confirm',
    access: 'session',
    run: async visit => {
      const next = ownPath(visit.url.searchParams.get('next'))
      return { html: <ConfirmPage frame={visit.frame('Password')} user={userOf(visit, '')} faults={[]} next={next} /> }
    },
  },
  {
    method: 'POST',
    path: '/confirm',
    access: 'session',
    run: async visit => {
      const { app, form, session } = visit
      const next = ownPath(form.next)
      const result = await orFaults(async () => {
        if (session) await confirmPassword(app, session.token, session.user, form.password ?? '')
      })
      if ('done' in result) return { redirect: next }
      return {
        html: <ConfirmPage frame={visit.frame('Password')} user={userOf(visit, '')} faults={result.faults} next={next} />,
        status: result.status,
      }
    },
  },
]
