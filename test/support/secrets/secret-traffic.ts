import type { PlantedSecrets } from './secrets.js'

/** A request of a test and its answer. */
export interface Exchange {
  readonly method: string
  readonly target: string
  readonly token: string | null
  readonly sent: string | Buffer | undefined
  readonly status: number
  readonly text: string
}

/** Routes whose 2xx answer hands out a secret: only there it may occur. */
const mints = /^(?:POST \/v1\/api\/(?:auth\/(?:game|chat)|tokens|api-keys)|GET \/v1\/api\/api-keys\/claim\/)/

const tokens = /\b(?:sess|fsess|apik|named)_[\w.-]{24,}/g
const secretFields = /"(?:id_token|signatureBase64|token|key|code|claim|secret)"\s*:\s*"([^"]{24,})"/g

/** Whether a text is a hexadecimal hash, which is not a secret. */
const isHash = (text: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(text)

/**
 * Whether a text is a token that a host hands out or a person signs in with; short names of test callers are
 * not secrets.
 */
const isToken = (text: string): boolean => /^[\w.~+/=-]{32,}$/.test(text) && !isHash(text)

const plantFields = (secrets: PlantedSecrets, what: string, text: string): void => {
  for (const [, value = ''] of text.matchAll(secretFields)) if (!isHash(value)) secrets.plant(what, value)
}

const pathOf = (target: string): string => target.split('?')[0] ?? ''

/** Registers the secrets of a request, and searches its answer, which must not repeat them. */
export const onExchange = (
  secrets: PlantedSecrets,
  { method, target, token, sent, status, text }: Exchange,
): void => {
  const line = `${method} ${pathOf(target)}`
  if (token !== null && isToken(token)) secrets.plant('a bearer token', token)
  if (sent !== undefined && mints.test(line))
    plantFields(secrets, `a credential sent to ${line}`, String(sent))
  const minted = mints.test(line) && status >= 200 && status < 300
  if (!minted) return secrets.told(`an answer ${status} to ${line.replace(/claim\/.*/, 'claim')}`, text)
  for (const [one] of text.matchAll(tokens)) secrets.plant(`a token minted by ${line}`, one)
  plantFields(secrets, `a secret answered to ${line}`, text)
}
