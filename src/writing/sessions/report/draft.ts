import type { Day } from '#protocol/atoms.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'

type Bare<A> = Omit<A, 'line'>

/** The blocks of a session to write; a block without items is not written. */
export interface SessionBlocks {
  readonly locations: ReadonlyArray<string>
  readonly logs: ReadonlyArray<string>
  readonly points: ReadonlyArray<Bare<SessionCopy['points'][number]>>
  readonly participants: ReadonlyArray<string>
  readonly changes: ReadonlyArray<{
    readonly entity: string
    readonly tags: ReadonlyArray<{ readonly tag: string; readonly value: string }>
  }>
  readonly transfers: ReadonlyArray<Bare<SessionCopy['transfers'][number]>>
  readonly intel: ReadonlyArray<Bare<SessionCopy['intel'][number]>>
  readonly preserved: SessionCopy['preserved']
}

export type BlockField = keyof SessionBlocks

export interface SessionDraft {
  readonly date: Day
  readonly dateEnd: Day | null
  readonly title: string
  readonly narrators: ReadonlyArray<string>
  /** Prose, lines ended by LF, without blanks around it. */
  readonly content: string
  readonly blocks: SessionBlocks
}

export const noBlocks: SessionBlocks = {
  locations: [],
  logs: [],
  points: [],
  participants: [],
  changes: [],
  transfers: [],
  intel: [],
  preserved: [],
}

/** The header of a draft, without `### ` (FORMATS 4.1). */
export const headerOf = ({ date, dateEnd, title, narrators }: SessionDraft): string => {
  const days = dateEnd === null ? date : `${date}/${dateEnd.slice(-2)}`
  return [days, title, ...(narrators.length === 0 ? [] : [narrators.join(' + ')])].join(', ')
}
