/** The script of set-up and of Settings → Organisation. */
import { upgradeBrowserZones } from './settings/browser-zone.ts'
import { upgradeColourPickers } from './settings/colour-pickers.ts'

upgradeBrowserZones(document)
upgradeColourPickers(document)
