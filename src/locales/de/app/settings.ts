/** Texts of the pages under Settings, in German. */
import type { settings as English } from '../../en/app/settings.ts'

export const settings: typeof English = {}
