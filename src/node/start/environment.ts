import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type RefusalOf, refuse } from '#protocol/refusal.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'

/** The environment variables that the daemon reads, once, at boot (D20). Null where absent. */
export interface Environment {
  readonly contract: {
    readonly version: string | null
    readonly sha: string | null
    readonly agent: string | null
  }
  readonly imageDigest: string
}

/** The variables of a start that git does not get, each with what has its effect, run in the checkout. */
export const listCutVariables = (
  variables: NodeJS.ProcessEnv,
): ReadonlyArray<{ readonly variable: string; readonly mend: string }> =>
  Object.entries(gitMends).flatMap(([variable, mend]) =>
    nullIfEmpty(variables[variable]) === null ? [] : [{ variable, mend }],
  )

export const readEnvironment = (variables: NodeJS.ProcessEnv): Environment => {
  const decoded = Variables.decode(variables)
  const known = isLeft(decoded) ? {} : decoded.right
  return {
    contract: {
      version: nullIfEmpty(known.SVC_CONTRACT_VERSION),
      sha: nullIfEmpty(known.SVC_CONTRACT_SHA),
      agent: nullIfEmpty(known.SVC_CONTRACT_AGENT),
    },
    imageDigest: known.SVC_IMAGE_DIGEST ?? '',
  }
}

/**
 * Returns the answer of a call to the runtime database, or `DiskRefused`; `what` names what could not be
 * recorded.
 */
export const orDiskRefused = <A>(what: string, call: () => A): Either<RefusalOf<'DiskRefused'>, A> => {
  try {
    return right(call())
  } catch (error) {
    const code = sqliteCode(error)
    if (code === null) throw error
    return left(
      refuse(
        'DiskRefused',
        `${what} could not be recorded (${code}). Fix the disk of this host, then try again.`,
      ),
    )
  }
}

/**
 * The message of an error for the operator. An error of permissions usually means that another user must run
 * the command.
 */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return isDenied(error) ? `${error.message}; run it as the user that owns the checkout` : error.message
}

const Variables = t.partial({
  SVC_CONTRACT_VERSION: t.string,
  SVC_CONTRACT_SHA: t.string,
  SVC_CONTRACT_AGENT: t.string,
  SVC_IMAGE_DIGEST: t.string,
})

/** Variables that would change how git reaches a remote, and what to set in their place. No git of ours gets them. */
const gitMends: Readonly<Record<string, string>> = {
  GIT_SSH_COMMAND: 'git config core.sshCommand COMMAND',
  GIT_SSH: 'git config core.sshCommand COMMAND',
  GIT_SSL_CAINFO: 'git config http.sslCAInfo FILE',
  GIT_SSL_NO_VERIFY: 'git config http.sslCAInfo FILE',
}

const nullIfEmpty = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text

const isDenied = (error: Error): boolean =>
  'code' in error && (error.code === 'EACCES' || error.code === 'EPERM')
