import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EntityType, nameKey, type RepoPath } from '#protocol/atoms.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { FileEdit } from '#src/domain/lore/file-edit.js'
import type { RowChange } from '#src/domain/lore/rows/row-change.js'
import { rowSplices } from '#src/domain/lore/rows/row-splices.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Command } from './command.js'
import {
  blockLines,
  type EntityTarget,
  entityClaim,
  fileEdit,
  indexSlot,
  nameClaim,
  spellingClaims,
  targetNamed,
  targetOf,
  touchBlock,
} from './entities/entity-change.js'
import { formTaken, headingFault } from './entities/taken.js'

/** One line that an autopilot adds to a block, with the mark ` (auto)`, or takes back. */
const MachineLine = t.type({
  _tag: t.keyof({ Add: null, Drop: null }),
  name: t.string,
  type: EntityType,
  tag: t.string,
  value: t.string,
})
export type MachineLine = t.TypeOf<typeof MachineLine>

/** A block that an autopilot makes, with one marked line. */
const MachineBlock = t.type({
  _tag: t.literal('Block'),
  name: t.string,
  type: EntityType,
  tag: t.string,
  value: t.string,
})

/** The lines that one tick of an autopilot writes, in one commit. No caller can send it. */
export const MachineLines = t.type(
  { _tag: t.literal('MachineLines'), lines: t.readonlyArray(t.union([MachineLine, MachineBlock])) },
  'MachineLines',
)
export type MachineLines = t.TypeOf<typeof MachineLines>

/** The command of an autopilot, whose name the audit and the commit have. */
export const machineLinesCommand = (autopilot: string, lines: MachineLines['lines']): Command => ({
  actor: { name: autopilot, gracz: null, kind: 'machine' },
  route: autopilot,
  row: 'import.run',
  asker: { _tag: 'Host' },
  grade: 'full',
  path: {},
  query: {},
  body: {},
  prepared: { _tag: 'MachineLines', lines },
  dryRun: false,
  wants: null,
})

/** How many lines were written; the others no longer apply. */
export interface MachineLinesAnswer {
  readonly written: number
}

/**
 * Plans the lines on a snapshot. One that no longer applies is left out: its block is gone or not writable, it has the
 * value already, its name belongs to another block by now, or the line to take back is no machine's any more.
 */
export const planMachineLines = (
  snapshot: Snapshot,
  { lines }: MachineLines,
): Either<never, ChangeSet<MachineLinesAnswer>> => {
  const changes = new Map<EntityTarget, Array<RowChange>>()
  const targets = new Map<string, EntityTarget>()
  const claims: Array<string> = []
  const blocks: Array<ReadonlyArray<string>> = []
  const told: Array<string> = []
  for (const line of lines) {
    if (line._tag === 'Block') {
      if (!isFree(snapshot, line)) continue
      const { name, type, tag, value } = line
      blocks.push([...blockLines(name, { type, day: snapshot.day }, new Map()), `- @${tag}: ${value} (auto)`])
      claims.push(entityClaim({ type, key: nameKey(name) }), nameClaim(nameKey(name)))
      told.push(`${name} @${tag}`)
      continue
    }
    const target = targetFor(snapshot, line, targets)
    const change = target === null ? null : changeOf(snapshot, target, line)
    if (target === null || change === null) continue
    changes.set(target, [...(changes.get(target) ?? []), change])
    claims.push(entityClaim(target.entity), ...spellingClaims(line.tag, [line.value]))
    told.push(`${line.name} @${line.tag}`)
  }
  return right({
    edits: [...editsOf(changes), ...blockEdits(snapshot, blocks)],
    claims,
    touches: [...changes.keys()].map(({ entity }) => touchBlock(entity)),
    subject: `autopilot: ${told.slice(0, 3).join(', ')}${told.length > 3 ? ` and ${told.length - 3} more` : ''}`,
    answer: { written: told.length },
    preview: {},
  })
}

const isFree = (snapshot: Snapshot, { name, type }: t.TypeOf<typeof MachineBlock>): boolean =>
  headingFault(name, type) === null &&
  !snapshot.entities.byHeading.has(nameKey(name)) &&
  formTaken(snapshot, name, null) === null

const targetFor = (
  { entities, files }: Snapshot,
  { name, type, tag }: MachineLine,
  known: Map<string, EntityTarget>,
): EntityTarget | null => {
  const found = targetNamed(entities, name, type)
  if (isLeft(found)) return null
  const key = `${type}\n${found.right.key}`
  const before = known.get(key)
  if (before !== undefined) return before
  const target = targetOf(files, found.right, tag)
  if (isLeft(target)) return null
  known.set(key, target.right)
  return target.right
}

const changeOf = (
  snapshot: Snapshot,
  { entity, block }: EntityTarget,
  { _tag, tag, value }: MachineLine,
): RowChange | null => {
  const isSame = (row: { readonly tag: string; readonly value: string }): boolean =>
    row.tag === tag && nameKey(row.value) === nameKey(value)
  if (_tag === 'Drop') {
    const row = block.rows.find(one => one.auto && isSame(one))
    return row === undefined ? null : { _tag: 'Drop', row }
  }
  if (entity.rows.some(isSame)) return null
  if (tag === 'alias' && formTaken(snapshot, value, entity) !== null) return null
  return { _tag: 'Add', tag, value, range: '', auto: true }
}

/** The edits of the blocks, one for each file. */
const editsOf = (changes: ReadonlyMap<EntityTarget, ReadonlyArray<RowChange>>): ReadonlyArray<FileEdit> => {
  const byFile = new Map<RepoPath, FileEdit>()
  for (const [{ file, block, lines }, all] of changes)
    for (const edit of fileEdit(file, rowSplices(block, lines, all))) {
      const known = byFile.get(edit.path)
      byFile.set(
        edit.path,
        known?._tag === 'Lines' && edit._tag === 'Lines'
          ? { ...known, splices: [...known.splices, ...edit.splices] }
          : edit,
      )
    }
  return [...byFile.values()]
}

const blockEdits = (
  { files }: Snapshot,
  blocks: ReadonlyArray<ReadonlyArray<string>>,
): ReadonlyArray<FileEdit> => {
  const [first, ...rest] = blocks
  return first === undefined ? [] : [indexSlot(files).edit([...first, ...rest.flatMap(one => ['', ...one])])]
}
