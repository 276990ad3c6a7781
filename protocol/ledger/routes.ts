import { DayText, NameText } from '#protocol/query.js'
import { read, type Table } from '#protocol/route.js'
import { GovernanceLog, Held, Pin, RefState, Refs } from './answers.js'

/** The governance ledger, which is public (B 4.9). Literal rows must come before `{ref}`. */
export const ledgerRoutes = {
  'governance.refs.list': read({
    path: '/governance/refs',
    summary: 'Every ref of the governance ledger, with the findings of its files.',
    capability: null,
    query: {},
    answers: { 200: Refs },
    refusals: [],
    source: 'B 4.9',
    example: {},
  }),
  'governance.pin.get': read({
    path: '/governance/pin',
    summary: 'The whole state of the ledger on one day, derived at read time.',
    capability: null,
    query: { at: DayText },
    answers: { 200: Pin },
    refusals: [],
    source: 'B 4.9',
    example: { query: { at: '2024-02-01' } },
  }),
  'governance.get': read({
    path: '/governance/{ref}',
    summary: 'The state of one ref on one day, by replay.',
    capability: null,
    query: { at: DayText },
    answers: { 200: RefState },
    refusals: ['RefNotFound'],
    source: 'B 4.9',
    example: { path: { ref: 'namiestnik' }, query: { at: '2024-02-01' } },
  }),
  'governance.log.list': read({
    path: '/governance/{ref}/log',
    summary: 'The transitions of one ref, oldest first.',
    capability: null,
    query: { since: DayText, until: DayText },
    answers: { 200: GovernanceLog },
    refusals: ['RefNotFound'],
    source: 'B 4.9',
    example: { path: { ref: 'namiestnik' }, query: { since: '2024-01-01', until: '2024-12-31' } },
  }),
  'governance.held.get': read({
    path: '/governance/{ref}/held',
    summary: 'Whether one subject holds a ref on one day.',
    capability: null,
    query: { subject: NameText, at: DayText },
    answers: { 200: Held },
    refusals: ['RefNotFound', 'ParameterInvalid'],
    source: 'B 4.9',
    example: {
      path: { ref: 'namiestnik' },
      query: { subject: 'Żaneta', at: '2024-06-01' },
      needs: ['subject'],
    },
  }),
} as const satisfies Table
