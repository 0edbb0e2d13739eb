/** Navigation of a signed-in person: a bar at the left, or at the bottom of a phone. */
import { Fragment } from 'preact'
import { APP_LANGUAGES } from '../../src/core/language.ts'
import {
  CONTACTS_PATH,
  DOCUMENTS_PATH,
  PROFILE_PATH,
  SETTINGS_PATH,
  TEMPLATES_PATH,
  VERIFY_PATH,
} from '../../src/core/page-paths.ts'
import type { PageContext } from '../layout.tsx'
import { LinkButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Csrf } from './form.tsx'
import { Icon, Mark } from './icon.tsx'
import type { IconName } from './icons.ts'
import { Menu, MenuItem, MenuRule } from './menu.tsx'
import type { PagePerson } from './page-texts.ts'

interface Props {
  context: PageContext
  user: PagePerson
}

interface Place {
  href: string
  icon: IconName
  text: (frame: PageContext['texts']['frame']) => string
  /** On a phone in the person's menu. */
  isRare?: boolean
  isForSenders?: boolean
}

const PLACES: Place[] = [
  { href: DOCUMENTS_PATH, icon: 'files', text: frame => frame.documents },
  { href: TEMPLATES_PATH, icon: 'layout-template', text: frame => frame.templates },
  { href: CONTACTS_PATH, icon: 'users', text: frame => frame.contacts, isForSenders: true, isRare: true },
  { href: VERIFY_PATH, icon: 'shield-check', text: frame => frame.verify, isRare: true },
  { href: SETTINGS_PATH, icon: 'settings', text: frame => frame.settings },
]

const placesOf = ({ opens }: PagePerson) => PLACES.filter(({ isForSenders }) => opens.includes('sender') || !isForSenders)

export function Frame({ context, user }: Props) {
  const { frame } = context.texts
  const maySend = user.opens.includes('sender')
  return (
    <header class="frame">
      <div class="frame-inner">
        <div class="frame-head">
          <a class="brand" href={DOCUMENTS_PATH}>
            <Mark />
            Signet
          </a>
          {!context.isProduction && <span class="env">{context.environment.toUpperCase()}</span>}
        </div>
        <nav class="frame-nav" aria-label={frame.mainNavigation}>
          <ul>
            {maySend && (
              <li class="frame-new">
                <LinkButton kind="primary" icon="plus" href={`${DOCUMENTS_PATH}/new`} data-key-new>
                  <span class="on-wide">{frame.newDocument}</span>
                  <span class="on-phone">
                    {frame.newShort.shown}
                    <span class="unseen">{frame.newShort.rest}</span>
                  </span>
                </LinkButton>
              </li>
            )}
            {placesOf(user).map(({ href, icon, text, isRare }) => (
              <li key={href} class={isRare ? 'on-wide' : undefined}>
                <a class="frame-link" href={href} {...(href === user.section ? { 'aria-current': 'page' as const } : {})}>
                  <Icon name={icon} />
                  <span>{text(frame)}</span>
                </a>
              </li>
            ))}
            <li class="frame-person">
              <PersonMenu context={context} user={user} />
            </li>
          </ul>
        </nav>
      </div>
      <KeyList context={context} />
    </header>
  )
}

const KEYS = [
  ['?', 'help'],
  ['n', 'new'],
  ['/', 'search'],
  ['j', 'next'],
  ['k', 'previous'],
  ['Enter', 'open'],
] as const

/** The single-key shortcuts, which only the script gives. */
function KeyList({ context }: Pick<Props, 'context'>) {
  const { frame } = context.texts
  return (
    <div class="keys">
      <Dialog id="keys" title={frame.keys} close={frame.close}>
        <dl class="key-list">
          {KEYS.map(([key, name]) => (
            <Fragment key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{frame.keyList[name]}</dd>
            </Fragment>
          ))}
        </dl>
        <p class="quiet small">{frame.keysNote}</p>
        <label class="tick">
          <input type="checkbox" data-keys-switch />
          <span>{frame.keysOn}</span>
        </label>
      </Dialog>
    </div>
  )
}

/** Each language in its own words. */
const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' }

function PersonMenu({ context, user }: Props) {
  const { frame } = context.texts
  const face = (
    <>
      <Icon name="user" />
      <span class="on-wide">{user.name}</span>
      <span class="on-phone">{frame.accountShort}</span>
    </>
  )
  return (
    <Menu id="person-menu" label={frame.account(user.name)} class="frame-link" face={face}>
      <div class="person-menu-head">
        <strong>{user.name}</strong>
        <div class="quiet small">{user.email}</div>
      </div>
      <MenuRule />
      <form method="post" action="/language" class="languages">
        <Csrf />
        <input type="hidden" name="next" value={context.path || user.section} />
        <span class="quiet small">{frame.language}</span>
        {APP_LANGUAGES.map(language => (
          <button
            key={language}
            type="submit"
            name="language"
            value={language}
            lang={language}
            class="button quiet compact"
            aria-pressed={language === context.language}
          >
            {LANGUAGE_NAMES[language]}
          </button>
        ))}
      </form>
      <MenuRule />
      <MenuItem icon="user" href={PROFILE_PATH}>
        {frame.profile}
      </MenuItem>
      <div class="on-phone">
        {placesOf(user).flatMap(({ href, icon, text, isRare }) =>
          isRare ? (
            <MenuItem key={href} icon={icon} href={href}>
              {text(frame)}
            </MenuItem>
          ) : (
            []
          ),
        )}
      </div>
      <MenuItem icon="keyboard" dialog="keys">
        {frame.keys}
      </MenuItem>
      <MenuItem icon="log-out" action="/sign-out">
        {frame.signOut}
      </MenuItem>
    </Menu>
  )
}
