import * as t from 'io-ts'
import { EntityType } from '../atoms.js'
import { namingBody } from '../bounds.js'
import type { Descriptions } from '../description.js'
import { previewOf } from '../dry-run.js'
import { EntityTypeText } from '../query.js'
import { type Table, write } from '../route.js'
import { UnresolvedName } from './session-writes.js'

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
const Updated = t.intersection(
  [t.type({ updated: t.string, tag: t.string, changed: t.boolean }), told],
  'Updated',
)
type Updated = t.TypeOf<typeof Updated>

const UpdatePreview = t.intersection(
  [previewOf({ wouldUpdate: t.string, tag: t.string, changed: t.boolean }), told],
  'UpdatePreview',
)
type UpdatePreview = t.TypeOf<typeof UpdatePreview>

export const UpdateAnswer = t.union([Updated, UpdatePreview], 'UpdateAnswer')
export type UpdateAnswer = t.TypeOf<typeof UpdateAnswer>

/** Values by tag; a list for a tag of several values. */
export const TagValues = t.record(t.string, t.union([t.string, t.readonlyArray(t.string)]), 'TagValues')
export type TagValues = t.TypeOf<typeof TagValues>

const EntityCreate = t.intersection(
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

const Deleted = t.type({ deleted: t.string, ...softly }, 'Deleted')
const DeletePreview = previewOf({ wouldDelete: t.string, ...softly }, 'DeletePreview')
export const DeleteAnswer = t.union([Deleted, DeletePreview], 'DeleteAnswer')
export type DeleteAnswer = t.TypeOf<typeof DeleteAnswer>

const EntityRename = t.type({ name: t.string }, 'EntityRename')

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
const Renamed = t.intersection([t.type({ renamed: t.string, ...renaming }), told], 'Renamed')
const RenamePreview = t.intersection(
  [previewOf({ wouldRename: t.string, ...renaming }), told],
  'RenamePreview',
)
export const RenameAnswer = t.union([Renamed, RenamePreview], 'RenameAnswer')
export type RenameAnswer = t.TypeOf<typeof RenameAnswer>

/** Writes of entities (B 4.1, D32). */
export const entitiesWriteRoutes = {
  'entities.create': write({
    method: 'POST',
    path: '/entities',
    summary: 'Makes an entity at the end of the index.',
    capability: 'entity.write',
    own: false,
    query: {},
    body: EntityCreate,
    bounds: namingBody,
    answers: { 200: CreatePreview, 201: Created },
    refusals: ['RosterStoreProperty', 'TagUnknown', 'ValueRefused', 'NameTaken'],
    source: 'B 4.1, D31, D32, docs/spec/entities.md#create',
    example: {
      body: { name: 'Zielarka Wita', type: 'NPC', tags: { lokacja: 'Zamorze', grupa: ['Cech Kupców'] } },
    },
  }),
  'entities.update': write({
    method: 'PATCH',
    path: '/entities/{name}',
    summary: 'Gives one tag of an entity a value, or ends one; what was dated stays as history.',
    capability: 'entity.write',
    own: false,
    query: { type: EntityTypeText },
    body: TagPatch,
    answers: { 200: UpdateAnswer },
    refusals: [
      'BodyInvalid',
      'EntityNotFound',
      'AmbiguousName',
      'RosterStoreProperty',
      'TagUnknown',
      'ValueRefused',
      'NameTaken',
    ],
    source: 'B 4.1, D32, docs/spec/tag-writes.md#dates',
    example: {
      path: { name: 'Kupiec Bogdan' },
      query: { type: 'NPC' },
      body: { tag: 'lokacja', value: 'Zamorze', from: '2026-06' },
    },
  }),
  'entities.delete': write({
    method: 'DELETE',
    path: '/entities/{name}',
    summary: 'Deletes an entity softly: its status is Usunięty from now on.',
    capability: 'entity.write',
    own: false,
    query: { type: EntityTypeText },
    body: null,
    answers: { 200: DeleteAnswer },
    refusals: ['EntityNotFound', 'AmbiguousName', 'RosterStoreProperty'],
    source: 'B 3, B 4.1, D32',
    example: { path: { name: 'Kupiec Bogdan' }, query: { type: 'NPC' } },
  }),
  'entities.rename': write({
    method: 'POST',
    path: '/entities/{name}/name',
    summary: 'Gives an entity another name; the old one stays as an alias, what is owned by it follows.',
    capability: 'entity.write',
    own: false,
    query: { type: EntityTypeText },
    body: EntityRename,
    bounds: namingBody,
    answers: { 200: RenameAnswer },
    refusals: ['EntityNotFound', 'AmbiguousName', 'RosterStoreProperty', 'ValueRefused', 'NameTaken'],
    source: 'B 3, B 4.1, D32, ADR 1027',
    example: { path: { name: 'Wit Kłos' }, query: { type: 'Postać' }, body: { name: 'Wit Kłosek' } },
  }),
} as const satisfies Table

const updated = { tag: 'Tag of the request, without the at sign.' } as const
const created = { type: 'Type of the new block.' } as const
const deleted = { status: 'Status of the block from now on, always `Usunięty`.' } as const

const renamed = {
  from: 'Heading before the rename.',
  retargeted: 'Rows that now name the new heading.',
  reported: 'Lines that still have the old name and were left as they are.',
} as const

const unresolved = 'Names in the request that may mean several blocks or none; absent when there are none.'

export const entityWriteDescriptions: Descriptions = {
  TagPatch: {
    tag: 'Tag to write, with or without the at sign.',
    value: 'New value; with `remove` the value that ends.',
    from: 'First day: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; null since ever, absent from today.',
    to: 'Last day in the same forms; null or absent for an open end.',
    remove: 'True ends the value instead of writing one.',
  },
  Updated: { updated: 'Heading of the block that was written.', ...updated, unresolved },
  UpdatePreview: { wouldUpdate: 'Heading of the block that would be written.', ...updated, unresolved },
  NameUse: {
    name: 'Name that the write gives.',
    use: 'Where the name is already used: as a block, owner, narrator, effect, PU award or file.',
    count: 'Number of all uses, listed or not.',
    blocks: 'Blocks with that use, 20 at most.',
  },
  'NameUse.blocks': { name: 'Heading of the block.', type: 'Type of the block.' },
  EntityCreate: {
    name: 'Heading of the new block.',
    type: 'Type of the new block; people (Gracz) are not made here.',
    tags: 'Values by tag without the at sign; a list for a tag with several values.',
  },
  Created: { created: 'Heading of the new block.', ...created, unresolved },
  CreatePreview: { wouldCreate: 'Heading that the new block would have.', ...created, unresolved },
  Deleted: { deleted: 'Heading of the block that was deleted.', ...deleted },
  DeletePreview: { wouldDelete: 'Heading of the block that would be deleted.', ...deleted },
  EntityRename: { name: 'New heading; the old one becomes an alias.' },
  Reference: {
    file: 'Path of the file.',
    tag: 'Tag of the rows, without the at sign; null for text that is no row.',
    lines: 'Lines that have the name, counted from 1.',
  },
  Renamed: { renamed: 'New heading of the block.', ...renamed, unresolved },
  RenamePreview: { wouldRename: 'Heading that the block would get.', ...renamed, unresolved },
}
