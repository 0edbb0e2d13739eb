/** The schemas of a field, in requests and responses: its words, and what is not plain. */
import Type from 'typebox'
import type { FieldEdit as FieldEditValue } from '../../../core/draft/edit-fields.ts'
import {
  FIELD_MEMBERS,
  FIELD_TYPES,
  MAX_FIELD_NAME,
  MAX_OPTION_LENGTH,
  MAX_OPTIONS,
  MAX_VALUE_LENGTH,
  MEDIA_TYPES,
} from '../../../core/field/field.ts'
import type { NewField as NewFieldValue } from '../../../core/field/new-field.ts'
import {
  ClientId,
  component,
  createMembers,
  described,
  editMembers,
  Id,
  oneOf,
  openEnum,
  optional,
  orNull,
  responseMembers,
  Sha256,
  strict,
  text,
  type Words,
} from './schema-parts.ts'

const percent = (what: string) => `${what}, in percent of the page as displayed.`

const GIVEN = {
  name: 'For conditions and data. Unique in the document, without regard to case.',
  page: '1 is the first page.',
  x: percent('Distance of the left edge from the left'),
  y: percent('Distance of the top edge from the top'),
  width: percent('Width'),
  height: percent('Height'),
  required: 'Default `true`; for a checkbox `false`.',
  value: 'Prefilled value; for a checkbox `true` or `false`.',
  readOnly: 'The recipient sees the value and cannot change it.',
  maxLength: 'Longest value, in characters.',
  min: 'Least value of a number.',
  max: 'Greatest value of a number.',
  accept: 'Of an attachment; default all.',
  maxBytes: 'Of an attachment.',
  fontSize: 'Size of the printed text, in points. Default: about 11, on small pages and for long texts less.',
  dateFormat: 'How a date is printed. Default: as in the language of the document. `value` is always ISO 8601.',
  align: 'Where the printed text is in its box. Default: where its script begins.',
  rule: 'Only for a signature or initials: draws a thin line under it, where the page has none. Default `false`.',
} satisfies Words<typeof FIELD_MEMBERS>

const created = createMembers(FIELD_MEMBERS, GIVEN)
const edited = editMembers(FIELD_MEMBERS, GIVEN)

const area = {
  page: Type.Integer({ minimum: 1, description: GIVEN.page }),
  x: Type.Number({ description: GIVEN.x }),
  y: Type.Number({ description: GIVEN.y }),
  width: Type.Number({ description: GIVEN.width }),
  height: Type.Number({ description: GIVEN.height }),
}

const Condition = strict(
  {
    field: text(MAX_FIELD_NAME, '`name` of a checkbox, dropdown, radio, text or number.'),
    is: Type.String({ maxLength: MAX_VALUE_LENGTH, description: 'Its value; of a checkbox `true` or `false`.' }),
  },
  {
    title: 'NewCondition',
    description: 'The field is asked and printed only while the named field has this value.',
  },
)

const option = text(MAX_OPTION_LENGTH)

const Options = (minItems: number, note: string) =>
  Type.Array(Type.Union([option, strict({ value: option, ...area }, { title: 'NewRadioOption' })]), {
    minItems,
    maxItems: MAX_OPTIONS,
    description: `The choices: texts for a dropdown; for a radio field objects, each with its box.${note}`,
  })

const type = oneOf(FIELD_TYPES, '`date` is the date of signing, filled in by the service.')

export const NewField = Type.Unsafe<NewFieldValue>(
  strict(
    { type, ...created, showIf: optional(Condition), options: optional(Options(1, ' A radio field has no box of its own.')) },
    { title: 'NewField' },
  ),
)

/** Checked against the tags of the PDF: nobody can paint over other text. */
const Covers = Type.Array(strict(area, { title: 'NewTagArea' }), {
  maxItems: 10,
  description: 'The text of the tag in the PDF that the field was made from, painted white. From a proposal.',
})

export const FieldEdit = Type.Unsafe<FieldEditValue>(
  strict(
    {
      id: optional(ClientId('fld', 'field')),
      recipientId: optional(
        Type.String({
          description: 'The recipient the field belongs to or is moved to, or `sender`. Required for a new field.',
        }),
      ),
      remove: optional(Type.Literal(true, { description: 'Removes the field; of other members only `id` is given.' })),
      type: optional(type),
      ...edited,
      // It always has a list, and an empty one takes all.
      accept: optional(orNull(created.accept)),
      showIf: optional(orNull(Condition)),
      options: optional(Options(0, ' May be empty until the draft is sent.')),
      covers: optional(Covers),
    },
    { title: 'FieldEdit' },
  ),
)

const onlyForNumber = 'Only for a number.'
const onlyForAttachment = 'Only for an attachment.'

const answered = responseMembers(FIELD_MEMBERS, {
  name: 'Of the field in conditions and data.',
  page: GIVEN.page,
  value: 'What the recipient entered, once signed; before that the prefilled value.',
  min: onlyForNumber,
  max: onlyForNumber,
  accept: onlyForAttachment,
  fontSize: 'In points; `null`: chosen by the service.',
  dateFormat: '`null`: as in the language of the document.',
  align: '`null`: where the script of the text begins.',
})

const { page, x, y, width, height } = answered
const shownArea = { page, x, y, width, height }

const FieldFile = component(
  'FieldFile',
  {
    fileName: Type.String(),
    mediaType: openEnum(MEDIA_TYPES),
    bytes: Type.Integer(),
    sha256: Sha256('the file'),
  },
  'What the recipient added to an `image` or `attachment` field, once signed.',
)

export const Field = component('Field', {
  id: Id('fld'),
  type: openEnum(FIELD_TYPES),
  ...answered,
  showIf: orNull(component('Condition', { field: described('Name of the controlling field.'), is: Type.String() })),
  options: optional(
    Type.Array(Type.Union([Type.String(), component('RadioOption', { value: Type.String(), ...shownArea })]), {
      description: 'Texts for a dropdown; for a radio field objects, each with its box.',
    }),
  ),
  min: optional(answered.min),
  max: optional(answered.max),
  accept: optional(answered.accept),
  maxBytes: optional(Type.Integer({ description: onlyForAttachment })),
  file: optional(orNull(FieldFile)),
  rule: optional(Type.Boolean({ description: 'Only for a signature or initials: a thin line is drawn under it.' })),
  covers: Type.Array(component('TagArea', shownArea), {
    description: 'The text of the tag in the PDF that the field was made from, painted white.',
  }),
})
