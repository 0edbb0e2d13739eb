/** Shows every part in all its states, for those who change them. Not in production. */
import type { ComponentChildren } from 'preact'
import { Layout, type PageContext, PageHead } from '../layout.tsx'
import { Avatar, AvatarStack } from '../parts/avatar.tsx'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button, type ButtonKind, LinkButton } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FileDrop } from '../parts/file-drop.tsx'
import { ErrorSummary, Input, Select } from '../parts/form.tsx'
import { Icon, Mark } from '../parts/icon.tsx'
import { ICON_NAMES } from '../parts/icons.ts'
import { Menu, MenuItem, MenuRule } from '../parts/menu.tsx'
import { Callout } from '../parts/notice.tsx'
import { Progress } from '../parts/progress.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { Cell, Facts, Table, TableHead } from '../parts/table.tsx'
import { Tabs } from '../parts/tabs.tsx'

const KINDS: ButtonKind[] = ['primary', 'plain', 'danger', 'quiet', 'link']
const TONES: Tone[] = ['neutral', 'info', 'good', 'warn', 'bad']
const COLOURS = ['ground', 'surface', 'sunken', 'ink', 'quiet', 'line', 'edge', 'action', 'action-soft', 'seal']
const SIZES = ['2xl', 'xl', 'lg', 'md', 'sm', 'xs']
const PEOPLE = ['Ada Lovelace', 'Bob Søndergård', '山田 太郎', 'Grace Hopper', 'Élodie', 'Zoë von Ah', 'Kim', 'Émile Zola', 'Ivo']

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="design-part">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export function DesignPage({ context }: { context: PageContext }) {
  return (
    <Layout context={context}>
      <PageHead
        title="Signet"
        actions={
          <>
            <LinkButton href="/design?language=en">English</LinkButton>
            <LinkButton href="/design?language=de">Deutsch</LinkButton>
          </>
        }
      >
        <Mark class="design-mark" />
      </PageHead>
      <Foundations />
      <Actions context={context} />
      <States />
      <Forms context={context} />
      <Lists context={context} />
    </Layout>
  )
}

function Foundations() {
  return (
    <>
      <Part title="Colours">
        <ul class="design-colours">
          {COLOURS.map(name => (
            <li key={name}>
              <span class={`design-colour ${name}`} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Text">
        {SIZES.map(size => (
          <p key={size} class={`design-text-${size}`}>
            {size} · Ihr Vertrag liegt bereit – Żółć, Škoda, Ελλάδα, Київ 0123456789
          </p>
        ))}
        <p class="quiet">quiet</p>
      </Part>
      <Part title="Icons">
        <ul class="design-icons">
          {ICON_NAMES.map(name => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Part>
    </>
  )
}

function Actions({ context }: { context: PageContext }) {
  const { frame } = context.texts
  return (
    <>
      <Part title="Buttons">
        {[false, true].map(small => (
          <div key={String(small)} class="row">
            {KINDS.map(kind => (
              <Button key={kind} kind={kind} small={small} type="button">
                {frame.newDocument}
              </Button>
            ))}
            <Button kind="primary" icon="send" small={small} type="button">
              {frame.newDocument}
            </Button>
            <Button icon="download" iconOnly small={small} type="button">
              {frame.save}
            </Button>
            <Button kind="primary" small={small} type="button" disabled>
              {frame.save}
            </Button>
          </div>
        ))}
      </Part>
      <Part title="Menu, dialog">
        <div class="row">
          <Menu id="menu-1" label={frame.more}>
            <MenuItem icon="pencil" href="#">
              {frame.documents}
            </MenuItem>
            <MenuItem icon="copy" href="#">
              {frame.newDocument}
            </MenuItem>
            <MenuRule />
            <MenuItem icon="trash-2" danger dialog="dialog-1">
              {frame.cancel}
            </MenuItem>
          </Menu>
          <Menu id="menu-2" label={frame.more} iconOnly={false} kind="plain">
            <MenuItem href="#">{frame.settings}</MenuItem>
          </Menu>
          <Dialog id="dialog-1" title={frame.newDocument} trigger={frame.newDocument} close={frame.close} icon="plus">
            <Input name="dialog-name" label={frame.documents} errors={[]} />
            <DialogActions>
              <Button kind="primary" type="button">
                {frame.save}
              </Button>
            </DialogActions>
          </Dialog>
        </div>
      </Part>
    </>
  )
}

function States() {
  return (
    <>
      <Part title="Badges, avatars, progress">
        <div class="row">
          {TONES.map(tone => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        <div class="row">
          {PEOPLE.map((name, i) => (
            <Avatar key={name} name={name} index={i} named />
          ))}
          <Avatar name="Ada Lovelace" icon="check" named />
          <Avatar name="Bob" index={1} icon="x" tone="bad" named />
          <AvatarStack people={PEOPLE.map(name => ({ name }))} />
        </div>
        <div class="row">
          {[0, 2, 3].map(value => (
            <Progress key={value} value={value} max={3} label={`${value} of 3`} text={`${value} / 3`} />
          ))}
        </div>
      </Part>
      <Part title="Messages">
        {TONES.map(tone => (
          <Callout key={tone} tone={tone} title={tone} actions={<Button type="button">OK</Button>}>
            <p>Żółć 0123456789</p>
          </Callout>
        ))}
      </Part>
    </>
  )
}

function Forms({ context }: { context: PageContext }) {
  const { frame } = context.texts
  const errors = [{ path: 'wrong', message: 'must not be empty' }]
  const options = [{ value: 'a', text: frame.documents }]
  return (
    <Part title="Forms">
      <ErrorSummary errors={errors} labels={{ wrong: frame.contacts }} />
      <form class="sheet">
        <Input name="right" label={frame.documents} hint={frame.keysNote} value="Żółć" required={false} errors={[]} />
        <Input name="wrong" label={frame.contacts} errors={errors} />
        <Input name="lines" label={frame.language} rows={3} errors={[]} />
        <Select name="choice" label={frame.settings} value="a" options={options} errors={[]} />
        <label class="tick">
          <input type="checkbox" checked />
          <span>{frame.keysOn}</span>
        </label>
        <FileDrop label="PDF" choose={frame.chooseFile} drop={frame.orDrop} accept=".pdf" errors={[]} />
      </form>
    </Part>
  )
}

function Lists({ context }: { context: PageContext }) {
  const { frame } = context.texts
  return (
    <Part title="Lists">
      <Tabs
        label={frame.documents}
        tabs={[
          { href: '#all', text: frame.documents, count: 12, isCurrent: true },
          { href: '#some', text: frame.contacts, count: 3, isCurrent: false },
          { href: '#none', text: frame.settings, isCurrent: false },
        ]}
      />
      <Stepper
        label={frame.newDocument}
        steps={[
          { text: frame.documents, href: '#a', state: 'done' },
          { text: frame.contacts, state: 'current' },
          { text: frame.verify, state: 'open' },
        ]}
      />
      <p />
      <Table label={frame.documents}>
        <TableHead columns={[frame.documents, frame.language, frame.contacts]} actions={frame.more} />
        <tbody>
          {PEOPLE.slice(0, 3).map((name, i) => (
            <tr key={name}>
              <td class="title">
                <a href="#row">{name}</a>
              </td>
              <td>
                <Badge tone="good">Deutsch</Badge>
              </td>
              <Cell label={frame.contacts}>
                <AvatarStack people={PEOPLE.slice(0, i + 1).map(each => ({ name: each }))} />
              </Cell>
              <td>
                <Button kind="quiet" icon="ellipsis" iconOnly small type="button">
                  {`${frame.more}: ${name}`}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      <Facts
        facts={[
          [frame.documents, '12'],
          [frame.language, 'Deutsch'],
        ]}
      />
      <EmptyState
        inTable
        icon="files"
        title={frame.documents}
        action={
          <LinkButton kind="primary" href="#new">
            {frame.newDocument}
          </LinkButton>
        }
      >
        {frame.keysNote}
      </EmptyState>
    </Part>
  )
}
