import { chain, chainW, type Either, isLeft, left, map, right } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { requirePath } from '#protocol/atoms.js'
import type { sessionsByChatRoutes } from '#protocol/chat/workflows.js'
import { CloseBlock } from '#protocol/enactments/close-block.js'
import { bodyInvalid, type RefusalOf, refuse } from '#protocol/refusal.js'
import { type Caller, callerName } from '#src/domain/callers/caller.js'
import { ownOpenHeaders } from '#src/domain/dispatch/answer-query.js'
import { announceClose, announceDeferred, describeChoice } from '#src/domain/dispatch/descriptions.js'
import { identitiesOf } from '#src/domain/identity/callers.js'
import { type Line, linesOf } from '#src/domain/lore/lines.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { SessionCopy } from '#src/domain/sessions/session.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Planners } from '../command.js'
import { closerOf, DeferredPrepared, planClose } from './close.js'
import type { SessionDraft } from './render.js'
import { draftOf, reportByChat } from './report.js'
import { readBack, sectionLines } from './section-lines.js'
import { proseValue, type Valued } from './values.js'

/** Planners of the writes of linked persons by chat; the caller is the person (`speakFor`). */
export const byChatPlanners: Planners<typeof sessionsByChatRoutes> = {
  'workflows.closeSessionByChat': (snapshot, { body, prepared, caller, dryRun, nowMs }) => {
    const isDeferred = DeferredPrepared.is(prepared)
    const header = body.header === undefined ? chooseOpen(snapshot, caller) : right(body.header)
    if (isLeft(header)) return header
    const { note = null } = body
    return pipe(
      planClose(snapshot, {
        header: header.right,
        note,
        closer: closerOf(caller),
        isDeferred,
        dryRun,
        nowMs,
      }),
      map(({ answer, preview, ...set }) => {
        const announce = (isDone: boolean): string =>
          'Deferred' in answer
            ? announceDeferred(header.right)
            : announceClose(header.right, answer, isDone, isDone ? [] : blockedIn(preview))
        return {
          ...set,
          answer: { ...answer, announcement: announce(true) },
          preview: { ...preview, announcement: announce(false) },
        }
      }),
    )
  },
  'workflows.reportSessionByChat': (snapshot, { body, caller }) =>
    pipe(
      readReport(body.reportB64),
      chainW(draft => reportByChat(snapshot, draft, callerName(caller))),
    ),
}

/**
 * Reads a report that was written as text: UTF-8 in canonical base64, one header of a session in the first line that
 * is not blank, and below it prose and blocks. Refuses whatever would be lost or read otherwise: text above the header,
 * a second header, a comment, a block that a reader of sessions finds wrong, and `@Transfer` or `@Intel`. The details
 * of `ReportRefused` are Polish, for the player.
 */
export const readReport = (reportB64: string): Either<ReportTextRefusal, SessionDraft> =>
  pipe(
    decodeText(reportB64),
    chain((text): Either<ReportTextRefusal, string> => proseValue('reportB64', text)),
    chain(text =>
      pipe(
        sessionIn(text),
        chain((copy): Either<ReportTextRefusal, SessionDraft> => draftOfCopy(copy)),
      ),
    ),
  )

/** The most characters of a report in base64, which leaves the other variables of a dispatch some room. */
const reportCharsMax = 60_000

const Blocked = t.type({ Blocked: t.readonlyArray(CloseBlock) })

const blockedIn = (preview: object) => (Blocked.is(preview) ? preview.Blocked : [])

/** The one open session of the person; refuses where there is none, or more than one. */
const chooseOpen = (
  snapshot: Snapshot,
  { gameId }: Caller,
): Either<RefusalOf<'SessionNotChosen'>, string> => {
  const known = gameId === null ? null : identitiesOf(snapshot).byGameId(gameId)
  const open = known === null ? [] : ownOpenHeaders({ identity: snapshot, lore: snapshot }, known.contributor)
  const [header] = open
  return header !== undefined && open.length === 1
    ? right(header)
    : left(refuse('SessionNotChosen', describeChoice(open), { open }))
}

type ReportTextRefusal = RefusalOf<'BodyInvalid' | 'ReportRefused' | 'ValueRefused' | 'BoundExceeded'>

const encoded = `UTF-8 in canonical base64, at most ${reportCharsMax} characters`

const decodeText = (reportB64: string): Either<RefusalOf<'BodyInvalid' | 'ReportRefused'>, string> => {
  const damaged = (why: string) =>
    left(
      bodyInvalid(`\`reportB64\` ${why}. Encode the text of the report anew.`, {
        path: '$.reportB64',
        expected: encoded,
      }),
    )
  if (reportB64.length > reportCharsMax) return refused(null, tooLong)
  const bytes = Buffer.from(reportB64, 'base64')
  if (bytes.toString('base64') !== reportB64)
    return damaged('is not base64 of the standard alphabet, with its padding and without line ends')
  try {
    return right(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return damaged('is no UTF-8')
  }
}

/** Four characters of base64 are three bytes of the text. */
const tooLong =
  `Zgłoszenie jest za długie. Może mieć najwyżej ${(reportCharsMax * 3) / 4} bajtów: zwykła litera zajmuje jeden, ` +
  'a litera z polskim znakiem dwa. Skróć je i wyślij jeszcze raz.'

const refused = (line: number | null, detail: string): Either<RefusalOf<'ReportRefused'>, never> =>
  left(refuse('ReportRefused', line === null ? detail : `Wiersz ${line}: ${detail}`, { line }))

const headerForm = 'Zacznij zgłoszenie wierszem „### RRRR-MM-DD, tytuł, narrator”.'

const isHeading = (line: Line): boolean => line._tag === 'Header' && line.level <= 3

/** The one session of a text, in which a reader of sessions finds nothing wrong. */
const sessionIn = (text: string): Either<RefusalOf<'ReportRefused'>, SessionCopy> => {
  const { lines } = linesOf(text)
  const hidden = lines.find(line => line._tag === 'Hidden' || line.shown !== undefined)
  if (hidden !== undefined)
    return refused(hidden.number, 'Komentarz HTML nie byłby widoczny w kronice. Usuń go.')
  const [header, second] = lines.filter(isHeading)
  const first = lines.find(({ _tag }) => _tag !== 'Blank')
  if (header === undefined) return refused(null, `Zgłoszenie nie ma nagłówka sesji. ${headerForm}`)
  if (first !== header)
    return refused(first?.number ?? null, `Nad nagłówkiem sesji jest tekst. ${headerForm}`)
  if (second !== undefined)
    return refused(second.number, 'Zgłoszenie ma drugi nagłówek. Wyślij każdą sesję osobno.')
  const { copies, findings } = parseSessionFile({ path: requirePath('zgłoszenie.md'), text: `${text}\n` })
  const [copy] = copies
  const blocks = copy === undefined ? null : sectionLines(text, copy).blocks
  const enacts = blocks === null ? undefined : [...blocks.transfers, ...blocks.intel][0]
  if (enacts !== undefined)
    return refused(enacts.from, 'Zgłoszenie nie może mieć bloków @Transfer i @Intel. Usuń je.')
  const wrong = findings.find(({ severity }) => severity !== 'info')
  if (wrong !== undefined)
    return refused(wrong.line, `${wrong.reason}${wrong.suggestion === null ? '' : ` ${wrong.suggestion}`}`)
  return copy === undefined
    ? refused(header.number, `To nie jest nagłówek sesji. ${headerForm}`)
    : right(copy)
}

/** The draft of a copy, by the rules of a session that comes in fields. Preserved blocks stay word for word. */
const draftOfCopy = (copy: SessionCopy): Valued<SessionDraft> => {
  const { date, dateEnd, title, narrators, body: content, locations, logs, participants } = copy
  const metadata = {
    locations,
    logs,
    participants,
    pu: copy.points.map(({ character, value }) => ({
      character,
      value: value === null ? null : Number(value),
    })),
    changes: copy.changes,
  }
  const draft = draftOf({ date, dateEnd, title, narrators, content, metadata })
  if (isLeft(draft)) return draft
  const { preserved } = copy
  return pipe(
    draft,
    map(one => ({ ...one, blocks: { ...one.blocks, preserved } })),
    chain(readBack),
  )
}
