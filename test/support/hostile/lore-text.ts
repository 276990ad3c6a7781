/** Pieces of hostile lore: pure functions of their arguments. */

/** A lore repository as texts by path. */
export type Files = Readonly<Record<string, string>>

/** `of(0)` to `of(n - 1)`, joined. */
export const many = (n: number, of: (at: number) => string): string =>
  Array.from({ length: n }, (_, at) => of(at)).join('')

/** An index block of a type; each row without its `- @`. */
export const block = (type: string, heading: string, ...rows: ReadonlyArray<string>): string =>
  `### ${heading}\n- @typ: ${type}\n${rows.map(row => `- @${row}\n`).join('')}\n`

/** The items of a metadata list of a session. */
export const items = (n: number, of: (at: number) => string): string => many(n, at => `    - ${of(at)}\n`)

/** One entry of a Zmiany list: the name, and the tags without their `- @`. */
export const change = (name: string, ...tags: ReadonlyArray<string>): string =>
  `    - ${name}\n${tags.map(tag => `        - @${tag}\n`).join('')}`

/** A session of the narrator Brzoza with the given metadata lists. */
export const session = (
  header: string,
  ...lists: ReadonlyArray<readonly [name: string, items: string]>
): string => `### ${header}\n\nProza.\n\n${lists.map(([name, text]) => `- @${name}:\n${text}`).join('')}\n`

/** The header of a session on a day. */
export const headerOn = (day: string, title: string): string => `${day}, ${title}, Brzoza`

/** The line of the close ledger that closes a session. */
export const closeRecord = (header: string): string =>
  `${JSON.stringify({ header, op: 'close', at: '2026-01-01T00:00:00Z', by: 'Brzoza', source: 'close' })}\n`

const dayMs = 86_400_000

/** The day `at` days after 2000-01-01; earlier where `at` is negative. */
export const dayAt = (at: number): string =>
  new Date(Date.UTC(2000, 0, 1) + at * dayMs).toISOString().slice(0, 10)

/** A repository of format 2 with one narrator and the given files. */
export const repositoryWith = (files: Files): Files => ({
  '.svc/format.json': '{"format": 2}',
  'kontrybutorzy.md': '## Gracz\n### Brzoza\n- @gameid: 41001\n- @rola: Narrator\n',
  ...files,
})

/** `count` numbers below `below`, the same for the same seed (a linear congruential generator). */
export const numbers = (seed: number, count: number, below: number): ReadonlyArray<number> => {
  let state = seed >>> 0
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  })
}
