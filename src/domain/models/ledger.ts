import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ModelSurface } from '#protocol/atoms.js'
import { ModelChange } from '#protocol/models/models.js'
import { readJson } from '#src/domain/json/json-text.js'
import type { Artifact, Digests } from './artifact.js'

/**
 * The ledger of promotions, `promotions.jsonl`: a row for each change of a live artifact, only ever appended to. What
 * is live follows from it alone; `live.json` repeats the result for programs beside the host.
 */

const sha256 = t.refinement(t.string, text => /^[0-9a-f]{64}$/u.test(text), 'Sha256')

/** An artifact as it was when it became live. */
const Held = t.type(
  {
    id: t.string,
    digests: t.type({ model: sha256, stamp: sha256, evaluation: t.union([sha256, t.null]) }),
  },
  'HeldArtifact',
)
export type Held = t.TypeOf<typeof Held>

/** A row: what the change was, and what is live and retained after it. */
export const LedgerRow = t.intersection(
  [ModelChange, t.type({ v: t.literal(1), live: Held, retained: t.union([Held, t.null]) })],
  'LedgerRow',
)
export type LedgerRow = t.TypeOf<typeof LedgerRow>

export interface Ledger {
  readonly rows: ReadonlyArray<LedgerRow>
  /** Lines that are no rows. They stay in the file. */
  readonly unreadable: number
  /** Why the file cannot be read, such as a link in its place; null where it can. Nothing is promoted then. */
  readonly trouble: string | null
}

/** What is live on a surface, and what a rollback makes live. */
export interface LiveOf {
  readonly live: Held | null
  readonly retained: Held | null
}

export const emptyLedger: Ledger = { rows: [], unreadable: 0, trouble: null }

/** Reads the ledger. A row counts once: a second one with its number, or a lower one, is not a row. */
export const readLedger = (text: string): Ledger => {
  const rows: Array<LedgerRow> = []
  let [unreadable, last] = [0, 0]
  for (const line of text.split('\n')) {
    if (line === '') continue
    const read = readJson(line)
    if (
      isLeft(read) ||
      !LedgerRow.is(read.right) ||
      !Number.isSafeInteger(read.right.seq) ||
      read.right.seq <= last
    )
      unreadable += 1
    else {
      rows.push(read.right)
      last = read.right.seq
    }
  }
  return { rows, unreadable, trouble: null }
}

/** What the ledger says of a surface, as of a time in ms since 1970. */
export const liveIn = (
  { rows }: Pick<Ledger, 'rows'>,
  surface: ModelSurface,
  untilMs = Number.POSITIVE_INFINITY,
): LiveOf => {
  const last = rows.findLast(row => row.surface === surface && Date.parse(row.at) <= untilMs)
  return last === undefined ? { live: null, retained: null } : { live: last.live, retained: last.retained }
}

/** The number of the next row. */
export const nextSeq = ({ rows }: Pick<Ledger, 'rows'>): number => (rows.at(-1)?.seq ?? 0) + 1

/** The content of `live.json` by the ledger. */
export const liveText = (ledger: Pick<Ledger, 'rows'>): string => {
  const surfaces = [...new Set(ledger.rows.map(({ surface }) => surface))].sort()
  const seq = ledger.rows.at(-1)?.seq ?? 0
  const all = Object.fromEntries(surfaces.map(surface => [surface, liveIn(ledger, surface)]))
  return `${JSON.stringify({ seq, surfaces: all }, null, 2)}\n`
}

/** The artifact of this host, if it is still what was promoted and can be read; null otherwise. */
export const standing = (held: Held, artifact: Artifact | undefined): Artifact | null =>
  artifact !== undefined && artifact.digests !== null && isSame(held.digests, artifact.digests)
    ? artifact
    : null

const isSame = (one: Digests, other: Digests): boolean =>
  one.model === other.model && one.stamp === other.stamp && one.evaluation === other.evaluation
