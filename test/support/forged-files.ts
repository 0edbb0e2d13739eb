/** Manipulated files: published attacks on PDF signatures, other abuse. None may be valid. */
import { BESIDE_FORGERIES, COMMENTS_BESIDE } from './forged/beside.ts'
import { BORROWED_FORGERIES } from './forged/borrowed.ts'
import { EVIL_ANNOTATION, PERMISSIONS, SNEAKY_SIGNATURE } from './forged/certification.ts'
import { CMS, STAMPS, TRUST } from './forged/cms.ts'
import { CONTROLS } from './forged/controls.ts'
import { DISGUISED, FILLED, SHOWN_FIELDS } from './forged/disguised.ts'
import type { Forgery } from './forged/document.ts'
import { HARMLESS } from './forged/harmless.ts'
import { INCREMENTAL } from './forged/incremental.ts'
import { COVERING_FORGERIES, PERMITTED_CHANGES } from './forged/painted-additions.ts'
import { FILLED_FORGERIES } from './forged/painted-fields.ts'
import { DOUBLED, READINGS } from './forged/readings.ts'
import { ADDED, SHADOW } from './forged/shadow.ts'
import { UNIVERSAL } from './forged/universal.ts'
import {
  COMMENT_FORGERIES,
  FIELD_FORGERIES,
  LISTED_CHANGES,
  LOCK_FORGERIES,
  PROPERTY_FORGERIES,
  READ_ALOUD_FORGERIES,
  SILENT_CHANGES,
} from './forged/unseen.ts'
import { WRAPPING } from './forged/wrapping.ts'
import { RUN_FORGERIES, WRITING_LINES } from './forged/writing-lines.ts'

export const FORGERIES: readonly Forgery[] = [
  ...UNIVERSAL,
  ...INCREMENTAL,
  ...WRAPPING,
  ...SHADOW,
  ...DISGUISED,
  ...SHOWN_FIELDS,
  ...ADDED,
  ...EVIL_ANNOTATION,
  ...SNEAKY_SIGNATURE,
  ...PERMISSIONS,
  ...CMS,
  ...TRUST,
  ...STAMPS,
  ...READINGS,
  ...DOUBLED,
  ...FILLED_FORGERIES,
  ...COVERING_FORGERIES,
  ...FIELD_FORGERIES,
  ...COMMENT_FORGERIES,
  ...READ_ALOUD_FORGERIES,
  ...PROPERTY_FORGERIES,
  ...LOCK_FORGERIES,
  ...RUN_FORGERIES,
  ...BESIDE_FORGERIES,
  ...BORROWED_FORGERIES,
]

/** Changed files that stay valid, or valid and changed, with the reason. */
export const TOLERATED: readonly Forgery[] = [
  ...HARMLESS,
  ...FILLED,
  ...PERMITTED_CHANGES,
  ...LISTED_CHANGES,
  ...SILENT_CHANGES,
  ...WRITING_LINES,
  ...COMMENTS_BESIDE,
]

/** The files before they are manipulated. */
export const UNFORGED: readonly Forgery[] = CONTROLS
