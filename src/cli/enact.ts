import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { AwardBlock, AwardUnresolved } from '#protocol/lore/award.js'
import { AwardAnswer, AwardPreview } from '#protocol/lore/points.js'
import type { Refusal } from '#protocol/refusal.js'
import { escapeControlsByLine, printedJson } from './escape-controls.js'
import type { EnactOptions } from './options.js'
import { formatColumns, type Output } from './output.js'
import { printRefusal } from './print-answer.js'

/** An answer of an enactment as texts, and whether a dry run found what would stop it. */
interface ShownEnactment {
  readonly texts: ReadonlyArray<string>
  readonly isStopped: boolean
}

export type ShowEnactment = (body: unknown) => ShownEnactment

/** The sentence about a refusal for the player who asked. */
export type AnswerPlayer = (refusal: Refusal) => string

/**
 * Prints how an enactment ended. Returns 65 where it was refused or a dry run found what would stop it, and 76 where
 * the remote did not get it and it may be run again. Where a player asked, stdout has the sentence for the player or
 * the refusal with that sentence as `announcement`, and stderr the technical line.
 */
export const printEnactment = (
  outcome: Either<Refusal, { readonly body: unknown }>,
  { show, answerPlayer }: { readonly show: ShowEnactment; readonly answerPlayer: AnswerPlayer | null },
  { json }: Pick<EnactOptions, 'json'>,
  output: Output,
): ExitCode => {
  if (isLeft(outcome)) {
    const { _tag: error, ...refused } = outcome.left
    const refusal = { error, ...refused }
    printRefusal(refusal, json && answerPlayer === null, output)
    if (answerPlayer !== null) {
      const announcement = answerPlayer(outcome.left)
      output.out(json ? printedJson({ ...refusal, announcement }) : escapeControlsByLine(announcement))
    }
    if (!json && outcome.left._tag === 'AwardBlocked')
      for (const text of stopTexts(outcome.left)) output.err(escapeControlsByLine(text))
    return error === 'NotPublished' ? exitCodes.unpublished : exitCodes.findings
  }
  const { body } = outcome.right
  const { texts, isStopped } = show(body)
  if (json) output.out(printedJson(body))
  else for (const text of texts) output.out(escapeControlsByLine(text))
  return isStopped ? exitCodes.findings : exitCodes.ok
}

/** The batch of a month, applied or planned. */
export const showAward: ShowEnactment = body => {
  if (AwardPreview.is(body)) {
    const stops = stopTexts(body)
    const isStopped = stops.length > 0
    const texts = isStopped
      ? [`${body.Month} cannot be settled:`, ...stops]
      : awardTexts('would settle', body)
    return { isStopped, texts: [...texts, ...sessionTexts(body), ...driftTexts(body)] }
  }
  if (!AwardAnswer.is(body)) throw new Error('the answer is no batch of a month')
  return { isStopped: false, texts: awardTexts('settled', body) }
}

/** A close or a report: its sentence for the chat, in Polish, which also says what stops it. */
export const showByChat: ShowEnactment = body => {
  const announcement: unknown = Reflect.get(Object(body), 'announcement')
  if (typeof announcement !== 'string') throw new Error('the answer of a row by chat has no announcement')
  const blocked: unknown = Reflect.get(Object(body), 'Blocked')
  return { texts: [announcement], isStopped: Array.isArray(blocked) && blocked.length > 0 }
}

const points = (value: number | null): string => (value === null ? '–' : value.toFixed(2))

const awardTexts = (
  verb: string,
  { Month, CountedSessions, SkippedAlreadyCounted, Awards }: AwardAnswer | AwardPreview,
): ReadonlyArray<string> => {
  if (CountedSessions.length + Awards.length === 0)
    return [`nothing to settle in ${Month}; sessions settled before: ${SkippedAlreadyCounted}`]
  const rows = Awards.map(({ Character, Granted, SumaBefore, SumaAfter }) => [
    `    ${Character}`,
    `+${points(Granted)}`,
    `SUMA ${points(SumaBefore)} → ${points(SumaAfter)}`,
  ])
  return [
    `${verb} ${Month}: sessions ${CountedSessions.length}, characters ${Awards.length}`,
    ...(rows.length === 0 ? [] : [formatColumns(rows)]),
  ]
}

const placeOf = ({ File, Line }: AwardBlock | AwardUnresolved): string =>
  File === null ? '' : `${File}${Line === null ? '' : `:${Line}`}: `

/** What stops the month, a line each. */
const stopTexts = ({
  Blocked,
  Unresolved,
}: {
  readonly Blocked: ReadonlyArray<AwardBlock>
  readonly Unresolved: ReadonlyArray<AwardUnresolved>
}): ReadonlyArray<string> => [
  ...Blocked.map(one => `    ${placeOf(one)}${one.Subject}: ${one.Detail}`),
  ...Unresolved.map(one => {
    const near = one.Suggestions.length === 0 ? '' : ` Perhaps ${one.Suggestions.join(', ')}.`
    return `    ${placeOf(one)}${one.Character} means no character, or several.${near}`
  }),
]

const sessionWords: Readonly<Record<AwardPreview['Sessions'][number]['Why'], string>> = {
  Open: 'counts',
  AlreadySettled: 'settled before',
  NoPoints: 'has no PU',
}

const sessionTexts = ({ Sessions }: AwardPreview): ReadonlyArray<string> =>
  Sessions.length === 0
    ? []
    : ['sessions:', formatColumns(Sessions.map(({ Header, Why }) => [`    ${sessionWords[Why]}`, Header]))]

const driftTexts = ({ Drift }: AwardPreview): ReadonlyArray<string> =>
  Drift.length === 0
    ? []
    : [
        'differs from the ledger, and is granted by no batch:',
        ...Drift.map(
          ({ Header, Character, Was, Is }) =>
            `    ${Character}, ${Header ?? 'SUMA'}: ${points(Was)} in the ledger, ${points(Is)} in the lore`,
        ),
      ]
