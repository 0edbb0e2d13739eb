/** The script of a page that updates itself, for tests of that alone. */
import { upgradeLive } from '../../views/browser/live.ts'
import { upgradeMenus } from '../../views/browser/menus.ts'

const added: string[] = []
Object.assign(window, { added })
upgradeLive(document, element => {
  added.push(element.id || element.nodeName)
  upgradeMenus(element)
})
