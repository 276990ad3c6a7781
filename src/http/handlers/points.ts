import { type Either, isRight, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { nameKey } from '#protocol/atoms.js'
import { applyWindow } from '#protocol/list.js'
import type { electionsRoutes } from '#protocol/lore/elections.js'
import type { awardRoutes, pointsRoutes, TimelineItem } from '#protocol/lore/points.js'
import { windowOf } from '#protocol/query.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { eligibilityOf, type Voter } from '#src/domain/elections/eligibility.js'
import type { OwnScope } from '#src/domain/identity/readable.js'
import { renderPageInSlices } from '#src/domain/json/json-bytes.js'
import { numberOrNull, toNumber } from '#src/domain/lore/figures.js'
import { entityOfCharacter } from '#src/domain/people/characters.js'
import { personNamed } from '#src/domain/people/roster.js'
import { baselineOf } from '#src/domain/points/baseline.js'
import { type PointsTimelineEntry, timelineOf } from '#src/domain/points/character-answer.js'
import { sessionsByKey } from '#src/domain/points/credits.js'
import { refuseMissingParameter } from '#src/http/checks/query.js'
import { type Handlers, inSlices } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import { ownScopeAt, puGroundAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { monthRequired } from '#src/writing/points.js'
import { personNotFound, rosterAt } from '../answers/cast.js'

/** The batch of a month (A 4.7). What is done inline is a job too, so that its record can be read later. */
export const awardHandlers: Handlers<typeof awardRoutes, Pick<Host, 'jobs'>> = {
  'workflows.awardPu': ({ body, query, gate, dryRun, node: { jobs } }) => {
    if (body.month === undefined) return left(monthRequired())
    const closed = gate()
    if (closed !== null) return left(closed)
    if (dryRun) return right({ prepared: { jobId: null } })
    if (query.async === true) return right({ prepared: { jobId: null }, job: 'workflows.award-pu' })
    const jobId = jobs.newId()
    return right({
      prepared: { jobId },
      settled: outcome => {
        if (isRight(outcome)) jobs.keep(jobId, 'workflows.award-pu', outcome.right.body)
      },
    })
  },
}

/**
 * PU (A 4.7): reads over the snapshot of the request, limited to the caller's own where they
 * hold only that.
 */
export const pointsHandlers: Handlers<typeof pointsRoutes> = {
  'pu.timeline.list': ({ snapshot, query, caller }) =>
    pipe(
      narrowCharacters(snapshot, ownScopeAt(snapshot, caller), query.character),
      map(({ only, character }) => {
        const { sessions, history, place } = puGroundAt(snapshot)
        const entries = timelineOf(history, sessionsByKey(sessions), place, only)
        return {
          body: inSlices(
            renderPageInSlices(entries, windowOf(query), entry => timelineItem(entry, character)),
          ),
        }
      }),
    ),
  'pu.history.list': ({ snapshot }) => {
    const rows = puGroundAt(snapshot).history.map(batch => ({
      date: batch.day,
      sessions: batch.sessions.length,
    }))
    return right({ body: { count: rows.length, assignments: rows.sort(byDateDescending) } })
  },
  'pu.newCharacterCount.get': ({ snapshot, query, caller }) => {
    const scope = ownScopeAt(snapshot, caller)
    if (scope !== null && scope.person === null)
      return notTheirs('This token does not belong to a Gracz. Use the token of a player.')
    const wanted = query.player ?? scope?.person?.name
    if (wanted === undefined) return left(refuseMissingParameter('player'))
    if (scope !== null && !scope.isSelf(wanted))
      return notTheirs('With your rights you may see only the baseline of your own Gracz.')
    const person = personNamed(snapshot.people, wanted)
    if (person === null) return left(personNotFound(snapshot, wanted))
    const { candidates, constants } = puGroundAt(snapshot)
    const own = candidates.filter(one => one.player !== null && nameKey(one.player) === person.key)
    const { sumZdobyte, startowe } = baselineOf(own, constants.newCharacter)
    return right({
      body: { Player: person.name, SumZdobyte: toNumber(sumZdobyte), Startowe: toNumber(startowe) },
    })
  },
}

/** Elections (A 4.7), likewise. */
export const electionsHandlers: Handlers<typeof electionsRoutes> = {
  'elections.eligibility.list': ({ snapshot, query, caller }) => {
    const scope = ownScopeAt(snapshot, caller)
    if (scope !== null && scope.person === null)
      return notTheirs('This token does not belong to a Gracz. Use the token of a player.')
    const { candidates, constants, history, sessions } = puGroundAt(snapshot)
    const voters = eligibilityOf({
      today: snapshot.day,
      players: rosterAt(snapshot).listed.map(one => one.person.name),
      candidates,
      sessions,
      history,
      constants,
    })
    const shown = voters.filter(voter => scope === null || scope.isSelf(voter.player)).map(voterRow)
    return right({ body: applyWindow(shown, windowOf(query)) })
  },
}

const notTheirs = (detail: string): Either<RefusalOf<'Forbidden'>, never> =>
  left(refuse('Forbidden', detail, { required: 'pu.read' }))

/** The headings that the timeline is limited to; null: no limit. */
type Narrowed = { readonly only: ReadonlySet<string> | null; readonly character: string | null }

const narrowCharacters = (
  snapshot: Snapshot,
  scope: OwnScope | null,
  wanted: string | undefined,
): Either<RefusalOf<'Forbidden' | 'CharacterNotFound'>, Narrowed> => {
  if (scope !== null && scope.person === null)
    return notTheirs('This token does not belong to a Gracz. Use the token of a player.')
  if (wanted === undefined) return right({ only: scope?.characters ?? null, character: null })
  if (scope !== null && !scope.isOwnCharacter(wanted))
    return notTheirs('With your rights you may see only the timeline of your own Postać.')
  return pipe(
    entityOfCharacter(snapshot, wanted),
    map(({ name }) => ({ only: new Set([name]), character: name })),
  )
}

const timelineItem = (entry: PointsTimelineEntry, character: string | null): TimelineItem => ({
  date: entry.date,
  month: entry.month,
  source: entry.source,
  character,
  granted: numberOrNull(entry.granted),
  sessions: entry.sessions,
  credits: entry.credits.map(({ character: name, granted, sessions }) => ({
    character: name,
    granted: numberOrNull(granted),
    sessions,
  })),
})

const voterRow = (voter: Voter) => ({
  Gracz: voter.player,
  PuScore: toNumber(voter.puScore),
  ActiveMonths: voter.activeMonths,
  Total: toNumber(voter.total),
  Status: voter.status,
})

const byDateDescending = (left: { readonly date: string }, right: { readonly date: string }): number =>
  left.date > right.date ? -1 : left.date < right.date ? 1 : 0
