import type { Table } from '#protocol/route.js'
import type { routes } from '#protocol/routes.js'

/** Rows of a table that let the holder of the `.own` variant alone in. */
export type OwnRow<T extends Table> = {
  readonly [K in keyof T]: T[K]['own'] extends true ? K : never
}[keyof T]

/** A request for what is another's: `path`, `query` and `body` stand in for those of the row's sample. */
interface Foreign {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** How a row keeps an own-only caller to what is theirs (A 5.2). */
export type OwnCase =
  /** 403 for another's. */
  | { readonly is: 'refused'; readonly foreign: Foreign }
  /** Answers, and tells of nobody else: none of the words of others is in the answer. */
  | { readonly is: 'narrowed'; readonly own: string; readonly others: ReadonlyArray<string> }
  /** Answers everybody alike, by the specification. */
  | { readonly is: 'whole'; readonly source: string }

/** One or more cases for each row with `own`: a row without them does not compile. */
export type OwnCases<T extends Table> = Readonly<
  Record<OwnRow<T>, readonly [OwnCase, ...ReadonlyArray<OwnCase>]>
>

const ofIskra = { is: 'refused', foreign: { path: { name: 'Iskra' } } } as const
const ofZaneta = { is: 'refused', foreign: { path: { name: 'Żaneta' } } } as const

/** The caller is Brzoza, whose Postać is Wit Kłos; Iskra is Żaneta's. */
export const ownCases: OwnCases<typeof routes> = {
  'people.create': [{ is: 'refused', foreign: { body: { name: 'Żaneta' } } }],
  'people.update': [ofZaneta],
  'people.delete': [ofZaneta],
  'people.chatChannel.set': [ofZaneta],
  'characters.create': [
    { is: 'refused', foreign: { body: { name: 'Nowa', tags: { należy_do: 'Żaneta' } } } },
    { is: 'refused', foreign: { body: { name: 'Nowa', tags: { należy_do: ['Brzoza', 'Żaneta'] } } } },
  ],
  'characters.update': [
    ofIskra,
    { is: 'refused', foreign: { body: { tag: 'należy_do', value: 'Żaneta' } } },
    { is: 'refused', foreign: { body: { tag: 'pu_startowe', value: '99' } } },
  ],
  'characters.delete': [ofIskra],
  'characters.info.add': [ofIskra],
  'characters.info.replace': [ofIskra],
  'characters.info.remove': [ofIskra],
  'apiKeys.issue': [
    { is: 'refused', foreign: { body: { gameId: '41002' } } },
    { is: 'refused', foreign: { body: { gameId: 'Brzoza' } } },
  ],
  'audit.ledger.list': [
    { is: 'refused', foreign: { query: { entity: 'Iskra' } } },
    { is: 'narrowed', own: 'Wit Kłos', others: ['Iskra', 'Żaneta'] },
  ],
  'pu.timeline.list': [
    { is: 'refused', foreign: { query: { character: 'Iskra' } } },
    { is: 'narrowed', own: 'Wit Kłos', others: ['Iskra', 'Żaneta'] },
  ],
  'pu.history.list': [{ is: 'whole', source: 'A 4.7' }],
  'pu.newCharacterCount.get': [{ is: 'refused', foreign: { query: { player: 'Żaneta' } } }],
  'elections.eligibility.list': [{ is: 'narrowed', own: 'Brzoza', others: ['Żaneta', 'Iskra'] }],
}
