import { chain, type Either, map } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type {
  SessionCreate,
  SessionCreated,
  SessionOpen,
  SessionOpened,
  SessionReport,
  SessionReported,
} from '#protocol/session-writes.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { WritePlan } from '#src/writing/write-plan.js'
import { type CreateSessionRefusal, createSession, type NewSession } from '../create.js'
import { type Asked, draftOf } from './draft-of.js'
import { reportSession } from './report.js'

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
