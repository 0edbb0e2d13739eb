/** The files before manipulation: a verifier must accept them, or its refusals prove nothing. */
import { accepted, catalog, document, FREE, update } from './document.ts'

const CERTIFIED = { 1: catalog({ fields: [7, 14, FREE], more: '/Perms << /DocMDP 15 0 R >>' }) }

export const CONTROLS = accepted('not forged', {
  approval: kit => kit.sign(),
  'certification, P=1': kit => kit.sign(undefined, { certifies: 1 }),
  'certification, P=2': kit => kit.sign(undefined, { certifies: 2 }),
  'certification, P=3': kit => kit.sign(undefined, { certifies: 3 }),
  'second approval': kit => kit.sign(kit.sign(), { field: FREE }),
  'approval of a certified document': kit => kit.sign(kit.sign(undefined, { certifies: 2 }), { field: FREE, changes: CERTIFIED }),
  'document time-stamp behind it': kit => kit.stamp(kit.sign()),
  'update before the signature': kit => kit.sign(update(document(), { 9: '<< /Title (Second) >>' })),
})
