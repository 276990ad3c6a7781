import { createHash } from 'node:crypto'
import { apS, bind, chain, Do, type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Day, dayOf, requirePath } from '#protocol/atoms.js'
import type { ReportByChatAnswer } from '#protocol/chat/workflows.js'
import type {
  SessionCreate,
  SessionCreated,
  SessionMetadata,
  SessionOpen,
  SessionOpened,
  SessionReport,
  SessionReported,
} from '#protocol/lore/session-writes.js'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { announceReport } from '#src/domain/dispatch/descriptions.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import { type SourceFile, textBytes } from '#src/domain/lore/layout.js'
import { sessionKey } from '#src/domain/lore/session-header.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { WritePlan } from '#src/writing/command.js'
import { changesRefused, readMetadataBlocks } from './blocks.js'
import { type CreateSessionRefusal, claimsOf, createSession, type NewSession } from './create.js'
import { namesFound } from './names-of.js'
import { headerOf, noBlocks, renderSession, type SessionDraft } from './render.js'
import { pathOfField, readBack } from './section-lines.js'
import { eachValue, nameLine, proseValue, rejectValue, type Valued, withinLimits } from './values.js'

/** The session of a request. Parsing its text is proven to give back what was sent. */
export const draftOf = (asked: Asked): Valued<SessionDraft> => pipe(withinLimits(asked), chain(read))

/** `POST /sessions` (D32, B 4.2). */
export const createPlan =
  (body: SessionCreate, by: string): Plan<SessionCreated> =>
  (snapshot, nowMs) =>
    toChangeSet(
      pipe(
        draftOf(body),
        chain(draft => createSession(snapshot, draft, body.file, { by, nowMs })),
      ),
      'sessions: new',
      ({ header, placed }) => ({ created: header, ...placed }),
      ({ header, placed }) => ({ wouldCreate: header, ...placed }),
    )

/** `POST /workflows/open-session`. The date defaults to today and the narrator to the caller's own Gracz. */
export const planOpenSession =
  (body: SessionOpen, by: string, gracz: string | null): Plan<SessionOpened> =>
  (snapshot, nowMs) => {
    const { date = snapshot.day, narrators = gracz === null ? [] : [gracz] } = body
    const asked: Asked = { ...body, date, narrators }
    return toChangeSet(
      pipe(
        draftOf(asked),
        chain(draft => createSession(snapshot, draft, body.file, { by, nowMs })),
      ),
      'sessions: opened',
      ({ header, placed }) => ({ opened: header, ...placed }),
      ({ header, placed }) => ({ wouldOpen: header, ...placed }),
    )
  }

/** `POST /sessions/report` (B 4.2). */
export const reportPlan =
  (body: SessionReport, by: string): Plan<SessionReported> =>
  snapshot =>
    toChangeSet(
      pipe(
        draftOf(body),
        chain(draft => reportSession(snapshot, draft, by)),
      ),
      'sessions: report of',
      ({ header, placed }) => ({ reported: header, ...placed }),
      ({ header, placed }) => ({ wouldReport: header, ...placed }),
    )

/**
 * `POST /workflows/report-session-by-chat`: files a report as above. The same report once more changes nothing, so an
 * interaction that is carried out again has one effect.
 */
export const reportByChat = (
  snapshot: Snapshot,
  draft: SessionDraft,
  by: string,
): Either<CreateSessionRefusal, ChangeSet<ReportByChatAnswer>> => {
  const said = ({ header, placed, edits }: NewSession) => ({
    ...placed,
    changed: edits.length > 0,
    announcement: announceReport(
      header,
      edits.length > 0,
      placed.unresolved.map(({ name }) => name),
    ),
  })
  return toChangeSet(
    reportSession(snapshot, draft, by, true),
    'sessions: report of',
    one => ({ reported: one.header, ...said(one) }),
    one => ({ wouldReport: one.header, ...said(one) }),
  )
}

/**
 * Bytes of UTF-8 in the committed reports of one reporter. A report whose header was changed by hand counts
 * for no reporter, because a narrator has taken it over. Linear in the files, with one hash per report.
 */
export const bytesOfReports = (files: ReadonlyMap<string, SourceFile>, reporter: string): number => {
  let sum = 0
  for (const [path, file] of files)
    if (path.startsWith(folder) && path === reportPath(keyOf(file), reporter)) sum += textBytes(file)
  return sum
}

const enacts = ({ blocks }: SessionDraft): 'transfers' | 'intel' | null =>
  blocks.transfers.length > 0 ? 'transfers' : blocks.intel.length > 0 ? 'intel' : null

const refuseTaken = (path: string, name: string): RefusalOf<'NameTaken'> =>
  refuse('NameTaken', `You already sent a report of this session: ${path}.`, {
    name,
    type: 'Sesja',
  })

/**
 * Stores a player's report of a session below `zgłoszenia/`. Session and reporter determine its path, so a
 * report sent twice is one. It has no transfers and no intel, and never counts as a session (B 4.2). With
 * `isRepeatable` the same text once more is a plan without edits; otherwise it is refused as any second report.
 */
const reportSession = (
  snapshot: Snapshot,
  draft: SessionDraft,
  reporter: string,
  isRepeatable = false,
): Either<CreateSessionRefusal, NewSession> => {
  const act = enacts(draft)
  if (act !== null)
    return rejectValue(pathOfField(act), 'A report cannot have transfers or intel. Leave them out.')
  const changes = changesRefused(snapshot, draft.blocks.changes)
  if (isLeft(changes)) return changes
  const header = headerOf(draft)
  const key = sessionKey(header)
  const path = requirePath(reportPath(key, reporter))
  const after = `${renderSession(draft).join('\n')}\n`
  const before = snapshot.files.get(path)
  if (before !== undefined && !(isRepeatable && before.text === after)) return left(refuseTaken(path, header))
  return pipe(
    namesFound(snapshot, draft.narrators, draft.blocks),
    map(({ characters, unresolved }) => ({
      header,
      edits: before === undefined ? [{ _tag: 'Whole', path, before: null, after } as const] : [],
      claims: claimsOf(key, path, characters),
      touches: [{ kind: 'session', name: header } as const],
      placed: { file: path, line: 1, staged: false, unresolved },
    })),
  )
}

/** A session as a request states it. */
interface Asked {
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

type Plan<A> = WritePlan<A, CreateSessionRefusal>

/** The change set of a new session, with the subject and answer of its row. */
const toChangeSet = <A>(
  made: Either<CreateSessionRefusal, NewSession>,
  subject: string,
  answer: (one: NewSession) => A,
  preview: (one: NewSession) => object,
): Either<CreateSessionRefusal, ChangeSet<A>> =>
  pipe(
    made,
    map(one => ({
      edits: one.edits,
      claims: one.claims,
      touches: one.touches,
      subject: `${subject} "${one.header}"`,
      answer: answer(one),
      preview: preview(one),
    })),
  )

const folder = 'zgłoszenia/'
const dayChars = 10

/**
 * The path of a report, derived from session (a `sessionKey`) and reporter. A report sent twice is therefore
 * one file, and its reporter can be verified from text and path.
 */
const reportPath = (key: string, reporter: string): string => {
  const hash = createHash('sha256').update(`${key}\n${reporter}`, 'utf8').digest('hex')
  return `${folder}${key.slice(0, dayChars)}-${hash.slice(0, 16)}.md`
}

/** The key of the session that a report is about, from its first line; computed once per file. */
const keyOf = perValue(({ text }: SourceFile): string => {
  const end = text.indexOf('\n')
  return sessionKey(end === -1 ? text : text.slice(0, end))
})
