import { type MonthAward, type MonthBatch, monthBatch } from '#src/points/award.js'
import { baselineOf } from '#src/points/baseline.js'
import type { Batch } from '#src/points/batch.js'
import { placeAmong } from '#src/points/candidate.js'
import { sum } from '#src/points/decimal.js'
import { diagnosticsOf } from '#src/points/diagnostics.js'
import { eligibilityOf, grantsByMonth } from '#src/points/eligibility.js'
import { headerKey } from '#src/points/header-key.js'
import { noticeOf } from '#src/points/notice.js'
import { acceptance, fieldsAt, textAt, textsAt } from '#test/support/acceptance.js'
import type { Fields } from '#test/support/matching.js'
import {
  candidateOf,
  constants,
  fieldsOf,
  puSession,
  sessionOf,
  sessionsOfValues,
  shown,
} from '#test/support/pu-world.js'

const historyOf = (headers: ReadonlyArray<string>): ReadonlyArray<Batch> =>
  headers.length === 0
    ? []
    : [{ id: 'h', month: null, at: '2024-07-01', source: 'legacy', sessions: headers, awards: [] }]

const message = (award: MonthAward): string => noticeOf({ ...award, player: award.player ?? '' })

const resultOf = (award: MonthAward): Fields => ({
  characterName: award.character,
  playerName: award.player,
  basePU: shown(award.base),
  grantedPU: shown(award.granted),
  overflowPU: shown(award.overflow),
  usedExceeded: shown(award.used),
  remainingPUExceeded: shown(award.nadmiarAfter),
  newPUSum: shown(award.sumaAfter),
  newPUTaken: shown(award.zdobyteAfter),
  sessionCount: award.sessions.length,
  resolved: true,
  message: message(award),
})

const monthAt = (input: Fields): string =>
  typeof input['year'] === 'number'
    ? `${input['year']}-${String(input['month']).padStart(2, '0')}`
    : '2024-06'

const batchOf = (input: Fields): MonthBatch => {
  const candidates = fieldsOf(input['characters']).map(candidateOf)
  const sessions =
    'sessionPU' in input
      ? sessionsOfValues(candidates[0]?.name ?? '', input['sessionPU'])
      : fieldsOf(input['sessions']).map(sessionOf)
  const history = historyOf(textsAt(input, 'processed'))
  return monthBatch({ month: monthAt(input), candidates, sessions, history, constants })
}

const history = 'reads or writes the history file of the old layout: adoption turns it into PU batches'
const creates = 'creates a character: POST /characters is a later issue'
const roster = 'reads the player database of the old layout: adoption does'

acceptance('pu-award', {
  run: input => {
    const { awards } = batchOf(input)
    const [first] = awards
    return { results: awards.map(resultOf), message: first === undefined ? null : message(first) }
  },
  deviations: {
    'pu-award-009': {
      adr: 54,
      why: 'a batch takes no player filter: it would starve the others of their sessions',
      instead: { results: { $count: 2, $has: [{ characterName: 'Dracon', playerName: 'Crag Hack' }] } },
    },
    'pu-award-023': {
      adr: 54,
      why: 'names are grouped by the character they stand for, one base a month',
      instead: {
        results: { $count: 1, '[0]': { characterName: 'Xeron Demonlord', basePU: 2, newPUSum: 12 } },
      },
    },
    'pu-award-024': { adr: 54, why: 'copies that differ block the month (unit test beside award.ts)' },
  },
  pending: Object.fromEntries(
    ['028', '030', '031', '032', '034', '035', '036', '037', '038', '042', '044'].map(id => [
      `pu-award-${id}`,
      history,
    ]),
  ),
})

acceptance('pu-diagnostics', {
  run: input => {
    const read = fieldsOf(input['sessions'])
    const isFailed = (one: Fields): boolean => textAt(one, 'parseError') !== null
    const sessions = read.filter(one => !isFailed(one)).map(sessionOf)
    const found = diagnosticsOf({
      sessions,
      failed: read.filter(isFailed).map(one => ({
        header: textAt(one, 'header') ?? '',
        parseError: textAt(one, 'parseError') ?? '',
        body: textAt(one, 'content') ?? '',
      })),
      settled: textsAt(input, 'processed'),
      known: new Set(sessions.map(session => headerKey(session.header))),
      place: placeAmong(fieldsOf(input['characters']).map(candidateOf)),
    })
    return {
      ok: found.ok,
      unresolvedCharacters: found.unresolved,
      malformedPU: found.malformed.map(one => ({ characterName: one.character, issue: 'Null PU value' })),
      duplicateEntries: found.duplicates.map(one => ({ characterName: one.character, count: one.count })),
      failedSessionsWithPU: found.failed,
      staleHistoryEntries: found.stale,
      assignmentResults: batchOf(input).awards.map(resultOf),
    }
  },
})

const monthly = (months: Fields): ReadonlyArray<Batch> =>
  Object.keys(months).map(month => ({
    id: month,
    month: null,
    at: `${month}-28 12:00 (UTC+01:00)`,
    source: 'legacy',
    sessions: [`${month}-10, Sesja, N`],
    awards: [],
  }))

const elections = (input: Fields): Fields => {
  const months = fieldsAt(input, 'months') ?? {}
  const strangers = fieldsAt(input, 'sessionPU')
  const sessions = Object.keys(months).flatMap(month =>
    Object.entries(fieldsAt(months, month) ?? {}).flatMap(([name, values]) =>
      sessionsOfValues(name, values).map(session => ({ ...session, header: `${month}-10, Sesja, N` })),
    ),
  )
  const unknown = puSession('2025-06-10, Sesja, N', [['Nieznany', '1.0']])
  const election = {
    today: '2025-08-15',
    players: [],
    candidates: [candidateOf({ name: 'A', player: 'player of A' })],
    sessions: strangers === null ? sessions : [unknown],
    history: monthly(strangers === null ? months : { '2025-06': {} }),
    constants,
  }
  const grants = grantsByMonth(election)
  return {
    results: eligibilityOf(election),
    granted: Object.fromEntries(grants.map(grant => [grant.month, shown(grant.granted)])),
    total: { 'player of A': shown(sum(grants.map(grant => grant.granted))) },
  }
}

acceptance('eligibility', {
  run: elections,
  deviations: {
    'eligibility-001': { adr: 53, why: 'the predecessor cannot run here; the specification decides' },
  },
})

acceptance('pu-newcharacter', {
  run: () => baselineOf([], constants.newCharacter),
  pending: {
    ...Object.fromEntries(
      ['001', '003', '004', '005', '006', '007'].map(id => [`pu-newcharacter-${id}`, roster]),
    ),
    ...Object.fromEntries(['008', '010'].map(id => [`pu-newcharacter-${id}`, creates])),
  },
})
