import { type EntityType, nameKey } from '#protocol/atoms.js'
import { parseBlocks } from '#src/domain/lore/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { SourceFile } from '#src/domain/lore/layout.js'
import { linesOf, newlineOf, rawLines } from '#src/domain/lore/lines.js'
import type { Block } from '#src/domain/lore/rows/row-change.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import { blocksAppended, blocksInserted, omissionFindings, type PlannedBlock } from './blocks.js'
import { typeOfWord } from './legacy/registry.js'

/**
 * Plans the `## Gracz` section: keeps existing people and adds the others after the last of them (FORMATS 9,
 * step 5).
 */
export const planContributors = (
  file: SourceFile | undefined,
  planned: ReadonlyArray<PlannedBlock>,
  stamped: boolean,
): ContributorPlan => {
  if (file === undefined) {
    const text = blocksAppended(
      `${heading}\n`,
      planned.map(block => block.text),
      '\n',
    )
    return { text: planned.length === 0 ? null : text, preserved: 0, findings: [] }
  }
  const { blocks } = parseBlocks(file)
  const people = blocks.filter(block => isGracz(block.section))
  const lines = rawLines(file.text)
  const texts = new Map(people.map(block => [nameKey(block.heading), blockTextIn(lines, block)]))
  const old = new Set(
    people.flatMap(block => block.rows.filter(row => nameTags.has(row.tag)).map(row => nameKey(row.value))),
  )
  const missing = planned.filter(
    ({ heading: name }) => !texts.has(nameKey(name)) && !(stamped && old.has(nameKey(name))),
  )
  const ours = planned.filter(block => texts.get(nameKey(block.heading)) === block.text)
  const header = linesOf(file.text).lines.findLast(
    line => line._tag === 'Header' && line.level === 2 && isGracz(line.text),
  )
  const at = people.at(-1)?.endLine ?? header?.number ?? null
  const written = missing.map(block => block.text)
  const text = blocksInserted(file.text, at, at === null ? [heading, ...written] : written)
  return {
    text: missing.length === 0 ? null : text,
    preserved: people.length - ours.length,
    findings: stamped
      ? []
      : planned.flatMap(block => {
          const there = texts.get(nameKey(block.heading))
          return there === undefined ? [] : omissionFindings(block, there)
        }),
  }
}

/** The key by which two blocks are the same entity: type and name key. */
export const blockKey = (type: EntityType, heading: string): string => `${type}/${nameKey(heading)}`

/**
 * Plans the index: keeps existing blocks and adds the others to the first index file with room (D31). In a
 * repository that is already stamped a block also matches by its old names, so that a renamed one is not
 * written again.
 */
export const planIndex = (
  files: ReadonlyArray<SourceFile>,
  planned: ReadonlyArray<PlannedBlock>,
  stamped: boolean,
): IndexPlan => {
  const before = standingOf(files)
  const keys = planned.map(block => blockKey(block.type, block.heading))
  const isThere = (key: string): boolean => before.texts.has(key) || (stamped && before.aliases.has(key))
  const missing = planned.filter((_, at) => !isThere(keys[at] ?? ''))
  const ours = planned.filter((block, at) => before.texts.get(keys[at] ?? '') === block.text)
  const byPath = new Map(files.map(file => [file.path.normalize('NFC'), file]))
  return {
    texts: fillFiles(
      byPath,
      missing.map(block => block.text),
    ),
    preserved: before.count - ours.length,
    standing: new Set(keys.filter(isThere)),
    findings: stamped
      ? []
      : planned.flatMap((block, at) => {
          const there = before.texts.get(keys[at] ?? '')
          return there === undefined ? [] : omissionFindings(block, there)
        }),
  }
}

/**
 * The new text of the contributor store, null when nothing is missing; and the number of kept blocks that
 * adoption would not write.
 */
interface ContributorPlan {
  readonly text: string | null
  readonly preserved: number
  readonly findings: ReadonlyArray<Finding>
}

const heading = '## Gracz'

const isGracz = (section: string | null): boolean =>
  section !== null && ['gracz', 'gracze'].includes(nameKey(section))

/** The plan of the index: new texts by path, and the result of comparing planned with existing blocks. */
interface IndexPlan {
  readonly texts: ReadonlyMap<string, string>
  /** Existing blocks that differ from what adoption would write; they are kept byte for byte. */
  readonly preserved: number
  /** Keys (`blockKey`) of planned blocks that exist already in any form. */
  readonly standing: ReadonlySet<string>
  readonly findings: ReadonlyArray<Finding>
}

/** Largest number of blocks in one index file (D31). */
const blocksMax = 250

const typeOf = (block: Block): EntityType | null =>
  typeOfWord(block.rows.findLast(row => row.tag === 'typ')?.value ?? '')

/** Text of the lines of a block, joined by LF. */
const blockTextIn = (lines: ReadonlyArray<string>, block: Block): string =>
  lines.slice(block.line - 1, block.endLine).join('\n')

interface Standing {
  /** The first block of each key. */
  readonly texts: ReadonlyMap<string, string>
  readonly aliases: ReadonlySet<string>
  readonly count: number
}

const standingOf = (files: ReadonlyArray<SourceFile>): Standing => {
  const texts = new Map<string, string>()
  const aliases = new Set<string>()
  let count = 0
  for (const file of files) {
    const lines = rawLines(file.text)
    for (const block of parseBlocks(file).blocks) {
      count += 1
      const type = typeOf(block)
      if (type === null) continue
      const key = blockKey(type, block.heading)
      if (!texts.has(key)) texts.set(key, blockTextIn(lines, block))
      for (const row of block.rows) if (nameTags.has(row.tag)) aliases.add(blockKey(type, row.value))
    }
  }
  return { texts, aliases, count }
}

/** `encje/indeks.md`, then `encje/indeks-02.md` and so on. */
const pathAt = (number: number): string =>
  number === 1 ? 'encje/indeks.md' : `encje/indeks-${String(number).padStart(2, '0')}.md`

const roomIn = (file: SourceFile | undefined): number => {
  if (file === undefined) return blocksMax
  return linesOf(file.text).unclosed === null ? Math.max(0, blocksMax - parseBlocks(file).blocks.length) : 0
}

const fillFiles = (
  files: ReadonlyMap<string, SourceFile>,
  blocks: ReadonlyArray<string>,
): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  let [done, number] = [0, 1]
  while (done < blocks.length) {
    const path = pathAt(number)
    const file = files.get(path)
    const room = roomIn(file)
    const before = file?.text ?? ''
    if (room > 0) texts.set(path, blocksAppended(before, blocks.slice(done, done + room), newlineOf(before)))
    done += room
    number += 1
  }
  return texts
}
