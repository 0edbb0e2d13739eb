/** The script of the pages on which documents and templates are made, beside that of all pages. */
import { upgradeListDrop } from './list-drop.ts'
import { upgradePeople, upgradeTitle } from './people.ts'
import { upgradeReview } from './review.ts'
import { upgradeUpload } from './upload.ts'

upgradeUpload(document)
upgradeListDrop()
upgradePeople(document)
upgradeTitle(document)
upgradeReview(document)
