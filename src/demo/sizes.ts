/** How many of each kind a world has. */
export interface Sizes {
  readonly lands: number
  readonly towns: number
  readonly quarters: number
  readonly buildings: number
  readonly maps: number
  readonly regions: number
  readonly groups: number
  readonly npcs: number
  readonly characters: number
  readonly players: number
  /** Currency stacks and things, together the entities of type Przedmiot. */
  readonly stacks: number
  readonly things: number
  readonly sessions: number
  readonly sessionFiles: number
  /** Sessions that are also in a second file. */
  readonly copies: number
  readonly commits: number
}

const places = (count: number): Pick<Sizes, 'lands' | 'towns' | 'quarters' | 'buildings'> => {
  const lands = Math.max(2, Math.round(count * 0.03))
  const towns = Math.round(count * 0.12)
  const quarters = Math.round(count * 0.3)
  return { lands, towns, quarters, buildings: count - lands - towns - quarters }
}

const small: Sizes = {
  ...places(60),
  maps: 34,
  regions: 8,
  groups: 20,
  npcs: 72,
  characters: 30,
  players: 18,
  stacks: 22,
  things: 36,
  sessions: 150,
  sessionFiles: 14,
  copies: 8,
  commits: 120,
}

/** Commits grow with the scale up to this number; beyond, each commit has more changes. */
const mostCommits = 2000

/** `null` is the default world: 300 entities, 150 sessions; scale 1 has 2,000 and 1,000 (N1). */
export const sizesOf = (scale: number | null): Sizes => {
  if (scale === null) return small
  const times = (count: number): number => Math.max(1, Math.round(count * scale))
  return {
    ...places(times(200)),
    maps: times(150),
    regions: times(20),
    groups: times(120),
    npcs: times(800),
    characters: times(150),
    players: times(80),
    stacks: times(120),
    things: times(360),
    sessions: times(1000),
    sessionFiles: times(60),
    copies: times(50),
    commits: Math.min(times(500), Math.max(500, mostCommits)),
  }
}
