import { existsSync, readFileSync } from 'node:fs'
import * as t from 'io-ts'
import { type Document, OpenAPIBackend } from 'openapi-backend'

const file = new URL('../../../../shared/contracts/chat/openapi.json', import.meta.url)

const kept = [
  '/guilds/{guild_id}/roles',
  '/guilds/{guild_id}/channels',
  '/channels/{channel_id}/messages',
  '/webhooks/{webhook_id}/{webhook_token}/messages/@original',
] as const

const operations = [
  'list_guild_roles',
  'list_guild_channels',
  'create_message',
  'update_original_webhook_message',
] as const

const Operation = t.partial({ security: t.array(t.record(t.string, t.unknown)) })
const Fields = t.type({ properties: t.record(t.string, t.unknown) })
const Shape = t.type({
  openapi: t.string,
  info: t.type({ title: t.string, version: t.string }),
  paths: t.record(t.string, t.record(t.string, t.unknown)),
  components: t.type({ schemas: t.record(t.string, t.unknown) }),
})

const isDocument = (value: unknown): value is Document => Shape.is(value)

/** A request as it was received. */
export interface WireRequest {
  readonly method: string
  /** Relative to the base URL. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The platform's own contract, checked by openapi-backend and ajv. Each method returns the violations. */
export interface ChatContract {
  readonly ofRequest: (request: WireRequest) => ReadonlyArray<string>
  readonly ofAnswer: (
    request: WireRequest,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: unknown,
  ) => ReadonlyArray<string>
}

/** The operations that carry their credential in their path: a bot token has no business there. */
const tokenless: ReadonlySet<string> = new Set(['update_original_webhook_message'])

const bodyOf = (text: string): Readonly<Record<string, unknown>> | null => {
  const value: unknown = JSON.parse(text)
  return t.record(t.string, t.unknown).is(value) ? value : null
}

const decodeOrFail = <A>(codec: t.Type<A, unknown>, value: unknown): A => {
  if (!codec.is(value)) throw new Error(`the contract has another shape than ${codec.name}`)
  return value
}

/** What the platform asks of the header User-Agent; the contract does not have it. */
const botAgent = /^DiscordBot \(https?:\/\/[^\s,()]+, \d+\.\d+\.\d+\)$/

/** Null where the contract is not beside the project: it is never part of it. */
export const chatContract = async (): Promise<ChatContract | null> => {
  if (!existsSync(file)) return null
  const whole: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const { paths, components } = decodeOrFail(Shape, whole)
  const document: unknown = {
    ...decodeOrFail(Shape, whole),
    paths: Object.fromEntries(kept.map(path => [path, paths[path] ?? {}])),
  }
  if (!isDocument(document)) throw new Error('the contract is no OpenAPI document')
  const message = decodeOrFail(Fields, components.schemas['MessageCreateRequest'])
  const edited = decodeOrFail(Fields, components.schemas['IncomingWebhookUpdateRequestPartial'])
  const api = new OpenAPIBackend({
    definition: document,
    quick: true,
    // The document's formats, such as those of ids, are only names; its patterns are the rules.
    ajvOpts: { strict: false, validateFormats: false, allErrors: true },
  })
  await api.init()
  // Compiled in advance: during a call it would take seconds and cause a time-out.
  for (const operation of operations) {
    api.validator.getRequestValidatorsForOperation(operation)
    api.validator.getStatusBasedResponseValidatorForOperation(operation)
    api.validator.getResponseHeadersValidatorForOperation(operation)
  }

  const operationOf = ({ method, path, headers }: WireRequest): string => {
    const found = api.router.matchOperation({ method, path, headers: { ...headers } })
    if (found?.operationId === undefined) throw new Error(`the contract has no ${method} ${path}`)
    return found.operationId
  }
  const isAuthorised = (operation: string, headers: WireRequest['headers']): boolean => {
    if (tokenless.has(operation)) return headers['authorization'] === undefined
    const { security = [] } = decodeOrFail(Operation, api.router.getOperation(operation))
    return security.some(one => 'BotToken' in one) && (headers['authorization'] ?? '').startsWith('Bot ')
  }
  const texts = (
    errors: ReadonlyArray<{ readonly instancePath: string; readonly message?: string }> | null,
  ) => (errors ?? []).map(({ instancePath, message: what = '' }) => `${instancePath} ${what}`)

  return {
    ofRequest: request => {
      const operation = operationOf(request)
      const body = request.body === '' ? undefined : (bodyOf(request.body) ?? request.body)
      const { errors = null } = api.validator.validateRequest(
        { method: request.method, path: request.path, headers: { ...request.headers }, query: {}, body },
        operation,
      )
      const known = tokenless.has(operation) ? edited : message
      const unknown =
        typeof body === 'object' ? Object.keys(body).filter(name => !(name in known.properties)) : []
      return [
        ...texts(errors),
        ...unknown.map(name => `the contract has no field ${name}`),
        ...(isAuthorised(operation, request.headers)
          ? []
          : [tokenless.has(operation) ? 'a bot token' : 'no bot token']),
        ...(botAgent.test(request.headers['user-agent'] ?? '') ? [] : ['not the user agent of a bot']),
      ].map(text => `${operation}: ${text}`)
    },
    ofAnswer: (request, status, headers, body) => {
      const operation = operationOf(request)
      const integers = Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [
          name,
          /-(limit|remaining|reset|reset-after)$/.test(name) ? Number(text) : text,
        ]),
      )
      const answer = api.validator.validateResponse(body, operation, status)
      const told = api.validator.validateResponseHeaders(integers, operation, { statusCode: status })
      return [...texts(answer.errors ?? null), ...texts(told.errors ?? null)].map(
        text => `${operation} ${status}: ${text}`,
      )
    },
  }
}
