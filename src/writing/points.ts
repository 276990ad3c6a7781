import { createHash } from 'node:crypto'
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { instantOf, nameKey } from '#protocol/atoms.js'
import type { CloseBlock } from '#protocol/enactments/close-block.js'
import type { AwardBlock, AwardUnresolved } from '#protocol/lore/award.js'
import type {
  AwardAnswer,
  AwardDrift,
  AwardPreview,
  awardRoutes,
  MonthSession,
} from '#protocol/lore/points.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import {
  compareDecimals,
  decimalText,
  formatFixed2,
  numberOrNull,
  sumOf,
  toNumber,
  zero,
} from '#src/domain/lore/figures.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import { appendLines } from '#src/domain/lore/layout.js'
import { ledgerKey, ledgerKeyOf, sessionKey } from '#src/domain/lore/session-header.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import {
  type Blocked,
  driftOf,
  type MonthAward,
  type MonthBatch,
  monthBatch,
  stopsIn,
} from '#src/domain/points/award.js'
import { type Batch, batchesPath } from '#src/domain/points/batches.js'
import { sessionsByKey } from '#src/domain/points/credits.js'
import {
  byMonth,
  type LocateCandidate,
  puSessionOf,
  type Unresolved,
} from '#src/domain/points/month-sessions.js'
import { redactCredentials } from '#src/domain/redaction/scrub.js'
import { isSettled, sessionTwins, twinFinding } from '#src/domain/sessions/effects/closed-sessions.js'
import type { Session } from '#src/domain/sessions/session.js'

import { puGroundAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { decodePrepared, type Planners } from './command.js'
import { entityClaim, touchBlock } from './entities/entity-change.js'
import { writeFigures } from './figures.js'
import { awardNotices } from './notices.js'
import { planReversal, ReversalPrepared } from './reversal.js'
import { ledgerBlocks } from './sessions/closed-session-guard.js'

/** What HTTP makes ready for a batch: the id of the job that is its record; null where there is none. */
export const AwardPrepared = t.type({ jobId: t.union([t.string, t.null]) }, 'AwardPrepared')

/** Planners of the batch (A 4.7). */
export const pointsPlanners: Planners<typeof awardRoutes> = {
  'workflows.awardPu': (snapshot, { body, prepared, dryRun, nowMs }) => {
    if (ReversalPrepared.is(prepared)) return planReversal(snapshot, prepared)
    const { month } = body
    if (month === undefined) return left(monthRequired())
    const { jobId } = decodePrepared(AwardPrepared, prepared)
    return planAward(snapshot, { month, jobId, dryRun, nowMs })
  },
}

export const monthRequired = (): RefusalOf<'MonthRequired'> =>
  refuse('MonthRequired', 'Send the month to settle as `month`, such as `2026-10`.')

/** A request for the batch of a month. A dry run lists what would stop it; an apply is then refused. */
export interface AwardRequest {
  readonly month: string
  readonly jobId: string | null
  readonly dryRun: boolean
  readonly nowMs: number
}

/**
 * The batch of a month as one change: the figures of its characters and a row of the ledger. It is all or nothing: a
 * name that means no character, a bad value or a block that cannot be written stops the month (A 4.7, FORMATS 6.1). A
 * batch that grants nothing changes nothing.
 */
export const planAward = (
  snapshot: Snapshot,
  { month, jobId, dryRun, nowMs }: AwardRequest,
): Either<RefusalOf<'AwardBlocked'>, ChangeSet<AwardAnswer>> => {
  const { candidates, constants, sessions } = puGroundAt(snapshot)
  const history = snapshot.batches.all
  const batch = monthBatch({ month, candidates, sessions, history, constants })
  const written = writeFigures(snapshot, batch.awards)
  const blocked = [
    ...ledgerBlocks(snapshot.batches),
    ...twinBlocks(snapshot, batch),
    ...batch.blocked.flatMap(one => blocksOf(snapshot, one)),
    ...written.blocked,
  ]
  const unresolved = batch.unresolved.map(one => unresolvedOf(snapshot, one))
  const isStopped = blocked.length > 0 || unresolved.length > 0
  if (isStopped && !dryRun) return left(awardBlocked(month, blocked, unresolved))
  const awards = isStopped ? [] : batch.awards
  const answer = answerOf(batch, awards, isStopped)
  const changed = awards.filter(changesFigures)
  const grants = changed.length > 0
  const row = rowOf(batch, instantOf(nowMs))
  const notices = awardNotices(snapshot, row.id, changed)
  const preview: Omit<AwardPreview, 'diff'> = {
    Applied: false,
    ...answer,
    JobId: null,
    Blocked: blocked,
    Unresolved: unresolved,
    Drift: dryRun ? driftOfAnswer(snapshot) : [],
    Sessions: dryRun ? sessionsOfAnswer(snapshot, month, batch) : [],
    WithoutAddress: notices.flatMap(({ entity, to }) => (isLeft(to) ? [entity] : [])),
  }
  const total = sumOf(awards.map(({ granted }) => granted))
  return right({
    edits: grants ? [...written.edits, ledgerEdit(snapshot, row)] : [],
    claims: [
      `slot:${batchesPath}`,
      ...written.entities.map(entityClaim),
      ...batch.countedSessions.map(header => `session:${ledgerKey(header)}`),
    ],
    touches: grants ? [{ kind: 'ledger', name: batchesPath }, ...written.entities.map(touchBlock)] : [],
    notices,
    subject: `points: ${month}, ${awards.length} characters, ${formatFixed2(total)} PU`,
    answer: { Applied: grants, ...answer, JobId: jobId },
    preview,
  })
}

/** Whether an award changes anything: it grants PU, or the pool grows or shrinks. */
const changesFigures = ({ granted, nadmiarBefore, nadmiarAfter }: MonthAward): boolean =>
  compareDecimals(granted, zero) !== 0 || compareDecimals(nadmiarBefore, nadmiarAfter) !== 0

const answerOf = (batch: MonthBatch, awards: ReadonlyArray<MonthAward>, isStopped: boolean) => ({
  Month: batch.month,
  CountedSessions: isStopped ? [] : batch.countedSessions,
  SkippedAlreadyCounted: batch.skippedAlreadyCounted,
  Awards: awards.map(({ character, granted, sumaBefore, sumaAfter }) => ({
    Character: character,
    Granted: toNumber(granted),
    SumaBefore: toNumber(sumaBefore),
    SumaAfter: toNumber(sumaAfter),
  })),
})

const awardBlocked = (
  month: string,
  blocked: ReadonlyArray<AwardBlock>,
  unresolved: ReadonlyArray<AwardUnresolved>,
): RefusalOf<'AwardBlocked'> =>
  refuse(
    'AwardBlocked',
    `The month ${month} cannot be settled: ${stopsText(unresolved.length, blocked.length)}. ` +
      'Nothing was written. Mend what `Unresolved` and `Blocked` list, then send it again.',
    { Month: month, Blocked: blocked, Unresolved: unresolved },
  )

const stopsText = (names: number, entries: number): string => {
  const named = names === 1 ? '1 name means' : `${names} names mean`
  const stopped = entries === 1 ? '1 entry stops it' : `${entries} entries stop it`
  return [
    ...(names === 0 ? [] : [`${named} no character or several`]),
    ...(entries === 0 ? [] : [stopped]),
  ].join(', and ')
}

/**
 * The row of the ledger. Its id follows from what it settles, so that two hosts that settle the same write one row.
 */
const rowOf = ({ month, countedSessions, awards }: MonthBatch, at: string): Batch => {
  const keys = countedSessions.map(ledgerKey).sort().join('\n')
  return {
    id: `${month}-${createHash('sha256').update(keys).digest('hex').slice(0, 12)}`,
    month,
    at,
    source: 'batch',
    sessions: countedSessions,
    awards: awards.map(award => ({
      character: award.character,
      granted: toNumber(award.granted),
      sumaBefore: toNumber(award.sumaBefore),
      sumaAfter: toNumber(award.sumaAfter),
      nadmiarBefore: toNumber(award.nadmiarBefore),
      nadmiarAfter: toNumber(award.nadmiarAfter),
      points: award.sessions.map(({ session, pu }) => ({ session, pu: decimalText(pu) })),
    })),
  }
}

const ledgerEdit = ({ files }: Snapshot, row: Batch): FileEdit =>
  appendLines(files.get(batchesPath) ?? null, batchesPath, [JSON.stringify(row)])

/** The sessions of the month that the ledger cannot tell apart: it would settle both. */
const twinBlocks = (
  { sessions }: Snapshot,
  { openSessions }: MonthBatch,
): ReadonlyArray<AwardBlock & { readonly Kind: 'AmbiguousHeader' }> => {
  const twins = sessionTwins(sessions)
  const seen = new Set(openSessions.map(ledgerKey))
  return [...seen].flatMap(key => {
    const [one, other] = twins.get(key) ?? []
    if (one === undefined || other === undefined) return []
    const { file, line, reason, suggestion } = twinFinding(one, other)
    return [
      {
        ...{ Kind: 'AmbiguousHeader', Subject: one.header, File: file, Line: line },
        Detail: redactCredentials(`${reason} ${suggestion}`),
      } as const,
    ]
  })
}

/**
 * The entries of an open session that would stop its month once its PU are fixed, by the rule of the batch for this
 * session alone; empty for a session that a batch has settled. A PU line without a number is a finding of its file.
 */
export const pointsBlocksOf = (snapshot: Snapshot, session: Session): ReadonlyArray<CloseBlock> => {
  if (session.points.length === 0 || isSettled(snapshot, session.header)) return []
  const { place } = puGroundAt(snapshot)
  const { unresolved, blocked } = stopsIn([puSessionOf(session)], place)
  const blockAt = (
    Kind: CloseBlock['Kind'],
    Detail: string,
    isMeant: (written: string) => boolean,
  ): CloseBlock => ({
    Kind,
    Subject: session.header,
    ...placeOfPoints(session, isMeant),
    Detail: redactCredentials(Detail),
  })
  return [
    ...unresolved.map(({ character, candidates }) =>
      candidates.length === 0
        ? blockAt(
            'UnresolvedPoints',
            `Żadna Postać nie nosi nazwy „${character}”. ${pointsAdvice}`,
            written => written === character,
          )
        : blockAt(
            'AmbiguousPoints',
            `Nazwę „${character}” nosi kilka Postaci (${candidates.join(', ')}). ${pointsAdvice}`,
            written => written === character,
          ),
    ),
    ...blocked.flatMap(({ reason, character }) =>
      reason === 'MalformedValue'
        ? []
        : [blockAt(reason, `PU „${character}”: ${closeWords[reason]}`, isWrittenFor(place, character))],
    ),
  ]
}

const pointsAdvice = 'Wpisz nagłówek albo alias jednej Postaci.'

const closeWords: Readonly<Record<Exclude<Blocked['reason'], 'MalformedValue'>, string>> = {
  DeletedCharacter: 'ta Postać jest usunięta. Przywróć ją albo usuń jej PU z sesji.',
  DifferingCopies: 'kopie sesji podają różne liczby. Wpisz we wszystkich tę samą.',
  SeveralValues: 'sesja podaje je dwa razy, różnie albo pod dwiema nazwami. Zostaw jeden wiersz.',
}

/** Where the lore has a PU line of a character: the first copy of the session that has one. */
const placeOfPoints = (
  session: Session | undefined,
  isMeant: (character: string) => boolean,
): { readonly File: string | null; readonly Line: number | null } => {
  for (const copy of session?.inOrder ?? []) {
    const found = copy.points.find(({ character }) => isMeant(character))
    if (found !== undefined) return { File: copy.path, Line: found.line }
  }
  const [copy] = session?.copies ?? []
  return { File: copy?.path ?? null, Line: copy?.line ?? null }
}

const blockWords: Readonly<Record<Blocked['reason'], string>> = {
  DeletedCharacter: 'The character is deleted. Restore it, or take its PU out of the session.',
  DifferingCopies: 'Copies of the session give the character different PU. Make them agree.',
  SeveralValues: 'The session gives the character two values, or names it in two ways. Leave one line.',
  MalformedValue: 'The PU line has no number. Write one, such as `0,5`.',
}

/** Whether a written name is one of the character. */
const isWrittenFor =
  (place: LocateCandidate, character: string) =>
  (written: string): boolean => {
    const found = place(written)
    return found._tag === 'One' ? found.candidate.name === character : nameKey(written) === nameKey(character)
  }

const blocksOf = (
  snapshot: Snapshot,
  { reason, character, sessions }: Blocked,
): ReadonlyArray<AwardBlock> => {
  const isMeant = isWrittenFor(puGroundAt(snapshot).place, character)
  return sessions.map(header => ({
    Kind: reason,
    Subject: character,
    ...placeOfPoints(snapshot.sessions.byKey.get(sessionKey(header)), isMeant),
    Detail: `${header}: ${blockWords[reason]}`,
  }))
}

const unresolvedOf = (
  snapshot: Snapshot,
  { character, candidates, sessions }: Unresolved,
): AwardUnresolved => ({
  Character: character,
  Sessions: sessions,
  Suggestions: candidates.length > 0 ? candidates : nearestBlocks(snapshot.entities, character, 'Postać'),
  ...placeOfPoints(
    snapshot.sessions.byKey.get(sessionKey(sessions[0] ?? '')),
    written => written === character,
  ),
})

const driftOfAnswer = (snapshot: Snapshot): ReadonlyArray<AwardDrift> => {
  const { sessions, place } = puGroundAt(snapshot)
  return driftOf(snapshot.batches.all, sessionsByKey(sessions), place).map(
    ({ what, header, character, was, is }) => ({
      Kind: what,
      Header: header,
      Character: character,
      Was: numberOrNull(was),
      Is: numberOrNull(is),
    }),
  )
}

/** Each session of the month, and whether the batch counts it. */
const sessionsOfAnswer = (
  { sessions }: Snapshot,
  month: string,
  { openSessions }: MonthBatch,
): ReadonlyArray<MonthSession> => {
  const open = new Set(openSessions.map(ledgerKey))
  return (byMonth(sessions.all).get(month) ?? []).map(session => {
    const why = open.has(ledgerKeyOf(session))
      ? 'Open'
      : session.points.length === 0
        ? 'NoPoints'
        : 'AlreadySettled'
    return { Header: session.header, Counts: why === 'Open', Why: why }
  })
}
