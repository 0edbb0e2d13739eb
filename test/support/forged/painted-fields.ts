/** Fields filled in otherwise than they show, and values that were there. ISO 32000-2 §12.7. */
import { button, CHOICE, filled, form, kids, lines, refused, switched, THINGS, value, widget } from './painted.ts'

export const FILLED_FORGERIES = refused('form filled in otherwise than it shows', [
  {
    name: 'value that equals the default value',
    make: filled({ before: '/V (EUR 1) /DV (EUR 1)', after: '/V (EUR 9) /DV (EUR 1)' }),
  },
  { name: 'value that equals the default value, without an appearance', make: filled({ before: '/V (EUR 1) /DV (EUR 1)' }) },
  { name: 'value drawn by lines before', make: filled({ shown: lines }) },
  { name: 'value drawn by lines afterwards', make: filled({ drawn: lines }) },
  { name: 'value drawn by curves before', make: filled({ shown: '5 5 m 20 20 30 20 40 5 c S' }) },
  { name: 'shading before', make: filled({ shown: '/S1 sh' }) },
  { name: 'pattern before', make: filled({ shown: '/Pattern cs /P1 scn 0 0 9 9 re f' }) },
  { name: 'inline image before', make: filled({ shown: 'q 9 0 0 9 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q' }) },
  { name: 'form inside the appearance before', make: filled({ shown: '/X2 Do' }) },
  {
    name: 'text of a Type 3 font before',
    make: filled({ shown: 'BT /F1 18 Tf 2 8 Td (1) Tj ET', objects: { 5: THINGS[59] ?? '' } }),
  },
  { name: 'appearance before that cannot be read', make: filled({ shown: 'BT (x' }) },
  { name: 'image afterwards', make: filled({ drawn: `${value('EUR 9')} 9 0 0 9 0 0 cm /X1 Do` }) },
  { name: 'shading afterwards', make: filled({ drawn: `${value('EUR 9')} /S1 sh` }) },
  { name: 'another text than the value', make: filled({ after: '/V (x)' }) },
  { name: 'more text than the value', make: filled({ drawn: `${value('EUR 9')} ${value('00')}` }) },
  { name: 'font that draws another digit', make: filled({ after: '/V (EUR 1)', drawn: 'BT /F2 18 Tf 2 8 Td (EUR 1) Tj ET' }) },
  { name: 'embedded font whose glyphs can be any', make: filled({ drawn: 'BT /F3 18 Tf 2 8 Td (EUR 9) Tj ET' }) },
  {
    name: 'text of a Type 3 font afterwards',
    make: filled({ after: '/V (1)', drawn: 'BT /F3 18 Tf 2 8 Td (1) Tj ET', objects: { 51: THINGS[59] ?? '' } }),
  },
  {
    name: 'digits in another order than drawn',
    make: filled({ after: '/V (19)', drawn: 'BT /F1 18 Tf 30 8 Td (1) Tj -20 0 Td (9) Tj ET' }),
  },
  { name: 'digits one over another', make: filled({ after: '/V (19)', drawn: 'BT /F1 18 Tf 2 8 Td (1) Tj 2 0 Td (9) Tj ET' }) },
  { name: 'digits pushed together', make: filled({ after: '/V (19)', drawn: 'BT /F1 18 Tf -20 Tc 20 8 Td (19) Tj ET' }) },
  {
    name: 'text that a rectangle covers',
    make: filled({ after: '/V (EUR 9 less)', drawn: `${value('EUR 9 less')} 1 g 60 0 90 30 re f` }),
  },
  {
    name: 'text of two colours',
    make: filled({ after: '/V (EUR 99)', drawn: 'BT /F1 18 Tf 2 8 Td (EUR 9) Tj 1 g (9) Tj ET' }),
  },
  {
    name: 'text of two sizes',
    make: filled({ after: '/V (EUR 99)', drawn: 'BT /F1 18 Tf 2 8 Td (EUR 9) Tj /F1 1 Tf (9) Tj ET' }),
  },
  { name: 'invisible text', make: filled({ after: '/V (EUR 99)', drawn: 'BT /F1 18 Tf 2 8 Td (EUR 9) Tj 3 Tr (9) Tj ET' }) },
  { name: 'transparent text', make: filled({ drawn: `/G1 gs ${value('EUR 9')}` }) },
  {
    name: 'text outside the field',
    make: filled({ after: '/V (19)', drawn: 'BT /F1 18 Tf -14 8 Td (1) Tj 20 0 Td (9) Tj ET' }),
  },
  {
    name: 'text that a clipping path hides',
    make: filled({ after: '/V (EUR 99)', drawn: `0 0 53 30 re W n ${value('EUR 99')}` }),
  },
  {
    name: 'text that a clipping path of two parts hides',
    make: filled({ after: '/V (EUR 99)', drawn: `0 0 53 30 re 190 0 9 30 re W n ${value('EUR 99')}` }),
  },
  { name: 'text on a layer', make: filled({ drawn: `/OC /L1 BDC ${value('EUR 9')} EMC` }) },
  { name: 'mirrored text', make: filled({ drawn: `-1 0 0 1 100 0 cm ${value('EUR 9')}` }) },
  {
    name: 'text in two directions',
    make: filled({ after: '/V (EUR 99)', drawn: `${value('EUR 9')} BT /F1 18 Tf 0 1 -1 0 90 2 Tm (9) Tj ET` }),
  },
  {
    name: "widget's own value before",
    make: filled({
      objects: kids('', '/V (EUR 1) /AP << /N 31 0 R >>', ''),
      changes: { 30: '<< /FT /Tx /T (Sum) /Kids [36 0 R 37 0 R] /V (EUR 9) >>' },
    }),
  },
  {
    name: 'value of the field above before',
    make: filled({
      objects: {
        30: '<< /FT /Tx /T (All) /Kids [38 0 R] /V (EUR 1) >>',
        38: '<< /Type /Annot /Subtype /Widget /T (Sum) /Parent 30 0 R /Rect [300 300 500 330] /F 4 >>',
      },
      changes: {
        30: '<< /FT /Tx /T (All) /Kids [38 0 R] /V (EUR 1) >>',
        38: '<< /Type /Annot /Subtype /Widget /T (Sum) /Parent 30 0 R /Rect [300 300 500 330] /F 4 /V (EUR 9) /AP << /N 32 0 R >> >>',
      },
    }),
  },
  {
    name: 'field of the same name that has a value',
    make: filled({
      objects: { 7: '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Sum) /V (EUR 1) /Rect [50 600 250 620] /F 4 >>' },
    }),
  },
  { name: 'formatted text that is not the value', make: filled({ after: '/V (EUR 9) /RV (<body>EUR 900</body>)' }) },
  {
    name: 'another appearance under the mouse',
    make: filled({
      after: '/V (EUR 9)',
      changes: {
        30: widget({}, '/V (EUR 9)', undefined).replace('>>', '/AP << /N 32 0 R /R 33 0 R >> >>'),
        33: form(value('EUR 900')),
      },
    }),
  },
  { name: 'moved field', make: filled({ changes: { 30: widget({ rect: '300 400 500 430' }, '/V (EUR 9)', 32) } }) },
  {
    name: 'hidden field that is filled in and shown',
    make: filled({ objects: { 30: widget({}, '', undefined).replace('/F 4', '/F 6') } }),
  },
  { name: 'script that recalculates', make: filled({ after: '/V (EUR 9) /AA << /C << /S /JavaScript /JS (1) >> >>' }) },
  { name: 'choice that shows another option', make: filled({ type: CHOICE, after: '/V (1)', drawn: value('two') }) },
  {
    name: 'choice with the index of another option',
    make: filled({ type: CHOICE, after: '/V (1) /I [1]', drawn: value('one') }),
  },
  { name: 'choice that is no option', make: filled({ type: CHOICE, after: '/V (9)', drawn: value('9') }) },
  { name: 'password in clear', make: filled({ type: '/FT /Tx /Ff 8192', after: '/V (x)' }) },
  { name: 'button whose state is a text', make: switched(button(value('EUR 9'), '')) },
  { name: 'button whose state is an image', make: switched(button('20 0 0 20 0 0 cm /X1 Do', '')) },
  { name: 'large button whose state is drawn', make: switched(button(lines, '', '300 300 500 330')) },
  { name: 'button that shows a text before', make: switched(button('BT /ZaDb 18 Tf 2 2 Td (4) Tj ET', value('EUR 1'))) },
  {
    name: 'button with another state than its value',
    make: switched(button('BT /ZaDb 18 Tf 2 2 Td (4) Tj ET', ''), '/V /Other /AS /On'),
  },
  { name: 'button whose state is drawn anew', make: switched(button('', ''), undefined, { 33: form(lines, '0 0 20 20') }) },
])
