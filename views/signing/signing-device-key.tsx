/** The step after “Finish” on which the signer's own device signs, if it is to. */
import { Csrf, ErrorSummary } from '../parts/form.tsx'
import { DEVICE_KEY_DATA_ID } from './browser/data.ts'
import type { DeviceKeyData } from './browser/device-key.ts'
import { type SignerContext, SignerLayout } from './signing-layout.tsx'

export interface DeviceKeyProps extends SignerContext {
  base: string
  title: string
  /** The form that was sent, without its token: the signature of the device goes with it. */
  members: Readonly<Record<string, string>>
  /** Keys of this person that signed before, with the day in words. */
  known: { credentialId: string; publicKey: string; day: string }[]
  /** The person may sign without. */
  isOptional: boolean
  data: Omit<DeviceKeyData, 'texts'>
  scriptUrl: string
}

export function DeviceKeyPage(props: DeviceKeyProps) {
  const { context, texts, base, title, members, known, isOptional, data, scriptUrl } = props
  const t = texts.deviceKey
  const { sign, made, waiting, refused, framed, unsupported } = t
  const script: DeviceKeyData = { ...data, texts: { sign, made, waiting, refused, framed, unsupported } }
  return (
    <SignerLayout signer={props} head={<script type="module" src={scriptUrl} nonce={context.nonce} />}>
      <h1>{t.title}</h1>
      <p class="quiet" dir="auto">
        {title}
      </p>
      <ErrorSummary heading={texts.check} />
      <form id="deviceKey" class="sheet break" method="post" action={`${base}/finish`} data-device-key>
        <Members members={members} />
        <input type="hidden" name="deviceKey" value="on" />
        <input type="hidden" name="deviceKeyProof" value="" />
        <p class="lead">{t.text}</p>
        <p>{t.notYet}</p>
        <p role="status" aria-live="polite" data-device-key-state></p>
        <noscript>
          <p class="note">{t.unscripted}</p>
        </noscript>
        {known.map(({ credentialId, publicKey, day }, i) => (
          <p key={credentialId}>
            <button
              type="button"
              class={i === 0 ? 'button wide' : 'button plain wide'}
              hidden
              data-credential={credentialId}
              data-public-key={publicKey}
            >
              {t.useKnown(day)}
            </button>
          </p>
        ))}
        <p>
          <button type="button" class={known.length === 0 ? 'button wide' : 'button plain wide'} hidden data-credential="">
            {known.length === 0 ? t.use : t.useNew}
          </button>
        </p>
      </form>
      {isOptional && (
        <form method="post" action={`${base}/finish`}>
          <Members members={members} />
          <p>
            <button type="submit" class="button plain wide">
              {t.without}
            </button>
          </p>
        </form>
      )}
      <p>
        <a href={base}>{t.back}</a>
      </p>
      <script
        type="application/json"
        id={DEVICE_KEY_DATA_ID}
        nonce={context.nonce}
        dangerouslySetInnerHTML={{ __html: JSON.stringify(script).replaceAll('<', '\\u003c') }}
      />
    </SignerLayout>
  )
}

function Members({ members }: Pick<DeviceKeyProps, 'members'>) {
  return (
    <>
      <Csrf />
      {Object.entries(members).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
