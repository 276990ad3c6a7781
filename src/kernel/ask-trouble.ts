import { absurd } from 'fp-ts/lib/function.js'
import type { AskFailure } from './actor/ref.js'

/** Why an actor gave no answer, as the caller of a request is told; `part` names the actor, as in "the write gate". */
export const askTrouble = (part: string, failure: AskFailure): string => {
  switch (failure._tag) {
    case 'Full':
      return `The mailbox of ${part} is full`
    case 'Gone':
    case 'Unavailable':
      return `This host is stopping, or starts ${part} again`
    case 'Undecodable':
      return `A fault of this build kept the request from ${part}; the log has it`
    case 'Faulted':
      return `A fault ended ${part} while it had the request; the log has it`
    case 'Timeout':
      return `No answer came from ${part} in time`
    default:
      return absurd(failure)
  }
}

/** What the caller of an ask without an answer does next, by what the actor may have done. */
export interface AskAdvice {
  readonly mayHaveActed: string
  readonly didNothing: string
}

/** The actor may have carried out what it was asked where it took the message and gave no answer. */
const mayHaveActed = ({ _tag }: AskFailure): boolean => _tag === 'Timeout' || _tag === 'Faulted'

/** Why an actor gave no answer, and what the caller does next. */
export const explainUnanswered = (part: string, failure: AskFailure, advice: AskAdvice): string =>
  `${askTrouble(part, failure)}; ${mayHaveActed(failure) ? advice.mayHaveActed : advice.didNothing}`
