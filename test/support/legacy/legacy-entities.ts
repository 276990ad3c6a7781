import { nameKey } from '#protocol/atoms.js'
import { readRegistry } from '#src/domain/adoption/legacy/registry.js'
import type { Entities, Entity } from '#src/domain/entities/entity.js'
import { collectInSlices, typeInRows } from '#src/domain/entities/reading.js'
import { sortByPrecedence } from '#src/domain/lore/rows/deciding-order.js'
import type { Row } from '#src/domain/lore/rows/row-change.js'
import { atOnce } from '#src/domain/slicing/sliced.js'
import { fixtureText } from '#test/support/acceptance.js'
import { sourceFile } from '#test/support/world.js'

/** The entities of legacy registry fixtures, weakest first, as the corpus would hold them. */
export const legacyEntities = (fixtures: ReadonlyArray<string>): Entities => {
  const registry = readRegistry(fixtures.map(name => sourceFile(name, fixtureText(name))))
  const all = registry.entities.map((entity): Entity => {
    const rows = sortByPrecedence(
      entity.rows.map(
        ({ tag, value, range, line, path }): Row => ({
          tag,
          value,
          range,
          auto: false,
          line,
          endLine: line,
          source: { _tag: 'File', path },
        }),
      ),
    )
    const { name, path: file, line } = entity
    const type = typeInRows(rows) ?? entity.type
    return { name, key: nameKey(name), type, file, line, endLine: line, rows, ref: null }
  })
  return atOnce(collectInSlices([all], registry.findings))
}
