/** The bar above the pages: undo, zoom, snapping, page number, state of saving, continue. */
import { Icon } from '../../parts/icon.tsx'
import { format } from '../../signing/browser/data.ts'
import { Entry } from './format.tsx'
import { ToolButton, type Ui } from './ui.tsx'

export function Toolbar({ ui }: { ui: Ui }) {
  const { session, actions, pages, texts } = ui
  const percent = Math.round(pages.zoomPercent)
  return (
    <>
      <div class="tools">
        <ToolButton icon="undo-2" label={texts.undo} onPress={() => actions.undo()} isDisabled={!session.canUndo} />
        <ToolButton icon="redo-2" label={texts.redo} onPress={() => actions.redo()} isDisabled={!session.canRedo} />
      </div>
      <div class="tools zooming">
        <ToolButton icon="minus" label={texts.zoomOut} onPress={() => actions.zoom(0.8)} />
        <button type="button" class="tool zoom-level" title={texts.fit} onClick={() => actions.fit()}>
          <span class="unseen">{texts.fit}, </span>
          {format(texts.zoomLevel, { percent })}
        </button>
        <ToolButton icon="plus" label={texts.zoomIn} onPress={() => actions.zoom(1.25)} />
      </div>
      <div class="tools">
        <ToolButton
          icon="magnet"
          label={texts.snapping}
          onPress={() => session.setSnapping(!session.isSnapping)}
          isPressed={session.isSnapping}
        />
      </div>
      <PageNumber ui={ui} />
      <Keys ui={ui} />
      <SaveStatus ui={ui} />
      <button type="button" class="button primary compact continue" onClick={() => ui.goOn()}>
        <span>{texts.continueTo}</span>
        <Icon name="arrow-right" />
      </button>
    </>
  )
}

function PageNumber({ ui: { pages, session, texts } }: { ui: Ui }) {
  if (pages.count < 2) return null
  const { current } = pages
  const next = session.inOrder().find(({ page }) => page > current)?.page ?? session.inOrder()[0]?.page
  return (
    <div class="tools page-number">
      <label class="unseen" for="editor-page">
        {texts.goToPage}
      </label>
      <Entry
        id="editor-page"
        inputMode="numeric"
        value={String(current)}
        onFocus={event => event.currentTarget.select()}
        onEntered={text => {
          const page = Number(text)
          if (Number.isInteger(page) && page >= 1 && page <= pages.count) pages.show(page)
        }}
      />
      <span class="quiet">{format(texts.ofPages, { pages: pages.count })}</span>
      <ToolButton
        icon="chevrons-down"
        label={texts.nextWithFields}
        onPress={() => next !== undefined && pages.show(next)}
        isDisabled={next === undefined}
      />
    </div>
  )
}

function SaveStatus({ ui: { saveState, texts } }: { ui: Ui }) {
  const isBad = saveState !== 'saved' && saveState !== 'saving'
  return (
    <p class={isBad ? 'save-state bad' : 'save-state'} role="status" data-state={saveState}>
      <Icon name={isBad ? 'triangle-alert' : saveState === 'saved' ? 'check' : 'refresh-cw'} />
      <span>{texts.save[saveState]}</span>
    </p>
  )
}

/** The list of keys, in a box that closes by itself. */
function Keys({ ui: { texts } }: { ui: Ui }) {
  return (
    <div class="tools keys">
      <button type="button" class="tool" popoverTarget="editor-keys" aria-label={texts.keys} title={texts.keys}>
        <Icon name="keyboard" />
      </button>
      <div id="editor-keys" class="key-list" popover="auto">
        <h2>{texts.keys}</h2>
        <dl>
          {texts.keyList.map(([keys, effect]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}
