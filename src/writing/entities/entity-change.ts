import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import { type EntityType, type NameKey, nameKey, RepoPath } from '#protocol/atoms.js'
import type { TagValues } from '#protocol/lore/entity-writes.js'
import { type Refusal, type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { twinsOf } from '#src/domain/entities/reading.js'
import { blocksOf } from '#src/domain/lore/blocks.js'
import { type ChangeSet, monthOf, type Touched } from '#src/domain/lore/changes.js'
import { type FileEdit, keepHidden, type Splice } from '#src/domain/lore/file-edit.js'
import { type SourceFile, textBytes } from '#src/domain/lore/layout.js'
import { escapeComments, type Lines, linesOf, rawLines } from '#src/domain/lore/lines.js'
import type { Block } from '#src/domain/lore/rows/row-change.js'
import { nameTags, renderLine } from '#src/domain/lore/rows/rows.js'
import { type TagRule, tagKeys } from '#src/domain/lore/tag-schema.js'
import { andMore, firstNames } from '#src/domain/names/name-index.js'
import { nearestBlocks } from '#src/domain/names/nearest.js'
import { rosterStoreProperty } from '#src/domain/people/roster.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WritePlan } from '../command.js'
import { refuseValue, ruleOf, tagValue, type ValuePlace } from './tags.js'

/** The claim on a block: the gate never plans two writes of one block on one snapshot (A 4.1). */
export const entityClaim = ({ type, key }: Kinded): string => `entity:${type}:${key}`

/**
 * The claim on a name. Of two writes that give one name, the later is planned again and then refused as
 * taken.
 */
export const nameClaim = (key: NameKey): string => `name:${key}`

/** The claims on the names that values give a block. */
export const spellingClaims = (tag: string, values: ReadonlyArray<string>): ReadonlyArray<string> =>
  nameTags.has(tag) ? values.map(value => nameClaim(nameKey(value))) : []

/**
 * The claim on the tree of places. Without it two writes of parents on one snapshot could together close a
 * cycle.
 */
export const treeClaims = (type: EntityType, tag: string): ReadonlyArray<string> =>
  type === 'Lokacja' && tag === 'lokacja' ? ['tree:lokacja'] : []

/** What a write to the block reports as changed. */
export const touchBlock = ({ type, name }: Pick<Entity, 'type' | 'name'>): Touched => ({
  kind: type === 'Postać' ? 'character' : 'entity',
  name,
})

/** The edit of one file; empty when no line changes. */
export const fileEdit = (file: SourceFile, splices: ReadonlyArray<Splice>): ReadonlyArray<FileEdit> =>
  splices.length === 0
    ? []
    : [
        {
          _tag: 'Lines',
          path: file.path,
          before: file.blob,
          splices: keepHidden(readFile(file).lines, splices),
        },
      ]

export const newTags = (written: TagValues, place: ValuePlace): Either<Refused, NewTags> => {
  const tags = new Map<string, ReadonlyArray<string>>()
  for (const [name, given] of Object.entries(written)) {
    const rule = ruleOf(name, place.type)
    if (isLeft(rule)) return rule
    const before = tags.get(rule.right.tag) ?? []
    const values = valuesOf(rule.right, [...before, ...(typeof given === 'string' ? [given] : given)], place)
    if (isLeft(values)) return values
    tags.set(rule.right.tag, values.right)
  }
  return right(tags)
}

/**
 * The lines of a new block: its type, then its tags in the order of the schema; a status is dated (FORMATS
 * 1.9).
 */
export const blockLines = (
  name: string,
  { type, day }: Pick<ValuePlace, 'type' | 'day'>,
  tags: NewTags,
): ReadonlyArray<string> => {
  const rows = tagKeys
    .filter(tag => tag !== 'typ')
    .flatMap(tag =>
      (tags.get(tag) ?? []).map(value => line(tag, value, tag === 'status' ? `${monthOf(day)}:` : '')),
    )
  return [`### ${name}`, line('typ', type), ...rows].map(escapeComments)
}

/** The end of the last index file while it has room, else a new file after it (D31). */
export const indexSlot = (files: ReadonlyMap<string, SourceFile>): IndexSlot => {
  let last = 0
  for (const path of files.keys()) last = Math.max(last, numberOf(path))
  const file = last === 0 ? undefined : files.get(pathAt(last))
  const room = file === undefined ? 0 : roomIn(file)
  if (file !== undefined && room > 0)
    return {
      edit: block => appendBlock(file, block),
      claim: room <= nearlyFull ? `slot:${file.path}` : null,
    }
  const path = pathAt(last + 1)
  return {
    edit: block => ({ _tag: 'Whole', path, before: null, after: `${block.join('\n')}\n` }),
    claim: `slot:${path}`,
  }
}

/** A plan that applies a rule to the one block that a name means (D12). */
export const planForBlock =
  <A, R extends Refusal>(
    name: string,
    type: EntityType | undefined,
    rule: (snapshot: Snapshot, entity: Entity) => Either<R, ChangeSet<A>>,
  ): WritePlan<A, R | RefusalOf<'EntityNotFound' | 'AmbiguousName'>> =>
  snapshot => {
    const entity = targetNamed(snapshot.entities, name, type)
    return isLeft(entity) ? entity : rule(snapshot, entity.right)
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

type Kinded = Pick<Entity, 'type' | 'key'>

type NewTags = ReadonlyMap<string, ReadonlyArray<string>>

type Refused = RefusalOf<'TagUnknown' | 'ValueRefused'>

const valuesOf = (
  rule: TagRule,
  written: ReadonlyArray<string>,
  place: ValuePlace,
): Either<Refused, ReadonlyArray<string>> => {
  const values = new Set<string>()
  for (const one of written) {
    const value = tagValue(rule, one, place)
    if (isLeft(value)) return value
    values.add(value.right)
  }
  if (rule.tag === 'typ' && [...values].some(value => value !== place.type))
    return left(refuseValue('@typ', `must be ${place.type} on this route`))
  if (!rule.multi && values.size > 1)
    return left(refuseValue(`@${rule.tag}`, 'is a list, but the tag takes one value'))
  return right([...values])
}

const line = (tag: string, value: string, range = ''): string =>
  renderLine({ kind: 'tag', before: `- @${tag}:`, value, range, auto: false })

/** Largest number of blocks in one index file (D31). */
const blocksMax = 250

/**
 * A file with more bytes accepts no further block, however few it has: above 8 MiB the daemon would not read
 * it.
 */
const fullBytes = 4 * 1024 * 1024

/**
 * With this little room left, creations are planned one after another. It must be at least the number of
 * creations that can be planned on one snapshot.
 */
const nearlyFull = 64

/** The place of a new block. `claim` is set when two creations must not be planned on one snapshot. */
interface IndexSlot {
  readonly edit: (block: ReadonlyArray<string>) => FileEdit
  readonly claim: string | null
}

const pathAt = (number: number): RepoPath => {
  const path = RepoPath.decode(
    number === 1 ? 'encje/indeks.md' : `encje/indeks-${String(number).padStart(2, '0')}.md`,
  )
  if (isLeft(path)) throw new Error(`the index file ${number} has no path`)
  return path.right
}

const numberOf = (path: string): number => {
  if (path === 'encje/indeks.md') return 1
  return Number(/^encje\/indeks-(\d{2,6})\.md$/u.exec(path)?.[1] ?? 0)
}

const appendBlock = (file: SourceFile, block: ReadonlyArray<string>): FileEdit => {
  const lines = rawLines(file.text)
  const last = lines.at(-1)
  const spaced = last === undefined ? block : last.trim() === '' ? [...block, ''] : ['', ...block]
  const at = lines.length + 1
  return {
    _tag: 'Lines',
    path: file.path,
    before: file.blob,
    splices: [{ from: at, to: at - 1, lines: spaced }],
  }
}

/**
 * How many blocks a file still accepts; zero for a file of which the rest is hidden, that is not UTF-8, or that is too
 * large.
 */
const roomIn = (file: SourceFile): number => {
  if (file.undecodable || textBytes(file) > fullBytes) return 0
  const { lines, blocks } = readFile(file)
  return lines.unclosed === null ? Math.max(0, blocksMax - blocks.length) : 0
}

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

const duplicate = ({ name, type }: Entity): RefusalOf<'AmbiguousName'> =>
  refuse(
    'AmbiguousName',
    `Several blocks of one file have the heading "${name}" and the type ${type}, so a write would mean any of them. ` +
      'Join them by a commit; the findings DuplicateBlock of GET /entities/integrity say where they are.',
    { types: [type], candidates: [name] },
  )
