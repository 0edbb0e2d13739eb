/** The files before manipulation: a verifier must accept them, or its refusals prove nothing. */
import { catalog, document, FREE, of, update } from './document.ts'

const CERTIFIED = { 1: catalog({ fields: [7, 14, FREE], more: '/Perms << /DocMDP 15 0 R >>' }) }

export const CONTROLS = of('not forged', [
  { name: 'approval', verdict: 'valid', make: kit => kit.sign() },
  { name: 'certification, P=1', verdict: 'valid', make: kit => kit.sign(undefined, { certifies: 1 }) },
  { name: 'certification, P=2', verdict: 'valid', make: kit => kit.sign(undefined, { certifies: 2 }) },
  { name: 'certification, P=3', verdict: 'valid', make: kit => kit.sign(undefined, { certifies: 3 }) },
  { name: 'second approval', verdict: 'valid', make: kit => kit.sign(kit.sign(), { field: FREE }) },
  {
    name: 'approval of a certified document',
    verdict: 'valid',
    make: kit => kit.sign(kit.sign(undefined, { certifies: 2 }), { field: FREE, changes: CERTIFIED }),
  },
  { name: 'document time-stamp behind it', verdict: 'valid', make: kit => kit.stamp(kit.sign()) },
  {
    name: 'update before the signature',
    verdict: 'valid',
    make: kit => kit.sign(update(document(), { 9: '<< /Title (Second) >>' })),
  },
])
