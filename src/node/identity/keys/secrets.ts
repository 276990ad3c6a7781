import { readFileSync } from 'node:fs'
import { type Secret, secretOf } from '#src/ports/identity/secret.js'

/** The credentials that this host was given; null where one is absent. */
export interface Secrets {
  readonly chatBotToken: Secret | null
  /** The token of the project on the forge, which takeovers and publishing by merge request use. */
  readonly forgeToken: Secret | null
}

/** A credential that was given and is unusable; `reason` never shows it. */
export interface SecretFinding {
  readonly variable: string
  readonly reason: string
}

const variables = {
  chatBotToken: 'SVC_CHAT_BOT_TOKEN',
  forgeToken: 'SVC_FORGE_TOKEN',
} as const satisfies Record<keyof Secrets, string>

/** What a header can contain: printable ASCII without blanks. */
const sendable = /^[\x21-\x7e]{1,4096}$/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'it failed'

const fileText = (path: string): { readonly text: string } | { readonly failed: string } => {
  try {
    return { text: readFileSync(path, 'utf8').trimEnd() }
  } catch (error) {
    return { failed: codeOf(error) }
  }
}

const readVariable = (environment: NodeJS.ProcessEnv, variable: string): Secret | SecretFinding | null => {
  const [direct, path] = [environment[variable] ?? '', environment[`${variable}_FILE`] ?? '']
  if (direct === '' && path === '') return null
  if (direct !== '' && path !== '')
    return { variable, reason: `both it and ${variable}_FILE are set; unset one of them` }
  const read = direct === '' ? fileText(path) : { text: direct }
  if ('failed' in read)
    return { variable: `${variable}_FILE`, reason: `the file cannot be read: ${read.failed}` }
  return sendable.test(read.text)
    ? secretOf(read.text)
    : { variable, reason: 'it is empty, too long, or has a blank or a letter outside ASCII' }
}

const secretIn = (read: Secret | SecretFinding | null): Secret | null =>
  read !== null && 'reveal' in read ? read : null

/**
 * Reads the credentials from the environment, each from its variable or from the file that `…_FILE` names
 * (LAYOUT).
 */
export const readSecrets = (
  environment: NodeJS.ProcessEnv,
): { readonly secrets: Secrets; readonly findings: ReadonlyArray<SecretFinding> } => {
  const bot = readVariable(environment, variables.chatBotToken)
  const forge = readVariable(environment, variables.forgeToken)
  return {
    secrets: { chatBotToken: secretIn(bot), forgeToken: secretIn(forge) },
    findings: [bot, forge].flatMap(read => (read === null || 'reveal' in read ? [] : [read])),
  }
}

/** The values of the credentials, for the scrubber. */
export const valuesOf = ({ chatBotToken, forgeToken }: Secrets): ReadonlyArray<string> =>
  [chatBotToken, forgeToken].flatMap(secret => (secret === null ? [] : [secret.reveal()]))
