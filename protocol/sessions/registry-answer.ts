import * as t from 'io-ts'
import { RepoPath } from '#protocol/atoms/path.js'
import { previewOf } from '#protocol/dry-run.js'

const paths = t.readonlyArray(RepoPath)

const plan = {
  Roots: t.number,
  Writes: t.type({ Populated: t.number, Empty: t.number, Unchanged: t.number }),
  Deletes: paths,
  /** Files that were not generated and are left alone. */
  Holdouts: paths,
  /** The first three add up to the total. */
  Placement: t.type({
    Placed: t.number,
    RegisteredUnplaced: t.number,
    NoLocation: t.number,
    Total: t.number,
  }),
} as const

/** The registry of sessions by place: what was written or, with `Applied` false, what would be (B 2.2). */
export const RegistryAnswer = t.union(
  [t.type({ Applied: t.literal(true), ...plan }), previewOf({ Applied: t.literal(false), ...plan })],
  'RegistryAnswer',
)
export type RegistryAnswer = Extract<t.TypeOf<typeof RegistryAnswer>, { readonly Applied: true }>
