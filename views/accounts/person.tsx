/** Settings → People: one person with what can be changed, and the question before each change. */
import type { ComponentChildren } from 'preact'
import { PEOPLE_PATH } from '../../src/core/page-paths.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { LinkButton } from '../parts/button.tsx'
import { ErrorSummary } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { type Fact, Facts } from '../parts/table.tsx'
import { ConfirmedForm, SettingsLayout } from '../settings/settings-layout.tsx'
import { LastSignIn, type PersonRow, StateBadge } from './people.tsx'

/** In the order of the page. */
export const PERSON_VERBS = [
  'name',
  'email',
  'withdraw-email',
  'role',
  'second-factor',
  'hand-over',
  'disable',
  'enable',
  'remove',
] as const
export type PersonVerb = (typeof PERSON_VERBS)[number]

/** In words, beside the button. */
function wordsOf(verb: PersonVerb, { people, emailChange }: AppTexts): { subject: string; action: string; text: string } {
  const { name, role, secondFactor, handOver, disable, enable, remove } = people
  const { person: email, withdrawal } = emailChange
  return {
    ...{ name, email, role, disable, enable, remove },
    'withdraw-email': withdrawal,
    'second-factor': secondFactor,
    'hand-over': handOver,
  }[verb]
}

const DANGEROUS: readonly PersonVerb[] = ['second-factor', 'disable', 'remove']

interface PersonProps {
  context: PageContext
  person: PersonRow
  /** An address that has to confirm. */
  newEmail: string | undefined
  since: string
  /** How the person can sign in. */
  ways: string
  /** What belongs to the person, in words. */
  belongs: string
  verbs: readonly PersonVerb[]
  notice: string | undefined
}

export function PersonPage({ context, person, newEmail, since, ways, belongs, verbs, notice }: PersonProps) {
  const t = context.texts.people
  return (
    <SettingsLayout context={context} here={PEOPLE_PATH}>
      <PageHead title={person.name} back={{ href: PEOPLE_PATH, text: t.person.back }}>
        <p>
          <StateBadge isDisabled={person.isDisabled} />
        </p>
      </PageHead>
      <Notice text={notice} />
      <Facts
        facts={[
          [t.person.email, person.email],
          ...(newEmail === undefined ? [] : [[context.texts.emailChange.person.waiting, newEmail] satisfies Fact]),
          [t.columns.role, `${t.roles[person.role]}. ${t.rolesText[person.role]}`],
          [t.columns.factor, person.factor],
          [t.columns.lastSignIn, <LastSignIn key="last" lastSignIn={person.lastSignIn} />],
          [t.columns.lastSeen, person.lastSeen ?? t.never],
          [t.person.since, since],
          [context.texts.openIdConnect.person.label, ways],
          [t.person.belongs, belongs || t.person.nothing],
        ]}
      />
      <h2>{t.person.actions}</h2>
      <ul class="person-acts">
        {verbs.map(verb => (
          <PersonAct key={verb} verb={verb} path={`${PEOPLE_PATH}/${person.id}/${verb}`} />
        ))}
      </ul>
      {person.isYou && <p class="quiet">{t.yourself}</p>}
    </SettingsLayout>
  )
}

function PersonAct({ verb, path }: { verb: PersonVerb; path: string }) {
  const { subject, action, text } = wordsOf(verb, usePageTexts())
  return (
    <li>
      <div>
        <p class="title">{subject}</p>
        <p class="quiet small" id={`${verb}-text`}>
          {text}
        </p>
      </div>
      <LinkButton href={path} small kind={DANGEROUS.includes(verb) ? 'danger' : 'plain'} aria-describedby={`${verb}-text`}>
        {action}
      </LinkButton>
    </li>
  )
}

interface QuestionProps {
  context: PageContext
  title: string
  paragraphs: readonly string[]
  /** Why it is not possible now, and where to begin: there is no form then. */
  obstacle?: { text: string; link?: { href: string; text: string } } | undefined
  action: string
  /** Where it leads when it is not done. */
  back: { href: string; text: string }
  submit: string
  isDangerous?: boolean
  labels: Record<string, string>
  /** Fields of the form. */
  children?: ComponentChildren
}

/** Asks before a change about people. */
export function PersonQuestionPage({
  context,
  title,
  paragraphs,
  obstacle,
  action,
  back,
  submit,
  isDangerous = false,
  labels,
  children,
}: QuestionProps) {
  const { people } = context.texts
  return (
    <SettingsLayout context={context} here={PEOPLE_PATH}>
      <PageHead title={title} back={back} />
      {paragraphs.map(text => (
        <p key={text}>{text}</p>
      ))}
      <ErrorSummary labels={{ ...labels }} />
      {obstacle !== undefined ? (
        <Callout tone="info">
          <p>{obstacle.text}</p>
          {obstacle.link && <LinkButton href={obstacle.link.href}>{obstacle.link.text}</LinkButton>}
        </Callout>
      ) : (
        <ConfirmedForm
          action={action}
          reason={people.passwordReason}
          submit={submit}
          kind={isDangerous ? 'danger' : 'primary'}
          cancel={back.href}
        >
          {children}
        </ConfirmedForm>
      )}
    </SettingsLayout>
  )
}
