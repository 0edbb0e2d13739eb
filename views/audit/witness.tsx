/** Settings → Audit log → Witness: who co-signs the checkpoints, and whose are co-signed here. */
import { AUDIT_PATH, WITNESS_PATH, WITNESSED_PATH } from '../../src/core/page-paths.ts'
import { MAX_WEBHOOK_URL } from '../../src/core/service-limits.ts'
import { type PageContext, PageHead } from '../layout.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button, LinkButton } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ActionForm, CodeText, Csrf, ErrorSummary, Input } from '../parts/form.tsx'
import { Callout, Notice } from '../parts/notice.tsx'
import { usePageTexts } from '../parts/page-texts.ts'
import { Cell, type Fact, Facts, Table, TableHead } from '../parts/table.tsx'
import { PasswordAgain, SettingsLayout } from '../settings/settings-layout.tsx'

/** Shown texts. */
export interface KnownCertificate {
  subject: string
  sha256: string
}

interface WitnessProps {
  context: PageContext
  notice: { text: string; isGood: boolean } | undefined
  state: { tone: 'good' | 'warn' | 'bad' | 'info'; title: string; texts: readonly string[] }
  isOn: boolean
  url: string
  /** The variables that fix a setting. */
  fixed: { url: string | undefined; certificate: string | undefined }
  known: KnownCertificate[]
  own: { address: string; instance: string; certificates: KnownCertificate[] }
}

const ACCEPT = '.pem,.crt,.cer,.der,application/x-pem-file,application/pkix-cert'

export function WitnessPage({ context, notice, state, isOn, url, fixed, known, own }: WitnessProps) {
  const { witness: t, frame } = context.texts
  return (
    <SettingsLayout context={context} here={AUDIT_PATH}>
      <PageHead title={t.title} back={{ href: AUDIT_PATH, text: t.back }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice?.text} tone={notice?.isGood === false ? 'warn' : 'good'} />
      <ErrorSummary labels={{ witnessUrl: t.url, file: t.certificate }} />
      <Callout
        tone={state.tone}
        title={state.title}
        actions={isOn && <ActionForm action={`${WITNESS_PATH}/ask`} text={t.ask} kind="plain" />}
      >
        {state.texts.map(text => (
          <p key={text} class="break">
            {text}
          </p>
        ))}
      </Callout>
      <h2>{t.form}</h2>
      <form method="post" action={WITNESS_PATH} encType="multipart/form-data" class="sheet">
        <Csrf />
        <Input
          name="witnessUrl"
          label={t.url}
          hint={fixed.url === undefined ? t.urlHint : t.fixed(fixed.url).replaceAll('`', '')}
          value={url}
          disabled={fixed.url !== undefined}
          required={false}
          inputMode="url"
          autoCapitalize="none"
          spellcheck={false}
          maxLength={MAX_WEBHOOK_URL}
        />
        <CertificateTexts known={known} />
        {fixed.certificate === undefined ? (
          <FileDrop
            label={t.certificate}
            hint={t.certificateHint}
            choose={frame.chooseFile}
            drop={frame.orDrop}
            accept={ACCEPT}
            required={false}
          />
        ) : (
          <p class="small quiet">
            <CodeText text={t.fixed(fixed.certificate)} />
          </p>
        )}
        <PasswordAgain reason={t.saveReason} />
        <div class="form-actions">
          <Button kind="primary">{frame.save}</Button>
        </div>
      </form>
      <h2>{t.own}</h2>
      <div class="sheet">
        <p>{t.ownText}</p>
        <Facts
          facts={[
            [t.facts.address, <code class="break">{own.address}</code>],
            [t.facts.instance, <code class="break">{own.instance}</code>],
            ...own.certificates.map(
              ({ subject, sha256 }): Fact => [
                t.facts.certificate,
                <>
                  {subject} <code class="break">{sha256}</code>
                </>,
              ],
            ),
          ]}
        />
        <div class="row">
          <LinkButton href={`${WITNESS_PATH}/certificate.pem`} kind="plain">
            {t.download}
          </LinkButton>
          <LinkButton href={WITNESSED_PATH} kind="plain">
            {t.toWitnessed}
          </LinkButton>
        </div>
      </div>
    </SettingsLayout>
  )
}

function CertificateTexts({ known }: { known: KnownCertificate[] }) {
  const t = usePageTexts().witness
  return (
    <>
      {known.map(({ subject, sha256 }) => (
        <p key={sha256} class="small break">
          <CodeText text={t.known(subject, sha256)} />
        </p>
      ))}
    </>
  )
}

// Whose checkpoints are co-signed here.

export interface WitnessedRow {
  id: string
  name: string
  entries: string
  seen: string | undefined
  state: { tone: Tone; text: string }
}

interface WitnessedProps {
  context: PageContext
  notice: string | undefined
  rows: WitnessedRow[]
  name: string
}

export function WitnessedPage({ context, notice, rows, name }: WitnessedProps) {
  const { witness, frame } = context.texts
  const t = witness.witnessed
  return (
    <SettingsLayout context={context} here={AUDIT_PATH}>
      <PageHead title={t.title} back={{ href: WITNESS_PATH, text: witness.title }}>
        <p class="quiet">{t.lead}</p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={{ name: t.name, file: t.certificate }} />
      {rows.length === 0 ? (
        <EmptyState icon="shield-check" title={t.none}>
          {t.noneText}
        </EmptyState>
      ) : (
        <WitnessedTable rows={rows} />
      )}
      <h2>{t.add}</h2>
      <form method="post" action={WITNESSED_PATH} encType="multipart/form-data" class="sheet">
        <Csrf />
        <Input name="name" label={t.name} hint={t.nameHint} value={name} maxLength={200} />
        <FileDrop
          label={t.certificate}
          hint={t.certificateHint}
          choose={frame.chooseFile}
          drop={frame.orDrop}
          accept={ACCEPT}
          required={false}
        />
        <PasswordAgain reason={t.addReason} />
        <div class="form-actions">
          <Button kind="primary">{t.add}</Button>
        </div>
      </form>
    </SettingsLayout>
  )
}

function WitnessedTable({ rows }: { rows: WitnessedRow[] }) {
  const t = usePageTexts().witness.witnessed
  return (
    <Table label={t.title}>
      <TableHead columns={[t.columns.name, t.columns.entries, t.columns.seen, t.columns.state]} />
      <tbody>
        {rows.map(({ id, name, entries, seen, state }) => (
          <tr key={id}>
            <td dir="auto">
              <a href={`${WITNESSED_PATH}/${id}`}>{name}</a>
            </td>
            <Cell label={t.columns.entries}>{entries}</Cell>
            <Cell label={t.columns.seen} class="small nowrap">
              {seen ?? t.never}
            </Cell>
            <Cell label={t.columns.state}>
              <Badge tone={state.tone}>{state.text}</Badge>
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

interface WitnessedInstanceProps {
  context: PageContext
  notice: string | undefined
  row: WitnessedRow
  facts: Fact[]
  /** What did not continue the log. */
  differs: string | undefined
  isRemoved: boolean
}

export function WitnessedInstancePage({ context, notice, row, facts, differs, isRemoved }: WitnessedInstanceProps) {
  const { witness, frame } = context.texts
  const t = witness.witnessed
  const path = `${WITNESSED_PATH}/${row.id}`
  return (
    <SettingsLayout context={context} here={AUDIT_PATH}>
      <PageHead title={row.name} back={{ href: WITNESSED_PATH, text: t.title }}>
        <p>
          <Badge tone={row.state.tone}>{row.state.text}</Badge>
        </p>
      </PageHead>
      <Notice text={notice} />
      <ErrorSummary labels={{ file: t.certificate }} />
      {differs !== undefined && (
        <Callout tone="bad" title={t.differsTitle}>
          <p>{differs}</p>
        </Callout>
      )}
      <div class="sheet">
        <Facts facts={facts} />
      </div>
      <h2>{t.list}</h2>
      <div class="sheet">
        <p>
          <CodeText text={t.listText} />
        </p>
        <LinkButton href={`${path}/statements`} kind="plain">
          {t.download}
        </LinkButton>
      </div>
      {!isRemoved && (
        <>
          <h2>{t.replace}</h2>
          <form method="post" action={`${path}/certificate`} encType="multipart/form-data" class="sheet">
            <Csrf />
            <p>{t.replaceText}</p>
            <FileDrop label={t.certificate} choose={frame.chooseFile} drop={frame.orDrop} accept={ACCEPT} required={false} />
            <PasswordAgain reason={t.addReason} />
            <div class="form-actions">
              <Button kind="primary">{t.replace}</Button>
            </div>
          </form>
          <h2>{t.anew}</h2>
          <div class="sheet">
            <p>{t.anewText}</p>
            <ActionForm action={`${path}/anew`} text={t.anew} kind="danger" />
          </div>
          <h2>{t.remove}</h2>
          <div class="sheet">
            <p>{t.removeText}</p>
            <ActionForm action={`${path}/remove`} text={t.remove} kind="danger" />
          </div>
        </>
      )}
    </SettingsLayout>
  )
}
