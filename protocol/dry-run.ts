import * as t from 'io-ts'
import { CapabilityId } from './atoms.js'

/**
 * A file of a dry run with changed lines that the caller may not read by `GET`: their numbers, and the
 * capabilities of which any one shows them. `file` is null where the caller may not know the path.
 */
export const WithheldChange = t.type(
  {
    file: t.union([t.string, t.null]),
    added: t.number,
    removed: t.number,
    required: t.readonlyArray(CapabilityId),
  },
  'WithheldChange',
)
export type WithheldChange = t.TypeOf<typeof WithheldChange>

/** What is left out of the diff; absent when it shows every line. */
export const withheldChanges = t.partial({ withheld: t.readonlyArray(WithheldChange) })

/**
 * The codec of a preview of a dry run: its own fields, the unified diff of the files that the write would
 * change (A 1), and what is left out of it.
 */
export const previewOf = <P extends t.Props>(fields: P, name?: string) =>
  t.intersection([t.type({ ...fields, diff: t.string }), withheldChanges], name)
