import * as t from 'io-ts'
import type { RefusalOf, RefusalTag } from '../refusal.js'

/** Time for a request that waits for the whole queue of the gate, and then for a walk over the lore. */
export const gateAnswerWithinMs = 290_000

/** The refusals of an adoption, over HTTP and from the command line. */
export const adoptionRefusals = [
  'NoRepository',
  'WorkTreeDirty',
  'HeadDetached',
  'RepositoryLocked',
  'CheckoutBlocked',
  'AdoptionFailed',
  'SchemaTooNew',
  'DiskRefused',
  'Overloaded',
] as const satisfies ReadonlyArray<RefusalTag>

/** Why an adoption was not made: a refusal above, or the caller lost the right while the request waited. */
export type AdoptRefusal = RefusalOf<(typeof adoptionRefusals)[number] | 'Unauthorized' | 'Forbidden'>

const count = t.number

/**
 * Legacy and adopted numbers of one character, shown by a dry run (FORMATS 9). PU are decimals; null when
 * unknown.
 */
const PuFigures = t.type({
  suma: t.union([t.number, t.null]),
  startowe: t.union([t.number, t.null]),
  zdobyte: t.union([t.number, t.null]),
  nadmiar: t.union([t.number, t.null]),
})
export const ParityRow = t.type(
  {
    character: t.string,
    player: t.union([t.string, t.null]),
    legacy: PuFigures,
    adopted: PuFigures,
    equal: t.boolean,
  },
  'ParityRow',
)
export type ParityRow = t.TypeOf<typeof ParityRow>

/** A finding of adoption: where, what, and what a person should do. */
export const AdoptionFinding = t.type(
  {
    kind: t.string,
    severity: t.keyof({ error: null, warning: null, info: null }),
    file: t.string,
    /** Counted from 1; null when the finding concerns the whole file. */
    line: t.union([t.number, t.null]),
    subject: t.union([t.string, t.null]),
    reason: t.string,
    suggestion: t.union([t.string, t.null]),
  },
  'AdoptionFinding',
)
export type AdoptionFinding = t.TypeOf<typeof AdoptionFinding>

/**
 * The answer of `POST /import` (A 4.5). `Entities` and `SessionRegistry` count the adopted tree, so that a
 * repetition answers the same; `preserved` counts the existing blocks that were kept. `Files` are the paths
 * of the commit, `Sources` the legacy files read. `Applied` is false when no file was written: for a dry run,
 * and for an adopted repository; that of `SessionRegistry` counts its own files. A dry run adds `Parity` and,
 * if there are any, `Dirty`: the files with uncommitted changes, for which the real run is refused at
 * present.
 */
export const Adoption = t.intersection(
  [
    t.type({
      Applied: t.boolean,
      Entities: t.type({
        players: count,
        characters: count,
        npc: count,
        locations: count,
        maps: count,
        preserved: count,
      }),
      SessionsObserved: count,
      SessionRegistry: t.type({
        Applied: t.boolean,
        Roots: count,
        Files: t.type({ Written: count, Unchanged: count }),
        Sessions: t.type({ Total: count, Placed: count }),
      }),
      Findings: t.readonlyArray(AdoptionFinding),
    }),
    t.partial({
      Parity: t.readonlyArray(ParityRow),
      Files: t.readonlyArray(t.string),
      Sources: t.readonlyArray(t.string),
      Dirty: t.readonlyArray(t.string),
    }),
  ],
  'Adoption',
)
export type Adoption = t.TypeOf<typeof Adoption>
