/** Sites of others that show a signing link in a frame: one that is listed, and one that is not. */
import { afterAll, beforeAll, beforeEach } from 'bun:test'
import { SYSTEM } from '../../src/ports.ts'
import { changeServiceSettings } from '../../src/settings/service-settings.ts'
import { ADA, newDocument, SIGNATURE, samplePdf } from './sample.ts'
import type { SigningService } from './signing-service.ts'

export interface Portal {
  /** Browsers do not take a name and an address for the same site. */
  sites: { listed: string; unlisted: string }
  /** Both sites answer with this page from now on. */
  show(html: string): void
  /** A document for one signer, and its link. */
  handedOut(): Promise<{ id: string; url: string }>
  /** The page around with our element, which loads our script. */
  component(url: string): string
  /** The page around with a frame of its own. */
  plain(url: string): string
  /** What our verification says of the sealed file. */
  verdictOf(id: string): Promise<string>
}

/** Call it once in a test file, after what makes the service. */
export function usePortal(place: Pick<SigningService, 't' | 'url'>): Portal {
  const sites = { listed: '', unlisted: '' }
  let shown = ''
  let close = () => Promise.resolve()
  let people = 0
  beforeAll(() => {
    const serve = () => Bun.serve({ port: 0, fetch: () => new Response(shown, { headers: { 'content-type': 'text/html' } }) })
    const [one, other] = [serve(), serve()]
    sites.listed = `http://localhost:${one.port}`
    sites.unlisted = `http://localhost:${other.port}`
    close = async () => {
      await Promise.all([one.stop(true), other.stop(true)])
    }
  })
  afterAll(() => close())
  beforeEach(async () => {
    if (!place.t) return
    await place.t.app.write(tx =>
      changeServiceSettings(tx, place.t.app, SYSTEM, { signingLinks: 'on', embedOrigins: sites.listed }),
    )
  })
  return {
    sites,
    show(html) {
      shown = html
    },
    async handedOut() {
      const recipients = [{ ...ADA, email: `ada${++people}@example.com`, deliverBy: 'link', fields: [{ ...SIGNATURE, page: 2 }] }]
      const body = await newDocument({ recipients, file: await samplePdf(3), title: 'Lease of the mill', send: true })
      const { id, recipients: made } = (await place.t.api('POST', '/documents', body)).body
      const { url } = (await place.t.api('POST', `/documents/${id}/recipients/${made[0].id}/signing-link`)).body
      return { id, url }
    },
    component: url =>
      around(
        `<script type="module" src="${place.url}/embed.js"></script><signet-signing src="${url}" label="Signing"></signet-signing>`,
      ),
    plain: url => around(`<iframe src="${url}" title="Signing" style="width:100%;height:40rem"></iframe>`),
    async verdictOf(id) {
      await place.t.drain()
      const { body: file } = await place.t.api('GET', `/documents/${id}/file?version=sealed`)
      const { body } = await place.t.api('POST', '/verify', { file: Buffer.from(file).toString('base64') })
      return body.verdict
    },
  }
}

/** What the page around hears: events of the element, and every message of the frame. */
const around = (inner: string) => `<!doctype html><html lang="en"><title>Portal</title>
  <style>body{margin:0 auto;max-width:70rem;padding:1rem;font-family:sans-serif}</style>
  <h1>Your lease</h1>${inner}<p>Questions? Call us.</p>
  <script>
    window.heard = []; window.messages = []
    for (const name of ['ready', 'signed', 'declined', 'closed']) addEventListener(name, () => heard.push(name))
    addEventListener('message', ({ origin, data }) => messages.push([origin, data.type]))
  </script>`

/** To be evaluated in the page around. */
export const heardIn = () => (window as unknown as { heard: string[] }).heard
export const messagesIn = () => (window as unknown as { messages: string[][] }).messages
