import * as t from 'io-ts'
import { Snowflake } from '#protocol/atoms.js'
import type { DispatchVars } from '#protocol/chat/dispatch.js'
import { parseJson } from '#src/domain/json/parse-json.js'

const tokenVar = 'SVC_INTERACTION_TOKEN'
const applicationVar = 'SVC_APPLICATION_ID'
const tokenCharsMax = 1_024

/** Where the answer to an interaction goes. `token` is a credential for 15 minutes (S34). */
export const AnswerTarget = t.readonly(t.type({ applicationId: Snowflake, token: t.string }), 'AnswerTarget')
export type AnswerTarget = t.TypeOf<typeof AnswerTarget>

/** Parses what `JSON.stringify` made of a target; null for any other text. */
export const parseAnswerTarget = (text: string): AnswerTarget | null => {
  const value = parseJson(text)
  return AnswerTarget.is(value) ? value : null
}

/** A token is a part of a path, and `.` and `..` would name another path. */
const isToken = (text: string): boolean =>
  /^[\x21-\x7e]+$/.test(text) && !/^\.{1,2}$/.test(text) && text.length <= tokenCharsMax

/**
 * Separates where the answer goes from the other variables. The application is that of the variables, else
 * `clientId`. The target is null, and the interaction stays unanswered, where one of the two is missing or unusable.
 */
export const splitAnswerTarget = (
  { [tokenVar]: token, ...rest }: DispatchVars,
  clientId: string,
): { readonly target: AnswerTarget | null; readonly rest: DispatchVars } => {
  const applicationId = rest[applicationVar] ?? clientId
  const target =
    token !== undefined && isToken(token) && Snowflake.is(applicationId) ? { applicationId, token } : null
  return { target, rest }
}
