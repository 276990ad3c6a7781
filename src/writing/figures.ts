import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type { AwardBlock } from '#protocol/lore/award.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { blockOfRef } from '#src/domain/entities/ref-target.js'
import { formatFixed2 } from '#src/domain/lore/figures.js'
import type { FileEdit, Splice } from '#src/domain/lore/file-edit.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { type Lines, linesOf } from '#src/domain/lore/lines.js'
import type { Block, Row, RowChange } from '#src/domain/lore/rows/row-change.js'
import { rowSplices } from '#src/domain/lore/rows/row-splices.js'
import type { MonthAward } from '#src/domain/points/award.js'
import { charactersAt } from '#src/snapshot/own-scope-at.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { fileEdit, targetOf } from './entities/entity-change.js'

/** The figures that a character is to have. */
export type NewFigures = Pick<MonthAward, 'character' | 'sumaAfter' | 'zdobyteAfter' | 'nadmiarAfter'>

/** The edits that give characters their figures, and the characters whose figures cannot be written. */
export interface WrittenFigures {
  readonly edits: ReadonlyArray<FileEdit>
  readonly entities: ReadonlyArray<Entity>
  readonly blocked: ReadonlyArray<AwardBlock>
}

/** Writes figures where the characters have them: in their blocks, or where their `@ref` reads them. */
export const writeFigures = (snapshot: Snapshot, awards: ReadonlyArray<NewFigures>): WrittenFigures => {
  const entityOf = new Map(charactersAt(snapshot).all.map(({ entity }) => [entity.name, entity]))
  const splices = new Map<SourceFile, Array<Splice>>()
  const linesIn = new Map<SourceFile, Lines>()
  const entities: Array<Entity> = []
  const blocked: Array<AwardBlock> = []
  for (const award of awards) {
    const entity = entityOf.get(award.character)
    if (entity === undefined) throw new Error(`the character ${award.character} has no block`)
    const home = homeOfFigures(snapshot, entity)
    if (isLeft(home)) {
      blocked.push(home.left)
      continue
    }
    const { file, block } = home.right
    const own = splices.get(file) ?? []
    const lines = linesIn.get(file) ?? linesOf(file.text)
    linesIn.set(file, lines)
    own.push(...rowSplices(block, lines, figureChanges(block, award)))
    splices.set(file, own)
    entities.push(entity)
  }
  return { entities, blocked, edits: [...splices].flatMap(([file, all]) => fileEdit(file, all)) }
}

const figureChanges = (
  { rows }: Pick<Block, 'rows'>,
  { sumaAfter, zdobyteAfter, nadmiarAfter }: NewFigures,
): ReadonlyArray<RowChange> =>
  (
    [
      ['pu_suma', sumaAfter],
      ['pu_zdobyte', zdobyteAfter],
      ['pu_nadmiar', nadmiarAfter],
    ] as const
  ).flatMap(([tag, figure]): ReadonlyArray<RowChange> => {
    const own = rows.filter(row => row.tag === tag)
    const [value, last] = [formatFixed2(figure), own.at(-1)]
    if (last === undefined) return [{ _tag: 'Add', tag, value, range: '' }]
    // A figure has one row: what stands above the last one would decide if it had no days.
    const others = own.slice(0, -1).map((row): RowChange => ({ _tag: 'Drop', row }))
    return [...others, { _tag: 'Rewrite', row: last, value, range: '' }]
  })

const figureTags: ReadonlySet<string> = new Set(['pu_suma', 'pu_zdobyte', 'pu_nadmiar'])

/** Where the figures of a character stand: its block, or what its `@ref` reads. */
const homeOfFigures = (
  { files }: Snapshot,
  entity: Entity,
): Either<AwardBlock, { readonly file: SourceFile; readonly block: Block }> => {
  const refused = (detail: string): Either<AwardBlock, never> =>
    left({
      Kind: 'FiguresNotWritable',
      Subject: entity.name,
      File: entity.file,
      Line: entity.line,
      Detail: detail,
    })
  const isAway = entity.ref !== null && entity.ref.broken === null
  const target = isAway ? null : targetOf(files, entity, null)
  if (target !== null && isLeft(target)) return refused(target.left.detail)
  const file = target?.right.file ?? files.get(entity.ref?.file ?? '')
  const block = target?.right.block ?? (file === undefined ? null : blockOfRef(file, entity.key))
  if (file === undefined || block === null) return refused('`@ref` names no block that can be written.')
  const isHere = ({ source }: Row): boolean => source._tag === 'File' && source.path === file.path
  return entity.rows.every(row => !figureTags.has(row.tag) || isHere(row))
    ? right({ file, block })
    : refused(`Some figures of the character do not stand in ${file.path}. Move them there.`)
}
