import * as t from 'io-ts'
import type { Descriptions } from '../description.js'
import { listOf } from '../list.js'
import { windowQuery } from '../query.js'
import { read, type Table } from '../route.js'

/** A row of the electoral roll (A 2.4). */
const EligibilityRow = t.type(
  {
    Gracz: t.string,
    PuScore: t.number,
    ActiveMonths: t.number,
    Total: t.number,
    Status: t.keyof({ UPRAWNIONY: null, NIEUPRAWNIONY: null }),
  },
  'EligibilityRow',
)
const Eligibility = listOf(EligibilityRow, 'Eligibility')

/** Elections (A 4.7). `pu.read.own` admits a caller to their own row. */
export const electionsRoutes = {
  'elections.eligibility.list': {
    ...read({
      path: '/elections/eligibility',
      summary: 'Who may vote: PU above the base and active months in the rolling window.',
      capability: 'pu.read',
      query: { ...windowQuery },
      answers: { 200: Eligibility },
      refusals: ['Forbidden'],
      source: 'A 4.7',
      example: { query: { limit: '5', offset: '0' } },
    }),
    own: true,
  },
} as const satisfies Table

export const electionsDescriptions: Descriptions = {
  EligibilityRow: {
    Gracz: 'Heading of the person.',
    PuScore: 'PU awarded in the window, less the monthly base of each character and month.',
    ActiveMonths: 'Number of months in which a character of the person was awarded PU.',
    Total: '`PuScore` plus `ActiveMonths`, compared with the threshold.',
    Status: 'Whether the person may vote.',
  },
}
