/** The script of the web app. Each module looks for its `data-*` attributes. */
import { upgradeAddressQuestions } from './app/address-questions.ts'
import { upgradeCopying } from './app/copying.ts'
import { upgradeDialogs } from './app/dialogs.ts'
import { upgradeDropdowns } from './app/dropdowns.ts'
import { upgradeFileDrops } from './app/file-drops.ts'
import { upgradeKeys } from './app/keys.ts'
import { upgradeMenus } from './app/menus.ts'
import { upgradePasskeys } from './app/passkeys.ts'
import { upgradeTicks } from './app/ticks.ts'
import { upgradeToasts } from './app/toasts.ts'
import { upgradeLive } from './live.ts'

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
