/** The field in which the merge holds the name of a record of a map; no field of a file has a NUL. */
export const nameField = '\0name'

/** How two versions of a committed list of records are merged. */
export interface RecordRules {
  /** The field of the file that holds the list, or the map of records by name. */
  readonly list: string
  readonly form: 'list' | 'map'
  /** The fields that together identify a record on both sides. */
  readonly key: ReadonlyArray<string>
  /**
   * Fields whose value may occur in one record only. Of two records with the same value the one with the
   * later `since` is kept.
   */
  readonly alone: ReadonlyArray<string>
  /** Whether the later `since` decides between two changes of one record; otherwise they are a conflict. */
  readonly latest: boolean
  /** Fields beside the list that only grow; the higher value is kept. */
  readonly rising: ReadonlyArray<string>
}

/**
 * The committed lists that two hosts may change at once (D30, D40, ADR 1016). They are merged by record and
 * never by line: a text merge that git reports as clean can bind one account twice.
 */
export const recordRules: ReadonlyMap<string, RecordRules> = new Map<string, RecordRules>([
  [
    '.svc/grants.json',
    { list: 'grants', form: 'list', key: ['gameId', 'capability'], alone: [], latest: true, rising: [] },
  ],
  [
    '.svc/bindings.json',
    {
      list: 'bindings',
      form: 'list',
      // A binding that was removed and made again is another record, so the other host's removal does not
      // remove it.
      key: ['chatId', 'gameId', 'since', 'by'],
      alone: ['chatId', 'gameId'],
      latest: true,
      rising: [],
    },
  ],
  [
    '.svc/fleet-keys.json',
    { list: 'keys', form: 'list', key: ['kid'], alone: [], latest: false, rising: ['epoch'] },
  ],
  [
    '.svc/permissions.json',
    { list: 'permissions', form: 'map', key: [nameField], alone: [], latest: false, rising: [] },
  ],
])
