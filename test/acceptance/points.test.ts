import assert from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { readHistory } from '#src/domain/adoption/legacy/outline.js'
import { overlayPeople } from '#src/domain/adoption/legacy/overlay.js'
import { readRegistry } from '#src/domain/adoption/legacy/registry.js'
import { readRoster } from '#src/domain/adoption/legacy/roster.js'
import { eligibilityOf, grantsByMonth } from '#src/domain/elections/eligibility.js'
import { numberOrNull, sumOf } from '#src/domain/lore/figures.js'
import { parseDescribedSession } from '#src/domain/people/section-body.js'
import { type MonthAward, type MonthBatch, monthBatch, noticeOf } from '#src/domain/points/award.js'
import { baselineOf } from '#src/domain/points/baseline.js'
import type { Batch, DatedBatch } from '#src/domain/points/batches.js'
import type { Candidate } from '#src/domain/points/month-sessions.js'
import { allFindings } from '#src/snapshot/all-findings.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { planAward } from '#src/writing/points.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { adoptFixture, creation, writeAndReadCharacter } from '#test/support/character-cases.js'
import { type Fields, isFields } from '#test/support/matching.js'
import {
  candidateOf,
  constants,
  fieldsOf,
  puSession,
  sessionOf,
  sessionsOfValues,
} from '#test/support/pu-world.js'
import { day, sourceFile, worldOf } from '#test/support/world.js'

const historyOf = (headers: ReadonlyArray<string>): ReadonlyArray<Batch> =>
  headers.length === 0
    ? []
    : [{ id: 'h', month: null, at: '2024-07-01', source: 'legacy', sessions: headers, awards: [] }]

const message = (award: MonthAward): string => noticeOf({ ...award, player: award.player ?? '' })

const resultOf = (award: MonthAward): Fields => ({
  characterName: award.character,
  playerName: award.player,
  basePU: numberOrNull(award.base),
  grantedPU: numberOrNull(award.granted),
  overflowPU: numberOrNull(award.overflow),
  usedExceeded: numberOrNull(award.used),
  remainingPUExceeded: numberOrNull(award.nadmiarAfter),
  newPUSum: numberOrNull(award.sumaAfter),
  newPUTaken: numberOrNull(award.zdobyteAfter),
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

const writes = {
  adr: 1032,
  why: 'the ledger is .svc/pu/batches.jsonl; the history file of the old layout is never written',
}

/** The runs of a history file as adoption reads it, newest first. */
const runsOf = (text: string, before: string | null): ReadonlyArray<Fields> =>
  readHistory(sourceFile('.robot/res/pu-sessions.md', text))
    .runs.map(run => ({
      processedAt: run.at,
      timezone: /UTC[+-]\d{2}:\d{2}/u.exec(run.stamp ?? '')?.[0] ?? null,
      sessionCount: run.sessions.length,
      sessions: run.sessions.map(({ header }) => ({ header, ...parseDescribedSession(header) })),
    }))
    .filter(run => before === null || run.processedAt.slice(0, 10) <= before)
    .sort((left, right) => (left.processedAt < right.processedAt ? 1 : -1))

const log = (input: Fields, id: string): Fields => {
  const fixture = textAt(input, 'log')
  const text = fixture === null ? (textAt(input, 'logText') ?? '') : fixtureText(fixture)
  const runs = runsOf(text, textAt(input, 'maxDate'))
  if (id !== 'pu-award-035') return { runs }
  const at = String(runs[0]?.['processedAt'])
  return { 'runs[0]': { processedAt: { year: Number(at.slice(0, 4)), month: Number(at.slice(5, 7)) } } }
}

acceptance('pu-award', {
  run: (input, id) => {
    if ('log' in input || 'logText' in input) return log(input, id)
    const { awards } = batchOf(input)
    const [first] = awards
    return { results: awards.map(resultOf), message: first === undefined ? null : message(first) }
  },
  deviations: {
    'pu-award-009': {
      adr: 1032,
      why: 'a batch takes no player filter: it would starve the others of their sessions',
      instead: { results: { $count: 2, $has: [{ characterName: 'Dracon', playerName: 'Crag Hack' }] } },
    },
    'pu-award-018': {
      adr: 1032,
      why: 'a PU line without a number stops the month, so that the PU that it means are not lost',
      instead: { results: [] },
    },
    'pu-award-023': {
      adr: 1032,
      why: 'names are grouped by the character they stand for, one base a month',
      instead: {
        results: { $count: 1, '[0]': { characterName: 'Xeron Demonlord', basePU: 2, newPUSum: 12 } },
      },
    },
    ...Object.fromEntries(['028', '030', '031', '032'].map(id => [`pu-award-${id}`, writes])),
    'pu-award-024': { adr: 1032, why: 'copies that differ block the month (unit test beside award.ts)' },
  },
})

/** The lore of a case: its characters, sessions, headers that begin none, and settled headers. */
const loreOf = (input: Fields): Snapshot => {
  const characters = fieldsOf(input['characters']).map(one => {
    const rows = { pu_suma: one['puSum'], pu_zdobyte: one['puTaken'], pu_nadmiar: one['puExceeded'] }
    const lines = Object.entries(rows).map(([tag, value]) => `- @${tag}: ${String(value)}\n`)
    const aliases = textsAt(one, 'aliases').map(alias => `- @alias: ${alias}\n`)
    return `### ${textAt(one, 'name') ?? ''}\n- @typ: Postać\n${[...aliases, ...lines].join('')}`
  })
  const sessions = fieldsOf(input['sessions']).map(one => {
    const points = fieldsOf(one['pu']).map(
      pu =>
        `    - ${textAt(pu, 'character') ?? ''}: ${typeof pu['value'] === 'number' ? pu['value'] : '?'}\n`,
    )
    const block = textAt(one, 'content') ?? `- @PU:\n${points.join('')}`
    return `${textAt(one, 'header') ?? ''}\n\nOpis.\n\n${block}`
  })
  return worldOf({ 'encje/indeks.md': characters.join('\n'), 'Sesje.md': sessions.join('\n') })
}

const findingWords = { adr: 1032, why: 'a finding has its own words' } as const

acceptance('pu-diagnostics', {
  run: input => {
    const snapshot = loreOf(input)
    const request = { month: monthAt(input), jobId: null, dryRun: true, nowMs: 0 }
    const planned = planAward(snapshot, request)
    if (isLeft(planned)) return { throws: planned.left.detail }
    const { preview } = planned.right
    assert.ok(isFields(preview))
    const found = allFindings(snapshot)
    const blocked = (kind: string) =>
      fieldsOf(preview['Blocked']).flatMap(one =>
        one['Kind'] === kind ? [{ characterName: one['Subject'], issue: kind }] : [],
      )
    const failed = found.filter(({ kind, severity }) => kind === 'BadHeader' && severity === 'error')
    return {
      ok: [preview['Blocked'], preview['Unresolved'], failed].every(list => fieldsOf(list).length === 0),
      unresolvedCharacters: preview['Unresolved'],
      malformedPU: blocked('MalformedValue'),
      duplicateEntries: blocked('SeveralValues'),
      failedSessionsWithPU: failed.map(({ reason }) => ({
        parseError: reason,
        puCandidates: /liczą: (.*)\.$/u.exec(reason)?.[1]?.split(', '),
      })),
      staleHistoryEntries: found.filter(({ kind }) => kind === 'SettledSessionUnknown'),
      assignmentResults: preview['Awards'],
    }
  },
  deviations: {
    'pu-diagnostics-004': {
      ...findingWords,
      instead: { ok: false, malformedPU: [{ characterName: 'Xeron Demonlord', issue: 'MalformedValue' }] },
    },
    'pu-diagnostics-005': {
      ...findingWords,
      instead: {
        ok: false,
        duplicateEntries: [{ characterName: 'Xeron Demonlord', issue: 'SeveralValues' }],
      },
    },
    'pu-diagnostics-006': {
      ...findingWords,
      instead: {
        ok: false,
        failedSessionsWithPU: {
          $count: 1,
          '[0]': { parseError: { $like: '*2024-1-5*' }, puCandidates: { $contains: ['SomeChar'] } },
        },
      },
    },
  },
})

const monthly = (months: Fields): ReadonlyArray<DatedBatch> =>
  Object.keys(months).map(month => ({
    day: day(`${month}-28`),
    id: month,
    month: null,
    at: `${month}-28T12:00:00Z`,
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
    granted: Object.fromEntries(grants.map(grant => [grant.month, numberOrNull(grant.granted)])),
    total: { 'player of A': numberOrNull(sumOf(grants.map(grant => grant.granted))) },
  }
}

acceptance('eligibility', {
  run: elections,
  deviations: {
    'eligibility-001': { adr: 1032, why: 'the predecessor cannot run here; the specification decides' },
  },
})

/** The characters of a player as adoption reads the old layout; null for a player that it does not know. */
const legacyCharacters = (input: Fields): ReadonlyArray<Candidate> | null => {
  const file = (name: string) => sourceFile(name, fixtureText(name))
  const registry = readRegistry(textsAt(input, 'entities').map(file))
  const people = overlayPeople(
    readRoster(file(textAt(input, 'players') ?? '')),
    registry,
    { game: null },
    day('2026-06-15'),
  )
  const player = people.players.find(one => one.name === textAt(input, 'player'))
  return player === undefined
    ? null
    : player.characters.map(({ name, aliases, figures }) => ({
        name,
        aliases,
        player: player.name,
        status: 'Aktywny',
        figures,
      }))
}

acceptance('pu-newcharacter', {
  run: input => {
    const created = fieldsAt(input, 'newCharacter')
    if (created !== null) {
      const texts = adoptFixture(textAt(input, 'fixture') ?? '')
      return writeAndReadCharacter(texts, textAt(created, 'character') ?? '', creation(created))
    }
    const own = legacyCharacters(input)
    if (own === null) return { throws: `player ${textAt(input, 'player') ?? ''} not found` }
    const { startowe, included, excluded } = baselineOf(own, constants.newCharacter)
    const pu = numberOrNull(startowe)
    return {
      playerName: own[0]?.player,
      pu,
      includedCharacters: included.length,
      excludedCharacters: excluded,
    }
  },
  deviations: {
    'pu-newcharacter-010': {
      adr: 1032,
      why: 'A Postać is made of a Gracz of the contributor store; no route makes one there (A 4.6.1, D38).',
      instead: { $throws: 'ValueRefused: *@należy_do*' },
    },
  },
})
