import * as t from 'io-ts'
import { EntityType } from '../atoms/vocabulary.js'
import { previewOf } from '../dry-run.js'
import { UnresolvedName } from '../sessions/session-body.js'

/**
 * One tag of a block (D32). `tag` with or without the at sign. `from` and `to` are bounds `YYYY`, `YYYY-MM`
 * or `YYYY-MM-DD`; without `from` the change holds from now on, with null since ever
 * (docs/spec/tag-writes.md#dates). With `remove` the value ends.
 */
export const TagPatch = t.intersection(
  [
    t.type({ tag: t.string }),
    t.partial({
      value: t.string,
      from: t.union([t.string, t.null]),
      to: t.union([t.string, t.null]),
      remove: t.boolean,
    }),
  ],
  'TagPatch',
)
export type TagPatch = t.TypeOf<typeof TagPatch>

/**
 * Where a name that a write gave occurs already: other blocks, blocks of which it is an inflected form, blocks
 * with a name that looks like it, rows that state an owner (`blocks` lists the owned ones), narrator fields or effects
 * of sessions, PU batches that award it, a character file. `count` covers all; at most 20 blocks are listed.
 */
export const NameUse = t.type(
  {
    name: t.string,
    use: t.keyof({
      ...{ block: null, form: null, lookalike: null, owner: null },
      ...{ narrator: null, effect: null, award: null, file: null },
    }),
    count: t.number,
    blocks: t.readonlyArray(t.type({ name: t.string, type: EntityType })),
  },
  'NameUse',
)
export type NameUse = t.TypeOf<typeof NameUse>

/**
 * Present only when there is something to report: uses of a given name that may now mean several things, and
 * places, owners and groups in the request that mean no block or several.
 */
const told = t.partial({ unresolved: t.readonlyArray(t.union([NameUse, UnresolvedName])) })

/** `changed` is false when everything was already as requested and no commit was made. */
export const Updated = t.intersection(
  [t.type({ updated: t.string, tag: t.string, changed: t.boolean }), told],
  'Updated',
)
export type Updated = t.TypeOf<typeof Updated>

export const UpdatePreview = t.intersection(
  [previewOf({ wouldUpdate: t.string, tag: t.string, changed: t.boolean }), told],
  'UpdatePreview',
)
export type UpdatePreview = t.TypeOf<typeof UpdatePreview>

export const UpdateAnswer = t.union([Updated, UpdatePreview], 'UpdateAnswer')
export type UpdateAnswer = t.TypeOf<typeof UpdateAnswer>

/** Values by tag; a list for a tag of several values. */
export const TagValues = t.record(t.string, t.union([t.string, t.readonlyArray(t.string)]), 'TagValues')
export type TagValues = t.TypeOf<typeof TagValues>

export const EntityCreate = t.intersection(
  [t.type({ name: t.string, type: EntityType }), t.partial({ tags: TagValues })],
  'EntityCreate',
)

export const Created = t.intersection([t.type({ created: t.string, type: EntityType }), told], 'Created')
export type Created = t.TypeOf<typeof Created>

export const CreatePreview = t.intersection(
  [previewOf({ wouldCreate: t.string, type: EntityType }), told],
  'CreatePreview',
)

export type CreateAnswer = Created | t.TypeOf<typeof CreatePreview>

const softly = { status: t.literal('Usunięty') } as const

export const Deleted = t.type({ deleted: t.string, ...softly }, 'Deleted')
export const DeletePreview = previewOf({ wouldDelete: t.string, ...softly }, 'DeletePreview')
export const DeleteAnswer = t.union([Deleted, DeletePreview], 'DeleteAnswer')
export type DeleteAnswer = t.TypeOf<typeof DeleteAnswer>

export const EntityRename = t.type({ name: t.string }, 'EntityRename')

/** Lines of a file that contain a name; `tag` is that of rows, null for any other text. */
export const Reference = t.type(
  { file: t.string, tag: t.union([t.string, t.null]), lines: t.readonlyArray(t.number) },
  'Reference',
)
export type Reference = t.TypeOf<typeof Reference>

const renaming = {
  from: t.string,
  retargeted: t.readonlyArray(Reference),
  reported: t.readonlyArray(Reference),
} as const

/** `retargeted` rows were changed to the new name; `reported` ones keep the old name (B 4.1). */
export const Renamed = t.intersection([t.type({ renamed: t.string, ...renaming }), told], 'Renamed')
export const RenamePreview = t.intersection(
  [previewOf({ wouldRename: t.string, ...renaming }), told],
  'RenamePreview',
)
export const RenameAnswer = t.union([Renamed, RenamePreview], 'RenameAnswer')
export type RenameAnswer = t.TypeOf<typeof RenameAnswer>
