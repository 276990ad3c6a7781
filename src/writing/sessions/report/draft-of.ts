import { apS, bind, chain, Do, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Day, dayOf } from '#protocol/atoms.js'
import type { SessionMetadata } from '#protocol/session-writes.js'
import { readMetadataBlocks } from '../blocks-of.js'
import { withinLimits } from '../limits.js'
import { readBack } from '../lines/read-back.js'
import { eachValue, nameLine, proseValue, rejectValue, type Valued } from '../values.js'
import { headerOf, noBlocks, type SessionDraft } from './draft.js'

/** A session as a request states it. */
export interface Asked {
  readonly date: string
  readonly dateEnd?: string | null | undefined
  readonly title: string
  readonly narrators: ReadonlyArray<string>
  readonly content?: string | null | undefined
  readonly metadata?: SessionMetadata | undefined
}

const dayAt = (path: string, text: string): Valued<Day> => {
  const day = dayOf(text)
  return day === null ? rejectValue(path, 'Send a day that exists, as YYYY-MM-DD.') : right(day)
}

/**
 * The last day, which must be later in the same month: a header cannot express another (FORMATS 4.1, 4.9).
 */
const endAt = (date: Day, text: string | null | undefined): Valued<Day | null> =>
  text === null || text === undefined
    ? right(null)
    : pipe(
        dayAt('dateEnd', text),
        chain(end =>
          end > date && end.slice(0, 7) === date.slice(0, 7)
            ? right(end)
            : rejectValue('dateEnd', 'Send a later day of the same month, or leave it out.'),
        ),
      )

/** Longest header: it is a parameter of paths, which are limited to this length (D25). */
const headerCharsMax = 1000

const withinPath = (draft: SessionDraft): Valued<SessionDraft> =>
  headerOf(draft).length > headerCharsMax
    ? rejectValue('title', `Send a title that makes a header of at most ${headerCharsMax} characters.`)
    : right(draft)

const read = (asked: Asked): Valued<SessionDraft> =>
  pipe(
    Do,
    apS('date', dayAt('date', asked.date)),
    bind('dateEnd', ({ date }) => endAt(date, asked.dateEnd)),
    bind('title', () => nameLine('title', asked.title)),
    bind('narrators', () => eachValue('narrators', asked.narrators, nameLine)),
    bind('content', () => proseValue('content', asked.content ?? '')),
    bind('blocks', () =>
      pipe(
        readMetadataBlocks(asked.metadata ?? {}),
        map(blocks => ({ ...noBlocks, ...blocks })),
      ),
    ),
    chain(withinPath),
    chain(readBack),
  )

/** The session of a request. Parsing its text is proven to give back what was sent. */
export const draftOf = (asked: Asked): Valued<SessionDraft> => pipe(withinLimits(asked), chain(read))
