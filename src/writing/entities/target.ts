import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { type EntityType, nameKey } from '#protocol/atoms.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { twinsOf } from '#src/domain/entities/reading.js'
import { blocksOf } from '#src/domain/lore/blocks.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Lines, linesOf } from '#src/domain/lore/lines.js'
import type { Block } from '#src/domain/lore/row-change.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { rosterStoreProperty } from '#src/domain/people/roster.js'

type Named = Either<RefusalOf<'EntityNotFound' | 'AmbiguousName'>, Entity>

const ambiguous = (name: string, owners: ReadonlyArray<Entity>): Named => {
  const unique = (all: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(all)]
  const told = firstNames(unique(owners.map(one => one.name)), one => one)
  const types = unique(owners.map(one => one.type))
  const advice = [
    ...(types.length > 1 ? [`say the type, one of ${types.join(', ')}`] : []),
    ...(told.names.length > 1 ? ['send one heading of `candidates`'] : []),
  ].join(', or ')
  const detail = `${owners.length} blocks have the name "${name}". To choose one, ${advice}.${andMore(told)}`
  return left(refuse('AmbiguousName', detail, { types, candidates: told.names }))
}

/**
 * The one block that a write means (D12): by heading if all blocks of that heading have one type, else by an
 * alias that only one block has. Refuses when several are meant.
 */
export const targetNamed = (entities: Entities, name: string, type?: EntityType): Named => {
  const key = nameKey(name)
  const among = (all: ReadonlyArray<Entity> = []): ReadonlyArray<Entity> =>
    type === undefined ? all : all.filter(one => one.type === type)
  const [headed, called] = [among(entities.byHeading.get(key)), among(entities.byAlias.get(key))]
  const [first] = headed
  if (first !== undefined)
    return headed.every(one => one.type === first.type) ? right(first) : ambiguous(name, headed)
  const [only] = called
  if (only === undefined)
    return left(
      refuse(
        'EntityNotFound',
        `No entity has the heading or alias "${name}". Find names in any form with POST /resolve.`,
        {
          nearest: nearestBlocks(entities, name, type ?? null),
        },
      ),
    )
  return called.length === 1 ? right(only) : ambiguous(name, called)
}

/** A block of an index file, with the lines of the file. */
export interface EntityTarget {
  readonly entity: Entity
  readonly file: SourceFile
  readonly block: Block
  readonly lines: Lines
}

/** The lines and blocks of a file, parsed once; `twins` are blocks whose heading and type others of the file have. */
export const readFile = perValue((file: SourceFile) => {
  const blocks = blocksOf(file)
  return { lines: linesOf(file.text), blocks, twins: new Set(twinsOf(blocks, file.path).flatMap(all => all)) }
})

const duplicate = ({ name, type }: Entity): RefusalOf<'AmbiguousName'> =>
  refuse(
    'AmbiguousName',
    `Several blocks of one file have the heading "${name}" and the type ${type}, so a write would mean any of them. ` +
      'Join them by a commit; the findings DuplicateBlock of GET /entities/integrity say where they are.',
    { types: [type], candidates: [name] },
  )

/**
 * The place where an entity is written. Refuses a Gracz, because the contributor store is edited by commits
 * (A 4.6.1), and a block that its file has twice.
 */
export const targetOf = (
  files: ReadonlyMap<string, SourceFile>,
  entity: Entity,
  tag: string | null,
): Either<RefusalOf<'RosterStoreProperty' | 'AmbiguousName'>, EntityTarget> => {
  if (entity.type === 'Gracz') return left(rosterStoreProperty(entity.name, tag))
  const file = files.get(entity.file)
  const read = file === undefined ? null : readFile(file)
  const block = read?.blocks.find(one => one.line === entity.line)
  if (file === undefined || read === null || block === undefined)
    throw new Error(`${entity.file}:${entity.line} holds no block`)
  if (read.twins.has(block)) return left(duplicate(entity))
  return right({ entity, file, block, lines: read.lines })
}
