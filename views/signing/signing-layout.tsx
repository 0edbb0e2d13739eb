/** The frame of the recipient's pages, in their language. */
import type { ComponentChildren } from 'preact'
import type { SignerTexts } from '../../src/locales/catalogue.ts'
import { Layout, type PageContext } from '../layout.tsx'
import type { FrameEvent } from '../parts/frame-script.tsx'

export interface SignerContext {
  context: PageContext
  /** BCP 47. */
  lang: string
  dir: 'ltr' | 'rtl'
  texts: SignerTexts
}

interface LayoutProps {
  signer: SignerContext
  /** What the page means to one that shows it in a frame. */
  event?: FrameEvent | undefined
  head?: ComponentChildren
  /** For the pages of a document. */
  isWide?: boolean
  children: ComponentChildren
}

export function SignerLayout({ signer: { context, lang, dir, texts }, event, head, isWide = false, children }: LayoutProps) {
  return (
    <Layout
      context={context}
      narrow={!isWide}
      lang={lang}
      dir={dir}
      skip={texts.skip}
      frameEvent={event}
      head={head}
      isScripted={false}
    >
      {children}
    </Layout>
  )
}
