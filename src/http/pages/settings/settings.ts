/** Settings: leads to the first section of the person's own work. */
import { sectionsFor } from '../../../../views/settings/settings-layout.tsx'
import { DOCUMENTS_PATH } from '../../../core/page-paths.ts'
import type { PageResponse, Visit } from '../../frame/page.tsx'
import { accessOf } from '../../frame/page-access.ts'
import { sessionOf } from './settings-access.ts'

/** What only an administrator or auditor opens is their work; the profile is everybody's. */
const ACCESSES = ['admin', 'auditor', 'session'] as const

export async function getSettings(visit: Visit): Promise<PageResponse> {
  const sections = sectionsFor({ opens: accessOf(sessionOf(visit).user.role) }).flatMap(group => group.sections)
  const own = ACCESSES.flatMap(access => sections.find(section => section.access === access) ?? [])
  return { redirect: own[0]?.href ?? DOCUMENTS_PATH }
}
