import { absurd } from 'fp-ts/lib/function.js'
import type { AskFailure } from './actor/ref.js'

/** Explains to the client why an actor gave no answer; `part` names the actor, as in "the write gate". */
export const askTrouble = (part: string, failure: AskFailure): string => {
  switch (failure._tag) {
    case 'Full':
      return `The mailbox of ${part} is full`
    case 'Gone':
    case 'Unavailable':
      return `This host is stopping, or is restarting ${part}`
    case 'Undecodable':
      return `The request could not reach ${part} because of a fault of the daemon, which is in the log`
    case 'Faulted':
      return `A fault ended ${part} while it worked on the request; the log has the fault`
    case 'Timeout':
      return `No answer came from ${part} in time`
    default:
      return absurd(failure)
  }
}

/** What a client should do after an ask without an answer, depending on whether the actor may have acted. */
export interface AskAdvice {
  readonly mayHaveActed: string
  readonly didNothing: string
}

/** An actor that accepted the message and gave no answer may have carried it out. */
const mayHaveActed = ({ _tag }: AskFailure): boolean => _tag === 'Timeout' || _tag === 'Faulted'

/** Explains why an actor gave no answer, and what the client does next. */
export const explainUnanswered = (part: string, failure: AskFailure, advice: AskAdvice): string =>
  `${askTrouble(part, failure)}; ${mayHaveActed(failure) ? advice.mayHaveActed : advice.didNothing}`
