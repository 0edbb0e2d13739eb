/** The whole of verify.html: the page that needs no service. */
import { LANGUAGES, type Language } from '../../src/core/language.ts'
import { LANGUAGE_NAMES } from '../../src/locales/language-names.ts'
import { Mark } from '../parts/icon.tsx'
import { type LocalProps, LocalVerifyView } from './local-page.tsx'

interface Props extends LocalProps {
  language: Language
  /** Of the release. */
  version: string
  choose(language: Language): void
}

/** Each prints the SHA-256 of the file. */
const COMMANDS: readonly [system: string, command: string][] = [
  ['Linux', 'sha256sum verify.html'],
  ['macOS', 'shasum -a 256 verify.html'],
  ['Windows', 'certutil -hashfile verify.html SHA256'],
]

export function OfflinePage(props: Props) {
  const { texts, local, language, choose, version } = props
  const { about } = local
  return (
    <>
      <header class="bar">
        <div class="narrow">
          <span class="brand">
            <Mark />
            Signet
          </span>
          <select
            class="language-choice no-print"
            aria-label={local.language}
            value={language}
            onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
          >
            {LANGUAGES.map(tag => (
              <option key={tag} value={tag} lang={tag}>
                {LANGUAGE_NAMES[tag]}
              </option>
            ))}
          </select>
        </div>
      </header>
      <main id="main" class="narrow">
        <div class="page-head">
          <div>
            <h1>{texts.title}</h1>
            <p class="quiet">{local.lead}</p>
          </div>
        </div>
        <LocalVerifyView {...props} />
        <details class="about-page">
          <summary>{about.heading}</summary>
          <p>{about.check}</p>
          <dl class="facts">
            {COMMANDS.flatMap(([system, command]) => [
              <dt key={system}>{system}</dt>,
              <dd key={command}>
                <code dir="ltr">{command}</code>
              </dd>,
            ])}
          </dl>
          <p>{about.limits}</p>
          <p class="quiet small">{about.version(version)}</p>
        </details>
      </main>
    </>
  )
}
