/** The script of the web app. Each module looks for its `data-*` attributes. */
import { upgradeAddressQuestions } from './address-questions.ts'
import { upgradeCopying } from './copying.ts'
import { upgradeDialogs } from './dialogs.ts'
import { upgradeDropdowns } from './dropdowns.ts'
import { upgradeFileDrops } from './file-drops.ts'
import { upgradeKeys } from './keys.ts'
import { upgradeLive } from './live.ts'
import { upgradeMenus } from './menus.ts'
import { upgradePasskeys } from './passkeys.ts'
import { upgradeTicks } from './ticks.ts'
import { upgradeToasts } from './toasts.ts'

upgradeAddressQuestions()
upgradeMenus(document)
upgradeDialogs(document)
upgradeKeys(document)
upgradeFileDrops(document)
upgradeToasts(document)
upgradeCopying(document)
upgradeDropdowns(document)
upgradeTicks(document)
upgradePasskeys(document)
upgradeLive(document, added => {
  upgradeMenus(added)
  upgradeDialogs(added)
})
