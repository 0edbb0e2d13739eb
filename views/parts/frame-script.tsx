/** Loads the script that tells the page around a frame what happens in it. */

/** `signet:` and this word is the type of the message. */
export type FrameEvent = 'signed' | 'declined' | 'closed'

export interface FrameContext {
  script: string
  /** That may show the page in a frame. */
  origins: readonly string[]
}

/** What the script reads. */
export interface FrameData {
  origins: readonly string[]
  event: FrameEvent | undefined
}

export const FRAME_DATA = 'signet-frame'

export function FrameScript({ frame, event, nonce }: { frame: FrameContext; event: FrameEvent | undefined; nonce: string }) {
  const data: FrameData = { origins: frame.origins, event }
  return (
    <>
      <meta name={FRAME_DATA} content={JSON.stringify(data)} />
      <script type="module" src={frame.script} nonce={nonce} />
    </>
  )
}
