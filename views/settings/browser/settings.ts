/** The script of set-up and of Settings → Organisation. */
import { upgradeBrowserZones } from './browser-zone.ts'
import { upgradeColourPickers } from './colour-pickers.ts'

upgradeBrowserZones(document)
upgradeColourPickers(document)
