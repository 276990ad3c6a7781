import type { GivenUpAnswer } from '#protocol/chat/delivery.js'
import type { DispatchKind } from '#protocol/chat/dispatch.js'
import type { CloseBlock } from '#protocol/enactments/close-block.js'
import type { ClosePlan } from '#protocol/enactments/closing.js'
import type { Refusal, RefusalOf } from '#protocol/refusal.js'
import { escapeChatText, messageCharsMax } from '../chat/attempts.js'
import { type DispatchRefusal, type DispatchRules, usableValues } from './check-dispatch.js'
import type { FollowUpFailure, FollowUpVerdict } from './judge-follow-up.js'

/** The sentence of a refused dispatch: what is wrong, and what to do next. */
export const describeDispatchRefusal = (refusal: DispatchRefusal, rules: DispatchRules): string => {
  switch (refusal._tag) {
    case 'Undispatchable':
      return describeReading(refusal.reading)
    case 'Stale':
      return (
        `The interaction is ${refusal.ageMs} ms old, and this host takes none older than ${rules.windowMs} ms. ` +
        `Enact it by the pipeline.${askUnit(refusal.ageMs)}`
      )
    case 'Late':
      return (
        `The report is ${refusal.ageMs} ms old, and this host takes none older than ${rules.nearDeadlineMs} ms. ` +
        'File it by the pipeline.'
      )
    case 'Gated':
      return `The write gate is closed: ${refusal.arm}. Enact the ${refusal.kind} by the pipeline.`
    case 'Full':
      return 'As many interactions wait as this host takes. Try again after the seconds of Retry-After.'
    case 'EnactorAbsent':
      return `enactor absent on this host: it enacts no ${refusal.kind}. Enact it by the pipeline.`
  }
}

/** The answer to the sender of an interaction whose effect the branch had before the attempt. */
export const describeFoundEffect = (kind: DispatchKind): string =>
  kind === 'close' ? 'Zamknięcie tej sesji jest już zapisane.' : 'To zgłoszenie jest już zapisane.'

/** The answer to a player whose report is filed, or is there already. `unresolved`: names that mean no block. */
export const announceReport = (header: string, isNew: boolean, unresolved: ReadonlyArray<string>): string => {
  const name = `„${escapeChatText(header)}”`
  const names = [...new Set(unresolved)].map(one => `„${escapeChatText(one)}”`)
  return fitMessage([
    isNew ? `Zgłoszenie sesji ${name} jest zapisane.` : `Zgłoszenie sesji ${name} było już zapisane.`,
    ...(names.length === 0 ? [] : [`Nie wiadomo, kogo lub co oznaczają te nazwy: ${names.join(', ')}.`]),
  ])
}

/** The answer to a player whose session is closed, or would be; `blocked` says what stops it. */
export const announceClose = (
  header: string,
  { Transfers, Intel }: Pick<ClosePlan, 'Transfers' | 'Intel'>,
  isDone: boolean,
  blocked: ReadonlyArray<CloseBlock> = [],
): string => {
  if (blocked.length > 0) return describeBlocked(header, blocked)
  const pending = Transfers.filter(({ State }) => State === 'pending').length
  const recipients = Intel.reduce((sum, { Count }) => sum + Count, 0)
  return fitMessage([
    `Sesja „${escapeChatText(header)}” ${isDone ? 'jest zamknięta' : 'da się zamknąć'}.`,
    ...(Transfers.length === 0 ? [] : [`Przelewy: ${Transfers.length}, w tym oczekujące: ${pending}.`]),
    ...(recipients === 0 ? [] : [`Odbiorcy Intel: ${recipients}.`]),
  ])
}

/** The announcement of a close that waits for its merge request. */
export const announceDeferred = (header: string): string =>
  fitMessage([
    `Zamknięcie sesji „${escapeChatText(header)}” czeka na scalenie zlecenia.`,
    'Do tego czasu sesja jest otwarta.',
  ])

/** The refusal of a close that names no session, worded for the player. */
export const describeChoice = (open: ReadonlyArray<string>): string =>
  open.length === 0
    ? 'Nie masz żadnej otwartej sesji jako Narrator.'
    : fitMessage([
        `Nie wiadomo, którą sesję zamknąć. Masz otwarte sesje (${open.length}), podaj nagłówek jednej z nich:`,
        ...open.map(header => `• ${escapeChatText(header)}`),
      ])

/**
 * The sentence for a player whose write is refused. A refusal that the page of the workflows names is Polish already;
 * the others, which are worded for clients, get a sentence here.
 */
export const describeForPlayer = (refusal: Refusal): string => {
  const { _tag, detail } = refusal
  if (_tag === 'BodyInvalid')
    return 'Zgłoszenie przyszło uszkodzone, więc nie zostało zapisane. Wyślij je jeszcze raz.'
  if (_tag === 'NameTaken')
    return 'Masz tu już zgłoszenie tej sesji, z inną treścią. Poprawić je może osoba, która prowadzi kronikę.'
  if (_tag === 'NameUnresolved') {
    const names = refusal.names.map(({ name }) => `„${escapeChatText(name)}”`).join(', ')
    return fitMessage([`Te nazwy nie oznaczają jednej Postaci: ${names}. ${sendAgain}`])
  }
  if (_tag === 'NotYourSession')
    return `Sesję „${escapeChatText(refusal.header)}” może zamknąć tylko jej Narrator albo Radny.`
  if (_tag === 'SessionClosed') return describeClosed(refusal)
  if (_tag === 'SessionNotFound') return 'Nie ma sesji o takim nagłówku. Podaj cały nagłówek, słowo w słowo.'
  if (_tag === 'CloseBlocked') return describeBlocked(refusal.header, refusal.Blocked)
  if (_tag === 'NotPublished') return unpublished[refusal.reason]
  if (_tag === 'TagUnknown') return `Żaden blok nie ma znacznika ${escapeChatText(refusal.tag)}. ${sendAgain}`
  if (_tag === 'ValueRefused')
    return `Nie da się zapisać wartości pola ${escapeChatText(refusal.field)}. ${sendAgain}`
  if (_tag === 'BoundExceeded')
    return `Treść przekracza limit: ${refusal.actual} przy dozwolonych ${refusal.limit}. Skróć ją i wyślij jeszcze raz.`
  return detail
}

/**
 * Describes an answer that is given up. One that expired after a try is unknown, because the platform may have it
 * without this host knowing.
 */
export const describeGivenUp = (
  { id, tries, acceptedMs }: { readonly id: string; readonly tries: number; readonly acceptedMs: number },
  { why, status, code }: Extract<FollowUpVerdict, { _tag: 'Final' }>,
): GivenUpAnswer => {
  const said = status === null ? '' : ` It answered with status ${status}.`
  const detail = `${details[why]}${said} The effect of the interaction stays.`
  return {
    id,
    attempts: silent.has(why) ? tries : tries + 1,
    queuedMs: acceptedMs,
    end: why === 'expired' && tries > 0 ? { _tag: 'Unknown', detail } : { _tag: 'Refused', code, detail },
  }
}

/** The form of a Polish noun after a number: 1 wiersz, 2 wiersze, 5 wierszy, 12 wierszy, 22 wiersze. */
export const countNoun = (count: number, one: string, few: string, many: string): string => {
  if (count === 1) return `${count} ${one}`
  const [tens, units] = [count % 100, count % 10]
  const isFew = units >= 2 && units <= 4 && (tens < 12 || tens > 14)
  return `${count} ${isFew ? few : many}`
}

/**
 * Joins lines to a message of at most 2,000 characters. Where they do not fit, the message ends behind a line and
 * says how many are left out; a first line that does not fit by itself is shortened.
 */
export const fitMessage = (lines: ReadonlyArray<string>): string => {
  let [text, kept] = ['', 0]
  for (const [at, line] of lines.entries()) {
    const next = at === 0 ? line : `${text}\n${line}`
    if (next.length + tailOf(lines.length - at - 1).length > messageCharsMax) break
    text = next
    kept = at + 1
  }
  if (kept > 0) return `${text}${tailOf(lines.length - kept)}`
  const tail = tailOf(Math.max(0, lines.length - 1))
  return `${shortenText(lines[0] ?? '', messageCharsMax - tail.length)}${tail}`
}

const unpublished = {
  unreachable:
    'Zdalne repozytorium kroniki nie odpowiada, więc nic nie zostało zapisane. Spróbuj ponownie za kilka minut.',
  behind:
    'Zdalne repozytorium kroniki ma inny stan niż ten serwer, więc nic nie zostało zapisane. ' +
    'Spróbuj ponownie za kilka minut.',
  unknown:
    'Nie wiadomo, czy zapis dotarł do zdalnego repozytorium kroniki. Wyślij to jeszcze raz: wykona się tylko raz.',
} as const satisfies Readonly<Record<RefusalOf<'NotPublished'>['reason'], string>>

const sendAgain = 'Popraw to i wyślij jeszcze raz.'

/** When a session was closed and by whom; the moment in UTC, to the minute. */
const describeClosed = ({ header, at, by }: RefusalOf<'SessionClosed'>): string => {
  const name = `Sesja „${escapeChatText(header)}”`
  return at === null
    ? `${name} ma już rozliczone PU, więc nie można jej zmienić.`
    : `${name} jest już zamknięta od ${at.slice(0, 16).replace('T', ' ')} UTC; osoba: „${escapeChatText(by ?? '')}”.`
}

const describeBlocked = (header: string, blocked: ReadonlyArray<CloseBlock>): string =>
  fitMessage([
    `Sesji „${escapeChatText(header)}” nie da się zamknąć. Popraw te wpisy:`,
    ...blocked.map(
      ({ Line, Detail }) => `• ${Line === null ? '' : `wiersz ${Line}: `}${escapeChatText(Detail)}`,
    ),
  ])

type Reading = Extract<DispatchRefusal, { _tag: 'Undispatchable' }>['reading']

const describeVariable = (name: string): string => `${name} (${usableValues[name] ?? 'not blank'})`

const dayMs = 86_400_000

/** A question for a sender whose time is so far off that no delay explains it. */
const askUnit = (ageMs: number): string =>
  ageMs > dayMs ? ' Is `sentAtEpochMs` in milliseconds, and are both clocks right?' : ''

const describeReading = (reading: Reading): string => {
  switch (reading._tag) {
    case 'UnknownKind':
      return '`kind` is none of close, report and query. Send one of them.'
    case 'NoKind':
      return 'There is no `kind`, and `vars` has no variable of one. Send `kind`, or the variables of one kind.'
    case 'SeveralKinds':
      return `There is no \`kind\`, and \`vars\` has variables of ${reading.kinds.join(' and ')}. Send \`kind\`.`
    case 'VarsMissing':
      return `A ${reading.kind} needs ${reading.missing.map(describeVariable).join(' and ')}. Send it in \`vars\`.`
  }
}

const details: Readonly<Record<FollowUpFailure, string>> = {
  expired: 'The platform did not take the answer while its token was valid.',
  token_unreadable:
    'The token cannot be decrypted, because dispatch.key is another one than at the acceptance.',
  chat_disabled:
    'This host calls no chat platform. Set integrations.chat.enabled and integrations.chat.api_url.',
  token_dead: 'The platform does not accept the token of this interaction any more.',
  not_found: 'The platform knows no first answer of this interaction. The worker did not answer the chat.',
  refused: 'The platform refused the answer.',
}

/** The failures that come without another request. */
const silent: ReadonlySet<FollowUpFailure> = new Set(['expired', 'token_unreadable', 'chat_disabled'])

const tailOf = (left: number): string =>
  left === 0 ? '' : `\n… i jeszcze ${countNoun(left, 'wiersz', 'wiersze', 'wierszy')}.`

/** At most this many characters of a text; a character outside the BMP is not split. */
const shortenText = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`
