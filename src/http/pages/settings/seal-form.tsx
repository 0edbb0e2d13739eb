/** Settings → Seal → Form: the sub-filter of new seals. */
import { SealFormPage } from '../../../../views/settings/seal-form.tsx'
import { serviceRow } from '../../../config/service-rows.ts'
import { SEAL_PATH } from '../../../core/page-paths.ts'
import { readServiceSettings } from '../../../settings/service-settings.ts'
import { saveSealSubFilter } from '../../../settings/timestamp-settings.ts'
import type { FormState, PageResponse, Visit } from '../../frame/page.tsx'
import { originOf } from '../documents/sender-visit.ts'
import { runConfirmedAction } from './settings-access.ts'

export async function page(visit: Visit, { errors = [], status = 200, asksForPassword }: FormState = {}): Promise<PageResponse> {
  const { app, form, texts } = visit
  const { value, source } = (await readServiceSettings(app)).sealSubFilter
  return {
    html: (
      <SealFormPage
        context={visit.context(texts.sealForm.title, { errors, asksForPassword })}
        subFilter={form.sealSubFilter ?? value}
        variable={source === 'environment' ? serviceRow('sealSubFilter').variable : undefined}
      />
    ),
    status,
  }
}

export async function save(visit: Visit): Promise<PageResponse> {
  const origin = originOf(visit)
  const result = await runConfirmedAction(visit, () => saveSealSubFilter(visit.app, origin, visit.form.sealSubFilter ?? ''))
  return 'errors' in result ? page(visit, result) : { redirect: `${SEAL_PATH}?notice=form` }
}
