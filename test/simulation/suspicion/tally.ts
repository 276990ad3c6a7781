/** What the rules did in a run; the sums over seeds show what prevents a false takeover. */
export const tallyKeys = [
  'probes',
  'answers to a repeated request',
  'misses that a late answer takes back',
  'failed probes',
  'probes that were not sent',
  'misses that settling holds back',
  'asks where no other host sees the apex',
  'asks over a path that was cut for three sweeps',
] as const

export type TallyKey = (typeof tallyKeys)[number]
export type SuspicionTally = Map<TallyKey, number>

export const openTally = (): SuspicionTally => new Map(tallyKeys.map(key => [key, 0]))

export const countIn = (tally: SuspicionTally, key: TallyKey, by = 1): void => {
  tally.set(key, (tally.get(key) ?? 0) + by)
}
