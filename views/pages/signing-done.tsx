/** The page after signing, approving, declining or handing over. */
import type { Role } from '../../src/core/routing.ts'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

export interface DoneProps extends SignerContext {
  base: string
  title: string
  role: Role
  state: 'done' | 'completed' | 'reading' | 'declined'
  waitingFor: string[]
  /** The document can still be downloaded. */
  offersFile: boolean
  sealed: boolean
  redirectUrl: string | undefined
  /** The sealed copy can be downloaded until this time, with its zone. */
  copyUntil: string | undefined
}

function outcome({ state, role, waitingFor, texts: { done } }: DoneProps): string {
  if (state === 'reading') return done.viewer
  if (state === 'done' && waitingFor.length === 0) return done.sealing
  return state === 'done' ? done.done[role] : done[state]
}

export function DonePage(props: DoneProps) {
  const { texts, base, title, state, waitingFor, offersFile, sealed, redirectUrl, copyUntil } = props
  const { done } = texts
  const headline = state === 'reading' ? undefined : done.headline[state]
  return (
    <SignerLayout signer={props}>
      <h1 dir="auto">{headline ?? title}</h1>
      <div class="sheet break">
        {headline && (
          <p>
            <strong dir="auto">{title}</strong>
          </p>
        )}
        <p>{outcome(props)}</p>
        {waitingFor.length > 0 && (
          <>
            <p>{done.waitingFor}</p>
            <ul>
              {waitingFor.map(name => (
                <li key={name}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </>
        )}
        {sealed && <p>{done.sealedMeaning}</p>}
        {sealed && offersFile && copyUntil && <p>{done.copyUntil(copyUntil)}</p>}
        {(offersFile || redirectUrl) && (
          <p class="row">
            {offersFile && (
              <a class={sealed ? 'button' : 'button plain'} href={`${base}/file`}>
                {sealed ? done.downloadSealed : done.downloadUnsealed}
              </a>
            )}
            {redirectUrl && (
              <a class="button plain" href={redirectUrl} rel="noreferrer">
                {done.continueTo(new URL(redirectUrl).host)}
              </a>
            )}
          </p>
        )}
        {!redirectUrl && <p class="quiet">{done.close}</p>}
      </div>
    </SignerLayout>
  )
}

export interface DelegatedProps extends SignerContext {
  title: string
  /** The colleague's name. */
  to: string
}

export function DelegatedPage(props: DelegatedProps) {
  const { delegated, done } = props.texts
  return (
    <SignerLayout signer={props}>
      <h1>{delegated.headline}</h1>
      <div class="sheet break">
        <p>
          <strong dir="auto">{props.title}</strong>
        </p>
        <p>{delegated.to(props.to)}</p>
        <p>{delegated.linkEnded}</p>
        <p class="quiet">{done.close}</p>
      </div>
    </SignerLayout>
  )
}
