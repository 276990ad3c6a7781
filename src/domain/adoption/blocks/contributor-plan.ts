import { nameKey } from '#protocol/atoms.js'
import { parseBlocks } from '#src/domain/lore/blocks/blocks.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { linesOf, rawLines } from '#src/domain/lore/lines/lines.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import { blocksAppended, blocksInserted } from './block-insertion.js'
import { blockTextIn } from './index-plan.js'
import { omissionFindings, type PlannedBlock } from './planned-block.js'

/**
 * The new text of the contributor store, null when nothing is missing; and the number of kept blocks that
 * adoption would not write.
 */
export interface ContributorPlan {
  readonly text: string | null
  readonly preserved: number
  readonly findings: ReadonlyArray<Finding>
}

const heading = '## Gracz'

const isGracz = (section: string | null): boolean =>
  section !== null && ['gracz', 'gracze'].includes(nameKey(section))

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
