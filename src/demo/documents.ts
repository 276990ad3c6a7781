import type { Change } from './commit.js'
import type { EntityBlock } from './entities/entity-rows.js'
import type { CastEntry, WorldCast } from './people/cast.js'
import { slug } from './slug.js'

/** One in this many groups has its own document (`@plik`). */
const every = 10

export const documentPath = (entry: CastEntry): string => `Dokumenty/${slug(entry.name)}.md`

/** The groups that have a document. The second group keeps its rows there, by `@ref` (FORMATS 1.4). */
export const hasDocument = (at: number): boolean => at % every === 0

export const keepsRowsElsewhere = (at: number): boolean => at === 1

const chronicle = (group: CastEntry, cast: WorldCast, at: number): string => {
  const place = cast.places[(at * 7) % cast.places.length]?.role.full.forms
  const person = cast.npcs[(at * 5) % cast.npcs.length]?.role.full.forms
  return [
    `# ${group.name}`,
    `Najstarszy wpis mówi o przyjęciu ${person?.gen ?? ''} i o pierwszej wspólnej wyprawie.`,
    `Statut przechowuje się niedaleko ${place?.gen ?? ''}; odpis ma każdy, kto złożył przysięgę.`,
  ].join('\n\n')
}

const rowsList = (block: EntityBlock): string =>
  block.rows
    .filter(([tag]) => tag !== 'typ' && tag !== 'status')
    .map(([tag, value]) => `- @${tag}: ${value}`)
    .join('\n')

/** The documents of groups; `blocks` are those of `cast.groups`, in order. */
export const documentFiles = (cast: WorldCast, blocks: ReadonlyArray<EntityBlock>): ReadonlyArray<Change> =>
  cast.groups.flatMap((group, at): ReadonlyArray<Change> => {
    const block = blocks[at]
    if (block !== undefined && keepsRowsElsewhere(at))
      return [{ path: documentPath(group), text: `${rowsList(block)}\n` }]
    return hasDocument(at) ? [{ path: documentPath(group), text: `${chronicle(group, cast, at)}\n` }] : []
  })

/** The block in the index when its rows or its document are in another file. */
export const pointElsewhere = (block: EntityBlock, group: CastEntry, at: number): EntityBlock => {
  if (keepsRowsElsewhere(at))
    return {
      heading: block.heading,
      rows: [
        ...block.rows.filter(([tag]) => tag === 'typ' || tag === 'status'),
        ['ref', documentPath(group)],
      ],
    }
  return hasDocument(at) ? { ...block, rows: [...block.rows, ['plik', documentPath(group)]] } : block
}
