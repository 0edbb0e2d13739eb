/** Changing one's e-mail address, and the links that confirm, stop or take back a change. */
import {
  ChangeEmailPage,
  ConfirmEmailPage,
  EmailConfirmedPage,
  EmailStoppedPage,
  StopEmailPage,
} from '../../../../views/accounts/email-change.tsx'
import {
  changeOfLink,
  confirmEmailChange,
  requestEmailChange,
  stopEmailChange,
  withdrawEmailChange,
} from '../../../accounts/email-change.ts'
import { PROFILE_PATH } from '../../../core/page-paths.ts'
import { type FormState, type PageResponse, runFormAction, type Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction, sessionOf } from '../settings/settings-access.ts'

export async function formPage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const context = visit.context(visit.texts.emailChange.title, state)
  return { html: <ChangeEmailPage context={context} value={visit.form.email ?? ''} />, status: state.status ?? 200 }
}

export async function request(visit: Visit): Promise<PageResponse> {
  const { id } = sessionOf(visit).user
  const entered = visit.form.email ?? ''
  const result = await runConfirmedAction(visit, () => requestEmailChange(visit.app, id, entered, originOf(visit)))
  return 'errors' in result ? formPage(visit, result) : { redirect: `${PROFILE_PATH}?notice=email-sent` }
}

export async function withdraw(visit: Visit): Promise<PageResponse> {
  await withdrawEmailChange(visit.app, sessionOf(visit).user.id, originOf(visit))
  return { redirect: `${PROFILE_PATH}?notice=email-kept` }
}

const tokenOf = ({ params }: Visit) => params.token ?? ''

async function linkedChange(visit: Visit, kind: 'confirm' | 'stop') {
  const { oldEmail, newEmail, confirmedAt } = await changeOfLink(visit.app, kind, tokenOf(visit))
  return { action: visit.url.pathname, from: oldEmail, to: newEmail, isTakeBack: confirmedAt !== undefined }
}

export async function confirmPage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const { isTakeBack: _, ...props } = await linkedChange(visit, 'confirm')
  const context = visit.context(visit.texts.emailChange.confirm.title, state)
  return { html: <ConfirmEmailPage {...props} context={context} />, status: state.status ?? 200 }
}

export async function confirm(visit: Visit): Promise<PageResponse> {
  const result = await runFormAction(() => confirmEmailChange(visit.app, tokenOf(visit), visit.client))
  if ('errors' in result) return confirmPage(visit, result)
  const context = visit.context(visit.texts.emailChange.confirm.doneTitle)
  return { html: <EmailConfirmedPage context={context} to={result.done.newEmail} /> }
}

export async function stopPage(visit: Visit, state: FormState = {}): Promise<PageResponse> {
  const props = await linkedChange(visit, 'stop')
  const { takeBackTitle, title } = visit.texts.emailChange.stop
  const context = visit.context(props.isTakeBack ? takeBackTitle : title, state)
  return { html: <StopEmailPage {...props} context={context} />, status: state.status ?? 200 }
}

export async function stop(visit: Visit): Promise<PageResponse> {
  const result = await runFormAction(() => stopEmailChange(visit.app, tokenOf(visit), visit.client))
  if ('errors' in result) return stopPage(visit, result)
  const { oldEmail, confirmedAt } = result.done
  const isTakeBack = confirmedAt !== undefined
  const { takenBackTitle, doneTitle } = visit.texts.emailChange.stop
  const context = visit.context(isTakeBack ? takenBackTitle : doneTitle)
  return { html: <EmailStoppedPage context={context} from={oldEmail} isTakeBack={isTakeBack} /> }
}
