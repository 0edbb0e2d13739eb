/** In Chromium, a page that updates itself: what changes, what stays, when it is connected. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type EventSource, EventStreams } from '../../../src/lib/event-streams.ts'
import { THIS_MACHINE } from '../../../src/lib/this-machine.ts'
import { NO_BROWSER, openBrowser, openWindow, type Watch } from '../../support/browser.ts'
import { until } from '../../support/executable.ts'

declare global {
  interface Window {
    added: string[]
  }
}

/** Serves a page whose parts a test changes, and its stream. */
class LiveServer {
  parts = ''
  title = 'A page'
  status = 200
  /** Where the page redirects to, as one does without a session. */
  location: string | undefined
  /** The page is answered as it was asked for, but not before this. */
  held: Promise<void> = Promise.resolve()
  streamStatus = 200
  /** Addresses asked for, oldest first, with a mark at those that no person made. */
  asked: string[] = []
  position = 1
  readonly #streams = new EventStreams(THIS_MACHINE.timers, { delayMs: 1, maxPerOwner: 2 })
  readonly #wakes = new Set<() => void>()
  readonly #server: ReturnType<typeof Bun.serve>

  constructor(script: string) {
    this.#server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      idleTimeout: 60,
      fetch: async request => {
        const { pathname, search, searchParams } = new URL(request.url)
        this.asked.push(`${pathname}${search}${request.headers.has('x-background-request') ? ' in the background' : ''}`)
        if (pathname === '/live.js') return new Response(script, { headers: { 'content-type': 'text/javascript' } })
        if (pathname === '/live') return this.#stream(Number(searchParams.get('after')))
        const page = this.#page()
        await this.held
        return page
      },
    })
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`
  }

  get open(): number {
    return this.#streams.size
  }

  change(parts: string): void {
    this.parts = parts
    this.position++
    for (const wake of this.#wakes) wake()
  }

  endStreams(): Promise<void> {
    for (const wake of [...this.#wakes]) {
      this.#wakes.delete(wake)
      wake()
    }
    return until('the streams to end', async () => this.open === 0 || undefined).then(() => {})
  }

  async close(): Promise<void> {
    this.#streams.close()
    await this.#server.stop(true)
  }

  #stream(after: number): Response {
    if (this.streamStatus !== 200) return new Response('', { status: this.streamStatus })
    let sent = after
    const source = (wake: () => void): EventSource => {
      this.#wakes.add(wake)
      return {
        take: async () => {
          if (!this.#wakes.has(wake)) return undefined
          if (sent === this.position) return []
          sent = this.position
          return [`id: ${sent}\nevent: changed\ndata: {}\n\n`]
        },
        ended: () => void this.#wakes.delete(wake),
      }
    }
    return new Response(this.#streams.open('one', source), { headers: { 'content-type': 'text/event-stream' } })
  }

  #page(): Response {
    if (this.location !== undefined) return new Response(null, { status: 302, headers: { location: this.location } })
    const policy = "default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'; img-src data:; connect-src 'self'"
    const head = `<title>${this.title}</title><link rel="icon" href="data:,">`
    const body = `<main data-live="/live" data-live-after="${this.position}" data-live-note="This page was updated.">${this.parts}</main>`
    const script = '<script type="module" nonce="n" src="/live.js"></script>'
    const html = `<!DOCTYPE html><html lang="en"><head>${head}</head><body>${body}${script}</body></html>`
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
    return new Response(html, { status: this.status, headers })
  }
}

describe.skipIf(NO_BROWSER)('a page that updates itself', () => {
  let browser: Browser
  let script: string
  let server: LiveServer
  let context: BrowserContext
  let page: Page
  let watch: Watch

  beforeAll(async () => {
    browser = await openBrowser()
    const built = await Bun.build({ entrypoints: [join(import.meta.dir, '../../support/live-page.ts')], target: 'browser' })
    script = (await built.outputs[0]?.text()) ?? ''
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    server = new LiveServer(script)
    ;({ context, page, watch } = await openWindow(browser, server.url))
  })
  afterEach(async () => {
    await context.close()
    await server.close()
    expect(watch).toEqual({ foreign: [], complaints: [] })
  })

  async function open(parts: string): Promise<void> {
    server.parts = parts
    await page.goto('/')
    await connected()
  }

  const connected = () => until('a stream', async () => server.open > 0 || undefined)
  const part = (inner: string) => `<section id="people" data-live-part>${inner}</section>`
  const shows = (text: string) => page.getByText(text, { exact: true }).waitFor()
  const refetches = () => server.asked.filter(a => a === '/ in the background').length

  test('shows the change, announces it politely, and takes the new title', async () => {
    await open(part('<p>Ada has not signed.</p>'))
    server.title = 'Another title'
    server.change(part('<p>Ada has signed.</p>'))
    await shows('Ada has signed.')
    await page.getByRole('status').getByText('This page was updated.').waitFor({ state: 'attached' })
    expect(await page.title()).toBe('Another title')
    expect(refetches()).toBe(1)
  })

  test('keeps focus, typed text, choices, scroll positions and what a person opened', async () => {
    const rows = (count: number, of: string) =>
      Array.from({ length: count }, (_, i) => `<li id="r${i}">Row ${i} of ${of}</li>`).join('')
    const inner = (state: string) => `
      <p>${state}</p>
      <details id="more"><summary>More</summary><p>Detail: ${state}</p></details>
      <button type="button" popovertarget="menu">Menu</button><div id="menu" popover>Remind</div>
      <label>Reason <input name="reason" value="${state}"></label>
      <label>Note <textarea name="note">${state}</textarea></label>
      <label>Sort <select name="sort"><option>one</option><option>two</option></select></label>
      <label><input type="checkbox" name="all"> All</label>
      <ul id="list" tabindex="0">${rows(200, state)}</ul>`
    await open(part(inner('before')))
    await page.locator('summary').click()
    await page.getByLabel('Note').fill('What I think')
    await page.getByLabel('Sort').selectOption('two')
    await page.getByLabel('All').check()
    await page.evaluate(() => {
      const list = document.querySelector<HTMLElement>('#list')
      if (list) Object.assign(list.style, { height: '100px', overflow: 'auto' })
      list?.scrollTo(0, 400)
      document.querySelector<HTMLElement>('#menu')?.showPopover()
    })
    await page.getByLabel('Reason').fill('Typed so far')
    await page.getByLabel('Reason').evaluate(input => (input as HTMLInputElement).setSelectionRange(2, 5))
    server.change(part(inner('after')))
    await shows('Detail: after')
    expect(
      await page.evaluate(() => {
        const reason = document.querySelector<HTMLInputElement>('[name=reason]')
        return {
          focused: document.activeElement === reason,
          reason: [reason?.value, reason?.selectionStart, reason?.selectionEnd],
          note: document.querySelector<HTMLTextAreaElement>('[name=note]')?.value,
          sort: document.querySelector<HTMLSelectElement>('[name=sort]')?.value,
          all: document.querySelector<HTMLInputElement>('[name=all]')?.checked,
          isOpen: document.querySelector<HTMLDetailsElement>('#more')?.open,
          isMenuOpen: document.querySelector('#menu')?.matches(':popover-open'),
          scroll: document.querySelector('#list')?.scrollTop,
          last: document.querySelector('#r199')?.textContent,
        }
      }),
    ).toEqual({
      focused: true,
      reason: ['Typed so far', 2, 5],
      note: 'What I think',
      sort: 'two',
      all: true,
      isOpen: true,
      isMenuOpen: true,
      scroll: 400,
      last: 'Row 199 of after',
    })
  })

  test('adds, removes and reorders rows without touching the others, and hands new ones to other scripts', async () => {
    const row = (id: string) => `<li id="${id}"><button type="button">Open ${id}</button></li>`
    await open(part(`<ul>${['a', 'b', 'c'].map(row).join('')}</ul>`))
    await page.getByRole('button', { name: 'Open b' }).focus()
    await page.evaluate(() => document.querySelector('#c')?.setAttribute('data-live-keep', ''))
    await page.evaluate(() => document.querySelector('#c button')?.append(' (mine)'))
    server.change(part(`<ul>${['new', 'c', 'b'].map(row).join('')}</ul>`))
    await shows('Open new')
    expect(await page.locator('li').allTextContents()).toEqual(['Open new', 'Open c (mine)', 'Open b'])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Open b')
    expect(await page.evaluate(() => window.added)).toEqual(['new'])
  })

  test('a menu that is added works as one that was there from the beginning', async () => {
    await open(part('<p>Sent</p>'))
    const menu = '<div id="m" popover><a href="#1">Download</a><a href="#2">Void</a></div>'
    server.change(part(`<p>Sent</p><button type="button" data-menu popovertarget="m">More</button>${menu}`))
    await page.getByRole('button', { name: 'More' }).click()
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await until('the first item', async () => (await focused()) === 'Download' || undefined)
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Void')
  })

  test('continues at the part when the focused control is gone, and empties a part that is gone', async () => {
    await open(`${part('<button type="button">Remind</button>')}<section id="trouble" data-live-part><p>Trouble</p></section>`)
    await page.getByRole('button', { name: 'Remind' }).focus()
    server.change(part('<p>Everybody has signed.</p>'))
    await shows('Everybody has signed.')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('people')
    expect(await page.locator('#trouble').textContent()).toBe('')
    server.change(`${part('<p>Done.</p>')}<section id="trouble" data-live-part><p>Again</p></section>`)
    await shows('Again')
  })

  test('text of strangers stays text', async () => {
    await open(part('<p>before</p>'))
    server.change(part(`<p>&lt;img src=x onerror=alert(1)&gt;</p><script>document.title='x'</script><p>after</p>`))
    await shows('after')
    await shows('<img src=x onerror=alert(1)>')
    expect(await page.title()).toBe('A page')
    // The policy refuses the script and reports it.
    watch.complaints.length = 0
  })

  test('catches up with what it missed: before it was connected, while it was hidden, and when the connection was lost', async () => {
    await open(part('<p>one</p>'))
    await hide(true)
    await until('no stream', async () => server.open === 0 || undefined)
    server.change(part('<p>two</p>'))
    await hide(false)
    await shows('two')
    expect(server.asked).toContain('/live?after=1')
    await server.endStreams()
    server.change(part('<p>three</p>'))
    await shows('three')
  })

  /** As a browser does when the tab is left. */
  async function hide(isHidden: boolean): Promise<void> {
    await page.evaluate(hidden => {
      Object.defineProperty(document, 'visibilityState', { value: hidden ? 'hidden' : 'visible', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  }

  test('gives its stream up for a newer page, and takes it back when it is used again', async () => {
    await open(part('<p>one</p>'))
    const others = [await context.newPage(), await context.newPage()]
    for (const other of others) await other.goto('/')
    await until('the third stream', async () => server.asked.filter(a => a.startsWith('/live?')).length === 3 || undefined)
    server.change(part('<p>two</p>'))
    await others[1]?.getByText('two').waitFor()
    expect(await page.locator('#people').textContent()).toBe('one')
    expect(server.asked.filter(a => a.startsWith('/live?'))).toHaveLength(3)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await shows('two')
  })

  test('stays as it is when the session has ended: neither follows the redirect nor reports an error', async () => {
    await open(part('<p>one</p>'))
    server.location = '/sign-in'
    server.change(part('<p>two</p>'))
    await until('the request', async () => refetches() === 1 || undefined)
    server.location = undefined
    server.change(part('<p>three</p>'))
    await shows('three')
    expect(server.asked.filter(a => a.startsWith('/sign-in'))).toEqual([])
  })

  test('shows what changed while its last request was under way, and that one failed', async () => {
    const debug = await context.newCDPSession(page)
    await debug.send('Network.enable')
    let messages = 0
    debug.on('Network.eventSourceMessageReceived', () => messages++)
    await open(part('<p>one</p>'))
    let answer = () => {}
    server.held = new Promise(resolve => {
      answer = resolve
    })
    server.location = '/sign-in'
    server.change(part('<p>two</p>'))
    await until('the request', async () => refetches() === 1 || undefined)
    server.location = undefined
    server.change(part('<p>three</p>'))
    await until('the second message', async () => messages === 2 || undefined)
    answer()
    await shows('three')
  })

  test('stays as it is when the page or the stream is refused, and without EventSource', async () => {
    await open(part('<p>one</p>'))
    server.status = 404
    server.change(part('<p>two</p>'))
    await until('the request', async () => refetches() === 1 || undefined)
    expect(await page.locator('#people').textContent()).toBe('one')
    server.status = 200
    server.streamStatus = 503
    await page.reload()
    await shows('two')
    await page.addInitScript(() => Reflect.deleteProperty(window, 'EventSource'))
    await page.reload()
    await shows('two')
    expect(await page.getByRole('status').count()).toBe(0)
    watch.complaints.length = 0
  })
})
