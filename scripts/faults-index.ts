/**
 * Prints what the service promises, where each promise is tried, and with which figure; last, what
 * nothing tries. Runs no trial.
 */
import { lineOf, REQUIREMENTS } from './faults-index/list.ts'
import type { Place } from './faults-index/requirement.ts'

const isTest = ({ file }: Place) => file.endsWith('.test.ts')

const nameOf = (place: Place) => (isTest(place) ? `${place.file} › ${place.text}` : `${place.file}:${lineOf(place)}`)

/** A test fails where the promise is broken; what a script printed was seen on one machine. */
const figureOf = (place: Place) => (isTest(place) ? 'kept' : (place.figure ?? 'it prints one'))

const tried = REQUIREMENTS.filter(requirement => requirement.tried.length > 0)
for (const { id, promise, tried: places } of tried) {
  console.log(`${id}  ${promise}`)
  for (const place of places) console.log(`    ${nameOf(place)} → ${figureOf(place)}`)
}

const partly = tried.filter(({ untried }) => untried !== undefined)
console.log(`\nTried in part (${partly.length}):`)
for (const { id, untried } of partly) console.log(`    ${id}  ${untried}`)

const never = REQUIREMENTS.filter(requirement => requirement.tried.length === 0)
console.log(`\nTried by nothing (${never.length} of ${REQUIREMENTS.length}):`)
for (const { id, untried } of never) console.log(`    ${id}  ${untried}`)
