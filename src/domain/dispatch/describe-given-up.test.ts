import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { describeGivenUp } from './descriptions.js'
import type { FollowUpFailure } from './judge-follow-up.js'

const describeEnd = (why: FollowUpFailure, tries: number, status: number | null = null) => {
  const { attempts, end } = describeGivenUp(
    { id: '7', tries, acceptedMs: 5 },
    { _tag: 'Final', why, status, code: status === null ? null : 10 },
  )
  return [end._tag, attempts, end._tag === 'Refused' ? end.code : null]
}

describe('an answer that is given up', () => {
  it('is unknown when it expired after a try, and refused otherwise', () => {
    deepEqual(
      [
        describeEnd('expired', 3),
        describeEnd('expired', 0),
        describeEnd('token_unreadable', 0),
        describeEnd('token_dead', 0, 401),
        describeEnd('not_found', 4, 404),
      ],
      [
        ['Unknown', 3, null],
        ['Refused', 0, null],
        ['Refused', 0, null],
        ['Refused', 1, 10],
        ['Refused', 5, 10],
      ],
    )
  })
})
