/** What is stored in English, in German. */
import { storedTextIn } from '../../stored-text.ts'
import { diagnoses } from '../diagnoses.ts'
import { messages } from '../messages.ts'
import { reasons } from '../reasons.ts'
import { remarks } from '../remarks.ts'
import { violations } from '../violations.ts'

export const storedText = storedTextIn({
  ...{ violations, diagnoses, remarks, reasons, messages },
  more: count => `(und ${count} weitere)`,
})
