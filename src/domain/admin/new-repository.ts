import { formatSeed, jsonText, rolesSeed, type Seed } from './seeds.js'

/** The example is no row, so that it is not reported as hidden text. */
const contributors = `<!--
Kto należy do społeczności. Osoba to blok pod „## Gracz”, rola to blok pod „## Role”.
Przykład; wpisz swoje bloki poniżej bez kreski na początku i zatwierdź zmianę w git:

| ### Solmyr
| - @gameid: 12345 (2026-01:)
| - @rola: Radny (2026-01:)
| - @status: Aktywny
| - @chat: sesje/solmyr-kanał
-->

## Gracz

## Role
`

/** The keys that an operator decides first; `docs/reference/config.md` lists all. */
const config = { server: { time_zone: 'Europe/Warsaw', sync_remote: 'origin', publish_mode: 'none' } }

/** The files of a new community without lore, in format 2. Adoption changes none of them and adds none. */
export const newRepository: ReadonlyArray<Seed> = [
  { path: '.gitignore', text: '/.svc/state/\n' },
  { path: '.svc/config.json', text: jsonText(config) },
  formatSeed,
  rolesSeed,
  { path: 'encje/indeks.md', text: '# Indeks\n' },
  { path: 'kontrybutorzy.md', text: contributors },
]
