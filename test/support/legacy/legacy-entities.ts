import { nameKey } from '#protocol/atoms/name.js'
import { readRegistry } from '#src/admin/legacy/registry.js'
import { slicedCollect } from '#src/entities/collect.js'
import type { Entities, Entity } from '#src/entities/entity.js'
import { statedType } from '#src/entities/entity-of-block.js'
import { decidingOrder } from '#src/lore/deciding-order.js'
import type { Row } from '#src/lore/row.js'
import { atOnce } from '#src/lore/sliced.js'
import { fixtureText } from '#test/support/acceptance.js'
import { sourceFile } from '#test/support/world.js'

/** The entities of legacy registry fixtures, read weakest first, as the corpus would hold them. */
export const legacyEntities = (fixtures: ReadonlyArray<string>): Entities => {
  const registry = readRegistry(fixtures.map(name => sourceFile(name, fixtureText(name))))
  const all = registry.entities.map((entity): Entity => {
    const rows = decidingOrder(
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
    const type = statedType(rows) ?? entity.type
    return { name, key: nameKey(name), type, file, line, endLine: line, rows, ref: null }
  })
  return atOnce(slicedCollect([all], registry.findings))
}
