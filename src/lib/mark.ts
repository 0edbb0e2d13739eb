/** The mark of Signet: wax with the impression of a ring and an S, as SVG paths of M, C and Z. */

/** The mark lies in a square of this side. */
export const MARK_SIDE = 32

/** Filled. */
export const MARK_WAX = [
  'M31.0 16.0C31.1 17.8 30.5 19.9 29.7 21.6C28.9 23.4 27.7 25.0 26.3 26.3',
  'C25.0 27.6 23.3 28.8 21.5 29.4C19.8 30.0 17.8 30.0 16.0 30.0C14.1 29.9 12.3 29.8 10.4 29.2',
  'C8.6 28.7 6.5 28.1 5.1 26.8C3.7 25.6 2.7 23.5 2.2 21.7C1.6 19.9 1.7 17.8 1.8 16.0',
  'C1.9 14.1 2.1 12.2 2.7 10.5C3.4 8.8 4.4 7.0 5.7 5.7C7.0 4.3 8.6 3.3 10.4 2.4',
  'C12.1 1.6 14.1 0.8 16.0 0.8C17.8 0.7 20.0 1.4 21.6 2.3C23.3 3.2 24.5 4.8 25.7 6.2',
  'C27.0 7.5 28.2 8.9 29.1 10.5C30.0 12.1 30.9 14.1 31.0 16.0Z',
].join('')

/** Stroked in white, with round ends. */
export const MARK_IMPRESSION = [
  {
    width: 1.7,
    path: 'M16 6.4C21.3 6.4 25.6 10.7 25.6 16C25.6 21.3 21.3 25.6 16 25.6C10.7 25.6 6.4 21.3 6.4 16C6.4 10.7 10.7 6.4 16 6.4Z',
  },
  {
    width: 2.2,
    path: 'M19.6 12.9C19 11.6 17.7 10.9 16 10.9C14 10.9 12.6 11.9 12.6 13.4C12.6 16.9 19.6 14.9 19.6 18.5C19.6 20.1 18.1 21.1 16 21.1C14.2 21.1 12.8 20.4 12.2 19',
  },
]

/** Red wax on paper and in light windows. */
export const MARK_COLOUR = '#a5192f'
/** In dark windows. */
export const MARK_COLOUR_DARK = '#d9455c'
