/** The script of the pages on which documents and templates are made, beside that of all pages. */
import { upgradeListDrop } from './sending/list-drop.ts'
import { upgradePeople, upgradeTitle } from './sending/people.ts'
import { upgradeReview } from './sending/review.ts'
import { upgradeUpload } from './sending/upload.ts'

upgradeUpload(document)
upgradeListDrop()
upgradePeople(document)
upgradeTitle(document)
upgradeReview(document)
