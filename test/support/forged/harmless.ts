/**
 * Changes that no signature can cover or that no reader shows, so that a file of another product stays valid with them. In a seal of our own form each of them
 * is refused (test/seal/verify-tamper.test.ts).
 */
import { catalog, of, swap, update, XMP } from './document.ts'

const UNSIGNED = 'It stands where no signature can reach, and no reader shows it.'

export const HARMLESS = of('harmless change', [
  {
    name: 'digits behind the CMS',
    verdict: 'valid',
    note: UNSIGNED,
    make: kit => swap(kit.sign(), /0{40}>/, `${'41'.repeat(20)}>`),
  },
  {
    name: 'entry of the security store that nobody knows',
    verdict: 'valid',
    make: kit => update(kit.sign(), { 1: catalog({ more: '/DSS 30 0 R' }), 30: '<< /Type /DSS /Certs [] /Unknown (x) >>' }),
  },
  {
    name: 'XMP with another title',
    verdict: 'valid',
    note: 'The report names the change. No page shows it, and products write it anew with every update.',
    make: kit => update(kit.sign(), { 8: XMP('Receipt') }),
  },
])
