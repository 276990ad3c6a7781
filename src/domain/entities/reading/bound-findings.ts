import type { RepoPath } from '#protocol/atoms.js'
import { bounds } from '#protocol/bounds.js'
import type { Block } from '#src/domain/lore/blocks/block.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import { nameTags } from '#src/domain/lore/rows/rows.js'

type Noted = readonly [line: number, kind: string, reason: string, suggestion: string]

const { nameChars, valueBytes, blockRows } = bounds

/** Most bytes of a UTF-16 code unit in UTF-8, so that short texts need not be measured. */
const bytesPerUnit = 3

const longName = (line: number, name: string, what: string): ReadonlyArray<Noted> =>
  name.length <= nameChars.limit
    ? []
    : [
        [
          line,
          'NameTooLong',
          `${what} ma za dużo znaków (${name.length}); limit to ${nameChars.limit}.`,
          'Nadaj krótszą nazwę.',
        ],
      ]

const longValue = ({ tag, value, line }: Row): ReadonlyArray<Noted> => {
  const bytes = value.length * bytesPerUnit <= valueBytes.limit ? 0 : Buffer.byteLength(value)
  return bytes <= valueBytes.limit
    ? []
    : [
        [
          line,
          'ValueTooLong',
          `Wartość @${tag} ma za dużo bajtów (${bytes}); limit to ${valueBytes.limit}.`,
          'Skróć wartość albo podziel ją na kilka wierszy.',
        ],
      ]
}

const longBlock = ({ line, rows }: Block): ReadonlyArray<Noted> =>
  rows.length <= blockRows.limit
    ? []
    : [
        [
          line,
          'BlockTooLong',
          `Blok ma za dużo wierszy (${rows.length}); limit to ${blockRows.limit}.`,
          'Usuń zbędne wiersze; do tego czasu host nie dopisze do bloku żadnego nowego.',
        ],
      ]

/** Findings of a block above the bounds of a write (D64). The block is read all the same. */
export const boundFindings = (block: Block, file: RepoPath): ReadonlyArray<Finding> => {
  const noted = [
    ...longName(block.line, block.heading, 'Nagłówek'),
    ...longBlock(block),
    ...block.rows.flatMap(row =>
      nameTags.has(row.tag) ? longName(row.line, row.value, `@${row.tag}`) : longValue(row),
    ),
  ]
  return noted.map(([line, kind, reason, suggestion]) => ({
    kind,
    severity: 'warning',
    file,
    line,
    subject: block.heading.slice(0, nameChars.limit),
    reason,
    suggestion,
  }))
}
