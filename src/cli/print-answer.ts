import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import { printedJson } from './escape-controls.js'
import type { Output } from './output.js'

/** Why a host refuses a command: the name of the refusal and what to do. */
export interface CommandRefusal {
  readonly error: string
  readonly detail: string
}

/** Prints a refusal on stderr: as a sentence, or as JSON with all its fields. */
export const printRefusal = (refusal: CommandRefusal, json: boolean, { err }: Output): void => {
  err(json ? printedJson(refusal, 0) : `${refusal.error}: ${refusal.detail}`)
}

/** Prints the result on stdout, or the refusal on stderr. Returns 65 for a refusal. */
export const printAnswer = <A>(
  answer: Either<CommandRefusal, A>,
  { json }: { readonly json: boolean },
  output: Output,
  show: (answer: A) => void,
): ExitCode => {
  if (isLeft(answer)) {
    printRefusal(answer.left, json, output)
    return exitCodes.findings
  }
  if (json) output.out(printedJson(answer.right))
  else show(answer.right)
  return exitCodes.ok
}
