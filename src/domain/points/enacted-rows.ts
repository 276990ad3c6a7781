import * as t from 'io-ts'
import { RepoPath } from '#protocol/atoms.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { closeLedgerPath, closeRowOf } from '#src/domain/sessions/effects/closed-sessions.js'
import { movesPath } from '#src/domain/sessions/effects/moves.js'
import { batchesPath } from './batches.js'

/**
 * A line that an enactment added to a ledger, without its newline. An enactment is known by its whole line, so one that
 * was made again at another instant is another one.
 */
export const LedgerLine = t.type({ path: RepoPath, line: t.string }, 'LedgerLine')
export type LedgerLine = t.TypeOf<typeof LedgerLine>

/** The lines of the ledgers at a commit, by path; a ledger that the commit has not is absent. */
export type LedgersAt = ReadonlyMap<RepoPath, ReadonlyArray<string>>

/** The ledgers whose lines are enactments. */
export const enactedLedgers: ReadonlyArray<RepoPath> = [batchesPath, movesPath, closeLedgerPath]

/** The enactments of a closed request that this host still has, and those that it has no longer. */
export interface ClosedEnactments {
  readonly standing: ReadonlyArray<LedgerLine>
  readonly gone: ReadonlyArray<LedgerLine>
}

/**
 * Compares the ledgers of a closed request with those of this host and of the followed branch. What the branch has
 * was published otherwise and stays. A batch that was settled on top of one that is taken back is taken back too,
 * because its figures follow from it.
 */
export const closedEnactments = (
  closed: LedgersAt,
  here: LedgersAt,
  published: LedgersAt,
): ClosedEnactments => {
  const [standing, gone]: [Array<LedgerLine>, Array<LedgerLine>] = [[], []]
  for (const path of enactedLedgers) {
    const [remote, own] = [new Set(published.get(path)), here.get(path) ?? []]
    const isWaiting = (line: string): boolean => !remote.has(line) && isEnactment(path, line)
    const declined = new Set((closed.get(path) ?? []).filter(isWaiting))
    const held = own.filter(isWaiting)
    const first = held.findIndex(line => declined.has(line))
    const taken =
      path === batchesPath && first >= 0 ? held.slice(first) : held.filter(one => declined.has(one))
    const present = new Set(own)
    standing.push(...taken.map(line => ({ path, line })))
    gone.push(...[...declined].filter(line => !present.has(line)).map(line => ({ path, line })))
  }
  return { standing, gone }
}

/** How a person finds an enactment: the id of its row, or the header of the session. */
export const nameOfLine = ({ line }: LedgerLine): string => {
  const row = RowName.decode(parseJson(line))
  return row._tag === 'Right' ? (row.right.id ?? row.right.header ?? line) : line
}

/** The start of the trailer `Svc-Route` of commits that take back enactments. */
export const reversalRoute = 'REVERSE /workflows/'

const RowName = t.partial({ id: t.string, header: t.string })

const Source = t.partial({ source: t.string })

/** Whether a line was enacted here: adoption and closes write lines too, and a close has a request of its own. */
const isEnactment = (path: RepoPath, line: string): boolean => {
  if (path === movesPath) return line.trim() !== ''
  const row = Source.decode(parseJson(line))
  if (path === closeLedgerPath && (closeRowOf(line)?.op ?? 'close') === 'close') return false
  return row._tag === 'Right' && row.right.source === (path === batchesPath ? 'batch' : 'close')
}
