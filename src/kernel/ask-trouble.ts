import { absurd } from 'fp-ts/lib/function.js'
import type { AskFailure } from './ref.js'

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

/** Whether the actor may have carried out what it was asked: it took the message and gave no answer. */
export const mayHaveActed = ({ _tag }: AskFailure): boolean => _tag === 'Timeout' || _tag === 'Faulted'
