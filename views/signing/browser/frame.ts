/** Tells the page that shows this one in a frame what happens here. Other pages hear nothing. */
import { FRAME_DATA, type FrameData } from '../../parts/frame-script.tsx'

type Message = { type: 'signet:ready' | 'signet:signed' | 'signet:declined' | 'signet:closed' } | HeightMessage

interface HeightMessage {
  type: 'signet:height'
  /** CSS pixels. */
  height: number
}

const meta = document.querySelector<HTMLMetaElement>(`meta[name="${FRAME_DATA}"]`)
const data: FrameData = JSON.parse(meta?.content ?? '{"origins":[]}')

/**
 * Not every browser names the page around, and where our element shows this one it is hidden: its
 * frame sends no referrer (HTML, ancestor origins list). A message reaches only a page of its own
 * target.
 */
function targets(): readonly string[] {
  const [parentOrigin = 'null'] = window.location.ancestorOrigins ?? []
  return parentOrigin === 'null' ? data.origins : data.origins.filter(origin => origin === parentOrigin)
}

function tell(message: Message): void {
  for (const origin of targets()) window.parent.postMessage(message, origin)
}

/** Of a page that is as high as its window and scrolls inside, as the signing page does. */
const ROOMY_HEIGHT = 960

function tellHeight(): void {
  const own = Math.ceil(document.body.getBoundingClientRect().height)
  const isFilling = own > 0 && Math.abs(own - window.innerHeight) <= 1
  tell({ type: 'signet:height', height: isFilling ? Math.max(own, ROOMY_HEIGHT) : own })
}

if (window.parent !== window) {
  tell({ type: 'signet:ready' })
  if (data.event) tell({ type: `signet:${data.event}` })
  new ResizeObserver(tellHeight).observe(document.body)
}
