import { personsFiles } from './person.js'

const block = (name: string): string => `### ${name}\n- @typ: NPC\n`

/** Entities of the small world, six in each of two files. */
export const names = Array.from({ length: 12 }, (_, at) => `Kupiec ${'abcdefghijkl'[at] ?? ''}`)
const half = 6
const paths = ['encje/indeks.md', 'encje/indeks-02.md'] as const

export const lorePathOf = (name: string): string => paths[names.indexOf(name) < half ? 0 : 1]

/** A lore of two files beside what a person has in hand; `server` is its configuration. */
export const smallWorld = (server: object = {}): Readonly<Record<string, string>> => ({
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': `${JSON.stringify({ server: { selfheal_interval_ms: 600000, ...server } })}\n`,
  [paths[0]]: names.slice(0, half).map(block).join('\n'),
  [paths[1]]: names.slice(half).map(block).join('\n'),
  ...personsFiles,
})
