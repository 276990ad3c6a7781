import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Day, Instant, requirePath } from '#protocol/atoms.js'
import { parseJson } from '#src/domain/json/json-text.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { type SourceFile, visitLinesInSlices } from '#src/domain/lore/layout.js'
import type { Sliced } from '#src/domain/slicing/sliced.js'
import { NamesMeant, type SessionTransfer } from '../session.js'

export const movesPath = requirePath('.svc/money/moves.jsonl')

/**
 * One row of `.svc/money/moves.jsonl`: Transfers of a day that no session states, such as what a treasury pays
 * out. They are replayed together with those of closed sessions.
 */
export interface Move {
  readonly id: string
  /** When it was made; decides the order of the moves of one day. */
  readonly at: Instant
  /** The day on which its Transfers count. */
  readonly day: Day
  readonly by: string
  readonly reason: string
  /** At least one. */
  readonly transfers: ReadonlyArray<SessionTransfer>
  /** What its names meant when it was applied; null in a row without a readable record. */
  readonly meaning: NamesMeant | null
  /** Its line in the file, counted from 1. */
  readonly line: number
}

export interface Moves {
  /** By day, then by instant, then by id: the same on every host, however the lines were merged. */
  readonly all: ReadonlyArray<Move>
  readonly byId: ReadonlyMap<string, Move>
  readonly findings: ReadonlyArray<Finding>
}

export const noMoves: Moves = { all: [], byId: new Map(), findings: [] }

/**
 * Parses `.svc/money/moves.jsonl`; empty for null. A line that is no row is a finding and moves nothing; of
 * several lines with one id the first counts, and the others are findings. Yields between lines.
 */
export const parseMovesInSlices = function* (file: SourceFile | null): Sliced<Moves> {
  if (file === null) return noMoves
  const byId = new Map<string, Move>()
  const findings: Array<Finding> = []
  yield* visitLinesInSlices(file.text, (text, line) => {
    if (text.trim() === '') return true
    const read = MoveLine.decode(parseJson(text))
    if (isLeft(read)) return findings.push(unreadable(line)) > 0
    const { id, transfers, meaning } = read.right
    if (byId.has(id)) return findings.push(repeated(id, line)) > 0
    byId.set(id, {
      ...read.right,
      transfers: transfers.map(one => ({ ...one, line })),
      meaning: NamesMeant.is(meaning) ? meaning : null,
      line,
    })
    return true
  })
  return { all: [...byId.values()].sort(inMoveOrder), byId, findings }
}

/** Sorts by day, then by instant, then by id. */
export const inMoveOrder = (one: Move, other: Move): number => {
  const [left, right] = [timeOf(one), timeOf(other)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** The largest amount of a Transfer: 15 digits, as of quantities. */
const amountMax = 10 ** 15 - 1

/** Whether an amount is a whole number of pieces that a Transfer can move. */
export const isAmount = (amount: number): boolean =>
  Number.isInteger(amount) && amount > 0 && amount <= amountMax

const Amount = t.refinement(t.number, isAmount, 'Amount')

const Transfers = t.readonlyArray(
  t.type({ amount: Amount, denomination: t.string, source: t.string, destination: t.string }),
)

const MoveLine = t.intersection([
  t.type({
    id: t.string,
    at: Instant,
    day: Day,
    by: t.string,
    reason: t.string,
    transfers: t.refinement(Transfers, ({ length }) => length > 0, 'Transfers'),
  }),
  t.partial({ meaning: t.unknown }),
])

const unreadable = (line: number): Finding => ({
  kind: 'MoveUnreadable',
  severity: 'error',
  file: movesPath,
  line,
  subject: null,
  reason: 'Wiersz nie jest przesunięciem pieniędzy i został pominięty.',
  suggestion: 'Przywróć wiersz z commita, który go zapisał.',
})

const repeated = (id: string, line: number): Finding => ({
  kind: 'MoveRepeated',
  severity: 'error',
  file: movesPath,
  line,
  subject: id,
  reason: `Wiersz powtarza przesunięcie „${id}”; liczy się pierwszy.`,
  suggestion: 'Usuń wiersz, który się powtarza.',
})

const timeOf = ({ day, at, id }: Move): string => `${day}\n${new Date(at).toISOString()}\n${id}`
