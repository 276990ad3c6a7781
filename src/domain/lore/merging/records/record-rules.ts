/** How two versions of a committed list of records are united. */
export interface RecordRules {
  /** The field of the file that holds the list. */
  readonly list: string
  /** Fields that say together which record is meant: the same record of both sides. */
  readonly key: ReadonlyArray<string>
  /** Fields of which each value stands in one record alone: of two that meet the later `since` stands. */
  readonly alone: ReadonlyArray<string>
  /** Whether two words on one record are settled by the later `since`; else the record is a conflict. */
  readonly latest: boolean
  /** Fields beside the list that only rise: of two values the higher stands. */
  readonly rising: ReadonlyArray<string>
}

/**
 * The committed lists that two hosts may change at once (D30, D40, ADR 1016). By record and never by line: a text merge
 * that git takes for clean can bind one account twice.
 */
export const recordRules: ReadonlyMap<string, RecordRules> = new Map<string, RecordRules>([
  [
    '.svc/grants.json',
    { list: 'grants', key: ['gameId', 'capability'], alone: [], latest: true, rising: [] },
  ],
  [
    '.svc/bindings.json',
    {
      list: 'bindings',
      // A binding made anew is another one: what the other host took away was the old one.
      key: ['chatId', 'gameId', 'since', 'by'],
      alone: ['chatId', 'gameId'],
      latest: true,
      rising: [],
    },
  ],
  ['.svc/fleet-keys.json', { list: 'keys', key: ['kid'], alone: [], latest: false, rising: ['epoch'] }],
])
