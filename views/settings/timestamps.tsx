/** Settings → Seal → Time-stamps: authorities, level, trusted roots, and a test. */
import { SEAL_PATH, TIMESTAMPS_PATH } from '../../src/core/page-paths.ts'
import { MAX_AUTHORITY_URL, MAX_AUTHORITY_USER, MAX_SERVER_PASSWORD } from '../../src/core/service-limits.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input, Select } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Facts } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout } from './settings-layout.tsx'

export interface AuthorityValues {
  url: string
  user: string
  hasPassword: boolean
}

export interface Answer {
  url: string
  isGood: boolean
  title: string
  facts: [string, string][]
}

export interface TimestampsProps {
  context: PageContext
  notice: string | undefined
  /** The last is empty. */
  authorities: AuthorityValues[]
  level: string
  fallback: string
  fixed: { authorities: boolean; level: boolean; fallback: boolean; roots: boolean }
  roots: { file: string } | { subjects: string[] }
  /** There is one to ask. */
  isTestable: boolean
  answers: Answer[]
}

export function TimestampsPage(props: TimestampsProps) {
  const { context, notice, answers, isTestable } = props
  const t = context.texts.timestamps
  return (
    <SettingsLayout context={context} here={SEAL_PATH}>
      <PageHead title={t.title} back={{ href: SEAL_PATH, text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      {answers.map(answer => (
        <AnswerCallout key={answer.url} {...answer} />
      ))}
      <ErrorSummary labels={labelsOf(context.texts, props)} />
      <SettingsForm {...props} />
      {isTestable && (
        <>
          <h2>{t.testTitle}</h2>
          <div class="sheet">
            <p>{t.testText}</p>
            <ActionForm action={`${TIMESTAMPS_PATH}/test`} text={t.test} kind="plain" />
          </div>
        </>
      )}
    </SettingsLayout>
  )
}

function labelsOf({ timestamps: t }: AppTexts, { authorities }: TimestampsProps): Record<string, string> {
  const own = authorities.flatMap((_, i): [string, string][] => [
    [`url${i + 1}`, t.urlOf(i + 1)],
    [`tsaPassword${i + 1}`, t.passwordOf(i + 1)],
  ])
  const { level: sealLevel, fallback: tsaFallback, rootsPick: file } = t
  return { ...Object.fromEntries(own), sealLevel, tsaFallback, file }
}

function AnswerCallout({ url, isGood, title, facts }: Answer) {
  return (
    <Callout tone={isGood ? 'good' : 'bad'} role="status" title={url}>
      <p>{title}</p>
      {facts.length > 0 && <Facts facts={facts} />}
    </Callout>
  )
}

function Fixed({ variable }: { variable: string }) {
  return (
    <p class="small quiet">
      <CodeText text={usePageTexts().timestamps.fixed(variable)} />
    </p>
  )
}

function SettingsForm(props: TimestampsProps) {
  const { authorities, fixed, level, fallback } = props
  const t = usePageTexts().timestamps
  const options = (texts: Record<string, string>) => Object.entries(texts).map(([value, text]) => ({ value, text }))
  return (
    <form method="post" action={TIMESTAMPS_PATH} encType="multipart/form-data">
      <Csrf />
      <h2>{t.authorities}</h2>
      <p class="quiet">{t.authoritiesText}</p>
      {fixed.authorities && <Fixed variable="SIGNET_TSA_URL" />}
      {authorities.map((values, i) => (
        <AuthorityFields key={i} number={i + 1} values={values} isFixed={fixed.authorities} />
      ))}
      <h2>{t.level}</h2>
      <div class="sheet">
        <Select
          name="sealLevel"
          label={t.level}
          hint={t.levelHint}
          value={level}
          options={options(t.levels)}
          disabled={fixed.level}
        />
        {fixed.level && <Fixed variable="SIGNET_SEAL_LEVEL" />}
        <Select name="tsaFallback" label={t.fallback} value={fallback} options={options(t.fallbacks)} disabled={fixed.fallback} />
        {fixed.fallback && <Fixed variable="SIGNET_TSA_FALLBACK" />}
      </div>
      <h2>{t.roots}</h2>
      <div class="sheet">
        <p>{t.rootsText}</p>
        <Roots {...props} />
        <PasswordAgain reason={t.saveReason} />
        <div class="form-actions">
          <Button kind="primary">{t.save}</Button>
        </div>
      </div>
    </form>
  )
}

interface AuthorityProps {
  number: number
  values: AuthorityValues
  isFixed: boolean
}

function AuthorityFields({ number, values, isFixed }: AuthorityProps) {
  const t = usePageTexts().timestamps
  const shared = { disabled: isFixed, required: false, autoCapitalize: 'none', spellcheck: false } as const
  return (
    <fieldset class="sheet authority">
      <legend class="unseen">{t.authority(number)}</legend>
      <Input
        {...shared}
        name={`url${number}`}
        label={`${number}. ${t.url}`}
        subject={t.urlOf(number)}
        hint={t.urlHint}
        value={values.url}
        inputMode="url"
        maxLength={MAX_AUTHORITY_URL}
        note=""
      />
      <div class="login">
        <div>
          <Input
            {...shared}
            name={`user${number}`}
            label={t.user}
            value={values.user}
            autoComplete="off"
            maxLength={MAX_AUTHORITY_USER}
          />
        </div>
        {!isFixed && (
          <div>
            <Input
              {...shared}
              name={`tsaPassword${number}`}
              label={t.password}
              subject={t.passwordOf(number)}
              hint={values.hasPassword ? t.passwordStored : undefined}
              type="password"
              autoComplete="new-password"
              maxLength={MAX_SERVER_PASSWORD}
              note={values.hasPassword ? '' : undefined}
            />
          </div>
        )}
      </div>
    </fieldset>
  )
}

function Roots({ context: { texts }, roots, fixed }: TimestampsProps) {
  const t = texts.timestamps
  if ('file' in roots) {
    return (
      <>
        <p>
          <CodeText text={t.rootsFile(roots.file)} />
        </p>
        {fixed.roots && <Fixed variable="SIGNET_TSA_CA_FILE" />}
      </>
    )
  }
  const { subjects } = roots
  return (
    <>
      <p class={subjects.length === 0 ? 'quiet' : ''}>{subjects.length === 0 ? t.noRoots : t.rootsCount(subjects.length)}</p>
      {subjects.length > 0 && (
        <>
          <ul class="break">
            {subjects.map(subject => (
              <li key={subject}>{subject}</li>
            ))}
          </ul>
          <label class="tick">
            <input type="checkbox" name="removeRoots" />
            <span>{t.rootsRemove}</span>
          </label>
        </>
      )}
      <FileDrop
        choose={texts.frame.chooseFile}
        drop={texts.frame.orDrop}
        label={t.rootsPick}
        hint={t.rootsPickHint}
        accept=".pem,.crt,.cer,.der"
        required={false}
      />
    </>
  )
}
