/** Draws the PNG icons of `views/static` from the mark. Run it when the mark changes. */
import { join } from 'node:path'
import { openBrowser } from '../test/support/browser.ts'
import { markSvg } from '../views/parts/mark-svg.ts'

const STATIC = join(import.meta.dir, '../views/static')
/** The icon of a phone's home screen has a ground and a margin. */
const PICTURES = [
  { name: 'favicon.png', side: 48, margin: 0, ground: 'transparent' },
  { name: 'touch-icon.png', side: 180, margin: 26, ground: '#ffffff' },
]

const browser = await openBrowser()
for (const { name, side, margin, ground } of PICTURES) {
  const page = await browser.newPage({ viewport: { width: side, height: side }, colorScheme: 'light' })
  await page.setContent(`<style>html{background:${ground}}body{margin:${margin}px}svg{display:block}</style>${markSvg()}`)
  await page.screenshot({ path: join(STATIC, name), omitBackground: true })
}
await browser.close()
