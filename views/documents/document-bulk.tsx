/** Actions for the ticked rows. Shown by CSS while a row is ticked, so it needs no script. */
import { MAX_REASON } from '../../src/core/document/document-limits.ts'
import { MAX_LABEL_LENGTH } from '../../src/core/document/label.ts'
import type { AppTexts } from '../../src/locales/app.ts'
import type { PageUser } from '../layout.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog, DialogActions } from '../parts/dialog.tsx'
import { Csrf } from '../parts/form.tsx'

interface Props {
  texts: AppTexts['documents']
  frame: AppTexts['frame']
  user: PageUser
  labels: readonly string[]
  /** The address of the list as it is. */
  list: string
}

/** The rows' boxes belong to this form by its id. */
export function BulkBar({ texts, frame, user, labels, list }: Props) {
  const { bulk, page } = texts
  const maySend = user.opens.includes('sender')
  return (
    <form
      id="bulk"
      class="bulk-bar"
      method="post"
      action={`/documents/bulk/${maySend ? 'label' : 'download'}`}
      aria-label={bulk.bar}
      data-ticks
    >
      <Csrf />
      <input type="hidden" name="list" value={list} />
      {/* The first button answers Enter in the label. */}
      {maySend && (
        <span class="bulk-label">
          <input
            name="label"
            list="bulk-labels"
            maxLength={MAX_LABEL_LENGTH}
            aria-label={bulk.labelName}
            placeholder={bulk.labelName}
            autoComplete="off"
            dir="auto"
          />
          <datalist id="bulk-labels">
            {labels.map(label => (
              <option key={label} value={label} />
            ))}
          </datalist>
          <Button small icon="tag">
            {bulk.label}
          </Button>
        </span>
      )}
      <label class="tick bulk-all" hidden>
        <input type="checkbox" data-tick-all />
        <span data-ticked={bulk.chosen} aria-live="polite">
          {texts.list.chooseAll}
        </span>
      </label>
      <span class="bulk-actions">
        {maySend && (
          <Button small icon="bell" formaction="/documents/bulk/remind">
            {bulk.remind}
          </Button>
        )}
        <Button small icon="download" formaction="/documents/bulk/download">
          {bulk.download}
        </Button>
        {maySend && (
          <Dialog id="bulk-void" title={bulk.voidTitle} trigger={bulk.void} icon="ban" kind="danger" small close={frame.cancel}>
            <p>{bulk.voidText}</p>
            <label for="bulk-reason">{page.voidReason}</label>
            <div class="hint">{page.voidReasonHint}</div>
            <textarea id="bulk-reason" name="reason" form="bulk" rows={3} maxLength={MAX_REASON} dir="auto" />
            <DialogActions>
              <Button kind="danger" form="bulk" formaction="/documents/bulk/void">
                {bulk.voidTitle}
              </Button>
            </DialogActions>
          </Dialog>
        )}
      </span>
    </form>
  )
}
