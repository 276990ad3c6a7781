/** A file of a new repository. */
export interface NewFile {
  readonly path: string
  readonly text: string
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Each line of the example is indented, so that no reader takes it for a block. */
const contributors = `<!--
Kto należy do społeczności. Osoba to blok pod „## Gracz”, rola to blok pod „## Role”.
Przykład; wpisz swoje bloki poniżej bez wcięcia i zatwierdź zmianę w git:

    ### Solmyr
    - @gameid: 12345 (2026-01:)
    - @rola: Radny (2026-01:)
    - @status: Aktywny
    - @chat: sesje/solmyr-kanał
-->

## Gracz

## Role
`

/** The keys that an operator decides first; `docs/reference/config.md` lists all. */
const config = { server: { time_zone: 'Europe/Warsaw', sync_remote: 'origin', publish_mode: 'none' } }

/** The files of a community that has no lore yet, in format 2. */
export const newRepository: ReadonlyArray<NewFile> = [
  { path: '.gitignore', text: '/.svc/state/\n' },
  { path: '.svc/config.json', text: json(config) },
  { path: '.svc/format.json', text: json({ format: 2 }) },
  { path: 'encje/indeks.md', text: '# Indeks\n' },
  { path: 'kontrybutorzy.md', text: contributors },
]
