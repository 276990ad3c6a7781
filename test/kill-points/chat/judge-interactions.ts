import * as t from 'io-ts'
import type { ChatLedger, KnownInteraction } from './chat-ledger.js'
import type { KillChat } from './chat-platform.js'
import type { DispatchColumns } from './chat-rows.js'

const Counts = t.type({ accepted: t.number, enacted: t.number, failed: t.number, refused: t.number })

/** Where the counts of queries fell, or are not what the worker knows (S24). Keeps the counts. */
export const countViolations = (ledger: ChatLedger, counts: unknown): ReadonlyArray<string> => {
  if (!Counts.is(counts)) return ['GET /health has no counts of queries']
  const { interactions, counts: before } = ledger
  const { accepted, enacted, failed, refused } = counts
  ledger.counts = { accepted, enacted, failed, refused }
  const known = interactions.filter(({ isAccepted }) => isAccepted).length
  const told = JSON.stringify(ledger.counts)
  return [
    ...(accepted < before.accepted || enacted < before.enacted || failed < before.failed
      ? [`the counts fell from ${JSON.stringify(before)} to ${told} (S24)`]
      : []),
    ...(accepted === known ? [] : [`${known} interactions were accepted, and the counts are ${told} (S24)`]),
    ...(enacted === known && failed + refused === 0 ? [] : [`not each was enacted once: ${told} (S25)`]),
  ]
}

/** What interactions are held against. */
export interface InteractionFrame {
  readonly rows: ReadonlyArray<DispatchColumns>
  readonly platform: Pick<KillChat, 'answersOf'>
  /** How often a daemon was killed since the last check. */
  readonly kills: number
  /** How many answers of the platform were lost since then. */
  readonly lost: number
}

const rowViolations = (
  { id, isAged, wasAnswered }: KnownInteraction,
  row: DispatchColumns | undefined,
  kills: number,
): ReadonlyArray<string> => {
  if (isAged) return row === undefined ? [] : [`${id} is on record behind its time (S20)`]
  if (row === undefined) return [`${id} was accepted and is not on record (S20)`]
  const { state, attempts, vars, answer, sealed_reply: sealed } = row
  const most = wasAnswered ? 1 : 1 + kills
  return [
    ...(state === 'enacted' ? [] : [`${id} is ${state}`]),
    ...(attempts >= 1 && attempts <= most ? [] : [`${id} has ${attempts} attempts, not 1 to ${most} (S25)`]),
    ...(vars === null && answer === null && sealed === null ? [] : [`${id} has ended and keeps its token`]),
  ]
}

const answerViolations = (
  { id, token, isChecked }: KnownInteraction,
  { platform, kills, lost }: InteractionFrame,
): ReadonlyArray<string> => {
  if (isChecked) return []
  const answers = platform.answersOf(token)
  return [
    ...(answers.length === 0 ? [`${id} was accepted and never answered`] : []),
    ...(answers.length > 1 + kills + lost ? [`the answer to ${id} was sent ${answers.length} times`] : []),
    ...(new Set(answers).size > 1 ? [`${id} has several answers`] : []),
  ]
}

/** Where an accepted interaction was lost, enacted again behind its end, or kept its token. */
export const interactionViolations = (
  { interactions }: ChatLedger,
  frame: InteractionFrame,
): ReadonlyArray<string> => {
  const rows = new Map(frame.rows.map(row => [row.id, row]))
  const accepted = interactions.filter(({ isAccepted }) => isAccepted)
  return [
    ...accepted.flatMap(one => rowViolations(one, rows.get(one.id), frame.kills)),
    ...accepted.flatMap(one => answerViolations(one, frame)),
  ]
}
