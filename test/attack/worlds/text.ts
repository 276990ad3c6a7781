import { many } from '#test/support/hostile/lore-text.js'

/** Parts that hostile worlds are written with. */
/** A session with its lists; items are lines below the list, with their indent. */
export const sessionWithLists = (header: string, lists: Readonly<Record<string, string>>): string =>
  `### ${header}\n\nProza.\n\n${Object.entries(lists)
    .map(([name, items]) => `- @${name}:\n${items}`)
    .join('')}\n`

const dayMs = 86_400_000

/** A day so many days before the end of 2025. */
export const dayBefore = (days: number): string =>
  new Date(Date.UTC(2025, 11, 31) - days * dayMs).toISOString().slice(0, 10)

export const closeRecordLine = (header: string): string =>
  `${JSON.stringify({ header, op: 'close', at: '2026-01-05T20:00:00Z', by: 'x', source: 'close', transfers: [], intel: [] })}\n`

/** What every world needs to be read at all, and one who narrates. */
export const basis: ReadonlyArray<readonly [path: string, text: string]> = [
  ['.svc/format.json', '{"format": 2}\n'],
  ['.svc/config.json', `${JSON.stringify({ server: { selfheal_interval_ms: 0, gc_interval_min: 0 } })}\n`],
  ['kontrybutorzy.md', '## Gracz\n### Brzoza\n- @gameid: 41001\n- @rola: Narrator\n'],
]

export const blocksAFile = 250

/** Blocks in index files of the usual size. */
export const inIndexFiles = (
  count: number,
  of: (at: number) => string,
): ReadonlyArray<readonly [string, string]> =>
  Array.from({ length: Math.ceil(count / blocksAFile) }, (_, file) => [
    `encje/indeks-${file + 10}.md`,
    many(Math.min(blocksAFile, count - file * blocksAFile), at => of(file * blocksAFile + at)),
  ])
