/** What the audit certificate says of how a recipient was identified. */
import { describe, expect, test } from 'bun:test'
import type { EventType } from '../../src/core/document/event.ts'
import { LANGUAGES } from '../../src/core/language.ts'
import { type Act, identificationsOf } from '../../src/evidence/identification.ts'
import { catalogueOf } from '../../src/locales/index.ts'

describe('what the certificate says of the way a recipient was reached', () => {
  const act = (type: EventType, linkId?: string): Act => ({ type, data: linkId === undefined ? {} : { linkId } })

  test('is the link handed out, and an e-mail only if its link opened the document', () => {
    const handed = [act('recipient.link_opened', 'lnk_1'), act('document.viewed', 'lnk_1')]
    expect(identificationsOf(handed)).toEqual(['handed_out_link'])
    expect(identificationsOf([act('document.viewed')])).toEqual(['email_link'])
    expect(identificationsOf([act('document.viewed'), act('recipient.link_opened', 'lnk_1')])).toEqual([
      'email_link',
      'handed_out_link',
    ])
  })

  test('is an e-mail that was only written to the folder, by the mail of that link or code', () => {
    const [accepted, written] = [act('recipient.email_accepted'), act('recipient.email_written')]
    const [viewed, asked] = [act('document.viewed'), act('recipient.code_sent')]
    const writtenCode: Act = { type: 'recipient.email_written', data: { mail: 'one_time_code' } }
    const identified: Act = { type: 'recipient.identified', data: { method: 'email_code' } }
    const cases: [Act[], string[]][] = [
      [[written, viewed], ['written_link']],
      [[written, viewed, accepted], ['written_link']],
      [[written, accepted, viewed], ['email_link']],
      [
        [accepted, asked, writtenCode, identified, viewed],
        ['email_link', 'written_code'],
      ],
      [
        [written, asked, identified, viewed],
        ['written_link', 'email_code'],
      ],
      // A server was set between two codes. An outcome may be recorded after the act.
      [
        [written, asked, writtenCode, asked, identified, viewed],
        ['written_link', 'email_code'],
      ],
      [
        [asked, identified, writtenCode, viewed, written],
        ['written_link', 'written_code'],
      ],
    ]
    for (const [trail, expected] of cases) expect(identificationsOf(trail)).toEqual(expected as never)
  })

  test('is in the languages of signers', () => {
    for (const language of LANGUAGES) expect(catalogueOf(language).evidence.identified.handed_out_link.length).toBeGreaterThan(20)
  })
})
