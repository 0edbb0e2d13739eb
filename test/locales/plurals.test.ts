/** Counts of one in the texts of the web app. */
import { expect, test } from 'bun:test'
import { appTextsOf } from '../../src/locales/app.ts'

test('one e-mail, one entry and one document are not several', () => {
  const [en, de] = [appTextsOf('en'), appTextsOf('de')]
  expect(en.health.mailServer('1')).toContain('1 e-mail failed')
  expect(en.health.mailServer('2')).toContain('2 e-mails failed')
  expect(de.health.mailServer('1')).toContain('ist 1 E-Mail fehlgeschlagen')
  expect(de.health.mailServer('2')).toContain('sind 2 E-Mails fehlgeschlagen')
  expect([en.audit.integrity.intact('1', 'today'), de.audit.integrity.intact('1', 'heute')]).toEqual([
    'Intact: 1 entry was checked on today.',
    'Unverändert: 1 Eintrag wurde geprüft, heute.',
  ])
  expect(en.batchMail.failed('Leases', 1, 1)).not.toContain('1 documents')
  expect(de.batchMail.failed('Mieten', 1, 1)).not.toContain('1 Dokumenten')
})
