/** The frame of every page: title, skip link, navigation and main part. */
import type { ComponentChildren } from 'preact'
import type { AppLanguage } from '../src/core/language.ts'
import { SERVICE_NAME } from '../src/core/service-limits.ts'
import type { Clock } from '../src/lib/relative-time.ts'
import type { AppTexts, ShownError } from '../src/locales/app.ts'
import { Frame } from './parts/frame.tsx'
import { type FrameContext, type FrameEvent, FrameScript } from './parts/frame-script.tsx'
import { Icon, Mark } from './parts/icon.tsx'
import { initialIcon } from './parts/mark-svg.ts'
import { Callout } from './parts/notice.tsx'
import { PageState } from './parts/page-texts.ts'

/** What is wrong, and where it is mended. */
export interface PageAlert {
  /** A few words. */
  name: string
  message: string
  /** How many more there are of the same kind. */
  more?: string
  link?: { href: string; text: string }
}

export interface Brand {
  name: string
  /** Address of the logo. */
  logo: string | undefined
  /** `#rrggbb` */
  colour: string | undefined
  /** Address of the style sheet of this colour. */
  css: string | undefined
}

/**
 * A script of its own: of the pages that make documents and templates, of some settings, of using a
 * template, of pages that show a whole document, and of the page that verifies.
 */
export type Bundle = 'sending' | 'settings' | 'use' | 'viewing' | 'verify'

export interface PageContext {
  title: string
  /** Of the page; empty where it answers a form. */
  path: string
  /** Address of the style sheet, with its hash. */
  css: string
  /** Address of the script of the web app, with its hash. */
  script: string
  /** Addresses of the scripts that some pages load besides. */
  bundles: Record<Bundle, string>
  /** On pages for those whom the organisation asks to sign: its face takes the place of ours. */
  brand?: Brand | undefined
  /** Addresses of the favicon. */
  icons: { svg: string; png: string; touch: string }
  nonce: string
  /** The page may be shown in a frame, by pages of these origins. */
  frame?: FrameContext
  /** Shown large unless it is production. */
  environment: string
  isProduction: boolean
  /** What needs the signed-in administrator. */
  alerts?: readonly PageAlert[]
  /** Of the web app. */
  language: AppLanguage
  clock: Clock
  texts: AppTexts
  /** The token of the page's forms. */
  csrf: string
  /** Undefined where nobody is signed in. */
  user: SignedInPerson | undefined
  /** Of the form that the page answers. */
  errors: readonly ShownError[]
  /** False if the person has entered the password a short while ago. */
  asksForPassword: boolean
}

export interface SignedInPerson {
  name: string
  email: string
  /** The person can prove who they are by a passkey, where a form asks. */
  hasPasskey: boolean
  hasPassword: boolean
  /** So can the identity provider of this name. */
  provider: string | undefined
  /** The pages that this person's role may open. */
  opens: readonly ('session' | 'sender' | 'auditor' | 'admin')[]
}

interface Props {
  context: PageContext
  /**
   * Address of the section in the navigation that the page belongs to. Undefined where none frames
   * the page.
   */
  section?: string
  narrow?: boolean
  /** A card in the middle of the window, for the one form of a page without navigation. */
  entry?: boolean
  /** Below the card. */
  after?: ComponentChildren
  /** BCP 47; by default that of the web app. */
  lang?: string
  dir?: 'ltr' | 'rtl'
  /** Text of the link that skips the header. */
  skip?: string
  /** What the page means to one that shows it in a frame. */
  frameEvent?: FrameEvent | undefined
  /** What a page adds to its head. */
  head?: ComponentChildren
  /** False for the pages that bring a script of their own. */
  isScripted?: boolean
  /** Loaded besides the script of all pages. */
  bundle?: Bundle
  children: ComponentChildren
}

export function Layout(props: Props) {
  const { context, section, narrow = false, entry = false, isScripted = true, bundle, head, frameEvent, after, children } = props
  const { lang = context.language, dir = 'ltr', skip = context.texts.frame.skip } = props
  // The signer's pages pass their own language: their messages are translated before.
  const texts = props.lang === undefined ? context.texts : undefined
  const { clock, csrf, errors, asksForPassword, user } = context
  const person = section === undefined || !user ? undefined : { ...user, path: context.path, section }
  return (
    <PageState.Provider value={{ texts, clock, csrf, person, errors, asksForPassword }}>
      <html lang={lang} dir={dir} class={context.brand ? 'branded' : undefined}>
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
          <meta name="robots" content="noindex" />
          <title>
            {context.title} · {context.brand?.name ?? SERVICE_NAME}
          </title>
          <link rel="stylesheet" href={context.css} nonce={context.nonce} />
          <BrandStyle href={context.brand?.css} nonce={context.nonce} />
          <Icons context={context} />
          {isScripted && <script type="module" src={context.script} nonce={context.nonce} />}
          {bundle && <script type="module" src={context.bundles[bundle]} nonce={context.nonce} />}
          {context.frame && <FrameScript frame={context.frame} event={frameEvent} nonce={context.nonce} />}
          {head}
        </head>
        <body class={person ? 'framed' : entry ? 'lone' : undefined}>
          <a class="skip" href="#main">
            {skip}
          </a>
          {person ? <Frame context={context} user={person} /> : <Header context={context} narrow={narrow} />}
          <main id="main" class={narrow ? 'narrow' : ''}>
            <Alerts context={context} />
            {entry ? <div class="lone-card">{children}</div> : children}
            {after}
          </main>
        </body>
      </html>
    </PageState.Provider>
  )
}

/** The organisation's is made here; browsers that show no SVG as an icon show none. */
function Icons({ context: { brand, icons } }: { context: PageContext }) {
  if (brand) return <link rel="icon" href={initialIcon(brand)} type="image/svg+xml" />
  return (
    <>
      <link rel="icon" href={icons.png} sizes="48x48" />
      <link rel="icon" href={icons.svg} type="image/svg+xml" />
      <link rel="apple-touch-icon" href={icons.touch} />
    </>
  )
}

/** In no layer: it goes before the tokens. */
export function BrandStyle({ href, nonce }: { href: string | undefined; nonce: string }) {
  return href === undefined ? null : <link rel="stylesheet" href={href} nonce={nonce} />
}

/** The header of pages that need no account. */
function Header({ context, narrow }: { context: PageContext; narrow: boolean }) {
  return (
    <header class="bar">
      <div class={narrow ? 'narrow' : ''}>
        <span class="brand">{context.brand ? <BrandName {...context.brand} /> : <Product />}</span>
        {!context.isProduction && <span class="env">{context.environment.toUpperCase()}</span>}
      </div>
    </header>
  )
}

const Product = () => (
  <>
    <Mark />
    Signet
  </>
)

function BrandName({ name, logo }: Brand) {
  if (logo) return <img class="brand-logo" src={logo} alt={name} />
  return (
    <span class="brand-name" dir="auto">
      {name}
    </span>
  )
}

function Alerts({ context: { alerts = [], texts } }: { context: PageContext }) {
  if (alerts.length === 0) return null
  return (
    <section class="strip" aria-label={texts.frame.alertsTitle}>
      <Callout tone="warn" title={texts.frame.alertsTitle}>
        <ul>
          {alerts.map(({ name, message, more, link }) => (
            <li key={message}>
              <strong class="strip-name">{name}</strong>
              <span class="strip-message">
                {message} {more}{' '}
              </span>
              {link && <a href={link.href}>{link.text}</a>}
            </li>
          ))}
        </ul>
      </Callout>
    </section>
  )
}

interface PageHeadProps {
  title: ComponentChildren
  /** Where the page above is. */
  back?: { href: string; text: string } | undefined
  /** Below the title: a state or a sentence. */
  children?: ComponentChildren
  /** Buttons. */
  actions?: ComponentChildren
}

/** The head of a page: the one `h1`, and what can be done with the whole. */
export function PageHead({ title, back, children, actions }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        {back && (
          <a class="back" href={back.href}>
            <Icon name="arrow-left" />
            {back.text}
          </a>
        )}
        <h1>{title}</h1>
        {children}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </div>
  )
}

export function List({ items }: { items: readonly string[] }) {
  return (
    <ul>
      {items.map(item => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}

interface MessageProps extends Pick<Props, 'context' | 'lang' | 'dir' | 'skip'> {
  title: string
  message: string
  hint?: string | undefined
  /** Where to continue. */
  link?: { href: string; text: string } | undefined
}

/** A page with one message. */
export function MessagePage({ title, message, hint, link, ...layout }: MessageProps) {
  return (
    <Layout {...layout} narrow frameEvent="closed">
      <h1>{title}</h1>
      <div class="sheet">
        <p>{message}</p>
        {link && (
          <p>
            <a class="break" href={link.href}>
              {link.text}
            </a>
          </p>
        )}
        {hint && <p class="quiet">{hint}</p>}
      </div>
    </Layout>
  )
}
