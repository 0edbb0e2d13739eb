/** Signature lines of contracts in nine languages, printed by Chromium and rewritten by cairo. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { Proposal } from '../../../src/core/draft/proposal.ts'
import { findFields } from '../../../src/pdf/detect/find-fields.ts'
import { NO_BROWSER, openBrowser } from '../../support/browser.ts'
import { CONTRACTS } from '../../support/contracts/contracts.ts'
import { LAYOUTS } from '../../support/contracts/layouts.ts'
import { type ExpectedBlank, type PrintedContract, printContract } from '../../support/contracts/print.ts'
import { useFolder } from '../../support/folders.ts'

const PDFTOCAIRO = '/usr/bin/pdftocairo'
const [WIDTH, HEIGHT] = [595.28, 841.89]

let browser: Browser
const folder = useFolder()
beforeAll(async () => {
  if (!NO_BROWSER) browser = await openBrowser()
})
afterAll(() => browser?.close())

/** Tolerances in points: a field ends within its blank, on the line of its text. */
function isAt({ x, y, width, height }: Proposal, { left, right, bottom }: ExpectedBlank): boolean {
  const [start, end, base] = [(x / 100) * WIDTH, ((x + width) / 100) * WIDTH, ((y + height) / 100) * HEIGHT]
  return start >= left - 5 && end <= right + 5 && Math.abs(base - bottom) < 10
}

function compare(proposals: readonly Proposal[], blanks: readonly ExpectedBlank[]) {
  const left = new Set(proposals)
  const missed: string[] = []
  for (const blank of blanks) {
    for (const type of blank.types) {
      const found = [...left].find(proposal => proposal.type === type && isAt(proposal, blank))
      if (found) left.delete(found)
      else missed.push(`${type} at ${Math.round(blank.left)}, ${Math.round(blank.bottom)}`)
    }
  }
  return { missed, additional: [...left].map(({ type, label }) => `${type}: ${label}`) }
}

const NOTHING = { missed: [], additional: [] }

describe.skipIf(NO_BROWSER)('contracts and forms', () => {
  for (const contract of [...CONTRACTS, ...LAYOUTS]) {
    test(`${contract.name}: every blank for a signer is found, and nothing else`, async () => {
      const printed = await printContract(browser, contract)
      const path = save(printed)
      const { proposals, searchedPages } = await findFields({ path })
      expect(compare(proposals, printed.blanks)).toEqual(NOTHING)
      expect(searchedPages).toBe(1)
      if (!existsSync(PDFTOCAIRO)) return
      const rewritten = `${path}.cairo.pdf`
      execFileSync(PDFTOCAIRO, ['-pdf', path, rewritten])
      expect(compare((await findFields({ path: rewritten })).proposals, printed.blanks)).toEqual(NOTHING)
    })
  }

  test('a label is as people type it, without its colon', async () => {
    const contract = CONTRACTS.find(({ name }) => name === 'ar-lease')!
    const { proposals } = await findFields({ path: save(await printContract(browser, contract)) })
    expect(proposals.map(({ label }) => label)).toContain('توقيع المؤجر')
  })

  test('two signers are numbered from left to right, and their dates belong to them', async () => {
    const contract = CONTRACTS.find(({ name }) => name === 'en-lease')!
    const { proposals } = await findFields({ path: save(await printContract(browser, contract)) })
    const parties = proposals
      .filter(({ type }) => type !== 'initials')
      .map(({ type, party, partyName }) => [type, party, partyName])
    expect(parties).toEqual([
      ['signature', 1, 'Landlord'],
      ['date', 1, 'Landlord'],
      ['signature', 2, 'Tenant'],
      ['date', 2, 'Tenant'],
    ])
  })
})

function save({ name, pdf }: PrintedContract): string {
  const path = join(folder, `${name}.pdf`)
  writeFileSync(path, pdf)
  return path
}
